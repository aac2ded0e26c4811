/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of prof-daemon: lines "KEY = VALUE", and comments from "#" on;
 * prof-daemon(1) has the keys. Times are in nanoseconds. */
#ifndef DAEMON_CONFIG_H
#define DAEMON_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/trouble.h"

/* A span has at most so many snapshots. */
enum { PROF_SNAPSHOTS_MAX = 3600 };

struct daemon_config {
	char folder[PATH_MAX]; /* of prof-extract: absolute, without symbolic links */
	bool global;	       /* one log for all processes of a user */
	bool calls;	       /* count calls; else there are samples alone */
	uint64_t span;	       /* that a log is about */
	uint64_t snapshot_period;
	uint64_t sampling_period; /* between two times that samples are read */
	uint32_t rate;		  /* samples a second on each hart; 0: at each tick */
	bool jitter;		  /* the time between two samples varies at random */
};

/* Reads a file. Returns false with the trouble set, as "FILE:LINE: what is wrong". */
bool read_daemon_config(const char *path, struct daemon_config *config,
			struct trouble *trouble);

/* Returns the number of samples that the ring of a hart has to hold: those of four
 * sampling periods at `rate`. */
uint64_t config_ring(const struct daemon_config *config, uint32_t rate);

#endif
