/* SPDX-License-Identifier: Apache-2.0 */
/* Records stacks at the entries of Go's runtime. */
#include "go.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/csr.h"

enum { MOST_RECORDS = 256, G = 27, G_M = 48, M_G0 = 0 };

static const char *const names[] = {"runtime.systemstack", "runtime.mcall",
				    "runtime.morestack", "runtime.nanotime1",
				    "runtime.walltime"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

/* The stack of a thread when it called one of the functions on a goroutine's stack. */
struct record {
	struct walk_frame *frames;
	size_t count, room;
	uint64_t thread, entry;
	const char *lost;
};

static struct {
	const struct binary *binary;
	uint64_t entries[NAMES];
	struct record records[MOST_RECORDS];
	size_t count;
} go;

void go_init(struct machine *m)
{
	for (size_t i = 0; i < m->nbinaries; i++)
		if (tr_image_symbol(m->binaries[i].image, names[0], &go.entries[0]) ==
		    TR_OK)
			go.binary = &m->binaries[i];
	for (unsigned i = 0; go.binary && i < NAMES; i++)
		if (tr_image_symbol(go.binary->image, names[i], &go.entries[i]) == TR_OK)
			machine_break_at_pc(m, go.entries[i]);
}

bool go_is_at(const struct machine *m)
{
	for (unsigned i = 0; go.binary && i < NAMES; i++)
		if (soc_priv(m->soc, m->hart) == PRIV_U &&
		    soc_pc(m->soc, m->hart) == go.entries[i])
			return true;
	return false;
}

static struct record *find(uint64_t thread, uint64_t entry)
{
	for (size_t i = 0; i < go.count; i++)
		if (go.records[i].thread == thread && go.records[i].entry == entry)
			return &go.records[i];
	return NULL;
}

static struct record *make(uint64_t thread, uint64_t entry)
{
	struct record *record = find(thread, entry);

	if (!record && go.count < MOST_RECORDS) {
		record = &go.records[go.count++];
		record->thread = thread;
		record->entry = entry;
	}
	return record;
}

/* The scheduler's own stack is not left. */
static bool is_on_scheduler(const struct machine *m)
{
	uint64_t g = soc_x(m->soc, m->hart, G), thread, g0;
	uint64_t satp = machine_csr(m, CSR_SATP);

	return !machine_read64(m, satp, g + G_M, &thread) ||
	       !machine_read64(m, satp, thread + M_G0, &g0) || g == g0;
}

void go_remember(const struct machine *m, const struct walk_system *system)
{
	static struct walk walk;

	walk_stack(m, system, &walk);
	if (walk.program != go.binary)
		return;
	struct record *record = make(walk.thread, soc_pc(m->soc, m->hart));
	if (!record)
		return;
	bool is_leaf = soc_pc(m->soc, m->hart) != go.entries[0];
	if (is_on_scheduler(m)) {
		record->count = is_leaf ? 0 : record->count;
		return;
	}
	record->count = 0;
	/* The walk may have used the previous record; there must be none. */
	walk_stack(m, system, &walk);
	if (!tr_grow(&record->frames, &record->room, walk.count,
		     sizeof(*record->frames))) {
		fprintf(stderr, "truth: no memory\n");
		exit(2);
	}
	memcpy(record->frames, walk.frames, walk.count * sizeof(*record->frames));
	record->count = walk.count;
	record->lost = walk.lost;
}

static bool is_named(const struct unwinding *u, const char *name)
{
	return strcmp(u->function->name, name) == 0;
}

/* Before the stack is changed, or if it is not, the code can be followed. */
static bool is_followed(struct unwinding *u)
{
	struct code_frame frame;

	return u->is_exact && !is_named(u, "runtime.morestack") &&
	       code_frame_at(u->binary, u->function, u->linked, &frame);
}

enum left go_leave(struct unwinding *u)
{
	const struct record *record = find(u->thread, u->function->entry);

	if (is_followed(u))
		return hand_by_code(u);
	if (record && record->count)
		return LEFT_RECORDED;
	if (!is_named(u, "runtime.morestack"))
		return LEFT_NOT;
	/* It is called through t0. */
	u->r.pc = u->r.x[T0];
	return LEFT_FRAME;
}

enum left go_leave_gogo(struct unwinding *u)
{
	if (!hand_is_past(u, OP_CALL, 0))
		return hand_leaf(u);
	u->lost = "gogo has no caller any more";
	return LEFT_LOST;
}

bool go_is_end(const struct unwinding *u)
{
	if (u->binary != go.binary || !go.binary)
		return false;
	const struct tr_function *to =
	    tr_image_function_at(u->binary->image, u->r.pc - 1);
	return to && strcmp(to->name, "runtime.goexit") == 0;
}

void go_push(const struct unwinding *u, struct walk *walk)
{
	const struct record *record = find(u->thread, u->function->entry);

	for (size_t i = 1; i < record->count; i++)
		walk_push(walk, record->frames[i].name, record->frames[i].binary,
			  record->frames[i].pc);
	walk->lost = record->lost;
}
