/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that a traced thread makes for its tracer. */
#include "tracee.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/little.h"
#include "tracee_stops.h"

/* struct rt_sigframe of the kernel (arch/riscv/kernel/signal.c). The layout of ucontext_t
 * is part of its interface to programs. */
struct signal_frame {
	uint8_t info[128];
	ucontext_t context;
};
_Static_assert(offsetof(ucontext_t, uc_sigmask) == 40, "as in asm/ucontext.h");
_Static_assert(offsetof(ucontext_t, uc_mcontext) == 176, "as in asm/ucontext.h");
_Static_assert(sizeof(ucontext_t) == 960, "as in asm/ucontext.h");
_Static_assert(sizeof(struct tracee_registers) == 256, "as in asm/ptrace.h");

enum {
	SCRATCH = 2 * sizeof(struct signal_frame) + TRACEE_PATH_MAX,
	SCRATCH_PLACES = 8,
	BELOW_SP = 128, /* left free, though the psABI has no red zone */
	PAGE = 4096,
	FLOATS_SIZE = 33 * 8, /* f0 to f31, fcsr and padding */
	MASK_SIZE = 8,	      /* bytes of the kernel's sigset_t */
	BAD_STACK = 4, /* no flag of sigaltstack(): the kernel leaves its stack alone */
	RA = 1,
	A1 = 11,
	RESTART_FIRST =
	    512, /* ERESTARTSYS to ERESTART_RESTARTBLOCK, in the kernel only */
	RESTART_LAST = 516,
};
static const uint32_t ecall = 0x00000073, li_sigreturn = 0x08b00893, ret = 0x00008067;
enum { C_RET = 0x8082 };

/* --- registers and memory */

bool get_tracee_registers(pid_t thread, struct tracee_registers *registers,
			  struct trouble *trouble)
{
	struct iovec part = {registers, sizeof(*registers)};

	return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part) == 0 ||
	       tell_trouble(trouble, "process %d: registers: %s", (int)thread,
			    strerror(errno));
}

bool set_tracee_registers(pid_t thread, const struct tracee_registers *registers,
			  struct trouble *trouble)
{
	struct tracee_registers copy = *registers;
	struct iovec part = {&copy, sizeof(copy)};

	return ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part) == 0 ||
	       tell_trouble(trouble, "process %d: registers: %s", (int)thread,
			    strerror(errno));
}

int open_tracee_memory(pid_t pid, struct trouble *trouble)
{
	char path[PROCESS_PATH_MAX];

	name_process_file(path, pid, "mem");
	int memory = open(path, O_RDWR | O_CLOEXEC);

	if (memory < 0)
		tell_trouble(trouble, "%s: %s", path, strerror(errno));
	return memory;
}

bool read_tracee_memory(int memory, uint64_t address, void *bytes, size_t size,
			struct trouble *trouble)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(memory, (uint8_t *)bytes + done, size - done,
				    (off_t)(address + done));

		if (got <= 0)
			return tell_trouble(trouble, "memory at 0x%llx cannot be read",
					    (unsigned long long)(address + done));
		done += (size_t)got;
	}
	return true;
}

bool write_tracee_memory(int memory, uint64_t address, const void *bytes, size_t size,
			 struct trouble *trouble)
{
	for (size_t done = 0; done < size;) {
		ssize_t put = pwrite(memory, (const uint8_t *)bytes + done, size - done,
				     (off_t)(address + done));

		if (put <= 0)
			return tell_trouble(trouble, "memory at 0x%llx cannot be written",
					    (unsigned long long)(address + done));
		done += (size_t)put;
	}
	return true;
}

/* --- the vdso */

/* Where the parts are in this process's vdso; the kernel gives all processes the same. */
struct vdso_parts {
	uint64_t gadget, sigreturn; /* bytes from its start; 0: there is none */
};

static struct vdso_parts find_own_parts(size_t size)
{
	const uint8_t *bytes = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	struct vdso_parts parts = {0};

	for (size_t at = 4; bytes && at + 8 <= size; at += 2) {
		if (bytes[at] != (uint8_t)ecall || tr_load32(bytes + at) != ecall)
			continue;
		if (tr_load16(bytes + at + 4) == C_RET ||
		    tr_load32(bytes + at + 4) == ret)
			parts.gadget = at;
		if (tr_load32(bytes + at - 4) == li_sigreturn)
			parts.sigreturn = at - 4;
		if (parts.gadget && parts.sigreturn)
			break;
	}
	return parts;
}

/* Tells whether the process has the same vdso, by one part of it. */
static bool has_own_vdso(const struct tracee_calls *calls, uint64_t vdso, uint64_t part)
{
	const uint8_t *bytes = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	uint8_t code[8];
	struct trouble ignored = {{0}};

	return read_tracee_memory(calls->memory, vdso + part, code, sizeof(code),
				  &ignored) &&
	       memcmp(code, bytes + part, sizeof(code)) == 0;
}

