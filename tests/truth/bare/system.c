/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of bare-metal programs, and the spans of their assembly. */
#include "system.h"

#include <string.h>

#include "model/csr.h"
#include "spans.h"
#include "target/frame.h"

enum { MOST_SPANS = 64, INSN_MAX_BYTES = 4 };

struct span {
	uint64_t kind, begin, end;
};

static struct span spans[MOST_SPANS];
static size_t nspans;
static struct bare_task task;

bool bare_init(const struct machine *m)
{
	const struct tr_image *image = m->kernel->image;
	uint64_t begin, end;

	if (tr_image_symbol(image, "truth_spans", &begin) != TR_OK ||
	    tr_image_symbol(image, "truth_spans_end", &end) != TR_OK ||
	    end - begin > sizeof(spans) ||
	    !machine_read(m, 0, begin, spans, end - begin)) {
		fprintf(stderr, "truth: %s: no spans\n", tr_image_path(image));
		return false;
	}
	nspans = (end - begin) / sizeof(spans[0]);
	return true;
}

static const struct span *span_at(uint64_t pc)
{
	for (size_t i = 0; i < nspans; i++)
		if (pc - spans[i].begin < spans[i].end - spans[i].begin)
			return &spans[i];
	return NULL;
}

static uint64_t span_kind(uint64_t pc)
{
	const struct span *span = span_at(pc);

	return span ? span->kind : 0;
}

/* The C library's longjmp has no spans. */
static bool is_loading(const struct machine *m, uint64_t pc)
{
	const struct tr_function *function = tr_image_function_at(m->kernel->image, pc);
	struct op op = {.bytes = 0};

	if (!function || strcmp(function->name, "longjmp") != 0)
		return false;
	for (uint64_t at = function->low; at < pc; at += op.bytes) {
		op = code_at(m->kernel, at);
		if (op.kind == OP_LOAD)
			return true;
	}
	return false;
}

bool bare_is_leaving(const struct machine *m, uint64_t pc, uint64_t before)
{
	const struct span *span = span_at(pc);

	if (!span || span->kind != SPAN_LEAVING)
		return is_loading(m, pc);
	return span == span_at(before) || pc - before <= INSN_MAX_BYTES;
}

bool bare_is_entry(const struct machine *m, uint64_t pc)
{
	const struct tr_function *function = tr_image_function_at(m->kernel->image, pc);

	return function && function->entry == pc;
}

struct bare_task bare_task(void)
{
	return task;
}

static void begin(const struct machine *m, struct walk *walk)
{
	(void)m;
	task = (struct bare_task){0, ""};
	walk->thread = 0;
	walk->program = NULL;
}

static bool find(struct unwinding *u)
{
	u->binary = u->m->kernel;
	u->satp = 0;
	u->linked = u->r.pc;
	return true;
}

/* The first function of a task has no caller: it returns nowhere or, if it was started by
 * a return, to itself. */
static enum left pass(struct unwinding *u)
{
	if (u->r.pc != 0 && u->r.pc != u->function->entry)
		return LEFT_NOT;
	task = (struct bare_task){u->r.x[SP], u->function->name};
	return LEFT_ROOT;
}

static bool trap(const struct unwinding *u, struct walk *walk)
{
	(void)u;
	(void)walk;
	return true;
}

/* The task has a frame as if interrupted before its first instruction. */
static enum left by_start(struct unwinding *u)
{
	uint64_t pc;

	if (!walk_read64(u, u->r.x[SP] + FRAME_PC, &pc))
		return LEFT_LOST;
	const struct tr_function *first = tr_image_function_at(u->binary->image, pc);
	if (!first)
		return LEFT_LOST;
	task = (struct bare_task){u->r.x[SP] + FRAME_SIZE, first->name};
	return LEFT_ROOT;
}

static enum left by_span(struct unwinding *u)
{
	uint64_t kind = span_kind(u->is_exact ? u->linked : u->linked - 1);
	struct cfi_row row;

	if (kind == SPAN_START)
		return by_start(u);
	if (kind == SPAN_ROOT) {
		task = (struct bare_task){u->r.x[SP], u->function->name};
		return LEFT_ROOT;
	}
	if (kind != SPAN_ENTRY)
		return LEFT_NOT;
	const struct cfi_fde *fde = cfi_find(&u->binary->cfi, u->linked);
	if (!fde || !cfi_row_at(&u->binary->cfi, fde, u->linked, &row))
		return LEFT_NOT;
	u->r.x[SP] += (uint64_t)row.cfa_offset;
	return hand_leave_by_csr(u, machine_csr(u->m, CSR_MCAUSE));
}

static const struct hand_rule rules[] = {
    {NULL, "*", by_span, "as the spans of the program tell"},
    {NULL, NULL, NULL, NULL},
};

const struct walk_system bare_system = {
    .rules = rules, .begin = begin, .find = find, .pass = pass, .trap = trap};
