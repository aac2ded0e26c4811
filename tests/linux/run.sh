#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pipeline on pieces of Linux runs, kept in golden/linux/PIECE: run.tr and the required
# parts of the binaries (images.txt), from which small ELF files are made here. With
# "golden" it rewrites the expected profiles and shows the difference.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
bin=$(realpath "${BIN:-build/bin}") here=$PWD/tests/linux
. tests/cli/tr-annotate-sums.inc
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cross=riscv64-linux-gnu-

# Makes an ELF file of one binary, at its addresses; behind its dynamic section, if it has no
# fixed ones.
make_elf() { # NAME KIND ENTRY
	local base entry=$3 kind=()
	base=0x$(awk -v name="$1" '$1 == "base" && $2 == name { print $3 }' "$golden/images.txt")
	if [ "$2" != fixed ]; then
		base=$(printf 0x%x $((base + 0x100000)))
		[ "$entry" = 0x0 ] || entry=$(printf 0x%x $((entry + 0x100000)))
	fi
	awk -v binary="$1" -f "$here/hex.awk" -f "$here/assembly.awk" "$golden/images.txt" > "$1.s"
	case $2 in
	library) kind=(-shared) ;;
	program) kind=(-pie --no-dynamic-linker) ;;
	esac
	"${cross}as" -march=rv64imac -mabi=lp64 -mno-relax -o "$1.o" "$1.s"
	"${cross}ld" "${kind[@]}" --no-warn-rwx-segments --build-id=none -Ttext="$base" -e "$entry" -o "$1" "$1.o"
}

run_piece() { # [golden]
	local file name role kind entry
	while read -r _ name role kind entry; do
		make_elf "$name" "$kind" "$entry"
		echo "$name $role"
	done < <(grep '^binary ' "$golden/images.txt") > bins.lst
	"$bin/tr-match" -v --bins bins.lst "$golden/run.tr" 2> match.log | "$bin/tr-unwind" -v -o stacks.tr 2> unwind.log
	"$bin/tr-fold" -v -o folded stacks.tr 2> fold.log
	"$bin/tr-report" functions --by process -o table stacks.tr
	cat match.log unwind.log fold.log > messages.txt
	# The largest stacks as text, to be read; the rest as a checksum.
	sort -t ' ' -k 2 folded | awk '$NF >= 400' > stacks.txt
	head -n 300 table > functions.txt
	printf 'all stacks: %s\nall functions: %s\n' "$(md5sum < folded)" "$(md5sum < table)" >> messages.txt
	for file in messages.txt stacks.txt functions.txt; do
		if [ "${1:-}" = golden ]; then
			[ ! -e "$golden/$file" ] || diff -u "$golden/$file" $file || true
			cp $file "$golden/$file"
		else
			diff -u "$golden/$file" $file > difference ||
				{ echo "linux: ${golden##*/}: $file differs"; head -n 40 difference; exit 1; }
		fi
	done
	echo "linux: ${golden##*/}: $(wc -l < folded) stacks as expected"
	"$bin/tr-match" --bins bins.lst -o matched.tr "$golden/run.tr" 2> match.log
	# tr-annotate has no functions of an interpreted language.
	if "$bin/tr-text" matched.tr | grep '^header probe.*vframe' > probes; then
		"$bin/tr-text" matched.tr | sed '/^probe /d' | "$bin/tr-text" --encode -o plain.tr
		mv plain.tr matched.tr
	fi
	PATH=$bin:$PATH compare_sums matched.tr 2> annotate.log > sums
	grep -q '^functions, .* 0 differ$' sums || { echo "linux: ${golden##*/}: tr-annotate"; cat sums annotate.log; exit 1; }
	echo "linux: ${golden##*/}: the instructions add up to $(sed 1d functions.csv | wc -l) functions"
}

for golden in "$PWD"/golden/linux/*; do
	mkdir "$out/${golden##*/}"
	cd "$out/${golden##*/}"
	run_piece "$@"
done
