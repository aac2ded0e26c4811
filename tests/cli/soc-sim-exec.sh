# SPDX-License-Identifier: Apache-2.0
# exec=FILE: the first instruction of a program, wherever it is, on model and hardware. A small
# kernel executes programs like Linux: position-independent ones, by their interpreter, and
# static ones. Their files are in memory as a whole.
. "$SRC/tests/cli/soc-model.inc"

# executable FILE VALUE [interpreted]: a position-independent program with this constant.
executable() {
	{
		[ -z "${3-}" ] || echo '.section .interp, "a"; .asciz "ld.so"'
		echo ".text; .globl _start; .skip 100; _start: mv a0, sp; li a1, $2; ebreak; nop; ecall"
	} | riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -x assembler - \
		-Wl,-z,max-page-size=4096,-Ttext-segment=0,--no-warn-rwx-segments,--build-id=none -o "$1"
	printf '\3' | dd of="$1" bs=1 seek=16 conv=notrunc status=none # ET_DYN
}
executable ld.so 1
executable dynamic 2 interpreted
executable other 3 interpreted
executable static 4
executable missing 5

entry() { riscv64-unknown-elf-readelf -h "$1" | sed -n 's/.*Entry point address: *//p'; }
headers() { riscv64-unknown-elf-readelf -h "$1" | sed -n 's/.*Number of program headers: *//p'; }

# The programs, in order: headers, their number, entry point, interpreter (0: none), pc. The
# program at 0x4000000000 is not in memory: as in Linux, where none of its pages is mapped
# yet. In the records after it, one value each is not that of the program.
program kernel.elf -Wa,--defsym,ENTRY="$(entry dynamic)",--defsym,STATIC="$(entry static)" \
	-Wa,--defsym,LD="$(entry ld.so)",--defsym,HEADERS="$(headers dynamic)" << END
	.globl _start, return
	.equ	ld, 0x80500000
	.macro	aux type, value
	li	t2, \type
	sd	t2, (s5)
	sd	\value, 8(s5)
	addi	s5, s5, 16
	.endm
_start:	la	t0, trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	la	s0, list
next:	ld	s1, (s0)
	ld	s2, 8(s0)
	ld	s3, 16(s0)
	ld	s4, 24(s0)
	ld	s6, 32(s0)
	addi	s0, s0, 40
	beqz	s1, off
	la	sp, stack
	li	t0, 1			# argc, argv, envp
	sd	t0, (sp)
	sd	sp, 8(sp)
	sd	zero, 16(sp)
	sd	sp, 24(sp)
	sd	sp, 32(sp)
	sd	zero, 40(sp)
	addi	s5, sp, 48
	aux	3, s1			# AT_PHDR, AT_PHNUM, AT_BASE, AT_ENTRY
	aux	5, s2
	aux	7, s4
	aux	9, s3
	aux	0, zero
	csrw	mepc, s6
	li	t0, 0x1800
	csrc	mstatus, t0
return:	mret
	.balign 4
trap:	csrr	t0, mcause
	addi	t0, t0, -3		# ebreak: continue
	bnez	t0, next
	csrr	t0, mepc
	addi	t0, t0, 2
	csrw	mepc, t0
	mret
off:	$off
	.balign 16
list:
	.irp	base, 0x80600000, 0x80400000
	.dword	\base + 64, HEADERS, \base + ENTRY, ld, ld + LD
	.endr
	.dword	0x80700000 + 64, HEADERS, 0x80700000 + STATIC, 0, 0x80700000 + STATIC
	.equ	base, 0x4000000000
	.dword	base + 64, HEADERS, base + ENTRY, ld, ld + LD
	.dword	base + 72, HEADERS, base + ENTRY, ld, ld + LD
	.dword	base + 64, HEADERS + 1, base + ENTRY, ld, ld + LD
	.dword	base + 66, HEADERS, base + ENTRY + 2, ld, ld + LD
	.dword	base + 64, HEADERS, base + ENTRY, 0, ld + LD
	.dword	base + 64, HEADERS, base + ENTRY, ld, ld + LD + 2
	.dword	0
	.balign 16
stack:	.zero	256
END

run() {
	local tool=$1
	shift
	$tool "$@" kernel.elf dynamic@0x80400000 ld.so@0x80500000 other@0x80600000 static@0x80700000
}
for file in dynamic other static ld.so missing; do
	for tool in soc-model soc-sim; do
		run $tool --start exec=$file --stop insn=1 --trace a.tr 2>&1
		tr-text --tokens a.tr | grep -v priv=M | sed -nE '/^(token|trap|trigger|reg|gap)/{s/ (cycles?|hart|space|satp|tp|tokens)=[^ ]*//g;p}' > $tool
	done
	echo "$file"
	cat soc-model
	diff soc-model soc-sim
done
# Each window is one token: a return to the second instruction begins no other. The programs
# dynamic and other have the same headers; where nothing is mapped they are the same.
for file in dynamic other; do
	run soc-model --start exec=$file --stop insn=850a --trace a.tr
	tr-text --tokens a.tr | grep "^token" | cut -d' ' -f1-3 | uniq -c
done
run soc-model --stop exec=static --trace a.tr
tr-text --tokens a.tr | grep "^token" | tail -n 1 | cut -d' ' -f1-3

# A checkpoint there: the first token of the resumed run is that of the program.
run soc-model --checkpoint a.ck --checkpoint-at exec=dynamic
for tool in soc-model "soc-sim --lockstep"; do
	$tool --trace a.tr --resume a.ck
	echo "$tool $?"
	tr-text --tokens a.tr | grep "^token" | head -n 1 | cut -d' ' -f1-3
done
# A copy of the program that differs in one byte of its code is another program, except where
# nothing is mapped.
sed 's/\x89\x45/\x91\x45/' dynamic > copy
cmp dynamic copy | sed 's/ byte.*//'
run soc-model --start exec=copy --stop insn=850a --trace a.tr
tr-text --tokens a.tr | grep -c "^token"
# With a fixed address it is not this program.
cp static fixed
printf '\2' | dd of=fixed bs=1 seek=16 conv=notrunc status=none # ET_EXEC
run soc-model --start exec=fixed --trace a.tr 2>&1
# Programs of the demo, with page tables. They have the same addresses, and even the same
# satp: recursion runs after hello_world.
target=$SRC/build/target
for file in hello_world recursion; do
	for tool in soc-model soc-sim; do
		$tool --start "exec=$target/$file.elf" --max-instructions 1M --trace a.tr \
			"$target/firmware.elf" "$target/demo.elf" > /dev/null
		tr-text --tokens a.tr | grep -m1 "^token" | cut -d' ' -f1-3
		tr-match --bins "$target/bins.lst" a.tr | tr-unwind | tr-report functions |
			awk -v tool=$tool '$NF == "main" { print tool, $(NF - 1), $NF }'
	done
done
# Truncated files.
for n in 10 64 100 200; do
	head -c $n dynamic > short
	run soc-model --start exec=short 2>&1
	echo "$n bytes: $?"
done
