# SPDX-License-Identifier: Apache-2.0
# Each format; what --by, --min-cycles, --max-depth, --fold, --clock and --title change.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
# What ran needs a process and a privilege.
sed '0,/^srow/s//scontext priv=U process=0\nsrow/' "$SRC/tests/cli/data/hostile-names.txt" | tr-text --encode -o h.tr
tr-text --encode -o c.tr "$SRC/tests/cli/data/fold-counters.txt"
# The picture without its style.
picture() { tr-timeline --format svg "$@" | sed -n '/^<rect class="page"/,$p'; }
speedscope() { tr-timeline --format speedscope "$@" && echo; }
echo '# speedscope'
speedscope s.tr
speedscope --by thread --title 'a "title"' --clock 0 s.tr
speedscope --min-cycles 20 --title 'calls of 20 cycles' s.tr
speedscope --max-depth 2 s.tr
speedscope --max-depth 2 --min-cycles 11 s.tr
speedscope --fold linux s.tr
speedscope h.tr
echo '# picture'
picture s.tr
picture --max-depth 1 --title '<&>' c.tr
echo '# Perfetto: the bytes, by the sums of their file'
for options in '' '--by hart' '--min-cycles 20' '--max-depth 2' '--clock 0' '--clock 3200M' '--fold linux'; do
	tr-timeline $options -o p s.tr
	echo "$options: $(cksum < p)"
done
for stream in h.tr c.tr; do tr-timeline $stream | cksum; done
tr-timeline --format perfetto s.tr | cksum
tr-timeline - < s.tr | cksum
