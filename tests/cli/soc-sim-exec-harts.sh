# SPDX-License-Identifier: Apache-2.0
# exec=FILE on two harts, model and hardware: each hart begins a program of its own, the
# same one on both, and one of the two finds the trigger. Hart 1 begins its program first, at
# virtual addresses that hart 0 does not have. It also begins the interpreter of a dynamically
# linked program, which its stack tells and that of hart 0 does not.
. "$SRC/tests/cli/soc-model.inc"

# executable FILE VALUE [TEXT]: a program with this constant, static but for an interpreter that
# the text adds. It jumps to its start once, which does not begin it again.
executable() {
	echo ".text; .globl _start; .skip 100; _start: mv a0, sp; li a1, $2; addi a2, a2, -1; beqz a2, _start; ebreak; nop; ecall; ${3-}" |
		riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -x assembler - \
			-Wl,-z,max-page-size=4096,-Ttext-segment=0,--no-warn-rwx-segments,--build-id=none -o "$1"
	printf '\3' | dd of="$1" bs=1 seek=16 conv=notrunc status=none # ET_DYN
}
executable first 4
executable second 5
executable both 6
executable missing 7
executable dynamic 8 '.section .interp, "a"; .asciz "interpreter"'
executable interpreter 9
entry() { riscv64-unknown-elf-readelf -h "$1" | sed -n 's/.*Entry point address: *//p'; }

headers=$(riscv64-unknown-elf-readelf -h dynamic | sed -n 's/.*Number of program headers: *//p')
program kernel.elf -Wa,--defsym,ENTRY="$(entry first)" -Wa,--defsym,HEADERS="$headers" \
	-Wa,--defsym,INTERPRETER="$(entry interpreter)" -Wa,--defsym,DYNAMIC="$(entry dynamic)" << END
	.globl _start
	.option norelax
_start:	la	t0, trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	la	sp, stack
	slli	t0, a0, 10
	add	sp, sp, t0
	la	s0, list
	slli	t0, a0, 6
	add	s0, s0, t0
	bnez	a0, virtual		# hart 1 is ahead
	li	t0, 3000
1:	addi	t0, t0, -1
	bnez	t0, 1b
	j	next
virtual: la	t0, table
	srli	t0, t0, 12
	li	t1, 8 << 60		# Sv39
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
	li	t1, 0x40000000
	sub	sp, sp, t1
next:	ld	s1, (s0)
	addi	s0, s0, 8
	beqz	s1, over
	csrw	mepc, s1
	li	t0, 0x1800
	csrc	mstatus, t0
	li	a2, 1
	mret
	.balign 4
trap:	csrr	t0, mcause
	addi	t0, t0, -3		# ebreak: continue
	bnez	t0, next
	csrr	t0, mepc
	addi	t0, t0, 2
	csrw	mepc, t0
	mret
over:	la	t0, ended
	li	t1, 1
	amoadd.w zero, t1, (t0)
	csrr	t1, mhartid
	bnez	t1, .
1:	lw	t1, (t0)
	addi	t1, t1, -2
	bnez	t1, 1b
	$off
	.balign 64
list:	.dword	0x80400000 + ENTRY, 0x80600000 + ENTRY, 0
	.balign 64
	.dword	0x40500000 + ENTRY, 0x40700000 + INTERPRETER, 0x40600000 + ENTRY
	.dword	0x40500000 + ENTRY, 0
	.balign 64
ended:	.dword	0
	.balign 16
	.zero	1024
stack:	.zero	1024
	.dword	0, 0, 0			# of hart 1: argc, argv, envp
	.dword	3, 0x40800040, 5, HEADERS, 7, 0x40700000, 9, 0x40800000 + DYNAMIC, 0, 0
	.balign 4096
table:	.dword	0, 0x200000df		# 0x40000000 is 0x80000000
	.zero	4096 - 16
END
run() {
	local tool=$1
	shift
	$tool --harts 2 "$@" kernel.elf first@0x80400000 second@0x80500000 both@0x80600000 \
		interpreter@0x80700000 dynamic@0x80800000
}
# The first token in U-mode of the window, of either hart.
first_token() {
	tr-text --tokens a.tr | sed -nE 's/^token (0x[0-9a-f]+ [0-9a-f]+) .*hart=(.) cycle=([0-9]*) priv=U.*/\3 hart \2 \1/p' |
		sort -n | sed 's/[0-9]* //;q'
}
for file in first second dynamic both missing; do
	for tool in soc-model "soc-sim" "soc-sim --lockstep"; do
		run "$tool" --start exec=$file --max-instructions 20k --trace a.tr
		echo "$file, $tool: $?, $(first_token)"
	done
done
# The last tokens in U-mode before a window ends.
for tool in soc-model soc-sim; do
	run $tool --stop exec=both --trace a.tr
	tr-text --tokens a.tr | sed -nE 's/^token (0x[0-9a-f]+ [0-9a-f]+) .*hart=(.) cycle=([0-9]*) priv=U.*/hart \2 \1/p' | sort | uniq -c
done
# From the first start of a program to its second.
for tool in soc-model soc-sim; do
	run $tool --start exec=second --stop exec=second --trace a.tr
	echo "from start to start, $tool: $?, $(tr-text --tokens a.tr | grep -c '^token .*hart=1 .*priv=U')"
done
# A checkpoint where hart 1 begins its program; the other begins afterwards, as does the program
# of both.
run soc-model --checkpoint a.ck --checkpoint-at exec=second
for tool in soc-model "soc-sim --lockstep"; do
	$tool --trace a.tr --resume a.ck
	echo "resumed, $tool: $?, $(first_token)"
	for file in first dynamic both; do
		$tool --start exec=$file --trace a.tr --resume a.ck
		echo "resumed, $file, $tool: $?, $(first_token)"
	done
done
