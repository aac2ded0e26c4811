# SPDX-License-Identifier: Apache-2.0
# speedscope's format: the stacks of its samples are those of the folded text, for each kind
# of group; names that JSON must escape; the trouble.
read_sums() {
	python3 -c 'import json, sys
file = json.load(open(sys.argv[1]))
names = [frame["name"] for frame in file["shared"]["frames"]]
for profile in file["profiles"]:
	assert len(profile["samples"]) == len(profile["weights"])
	assert profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"])
	print("profile", profile["name"], profile["endValue"], file=sys.stderr)
	for stack, weight in zip(profile["samples"], profile["weights"]):
		print(";".join(names[frame] for frame in stack), weight)' "$1" 2>&1 > stacks | cat
}
add_up() { awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (i in sum) print i, sum[i] }' | LC_ALL=C sort; }
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
tr-text --encode -o h.tr "$SRC/tests/cli/data/hostile-names.txt"
for by in joined program process thread privilege hart; do
	echo "# $by"
	tr-fold --by $by --format speedscope-sums -o $by.json s.tr
	read_sums $by.json
	# Without groups; those of a privilege or a hart have idle time apart.
	case $by in privilege | hart) idle=--idle ;; *) idle= ;; esac
	diff <(tr-fold $idle s.tr | add_up) <(add_up < stacks) && wc -l < stacks
done
tr-fold --unit instructions --title 'a "title"' --format speedscope-sums s.tr
tr-fold --format speedscope-sums h.tr
echo '# trouble'
tr-fold --format speedscope-sums -d parts s.tr
echo "exit $?"
tr-fold --format speedscope-sums s.tr > /dev/full
echo "exit $?"
head -c 300 s.tr | tr-fold --format speedscope-sums > got
echo "exit $?"
wc -c < got