static bool find_vdso_parts(struct tracee_calls *calls, const struct process_maps *maps,
			    struct trouble *trouble)
{
	const struct process_map *vdso = name_process_map(maps, "[vdso]");
	struct vdso_parts parts = {0};

	if (vdso)
		parts = find_own_parts((size_t)(vdso->end - vdso->start));
	if (!parts.gadget || !parts.sigreturn ||
	    !has_own_vdso(calls, vdso->start, parts.gadget))
		return tell_trouble(trouble, "its vdso has no system call that returns");
	calls->gadget = vdso->start + parts.gadget;
	calls->sigreturn = vdso->start + parts.sigreturn;
	return true;
}

/* --- the frames */

/* The kernel does not read the information of a signal: ours tells that the frame may be
 * overwritten, unless a thread is on it. */
static const char frame_owner[] = "prof-inject's frame";

static bool is_unused(const uint64_t scratch[SCRATCH / 8])
{
	uint64_t used = 0;

	if (memcmp(scratch, frame_owner, sizeof(frame_owner)) == 0)
		return true;
	for (size_t i = 0; i < SCRATCH / 8; i++)
		used |= scratch[i];
	return used == 0;
}

static bool is_stack_within(uint64_t start, uint64_t end, const uint64_t *stacks,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (stacks[i] >= start && stacks[i] < end)
			return true;
	return false;
}

/* A stack grows downwards, so what is below every frame is unused. Of the main thread's,
 * the kernel has mapped 128 KiB more than is used at first: its lowest pages, unless they
 * have been used. Right below sp another stack may end, as that of signals. */
static bool find_scratch(struct tracee_calls *calls, const struct process_maps *maps,
			 const uint64_t *stacks, size_t stack_count,
			 struct trouble *trouble)
{
	const struct process_map *stack = name_process_map(maps, "[stack]");
	uint64_t sp = *tracee_register(&calls->own, TRACEE_SP);
	uint64_t words[SCRATCH / 8];

	if (!stack)
		return tell_trouble(trouble, "its stack is not mapped");
	bool on_stack = sp >= stack->start && sp < stack->end;

	for (unsigned i = 0; i < SCRATCH_PLACES; i++) {
		uint64_t end = stack->start + (i + 2) * PAGE;

		if (end > stack->end || (on_stack && end > sp - BELOW_SP))
			break;
		if (is_stack_within(end - SCRATCH, end, stacks, stack_count))
			continue;
		if (!read_tracee_memory(calls->memory, end - SCRATCH, words, SCRATCH,
					trouble))
			return false;
		if (is_unused(words)) {
			calls->scratch_end = end;
			return true;
		}
	}
	if (!on_stack)
		return tell_trouble(trouble, "its stack has no room for a signal frame");
	calls->scratch_end = (sp - BELOW_SP) & ~(uint64_t)15;
	return true;
}

static void frame_registers(struct signal_frame *frame,
			    const struct tracee_registers *registers)
{
	memcpy(&frame->context.uc_mcontext, registers, sizeof(*registers));
}

/* Closes the file, and goes on with the next frame, all signals blocked. */
static void fill_closing_frame(struct signal_frame *frame,
			       const struct tracee_calls *calls)
{
	struct tracee_registers closing = {.pc = calls->gadget};

	*tracee_register(&closing, RA) = calls->sigreturn;
	*tracee_register(&closing, TRACEE_SP) = calls->frame;
	*tracee_register(&closing, TRACEE_A0) = (uint64_t)calls->file;
	*tracee_register(&closing, TRACEE_A7) = SYS_close;
	memset(&frame->context.uc_sigmask, 0xff, MASK_SIZE);
	frame_registers(frame, &closing);
}

/* Both frames at once: what is written in part is not known as ours. */
static bool write_return_frames(struct tracee_calls *calls, struct trouble *trouble)
{
	struct signal_frame frames[2] = {{.context.uc_stack.ss_flags = BAD_STACK}};
	struct iovec floats = {
	    (uint8_t *)&frames[0].context.uc_mcontext + sizeof(calls->own), FLOATS_SIZE};

	calls->path = calls->scratch_end - TRACEE_PATH_MAX;
	calls->frame = calls->path - sizeof(frames[0]);
	calls->closing_frame = calls->path - sizeof(frames);
	if (ptrace(PTRACE_GETSIGMASK, calls->thread, MASK_SIZE, &calls->mask) < 0)
		return tell_trouble(trouble, "process %d: signal mask: %s",
				    (int)calls->thread, strerror(errno));
	/* A kernel without floating point has no such registers, and restores none. */
	if (ptrace(PTRACE_GETREGSET, calls->thread, NT_PRFPREG, &floats) < 0 &&
	    errno != EINVAL)
		return tell_trouble(trouble, "process %d: registers: %s",
				    (int)calls->thread, strerror(errno));
	memcpy(frames[0].info, frame_owner, sizeof(frame_owner));
	frames[1] = frames[0];
	fill_closing_frame(&frames[0], calls);
	memcpy(&frames[1].context.uc_sigmask, &calls->mask, MASK_SIZE);
	frame_registers(&frames[1], &calls->own);
	return write_tracee_memory(calls->memory, calls->closing_frame, frames,
				   sizeof(frames), trouble);
}

