/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program, for tests of prof-inject on the target: to its end, up to one of its
 * system calls, or until it waits for events. Standard output and standard error go to
 * files. */
#ifndef TRACED_RUN_H
#define TRACED_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#define RUN_OUTPUT "/tmp/run.out"
#define RUN_ERRORS "/tmp/run.err"

/* Starts a program whose output goes to `output`. */
pid_t start_run(char *const *argv, const char *output);
/* Waits for the end of a process; returns its exit status, or 128 and the signal. */
int end_run(pid_t pid);
/* Runs a program to its end, and returns its exit status. */
int run_whole(char *const *argv);

enum run_stop {
	RUN_STOPPED, /* before or after its system call number `point` */
	RUN_WAITS,   /* in sigtimedwait(): it has done what came before */
	RUN_ENDED
};
/* Runs a program, whose pid is put into *pid, up to a point, from 1 on; 0: none. It is
 * traced then. With `waits`, it stops when it waits: at the entry of the first
 * sigtimedwait() with 1, at its exit with 2, and so on. */
enum run_stop run_up_to(char *const *argv, unsigned point, unsigned waits, pid_t *pid);
/* Lets the program continue. */
void release_run(pid_t pid);
/* Kills it, and waits until it is gone. */
void kill_run(pid_t pid);

/* Returns the contents of a file, of at most 4095 bytes, until the next call with the
 * same `slot`, 0 or 1. */
const char *read_text(const char *path, int slot);

#endif
