# SPDX-License-Identifier: Apache-2.0
# Hits of probes are passed to the stacks with the cycle in which their token commits,
# wherever it is in a row, and change nothing else.
. "$SRC/tests/cli/tr-unwind.inc"
sed -i 's/^row handler/frame\n&/' run.txt
tr-text --encode run.txt | tr-unwind --no-provenance | tr-text | grep -v ^header > without
sed 's/^header watch=4/&\nheader probe.0=one\nheader probe.0.fields=n\nheader probe.1=two/
	s/^row start$/probe 0 | n=0\n&\nprobe 0 | n=1/
	s/^row foo.*/probe 1 |\n&/
	s/^trap/probe 0 | n=5\n&/
	s/^row handler/probe 0 | n=6\n&/
	s/^end/probe 0 | n=4\n&/' run.txt | tr-text --encode -o probes.tr
tr-text probes.tr | grep -B 1 ^probe
tr-unwind --no-provenance probes.tr | tr-text > with
grep -v '^probe\|^header' with | diff without - && echo 'stacks: the same'
grep '^probe\|^srow\|^frame\|^hart' with
