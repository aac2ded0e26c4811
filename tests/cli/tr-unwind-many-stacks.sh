# SPDX-License-Identifier: Apache-2.0
# Time stays proportional to the trace when each call runs on a new stack on top of the
# previous one.
. "$SRC/tests/cli/tr-unwind.inc"
{
	grep -v -e '^row' -e '^trap' -e '^reg' -e '^xret' -e '^end' run.txt | sed 's/watch=4/watch=2,4/'
	seq 100000 -1 1 | awk '{ printf "reg x2 0x%x\nrow main1\n", 0x7000000000 + 16 * $1 }'
	echo 'end end=power-off'
} | tr-text --encode -o chain.tr
timeout 60 tr-unwind -o stacks.tr chain.tr
echo "exit $?"
tr-fold -v stacks.tr | wc -l

# The same for gaps after many stacks, with no known frame behind them.
{
	grep -v -e '^row' -e '^trap' -e '^reg' -e '^xret' -e '^end' run.txt | sed 's/watch=4/watch=2,4/'
	seq 30000 | awk '{ printf "reg x2 0x%x\nrow main1\n", 0x7000000000 + 1048576 * $1 }'
	yes 'gap reason=untraced cycles=3
row foo' | head -n 300000
	echo 'end end=power-off'
} | tr-text --encode -o gaps.tr
timeout 20 tr-unwind -o stacks.tr gaps.tr
echo "exit $?"
tr-fold -v stacks.tr | grep untraced
