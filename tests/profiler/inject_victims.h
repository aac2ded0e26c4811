/* SPDX-License-Identifier: Apache-2.0 */
/* The program that inject_check profiles, inject_victim, and prof-inject on it: whole
 * runs, and runs that are stopped or killed at a point. Everything that is not as it
 * should be ends the test. */
#ifndef INJECT_VICTIMS_H
#define INJECT_VICTIMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "stubs/stubs.h"
#include "traced_run.h"

#define INJECT	      "/bin/prof-inject"
#define VICTIM	      "/bin/inject_victim"
#define VICTIM_OUTPUT "/tmp/victim.out"
#define RUN_FOLDER    "/tmp/prof-0"

enum {
	BLOCKS_STATUS = 5, /* that the victim ends with */
	PATH_ROOM = 256,
	TROUBLE = 2,
	SIGNALLED = 128,
	VICTIM_FILES = 3,
	VICTIM_OUTPUT_MAX = 4096
};

extern char *victim_folder;			     /* FOLDER of prof-extract */
extern char victim_output[VICTIM_OUTPUT_MAX];	     /* as without prof-inject */
extern struct tr_stubs victim_stubs;		     /* of read_victim_stubs() */
extern const char *const victim_files[VICTIM_FILES]; /* of prof-extract */

void pause_for(unsigned microseconds);
/* A process whose tracer was killed ends the call that it makes, on another hart. */
void settle(void);
/* Starts the victim, which runs until end_victim(). */
pid_t start_victim(void);
void end_victim(pid_t pid);
/* The mappings of a process whose lines have `name`. */
unsigned count_mappings(pid_t pid, const char *name);
bool has_mapping(pid_t pid, const char *name);
void read_victim_stubs(void);
/* Fails if a process has an entry, but no stubs or no counters. Returns the number of
 * entries. */
unsigned check_entries(pid_t pid);
/* The arguments of prof-inject -i, and of -d. */
void attach_arguments(char *argv[8], pid_t pid);
void detach_arguments(char *argv[8], pid_t pid);
/* Attaches, and returns the injector, which then waits for events. */
pid_t attach_victim(pid_t victim);
/* Detaches; nothing remains. */
void detach_victim(pid_t victim);
/* Runs the victim with prof-inject in `where`, and compares what comes. Returns the
 * number of lines on standard error. */
unsigned check_run(const char *option, char *where);
/* A copy of the victim's files in /tmp/damaged, of which one has another size or a wrong
 * byte; or from those of another program. */
void damage_file(const char *program, unsigned which, long size, long flip);
/* Counters of processes that have ended would fill the file system. */
void empty_run_folder(void);
/* Returns the process that runs the victim, or 0. */
pid_t find_victim(void);
/* Ends a victim that prof-inject has started: first what is in it is taken out. */
void end_started(pid_t victim);
/* Runs a program with prof-inject up to a point, where prof-inject is killed, or until
 * all entries are there and it waits: *waits is how often it waits before that. Returns
 * the victim; 0: it was not yet there. */
pid_t kill_starter(char *where, unsigned point, unsigned *waits, enum run_stop *stop);
/* Starts a victim with prof-inject. Returns the injector, when the victim has all
 * entries. */
pid_t start_profiled(char *const *argv, pid_t *victim);
/* Ends the victim of start_profiled(). */
void end_profiled(pid_t injector);

#endif
