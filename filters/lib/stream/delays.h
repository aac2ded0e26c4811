/* SPDX-License-Identifier: Apache-2.0 */
/* Delays: how many cycles a token takes, and what for. A machine has few, and the
 * stalls of all timings share them. tr-stream(5), "Timings".
 */
#ifndef TR_DELAYS_H
#define TR_DELAYS_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/status.h"
#include "stream/stream.h"

struct tr_delay {
	uint64_t cycles;
	const struct tr_run *runs;
	uint32_t nruns;
};

/* Zero-initialised is empty. Ids are numbers in the order of addition. */
struct tr_delays {
	struct tr_delay *list;
	size_t count, room;
	struct tr_arena arena; /* runs */
	struct tr_map ids;     /* the writer's: by hash, probing hash + 1, ... */
};

static inline bool tr_same_runs(const struct tr_run *a, const struct tr_run *b,
				uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (a[i].class != b[i].class || a[i].slots != b[i].slots)
			return false;
	return true;
}

static inline uint64_t tr_hash_runs(uint64_t hash, const struct tr_run *runs,
				    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		hash = tr_mix(hash * 31 + runs[i].slots) + runs[i].class;
	return hash;
}

void tr_delays_reset(struct tr_delays *);
void tr_delays_free(struct tr_delays *);
/* Appends; the runs are copied. TR_OK or TR_E_NOMEM. */
int tr_delays_add(struct tr_delays *, const struct tr_delay *);
/* Finds, or appends and sets *added. */
int tr_delays_find(struct tr_delays *, const struct tr_delay *, uint32_t *id,
		   bool *added);

#endif
