# SPDX-License-Identifier: Apache-2.0
# Endless traps: the message names the first trap of the chain and where the chain ends.
. "$SRC/tests/cli/soc-model.inc"

# run NAME: runs the assembly on standard input.
run() {
	program "$1.elf" -Wl,--defsym=_start=0x80000000
	soc-model --trace "$1.tr" "$1.elf"
	echo "$1: status $?" >&2
	tr-text "$1.tr" | grep '^end [es][nt]a*[dt]'
}

run float <<< 'li a0, 1; fmv.d.x fa0, a0'
run compressed <<< '.half 0'
run load <<< 'li a0, 0x10; ld a1, (a0)'
run null <<< 'sd a1, (zero)'
run misaligned <<< 'li a0, 0x80000001; lr.d a1, (a0)'
run ecall <<< 'ecall'
run breakpoint <<< 'ebreak'
run jump <<< 'jr zero'
run again <<< 'la a0, handler; csrw mtvec, a0; unimp; .balign 4; handler: unimp'
run supervisor << 'END'
	li a0, -1
	csrw pmpaddr0, a0
	csrwi pmpcfg0, 0x1f
	csrw medeleg, a0
	la a0, handler
	csrw stvec, a0
	li a0, 1 << 11
	csrw mstatus, a0
	la a0, 1f
	csrw mepc, a0
	mret
1:	csrr a0, mhartid
	.balign 4
handler:
	csrr a0, mscratch
END
run interrupt << 'END'
	li a0, 8
	csrw mie, a0
	li a1, 0x2000000
	li a2, 1
	sw a2, (a1)
	csrw mstatus, a0
END
