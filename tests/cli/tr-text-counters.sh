# SPDX-License-Identifier: Apache-2.0
# Samples of counters as text and back, with labels that look like other syntax.
tr-text --encode -o a.tr "$SRC/tests/cli/data/counters.txt"
tr-text a.tr | tee a.txt
tr-text --encode a.txt | tr-text | cmp - a.txt && echo "the same again"
tr-text --tokens a.tr | grep -c '^counters'

try() {
	{
		printf '%s\n' 'header counters.0=a,cycles' 'header counters.1=b'
		printf '%s\n' "$1" 'end end=power-off'
	} | tr-text --encode -o /dev/null
	echo "$?"
}
try 'counters 0 | a=1 cycles=2'
try 'counters 1 cycles=4 | b=0xff'
try 'counters 0 | a=1'
try 'counters 0 | a=1 cycles=2 b=3'
try 'counters 0 | cycles=2 a=1'
try 'counters 0 | a=1 cycle=2'
try 'counters 0 | a=1 cycles=-2'
try 'counters 0 | a=1 cycles=18446744073709551616'
try 'counters 0 a=1 cycles=2'
try 'counters | a=1 cycles=2'
try 'counters 2 | a=1 cycles=2'
try 'counters 16 | a=1 cycles=2'
try 'counters 0 cycles=281474976710656 | a=1 cycles=2'
try 'counters 0 token=1 | a=1 cycles=2'
try 'counters data=0001'
for labels in a,a a,,b ,a 'a,' ''; do
	printf '%s\n' "header counters.3=$labels" 'end end=power-off' |
		tr-text --encode -o /dev/null
	echo "$labels: $?"
done
for n in 255 256; do
	printf 'header counters.0=%0*d\nend end=limit\n' $n 0 | tr-text --encode | tr-text | wc -l
done
for n in 4096 4097; do
	{
		printf 'header counters.0=%s\n' "$(seq -s , $n)"
		printf 'counters 0 |'
		printf ' %d=0' $(seq $n)
		printf '\n%s\n' 'end end=power-off'
	} | tr-text --encode | tr-text | wc -l
done
