/* SPDX-License-Identifier: Apache-2.0 */
/* Linux's tasks, address spaces, and saved user stacks. */
#include "linux.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "go.h"
#include "maps.h"
#include "model/csr.h"
#include "rules.h"

enum { VDSO_SIZE = 0x1000 };

/* The user part of a task's stack when the task last left user code, or was created.
 * Meanwhile the kernel may change the registers (signal, exec) or unmap a page (fork) or
 * all (exec, exit); the stack stays the same until the return to user code. */
struct record {
	struct walk_frame *frames;
	size_t count, room;
	uint64_t task;
	const struct binary *program;
	const char *lost;
};

static struct {
	struct record *records; /* indexed by pid */
	size_t count;
	const struct binary *vdso;
	bool is_recording;
} state;

bool linux_init(const struct machine *m)
{
	for (size_t i = 0; i < m->nbinaries; i++)
		if (strstr(m->binaries[i].name, "vdso"))
			state.vdso = &m->binaries[i];
	return linux_find_places(m);
}

bool linux_has_signals(void)
{
	return state.vdso;
}

static struct record *record_of(const struct task *task)
{
	if (task->pid >= state.count || state.records[task->pid].task != task->address)
		return NULL;
	return &state.records[task->pid];
}

static void begin(const struct machine *m, struct walk *walk)
{
	const struct layout *layout = &linux_places.layout;
	const struct record *record = NULL;
	struct task task;

	walk->thread = task_current(m);
	walk->program = NULL;
	if (!task_read(m, layout, walk->thread, &task))
		return;
	if (soc_priv(m->soc, m->hart) != PRIV_U && !state.is_recording)
		record = record_of(&task);
	if (record)
		walk->program = record->program;
	else if (task.flags & TASK_KTHREAD)
		walk->program = m->kernel;
	else
		walk->program = task_program(m, layout, &task);
	walk->is_new = !record && task.mm && !(task.flags & TASK_KTHREAD) &&
		       soc_priv(m->soc, m->hart) != PRIV_U && !state.is_recording;
}

static bool find_user(struct unwinding *u)
{
	struct task task;

	if (!task_read(u->m, &linux_places.layout, u->thread, &task) || !task.satp)
		return false;
	u->satp = task.satp;
	if (state.vdso && task.vdso && u->r.pc - task.vdso < VDSO_SIZE) {
		u->binary = state.vdso;
		u->linked -= task.vdso;
		return true;
	}
	u->binary = maps_find(u->m, &linux_places.layout, &task, u->r.pc, &u->linked);
	return u->binary;
}

static bool find(struct unwinding *u)
{
	u->linked = u->r.pc;
	if (u->priv == PRIV_U)
		return find_user(u);
	u->satp = u->priv == PRIV_M ? 0 : machine_csr(u->m, CSR_SATP);
	u->binary = u->priv == PRIV_M ? u->m->firmware : u->m->kernel;
	/* Before its MMU is on. */
	if (u->priv == PRIV_S && u->linked >> 63 == 0)
		u->linked -= u->binary->moved;
	return true;
}

static bool trap(const struct unwinding *u, struct walk *walk)
{
	struct task task;

	if (u->priv != PRIV_U || state.is_recording ||
	    !task_read(u->m, &linux_places.layout, u->thread, &task))
		return true;
	const struct record *record = record_of(&task);
	if (!record)
		return true;
	for (size_t i = 0; i < record->count; i++)
		walk_push(walk, record->frames[i].name, record->frames[i].binary,
			  record->frames[i].pc);
	walk->lost = record->lost;
	return false;
}

static bool make_room(struct record **record, const struct task *task)
{
	size_t before = state.count;

	if (!tr_grow(&state.records, &state.count, task->pid + (size_t)1,
		     sizeof(*state.records)))
		return false;
	memset(&state.records[before], 0,
	       (state.count - before) * sizeof(*state.records));
	*record = &state.records[task->pid];
	return true;
}

/* Records the stack below the newest trap, if that is user code. */
static void record_user(const struct machine *m, const struct task *task)
{
	static struct walk walk;
	struct record *record;
	unsigned first = 0;

	state.is_recording = true;
	walk_stack(m, &linux_system, &walk);
	state.is_recording = false;
	while (first < walk.count && walk.frames[first].binary[0] != '\0')
		first++;
	if (first + 1 >= walk.count || walk.frames[first + 1].binary == m->kernel->name)
		return;
	if (!make_room(&record, task) || !tr_grow(&record->frames, &record->room,
						  walk.count, sizeof(*record->frames))) {
		fprintf(stderr, "truth: no memory\n");
		exit(2);
	}
	record->count = walk.count - first - 1;
	memcpy(record->frames, &walk.frames[first + 1],
	       record->count * sizeof(*record->frames));
	record->task = task->address;
	record->program = walk.program;
	record->lost = walk.lost;
}

static void trapped(const struct machine *m, unsigned priv)
{
	bool is_machine = priv == PRIV_M;
	uint64_t status = machine_csr(m, is_machine ? CSR_MSTATUS : CSR_SSTATUS);
	struct task task;

	if ((is_machine ? status >> STATUS_MPP_SHIFT & 3
			: status >> STATUS_SPP_SHIFT & 1) == PRIV_U &&
	    task_read(m, &linux_places.layout, task_current(m), &task))
		record_user(m, &task);
}

/* A child starts in __switch_to, with the registers of its parent's call. */
static void switched(const struct machine *m)
{
	struct task task;

	if (task_read(m, &linux_places.layout, task_current(m), &task) && task.mm &&
	    !(task.flags & TASK_KTHREAD) && !record_of(&task))
		record_user(m, &task);
}

const struct walk_system linux_system = {.rules = linux_rules,
					 .begin = begin,
					 .find = find,
					 .pass = linux_pass,
					 .trap = trap,
					 .rest = go_push,
					 .trapped = trapped,
					 .switched = switched};
