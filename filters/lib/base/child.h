/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulator as a child whose stream arrives at standard input, and ends
 * it in good time. One child a process. */
#ifndef TR_CHILD_H
#define TR_CHILD_H

#include <stdbool.h>

/* Seconds between SIGTERM and SIGKILL. */
enum { TR_CHILD_GRACE = 2 };

/* From now on SIGINT, SIGTERM and SIGHUP, those that nobody ignores, are handed to the
 * child as SIGTERM, if there is one; after the grace, or at a further signal, it is
 * killed. Standard input then ends, at once when there is no child. TR_OK or TR_E_IO
 * (errno). */
int tr_child_catch_signals(void);
bool tr_child_interrupted(void);

/* Starts `command` with TR_CAPTURE_FD=N in its environment, N being the write
 * end of a pipe whose read end becomes standard input here; the child keeps the
 * old one. With `quiet_stdout` its standard output goes to standard error.
 * TR_OK, or TR_E_IO (errno), also when it cannot be executed. */
int tr_child_start(char *const *command, bool quiet_stdout);

/* Waits for the child's end and returns its status as waitpid() has it. */
int tr_child_wait(void);
/* Ends the child: SIGTERM, then SIGKILL; takes its output. Nothing when it has
 * ended already, or there is none. */
void tr_child_stop(void);

#endif
