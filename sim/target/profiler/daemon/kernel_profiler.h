/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's part of the profiler, /proc/profiler/ (prof_abi.h): samples of all harts,
 * and notices of programs that begin and of processes that are forked and end. Functions
 * that may fail return false with the trouble set. */
#ifndef KERNEL_PROFILER_H
#define KERNEL_PROFILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon_config.h"
#include "run/trouble.h"
#include "target/linux/driver/profiler/prof_abi.h"

struct kernel_profiler {
	int notices, samples;
	uint32_t rate; /* samples a second on each hart, while it is not idle */
};

/* Registers the calling process as the daemon, which then gets SIGIO when a program
 * begins, and opens the samples. Another daemon is a trouble. */
bool open_kernel_profiler(struct kernel_profiler *kernel, struct trouble *trouble);
/* Sampling ends, and programs that are held go on. */
void close_kernel_profiler(struct kernel_profiler *kernel);

/* Samples at the rate of a configuration from now on. */
bool set_sampling_rate(struct kernel_profiler *kernel, const struct daemon_config *config,
		       struct trouble *trouble);

/* Reads up to `count` notices, and lets the programs go on whose notices were read
 * before. Returns their number. */
size_t read_notices(const struct kernel_profiler *kernel, struct prof_notice *notices,
		    size_t count);
/* Reads up to `count` samples. Returns their number. */
size_t read_samples(const struct kernel_profiler *kernel, struct prof_sample *samples,
		    size_t count);

#endif
