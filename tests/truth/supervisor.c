/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the small supervisor, and their code and memory. */
#include "supervisor.h"

#include <string.h>

#include "model/csr.h"
#include "target/supervisor/abi.h"

/* Before its MMU is on, and just after. */
#define PHYSICAL_OFFSET UINT64_C(0xffffffff00000000)

static uint64_t thread_table, thread_exit;

/* User part of the last thread that began to exit. */
static struct {
	struct walk_frame frames[WALK_DEPTH];
	unsigned count;
	uint64_t thread;
} ended;

bool supervisor_init(const struct machine *m)
{
	const struct tr_image *image = m->kernel->image;

	if (tr_image_symbol(image, "thread_table", &thread_table) == TR_OK &&
	    tr_image_symbol(image, "thread_exit", &thread_exit) == TR_OK)
		return true;
	fprintf(stderr, "truth: %s: not our supervisor\n", tr_image_path(image));
	return false;
}

uint64_t supervisor_exit_pc(void)
{
	return thread_exit;
}

static bool is_record(uint64_t address)
{
	return address - thread_table < (uint64_t)THREAD_COUNT * THREAD_SIZE;
}

/* Returns NULL for "init", or if there is none. */
static const struct binary *program_of(const struct machine *m, uint64_t thread)
{
	char name[THREAD_NAME_SIZE];

	if (!thread || !machine_read(m, machine_csr(m, CSR_SATP), thread + THREAD_NAME,
				     name, sizeof(name)))
		return NULL;
	for (size_t i = 0; i < m->nbinaries; i++)
		if (strncmp(name, m->binaries[i].name, sizeof(name)) == 0)
			return &m->binaries[i];
	return NULL;
}

/* In the supervisor tp has it; while user code runs, and during entry and exit,
 * sscratch. */
static void begin(const struct machine *m, struct walk *walk)
{
	uint64_t tp = soc_x(m->soc, m->hart, TP), scratch = machine_csr(m, CSR_SSCRATCH);

	if (is_record(tp))
		walk->thread = tp;
	else
		walk->thread = is_record(scratch) ? scratch : 0;
	walk->program = program_of(m, walk->thread);
}

static bool find(struct unwinding *u)
{
	u->satp = u->priv == PRIV_M ? 0 : machine_csr(u->m, CSR_SATP);
	u->linked = u->r.pc;
	if (u->priv == PRIV_M) {
		u->binary = u->m->firmware;
	} else if (u->priv == PRIV_S) {
		u->binary = u->m->kernel;
		if (u->linked < PHYSICAL_OFFSET)
			u->linked += PHYSICAL_OFFSET;
	} else {
		u->binary = u->program;
		return u->thread &&
		       machine_read64(u->m, u->satp, u->thread + THREAD_SATP, &u->satp);
	}
	return true;
}

/* thread_exit has replaced its own address space by that of the first thread. */
static bool is_ended(const struct unwinding *u)
{
	uint64_t satp = machine_csr(u->m, CSR_SATP), own, first;

	return u->thread == ended.thread && u->priv == PRIV_U &&
	       machine_read64(u->m, satp, u->thread + THREAD_SATP, &own) &&
	       machine_read64(u->m, satp, thread_table + THREAD_SATP, &first) &&
	       own == first;
}

static bool trap(const struct unwinding *u, struct walk *walk)
{
	walk->is_new |= u->cause == 0;
	if (!is_ended(u))
		return true;
	for (unsigned i = 0; i < ended.count; i++)
		walk_push(walk, ended.frames[i].name, ended.frames[i].binary,
			  ended.frames[i].pc);
	return false;
}

void supervisor_remember(const struct machine *m)
{
	static struct walk walk;
	unsigned last = 0;

	walk_stack(m, &supervisor_system, &walk);
	for (unsigned i = 0; i < walk.count; i++)
		if (walk.frames[i].binary[0] == '\0')
			last = i;
	ended.count = walk.count - last - 1;
	memcpy(ended.frames, &walk.frames[last + 1],
	       ended.count * sizeof(ended.frames[0]));
	ended.thread = walk.lost ? 0 : walk.thread;
}

const struct walk_system supervisor_system = {
    .rules = supervisor_rules, .begin = begin, .find = find, .trap = trap};
