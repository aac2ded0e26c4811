# SPDX-License-Identifier: Apache-2.0
# --format pprof, read by go tool pprof: stacks and sums are those of folded text, with
# counts by address and without; counters; groups and windows; trouble.
. "$SRC/tests/cli/tr-fold-soup.inc"
export HOME=$PWD PPROF_TMPDIR=$PWD
raw() { go tool pprof -raw "$@" 2> pprof.txt || cat pprof.txt; }
# The stacks in pprof's text, as folded text of value $1.
stacks() { # COLUMN
	awk -v column="$1" '
		/^Locations/ { part = 2; next }
		/^Mappings/ { part = 3 }
		/^ *[0-9 ]+: [0-9 ]+$/ && part < 2 {
			split($0, halves, ":")
			split(halves[1], values, " ")
			count[++n] = values[column]
			stack[n] = halves[2]
		}
		part == 2 {
			if ($1 ~ /:$/) { id = $1; sub(/:/, "", id); name[id] = $0 } else { name[id] = $0 }
		}
		END {
			for (id in name) {
				sub(/^ *([0-9]+: 0x[0-9a-f]+ (M=[0-9]+ )?)?/, "", name[id])
				sub(/ [^ ]*:[0-9]+ s=[0-9]+.*$/, "", name[id])
			}
			for (i = 1; i <= n; i++) {
				line = ""
				many = split(stack[i], ids, " ")
				for (k = many; k > 0; k--) line = line (k < many ? ";" : "") name[ids[k]]
				sum[line] += count[i]
			}
			for (line in sum) if (sum[line]) print line, sum[line]
		}' | sort
}
same() { # COLUMN UNIT STREAM [OPTION...]
	tr-fold --unit "$2" "${@:4}" "$3" > folded
	tr-fold --format pprof "${@:4}" -o a.pb.gz "$3"
	raw a.pb.gz | stacks "$1" | diff folded - && echo "$3 $2 ${*:4}: the same stacks"
}
for stream in counts.tr plain.tr; do
	same 1 cycles $stream
	same 2 instructions $stream
done
same 1 cycles counts.tr --by privilege
same 1 cycles counts.tr --from twice --to twice
same 1 cycles counts.tr --fold soup
same 1 cycles counts.tr --hide '^down$'
same 1 cycles counts.tr --merge-recursion
same 1 cycles counts.tr --focus '^even$'
tr-text --encode -o counters.tr "$SRC/tests/cli/data/stack-counters.txt"
tr-text --header counters.tr | sed -n 's/^header counters\.[0-9]*=//p' | tr , '\n' |
	while read -r counter; do
		same $((3 + number++)) "$counter" counters.tr
	done
sed -e '/^header addresses/a header counters.0=miss' -e '/^hart 0 cycle=5/a counters 0 cycle=5 | miss=0' \
	-e '/^hart 0 cycle=28/a counters 0 cycle=30 | miss=1001' "$SRC/tests/cli/data/spans.txt" |
	tr-text --encode -o misses.tr
same 3 miss misses.tr
tr-fold --format pprof -o misses.pb.gz misses.tr
raw misses.pb.gz | sed -n '/^cycles/,/^Locations/p'
tr-fold --format pprof counts.tr | cmp - <(tr-fold --format pprof counts.tr) && echo "the same bytes"

echo '== golden'
tr-text --encode -o spans.tr "$SRC/tests/cli/data/spans.txt"
tr-fold --format pprof -o spans.pb.gz spans.tr
raw spans.pb.gz
tr-unwind --inline --lines -o inline.tr soup.tr
tr-fold --format pprof -o inline.pb.gz inline.tr
raw inline.pb.gz | grep -m 1 -A 1 pour

echo '== trouble'
tr-fold --format pprof counts.tr > /dev/full
echo "exit $?"
tr-fold --format pprof counts.tr | head -c 1 | wc -c
tr-fold --format pprof -d parts counts.tr
echo "exit $?"
head -c 2000 counts.tr > cut.tr
tr-fold --format pprof -o cut.pb.gz cut.tr
echo "exit $?"
sed 's/^count n3 p1 executions=1/count n3 p1 executions=9/' "$SRC/tests/cli/data/spans.txt" |
	tr-text --encode | tr-fold --format pprof -o more.pb.gz
echo "exit $?"
sed '/^[snhcb]/{/^header/!d}; s/^end [ic].*//' "$SRC/tests/cli/data/spans.txt" | tr-text --encode -o empty.tr
tr-fold --format pprof -o empty.pb.gz empty.tr && raw empty.pb.gz | grep -c cycles
