/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the program from one packet of TACIT to the next, and finds out which program
 * it is. */
#include <stdlib.h>
#include <string.h>

#include "import/import_tacit.h"

enum { MOST_HITS = 1 << 24, MOST_JUMPS = 1 << 16, TRIAL_PACKETS = 1 << 10 };

/* Addresses have 40 bits, or all. */
uint64_t tr_tacit_absolute(uint64_t address)
{
	const uint64_t high = UINT64_MAX << TACIT_BITS;
	return address >> (TACIT_BITS - 1) == 1 ? address | high : address;
}

uint64_t tr_tacit_relative(const struct tr_import *im, uint64_t from, uint64_t change)
{
	const uint64_t high = UINT64_MAX << TACIT_BITS;
	const uint64_t to = from ^ change;
	if (im->xlen == 32)
		return (uint32_t)to;
	return change >> (TACIT_BITS - 1) == 1 ? to ^ high : to;
}

/* The next packet does not say where the program is. */
void tr_tacit_lose(struct tacit *t, const char *problem)
{
	t->path.known = false;
	t->problem = problem;
}

/* Runs to a transfer, through the jumps that have no packet. Returns its run, or NULL if
 * the program has another one there, or code that is not known. */
static const struct import_run *run_to(struct tr_import *im, struct tacit *t,
				       enum import_transfer transfer)
{
	static const char *const problems[] = {
	    [IMPORT_BRANCH] = "a branch in the program",
	    [IMPORT_JUMP] = "a jump in the program",
	    [IMPORT_INDIRECT] = "an indirect jump in the program",
	};
	const struct import_run *run = tr_path_run(im, &t->path);
	for (unsigned n = 0; t->predicts && run && run->transfer == IMPORT_JUMP &&
			     n < MOST_JUMPS && !im->status;
	     n++) {
		const uint64_t target = run->target;
		tr_path_take(im, &t->path, run, run->count);
		t->path.pc = target;
		run = tr_path_run(im, &t->path);
	}
	if (run && run->transfer == transfer)
		return run;
	tr_tacit_lose(t, run && run->transfer ? problems[transfer] : NULL);
	return NULL;
}

static void take_run_branch(struct tr_import *im, struct tacit *t,
			    const struct import_run *run, bool taken)
{
	const uint64_t to = taken ? run->target : run->end;
	tr_path_take(im, &t->path, run, run->count);
	t->path.pc = to;
}

/* Returns the prediction of the encoder's predictor, and updates it with whether that was
 * right. */
static bool predict_branch(struct tacit *t, uint64_t pc, bool is_right)
{
	uint8_t *counter = &t->counters[(pc >> 1) % t->entries];
	const bool guess = *counter >= 2, taken = guess == is_right;
	if (taken && *counter < 3)
		++*counter;
	else if (!taken && *counter > 0)
		--*counter;
	return guess;
}

static void take_predicted_hits(struct tr_import *im, struct tacit *t, uint64_t count)
{
	if (count > MOST_HITS) {
		tr_tacit_lose(t, "at most 16777216 predicted branches");
		return;
	}
	for (uint64_t i = 0;
	     i < count && t->path.known && !im->status && !im->sink->limited; i++) {
		const struct import_run *run = run_to(im, t, IMPORT_BRANCH);
		if (run)
			take_run_branch(im, t, run, predict_branch(t, run->last, true));
	}
}

static void take_reported_branch(struct tr_import *im, struct tacit *t, bool taken)
{
	const struct import_run *run = run_to(im, t, IMPORT_BRANCH);
	if (!run)
		return;
	if (t->predicts)
		taken = !predict_branch(t, run->last, false);
	take_run_branch(im, t, run, taken);
	tr_path_pass(im, &t->path, t->time);
}

