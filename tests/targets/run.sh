#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each documented target is in one group of `make help`, in a line of at most 98 columns; and with
# each program hidden of which .ci/needs.mk says that the target needs it, make ends at once with
# one line that names the package. Nothing is built.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MFLAGS MAKELEVEL PREPARE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "targets: $*"; exit 1; }

goal=$(make -npq 2> /dev/null | sed -n 's/^\.DEFAULT_GOAL := //p' || :)
[ "$goal" = all ] || fail "without a target make builds $goal"
make help > "$work/help"
! grep -A 20 '^In no group' "$work/help" || fail 'not in a group of make help'
awk 'length > 98 { print; wide = 1 } END { exit wide }' "$work/help" || fail 'a line of make help is too wide'
sed -n 's/^  \([a-z0-9.-]*\) .*/\1/p' "$work/help" | sort > "$work/targets"
twice=$(uniq -d "$work/targets")
[ -z "$twice" ] || fail "in two groups of make help: $twice"
sed -nE 's/^([a-z0-9.-]+):.* ## .*/\1/p' Makefile */*.mk */*/*.mk */*/*/*.mk .ci/*.mk | sort |
	comm -3 - "$work/targets" > "$work/differ"
[ ! -s "$work/differ" ] || fail "documented, or in make help: $(cat "$work/differ")"
count=$(wc -l < "$work/targets")
[ "$count" -ge 130 ] || fail "make help has $count targets"

# A recipe takes the last value of a variable, whichever makefile assigned it.
git ls-files '*.mk' Makefile | xargs awk 'match($0, /^[A-Za-z_0-9.-]+ *(:=|=|\?=)/) {
		name = $1; sub(/[:?]?=.*/, "", name)
		if (name in file && file[name] != FILENAME) print name " is assigned in " file[name] " and " FILENAME
		file[name] = FILENAME }' > "$work/twice"
[ ! -s "$work/twice" ] || fail "$(cat "$work/twice")"

# All programs of PATH, of which one is hidden at a time.
mkdir "$work/path"
IFS=: read -ra folders <<< "$PATH"
for ((i = ${#folders[@]} - 1; i >= 0; i--)); do
	find -L "${folders[i]}/" -maxdepth 1 -type f -perm -u+x -exec ln -sft "$work/path" {} + 2> /dev/null || :
done

# lacks TARGET PROGRAM PACKAGE: make must name it.
checked=0
lacks() {
	local status=0 said
	said=$(PATH=$work/path timeout 10 make "$1" 2>&1 < /dev/null) || status=$?
	[ $status = 2 ] && [ "$(wc -l <<< "$said")" = 1 ] && [[ $said == *"missing: $2"*"make deps"* ]] &&
		{ [ "$2" = "$3" ] || [[ $said == *"(package $3)"* ]]; } || fail "make $1 without $2: status $status: $said"
	checked=$((checked + 1))
}

make needs-table > "$work/table"
while IFS=: read -r program package patterns; do
	[[ $program == /* ]] && continue
	sed 's/[[:space:]].*//' .ci/packages.txt | grep -xF -- "$package" > /dev/null || fail "$package is not in .ci/packages.txt"
	mv "$work/path/$program" "$work/hidden" 2> /dev/null || fail "no $program here: make deps"
	rows=$checked
	while read -r target; do
		for pattern in ${patterns//,/ }; do
			# shellcheck disable=SC2053 # a pattern
			[[ $target == ${pattern/\%/*} ]] || continue
			lacks "$target" "$program" "$package"
			break
		done
	done < "$work/targets"
	[ $checked -gt "$rows" ] || fail "no documented target needs $program"
	mv "$work/hidden" "$work/path/$program"
done < "$work/table"
[ $checked -gt 0 ] || fail 'nothing was checked'

# A compiler that does not find a header.
cat > "$work/cc" <<'END'
#!/bin/sh
case " $* " in *" -include $HIDDEN "*) exit 1 ;; esac
END
chmod +x "$work/cc"
headers=0
header() { # HEADER PACKAGE ARGUMENTS: make must name it
	local said
	said=$(HIDDEN=$1 timeout 10 make "${@:3}" 2>&1) && fail "make without $1"
	grep -qxF "make: missing: $1 (package $2); make deps installs it" <<< "$said" || fail "make without $1: $said"
	grep -qxF "$2" <(sed 's/[[:space:]].*//' .ci/packages.txt) || fail "$2 is not in .ci/packages.txt"
	headers=$((headers + 1))
}
for row in $(sed -n '/^HEADERS/,/[^\\]$/p' Makefile | grep -o '[a-z0-9_/-]*\.h:[a-z0-9-]*'); do
	header "${row%:*}" "${row##*:}" B="$work/build" CC="$work/cc" "$work/build/flags"
done
header stdio.h picolibc-riscv64-unknown-elf TARGET_B="$work/target" TARGET_CC="$work/cc" "$work/target/flags"
# Without root and sudo, make deps says what to do.
rm -f "$work"/path/{id,sudo}
printf '#!/bin/sh\necho 1000\n' > "$work/path/id"
chmod +x "$work/path/id"
said=$(PATH=$work/path make deps PACKAGES=of-no-archive 2>&1) && fail 'make deps without sudo'
[ "$(head -n 1 <<< "$said")" = 'make: missing: sudo; as root: make deps' ] || fail "make deps without sudo: $said"
[ $headers -ge 13 ] || fail "$headers headers were checked"
echo "targets: $count in groups; $checked times a target without a program names its package, and make $headers headers"
