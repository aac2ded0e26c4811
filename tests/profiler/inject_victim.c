/* SPDX-License-Identifier: Apache-2.0 */
/* A program that prof-inject is tried on: threads, a timer whose handler runs on an
 * alternate stack, sleeps, floating point, fork, vfork and exec. What it computes is
 * always the same, and it says so at the end, with its open files and its signal mask.
 *
 *     inject_victim BLOCKS [locked]      0: until SIGTERM
 *
 * With a second argument it locks a page of its text in memory, which splits the mapping.
 */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { THREADS = 2, TURNS = 40, STACK = 16384, FORK_EVERY = 16, LEAVES = 42 };

static atomic_bool ends;
static atomic_uint ticks;
static uint64_t expected;
static unsigned blocks;

KEEP static unsigned mix(unsigned hash, unsigned value)
{
	return (hash ^ value) * 16777619;
}

KEEP static double scale(double sum, unsigned value)
{
	return sum * 0.75 + (double)value;
}

KEEP static unsigned descend(unsigned depth, unsigned hash)
{
	return depth ? mix(descend(depth - 1, hash + depth), depth) : hash;
}

KEEP static uint64_t compute(void)
{
	unsigned hash = 1;
	double sum = 1;
	uint64_t bits;

	for (unsigned i = 0; i < TURNS; i++) {
		hash = mix(hash, descend(i % 8, i));
		sum = scale(sum, hash % 97);
	}
	memcpy(&bits, &sum, sizeof(bits));
	return bits ^ hash;
}

static void on_tick(int signal)
{
	(void)signal;
	atomic_fetch_add(&ticks, mix(3, 4) ? 1 : 0);
}

static void on_end(int signal)
{
	(void)signal;
	atomic_store(&ends, true);
}

static bool continues(unsigned block)
{
	return blocks ? block < blocks : !atomic_load(&ends);
}

static void *run_blocks(void *sleeps)
{
	for (unsigned block = 0; continues(block); block++) {
		CHECK(compute() == expected);
		if (sleeps && block % 8 == 0)
			nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
	}
	return NULL;
}

/* A child that computes, and one that executes this program to leave at once. */
static void run_children(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(compute() == expected ? LEAVES : 1);
	CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == LEAVES);
	child = vfork();
	if (child == 0) {
		execl("/proc/self/exe", "inject_victim", (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == LEAVES);
}

static void start_timer(void)
{
	static char stack[STACK];
	struct sigaction action = {.sa_handler = on_tick,
				   .sa_flags = SA_ONSTACK | SA_RESTART};
	struct itimerval timer = {{.tv_usec = 900}, {.tv_usec = 900}};

	CHECK(sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = STACK}, NULL) == 0);
	sigaction(SIGALRM, &action, NULL);
	action.sa_handler = on_end;
	sigaction(SIGTERM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static unsigned count_files(void)
{
	DIR *files = opendir("/proc/self/fd");
	unsigned count = 0;

	CHECK(files);
	while (readdir(files))
		count++;
	closedir(files);
	return count - 3; /* ".", ".." and this folder */
}

static void print_end(void)
{
	static const struct itimerval none;
	sigset_t mask;
	unsigned blocked = 0;
	char name[32];

	setitimer(ITIMER_REAL, &none, NULL);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int i = 1; i < 64; i++)
		blocked += sigismember(&mask, i) > 0;
	snprintf(name, sizeof(name), "%.12g", scale(1.5, 2));
	printf("victim: all blocks equal, %s, %u files, %u signals blocked, ticks %s\n",
	       name, count_files(), blocked, atomic_load(&ticks) ? "yes" : "no");
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc < 2)
		return LEAVES;
	blocks = (unsigned)atoi(argv[1]);
	CHECK(argc == 2 || mlock((const void *)(uintptr_t)compute, 1) == 0);
	CHECK(nice(19) == 19); /* runs while the test waits */
	expected = compute();
	start_timer();
	for (unsigned i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, run_blocks, i ? &ends : NULL) ==
		      0);
	for (unsigned block = 0; continues(block); block++) {
		CHECK(compute() == expected);
		if (block % FORK_EVERY == 0)
			run_children();
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	while (!atomic_load(&ticks))
		;
	print_end();
	return 5;
}
