/* SPDX-License-Identifier: Apache-2.0 */
/* Probes of a replay: evaluates them each time that the programs reach one. */
#ifndef REPLAY_PROBING_H
#define REPLAY_PROBING_H

#include "probe/probe.h"
#include "replay.h"
#include "resolve.h"
#include "watch.h"

struct probing;

struct probing_options {
	struct soc *soc;
	struct replay *replay;
	struct tr_probes *probes; /* resolved */
	const struct replay_place *places;
	/* Called for each hit; what it points to is valid during the call. */
	void (*hit)(void *user, const struct replay_reached *at,
		    const struct tr_probe_hit *hit);
	void *user;
};

/* What the options point to remains the caller's. Returns NULL if memory runs out. */
struct probing *probing_new(const struct probing_options *options);
/* Returns false if memory ran out, so that returns are missing. */
bool probing_done(const struct probing *p);
/* Returns whether a hart takes no interrupts at the end, longer than any hit tells: the
 * hart, and the cycles from and to. */
bool probing_masked_at_end(const struct probing *p, unsigned *hart, uint64_t *from,
			   uint64_t *to);
void probing_free(struct probing *p);

/* Prints a hit as a line: "4711 hart 0 exec pid=19 ...". */
void probing_print(FILE *out, const struct tr_probes *probes,
		   const struct replay_reached *at, const struct tr_probe_hit *hit);

#endif
