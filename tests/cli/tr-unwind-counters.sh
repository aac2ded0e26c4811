# SPDX-License-Identifier: Apache-2.0
# Samples of counters are passed to the stacks at their cycle, wherever they are in the
# rows, and change nothing else.
. "$SRC/tests/cli/tr-unwind.inc"
sed -i 's/^row handler/frame\n&/' run.txt
tr-text --encode run.txt | tr-unwind --no-provenance | tr-text | grep -v ^header > without
sed 's/^header watch=4/&\nheader counters.0=miss\nheader counter.0.0=one\nheader counters.2=a,b/
	s/^row start$/counters 0 | miss=0\n&\ncounters 0 | miss=1/
	s/^row foo.*/counters 2 cycles=1 | a=1 b=2\n&/
	s/^trap/counters 0 cycles=2 | miss=5\n&/
	s/^row handler/counters 0 cycles=0 | miss=6\n&/
	s/^end/counters 0 cycles=3 | miss=4\n&/' run.txt | tr-text --encode -o counters.tr
tr-text counters.tr | grep -B 1 ^counters
tr-unwind --no-provenance counters.tr | tr-text > with
grep -v '^counters\|^header' with | diff without - && echo 'stacks: the same'
grep '^counters\|^srow\|^frame\|^hart' with
tr-unwind --lines counters.tr | tr-text | grep -c ^counters

echo '# a token that is cut in two'
sed 's/^row main1/block half pc=0x10100 00000013\nblock rest pc=0x10104 0fc000ef\nnote 1 half bin=0 address=0x10100\nnote 1 rest bin=0 address=0x10104\nrow half\nrow rest/' run.txt |
	tr-text --encode | tr-unwind --no-provenance | tr-text | grep -v '^header\|^node\|^func' > halves
grep -v '^header\|^node\|^func' without | diff - halves && echo 'stacks: the same'
