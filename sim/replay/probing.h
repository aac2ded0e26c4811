/* SPDX-License-Identifier: Apache-2.0 */
/* Probes of a replay: prints a line for each time that the programs reach one. */
#ifndef REPLAY_PROBING_H
#define REPLAY_PROBING_H

#include "probe/probe.h"
#include "replay.h"

struct probing;

/* `probes` are resolved, remain the caller's, and are of programs at fixed addresses that
 * do not run in U-mode. Lines go to `out`. Returns NULL if memory runs out. */
struct probing *probing_new(struct soc *soc, struct replay *replay,
			    struct tr_probes *probes, FILE *out);
/* Returns false if memory ran out, so that returns are missing. */
bool probing_done(const struct probing *p);
void probing_free(struct probing *p);

#endif
