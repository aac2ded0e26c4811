# SPDX-License-Identifier: Apache-2.0
# A source of addresses without traps: a program, its kernel and the firmware still have
# the stacks of the full stream.
cat > fw.s << 'END'
	.globl _start, m_entry, console
	.type _start, @function
	.type m_entry, @function
	.type console, @function
_start:	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	la	t0, m_entry
	csrw	mtvec, t0
	li	t0, 0x108	# ecall of a program, ebreak
	csrw	medeleg, t0
	li	t0, 0x80100000
	csrw	mepc, t0
	li	t0, 0x800
	csrw	mstatus, t0
	li	sp, 0x80300000
	csrw	mscratch, sp
	mret
	.balign	4
m_entry:
	csrrw	sp, mscratch, sp
	mv	t1, ra
	call	console
	mv	ra, t1
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	csrrw	sp, mscratch, sp
	mret
console:
	nop
	ret
END
cat > kernel.s << 'END'
	.globl entry, handler, first, second
	.type entry, @function
	.type handler, @function
	.type first, @function
	.type second, @function
entry:	la	t0, handler
	csrw	stvec, t0
	li	t0, 0x80310000
	csrw	sscratch, t0
	li	t0, 0x80200000
	csrw	sepc, t0
	sret
	.balign	4
handler:
	csrrw	sp, sscratch, sp
	addi	sp, sp, -16
	sd	ra, (sp)
	call	first
	csrr	t0, sepc
	addi	t0, t0, 4
	csrw	sepc, t0
	ld	ra, (sp)
	addi	sp, sp, 16
	csrrw	sp, sscratch, sp
	sret
first:	ecall			# to the firmware
	beqz	zero, 1f
1:	bnez	zero, first	# runs on into the next function
second:	nop
	ret
END
cat > prog.s << 'END'
	.option	norvc
	.globl _start, main, work
	.type _start, @function
	.type main, @function
	.type work, @function
_start:	li	sp, 0x80320000
	call	main
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b
main:	addi	sp, sp, -16
	sd	ra, (sp)
	ecall
	li	a0, 3
	call	work
	ld	ra, (sp)
	addi	sp, sp, 16
	ret
work:	addi	a0, a0, -1
	ebreak
	bnez	a0, work
	ecall
	ret
END
link() { # NAME ADDRESS
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -nostdlib -Wl,-n,-Ttext="$2" -Wl,-e,"$3" \
		-o "$1.elf" "$1.s"
}
link fw 0x80000000 _start
link kernel 0x80100000 entry
link prog 0x80200000 _start
printf '%s\n' 'fw.elf firmware' 'kernel.elf kernel' 'prog.elf user' > bins.lst
soc-model --trace run.tr fw.elf kernel.elf prog.elf
strip() { # CANNOT-SUPPLY: the addresses in run.tr, and privileges
	echo 'header precision=instructions'
	echo "header cannot_supply=$1"
	tr-text --tokens run.tr | awk '
		/^token/ { print "token", $2, length($3) == 4 ? "...." : "........" }
		/^hart/ { sub("cycle=.* priv", "priv"); sub(" .*", "", $4); print $1, $2, $3 }
		/^(trap|xret) / { match($0, "priv=."); print "priv " substr($0, RSTART + 5, 1) }
		/^end/ { print "end" }' | { [[ $1 = *priv* ]] && grep -v -e ^hart -e ^priv || cat; }
}
unwind() { # STREAM
	tr-match --bins bins.lst "$1.tr" 2> /dev/null | tr-unwind 2> /dev/null | tr-fold -o "$1.folded"
}
unwind run
cat run.folded
for lacks in insn,priv,traps,satp insn,traps,satp insn,traps; do
	strip $lacks | tr-text --encode -o addresses.tr
	unwind addresses
	echo "without $lacks"
	diff run.folded addresses.folded
done
