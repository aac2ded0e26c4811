#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Damages programs in COUNT ways each, and runs prof-extract on them:
#
#	damage.sh WORK COUNT PROGRAM...
#
# PROGRAMS has damage-elf and check-files, EXTRACT is prof-extract. It must write all files,
# which are good, or none, end with status 2 and say why in one line. --why must explain what
# it accepts.
set -u -o pipefail
export LC_ALL=C
work=$1 count=$2
shift 2
limit=${PROFILER_TIMEOUT:-20}
failed=0 accepted=0 refused=0 images=0

rm -rf "$work"
mkdir -p "$work"
work=$(realpath "$work")
complain() {
	echo "damage: $1" >&2
	failed=$((failed + 1))
}

# try PROGRAM NUMBER
try() {
	local status=0 name what file=$work/damaged files=$work/files
	name="$(basename "$1") $2"
	rm -rf "$files"
	mkdir "$files"
	what=$("$PROGRAMS/damage-elf" "$1" "$2" "$file") || { complain "$name: damage-elf failed"; return; }
	what=${what//$'\n'/, }
	name="$name (${what:0:100})"
	timeout -k 1 "$limit" "$EXTRACT" -o "$files" "$file" > "$work/out" 2> "$work/err" || status=$?
	[ ! -s "$work/out" ] || complain "$name: prints something"
	case $status in
	0)
		accepted=$((accepted + 1))
		# A stripped program may say that it has few unwind tables.
		[ ! -s "$work/err" ] ||
			[[ $(cat "$work/err") == "prof-extract: $file: unwind tables and symbols have "*" % of its code: other functions are known only by direct calls" ]] ||
			complain "$name: $(head -n 2 "$work/err")"
		"$PROGRAMS/check-files" "$files$file" "$file" > "$work/out" 2> "$work/err" || complain "$name: $(head -n 1 "$work/err")"
		[ "$(cat "$work/out")" == "0 images" ] || images=$((images + 1))
		timeout -k 1 "$limit" "$EXTRACT" --why "$file" > "$work/why" 2> /dev/null || complain "$name: --why fails"
		;;
	2)
		refused=$((refused + 1))
		[[ $(wc -l < "$work/err") == 1 && $(cat "$work/err") == "prof-extract: $file: "?* ]] ||
			complain "$name: $(head -n 2 "$work/err")"
		[ -z "$(find "$files" -type f -size +0)" ] || complain "$name: files of what is refused"
		;;
	124 | 137) complain "$name: no end in $limit s" ;;
	*) complain "$name: status $status" ;;
	esac
}

ulimit -c 0
for program; do
	for ((number = 0; number < count; number++)); do
		try "$program" "$number"
	done
done
echo "damage: $accepted files accepted, $images with an image, $refused refused, $failed wrong"
((failed == 0 && images > 0 && refused > 0))
