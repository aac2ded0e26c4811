# SPDX-License-Identifier: Apache-2.0
# A runtime calls C on the first stack from a function on its own stack, as OCaml's does:
# its callers stay below C, and the call has C's cycles. Then C calls the runtime back.
cat > start.S << 'END2'
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	call main
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
	.text
	.globl enter, inner, outer
	.macro function name
	.type \name, @function
\name:	addi sp, sp, -32
	sd ra, 24(sp)
	sd s0, 16(sp)
	.endm
	.macro leave name
	ld ra, 24(sp)
	ld s0, 16(sp)
	addi sp, sp, 32
	ret
	.size \name, . - \name
	.endm
	function enter			# keeps the first stack, goes to the other one
	la t0, c_sp
	ld t1, (t0)
	sd t1, 8(sp)
	sd sp, (t0)
	ld sp, 8(t0)
	call outer
	la t0, c_sp
	ld sp, (t0)
	ld t1, 8(sp)
	sd t1, (t0)
	leave enter
	function outer
	call inner
	leave outer
	function inner			# C's sp may come from memory
	mv s0, sp
	la t0, c_sp
	sd sp, 8(t0)
	ld sp, (t0)
	call work
	mv sp, s0
	leave inner
	.data
	.balign 16
c_sp:	.dword 0, other_top
	.bss
	.balign 16
	.zero 4096
other_top:
END2
cat > main.c << 'END2'
void enter(void);
#ifdef AGAIN
static volatile int calls = 3;
#else
static volatile int calls = 1;
#endif
void work(void) { for (volatile int i = 0; i < 1000; i++) ; if (--calls > 0) enter(); }
int main(void) { enter(); return 0; }
END2
run() {
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -fno-inline -ffreestanding -nostdlib \
		-fno-optimize-sibling-calls -T "$SRC/sim/target/firmware/firmware.ld" "$@" -o m.elf start.S main.c || exit
	tr-capture -- soc-model m.elf | tr-match --bins m.elf | tr-unwind -o m.tr
	tr-fold m.tr
	tr-report functions m.tr | sed "s, [^ ]*  *m  *, m ,"
	tr-info m.tr | awk '$1 == "unwind_doubted_cycles" || $1 == "unwind_unmatched" { print $1, $2 }'
}
run
run -DAGAIN
