/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/runs.h"

#include <string.h>

enum { MOST_SLOTS = UINT32_MAX - 1 }; /* of a run: tr-stream(5) */

static void join_equal_classes(struct tr_runs *r)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < r->count; i++) {
		const struct tr_run run = r->runs[i];
		unsigned to = 0;
		while (to < kept && (r->runs[to].class != run.class ||
				     r->runs[to].slots > MOST_SLOTS - run.slots))
			to++;
		if (to == kept)
			r->runs[kept++] = run;
		else
			r->runs[to].slots += run.slots;
	}
	r->count = kept;
}

bool tr_runs_lose(struct tr_runs *r, unsigned why, uint64_t slots)
{
	struct tr_run *last = r->count ? &r->runs[r->count - 1] : NULL;
	if (last && last->class == why && slots <= MOST_SLOTS - last->slots) {
		last->slots += (uint32_t)slots;
		return true;
	}
	while (slots) {
		const uint64_t part = slots < MOST_SLOTS ? slots : MOST_SLOTS;
		if (r->count == TR_TOKEN_MAX_RUNS)
			join_equal_classes(r);
		if (r->count == TR_TOKEN_MAX_RUNS)
			return false;
		r->runs[r->count++] =
		    (struct tr_run){.slots = (uint32_t)part, .class = (uint8_t)why};
		slots -= part;
	}
	return true;
}

unsigned tr_runs_move(struct tr_runs *r, struct tr_run *to)
{
	const unsigned count = r->count;
	memcpy(to, r->runs, count * sizeof(*to));
	r->count = 0;
	return count;
}
