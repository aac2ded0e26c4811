/* SPDX-License-Identifier: Apache-2.0 */
/* Follows pointers through the kernel's structures. */
#include "task.h"

#include <string.h>

#include "model/csr.h"

#define SATP_SV39 (UINT64_C(8) << 60)
enum { NAME_SIZE = 64 };

/* Returns whether tp has only the upper part of an address: the next instruction is
 * addi tp, tp. */
static bool is_half(const struct machine *m)
{
	uint32_t insn;

	return soc_read_virtual(m->soc, m->hart, soc_pc(m->soc, m->hart), &insn,
				sizeof(insn)) &&
	       (insn & 0xfffff) == 0x20213;
}

uint64_t task_current(const struct machine *m)
{
	uint64_t tp = soc_x(m->soc, m->hart, TP), scratch = machine_csr(m, CSR_SSCRATCH);

	if (tp >> 63 && !is_half(m))
		return tp;
	return scratch >> 63 ? scratch : 0;
}

bool task_read_kernel(const struct machine *m, uint64_t address, void *data, size_t size)
{
	return machine_read(m, machine_csr(m, CSR_SATP), address, data, size);
}

static bool read_memory(const struct machine *m, const struct layout *layout,
			struct task *task)
{
	uint64_t tables, physical;

	if (!task_read_kernel(m, task->mm + layout->pgd, &tables, sizeof(tables)) ||
	    !task_read_kernel(m, task->mm + layout->vdso, &task->vdso,
			      sizeof(task->vdso)) ||
	    !machine_translate(m, machine_csr(m, CSR_SATP), tables, &physical))
		return false;
	task->satp = SATP_SV39 | physical >> 12;
	return true;
}

bool task_read(const struct machine *m, const struct layout *layout, uint64_t address,
	       struct task *task)
{
	*task = (struct task){.address = address};
	if (!address ||
	    !task_read_kernel(m, address + layout->pid, &task->pid, sizeof(task->pid)) ||
	    !task_read_kernel(m, address + layout->flags, &task->flags,
			      sizeof(task->flags)) ||
	    !task_read_kernel(m, address + layout->mm, &task->mm, sizeof(task->mm)) ||
	    !task_read_kernel(m, address + layout->comm, task->comm, sizeof(task->comm)))
		return false;
	task->comm[TASK_COMM - 1] = '\0';
	return !task->mm || read_memory(m, layout, task);
}

const struct binary *task_file(const struct machine *m, const struct layout *layout,
			       uint64_t file)
{
	uint64_t dentry, at;
	char name[NAME_SIZE] = "";

	if (!task_read_kernel(m, file + layout->dentry, &dentry, sizeof(dentry)) ||
	    !task_read_kernel(m, dentry + layout->name, &at, sizeof(at)))
		return NULL;
	for (size_t i = 0; i < NAME_SIZE - 1; i++)
		if (!task_read_kernel(m, at + i, &name[i], 1) || !name[i])
			break;
	for (size_t i = 0; i < m->nbinaries; i++)
		if (strcmp(name, m->binaries[i].name) == 0)
			return &m->binaries[i];
	return NULL;
}

const struct binary *task_program(const struct machine *m, const struct layout *layout,
				  const struct task *task)
{
	uint64_t file;

	if (!task->mm ||
	    !task_read_kernel(m, task->mm + layout->exe_file, &file, sizeof(file)) ||
	    !file)
		return NULL;
	return task_file(m, layout, file);
}
