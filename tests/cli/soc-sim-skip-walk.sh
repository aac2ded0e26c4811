# SPDX-License-Identifier: Apache-2.0
# Idle cycles are not skipped while the walker begins a walk for F: a load misses to DRAM,
# and the refilled line begins with a jump to a page that the ITLB does not have.
cat > walk.S <<'EOF'
	.option norvc
	.globl _start
_start:
	li	a0, 0x80400000
	li	s0, 50
	j	loop
	.balign	4096
loop:
	la	t0, page
	jalr	ra, t0
	fence.i
	nop
	j	line
	.balign	64
line:
	.rept	15
	nop
	.endr
	ld	t1, 0(a0)
	j	elsewhere	# the next line
	.balign	64
back:
	li	t2, 4096 + 64
	add	a0, a0, t2
	addi	s0, s0, -1
	bnez	s0, loop
	li	t0, 0x100000	# power off
	li	t1, 0x5555
	sw	t1, 0(t0)
	j	.
	.org	_start + 0x48000
elsewhere:
	nop
	j	back
	.org	_start + 0x88000	# the same entry of the ITLB
page:
	ret
EOF
riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -nostdlib -static -Wl,-n -Wl,-Ttext=0x80000000 -o walk.elf walk.S
run() {
	local out=$1
	shift
	soc-sim "$@" --no-provenance --max-cycles 200k --trace "$out" walk.elf > console
	echo "status $?"
}
run skip.tr
run every.tr --no-skip
cmp skip.tr every.tr
