#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes figures that the benches printed into the table of tests/README.md, between the lines
# `<!-- figures -->` and `<!-- end of figures -->`.
#
#   table.sh DOCUMENT FIGURES.tsv...
#
# A row of the table is | figure | value | unit | limit | verdict | spread | what it is |; a row
# with `make TARGET` begins the figures of TARGET.tsv. The description of a figure stays as it
# is, and so does the row of a figure that no file has. New figures are added behind the others
# of their target, without a description.
set -eu -o pipefail
export LC_ALL=C
die() { echo "table.sh: $1" >&2; exit 2; }
[ $# -ge 2 ] || die 'no figures: run make bench first'
document=$1
shift
for figures; do
	[ -s "$figures" ] || die "$figures: no figures"
done

awk -v document="$document" '
	function die(reason) { print "table.sh: " reason > "/dev/stderr"; failed = 1; exit 2 }
	function print_row(target, name) {
		print "| `" name "` | " figures[target, name] " | " what[target, name] " |"
		delete figures[target, name]
	}
	# Those of the target that the table does not have yet.
	function print_others(target,	i) {
		for (i = 1; i <= counts[target]; i++) if ((target, names[target, i]) in figures) print_row(target, names[target, i])
	}
	BEGIN { FS = "\t" }
	FILENAME != document {
		if (FNR == 1) {
			file = FILENAME
			sub(/.*\//, "", file); sub(/\.tsv$/, "", file)
			targets[++ntargets] = file
		}
		if (NF < 5 || $1 == "" || $2 == "" || $0 ~ /[|]/) die(FILENAME ": line " FNR ": not a figure")
		if ($5 == "failed") die(FILENAME ": " $1 " was not measured")
		if ((file, $1) in figures) die(FILENAME ": line " FNR ": " $1 " again")
		figures[file, $1] = $2 " | " $3 " | " $4 " | " $5 " | " $6
		names[file, ++counts[file]] = $1
		next
	}
	FNR == 1 { begun = ended = 0; target = "" }
	$0 == "<!-- figures -->" { begun++ }
	$0 == "<!-- end of figures -->" {
		if (begun && !ended++) {
			print_others(target)
			known[target]
			for (i = 1; i <= ntargets; i++) if (!(targets[i] in known)) {
				print "| `make " targets[i] "` | | | | | | |"
				print_others(targets[i])
			}
		}
	}
	begun && !ended && /^\| `make [a-z-]+` \|/ {
		print_others(target)
		known[target]
		target = $0
		sub(/^\| `make /, "", target); sub(/`.*/, "", target)
	}
	begun && !ended && target != "" && match($0, /^\| `[^ `]+` \|/) {
		name = substr($0, 4, RLENGTH - 6)
		if (split($0, cell, / \| /) != 7) die(document ": line " FNR ": not a row of the table")
		sub(/ \|$/, "", cell[7])
		what[target, name] = cell[7]
		if ((target, name) in figures) { print_row(target, name); next }
	}
	{ print }
	END {
		if (failed) exit 2
		if (begun != 1 || ended != 1) die(document ": no lines <!-- figures --> and <!-- end of figures -->")
	}
' "$@" "$document" > "$document.new" || { rm -f "$document.new"; exit 2; }
if cmp -s "$document.new" "$document"; then rm "$document.new"; else mv "$document.new" "$document"; fi
