#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pipeline on a part of a Linux run, kept in golden/linux: run.tr and the required
# parts of the binaries (images.txt), from which small ELF files are made here. With
# "golden" it rewrites the expected profile and shows the difference.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
bin=$(realpath "${BIN:-build/bin}") here=$PWD/tests/linux golden=$PWD/golden/linux
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cross=riscv64-unknown-elf-

# Makes an ELF file of one binary, at its addresses.
make_elf() { # NAME ENTRY
	local kind='' base
	base=$(awk -v name="$1" '$1 == "base" && $2 == name { print $3 }' "$golden/images.txt")
	awk -v binary="$1" -f "$here/hex.awk" -f "$here/assembly.awk" "$golden/images.txt" > "$out/$1.s"
	"${cross}as" -march=rv64imac -mabi=lp64 -mno-relax -o "$out/$1.o" "$out/$1.s"
	[[ $1 != *.so* ]] || kind=-shared
	"${cross}ld" -melf64lriscv $kind --no-warn-rwx-segments --build-id=none -Ttext="0x$base" -e "$2" \
		-o "$out/$1" "$out/$1.o"
}

while read -r _ name role entry; do
	make_elf "$name" "$entry"
	echo "$name $role"
done < <(grep '^binary ' "$golden/images.txt") > "$out/bins.lst"

cd "$out"
"$bin/tr-match" -v --bins bins.lst "$golden/run.tr" 2> match.log | "$bin/tr-unwind" -v -o stacks.tr 2> unwind.log
"$bin/tr-fold" -v -o folded stacks.tr 2> fold.log
"$bin/tr-fold" --by process --table=table stacks.tr > /dev/null
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
			{ echo "linux: $file differs"; head -n 40 difference; exit 1; }
	fi
done
echo "linux: $(wc -l < folded) stacks as expected"
