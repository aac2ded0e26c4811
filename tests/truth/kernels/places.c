/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the running task and its stack. */
#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "../bare/spans.h"
#include "../hand.h"
#include "areas.h"
#include "model/csr.h"

enum { MOST_SPANS = 64, ECALL_BYTES = 4 };

struct span {
	uint64_t kind, begin, end;
};

static struct span spans[MOST_SPANS];
static size_t nspans;
static uint64_t areas_at;
static struct place_task tasks[PLACE_TASKS];
static unsigned ntasks;

/* The walk in progress. */
static const struct place_task *walked;
static uint64_t walked_top; /* of its stack; 0: unknown */

static bool read_spans(const struct machine *m)
{
	const struct tr_image *image = m->kernel->image;
	uint64_t begin, end;

	if (tr_image_symbol(image, "truth_spans", &begin) != TR_OK ||
	    tr_image_symbol(image, "truth_spans_end", &end) != TR_OK ||
	    end - begin > sizeof(spans))
		return false;
	nspans = (end - begin) / sizeof(spans[0]);
	return machine_read(m, 0, begin, spans, end - begin);
}

bool places_init(const struct machine *m)
{
	const struct tr_image *image = m->kernel->image;

	if (read_spans(m) && tr_image_symbol(image, "truth_areas", &areas_at) == TR_OK)
		return true;
	fprintf(stderr, "truth: %s: no spans or areas\n", tr_image_path(image));
	return false;
}

void places_free(void)
{
	for (unsigned i = 0; i < ntasks; i++)
		for (unsigned k = 0; k < PLACE_TRAPS; k++)
			free(tasks[i].traps[k]);
}

/* Returns the address of the next instruction in the file, which is linked at physical
 * addresses. */
static uint64_t linked_pc(const struct machine *m)
{
	uint64_t pc = soc_pc(m->soc, m->hart), linked;

	return soc_translate(m->soc, m->hart, pc, &linked) ? linked : pc;
}

static uint64_t span_kind(uint64_t pc)
{
	for (size_t i = 0; i < nspans; i++)
		if (pc - spans[i].begin < spans[i].end - spans[i].begin)
			return spans[i].kind;
	return 0;
}

/* Gets the area with the hart's sp, which may be at its end, and the address of that. */
static bool find_area(const struct machine *m, struct truth_area *area, uint64_t *top)
{
	struct truth_area areas[AREAS];
	uint64_t sp = soc_x(m->soc, m->hart, SP), at;

	if (!soc_translate(m->soc, m->hart, sp - 1, &at) ||
	    !machine_read(m, 0, areas_at, areas, sizeof(areas)))
		return false;
	for (unsigned i = 0; i < AREAS && areas[i].end; i++)
		if (at - areas[i].begin < areas[i].end - areas[i].begin) {
			*area = areas[i];
			*top = sp + (area->end - (at + 1));
			return true;
		}
	return false;
}

static struct place_task *find_task(uint32_t number)
{
	for (unsigned i = ntasks; i-- > 0;)
		if (tasks[i].number == number)
			return &tasks[i];
	if (ntasks == PLACE_TASKS) {
		fprintf(stderr, "truth: too many tasks\n");
		exit(2);
	}
	tasks[ntasks].number = number;
	return &tasks[ntasks++];
}

unsigned places_tasks(void)
{
	return ntasks;
}

unsigned place_index(const struct place_task *task)
{
	return (unsigned)(task - tasks);
}

const struct place_task *place_task(unsigned index)
{
	return &tasks[index];
}

static void keep_trap(const struct machine *m, struct place *place, uint64_t cause)
{
	struct place_task *task = place->task;
	const struct walk *walk = &place->walk;
	struct place_trap *trap;

	if (task->ntraps == PLACE_TRAPS || walk->count > PLACE_FRAMES) {
		fprintf(stderr, "truth: too many traps or frames\n");
		exit(2);
	}
	if (!task->traps[task->ntraps])
		task->traps[task->ntraps] = malloc(sizeof(*trap));
	trap = task->traps[task->ntraps];
	if (!trap)
		exit(2);
	task->ntraps++;
	trap->cause = cause;
	trap->sp = soc_x(m->soc, m->hart, SP);
	trap->lost = walk->lost;
	trap->count = walk->count;
	memcpy(trap->frames, walk->frames, walk->count * sizeof(walk->frames[0]));
}

static void begin(const struct machine *m, struct walk *walk)
{
	(void)m;
	walk->thread = 0;
	walk->program = NULL;
}

