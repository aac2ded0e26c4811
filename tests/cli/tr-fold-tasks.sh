# SPDX-License-Identifier: Apache-2.0
# Processes and threads are called by the last names of their tasks: also several address
# spaces of a process, whose number an earlier frame did not tell.
tr-text --encode -o a.tr "$SRC/tests/cli/data/stack-tasks.txt"
for by in process thread; do
	echo "$by:"
	tr-fold --by $by a.tr
	tr-report functions --by $by a.tr
	tr-fold --by $by --svg $by.svg a.tr > /dev/null
	grep -o '>[a-z]*\[[0-9]*\]' $by.svg | sort -u
done
tr-fold -d parts --by process a.tr
ls parts
tr-fold --by process --format csv a.tr | grep -c 'sort\[19\]'
sed '/^task\|^use/d' "$SRC/tests/cli/data/stack-tasks.txt" | tr-text --encode -o b.tr
tr-fold --by process b.tr
tr-fold a.tr | cmp - <(tr-fold b.tr) && echo 'joined: the same'

# A difference of two runs by the names of their processes.
tr-fold --by process a.tr > a.folded
sed 's/cycles=1000000/cycles=2000000/' "$SRC/tests/cli/data/stack-tasks.txt" | tr-text --encode |
	tr-fold --by process > c.folded
tr-diff a.folded c.folded