/* --- calls */

/* A sleep that was interrupted goes on with restart_syscall(), if the kernel says so at
 * the entry of the call: rt_sigreturn() would make it begin again. */
static bool may_sleep(const struct tracee_calls *calls,
		      const struct tracee_registers *own)
{
	uint64_t number = own->x[TRACEE_A7 - 1];
	uint8_t bytes[4];
	struct trouble ignored = {{0}};

	return (number == SYS_futex || number == SYS_nanosleep ||
		number == SYS_clock_nanosleep) &&
	       read_tracee_memory(calls->memory, own->pc, bytes, sizeof(bytes),
				  &ignored) &&
	       tr_load32(bytes) == ecall;
}

static bool at_system_call(int status)
{
	return WSTOPSIG(status) == (SIGTRAP | 0x80);
}

/* Lets a thread enter the call that it was in. A signal that comes first is delivered,
 * and the thread stops where its handler begins. */
static bool enter_own_call(struct tracee_calls *calls, struct trouble *trouble)
{
	int status;

	while (may_sleep(calls, &calls->own)) {
		if (!continue_tracee(PTRACE_SYSCALL, calls->thread, 0, trouble) ||
		    !wait_tracee_stop(calls->thread, calls->only, &status, trouble))
			return false;
		calls->entered = at_system_call(status);
		if (!calls->entered &&
		    !stop_tracee_again(calls->thread, calls->only,
				       delivered_tracee_signal(status), &status, trouble))
			return false;
		if (!get_tracee_registers(calls->thread, &calls->own, trouble))
			return false;
		if (calls->entered) {
			calls->own.pc -= 4;
			return true;
		}
	}
	return true;
}

bool begin_tracee_calls(struct tracee_calls *calls, pid_t thread, int memory,
			const struct process_maps *maps, const uint64_t *stacks,
			size_t stack_count, struct trouble *trouble)
{
	*calls = (struct tracee_calls){
	    .thread = thread, .memory = memory, .only = stack_count <= 1};
	if (!get_tracee_registers(thread, &calls->own, trouble) ||
	    !find_vdso_parts(calls, maps, trouble))
		return false;
	uint64_t number = *tracee_register(&calls->own, TRACEE_A7);

	if (!enter_own_call(calls, trouble) ||
	    !find_scratch(calls, maps, stacks, stack_count, trouble))
		return false;
	calls->file = find_free_descriptor(thread);

	/* If the tracer is killed, the sleep begins again. */
	uint64_t restart = *tracee_register(&calls->own, TRACEE_A7);

	if (calls->entered)
		*tracee_register(&calls->own, TRACEE_A7) = number;
	bool written = write_return_frames(calls, trouble);

	*tracee_register(&calls->own, TRACEE_A7) = restart;
	return written;
}

/* Stops at entry and exit. Nothing else can stop the thread but SIGKILL and the stop of
 * its group: its signals are blocked. The mask is set after the registers, with which it
 * restores its own. */
static bool run_call(struct tracee_calls *calls, struct tracee_registers *registers,
		     struct trouble *trouble)
{
	uint64_t all = UINT64_MAX;
	int stops = calls->entered && !calls->called ? 1 : 2, status;

	if (stops == 1)
		registers->pc += 4;
	if (!set_tracee_registers(calls->thread, registers, trouble))
		return false;
	if (!calls->called &&
	    ptrace(PTRACE_SETSIGMASK, calls->thread, MASK_SIZE, &all) < 0)
		return tell_trouble(trouble, "process %d: signal mask: %s",
				    (int)calls->thread, strerror(errno));
	calls->called = true;
	while (stops > 0) {
		if (!continue_tracee(PTRACE_SYSCALL, calls->thread, 0, trouble) ||
		    !wait_lone_tracee_stop(calls->thread, calls->only, &status, trouble))
			return false;
		stops -= at_system_call(status);
	}
	return get_tracee_registers(calls->thread, registers, trouble);
}

static bool make_call(struct tracee_calls *calls, long number,
		      const uint64_t arguments[6], uint64_t frame, int64_t *result,
		      struct trouble *trouble)
{
	struct tracee_registers registers = calls->own;

