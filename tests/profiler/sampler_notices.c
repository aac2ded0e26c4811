/* SPDX-License-Identifier: Apache-2.0 */
/* Notices of new programs, processes and ends, and the hold of new programs. */
#include "sampler_notices.h"

#include <elf.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "sampler_child.h"

static int watch_self(void)
{
	int daemon = register_self();

	CHECK(daemon >= 0);
	clear_stamps();
	return daemon;
}

/* A new program runs when its notice has been read and the file is read again. */
void try_hold(void)
{
	int daemon = watch_self();
	struct prof_notice fork, exec, other;
	pid_t pid = start_program("stamp", "1");

	wait_for_kind(daemon, PROF_NOTICE_FORK, &fork);
	CHECK(fork.pid == (uint32_t)pid && fork.parent == (uint32_t)getpid());
	wait_for_kind(daemon, PROF_NOTICE_EXEC, &exec);
	CHECK(exec.pid == (uint32_t)pid && exec.parent == (uint32_t)getpid());
	CHECK(exec.time >= fork.time && exec.reserved == 0);
	sleep_for(4 * MS);
	CHECK(read_stamp(1) == 0);
	uint64_t released = read_clock();

	CHECK(read_notices(daemon, &other, 1) == 0);
	end_process(pid);
	CHECK(read_stamp(1) >= released && read_stamp(1) < exec.time + PROF_HOLD_NS);
	CHECK(wait_for_notice(daemon, &other) == PROF_NOTICE_EXIT);
	CHECK(other.pid == (uint32_t)pid && other.parent == 0 &&
	      other.time >= read_stamp(1));
	CHECK(wait_for_notice(daemon, &other) == 0);
}

/* It goes on after 10 ms, whether its notice has been read or not. */
void try_timeout(void)
{
	int daemon = watch_self();
	struct prof_notice exec = {0};

	for (unsigned turn = 0; turn < 2; turn++) {
		pid_t pid = start_program("stamp", "1");

		if (turn == 0)
			wait_for_kind(daemon, PROF_NOTICE_EXEC, &exec);
		end_process(pid);
		if (turn == 1)
			wait_for_kind(daemon, PROF_NOTICE_EXEC, &exec);
		CHECK(read_stamp(1) >= exec.time + PROF_HOLD_NS);
		CHECK(read_stamp(1) < exec.time + PROF_HOLD_NS + 2 * MS);
		wait_for_kind(daemon, PROF_NOTICE_EXIT, &exec);
	}
}

/* SIGIO has the number of the process. */
void try_signal(void)
{
	int daemon;
	sigset_t sigio;
	siginfo_t info;
	struct timespec limit = {.tv_sec = 1};

	sigemptyset(&sigio);
	sigaddset(&sigio, SIGIO);
	daemon = watch_self();
	for (unsigned turn = 0; turn < 10; turn++) {
		struct prof_notice exec;
		pid_t pid = start_program("end", "");

		CHECK(sigtimedwait(&sigio, &info, &limit) == SIGIO);
		CHECK(info.si_code == SI_QUEUE && info.si_int == pid);
		wait_for_kind(daemon, PROF_NOTICE_EXEC, &exec);
		CHECK(exec.pid == (uint32_t)pid);
		wait_for_kind(daemon, PROF_NOTICE_EXIT, &exec);
		end_process(pid);
	}
	/* Neither forks nor ends send one. */
	limit.tv_sec = 0;
	CHECK(sigtimedwait(&sigio, &info, &limit) < 0);
}

static uint64_t read_traced_pc(pid_t pid)
{
	uint64_t registers[32];
	struct iovec area = {registers, sizeof(registers)};

	CHECK(ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &area) == 0);
	return registers[0];
}

/* The registered process stops a new program before its first instruction, and has no
 * notice of the next program of a process that it traces. */
void try_traced(void)
{
	int daemon = watch_self();
	struct prof_notice notice;
	pid_t pid = start_program("again", "1");
	int status;

	wait_for_kind(daemon, PROF_NOTICE_EXEC, &notice);
	CHECK(ptrace(PTRACE_SEIZE, pid, 0, 0) == 0 &&
	      ptrace(PTRACE_INTERRUPT, pid, 0, 0) == 0);
	CHECK(waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status));
	CHECK(status >> 16 == PTRACE_EVENT_STOP);
	CHECK(read_traced_pc(pid) == getauxval(AT_ENTRY));
	CHECK(read_clock() < notice.time + PROF_HOLD_NS);
	uint64_t begin = read_clock();

	CHECK(ptrace(PTRACE_CONT, pid, 0, 0) == 0);
	end_process(pid);
	CHECK(read_stamp(1) >= begin && read_stamp(1) < begin + PROF_HOLD_NS / 2);
	CHECK(wait_for_notice(daemon, &notice) == PROF_NOTICE_EXIT &&
	      notice.pid == (uint32_t)pid);
	CHECK(wait_for_notice(daemon, &notice) == 0);
}

static void *end_in_thread(void *unused)
{
	return unused;
}

static void *start_in_thread(void *unused)
{
	(void)unused;
	run_as_child("again", "1");
	return NULL;
}

/* Threads begin and end without a notice; a thread's new program is the process's. */
void try_threads(void)
{
	int daemon = watch_self();
	struct prof_notice notice;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		pthread_t thread;

		for (unsigned i = 0; i < 3; i++) {
			CHECK(pthread_create(&thread, NULL,
					     i < 2 ? end_in_thread : start_in_thread,
					     NULL) == 0);
			pthread_join(thread, NULL);
		}
		_exit(1);
	}
	static const unsigned kinds[] = {PROF_NOTICE_FORK, PROF_NOTICE_EXEC,
					 PROF_NOTICE_EXIT};

	for (unsigned i = 0; i < 3; i++)
		CHECK(wait_for_notice(daemon, &notice) == kinds[i] &&
		      notice.pid == (uint32_t)pid);
	CHECK(read_stamp(1) != 0);
	CHECK(wait_for_notice(daemon, &notice) == 0);
	end_process(pid);
}

