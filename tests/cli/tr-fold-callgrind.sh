# SPDX-License-Identifier: Apache-2.0
# --format callgrind, read by callgrind_annotate: what each function and its calls cost is
# what tr-report functions says, although functions recur; counters; trouble.
. "$SRC/tests/cli/tr-fold-soup.inc"
# "function cost" of callgrind_annotate's list; an inlined function has a line for each file.
listed() { # OPTION... FILE
	callgrind_annotate --threshold=100 --auto=no "$@" | awk '
		/file:function/ { on = 1; next }
		on && /:/ {
			sub(/ \[[^]]*\]$/, "")
			value = $1
			gsub(/,/, "", value)
			sub(/^.*:/, "")
			sum[$0] += value
		}
		END { for (name in sum) if (sum[name]) print name, sum[name] }' | sort
}
table() { # COLUMN FILE
	tr-report functions "$2" | awk -v column="$1" 'NF == 13 && $1 ~ /^[0-9]+$/ && $column {
		print $13, $column }' | sort
}
for stream in counts plain; do
	tr-fold --format callgrind -o $stream.cg $stream.tr
	grep -E '^(positions|events)' $stream.cg
	listed $stream.cg | diff <(table 2 $stream.tr) - && echo "$stream: the same costs"
done
listed --inclusive=yes plain.cg | diff <(table 4 plain.tr) - && echo "the same inclusive costs"
# The root is called by none, so that its own cost and its calls are all of it.
awk '/^cfn=/ { split($0, name, /[()]/); id = name[2] }
	/^fn=|^cfn=/ { n = split($0, part, /[()]/); if (part[3] != "") of[part[2]] = substr(part[3], 2) }
	/^calls=/ { split($1, calls, "="); sum[id] += calls[2] }
	END { for (id in sum) print of[id], sum[id] }' plain.cg | sort |
	diff <(tr-report functions plain.tr | awk 'NF == 13 && $13 != "soup" && $1 ~ /^[0-9]+$/ { print $13, $1 }' | sort) - && echo "the same calls"
cmp <(grep -o '^calls=[0-9]*' plain.cg | awk -F= '{ n += $2 } END { print n }') \
	<(grep -o '^calls=[0-9]*' counts.cg | awk -F= '{ n += $2 } END { print n }')

echo '== golden'
tr-text --encode -o spans.tr "$SRC/tests/cli/data/spans.txt"
tr-fold --format callgrind spans.tr
tr-text --encode -o counters.tr "$SRC/tests/cli/data/stack-counters.txt"
tr-fold --format callgrind counters.tr | grep -E '^(events|summary|positions)'
tr-fold --format callgrind --by hart --from 1 counters.tr | grep -E '^(events|summary|positions)'

echo '== trouble'
tr-fold --format callgrind counts.tr > /dev/full
echo "exit $?"
tr-fold --format callgrind counts.tr | head -1
