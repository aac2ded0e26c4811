# SPDX-License-Identifier: Apache-2.0
# Functions and stacks that changed, appeared and disappeared; no output for equal
# profiles, whatever the order of their lines.
cat > a << 'END'
p;main;foo 100
p;main;foo;bar 50
p;main;foo;foo 7
p;main;old;older 9
p;main 1000
q;main 5
END
cat > b << 'END'
q;main 5
p;main;new name;x 30
p;main 1000
p;main;foo 80
p;main;foo;bar 50
p;main;foo;foo 8
END
tr-diff a b
echo "exit $?"
tr-diff --by stack a b
echo "exit $?"
sort -r a | tr-diff a -
echo "exit $?"
tr-diff --by stack b a -o out
echo "exit $?"
cat out
