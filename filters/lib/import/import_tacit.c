/* SPDX-License-Identifier: Apache-2.0 */
/* TACIT, of Rocket and BOOM in Chipyard and of its branch of Spike: a packet for each
 * transfer of control, with its time (tacit_decoder/src/frontend/packet.rs).
 *
 * The low bits of the first byte are 0 for a taken branch, 1 for one that is not taken,
 * 3 for a jump, and then the others are the cycles since the packet before; or 2, and the
 * next three define what follows:
 *
 *     0, 1, 3  cycles                        taken, not taken, jump
 *     2        target, cycles                indirect jump
 *     4        [privileges, [context,]] from, target, cycles        trap or return
 *     5        [privileges, context, mode,] address, time           synchronisation
 *
 * Numbers have 7 bits a byte, the lowest first; bit 7 ends them. Addresses are halved,
 * and targets are exclusive-ored with the address of the instruction that goes there.
 * Older hardware has no privileges, contexts and mode. In the mode of prediction, the
 * first kind counts branches that a predictor got right, without a time, the second is
 * one that it did not, and jumps have no packet. */
#include "import/import_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "import/import_parse.h"
#include "import/import_tacit.h"

enum { TRIAL_BYTES = 1 << 12 }; /* to tell programs apart */

static bool tacit_recognises(const char *data, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)data;
	return size > 2 && bytes[0] == TACIT_BEGIN && (bytes[1] & 0xc7) == 0x80;
}

static const char *tacit_lacks(const struct tr_import *im)
{
	return (unsigned char)*im->data == TACIT_BEGIN ? "classes" : "priv,satp,classes";
}

static struct tacit *tacit_state(struct tr_import *im)
{
	struct tacit *t = im->own;
	if (t)
		return t;
	t = im->own = calloc(1, sizeof(*t));
	if (!t) {
		im->status = TR_E_NOMEM;
		return NULL;
	}
	t->has_priv = (unsigned char)im->data[im->begin] == TACIT_BEGIN;
	t->path.place.priv = IMPORT_PRIV_UNKNOWN;
	t->path.hart = im->first_hart;
	return t;
}

static void tacit_release(struct tr_import *im)
{
	struct tacit *t = im->own;
	if (!t)
		return;
	tr_path_release(&t->path);
	free(t->counters);
	free(t);
}

/* What no packet tells: of an exception, only calls of the environment are sure. */
static uint64_t infer_trap_cause(struct tr_import *im, struct tacit *t,
				 const struct tacit_packet *p, uint64_t from)
{
	const struct import_run *run;
	if (p->sub == TACIT_INTERRUPT)
		return TR_CAUSE_INTERRUPT;
	t->path.pc = from;
	t->path.known = true;
	run = tr_path_run(im, &t->path);
	if (!run || run->last != from || run->transfer != IMPORT_TRAP)
		return TR_CAUSE_UNKNOWN;
	if (run->code[0] != 0x73 || run->code[2] != 0)
		return 3;
	return t->has_priv ? 8 + (uint64_t)p->from_priv : TR_CAUSE_UNKNOWN;
}

static void take_tacit_trap(struct tr_import *im, struct tacit *t,
			    const struct tacit_packet *p, uint64_t from)
{
	struct tr_event trap = {.kind = TR_EV_TRAP};
	trap.u.trap.epc = from;
	if (!t->path.known)
		tr_path_gap(im, &t->path, t->time, TR_GAP_LOST);
	else if (t->predicts) /* the time is of all that ran since the last packet */
		tr_path_pass(im, &t->path, t->time);
	else
		tr_path_pass_before(im, &t->path, t->time);
	trap.u.trap.cause = infer_trap_cause(im, t, p, from);
	tr_import_trap_at(im, &trap, t->path.hart, t->time);
}

