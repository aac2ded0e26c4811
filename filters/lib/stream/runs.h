/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the lost slots of a token, for sources that find them one after the other. */
#ifndef TR_RUNS_H
#define TR_RUNS_H

#include "stream/stream.h"

/* Runs in the order of time. All zero is empty. */
struct tr_runs {
	struct tr_run runs[TR_TOKEN_MAX_RUNS];
	unsigned count;
};

/* Adds slots lost to a class below TR_MAX_CLASSES. If a token cannot have more runs,
 * those of equal classes are joined: the sums stay right, the order is lost. Returns
 * false if there are more slots than a token can tell. */
bool tr_runs_lose(struct tr_runs *runs, unsigned why, uint64_t slots);
/* Moves them to `to`, which has room for TR_TOKEN_MAX_RUNS. Returns their number. */
unsigned tr_runs_move(struct tr_runs *runs, struct tr_run *to);

#endif
