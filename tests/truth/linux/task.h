/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks, read from the memory of the machine. */
#ifndef TRUTH_LINUX_TASK_H
#define TRUTH_LINUX_TASK_H

#include "../machine.h"
#include "layout.h"

enum { TASK_COMM = 16, TASK_KTHREAD = 0x200000 /* PF_KTHREAD */ };

struct task {
	uint64_t address, mm;
	uint64_t satp; /* of its user half; 0: none (any more) */
	uint64_t vdso;
	uint32_t pid, flags;
	char comm[TASK_COMM];
};

/* Returns the address of the current task, 0 before there is one: in S-mode tp holds it;
 * while user code runs, and during entry and exit, sscratch does. */
uint64_t task_current(const struct machine *m);
/* Returns false if its memory cannot be read because the MMU is off. */
bool task_read(const struct machine *m, const struct layout *layout, uint64_t address,
	       struct task *task);
/* Reads memory of the kernel. */
bool task_read_kernel(const struct machine *m, uint64_t address, void *data, size_t size);
/* Returns the binary with the name of a struct file, or NULL if there is none. */
const struct binary *task_file(const struct machine *m, const struct layout *layout,
			       uint64_t file);
/* Returns the file from which its memory map was made, or NULL if it is not one of the
 * binaries. */
const struct binary *task_program(const struct machine *m, const struct layout *layout,
				  const struct task *task);

#endif
