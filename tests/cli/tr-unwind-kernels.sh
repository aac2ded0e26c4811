# SPDX-License-Identifier: Apache-2.0
# Small kernels that switch tasks in a trap. In each of them a task is deleted from outside
# and another one begins on its stack, with the sp that the first one was left with or
# deeper in its calls; tasks are preempted anywhere, also before the first instruction of a
# function. The frame is popped by an addition, or the last load restores sp itself, and
# there may be a branch after the first load. Then a kernel whose scheduler waits on the
# system stack, to which interrupts return by a jump, and a program that only sets up its
# stack and jumps on.
cat > frames.S << 'END2'
	.macro each op
	\op x1, 8(sp)
	.irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
	\op x\n, 8 * \n(sp)
	.endr
	.endm
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	la t0, trap
	csrw mtvec, t0
	call main			# returns the frame of the first task
	j resume

	.align 2
trap:	addi sp, sp, -272
	each sd
	addi t0, sp, 272
	sd t0, 16(sp)
	csrr t0, mepc
	sd t0, 0(sp)
	mv a0, sp
	la sp, isr_top
	call next			# keeps a0, returns the frame of the next task
resume:	mv sp, a0
	ld t0, 0(sp)
#ifdef BRANCH
	beqz t0, resume
#endif
	csrw mepc, t0
	li t0, 0x1880
	csrw mstatus, t0
	each ld
#ifdef TWICE
	ld sp, 16(sp)
#else
	addi sp, sp, 272
#endif
	mret
	.bss
	.align 4
	.skip 1024
isr_top:
END2
cat > frames.c << 'END2'
#define MTIME (*(volatile unsigned long *)0x200bff8)
#define MTIMECMP (*(volatile unsigned long *)0x2004000)
static unsigned long stack[2][128] __attribute__((aligned(16))), *frame[2];
static int now, ticks;
volatile unsigned sink[4];
__attribute__((noinline)) void step(int i) { sink[i]++; }
__attribute__((noinline)) void sum(int i) { for (;;) step(i); }
#ifdef DEEP
__attribute__((noinline)) void deep(int i) { volatile int x[8]; x[1] = i; sum(x[1]); sink[3]++; }
#else
#define deep(i) for (;;) sink[i]++
#endif
void ping(void) { sum(0); }
void alpha(void) { deep(1); }
void beta(void) { deep(2); }
static void make(int i, void (*f)(void))
{
	frame[i] = &stack[i][128 - 34];
	frame[i][0] = (unsigned long)f;
	frame[i][2] = (unsigned long)&stack[i][128];
}
unsigned long *next(unsigned long *f)
{
	frame[now] = f;
	now = !now;
	MTIMECMP = MTIME + 1;
	if (++ticks == 100)
		make(1, beta);
	if (ticks == 200)
		*(volatile unsigned *)0x100000 = 0x5555;
	return frame[now];
}
unsigned long *main(void)
{
	make(0, ping);
	make(1, alpha);
	MTIMECMP = MTIME + 1;
	asm volatile("csrs mie, %0" : : "r"(0x80));
	return frame[0];
}
END2
cat > waits.S << 'END2'
	.section .text.start, "ax"
	.globl _start, schedule, suspend
_start:	la sp, stack_top
	la t0, trap
	csrw mtvec, t0
	call main
	j schedule
schedule:
	csrsi mstatus, 8
1:	ld t1, ready
	beqz t1, 1b
	csrci mstatus, 8
	la t0, current
	sd t1, 0(t0)
	ld sp, 0(t1)
	ld t2, 0(sp)			# how it was left
	beqz t2, solicited
	ld t0, 8(sp)
	csrw mepc, t0
	li t0, 0x1880
	csrw mstatus, t0
	.irp n, 1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
	ld x\n, 16 + 8 * \n(sp)
	.endr
	addi sp, sp, 272
	mret
solicited:
	ld x1, 8(sp)
	ld t0, 16(sp)
	csrw mstatus, t0
	addi sp, sp, 32
	ret
suspend:
	addi sp, sp, -32
	sd zero, 0(sp)
	sd x1, 8(sp)
	csrr t0, mstatus
	sd t0, 16(sp)
	csrci mstatus, 8
	la t0, current
	ld t1, 0(t0)
	sd sp, 0(t1)
	sd zero, 0(t0)
	la t0, ready
	sd zero, 0(t0)
	la sp, stack_top
	j schedule
	.align 2
	.globl trap
trap:	addi sp, sp, -272
	.irp n, 1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
	sd x\n, 16 + 8 * \n(sp)
	.endr
	ld x5, current
	beqz x5, idle
	csrr t0, mepc
	sd t0, 8(sp)
	li t0, 1
	sd t0, 0(sp)
	ld t1, current
	sd sp, 0(t1)
	la sp, stack_top
	j 1f
idle:	addi sp, sp, 272		# nothing to save
1:	call tick
	la t0, current
	sd zero, 0(t0)
	j schedule			# without mret
END2
cat > waits.c << 'END2'
#define MTIME (*(volatile unsigned long *)0x200bff8)
#define MTIMECMP (*(volatile unsigned long *)0x2004000)
void suspend(void);
struct task { unsigned long *sp; } task, *current, *ready;
static unsigned long stack[128] __attribute__((aligned(16)));
static int ticks;
volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n) { while (n--) sink += n; }
void worker(void) { for (;;) { work(WORK); suspend(); } }
void tick(void)
{
	MTIMECMP = MTIME + 1;
	if (++ticks == 200) *(volatile unsigned *)0x100000 = 0x5555;
	ready = &task;
}
void main(void)
{
	task.sp = &stack[128 - 34];
	task.sp[0] = 1;
	task.sp[1] = (unsigned long)worker;
	MTIMECMP = MTIME + 1;
	asm volatile("csrs mie, %0" : : "r"(0x80));
}
END2
cat > boot.S << 'END2'
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	j main				# still the same thread
END2
cat > boot.c << 'END2'
volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n) { while (n--) sink += n; }
void main(void) { for (int i = 0; i < 5; i++) work(20); *(volatile unsigned *)0x100000 = 0x5555; for (;;) ; }
END2
run() { # NAME OPTION...
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib \
		-T "$SRC/sim/target/firmware/firmware.ld" "${@:2}" -o k.elf "$1.S" "$1.c" || exit
	echo "$*"
	tr-capture -- soc-model k.elf | tr-match --bins k.elf | tr-unwind -o k.tr
	tr-fold --by thread k.tr
	tr-info k.tr | awk '$1 == "unwind_doubted_cycles" || $1 == "unwind_resyncs" { print $1, $2 }'
}
run frames
run frames -DTWICE
run frames -DBRANCH -DDEEP
run frames -DBRANCH -DDEEP -DTWICE
run waits -DWORK=200
run waits -DWORK=2000
run boot
