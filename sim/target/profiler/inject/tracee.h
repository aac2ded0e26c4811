/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that this process traces and that is stopped: its registers and memory, and
 * system calls that it makes for the tracer. riscv64 Linux.
 *
 * The text of the process is never overwritten for a call. The thread runs an `ecall;
 * ret` of the vdso, with a return address and a signal frame that restore its own
 * registers and signal mask. So the tracer may be killed at any point: the thread then
 * ends the call, closes the file that it has opened for the tracer, and continues as if
 * nothing had been. Other threads of the process must be stopped.
 *
 * Functions that may fail return false with the trouble set. The thread may be gone at
 * any time: then it is a failure as any other, and the wait status is kept in `ended`. */
#ifndef TRACEE_H
#define TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "process_maps.h"
#include "run/trouble.h"

/* struct user_regs_struct of the kernel: pc, then x1 to x31. */
struct tracee_registers {
	uint64_t pc, x[31];
};
/* Register x1 to x31. */
static inline uint64_t *tracee_register(struct tracee_registers *registers,
					unsigned number)
{
	return &registers->x[number - 1];
}
enum { TRACEE_SP = 2, TRACEE_A0 = 10, TRACEE_A7 = 17 };

bool get_tracee_registers(pid_t thread, struct tracee_registers *registers,
			  struct trouble *trouble);
bool set_tracee_registers(pid_t thread, const struct tracee_registers *registers,
			  struct trouble *trouble);

/* Opens the memory of a process that is traced; closed by close(). Returns -1 if it
 * fails. */
int open_tracee_memory(pid_t pid, struct trouble *trouble);
bool read_tracee_memory(int memory, uint64_t address, void *bytes, size_t size,
			struct trouble *trouble);
/* Writes also where the process may not, as into its code. */
bool write_tracee_memory(int memory, uint64_t address, const void *bytes, size_t size,
			 struct trouble *trouble);

enum { TRACEE_PATH_MAX = 512 }; /* with the NUL */

/* The calls of one thread. */
struct tracee_calls {
	pid_t thread;
	int memory;
	struct tracee_registers own; /* that it continues with */
	uint64_t mask;		     /* of its signals */
	uint64_t gadget, sigreturn;  /* in the vdso */
	uint64_t frame;		     /* restores the thread */
	uint64_t closing_frame;	     /* closes `file`, then restores the thread */
	uint64_t path, scratch_end;
	int file;     /* number that the next file has */
	bool only;    /* is the only thread of its process */
	bool entered; /* is at the entry of a call of its own, which it makes again */
	bool called;
};

/* Prepares calls of a thread that is stopped with PTRACE_EVENT_STOP: looks for the vdso
 * and a place for the frames, on the main thread's stack, and writes them. `stacks` are
 * the sp of all threads: one may still need the frame of a tracer that was killed. There
 * are none if it is the only thread, and no tracer was before. */
bool begin_tracee_calls(struct tracee_calls *calls, pid_t thread, int memory,
			const struct process_maps *maps, const uint64_t *stacks,
			size_t stack_count, struct trouble *trouble);
/* Opens a file with O_CLOEXEC and `flags`; the result is its number, or -errno. */
bool open_tracee_file(struct tracee_calls *calls, const char *path, int flags,
		      int64_t *result, struct trouble *trouble);
/* Calls mmap() of the open file; the result is the address, or -errno. */
bool map_tracee_file(struct tracee_calls *calls, uint64_t place, uint64_t size,
		     int protection, int flags, uint64_t offset, int64_t *result,
		     struct trouble *trouble);
/* Closes the file. */
bool close_tracee_file(struct tracee_calls *calls, struct trouble *trouble);
/* Moves a mapping to where another is, which it replaces; the result is its address, or
 * -errno. */
bool move_tracee_mapping(struct tracee_calls *calls, uint64_t from, uint64_t size,
			 uint64_t place, int64_t *result, struct trouble *trouble);
/* Makes any call of at most three arguments that opens no file. */
bool call_tracee(struct tracee_calls *calls, long number, uint64_t first, uint64_t second,
		 uint64_t third, int64_t *result, struct trouble *trouble);
/* The process writes its own memory, also its code: after open_own_memory(), and until
 * close_tracee_file(); at most 32 bytes. */
bool open_own_memory(struct tracee_calls *calls, struct trouble *trouble);
bool write_own_memory(struct tracee_calls *calls, uint64_t address, const void *bytes,
		      size_t size, struct trouble *trouble);
/* Makes calls->own, which has changed, what the thread continues with from here on, also
 * if the tracer is killed. */
bool retarget_tracee(struct tracee_calls *calls, struct trouble *trouble);
/* Gives the thread calls->own and its signal mask again. It stays stopped. */
bool end_tracee_calls(struct tracee_calls *calls, struct trouble *trouble);

#endif
