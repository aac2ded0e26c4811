/* SPDX-License-Identifier: Apache-2.0 */
/* The daemon's main thread, algorithm 1 of the thesis: profiles programs when they begin,
 * and the processes that they fork, and starts the data thread. It is the tracer of all
 * processes whose calls are counted. */
#ifndef PROF_DAEMON_H
#define PROF_DAEMON_H

#include <stdbool.h>

#include "run/trouble.h"

struct daemon;

/* Registers with the kernel, takes over processes that have stubs and profiles those that
 * run already, by the configuration in the file `path`. Blocks the signals that
 * run_daemon() waits for. `tell` prints a line; two threads call it. Returns what
 * free_daemon() releases, or NULL with the trouble set. */
struct daemon *start_daemon(const char *path, void (*tell)(const char *text),
			    struct trouble *trouble);
/* Returns true after SIGTERM or SIGINT, false if nothing can be profiled any more, which
 * was told. SIGHUP reads the configuration again. */
bool run_daemon(struct daemon *daemon);
/* Processes go on, and count on. */
void free_daemon(struct daemon *daemon);

#endif
