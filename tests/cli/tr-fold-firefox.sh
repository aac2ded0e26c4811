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
tr-text --encode -o c.tr "$SRC/tests/cli/data/fold-counters.txt"
tr-fold --format firefox --unit miss -o c.json c.tr
read_firefox c.json
python3 -c 'import json
print(*(lib["name"] for lib in json.load(open("c.json"))["libs"]))'
echo '# callees in turns, and a function that calls itself'
tr-text --encode -o t.tr << 'END'
header content=stacks
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=a
func f2 kind=function binary=p name=b
func f3 kind=function binary=q name=c
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n1 func=f3
node n5 parent=n2 func=f3
node n6 parent=n4 func=f2
node n7 parent=n3 func=f1
node n8 parent=n5 func=f3
node n9 parent=n8 func=f2
node n10 parent=n5 func=f2
thread t0 name=p
srow n3 t0 cycles=1 instructions=1
srow n4 t0 cycles=20 instructions=1
srow n2 t0 cycles=300 instructions=1
srow n6 t0 cycles=4000 instructions=1
srow n5 t0 cycles=50000 instructions=1
srow n7 t0 cycles=600000 instructions=1
srow n9 t0 cycles=7000000 instructions=1
srow n10 t0 cycles=80000000 instructions=1
end end=limit
END
for option in '' --merge-recursion '--hide ^b$' '--by thread'; do
	tr-fold --format firefox $option -o t.json t.tr
	read_firefox t.json
done
echo '# as published'
tr-fold --format firefox --from 5 --to 30 s.tr
echo '# trouble'
tr-fold --format firefox -d parts s.tr
echo "exit $?"
tr-report functions --format firefox s.tr
echo "exit $?"
tr-fold --format firefox s.tr > /dev/full
echo "exit $?"
head -c 300 s.tr | tr-fold --format firefox > got
echo "exit $?"
wc -c < got
