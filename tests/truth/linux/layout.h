/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets in Linux's structures, in bytes, from the DWARF of vmlinux. */
#ifndef TRUTH_LINUX_LAYOUT_H
#define TRUTH_LINUX_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layout {
	/* struct task_struct */
	uint64_t kernel_sp, user_sp, flags, mm, pid, comm, thread_ra, thread_s0;
	/* struct mm_struct, file, dentry */
	uint64_t pgd, exe_file, vdso, areas, dentry, name;
	/* struct vm_area_struct */
	uint64_t area_start, area_end, area_page, area_file;
	/* struct pt_regs: pc, then x1 to x31 */
	uint64_t status, cause, registers_size;
	/* struct rt_sigframe: as pt_regs */
	uint64_t signal_registers;
};

/* Return false, after a message, if the file cannot be read or lacks a member. */
struct layout_member {
	const char *structure, *path; /* members, separated by dots; NULL: the size */
	const char *older;	      /* what older kernels call it, or NULL */
	size_t place;		      /* of its uint64_t in the layout */
};
bool layout_find(const struct layout_member *wanted, unsigned count, void *layout,
		 const char *path);
bool layout_read(struct layout *layout, const char *path);

#endif