	registers.pc = calls->gadget;
	*tracee_register(&registers, RA) = calls->sigreturn;
	*tracee_register(&registers, TRACEE_SP) = frame;
	*tracee_register(&registers, TRACEE_A7) = (uint64_t)number;
	for (unsigned i = 0; i < 6; i++)
		*tracee_register(&registers, TRACEE_A0 + i) = arguments[i];
	if (!run_call(calls, &registers, trouble))
		return false;
	*result = (int64_t)*tracee_register(&registers, TRACEE_A0);
	return true;
}

bool move_tracee_mapping(struct tracee_calls *calls, uint64_t from, uint64_t size,
			 uint64_t place, int64_t *result, struct trouble *trouble)
{
	return make_call(
	    calls, SYS_mremap,
	    (uint64_t[6]){from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place},
	    calls->frame, result, trouble);
}

bool call_tracee(struct tracee_calls *calls, long number, uint64_t first, uint64_t second,
		 uint64_t third, int64_t *result, struct trouble *trouble)
{
	return make_call(calls, number, (uint64_t[6]){first, second, third}, calls->frame,
			 result, trouble);
}

bool open_tracee_file(struct tracee_calls *calls, const char *path, int flags,
		      int64_t *result, struct trouble *trouble)
{
	size_t size = strlen(path) + 1;

	if (size > TRACEE_PATH_MAX)
		return tell_trouble(trouble, "%s: the path is too long", path);
	return write_tracee_memory(calls->memory, calls->path, path, size, trouble) &&
	       make_call(calls, SYS_openat,
			 (uint64_t[6]){(uint64_t)AT_FDCWD, calls->path,
				       (uint64_t)(flags | O_CLOEXEC)},
			 calls->closing_frame, result, trouble);
}

bool map_tracee_file(struct tracee_calls *calls, uint64_t place, uint64_t size,
		     int protection, int flags, uint64_t offset, int64_t *result,
		     struct trouble *trouble)
{
	return make_call(calls, SYS_mmap,
			 (uint64_t[6]){place, size, (uint64_t)protection, (uint64_t)flags,
				       (uint64_t)calls->file, offset},
			 calls->closing_frame, result, trouble);
}

bool open_own_memory(struct tracee_calls *calls, struct trouble *trouble)
{
	int64_t result;

	if (!open_tracee_file(calls, "/proc/self/mem", O_RDWR, &result, trouble))
		return false;
	return result == calls->file ||
	       tell_trouble(trouble, "process %d cannot open its memory",
			    (int)calls->thread);
}

bool write_own_memory(struct tracee_calls *calls, uint64_t address, const void *bytes,
		      size_t size, struct trouble *trouble)
{
	int64_t result;

	if (!write_tracee_memory(calls->memory, calls->path, bytes, size, trouble) ||
	    !make_call(calls, SYS_pwrite64,
		       (uint64_t[6]){(uint64_t)calls->file, calls->path, size, address},
		       calls->closing_frame, &result, trouble))
		return false;
	return result == (int64_t)size ||
	       tell_trouble(trouble, "process %d cannot write its memory",
			    (int)calls->thread);
}

bool close_tracee_file(struct tracee_calls *calls, struct trouble *trouble)
{
	int64_t result;

	return call_tracee(calls, SYS_close, (uint64_t)calls->file, 0, 0, &result,
			   trouble);
}

bool retarget_tracee(struct tracee_calls *calls, struct trouble *trouble)
{
	return write_tracee_memory(calls->memory,
				   calls->frame + offsetof(struct signal_frame, context) +
				       offsetof(ucontext_t, uc_mcontext),
				   &calls->own, sizeof(calls->own), trouble);
}

bool end_tracee_calls(struct tracee_calls *calls, struct trouble *trouble)
{
	static const uint8_t unused[SCRATCH];
	int64_t a0 = (int64_t)*tracee_register(&calls->own, TRACEE_A0);
	int status;

	/* At the exit of a call the kernel would take such a value for its own. */
	if (calls->called && a0 <= -RESTART_FIRST && a0 >= -RESTART_LAST &&
	    !stop_tracee_again(calls->thread, calls->only, 0, &status, trouble))
		return false;
	if (calls->called &&
	    ptrace(PTRACE_SETSIGMASK, calls->thread, MASK_SIZE, &calls->mask) < 0)
		return tell_trouble(trouble, "process %d: signal mask: %s",
				    (int)calls->thread, strerror(errno));
	return set_tracee_registers(calls->thread, &calls->own, trouble) &&
	       write_tracee_memory(calls->memory, calls->scratch_end - SCRATCH, unused,
				   SCRATCH, trouble);
}
