/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which of several programs at the same addresses runs, by the packets of
 * E-Trace that follow. */
#include "import/import_etrace.h"

enum { TRIAL_PACKETS = 1 << 10, TRIAL_HITS = 1 << 16 };

enum verdict { TRIAL_FITS, TRIAL_ENDS, TRIAL_FAILS };

static bool is_there(const struct etrace *t, const struct etrace_packet *p)
{
	const struct import_place *place = &t->trial.path.place;
	return p->priv == place->priv &&
	       (t->params.nocontext || p->context == place->context);
}

/* Follows a packet in the place of the trial, or waits for its return to there. */
static enum verdict try_packet(struct tr_import *im, struct etrace *t,
			       const struct etrace_packet *p)
{
	struct etrace_hart *h = &t->trial;
	if (p->format == ETRACE_SYNC && p->subformat == ETRACE_CONTEXT)
		return TRIAL_FITS;
	if (p->format == ETRACE_SYNC &&
	    (p->subformat != ETRACE_START || !is_there(t, p))) {
		h->trapped = true;
		return TRIAL_ENDS;
	}
	if (h->trapped && p->format != ETRACE_SYNC)
		return TRIAL_FITS;
	if (h->trapped) {
		h->address = p->address;
		tr_etrace_reset(t, h);
		tr_etrace_arrive(im, t, h,
				 tr_etrace_whole(&t->params, im->xlen, p->address),
				 !p->branch);
		h->trapped = false;
	} else {
		tr_etrace_take(im, t, h, p);
	}
	return h->path.known ? TRIAL_FITS : TRIAL_FAILS;
}

/* Parses the next packet of the source, and steps over it. Returns false if there is none
 * at hand. */
static bool next_packet(struct etrace *t, struct etrace_trial *rest,
			struct etrace_packet *p)
{
	struct etrace_body body;
	do {
		const int bytes = tr_etrace_unwrap(
		    &t->params, (const uint8_t *)rest->data, rest->size, &body);
		if (bytes <= 0)
			return false;
		rest->data += bytes;
		rest->size -= (size_t)bytes;
	} while (body.is_null || body.is_other || body.source != rest->source);
	return !tr_etrace_parse(&t->params, t->trial.modes, &body, p);
}

/* Returns the number of packets that a binary explains, UINT32_MAX for all of a short
 * trial: up to the next trap. */
static uint32_t count_etrace_explained(struct tr_import *im, struct etrace *t,
				       const struct etrace_trial *trial, bool is_short)
{
	struct etrace_trial rest = *trial;
	uint64_t hits = 0;
	for (uint32_t n = 0; n < TRIAL_PACKETS; n++) {
		struct etrace_packet p;
		if (!next_packet(t, &rest, &p))
			return n;
		hits += p.hits;
		if (hits > TRIAL_HITS)
			return n;
		const enum verdict verdict = try_packet(im, t, &p);
		if (verdict == TRIAL_FAILS)
			return n;
		if (verdict == TRIAL_ENDS && is_short)
			break;
	}
	return UINT32_MAX;
}

static uint32_t try_binary(struct tr_import *im, struct etrace *t,
			   const struct etrace_trial *trial, uint32_t binary,
			   bool is_short)
{
	struct etrace_hart *h = &t->trial;
	const uint64_t losses = t->losses;
	tr_import_code_choose(im->code, trial->place.context, binary);
	h->path.place = trial->place;
	h->path.dry = true;
	h->path.hart = trial->hart->path.hart;
	h->modes = trial->hart->modes;
	h->address = trial->address;
	h->pending = h->inferred = h->trapped = false;
	tr_etrace_reset(t, h);
	tr_etrace_arrive(im, t, h, tr_etrace_whole(&t->params, im->xlen, trial->address),
			 trial->taken);
	const uint32_t n =
	    h->path.known ? count_etrace_explained(im, t, trial, is_short) : 0;
	t->losses = losses;
	t->problem = NULL;
	return n;
}

void tr_etrace_choose(struct tr_import *im, struct etrace *t,
		      const struct etrace_trial *trial)
{
	const uint64_t context = trial->place.context;
	const uint64_t pc = tr_etrace_whole(&t->params, im->xlen, trial->address);
	uint32_t best = tr_import_code_chosen(im->code, context), most = 0;
	uint32_t candidates = 0;
	for (uint32_t i = 0; i < tr_import_code_count(im->code); i++)
		candidates += tr_import_code_has(im->code, &trial->place, i, pc);
	if (candidates < 2)
		return;
	if (!t->trial.begun && !tr_etrace_tables(t, &t->trial)) {
		im->status = TR_E_NOMEM;
		return;
	}
	t->trial.begun = true;
	if (best != UINT32_MAX && tr_import_code_has(im->code, &trial->place, best, pc)) {
		if (try_binary(im, t, trial, best, true) == UINT32_MAX)
			return;
		most = try_binary(im, t, trial, best, false);
	}
	for (uint32_t i = 0; most < UINT32_MAX && i < tr_import_code_count(im->code);
	     i++) {
		if (!tr_import_code_has(im->code, &trial->place, i, pc))
			continue;
		const uint32_t n = try_binary(im, t, trial, i, false);
		if (n >= most + (best != UINT32_MAX)) {
			best = i;
			most = n;
		}
	}
	if (best != UINT32_MAX)
		tr_import_code_choose(im->code, context, best);
}
