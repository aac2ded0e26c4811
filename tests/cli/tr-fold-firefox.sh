# SPDX-License-Identifier: Apache-2.0
# The Firefox Profiler's format: its structure, and the same stacks as the folded text, for
# each kind of group; names that JSON must escape; no stack at all; the trouble.
read_firefox() { python3 "$SRC/tests/cli/data/read-firefox.py" "$@"; }
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
tr-text --encode -o h.tr "$SRC/tests/cli/data/hostile-names.txt"
for by in joined program process thread privilege hart; do
	echo "# $by"
	tr-fold --by $by --format firefox -o $by.json s.tr
	read_firefox $by.json --threads > $by.txt
	grep '^thread' $by.txt
	# Without groups; those of a privilege or a hart have idle time apart.
	case $by in privilege | hart) idle=--idle ;; *) idle= ;; esac
	diff <(tr-fold $idle s.tr | LC_ALL=C sort) <(grep -v '^thread' $by.txt | tr -d "'" | LC_ALL=C sort)
done
echo '# instructions, frames chosen'
tr-fold --unit instructions --hide-helpers --focus leaf --format firefox -o i.json s.tr
read_firefox i.json
echo '# hostile names'
tr-fold --format firefox -o h.json h.tr
read_firefox h.json --threads
echo '# binaries, and what the weights are'
tr-fold --format firefox --clock 0 --title 'a "title"' s.tr | python3 -c 'import json, sys
profile = json.load(sys.stdin)
print(profile["meta"]["product"], profile["meta"]["interval"], profile["meta"]["initialVisibleThreads"])
for entry in profile["meta"]["extra"][0]["entries"]:
	print(entry["label"], "-", entry["value"])
print(*(lib["name"] for lib in profile["libs"]))'
echo '# as published'
tr-fold --format firefox --from 5 --to 30 s.tr
echo '# trouble'
tr-fold --format firefox -d parts s.tr
echo "exit $?"
tr-fold --format firefox --table s.tr
echo "exit $?"
tr-fold --format firefox s.tr > /dev/full
echo "exit $?"
head -c 300 s.tr | tr-fold --format firefox > got
echo "exit $?"
wc -c < got
