# SPDX-License-Identifier: Apache-2.0
# A kernel as xv6: its trampoline is mapped in each address space, and changes it. Cycles there
# keep the process, also when the processes are tasks in the kernel's file, whose page
# is mapped for U-mode a second time.
cat > kernel.S << 'END'
	.section .text.start, "ax"
	.globl _start, uservec, userret, user_a, user_b
	.type _start, @function
_start:	la sp, stack_top
	li t0, -1
	csrw pmpaddr0, t0
	li t0, 0xf
	csrw pmpcfg0, t0
	li t0, 0x100
	csrw medeleg, t0
	la t0, main
	csrw mepc, t0
	li t0, 0x800
	csrw mstatus, t0
	mret
	.size _start, . - _start
	.section .trampoline, "ax"
	.balign 4096
	.type uservec, @function
uservec:
	csrrw a0, sscratch, a0
	sd sp, 8(a0)
	sd ra, 16(a0)
	ld sp, 24(a0)
	ld t0, 32(a0)
	ld t1, 40(a0)
	csrw satp, t1
	sfence.vma
	jr t0
	.size uservec, . - uservec
	.type userret, @function
userret:
	csrw satp, a1
	sfence.vma
	ld sp, 8(a0)
	ld ra, 16(a0)
	csrrw a0, sscratch, a0
	sret
	.size userret, . - userret
	.balign 4096
#ifdef TASKS
	.section .user, "ax"
	.globl task
	.balign 4096
	.type task, @function
task:	li s0, 3
1:	call work
	addi s0, s0, -1
	bnez s0, 1b
	ecall
	j task
	.size task, . - task
	.type work, @function
work:	addi sp, sp, -16
	sd ra, 8(sp)
	li a0, 100
1:	addi a0, a0, -1
	bnez a0, 1b
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size work, . - work
	.balign 4096
#else
	.data
	.balign 4096
user_a:	.incbin "a.bin"
	.balign 4096
user_b:	.incbin "b.bin"
	.balign 4096
#endif
END
cat > kernel.c << 'END'
typedef unsigned long u64;
#define PAGE __attribute__((aligned(4096)))
#define TRAMPOLINE 0x3ffffff000UL
#define FRAME 0x3fffffe000UL
static u64 users[2][512] PAGE, tables[16][512] PAGE, frames[2][512] PAGE, stacks[2][512] PAGE;
static unsigned used, current, calls;
extern char uservec[], userret[], user_a[], user_b[], task[];
static u64 kernel_satp, user_satp[2];
static void map(u64 *root, u64 va, u64 pa, u64 bits)
{
	for (int level = 2; level; level--) {
		u64 *entry = &root[va >> (12 + 9 * level) & 511];
		if (!*entry)
			*entry = (u64)tables[used++] >> 2 | 1;
		root = (u64 *)(*entry >> 10 << 12);
	}
	root[va >> 12 & 511] = pa >> 2 | bits | 0xc1;
}
static u64 satp_of(u64 *root) { return 8UL << 60 | (u64)root >> 12; }
__attribute__((noinline)) void leave(void)
{
	u64 *frame = frames[current];
	__asm__ volatile("csrw sepc, %0; csrw sstatus, %1" : : "r"(frame[0]), "r"(0x40000));
	((void (*)(u64, u64))(TRAMPOLINE + (userret - uservec)))(FRAME, user_satp[current]);
}
void usertrap(void)
{
	u64 epc;
	__asm__ volatile("csrr %0, sepc" : "=r"(epc));
	frames[current][0] = epc + 4;
	current ^= 1;
	if (++calls == 10)
		*(volatile unsigned *)0x100000 = 0x5555;
	leave();
}
void main(void)
{
	u64 *root = tables[used++];
	root[0] = 0xc7;
	root[2] = 0x80000000UL >> 2 | 0xcf;
	map(root, TRAMPOLINE, (u64)uservec, 0xa);
	kernel_satp = satp_of(root);
	for (int i = 0; i < 2; i++) {
		u64 *user = tables[used++];
		map(user, TRAMPOLINE, (u64)uservec, 0xa);
		map(user, FRAME, (u64)frames[i], 0x6);
#ifdef TASKS
		map(user, 0, (u64)task, 0x1a);
		map(user, 0x2000, (u64)users[i], 0x16);
		frames[i][1] = 0x3000;
#else
		map(user, 0, (u64)(i ? user_b : user_a), 0x1a);
#endif
		user_satp[i] = satp_of(user);
		frames[i][3] = (u64)(stacks[0] + 512);
		frames[i][4] = (u64)usertrap;
		frames[i][5] = kernel_satp;
	}
	__asm__ volatile("csrw satp, %0; sfence.vma; csrw stvec, %1; csrw sscratch, %2"
			 : : "r"(kernel_satp), "r"(TRAMPOLINE), "r"(FRAME));
	leave();
}
END
cc="riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O2 -ffreestanding -nostdlib -Wl,--build-id=none"
program() { # NAME ROUNDS
	cat > "$1.S" <<- END
	.globl start_$1, work_$1
	.type start_$1, @function
	.type work_$1, @function
	start_$1: call work_$1
		ecall
		j start_$1
		.size start_$1, . - start_$1
	work_$1: li a0, $2
	1:	addi a0, a0, -1
		bnez a0, 1b
		ret
		.size work_$1, . - work_$1
	END
	$cc -Wl,-n,-Ttext=0,-e,start_"$1" -o "$1.elf" "$1.S"
	riscv64-unknown-elf-objcopy -O binary -j .text "$1.elf" "$1.bin"
}
show() { # BINS
	soc-model --max-instructions 1M --trace run.tr kernel.elf
	tr-match --bins "$1" run.tr | tr-unwind -o s.tr 2> /dev/null
	tr-fold --by process s.tr
	tr-fold -v -o /dev/null s.tr 2>&1
}
program a 100
program b 300
sed 's/\*(.text .text.\*)/*(.text .text.*) *(.trampoline) *(.user)/' "$SRC/sim/target/firmware/firmware.ld" > kernel.ld
$cc -T kernel.ld -o kernel.elf kernel.S kernel.c
printf '%s\n' kernel.elf 'a.elf user' 'b.elf user' > bins.lst
echo '# programs'
show bins.lst
$cc -DTASKS -T kernel.ld -o kernel.elf kernel.S kernel.c
echo '# tasks'
show kernel.elf
