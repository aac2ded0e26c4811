/* SPDX-License-Identifier: Apache-2.0 */
/* What a scheduler asks of the run-time profiler: which functions of a process, or of all
 * processes, are called how often, and take how much time, now.
 *
 *	struct prof_error error;
 *	struct prof_span span;
 *	struct prof_log *log = prof_open_process(pid, &error);
 *	int64_t index = log ? prof_find_function(log, "propagate") : -1;
 *
 *	if (index >= 0 && prof_read_span(log, &span) == PROF_READ_WHOLE)
 *		use(prof_get_calls(log, index),
 *		    prof_get_samples(log, index) * span.period);
 *	prof_close_log(log);
 *
 * prof-daemon(1) writes the log: once in a period, a second by default, what was counted
 * in a span of time that ends then, 5 seconds by default. It is a file in memory, which
 * is mapped for reading; to read a span is a copy of 64 bytes and 16 for each function,
 * and two system calls. A reader never stops the daemon or a process, and needs no rights
 * but to read the file, /tmp/prof-UID/PID.dat (prof-files(5)).
 *
 * An index belongs to a name as long as the log is open. The owner of a process can write
 * its file: numbers may be any, but no call reads beyond the file, or ends the caller, if
 * it is cut, damaged or replaced meanwhile. For that a handler of SIGBUS is installed by
 * the first prof_read_span(); it leaves each SIGBUS of another origin to the handler that
 * was there before it.
 *
 * Different logs may be used by different threads, one log by one at a time. Link with
 * libprof.a, of a build with the C library of the program: build/libprof.a is for the
 * host, build/linux-prof/libprof.a for the target, with musl. */
#ifndef PROF_H
#define PROF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_log;

enum { PROF_ERROR_ROOM = 512 };

/* Why a log was not opened: a line for the user, without the name of the program. */
struct prof_error {
	char text[PROF_ERROR_ROOM];
};

/* Opens the log of a process, that of all profiled processes of the user who runs this,
 * or that in a file. Each returns NULL with *error set if there is none: no such process,
 * or it is not profiled, or the file is damaged or of another version. A file of an
 * earlier process with the same number is never taken for that of `pid`. The caller
 * closes the log. */
struct prof_log *prof_open_process(pid_t pid, struct prof_error *error);
struct prof_log *prof_open_global(struct prof_error *error);
struct prof_log *prof_open_file(const char *path, struct prof_error *error);
/* NULL is no log, and closing it does nothing. */
void prof_close_log(struct prof_log *log);

/* --- what is profiled */

/* Returns whether the log is of all processes. */
bool prof_is_global(const struct prof_log *log);
/* Returns the process, 0 if the log is of all, or of none yet. */
pid_t prof_get_process(const struct prof_log *log);
/* Returns the path of the program, "" if the log is of all processes. It is the log's. */
const char *prof_get_program(const struct prof_log *log);
/* Returns whether the process runs; true if the log is of all processes. */
bool prof_is_alive(const struct prof_log *log);

/* Returns the number of functions; indexes are below it. In a log of all processes it
 * grows when prof_read_span() finds that programs with other functions have begun. */
uint32_t prof_count_functions(const struct prof_log *log);
/* Returns the index of a function, or -1. In a log of all processes, functions of one
 * name are one function; in that of a process the first of them is found. */
int64_t prof_find_function(const struct prof_log *log, const char *name);
/* Returns the name of a function. It is the log's, and valid until the next
 * prof_read_span() or prof_close_log(). */
const char *prof_get_name(const struct prof_log *log, uint32_t index);
/* Returns whether the function jumps to its own first instruction: its calls are then the
 * executions of this instruction, and more than what others call "calls". */
bool prof_is_loop(const struct prof_log *log, uint32_t index);

/* --- how often, and how long */

/* What is between two snapshots of the daemon. Times are in nanoseconds. */
struct prof_span {
	bool counted;	       /* calls are counted; else there are samples alone */
	uint64_t sequence;     /* greater than that of each earlier span */
	uint64_t time;	       /* of the later snapshot, CLOCK_MONOTONIC */
	uint64_t length;       /* from the earlier to the later snapshot */
	uint64_t cycles;       /* of one hart in the span; 0: unknown */
	uint64_t period;       /* the time that a sample stands for, on average */
	uint64_t samples;      /* of the process, or of all profiled ones: also those in
				  the kernel, and in none of its functions */
	uint64_t all_samples;  /* of all processes, on all harts, without idle harts */
	uint64_t lost_samples; /* that are in no other number */
};

enum prof_read {
	PROF_READ_WHOLE,   /* *span is set: the latest span */
	PROF_READ_TORN,	   /* the daemon was faster than each of several attempts */
	PROF_READ_EMPTY,   /* no daemon has written a span yet */
	PROF_READ_GONE,	   /* the file was removed or replaced: the process has ended, or
			      executes another program, and has another log */
	PROF_READ_DAMAGED, /* the file was cut or overwritten */
};

/* Reads the latest span, which may be that of the call before. Only after PROF_READ_WHOLE
 * *span and what the calls below return are changed; until the first one they are 0. */
enum prof_read prof_read_span(struct prof_log *log, struct prof_span *span);

/* Return the calls of a function in the span, and its samples. The samples times
 * span.period are its time, without that of the functions that it calls, on all harts;
 * the sum over all functions is at most span.samples. */
uint64_t prof_get_calls(const struct prof_log *log, uint32_t index);
uint64_t prof_get_samples(const struct prof_log *log, uint32_t index);

/* Sets *cycles to the mean of the cycles that a call takes, without the functions that it
 * calls. Returns false if it cannot be known: no calls or no samples in the span, a loop
 * (prof_is_loop()), or unknown cycles. With few samples it is as inexact as they are. */
bool prof_estimate_cycles(const struct prof_log *log, uint32_t index, double *cycles);

#endif
