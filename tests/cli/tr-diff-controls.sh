# SPDX-License-Identifier: Apache-2.0
# Control characters of folded text and of file names do not reach the terminal.
printf 'x\033[31m;b\177 1\ny\302\233m;b 3\n' > a.folded
printf 'x\033[31m;b\177 2\n' > b.folded
tr-diff a.folded b.folded
tr-diff --by stack a.folded b.folded
printf 'block b pc=0 0001\nhart 0\nrow b\nend end=x\n' | tr-text --encode -o $'\033[31m.tr'
printf 'block b pc=0 0001\nhart 0\nrow b x2\nend end=x\n' | tr-text --encode -o b.tr
tr-diff $'\033[31m.tr' b.tr
echo "exit $?"
