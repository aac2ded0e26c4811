# SPDX-License-Identifier: Apache-2.0
# Code at a second address: a page of a kernel that is mapped again, and firmware that
# copies itself and goes on there, by pages or by any distance.
cc="riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -O2 -ffreestanding -nostdlib -Wl,--build-id=none"
show() { # NAME
	soc-model --max-instructions 1M --trace "$1.tr" "$1.elf"
	tr-match "${@:2}" --bins "$1.elf" "$1.tr" | tr-unwind -o s.tr 2> /dev/null
	tr-fold s.tr
	tr-fold -v -o /dev/null s.tr 2>&1
}
sed 's/\*(.text .text.\*)/*(.text .text.*) *(.trampoline)/' "$SRC/sim/target/firmware/firmware.ld" > t.ld
cat > t.S << 'END'
	.section .text.start, "ax"
	.globl _start
	.type _start, @function
_start:	la sp, stack_top
	li t0, -1
	csrw pmpaddr0, t0
	li t0, 0xf
	csrw pmpcfg0, t0
	call main
	.size _start, . - _start
	.section .trampoline, "ax"
	.balign 4096
	.globl trampoline
	.type trampoline, @function
trampoline:
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
	ret
	.size trampoline, . - trampoline
	.balign 4096
END
cat > t.c << 'END'
static unsigned long root[512] __attribute__((aligned(4096))), mid[512] __attribute__((aligned(4096)));
static unsigned long low[512] __attribute__((aligned(4096)));
extern char trampoline[];
__attribute__((noinline)) void kernel(void)
{
	for (int i = 0; i < 10; i++)
		((void (*)(void))0x3ffffff000)();
	*(volatile unsigned *)0x100000 = 0x5555;
}
void main(void)
{
	root[0] = 0xc7; /* devices */
	root[2] = 0x80000000UL >> 2 | 0xcf;
	root[255] = (unsigned long)mid >> 2 | 1;
	mid[511] = (unsigned long)low >> 2 | 1;
	low[511] = (unsigned long)trampoline >> 2 | 0xcb;
	__asm__ volatile("csrw satp, %0; sfence.vma; csrw mepc, %1; csrw mstatus, %2; mret"
		     : : "r"(8UL << 60 | (unsigned long)root >> 12), "r"(kernel), "r"(0x800));
}
END
$cc -T t.ld -o t.elf t.S t.c
echo '# a trampoline'
show t
tr-info --bins t.elf t.tr | sed -n '/^findings/,$p'
echo '# without the cache'
show t --no-satp-cache | tail -1

cat > m.S << 'END'
	.globl _start, work, moved, all
	.type _start, @function
	.type work, @function
	.type moved, @function
_start:	lla sp, stack
	call work
	lla t0, _start
	lla t1, all
	li t2, DISTANCE
	add t3, t0, t2
1:	ld t4, (t0)
	sd t4, (t3)
	addi t0, t0, 8
	addi t3, t3, 8
	bltu t0, t1, 1b
	fence.i
	lla t0, moved
	add t0, t0, t2
	jr t0
	.size _start, . - _start
moved:	add sp, sp, t2
	call work
	li a0, 200
	call work
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
	.size moved, . - moved
work:	addi sp, sp, -16
	sd ra, 8(sp)
	li a0, 100
1:	addi a0, a0, -1
	bnez a0, 1b
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size work, . - work
	.balign 8
all:	.skip 256
stack:
END
for distance in 0x40000 0x12348; do
	echo "# firmware that moves by $distance"
	$cc -Wl,-n,-Ttext=0x80000000 -DDISTANCE=$distance -o m.elf m.S
	show m
done
echo '# another build, of which the rest has moved by a few bytes, is no copy'
cp m.elf kept.elf
sed 's/li a0, 200/li a0, 200\n\tnop/' m.S > m2.S
$cc -Wl,-n,-Ttext=0x80000000 -DDISTANCE=$distance -o m.elf m2.S
soc-model --max-instructions 1M --trace m.tr m.elf
tr-match --bins kept.elf m.tr | tr-unwind 2> /dev/null | tr-fold -v -o /dev/null