static bool find(struct unwinding *u)
{
	u->binary = u->m->kernel;
	u->satp = u->priv == PRIV_M ? 0 : machine_csr(u->m, CSR_SATP);
	return machine_translate(u->m, u->satp, u->r.pc, &u->linked);
}

/* Leaves the outermost function since the task's newest trap, if there is one. */
static enum left leave_trap(struct unwinding *u)
{
	if (!walked->ntraps)
		return LEFT_ROOT;
	u->cause = walked->traps[walked->ntraps - 1]->cause;
	return LEFT_TRAP;
}

/* The first function of a task begins at the top of its stack; so does one that handles a
 * trap of U-mode on its kernel stack. */
static enum left pass(struct unwinding *u)
{
	return u->r.x[SP] == walked_top ? leave_trap(u) : LEFT_NOT;
}

/* Adds the interrupted stack. */
static bool trap(const struct unwinding *u, struct walk *walk)
{
	unsigned i = walked->ntraps;
	const struct place_trap *kept = walked->traps[i - 1];

	(void)u;
	for (unsigned k = 0; k < kept->count; k++)
		if (!walk_push(walk, kept->frames[k].name, kept->frames[k].binary,
			       kept->frames[k].pc))
			break;
	walk->lost = kept->lost;
	walk->traps = i;
	return false;
}

static enum left by_span(struct unwinding *u)
{
	switch (span_kind(u->is_exact ? u->linked : u->linked - 1)) {
	case SPAN_TRAP:
		return leave_trap(u);
	case SPAN_ROOT:
	case SPAN_OWNER:
		return LEFT_ROOT;
	default:
		return LEFT_NOT;
	}
}

static const struct hand_rule rules[] = {
    {NULL, "*", by_span, "as the spans of the program tell"},
    {NULL, NULL, NULL, NULL},
};

static const struct walk_system kernel_system = {
    .rules = rules, .begin = begin, .find = find, .pass = pass, .trap = trap};

/* While registers are loaded for the next task, the stack stays that of the last one,
 * also when code jumps to another function. */
static void stay(const struct machine *m, struct place *place, uint64_t pc)
{
	const struct tr_function *function = tr_image_function_at(m->kernel->image, pc);

	place->walk.frames[0].pc = pc;
	if (function)
		place->walk.frames[0].name = function->name;
}

/* Ends the trap that the hart returns from, if that was not done otherwise: the newest
 * one that has interrupted this instruction, or an ecall before it, with the same sp. */
static void end_trap(const struct machine *m, struct place_task *task)
{
	uint64_t pc = soc_pc(m->soc, m->hart), sp = soc_x(m->soc, m->hart, SP);

	for (unsigned i = task->ntraps; i-- > 0;)
		if (sp == task->traps[i]->sp &&
		    pc - task->traps[i]->frames[0].pc <= ECALL_BYTES) {
			task->ntraps = i;
			return;
		}
}

static void find_place(const struct machine *m, struct place *place, uint64_t kind)
{
	struct truth_area area;
	bool is_found = find_area(m, &area, &walked_top);

	if (!place->task)
		place->task = find_task(m->hart);
	if (is_found && (area.kind != AREA_INTERRUPT || kind == SPAN_OWNER))
		place->task = find_task(area.task);
	if (kind == SPAN_OWNER)
		place->task->ntraps = 0;
	if (place->is_xret)
		end_trap(m, place->task);
	walked = place->task;
	if (!is_found || area.kind != AREA_TASK)
		walked_top = 0;
}

/* Updates is_leaving, for an instruction in a span of that kind, or not. */
static void follow_leaving(const struct machine *m, struct place *place, bool is_trap,
			   bool is_inside)
{
	bool was_call = code_at(m->kernel, place->pc).kind == OP_CALL;

	if (is_trap)
		place->is_trapped = place->is_leaving;
	else if (place->is_xret)
		place->is_trapped = false;
	if (is_inside)
		place->is_called = false;
	else if (!is_trap && place->is_leaving && was_call)
		place->is_called = true;
	place->is_xret &= !is_trap;
	place->is_leaving = is_inside || place->is_trapped || place->is_called;
}

void place_inspect(const struct machine *m, struct place *place,
		   const struct soc_trap *trap)
{
	uint64_t pc = linked_pc(m), kind = span_kind(pc);

	if (trap && !place->is_leaving)
		keep_trap(m, place, trap->cause);
	follow_leaving(m, place, trap != NULL, kind == SPAN_LEAVING);
	if (place->is_leaving) {
		stay(m, place, pc);
	} else {
		find_place(m, place, kind);
		walk_stack(m, &kernel_system, &place->walk);
	}
	place->is_xret = code_at(m->kernel, pc).kind == OP_XRET;
	place->pc = pc;
}
