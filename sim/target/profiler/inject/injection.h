/* SPDX-License-Identifier: Apache-2.0 */
/* Brings the stubs of a program into a process, and takes them out. All threads of the
 * process are traced and stopped with PTRACE_EVENT_STOP.
 *
 * In this order, so that the process may continue at any point without its tracer: stubs
 * and counters are mapped, places within entries are moved to the stubs, entries are
 * written. Out: entries are restored, places are moved, nothing refers to the stubs, and
 * they are unmapped. */
#ifndef INJECTION_H
#define INJECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "program_files.h"
#include "run/trouble.h"
#include "stubs/stubs.h"
#include "threads.h"

struct injection {
	struct program_files *files; /* NULL: none is in the process */
	struct tr_stubs_places places;
	uint64_t started; /* of the process: field 22 of /proc/PID/stat; 0: not read */
	pid_t counts_in;  /* the process in whose file it counts; 0: the global file */
	char *counts;	  /* path of that file; released by free_injection() */
	pid_t busy;	  /* the thread because of which it has failed */
};
void free_injection(struct injection *injection);

enum injection_result {
	INJECTION_DONE,
	INJECTION_FAILED, /* with the trouble set: the process is as it was */
	INJECTION_NONE,	  /* there are no stubs */
	INJECTION_OTHER,  /* the stubs are of other files, or not all are there */
	INJECTION_BUSY /* a signal handler returns to a place that would be replaced, as
			  the trouble tells: run on and try again */
};

/* `fresh`: the process has not executed any instruction of its program. */
enum injection_result inject_stubs(const struct traced_threads *threads, pid_t process,
				   struct program_files *files, bool fresh,
				   struct injection *injection, struct trouble *trouble);

/* Gives a process that was forked from one with stubs counters of its own. `injection` is
 * that of its parent, then its own. */
bool give_own_counts(const struct traced_threads *threads, pid_t process,
		     struct injection *injection, struct trouble *trouble);

/* Gives a process without stubs, which need not be traced, a file of counters. Of the
 * places it has the bias alone. */
bool prepare_counts(pid_t process, struct program_files *files,
		    struct injection *injection, struct trouble *trouble);

/* Follows what another injector has brought in, of the same files. */
enum injection_result take_over_stubs(const struct traced_threads *threads, pid_t process,
				      struct program_files *files,
				      struct injection *injection,
				      struct trouble *trouble);

/* Takes all out that inject_stubs() has brought in, by whichever tracer. INJECTION_BUSY:
 * a signal handler of the thread *busy returns to a stub; with `last`, entries are
 * restored all the same, and the stubs stay mapped. */
enum injection_result take_out_stubs(const struct traced_threads *threads, pid_t process,
				     bool last, pid_t *busy, struct trouble *trouble);

#endif
