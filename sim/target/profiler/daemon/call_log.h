/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a file of counters, PID.dat or 00000.dat: calls and samples of each function
 * within the span before the last snapshot, sections 4.2.3 and 4.2.5.1 of the thesis.
 * The file belongs to the user of the process, who may cut or damage it: the log then
 * ends, with one line, and nothing else. */
#ifndef CALL_LOG_H
#define CALL_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "run/trouble.h"
#include "stubs/shared_log.h"

/* What snapshots of all logs have in common. */
struct snapshot_moment {
	uint64_t time;			/* CLOCK_MONOTONIC, ns */
	uint64_t cycles;		/* of a hart; 0: unknown */
	uint64_t samples, lost_samples; /* of all processes and harts so far */
};

struct call_log;

/* Maps a file of counters, of the process `pid` that was started at `started`, or with
 * pid 0 the global one, and takes the first snapshot. `counted`: there are stubs. A log
 * holds those of `span`, one each `period`. Returns what free_call_log() releases, or
 * NULL with the trouble set. */
struct call_log *open_call_log(const char *path, uint32_t pid, uint64_t started,
			       bool counted, uint64_t span, uint64_t period,
			       const struct snapshot_moment *moment,
			       struct trouble *trouble);
void free_call_log(struct call_log *log);

/* Whether the file of this log is the one that `about` tells of. */
bool is_call_log(const struct call_log *log, const struct stat *about);
/* Takes in the functions that a global file has got since it was mapped. */
bool refresh_call_log(struct call_log *log, struct trouble *trouble);

/* Counts a sample of the process, in the function of that index, or -1: in none. */
void count_sample(struct call_log *log, int64_t index);

/* Memory for update_call_log(), of which {0} has none yet; for all logs in turn. */
struct log_scratch {
	struct tr_log_entry *entries;
	uint32_t room;
};
void free_log_scratch(struct log_scratch *scratch);

/* Takes a snapshot, and writes its difference from the oldest one of the span;
 * `sample_period` is the time that a sample stands for, in ns. Returns false with the
 * trouble set the first time that it fails; later it does nothing. */
bool update_call_log(struct call_log *log, const struct snapshot_moment *moment,
		     uint64_t sample_period, struct log_scratch *scratch,
		     struct trouble *trouble);

/* Removes the file of a process, unless it still runs. Returns whether it has ended. */
bool remove_ended_log(struct call_log *log);

#endif
