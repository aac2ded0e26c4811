/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port nuttx.S: the boot becomes the idle task. */
#include "kernel.h"

#include "target/csr.h"

enum { FRAME_WORDS = 34, FRAME_SP = 2, FRAME_STATUS = 32, REG_A0 = 10, REG_A7 = 17 };
enum { STATUS_MACHINE = 0x1880, STATUS_MIE = 8 }; /* MPP, MPIE */
enum { STATUS_USER = 0x80, PMP_ALL = 31 };
enum { CALL_RESTORE = 1, CALL_SWITCH, CALL_RESUME };

extern char isr_stack[], isr_stack_top[];
void exception_common(void);
uint64_t *dispatch(uint64_t cause, uint64_t *registers);

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *frame = top - FRAME_WORDS;

	for (unsigned i = 0; i < FRAME_WORDS; i++)
		frame[i] = 0;
	frame[0] = (uint64_t)entry;
	frame[FRAME_SP] = (uint64_t)top;
	frame[FRAME_STATUS] = STATUS_MACHINE;
#ifdef USER
	frame[FRAME_SP] = (uint64_t)(user_stacks[task - tasks] + TASK_WORDS);
	frame[FRAME_STATUS] = STATUS_USER;
#endif
	task->sp = (uint64_t)frame;
}

static NOINLINE void call(uint64_t number)
{
	register uint64_t a0 __asm__("a0") = number;

	__asm__ volatile("ecall" : "+r"(a0) : : "memory");
}

void port_yield(void)
{
	call(task_self()->is_doomed ? CALL_RESTORE : CALL_SWITCH);
}

#ifdef SIGNALS
static uint64_t signalled[TASK_COUNT]; /* frames of what signals have interrupted */
static volatile uint64_t seen;

static NOINLINE void on_signal(void)
{
	seen += work_tree(seen, 3);
}

/* Runs in the task on top of what it did, which continues then. */
static NOINLINE void deliver(void)
{
	on_signal();
	for (;;)
		call(CALL_RESUME);
}

void port_signal(unsigned i)
{
	uint64_t *frame = (uint64_t *)tasks[i].sp;

	signalled[i] = (uint64_t)frame;
	port_prepare(&tasks[i], frame, deliver);
}
#endif

static NOINLINE void on_software(void)
{
	port_software(false);
	core_software();
}

static NOINLINE void on_timer(void)
{
	port_timer();
	core_tick();
	core_choose();
}

/* A task that ends is not saved. */
static NOINLINE void on_call(uint64_t *registers)
{
	registers[0] += 4;
#ifdef SIGNALS
	if (registers[REG_A0] == CALL_RESUME) {
		struct task *self = currents[port_hart()];
		self->sp = signalled[self - tasks];
		return;
	}
#endif
	if (registers[REG_A0] == CALL_SWITCH)
		currents[port_hart()]->sp = (uint64_t)registers;
	core_choose();
}

NOINLINE uint64_t *dispatch(uint64_t cause, uint64_t *registers)
{
	if (cause & CAUSE_INTERRUPT)
		currents[port_hart()]->sp = (uint64_t)registers;
	if (cause == CAUSE_MACHINE_TIMER)
		on_timer();
	else if (cause == CAUSE_MACHINE_SOFTWARE)
		on_software();
	else
		on_call(registers);
	return (uint64_t *)currents[port_hart()]->sp;
}

static NOINLINE void idle_loop(void)
{
	static volatile uint64_t noticed[HARTS];

	for (;;)
		noticed[port_hart()]++;
}

#ifdef USER
uint64_t user_stacks[TASK_COUNT][TASK_WORDS] __attribute__((aligned(16)));
static uint64_t cpus[HARTS][2];

/* Runs on the task's stack in the kernel, where it may give up the hart. */
void dispatch_syscall(const uint64_t *registers);
NOINLINE void dispatch_syscall(const uint64_t *registers)
{
	user_call(registers[REG_A7], registers[REG_A0], registers[REG_A0 + 1]);
}
#endif

void kernel_main(unsigned hart)
{
	if (hart == 0) {
		core_begin(false);
		core_boot_area(AREA_BOOT);
		core_area(isr_stack, isr_stack_top, 0, AREA_INTERRUPT);
		core_go();
	}
	core_wait();
#ifdef USER
	csr_write(pmpaddr0, -1);
	csr_write(pmpcfg0, PMP_ALL);
	csr_write(mscratch, cpus[hart]);
#endif
	tasks[hart].state = TASK_RUNNING;
	currents[hart] = &tasks[hart];
	csr_write(mtvec, exception_common);
	csr_write(mie, IP_MTIP | IP_MSIP);
	port_timer();
	csr_set(mstatus, STATUS_MIE);
	idle_loop();
}
