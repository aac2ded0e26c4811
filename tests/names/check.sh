#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that count.sh fails on what it must not let pass.
#
#   tests/names/check.sh WORK
set -eu -o pipefail
count=$(cd "$(dirname "$0")" && pwd)/count.sh
rm -rf "$1"
mkdir -p "$1"
work=$(cd "$1" && pwd)
mkdir -p "$work"/{good,shared,word,bare,header,target,empty,bin}/filters "$work/target/sim/target"
failed=

# Expects a status and a line of output; the program is searched in $search.
search=$PATH
expect() { # STATUS PATTERN FOLDER
	local status=0 out
	out=$(PATH=$search "$count" "$work/$3" 2>&1) || status=$?
	if [ "$status" != "$1" ] || ! grep -qE -- "$2" <<< "$out"; then
		printf 'count.sh on %s: status %s:\n%s\n' "$3" "$status" "$out"
		failed=1
	fi
}

# Functions whose names nothing shares.
distinct() { # FIRST LAST
	seq -f 'static int read_record_%g(void) { return 0; }' "$1" "$2"
}

distinct 1 50 > "$work/good/filters/a.c"
distinct 51 100 > "$work/good/filters/b.cc"
echo '// sizeof(x) in a "string: sizeof and others"' >> "$work/good/filters/b.cc"
expect 0 '^names: 100 functions, 0\.0 % share their name .*, 0\.0 % have one word' good

# Nine in 100, in two files.
distinct 1 91 > "$work/shared/filters/a.c"
for i in 1 2 3 4; do echo "static int find_hart_$i(void) { return 0; }"; done |
	tee -a "$work/shared/filters/a.c" > "$work/shared/filters/b.c"
echo 'static int find_hart_1(void) { return 0; }' > "$work/shared/filters/c.c"
expect 1 '^names: shared by 3 find_hart_1 filters/a.c,filters/b.c,filters/c.c$' shared

distinct 1 95 > "$work/word/filters/a.c"
for name in take fail look supply keep; do
	echo "static int $name(void) { return 0; }"
done > "$work/word/filters/b.c"
expect 1 '^names: one word: look in filters/b.c$' word

{ distinct 1 50; echo 'static const unsigned size = sizeof words;'; } > "$work/bare/filters/a.c"
expect 1 'filters/a.c:51:.*sizeof words' bare
{ distinct 1 50; echo 'static const unsigned size = sizeof (words);'; } > "$work/header/filters/a.h"
expect 1 'filters/a.h:51:.*sizeof \(words\)' header

# The software of the machine is not the host's.
cp "$work/word/filters/b.c" "$work/target/sim/target"
expect 1 '^names: no function was found$' target
expect 1 '^names: no function was found$' empty

# Without ctags, with the other program of that name, and with one that fails.
search=$work/bin
expect 1 '^names: ctags is missing' good
write_ctags() { # VERSION STATUS
	# shellcheck disable=SC2016 # the program expands it
	printf '#!/bin/bash\n[ "$1" != --version ] || { echo "%s"; exit 0; }\necho ctags-trouble >&2; echo read_record a.c\nexit %s\n' "$1" "$2" \
		> "$work/bin/ctags"
	chmod +x "$work/bin/ctags"
}
search=$work/bin:$PATH
write_ctags 'Exuberant Ctags 5.8' 0
expect 1 '^names: ctags is missing' good
write_ctags 'Universal Ctags 5.9.0' 1
expect 1 '^ctags-trouble$' good

[ -z "$failed" ] && echo 'names: the check fails on each of 9 wrong inputs'
