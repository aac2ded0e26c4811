/* SPDX-License-Identifier: Apache-2.0 */
/* A program that prof-daemon is tried on: it knows how often it has called
 * victim_turn(), and tells it in its slot of the board, also while it runs.
 *
 *     daemon_victim MODE SLOT TURNS [COUNT]
 *
 * It takes TURNS turns, or with 0 as many as it can until the test stops it, and then
 * waits for SIGTERM. MODE:
 *
 *     plain     one thread
 *     threads   COUNT more threads, of the slots after it
 *     forks     COUNT children, of the slots after it, before its own turns
 *     family    the same, but one after the other while it takes turns
 *     exec      when it has stopped, it becomes "plain" of the next slot
 *     other     the same, with the other program
 *     vfork     a child of vfork becomes "plain" of the next slot before its own turns
 *
 * daemon_other is the same with another number of functions, so that functions of one
 * name have other indexes.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "check.h"
#include "daemon_board.h"

enum {
	BATCH = 32,
	PAUSE = 200000 /* ns */,
	HELD_PAUSE = 20000000,
	SPINS = 200,
	FORK_EVERY = 3000
};

static struct victim_slot *board;
static unsigned long wanted;

#define MIX(hash, value) (((hash) ^ (value)) * 16777619)

#ifdef OTHER
KEEP static unsigned an_other_one(unsigned value)
{
	return value + 1;
}
#endif

KEEP static unsigned victim_mix(unsigned hash, unsigned value)
{
	return MIX(hash, value);
}

KEEP static unsigned victim_turn(unsigned value)
{
	return victim_mix(victim_mix(value, spin(SPINS) ? 3 : 0), 5);
}

static void fork_child(struct victim_slot *slot);

static void wait_while_held(struct victim_slot *slot)
{
	slot->held = 1;
	while (slot->hold)
		nanosleep(&(struct timespec){.tv_nsec = HELD_PAUSE}, NULL);
	slot->held = 0;
}

static void take_turns(struct victim_slot *slot, unsigned children)
{
	unsigned forked = 0;

	slot->pid = (uint32_t)getpid();
	for (unsigned i = 0; !slot->stop && (!wanted || i < wanted); i++) {
		unsigned value = i;

		if (slot->hold)
			wait_while_held(slot);

#ifdef OTHER
		value = an_other_one(value) - 1;
#endif
		if (victim_turn(value) != MIX(MIX(i, 3), 5))
			slot->wrong = 1;
		slot->turns++;
		if (forked < children && i % FORK_EVERY == FORK_EVERY - 1)
			fork_child(slot + ++forked);
		if (i % BATCH == BATCH - 1)
			nanosleep(&(struct timespec){.tv_nsec = PAUSE + i * 7919 % PAUSE},
				  NULL);
	}
	slot->stopped = 1;
}

static void *run_thread(void *slot)
{
	take_turns(slot, 0);
	return NULL;
}

static void run_threads(struct victim_slot *slot, unsigned count)
{
	pthread_t *threads = calloc(count, sizeof(*threads));

	CHECK(threads);
	for (unsigned i = 0; i < count; i++)
		CHECK(pthread_create(&threads[i], NULL, run_thread, slot + 1 + i) == 0);
	take_turns(slot, 0);
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

/* Leaves by SIGTERM, which is blocked. */
static void await_end(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	while (sigwaitinfo(&set, NULL) < 0)
		CHECK(errno == EINTR);
}

static void fork_child(struct victim_slot *slot)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child > 0)
		return;
	take_turns(slot, 0);
	await_end();
	_exit(VICTIM_STATUS);
}

static void become(const char *program, const struct victim_slot *slot, const char *turns)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", (unsigned)(slot - board));
	execl(program, program, "plain", number, turns, (char *)NULL);
	_exit(1);
}

int main(int argc, char **argv)
{
	sigset_t set;

	CHECK(argc >= 4);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* Else it would wake with the kernel's sampler, and never be seen. */
	prctl(PR_SET_TIMERSLACK, 1);
	const char *mode = argv[1];
	unsigned count = argc > 4 ? (unsigned)atoi(argv[4]) : 0;

	CHECK((board = map_board()));
	struct victim_slot *slot = board + atoi(argv[2]);

	wanted = strtoul(argv[3], NULL, 10);
	if (strcmp(mode, "threads") == 0) {
		run_threads(slot, count);
	} else if (strcmp(mode, "forks") == 0) {
		for (unsigned i = 1; i <= count; i++)
			fork_child(slot + i);
		take_turns(slot, 0);
	} else if (strcmp(mode, "family") == 0) {
		take_turns(slot, count);
	} else {
		if (strcmp(mode, "vfork") == 0 && vfork() == 0)
			become("/proc/self/exe", slot + 1, argv[3]);
		take_turns(slot, 0);
	}
	if (strcmp(mode, "exec") == 0)
		become("/proc/self/exe", slot + 1, argv[3]);
	if (strcmp(mode, "other") == 0)
		become("/bin/daemon_other", slot + 1, argv[3]);
	await_end();
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return VICTIM_STATUS;
}
