# SPDX-License-Identifier: Apache-2.0
# A part of the run: a window of cycles, a function from its entry to its return, stacks with a
# frame, a process, a thread. Each is exact: adjacent windows add up to the whole at any cycle.
. "$SRC/tests/cli/tr-annotate.inc"
part() {
	echo "# $*"
	tr-annotate "$@" run.tr
	status=$?
	[ $status = 0 ] || echo "exit $status"
}
part --from 4 --to 30 sum
part --from 30 --mispredicts
part --to 15 --misses
part --from leaf --to leaf --all
part --focus '^leaf$' --all
part --from trigger sum
part --focus nothing sum
part --focus '(' sum
part --from 20 --to 20 sum
part --to 0 sum
part --from 1000 sum
part --to sun sum
part --process work leaf
part --process 'work#0' --to 30 --all
part --process wrok leaf
part --thread 'work#7' leaf
part --thread work --process work leaf
echo '# of standard input only cycles'
for options in '--to 30' '--to leaf' '--focus leaf' '--thread work'; do
	# shellcheck disable=SC2086 # words
	tr-annotate $options --format csv sum < run.tr | wc -l
done
tr-annotate --from 4 --to 30 --html - sum run.tr | grep -oE '<p>Only[^<]*|[^ ]* % of those chosen'
echo '# the title of the page tells what was chosen'
titles() { tr-annotate --html - "$@" run.tr | grep -oE '<title>.*</title>|<b>tr-annotate: [^/]*</b>'; }
titles sum
titles --from 4 --to 30 sum
titles --focus '^leaf$' --focus '^sum$|a<b' --all
titles --process 'work#0' --from leaf --to leaf --all
titles --thread work leaf

echo '# a trap follows untraced cycles, which are of no stack: its cycles are of those behind it'
sed 's/^gap .*/&\ntrap cause=13 priv=M epc=0x10010 cycles=2\nrow handler\nxret priv=U/' run.txt | tr-text --encode -o trap.tr
for focus in leaf sum; do
	tr-annotate --focus "^$focus\$" --all trap.tr | grep -E 'Only|^ *[0-9]+ .*(ld|ret)'
done
sums() { # FILE...: executions, cycles and each class of all instructions
	awk -F, '
		FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "executions") first = i; next }
		{ for (i = first; i <= NF; i++) sum[i] += $i; n = NF }
		END { for (i = first; i <= n; i++) printf "%d ", sum[i]; print "" }' "$@"
}
sed 's/^header classes.*/&\nheader commit_width=2/; s/^row sum .*/row sum stall 1:10\/4*19 2:0/' run.txt | tr-text --encode -o wide.tr
for stream in run wide; do
	tr-annotate --all --format csv $stream.tr | sed 's/"[^"]*"//g' > whole.csv
	wrong=0 cuts=0
	for at in $(seq 1 66); do
		tr-annotate --all --format csv --to "$at" $stream.tr 2> err | sed 's/"[^"]*"//g' > before.csv
		tr-annotate --all --format csv --from "$at" $stream.tr 2>> err | sed 's/"[^"]*"//g' > after.csv
		[ "$(sums before.csv after.csv)" = "$(sums whole.csv)" ] || wrong=$((wrong + 1))
		! [ -s err ] || cat err
		cuts=$((cuts + 1))
	done
	echo "$stream: $wrong of $cuts cuts do not add up to $(sums whole.csv)"
done
