/* SPDX-License-Identifier: Apache-2.0 */
/* prof-daemon and programs that it profiles, for tests on the target: to start and to
 * end them, and to read what is counted. What is not as it should be ends the test. */
#ifndef DAEMON_RUNS_H
#define DAEMON_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#include "check.h"
#include "daemon_board.h"
#include "target/profiler/prof.h"
#include "traced_run.h"

#define DAEMON	      "/bin/prof-daemon"
#define VICTIM	      "/bin/daemon_victim"
#define OTHER	      "/bin/daemon_other"
#define FOLDER	      "/prof" /* of prof-extract */
#define COPIED	      "/tmp/copied"
#define CONFIG	      "/tmp/daemon.conf"
#define DAEMON_ERRORS "/tmp/daemon.err"
#define RUN_FOLDER    "/tmp/prof-0"

enum {
	PATH_ROOM = 256,
	TROUBLE = 2,
	SIGNALLED = 128,
	PERIOD = 10000, /* of snapshots, in microseconds */
	USER = 1000
};
#define NO_COUNTS UINT64_MAX

/* Waits until something is so. */
enum { AWAIT_TRIES = 4000, AWAIT_STEP = 500 /* us */ };
#define AWAIT(condition)                                                                 \
	do {                                                                             \
		for (unsigned tries = 0; !(condition); tries++) {                        \
			if (tries == AWAIT_TRIES) {                                      \
				fprintf(stderr, "%s:%d: never so: %s\n", __FILE__,       \
					__LINE__, #condition);                           \
				exit(1);                                                 \
			}                                                                \
			usleep(AWAIT_STEP);                                              \
		}                                                                        \
	} while (0)

/* Maps the board; what the daemon has written is printed if the test fails. */
void start_test(void);

/* --- the daemon */

extern pid_t daemon_pid;
/* Writes a configuration: a folder, if it is not NULL, short periods, and lines that
 * replace those of the same key. */
void write_config(const char *folder, const char *more);
/* Starts it in the foreground, and waits until it is registered. */
void start_daemon(void);
/* Ends it by SIGTERM. It has said nothing that was not taken. */
void end_daemon(void);
void kill_daemon(int number);
/* Returns who is registered, or 0. */
pid_t read_registered(void);
/* Waits until the daemon has said `count` lines, and some time for no more; returns them
 * as one text, with those before taken away. */
const char *take_lines(unsigned count);
const char *take_any_lines(void);
void expect_line(const char *part);
void expect_no_lines(void);

/* --- victims */

extern struct victim_slot *board;
extern bool holds_victims; /* that are started, until they are released */
/* Starts VICTIM or OTHER with a mode of daemon_victim.c; turns 0: until it is
 * stopped. Clears its slot and `count` more. */
pid_t start_victim(const char *program, const char *mode, unsigned slot, unsigned turns,
		   unsigned count);
/* Lets the first `count` slots from `slot` on take no more turns. */
void stop_slots(unsigned slot, unsigned count);
/* They take no turns until they are released. */
void hold_slots(unsigned slot, unsigned count);
void release_slots(unsigned slot, unsigned count);
void await_turns(unsigned slot, uint64_t turns);
uint64_t sum_turns(unsigned slot, unsigned count);
/* Ends a process; its results were right. */
void end_victim(pid_t pid, unsigned slot, unsigned count);
/* stop_slots(), the counters are right, end_victim(), and its file is removed. */
void finish_victim(pid_t pid, unsigned slot, unsigned count);

/* --- counters */

/* The path of PID.dat, until the next call. */
const char *counts_path(pid_t pid);
/* Calls of a function in PID.dat, 0: in 00000.dat; NO_COUNTS if it has none. */
uint64_t read_calls(pid_t pid, const char *function);
bool has_counts(pid_t pid);
/* The calls in a process's file are so many turns. */
void check_calls(pid_t pid, uint64_t turns);
/* The number of files in the run folder. */
unsigned count_files(void);
/* Waits for a log that is newer than now. Returns the calls of victim_turn() in it. */
uint64_t read_log(pid_t pid, struct prof_span *span);

/* --- the files of prof-extract */

/* Sets `path` to that of a file. */
void name_extracted(char path[PATH_ROOM], const char *folder, const char *program,
		    const char *file);
/* Copies the files of a program to COPIED, which is another FOLDER. */
void copy_extracted(const char *program);

/* CLOCK_MONOTONIC, in microseconds. */
uint64_t now_us(void);
/* A number below `below`, the same ones in each run. */
unsigned draw(unsigned below);

#endif
