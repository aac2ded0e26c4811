/* SPDX-License-Identifier: Apache-2.0 */
/* Reads counters in FireSim's AutoCounter CSV format, version 1.
 *
 * Seven header lines give each counter's label, description, type and widths. Each
 * further line is a sample: the cycle of the base clock, and the counters, which are
 * totals since the beginning:
 *
 *   version,1
 *   Clock Domain Name, core, Base Multiplier, 1, Base Divisor, 1
 *   label,local_cycle,instructions_retired
 *   "description","cycles","instructions that committed"
 *   type,Accumulate,Accumulate
 *   event width,1,1
 *   accumulator width,64,64
 *   100000,100000,64812
 * */
#ifndef TR_AUTOCOUNTER_H
#define TR_AUTOCOUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { TR_AUTOCOUNTER_MOST = 65536 }; /* maximum number of counters */

struct tr_autocounter {
	char **labels;
	bool *is_sum; /* type Accumulate; otherwise an instantaneous value */
	uint64_t *values;
	uint32_t count;
	uint64_t cycle; /* of the base clock */
	uint64_t line;	/* line that was read last, from 1 */
	struct tr_autocounter_state *state;
};

/* Opens `path` ("-" is standard input) and reads the header lines. Returns TR_OK,
 * TR_E_IO, TR_E_CORRUPT, TR_E_UNSUPPORTED (another version) or TR_E_NOMEM. On failure
 * `message` is "run.csv: line 3: reason". Call tr_autocounter_close() in any case. */
int tr_autocounter_open(struct tr_autocounter *a, const char *path, char *message,
			size_t size);
/* Reads the next sample into `values`. Returns TR_OK, TR_END after the last one, or an
 * error, with `message` set. A decreasing total and an incomplete last line are
 * corrupt. */
int tr_autocounter_next(struct tr_autocounter *a, char *message, size_t size);
void tr_autocounter_close(struct tr_autocounter *a);

/* Returns the index of the counter with that label, or `count`. */
uint32_t tr_autocounter_find(const struct tr_autocounter *a, const char *label);

#endif
