/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of the port xv6.S in U-mode, and their system calls. */
#include "xv6.h"

#include "target/csr.h"

struct trapframe {
	uint64_t kernel_satp, kernel_sp, kernel_trap, pc, hart;
	uint64_t x[31]; /* x[0] is ra */
#ifdef SV39
} __attribute__((aligned(PAGE_SIZE)));
#else
};
#endif
enum { AT_SP = 1, AT_A0 = 9, AT_A1 = 10, AT_A7 = 16 };

static struct trapframe frames[TASK_COUNT];
uint64_t user_stacks[TASK_COUNT][TASK_WORDS] __attribute__((aligned(4096)));

void uservec(void);
void kernelvec(void);
void usertrap(void);
void userret(uint64_t argument) __attribute__((noreturn));
#ifdef SV39
extern char trampoline[];
#endif

static struct trapframe *frame_of(const struct task *task)
{
	return &frames[task - tasks];
}

/* Returns where the function is while the process's address space is in use. */
static uint64_t shared(uint64_t function)
{
#ifdef SV39
	return TRAMPOLINE + function - (uint64_t)trampoline;
#else
	return function;
#endif
}

static NOINLINE void usertrapret(void)
{
	struct trapframe *frame;
	uint64_t argument;

	port_disable();
	frame = frame_of(currents[port_hart()]);
	argument = (uint64_t)frame;
	csr_write(stvec, shared((uint64_t)uservec));
	frame->kernel_sp = (uint64_t)task_stack_top(currents[port_hart()]);
#ifdef SV39
	frame->kernel_satp = space_kernel();
	frame->kernel_sp = (uint64_t)space_stack_top((unsigned)(frame - frames));
	argument = space_of((unsigned)(frame - frames));
#endif
	frame->kernel_trap = (uint64_t)usertrap;
	frame->hart = port_hart();
	csr_clear(sstatus, STATUS_SPP);
	csr_set(sstatus, STATUS_SPIE);
	csr_write(sepc, frame->pc);
	((void (*)(uint64_t))shared((uint64_t)userret))(argument);
	__builtin_unreachable();
}

NOINLINE void usertrap(void)
{
	struct trapframe *frame = frame_of(currents[port_hart()]);

	csr_write(stvec, kernelvec);
	frame->pc = csr_read(sepc);
	if (csr_read(scause) == CAUSE_USER_ECALL) {
		frame->pc += 4;
		port_enable(true);
		user_call(frame->x[AT_A7], frame->x[AT_A0], frame->x[AT_A1]);
	} else if (on_interrupt()) {
		kernel_yield();
	}
	usertrapret();
}

NOINLINE void task_begin(void)
{
	struct task *self = currents[port_hart()];
	struct trapframe *frame = frame_of(self);

	frame->pc = (uint64_t)self->entry;
	frame->x[AT_SP] = (uint64_t)(user_stacks[self - tasks] + TASK_WORDS);
#ifdef SV39
	frame->x[AT_SP] = USER_STACK_TOP;
#endif
	usertrapret();
}

void tasks_begin(void)
{
#ifdef SV39
	spaces_begin(frames);
#endif
}

void port_yield(void)
{
	kernel_yield();
}
