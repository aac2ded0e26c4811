/* SPDX-License-Identifier: Apache-2.0 */
/* Traps: system calls, page faults, the timer. */
#include "supervisor.h"

#include "../csr.h"

enum { SBI_TIME = 0x54494d45, SLICE_INSTRUCTIONS = 9600, STATUS_KILLED = 128 };

static uint64_t slice; /* in steps of the time CSR */
static bool preempt;

static void timer_next(void)
{
	sbi_call(csr_read(time) + slice, 0, 0, SBI_TIME);
}

/* Machines differ in instructions per step of time: the slice is as long as a loop of a
 * known number of instructions. */
void timer_init(void)
{
	uint64_t start = csr_read(time);
	uint64_t loops = SLICE_INSTRUCTIONS / 2;

	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(loops));
	slice = csr_read(time) - start;
	if (slice == 0)
		slice = 1;
	csr_set(sie, IP_STIP);
	timer_next();
}

static void write_console(const char *text, size_t size)
{
	csr_set(sstatus, STATUS_SIE);
	print_size(text, size);
	csr_clear(sstatus, STATUS_SIE);
}

static bool is_user(uint64_t address, uint64_t size)
{
	return address < USER_TOP && size <= USER_TOP - address;
}

static long sys_write(uint64_t text, uint64_t size)
{
	char buffer[128];

	if (!is_user(text, size))
		return -1;
	for (uint64_t done = 0; done < size;) {
		size_t part = size - done < sizeof(buffer) ? size - done : sizeof(buffer);
		if (user_copy(buffer, (const void *)(text + done), part) < 0)
			return -1;
		write_console(buffer, part);
		done += part;
	}
	return (long)size;
}

static long sys_spawn(uint64_t text)
{
	char command[COMMAND_SIZE];

	for (unsigned i = 0; i < COMMAND_SIZE; i++) {
		if (!is_user(text + i, 1) ||
		    user_copy(command + i, (const void *)(text + i), 1) < 0)
			return -1;
		if (command[i] == '\0')
			return thread_spawn(command);
	}
	return -1;
}

static void syscall(struct frame *frame)
{
	uint64_t *a0 = &frame->x[REG_A0];

	frame->pc += 4;
	switch (frame->x[REG_A7]) {
	case SYS_WRITE:
		*a0 = (uint64_t)sys_write(*a0, frame->x[REG_A1]);
		break;
	case SYS_YIELD:
		schedule();
		break;
	case SYS_EXIT:
		thread_exit((int)*a0);
	case SYS_SPAWN:
		*a0 = (uint64_t)sys_spawn(*a0);
		break;
	case SYS_WAIT:
		*a0 = (uint64_t)thread_wait();
		break;
	default:
		*a0 = UINT64_MAX;
	}
}

static void describe(const struct frame *frame)
{
	print("supervisor: ");
	print(current->name);
	print(", pid ");
	print_number(current->pid, 10);
	print(": cause ");
	print_number(frame->cause, 10);
	print(", pc 0x");
	print_number(frame->pc, 16);
	print(", tval 0x");
	print_number(frame->tval, 16);
	print("\n");
}

static void bad_trap(struct frame *frame)
{
	describe(frame);
	if (frame->status & STATUS_SPP)
		panic("trap in the supervisor");
	thread_exit(STATUS_KILLED + (int)frame->cause);
}

static void page_fault(struct frame *frame)
{
	uint64_t start = (uint64_t)user_copy, end = (uint64_t)user_copy_end;
	bool copying = frame->pc >= start && frame->pc < end;
	bool ours = frame->status & STATUS_SPP;

	if ((!ours || copying) && program_fault(current, frame->tval, frame->cause))
		return;
	if (!copying)
		bad_trap(frame);
	frame->pc = (uint64_t)user_copy_fault;
}

void trap_handler(struct frame *frame)
{
	switch (frame->cause) {
	case CAUSE_SUPERVISOR_TIMER:
		preempt = true;
		timer_next();
		break;
	case CAUSE_USER_ECALL:
		syscall(frame);
		break;
	case CAUSE_FETCH_PAGE:
	case CAUSE_LOAD_PAGE:
	case CAUSE_STORE_PAGE:
		page_fault(frame);
		break;
	default:
		bad_trap(frame);
	}
	if (preempt && !(frame->status & STATUS_SPP)) {
		preempt = false;
		schedule();
	}
}