/* --- deaths */

enum { HELD = 20 };

/* Registers another process, which waits to be killed. It may read notices, and have a
 * child that has the file as well. */
static pid_t start_daemon(bool reads, bool has_child)
{
	int ready[2];
	char byte;

	CHECK(pipe(ready) == 0);
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		struct prof_notice notices[64];
		int daemon = register_self();

		CHECK(daemon >= 0);
		if (has_child && fork() == 0) {
			sleep_for(50 * MS);
			_exit(0);
		}
		CHECK(write(ready[1], "", 1) == 1);
		for (;;) {
			if (reads)
				read_notices(daemon, notices, 64);
			sleep_for(20 * MS);
		}
	}
	close(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	return pid;
}

/* Kills a daemon while programs are held: they go on at once, and another one may
 * register. */
static void kill_daemon(bool reads, bool has_child, unsigned turn)
{
	pid_t daemon = start_daemon(reads, has_child);
	pid_t held[HELD];
	char number[12];

	clear_stamps();
	for (unsigned i = 0; i < HELD; i++) {
		snprintf(number, sizeof(number), "%u", i);
		held[i] = start_program("stamp", number);
	}
	spin_for(turn * MS / 2);
	if (turn % 2)
		kill(held[0], SIGKILL);
	kill(daemon, SIGKILL);
	waitpid(daemon, NULL, 0);
	uint64_t killed = read_clock();

	CHECK(strcmp(read_file("daemon"), "") == 0);
	waitpid(held[0], NULL, 0);
	for (unsigned i = 1; i < HELD; i++) {
		end_process(held[i]);
		CHECK(read_stamp(i) && read_stamp(i) < killed + PROF_HOLD_NS);
	}
	int next = register_self();

	CHECK(next >= 0);
	close(next);
}

void try_deaths(void)
{
	for (unsigned turn = 0; turn < 40; turn++)
		kill_daemon(turn & 1, turn & 2, turn / 4);
	/* The children of the daemons end: the next case does not expect their notices.
	 */
	sleep_for(100 * MS);
}

/* --- many */

enum { FLOOD = 10000, WORKERS = 4, PIDS = 1 << 16, BATCH = 128 };

/* Of each process: what has been noticed, a digit a notice, in order. */
static uint16_t history[PIDS];
static uint64_t last_time;

static void follow_notice(const struct prof_notice *notice)
{
	CHECK(notice->kind != PROF_NOTICE_LOST && notice->pid < PIDS);
	CHECK(notice->time >= last_time);
	last_time = notice->time;
	history[notice->pid] = (uint16_t)(history[notice->pid] * 10 + notice->kind);
}

static pid_t start_worker(void)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		for (unsigned i = 0; i < FLOOD / WORKERS; i++)
			end_process(start_program("end", ""));
		_exit(0);
	}
	return pid;
}

/* Reads, and is slow from time to time, until each process has ended. */
static void follow_flood(int daemon)
{
	struct prof_notice notices[BATCH];
	unsigned ended = 0;

	for (unsigned turn = 0; ended < FLOOD + WORKERS; turn++) {
		size_t count = read_notices(daemon, notices, turn % 7 ? BATCH : 1);

		for (size_t i = 0; i < count; i++) {
			follow_notice(&notices[i]);
			ended += notices[i].kind == PROF_NOTICE_EXIT;
		}
		if (turn % 1000 == 999)
			sleep_for(30 * MS);
		else if (count == 0)
			sleep_for(MS / 20);
	}
}

/* No new program is without its notice, and none has two. */
void try_flood(void)
{
	int daemon = watch_self();
	pid_t workers[WORKERS];
	unsigned programs = 0;

	for (unsigned i = 0; i < WORKERS; i++)
		workers[i] = start_worker();
	follow_flood(daemon);
	for (unsigned i = 0; i < WORKERS; i++) {
		end_process(workers[i]);
		CHECK(history[workers[i]] == 23);
		history[workers[i]] = 0;
	}
	for (unsigned i = 0; i < PIDS; i++) {
		CHECK(history[i] == 0 || history[i] == 213);
		programs += history[i] == 213;
	}
	CHECK(programs == FLOOD);
}

static pid_t start_nothing(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(0);
	CHECK(pid > 0);
	return pid;
}

/* Two notices each. */
static void make_processes(unsigned count)
{
	while (count-- > 0)
		end_process(start_nothing());
}

/* Beyond 65,536 notices there is one that says so, and nothing waits until it has been
 * read. */
void try_overflow(void)
{
	int daemon = watch_self();
	struct prof_notice notices[BATCH];
	uint64_t count = 0, begin;
	size_t read;

	make_processes(PROF_NOTICES_MAX / 2);
	make_processes(10);
	begin = read_clock();
	end_process(start_program("stamp", "1"));
	CHECK(read_stamp(1) < begin + PROF_HOLD_NS / 2);
	while ((read = read_notices(daemon, notices, BATCH)) > 0) {
		for (size_t i = 0; i < read; i++)
			CHECK((notices[i].kind == PROF_NOTICE_LOST) ==
			      (count + i == PROF_NOTICES_MAX));
		count += read;
	}
	CHECK(count == PROF_NOTICES_MAX + 1);
	make_processes(1);
	CHECK(read_notices(daemon, notices, BATCH) == 2);
	CHECK(notices[0].kind == PROF_NOTICE_FORK && notices[1].kind == PROF_NOTICE_EXIT);
}