static void take_return(struct tr_import *im, struct tacit *t,
			const struct tacit_packet *p, uint64_t from)
{
	if (!t->path.known)
		tr_path_gap(im, &t->path, t->time - 1, TR_GAP_LOST);
	t->path.pc = from;
	t->path.known = true;
	const struct import_run *run = tr_path_run(im, &t->path);
	if (run && run->last == from && run->transfer == IMPORT_XRET)
		tr_path_take(im, &t->path, run, run->count);
	else
		tr_tacit_lose(t, run ? "a return in the program" : NULL);
	if (t->path.known)
		tr_path_pass(im, &t->path, t->time);
	else
		tr_path_gap(im, &t->path, t->time, TR_GAP_LOST);
	if (t->has_priv && p->to_priv == TR_PRIV_U &&
	    p->context != t->path.place.context) {
		t->path.place.context = p->context;
		tr_import_satp(im, t->path.hart, tr_path_satp(p->context));
	}
}

static void take_transition(struct tr_import *im, struct tacit *t,
			    const struct tacit_packet *p)
{
	const uint64_t from = tr_tacit_absolute(p->from);
	if (t->path.known)
		tr_tacit_before(im, t, from);
	if (p->sub == TACIT_RETURN)
		take_return(im, t, p, from);
	else
		take_tacit_trap(im, t, p, from);
	if (t->has_priv)
		t->path.place.priv = p->to_priv;
	t->path.pc = tr_tacit_relative(im, from, p->target);
	t->path.known = true;
}

static bool set_mode(struct tr_import *im, struct tacit *t, uint8_t mode)
{
	t->predicts = (mode & 3) == TACIT_PREDICTS;
	t->entries = (uint32_t)(mode >> 2) * TACIT_ENTRIES;
	free(t->counters);
	t->counters = NULL;
	if (!t->predicts)
		return (mode & 3) == 0;
	t->counters = t->entries ? malloc(t->entries) : NULL;
	if (t->entries && !t->counters)
		im->status = TR_E_NOMEM;
	if (t->counters)
		memset(t->counters, 1, t->entries);
	return t->counters;
}

static void start_tacit_path(struct tr_import *im, struct tacit *t,
			     const struct tacit_packet *p)
{
	const struct tr_context context = {.priv = t->has_priv ? p->to_priv : TR_PRIV_M,
					   .satp = tr_path_satp(p->context)};
	const uint64_t before = p->time ? p->time - 1 : 0;
	const bool moves = t->begun && t->has_priv && p->context != t->path.place.context;
	if (!t->begun)
		tr_import_begin(im, t->path.hart, before, &context);
	t->begun = true;
	if (t->has_priv)
		t->path.place = (struct import_place){p->context, p->to_priv};
	tr_path_gap(im, &t->path, before, t->on ? TR_GAP_LOST : TR_GAP_UNTRACED);
	if (moves)
		tr_import_satp(im, t->path.hart, context.satp);
	t->on = true;
	if (t->has_priv && !set_mode(im, t, p->mode))
		t->problem = "the mode of branch targets, or that of prediction";
}

/* Tracing ends, or an address is given again. */
static void synchronise_tacit(struct tr_import *im, struct tacit *t,
			      const struct tacit_packet *p, bool ends)
{
	const uint64_t pc = tr_tacit_absolute(p->target);
	tr_tacit_before(im, t, pc);
	if (!t->path.known) {
		tr_path_gap(im, &t->path, t->time, TR_GAP_LOST);
		t->path.pc = pc;
		t->path.known = true;
	}
	tr_path_pass_before(im, &t->path, t->time);
	const struct import_run *run = ends ? tr_path_run(im, &t->path) : NULL;
	if (run) {
		tr_path_take(im, &t->path, run, 1);
		tr_path_pass(im, &t->path, t->time);
	}
	t->on = !ends;
}

