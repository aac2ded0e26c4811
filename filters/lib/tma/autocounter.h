/* SPDX-License-Identifier: Apache-2.0 */
/* Reads counters in FireSim's AutoCounter CSV, version 1.
 *
 * Seven lines tell of each counter its label, description, type and widths; then
 * comes a line for each sample: the cycle of the base clock, and the counters, which
 * are sums since the beginning:
 *
 *   version,1
 *   Clock Domain Name, core, Base Multiplier, 1, Base Divisor, 1
 *   label,local_cycle,instructions_retired
 *   "description","cycles","instructions that committed"
 *   type,Accumulate,Accumulate
 *   event width,1,1
 *   accumulator width,64,64
 *   100000,100000,64812
 */
#ifndef TR_AUTOCOUNTER_H
#define TR_AUTOCOUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { TR_AUTOCOUNTER_MOST = 65536 }; /* counters */

struct tr_autocounter {
	char **labels;
	bool *is_sum; /* type Accumulate; else a value of the moment */
	uint64_t *values;
	uint32_t count;
	uint64_t cycle; /* of the base clock */
	uint64_t line;	/* that was read last, from 1 */
	struct tr_autocounter_state *state;
};

/* Opens `path` ("-": standard input) and reads the seven lines. On failure, here and
 * below, `message` is "run.csv: line 3: reason", and tr_autocounter_close is due all
 * the same. TR_OK; TR_E_IO; TR_E_CORRUPT; TR_E_UNSUPPORTED: another version;
 * TR_E_NOMEM. */
int tr_autocounter_open(struct tr_autocounter *a, const char *path, char *message,
			size_t size);
/* The next sample, into `values`. TR_END after the last. A sum that becomes less, and
 * a last line without its end, are corrupt. */
int tr_autocounter_next(struct tr_autocounter *a, char *message, size_t size);
void tr_autocounter_close(struct tr_autocounter *a);

/* The counter of that label, or `count`. */
uint32_t tr_autocounter_find(const struct tr_autocounter *a, const char *label);

#endif
