/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of which the daemon has samples and logs. The main thread adds and ends
 * them; the data thread counts samples, updates logs, and removes what belongs to
 * processes that have ended (algorithm 2 of the thesis). All functions may be called by
 * both. */
#ifndef WATCHED_PROCESSES_H
#define WATCHED_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "call_log.h"
#include "daemon_config.h"
#include "target/profiler/inject/inject.h"
#include "run/trouble.h"
#include "target/linux/driver/profiler/prof_abi.h"

struct watched_processes;

/* Returns what free_watched_processes() releases, or NULL without memory. `tell` prints a
 * line. */
struct watched_processes *make_watched_processes(const struct daemon_config *config,
						 void (*tell)(const char *text));
/* Files of counters stay. */
void free_watched_processes(struct watched_processes *watched);

/* From now on a process runs a program, of which samples are counted and which has a log;
 * `time` is CLOCK_MONOTONIC, in ns. With `own` its file of counters is removed when it
 * has ended. What cannot be logged is told. */
void watch_process(struct watched_processes *watched,
		   const struct injected_process *process, uint64_t time, bool own);
/* It does no longer: samples up to `time` are its own. */
void end_watched_process(struct watched_processes *watched, pid_t pid, uint64_t time);
/* Whether so many have ended that remove_ended_processes() should be called soon. */
bool many_have_ended(struct watched_processes *watched);
bool is_watched(struct watched_processes *watched, pid_t pid);
/* Calls `visit` for each process that has not ended. It may watch and end processes. */
void visit_watched(struct watched_processes *watched,
		   void (*visit)(void *context, pid_t pid), void *context);

/* Counts samples, in the order of their time on each hart. */
void count_samples(struct watched_processes *watched, const struct prof_sample *samples,
		   size_t count);
/* Removes what belongs to processes that had ended before `read`, up to which all samples
 * were counted. */
void remove_ended_processes(struct watched_processes *watched, uint64_t read);
/* Takes snapshots of all logs and writes them. */
void update_logs(struct watched_processes *watched, uint64_t sample_period);

/* CLOCK_MONOTONIC, in ns. */
uint64_t monotonic_time(void);

#endif
