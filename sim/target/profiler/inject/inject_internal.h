/* SPDX-License-Identifier: Apache-2.0 */
/* What inject.c and attach.c share: the processes that are followed. */
#ifndef INJECT_INTERNAL_H
#define INJECT_INTERNAL_H

#include "inject.h"
#include "injection.h"
#include "pid_table.h"
#include "program_folder.h"
#include "threads.h"

struct profiled_process {
	struct pid_entry entry;
	pid_t id;
	struct injection injection;
	bool begins; /* has not run its program yet: its files must exist */
	bool told;   /* the watch has been told that it begins */
};

struct injector {
	struct program_folder programs;
	void (*tell)(const char *text);
	struct injector_watch watch;
	struct traced_threads threads;
	struct pid_table processes;
};

/* Returns the process, or NULL. It is valid until it is forgotten. */
struct profiled_process *find_profiled(const struct injector *injector, pid_t id);
/* Returns a new entry, or NULL without memory. */
struct profiled_process *add_profiled(struct injector *injector, pid_t id);
/* What others are told of a process with stubs. */
void describe_injection(pid_t id, const struct injection *injection,
			struct injected_process *process);
/* Tells the watch of a process that has stubs and is stopped. */
void tell_begin(const struct injector *injector, struct profiled_process *process);
/* Follows what threads that are stopped have made. */
void follow_births(struct injector *injector);
/* A process that is followed runs another program, of which nothing was executed. */
void start_program(struct injector *injector, struct traced_thread *thread);

#endif
