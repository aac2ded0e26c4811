/* SPDX-License-Identifier: Apache-2.0 */
/* Inspects the machine in one cycle of a trace. */
#ifndef REPLAY_INSPECT_H
#define REPLAY_INSPECT_H

#include <stdio.h>

#include "replay.h"

struct inspection;

struct inspection_options {
	struct soc *soc;
	struct replay *replay;
	unsigned hart;
	uint64_t cycle;
	/* To be evaluated, with the types of the program whose code the hart executes, or
	 * else of the first of `programs`, and of the kernels that tr-match has found,
	 * that has what the expression names; without any, registers are printed. */
	const char *const *expressions;
	size_t nexpressions;
	const char *const *programs; /* paths */
	size_t nprograms;
	const struct tr_header *header; /* of the trace, for binaries of its notes */
	FILE *out;
};

/* Prints when the hart is before the first instruction that commits in the cycle or
 * later. What the options point to must exist until inspection_free(). Returns NULL if
 * memory runs out. */
struct inspection *inspection_new(const struct inspection_options *options);
void inspection_free(struct inspection *inspection);
/* Returns whether it has come so far. */
bool inspection_found(const struct inspection *inspection);
/* Returns the reason why an expression could not be evaluated, or NULL. */
const char *inspection_message(const struct inspection *inspection);

#endif
