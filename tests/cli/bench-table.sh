# SPDX-License-Identifier: Apache-2.0
# make bench-table: figures replace those of the table, a description stays, a new figure is
# added behind the others of its target, and what is no figure is refused.
table() { bash "$SRC/tests/bench/table.sh" table.md "$@"; echo "status $?"; }
document() {
	printf '%s\n' 'before' '<!-- figures -->' '| figure | value | unit | limit | verdict | spread | what it is |' \
		'|---|---|---|---|---|---|---|' '| `make bench` | | | | | | |' '| `rate` | 1 | x | - | ok |  | how fast |' \
		'| `size` | 2 | B | 3 | ok |  | how large |' '| `make soak` | | | | | | |' '| `rate` | 5 | x | - | ok |  |  |' \
		'<!-- end of figures -->' 'behind' > table.md
}
document
printf '%s\t%s\t%s\t%s\t%s\n' rate 7 x - ok cost 1.2 times 1.1 short > bench.tsv
sed -i 's/short$/short\t1.1-1.3/' bench.tsv
printf 'start\t4\ts\t-\tok\n' > bench-linux.tsv
table bench.tsv bench-linux.tsv
cat table.md
echo '-- again, the same'
cp table.md first.md
table bench.tsv bench-linux.tsv
cmp first.md table.md
echo '-- refused'
table
: > empty.tsv
table empty.tsv
printf 'rate\t\tx\t-\tok\n' > bench.tsv
table bench.tsv
printf 'rate\tfailed\tx\t-\tfailed\n' > bench.tsv
table bench.tsv
printf 'rate\t1\tx\n' > bench.tsv
table bench.tsv
printf 'rate\t1\tx\t-\tok\nrate\t2\tx\t-\tok\n' > bench.tsv
table bench.tsv
cmp first.md table.md
printf 'rate\t1\tx\t-\tok\n' > bench.tsv
sed -i '/end of figures/d' table.md
table bench.tsv
ls
exit 0
