# SPDX-License-Identifier: Apache-2.0
# Names of the tasks of a preemptive kernel in M-mode, which run the same functions: by the
# tp that a probe tells, by a stack and its size, and by a stack and an address in it; with
# numbers and without. The truth is the kernel's own counts of turns, of 10 instructions
# each.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	la	t0, trap
	csrw	mtvec, t0
	call	begin
	j	resume

	.align	2
trap:	addi	sp, sp, -256
	.irp	n, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	sd	x\n, 8 * \n(sp)
	.endr
	csrr	t0, mepc
	sd	t0, 0(sp)
	mv	a0, sp
	la	sp, handler_stack + 1024
	call	tick
resume:	mv	sp, a0
	ld	t0, 0(sp)
	csrw	mepc, t0
	li	t0, 0x1880
	csrw	mstatus, t0
	ld	tp, running
	.irp	n, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	ld	x\n, 8 * \n(sp)
	.endr
	addi	sp, sp, 256
	mret
	.text
	.globl	turn
	.type	turn, @function
turn:	.rept	6
	nop
	.endr
	ld	t0, 0(a0)
	addi	t0, t0, 1
	sd	t0, 0(a0)
	ret
	.size	turn, . - turn
	.bss
	.align	4
handler_stack:
	.skip	1024
END
cat > kernel.c << 'END'
struct task { unsigned long turns, *saved; int number; char name[8]; unsigned long stack[96]; };
struct task tasks[3] = {{.number = 4, .name = "pump"}, {.number = 5, .name = "valve"}, {.number = 6, .name = "gauge"}};
struct task *running;
static unsigned ticks;
void turn(unsigned long *turns);
__attribute__((noipa)) void select_task(struct task *from, struct task *to) { (void)from; running = to; }
__attribute__((noipa)) void finished(void) { *(volatile unsigned *)0x100000 = 0x5555; }
void loop(void) { for (;;) turn(&running->turns); }
static void arm(void) { *(volatile unsigned long *)0x2004000 = *(volatile unsigned long *)0x200bff8 + 1; }
unsigned long *tick(unsigned long *saved)
{
	running->saved = saved;
	arm();
	if (++ticks == 40)
		finished();
	select_task(running, &tasks[ticks % 7 % 3]);
	return running->saved;
}
unsigned long *begin(void)
{
	for (int i = 0; i < 3; i++) {
		tasks[i].saved = &tasks[i].stack[96 - 32];
		tasks[i].saved[0] = (unsigned long)loop;
	}
	arm();
	__asm__ volatile("csrs mie, %0" : : "r"(0x80));
	running = tasks;
	return running->saved;
}
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o kernel.elf start.S kernel.c
soc-model --trace run.tr kernel.elf
tr-replay --probe 'turns: kernel:finished { pump = tasks[0].turns; valve = tasks[1].turns; gauge = tasks[2].turns }' \
	run.tr kernel.elf | cut -d' ' -f4-
# names NAME FIELDS: turns by a probe with these fields.
names() {
	echo "# $1"
	tr-replay --stream --probe "switch: kernel:select_task { $2 }" run.tr kernel.elf | tr-match --bins kernel.elf | tr-unwind -o "$1.tr"
	for by in thread process; do
		tr-fold --by $by "$1.tr" | sed -n 's/#[0-9]*;/#N;/; s/\([^;]*\).*;turn \([0-9]*\)$/\1 \2/p' | sort |
			awk -v by=$by '{ printf "%s %s: %.1f turns\n", by, $1, $2 / 10 }'
	done
}
next='next_task = arg1; next = arg1->number; next_comm = arg1->name'
names both "prev_task = arg0; prev = arg0->number; prev_tgid = arg0->number; prev_comm = arg0->name; prev_state = 0; $next; next_tgid = arg1->number"
names next "$next"
tr-timeline --table processes next.tr
names no-number 'next_tp = arg1; next_name = arg1->name'
tr-timeline --table processes no-number.tr
names stack 'next_stack = &arg1->stack; next_stack_size = sizeof(arg1->stack); next_comm = arg1->name'
tr-timeline --table processes stack.tr
names top 'prev_stack = &arg0->stack; prev_stack_top = arg0->saved; prev_name = arg0->name'
names no-name 'task = arg1; pid = arg1->number'
# Where or who is missing: the names are those without a probe.
names nowhere 'next = arg1->number; next_comm = arg1->name'
tr-timeline --table processes nowhere.tr
names nobody 'next_task = arg1; next_stack = &arg1->stack; next_comm = 5'
tr-timeline --table processes nobody.tr
