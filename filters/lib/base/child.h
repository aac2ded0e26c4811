/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulator as a child process whose stream arrives at standard input, and ends
 * it. There is at most one child in a process. */
#ifndef TR_CHILD_H
#define TR_CHILD_H

#include <stdbool.h>

/* Seconds between SIGTERM and SIGKILL. */
enum { TR_CHILD_GRACE = 2 };

/* Installs handlers for SIGINT, SIGTERM and SIGHUP, except those that are ignored. A
 * signal is forwarded to the child as SIGTERM; after the grace period, or at a second
 * signal, the child is killed. Standard input then ends; without a child it ends at once.
 * Returns TR_OK or TR_E_IO (errno is set). */
int tr_child_catch_signals(void);
/* Returns true after one of these signals. */
bool tr_child_interrupted(void);

/* Starts `command` with TR_CAPTURE_FD=N in its environment, where N is the write end of a
 * pipe whose read end becomes this process's standard input. The child inherits the
 * original standard input. With `quiet_stdout` the child's standard output goes to
 * standard error. Returns TR_OK, or TR_E_IO (errno is set) also when the command cannot
 * be executed. */
int tr_child_start(char *const *command, bool quiet_stdout);

/* Waits until the child ends. Returns its status as waitpid() encodes it. */
int tr_child_wait(void);
/* Ends the child by SIGTERM, then SIGKILL, and discards its remaining output. Does
 * nothing when no child is running. */
void tr_child_stop(void);

#endif
