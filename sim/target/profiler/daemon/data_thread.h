/* SPDX-License-Identifier: Apache-2.0 */
/* The daemon's second thread, algorithm 2 of the thesis: at each sampling period it reads
 * the samples of all harts, at each snapshot period it updates all logs. */
#ifndef DATA_THREAD_H
#define DATA_THREAD_H

#include <stdbool.h>

#include "daemon_config.h"
#include "kernel_profiler.h"
#include "run/trouble.h"
#include "watched_processes.h"

struct data_thread;

/* Starts the thread, with all signals blocked but those of its own instructions. What it
 * is given must live until stop_data_thread(). Returns NULL with the trouble set. */
struct data_thread *start_data_thread(const struct daemon_config *config,
				      const struct kernel_profiler *kernel,
				      struct watched_processes *watched,
				      struct trouble *trouble);
/* Lets it count what was sampled until now, and remove what belongs to processes that
 * have ended, before the period is over. */
void hurry_data_thread(struct data_thread *thread);
/* Lets it count what was sampled until now and update the logs, and ends it. */
void stop_data_thread(struct data_thread *thread);

#endif