static void take_jump(struct tr_import *im, struct tacit *t, const struct tacit_packet *p)
{
	const bool is_direct = p->kind == TACIT_JUMP;
	const struct import_run *run =
	    run_to(im, t, is_direct ? IMPORT_JUMP : IMPORT_INDIRECT);
	if (!run)
		return;
	const uint64_t to =
	    is_direct ? run->target : tr_tacit_relative(im, run->last, p->target);
	tr_path_take(im, &t->path, run, run->count);
	tr_path_pass(im, &t->path, t->time);
	t->path.pc = to;
}

/* Runs up to the instruction at `pc`, without it. */
void tr_tacit_before(struct tr_import *im, struct tacit *t, uint64_t pc)
{
	for (unsigned n = 0; t->path.pc != pc; n++) {
		const struct import_run *run = tr_path_run(im, &t->path);
		const uint32_t count = run ? tr_path_before(run, pc) : UINT32_MAX;
		if (count != UINT32_MAX) {
			tr_path_take(im, &t->path, run, count);
		} else if (run && t->predicts && run->transfer == IMPORT_JUMP &&
			   n < MOST_JUMPS) {
			take_run_branch(im, t, run, true);
		} else {
			tr_tacit_lose(t, run && run->transfer
					     ? "a program that comes to where "
					       "the packet says"
					     : NULL);
			return;
		}
	}
}

/* The packets between two transitions. */
void tr_tacit_flow(struct tr_import *im, struct tacit *t, const struct tacit_packet *p)
{
	if (p->kind == TACIT_TAKEN && t->predicts)
		take_predicted_hits(im, t, p->time);
	else if (p->kind == TACIT_TAKEN || p->kind == TACIT_NOT_TAKEN)
		take_reported_branch(im, t, p->kind == TACIT_TAKEN);
	else
		take_jump(im, t, p);
}

/* Returns the number of packets at `data` that a binary explains, UINT32_MAX for all up
 * to the next transition. */
static uint32_t count_tacit_explained(struct tr_import *im, const struct tacit *t,
				      uint32_t binary, const char *data, size_t size)
{
	uint8_t counters[TACIT_MODES * TACIT_ENTRIES];
	struct tacit dry = *t;
	dry.path.dry = true;
	dry.counters = counters;
	if (t->counters)
		memcpy(counters, t->counters, t->entries);
	tr_import_code_choose(im->code, t->path.place.context, binary);
	for (uint32_t n = 0; n < TRIAL_PACKETS; n++) {
		struct tacit_packet p;
		const int bytes =
		    tr_tacit_parse((const uint8_t *)data, size, t->has_priv, &p);
		if (bytes <= 0)
			return n;
		if (p.kind == TACIT_TRANSITION)
			tr_tacit_before(im, &dry, tr_tacit_absolute(p.from));
		else if (p.kind != TACIT_SYNC)
			tr_tacit_flow(im, &dry, &p);
		if (!dry.path.known)
			return n;
		if (p.kind == TACIT_TRANSITION || p.kind == TACIT_SYNC)
			break;
		data += bytes;
		size -= (size_t)bytes;
	}
	return UINT32_MAX;
}

/* Chooses the program that a context of user code runs, by what follows. */
void tr_tacit_choose(struct tr_import *im, struct tacit *t, const char *data, size_t size)
{
	const uint64_t context = t->path.place.context;
	uint32_t best = tr_import_code_chosen(im->code, context), most = 0;
	if (best != UINT32_MAX &&
	    tr_import_code_has(im->code, &t->path.place, best, t->path.pc))
		most = count_tacit_explained(im, t, best, data, size);
	for (uint32_t i = 0; most < UINT32_MAX && i < tr_import_code_count(im->code);
	     i++) {
		if (!tr_import_code_has(im->code, &t->path.place, i, t->path.pc))
			continue;
		const uint32_t n = count_tacit_explained(im, t, i, data, size);
		if (n >= most + (best != UINT32_MAX)) {
			best = i;
			most = n;
		}
	}
	if (best != UINT32_MAX)
		tr_import_code_choose(im->code, context, best);
}