static void take_sync(struct tr_import *im, struct tacit *t, const struct tacit_packet *p)
{
	const bool starts = t->has_priv ? p->sub == TACIT_START : !t->on;
	const bool ends = t->has_priv ? p->sub == TACIT_END : t->on;
	if (t->begun && p->time < t->time) {
		t->problem = "a later time";
		return;
	}
	t->time = p->time;
	if (starts)
		start_tacit_path(im, t, p);
	else
		synchronise_tacit(im, t, p, ends);
	if (t->has_priv)
		t->path.place.priv = p->to_priv;
	t->path.pc = tr_tacit_absolute(p->target);
	t->path.known = !ends;
}

static void take_packet(struct tr_import *im, struct tacit *t,
			const struct tacit_packet *p)
{
	const bool counts = t->predicts && p->kind == TACIT_TAKEN;
	t->problem = NULL;
	if (p->kind == TACIT_SYNC) {
		take_sync(im, t, p);
		return;
	}
	if (!t->on) {
		t->problem = "a packet of synchronisation";
		return;
	}
	if (!counts && p->time >= TR_MAX_CYCLES) {
		t->problem = "fewer cycles";
		return;
	}
	t->time += counts ? 0 : p->time;
	if (p->kind == TACIT_TRANSITION)
		take_transition(im, t, p);
	else if (t->path.known)
		tr_tacit_flow(im, t, p);
}

/* Returns true if a packet may lead to another program. */
static bool may_enter_user(const struct tacit *t, const struct tacit_packet *p)
{
	const bool is_return = p->kind == TACIT_TRANSITION && p->sub == TACIT_RETURN;
	return (p->kind == TACIT_SYNC || is_return) &&
	       (!t->has_priv || p->to_priv == TR_PRIV_U);
}

/* Reports a problem of the packet at `offset`. Returns true to go on. */
static bool report_tacit_problem(struct tr_import *im, const char *problem,
				 uint64_t offset)
{
	const struct import_line none = {"", "", ""};
	im->offset = offset;
	return tr_import_expect(im, &none, problem) || tr_import_skip(im);
}

static size_t tacit_take_bytes(struct tr_import *im, const char *data, size_t size)
{
	struct tacit *t = tacit_state(im);
	const uint64_t offset = im->offset;
	size_t at = 0;
	while (!im->status && !im->sink->limited && at < size) {
		struct tacit_packet p;
		const int bytes = tr_tacit_parse((const uint8_t *)data + at, size - at,
						 t->has_priv, &p);
		if (bytes == 0 || (bytes > 0 && may_enter_user(t, &p) && !im->ended &&
				   size - at < TRIAL_BYTES))
			break;
		if (bytes < 0) {
			report_tacit_problem(im, "a packet of TACIT", offset + at);
			im->status = TR_E_CORRUPT;
			break;
		}
		take_packet(im, t, &p);
		if (t->problem && !report_tacit_problem(im, t->problem, offset + at))
			break;
		at += (size_t)bytes;
		if (may_enter_user(t, &p) && t->path.known)
			tr_tacit_choose(im, t, data + at, size - at);
	}
	im->offset = offset;
	return at;
}

/* Branches whose time was not told. */
static void tacit_end(struct tr_import *im)
{
	struct tacit *t = im->own;
	if (!t || !t->begun)
		return;
	if (t->path.known)
		tr_path_pass_before(im, &t->path, UINT64_MAX);
	tr_path_gap(im, &t->path, t->time, TR_GAP_LOST);
}

static void tacit_remark(const struct tr_import *im, char *text, size_t size)
{
	const struct tacit *t = im->own;
	if (t && t->path.lost)
		snprintf(text, size,
			 "%" PRIu64 " cycle%s lost, in code that is in none of the "
			 "binaries, or not as it ran",
			 t->path.lost, t->path.lost == 1 ? " is" : "s are");
}

const struct import_kind tr_import_tacit = {
    .format = {"tacit", "TACIT's packets, with --bins"},
    .has_cycles = true,
    .needs_code = true,
    .recognises_bytes = tacit_recognises,
    .lacks = tacit_lacks,
    .take_bytes = tacit_take_bytes,
    .end = tacit_end,
    .remark = tacit_remark,
    .release = tacit_release,
};
