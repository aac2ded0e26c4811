#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Follows TUTORIAL.md: writes its files, runs its commands, and compares what they print
# with what it shows. The programs come from BIN. --update writes what they print into it.
# Commands of blocks "console linux" need the kernel of `make linux-kernel`: LINUX=1 runs these
# as well.
set -eu -o pipefail
SOURCE=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "${BIN:-$SOURCE/build/bin}" && pwd):$PATH
export SOURCE LC_ALL=C
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_CACHE_HOME=$folder/cache

# The files, and the commands, each of which shows itself before its output.
begins='^```console( linux)?$'
[ -n "${LINUX-}" ] || begins='^```console$'
awk -v begins="$begins" 'function quoted(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
	!/^```console/ && /^```[a-z]+ [a-zA-Z.]+$/ { file = $2; next }
	$0 ~ begins { console = 1; next }
	/^```$/ { if (console) { run(); print "echo --" > "commands" } file = ""; console = 0; next }
	file { print > file }
	function run() { if (command != "") print "printf \"%s\\n\" " quoted("$ " command) "\n" command > "commands"; command = "" }
	console && sub(/^\$ /, "") { run(); command = $0; next }
	console && command != "" && /^    / { command = command "\n" $0; next }
	console { run() }' "$SOURCE/TUTORIAL.md"
bash -u commands > printed 2>&1 || true

# The page, with what was printed in place of what it shows.
awk -v begins="$begins" 'NR == FNR { if ($0 == "--") n++; else block[n + 0] = block[n + 0] $0 "\n"; next }
	/^```$/ { console = 0 }
	!console { print }
	$0 ~ begins { console = 1; printf "%s", block[m++ + 0] }' printed "$SOURCE/TUTORIAL.md" > page
if [ "${1-}" = --update ]; then
	cp page "$SOURCE/TUTORIAL.md"
elif ! diff -u "$SOURCE/TUTORIAL.md" page; then
	echo 'tutorial: the page shows something else than its commands print' >&2
	exit 1
else
	echo 'tutorial: as on the page'
fi
