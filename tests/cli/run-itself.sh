# SPDX-License-Identifier: Apache-2.0
# What runs the command-line tests: a test that does not run, or that runs and is wrong, fails.
# The tests of a tree of its own, where one more is wrong each time.
mkdir -p tree/tests/cli/data tree/golden/cli
cp "$SRC/tests/cli/run.sh" tree/tests/cli
cd tree/tests/cli || exit
echo 'echo no test' > common.inc
: > cli.mk
echo '. $SRC/tests/cli/common.inc' > one.sh
echo 'no test' > ../../golden/cli/one.stdout
echo 'echo trouble >&2; exit 2' > two-words.sh
echo trouble > ../../golden/cli/two-words.stderr
echo 2 > ../../golden/cli/two-words.exit

run() { # [NAME...]
	BIN=. ./run.sh "$@"
	echo "exit $?"
}
run
run one
run none

echo '# one more that is wrong'
with() { # FILE TEXT
	echo "== $1"
	echo "$2" > "$1"
	run
	rm "$1"
}
with word.sh 'echo said; exit 1'
with two-others.sh 'echo said'
with renamed.test 'exit 1'
with no-suffix 'exit 1'
with helper.awk ''
with ../../golden/cli/three.stdout ''

echo '# no test'
rm one.sh two-words.sh ../../golden/cli/*
run 2>&1
