/* SPDX-License-Identifier: Apache-2.0 */
/* A sampled run: the functional model executes all of a program; at each sample point a
 * child process, which shares its memory copy on write, executes a few instructions on
 * the hardware, from caches that hold what the last uses of memory leave in them.
 *
 * Sample points are stratified: one, at a random place, in each interval of instructions.
 * The method is that of SMARTS (Wunderlich, Wenisch, Falsafi and Hoe, ISCA 2003), with
 * the memory timestamp record of model/uses.h in place of functional warming. */
#ifndef SAMPLE_SAMPLING_H
#define SAMPLE_SAMPLING_H

#include "run/machine.h"

struct soc;

struct sampling_options {
	uint64_t windows;  /* wanted; 0: `interval` is given */
	uint64_t interval; /* instructions between sample points; 0: `windows` is given */
	uint64_t length;   /* instructions of a window */
	uint64_t warm;	   /* instructions before it, on the hardware */
	uint64_t seed;	   /* of the places */
	unsigned jobs;	   /* child processes at a time; the run does not depend on it */
	uint64_t undilated;  /* 1: time is as if each instruction took one cycle */
	const char *classes; /* names of the hardware's classes of lost cycles */
	unsigned width;	     /* commit slots of a cycle */
	unsigned sets, ways; /* of its last cache, which has LRU replacement */
};

#define SAMPLING_DEFAULTS                                                                \
	{                                                                                \
		.windows = 3000, .length = 1000, .warm = 20000, .seed = 1, .jobs = 2     \
	}

/* Parses "windows=3000,length=1k,warm=20k,...", which it changes while it does. Returns
 * false with the part that is wrong, which then is the end of the text. */
bool sampling_parse(struct sampling_options *options, char *text, const char **wrong);

struct sampling;

/* Makes a machine of the model (functional/model_machine.h), which records uses of
 * memory, a sampled one: its machine.sample is set. `hardware` is a machine at reset with
 * the model's RAM. Both stay the caller's. Returns NULL if memory runs out. */
struct sampling *sampling_new(const struct sampling_options *options,
			      struct machine *model, struct machine *hardware);
/* Ends the children. */
void sampling_free(struct sampling *sampling);

#endif
