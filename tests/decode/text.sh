#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares annotate/disassemble.h with the disassembler of the GNU binutils, over the code of
# files: mnemonics and operands are the same, but for `add` with an immediate value, which we
# call addi, and the like; and, over all kinds of encodings, with LLVM's: it is never another
# instruction.
#
#     tests/decode/text.sh DECODE-TEXT DECODE-LIST FOLDER FILE.elf...
set -eu -o pipefail
export LC_ALL=C

here=$(dirname "$0")
text=$1 list=$2 folder=$3
shift 3
. "$here/features.sh"
mkdir -p "$folder"

for file; do
	xlen=64
	riscv64-unknown-elf-readelf -h "$file" | grep -q ELF32 && xlen=32
	riscv64-unknown-elf-objdump -d -z "$file" | awk -F '\t' '$1 ~ /^ *[0-9a-f]+:$/ {
		sub(/:/, "", $1); gsub(/ /, "", $1); gsub(/ /, "", $2)
		sub(/ *#.*/, "", $4); sub(/ *<.*/, "", $4)
		print $1 "\t" $2 "\t" $3 "\t" $4 }' > "$folder/text.theirs"
	cut -f 1,2 "$folder/text.theirs" | tr '\t' ' ' | "$text" $xlen > "$folder/text.ours"
	paste "$folder/text.theirs" "$folder/text.ours" | awk -F '\t' -v file="$(basename "$file")" '
		# Their aliases with an immediate value: add, and, sll, csrs and so on.
		function base(name) {
			if (name ~ /^(add|and|or|xor|slt|sltu|sll|srl|sra|ror|bset|bclr|binv|bext)iw?$/ ||
				name ~ /^csr(r)?[wsc]i$/) sub(/i/, "", name)
			return name
		}
		$3 ~ /^[.]/ { next } # bytes that are no code
		$3 != $5 && $3 != base($5) || $4 != $6 { if (count++ < 10) print file ": " $0 }
		{ known++ }
		END { print file ": " (known > 100 ? "instructions" : "too few") ", " count + 0 " differ"; exit count > 0 || known <= 100 }'
done

# What LLVM knows is the same to us, or not known to us. Its names are without aliases.
for xlen in 32 64; do
	"$list" rv${xlen}gc | cut -d ' ' -f 1 > "$folder/text.list"
	llvm $xlen "$features,$with_d" < "$folder/text.list" > "$folder/text.theirs"
	awk '{ gsub(/[][,]|0x/, ""); bits = ""; for (i = length($0) - 1; i > 0; i -= 2) bits = bits substr($0, i, 2)
		print "0 " bits }' "$folder/text.list" | "$text" $xlen | paste "$folder/text.list" - > "$folder/text.ours"
	awk -F '\t' -v xlen=$xlen '
		FNR == NR { n = split($1, part, " "); theirs[part[1]] = part[2]; next }
		$2 == ".insn" { unknown += $1 in theirs; next }
		{ known++ }
		# It does not know Q, fences with reserved operands, uret and mnret.
		!($1 in theirs) && $2 ~ /\.q$|\.q\.|^f[ls]q$|^fence|^u?mn?ret$|^uret$/ { next }
		!($1 in theirs) { wrong("none"); next }
		{ them = theirs[$1]; sub(/^c\./, "", them) }
		!same(them, $2) { wrong(them) }
		function same(a, b) {
			sub(/\.(aq|rl|aqrl)$/, "", a); sub(/\.(aq|rl|aqrl)$/, "", b)
			if (a == b) return 1
			if (a ~ /^(addi4spn|addi16sp|addi)$/) return b ~ /^(addi|nop|li|mv)$/
			if (a ~ /^addiw?$/) return b ~ /^(nop|li|mv|sext.w|addi|addiw)$/
			if (a ~ /^(lw|ld|sw|sd|flw|fld|fsw|fsd)sp$/) return a == b "sp"
			if (a == "slli64" || a == "srli64" || a == "srai64") return a == b "64"
			if (a == "lpad") return b == "auipc"
			if (a ~ /^sspush|^sspopchk|^ssrdp|^mop/) return 1
			return b in real && real[b] ~ (" " a " ")
		}
		function wrong(theirs) { if (count++ < 20) print "rv" xlen ": " $0 ", but " theirs }
		BEGIN {
			split("seqz:sltiu not:xori zext.b:andi sext.w:addiw snez:sltu sltz:slt sgtz:slt neg:sub negw:subw zext.w:add.uw " \
				"j:jal jr:jalr ret:jalr beqz:beq bnez:bne bltz:blt bgtz:blt bgez:bge blez:bge li:addi mv:addi nop:addi " \
				"csrr:csrrs csrw:csrrw csrs:csrrs csrc:csrrc csrwi:csrrwi csrsi:csrrsi csrci:csrrci " \
				"frflags:csrrs frrm:csrrs frcsr:csrrs rdcycle:csrrs rdtime:csrrs rdinstret:csrrs rdcycleh:csrrs rdtimeh:csrrs rdinstreth:csrrs " \
				"fsflags:csrrw fsrm:csrrw fscsr:csrrw fsflagsi:csrrwi fsrmi:csrrwi unimp:csrrw pause:fence fence:fence.tso", pairs, " ")
			for (i in pairs) { split(pairs[i], p, ":"); real[p[1]] = real[p[1]] " " p[2] " " }
			real["ret"] = " jalr jr "; real["mv"] = " addi mv "; real["nop"] = real["nop"] " nop "
			split("s d h q", formats, " ")
			for (i in formats) { real["fmv." formats[i]] = " fsgnj." formats[i] " "; real["fneg." formats[i]] = " fsgnjn." formats[i] " "; real["fabs." formats[i]] = " fsgnjx." formats[i] " " }
		}
		END { print "rv" xlen ": " known " instructions, " count + 0 " differ"; exit count > 0 || known < 10000 }
	' "$folder/text.theirs" "$folder/text.ours"
done
