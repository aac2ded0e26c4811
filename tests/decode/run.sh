#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares stream/decode.h with the disassemblers of LLVM and of the GNU binutils: each
# encoding that they know is decoded as what they call it, and no other one transfers
# control, but xrets that they do not know.
#
#     tests/decode/run.sh DECODE-LIST FOLDER
set -eu -o pipefail
export LC_ALL=C

here=$(dirname "$0")
list=$1 folder=$2
. "$here/features.sh"
gnu_extensions=gcvh_zba_zbb_zbc_zbs_zbkb_zbkc_zbkx_zkn_zks_zkr_zicbom_zicbop_zicboz_zawrs_zfh_svinval
failed=0

# Both write "BYTES INSTRUCTION" lines for the encodings that they know.
gnu() { # ISA < the list
	awk '{
		gsub(/[][,]|0x/, "", $1)
		bytes = ""
		for (i = length($1) - 1; i > 0; i -= 2) bytes = bytes substr($1, i, 2)
		print ".insn " length($1) / 2 ", 0x" bytes
	}' > "$folder/list.s"
	riscv64-unknown-elf-as -march="$1" -o "$folder/list.o" "$folder/list.s"
	riscv64-unknown-elf-objdump -d -M no-aliases,numeric "$folder/list.o" | awk -F '\t' '
		$1 ~ /^ *[0-9a-f]+:$/ && $3 !~ /^[.]/ {
			gsub(/ /, "", $2)
			bytes = ""
			for (i = length($2) - 1; i > 0; i -= 2) bytes = bytes ",0x" substr($2, i, 2)
			print "[" substr(bytes, 2) "] " $3 " " $4
		}'
}
compare() { # NAME: lists NAME.ours and NAME.theirs
	awk -v name="$1" '
		FNR == NR { flow[$1] = $2; sp[$1] = $3; called[$1] = $4; known++; next }
		{ own++ }
		# uret, mnret, and branches of Zibi
		!($1 in flow) && $2 != "next" && $1 !~ /^\[0x73,0x00,0x20,0x[07]0\]$|^\[0x[6e]3,0x[23ab]./ {
			wrong($1, $2, "no instruction")
		}
		!($1 in flow) { next }
		$2 != flow[$1] { wrong($1, $2, called[$1] ": " flow[$1]) }
		$3 != sp[$1] && !(sp[$1] == "keeps" && $3 == "0") { wrong($1, "sp " $3, called[$1] ": " sp[$1]) }
		function wrong(bytes, ours, theirs) { if (count++ < 10) print name ": " bytes " is " ours ", but " theirs }
		END { print name ": " own " encodings, " known " known, " count + 0 " differ"; exit count > 0 || !known }
	' "$folder/$1.theirs" "$folder/$1.ours" || failed=1
}
command -v llvm-mc-19 > /dev/null || { echo 'test-decode: no llvm-mc-19: make deps' >&2; exit 1; }
mkdir -p "$folder"
for xlen in 32 64; do
	for extensions in gc imac_zcmp_zcmt; do
		name=rv$xlen$extensions
		attributes=$features,$with_d
		[ $extensions = gc ] || attributes=$features,+zcmp,+zcmt
		"$list" "$name" > "$folder/$name.ours"
		llvm $xlen $attributes < "$folder/$name.ours" | awk -f "$here/classify.awk" > "$folder/$name.theirs"
		compare "$name"
	done
	# objdump takes long to know that it does not know one
	name=rv$xlen-gnu
	awk 'NR % 5 == 1' "$folder/rv${xlen}gc.ours" > "$folder/$name.ours"
	gnu rv$xlen$gnu_extensions < "$folder/$name.ours" | awk -f "$here/classify.awk" > "$folder/$name.theirs"
	compare "$name"
done
exit $failed
