/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that sampler_check starts, and its view of the files in /proc/profiler/.
 * Failures end the program with a message. */
#ifndef SAMPLER_CHILD_H
#define SAMPLER_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/linux/driver/profiler/prof_abi.h"

enum { MS = 1000000, SECOND = 1000 * MS };

/* CLOCK_MONOTONIC, in ns. */
uint64_t read_clock(void);
/* Does nothing for some ns, in user mode. */
void spin_for(uint64_t ns);
/* Sleeps for some ns. */
void sleep_for(uint64_t ns);

/* --- files; `file` is a name in /proc/profiler/ */

/* Returns 0, or the errno of writing `text` to the file. */
int write_file(const char *file, const char *text);
/* Returns the contents, until the next call. */
const char *read_file(const char *file);
/* Sets the rate, which must be accepted. */
void set_rate(const char *rate);
/* Registers the calling process, which blocks SIGIO. Returns the open file, or a negative
 * errno. */
int register_self(void);
/* Returns how many notices there are, at most `room`: 0 if none. */
size_t read_notices(int daemon, struct prof_notice *notices, size_t room);
/* Waits for the next notice, at most 100 ms. Returns its kind; 0: none. */
unsigned wait_for_notice(int daemon, struct prof_notice *notice);
/* The same, for a notice of this kind and any process. */
void wait_for_kind(int daemon, unsigned kind, struct prof_notice *notice);
/* Returns how many samples there are, of all harts; at most `room`. */
size_t read_samples(struct prof_sample *samples, size_t room);

/* --- programs: this one again */

#define AS_CHILD "--as-child" /* the first argument, before two others */

/* Starts it with these two arguments in a new process. */
pid_t start_program(const char *first, const char *second);
/* Waits for its end with status 0. */
void end_process(pid_t pid);

/* Programs write when their main() runs, by `number`, below STAMPS. */
enum { STAMPS = 64 };
void clear_stamps(void);
uint64_t read_stamp(unsigned number);
/* What the program that start_program() starts does: "stamp NUMBER", "again NUMBER"
 * (stamps in a program that it executes in its place), "end". */
int run_as_child(const char *first, const char *second);

#endif
