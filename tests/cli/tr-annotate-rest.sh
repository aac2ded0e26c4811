# SPDX-License-Identifier: Apache-2.0
# What no function of a known binary ran: --all says how many cycles that are, and its tables
# for programs have a row, so that they add up to the run. The code is copied into a buffer, in
# which it runs: 3 calls of 7 instructions.
cat > app.S << 'END'
	.section .text.start, "ax"
	.globl	_start
	.type	_start, @function
_start:	la	t0, piece
	la	t1, buffer
	li	t2, 4
1:	lw	t3, 0(t0)
	sw	t3, 0(t1)
	addi	t0, t0, 4
	addi	t1, t1, 4
	addi	t2, t2, -1
	bnez	t2, 1b
	fence.i
	.rept	3
	la	t1, buffer
	jalr	t1
	.endr
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
	.size	_start, . - _start
	.section .rodata
	.balign 4
piece:	.rept	6
	c.nop
	.endr
	c.jr	ra
	c.nop
	.bss
	.balign 4
buffer:	.space	16
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -g -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf app.S
soc-model --trace run.tr app.elf
tr-match --bins app.elf -o matched.tr run.tr
tr-annotate --all matched.tr | grep 'known binary'
tr-annotate --all --html page.html matched.tr
grep -o '[0-9]* of [0-9]* cycles ([0-9.]* %) are in no function' page.html
tr-annotate --all --format csv matched.tr > all.csv
awk -F, 'NR > 1 && $4 == "" { print $2 ": " $10 " executions, " $11 " cycles" }' all.csv
awk -F, 'NR > 1 { gsub(/"[^"]*"/, ""); sum += $11 } END { print sum " cycles in the table" }' all.csv
tr-info run.tr | grep '^  cycles '
echo '# nothing to say'
{ tr-annotate _start matched.tr; tr-annotate --all --from 1 --to 5 matched.tr; } | grep 'known binary' || echo none
