/* SPDX-License-Identifier: Apache-2.0 */
/* Probes of a replay: prints a line for each time that the programs reach one. */
#ifndef REPLAY_PROBING_H
#define REPLAY_PROBING_H

#include "probe/probe.h"
#include "replay.h"
#include "resolve.h"

struct probing;

struct probing_options {
	struct soc *soc;
	struct replay *replay;
	struct tr_probes *probes; /* resolved */
	const struct replay_place *places;
	FILE *out; /* for the lines */
};

/* What the options point to remains the caller's. Returns NULL if memory runs out. */
struct probing *probing_new(const struct probing_options *options);
/* Returns false if memory ran out, so that returns are missing. */
bool probing_done(const struct probing *p);
void probing_free(struct probing *p);

#endif
