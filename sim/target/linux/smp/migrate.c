/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that move between the harts: by their affinity, at every depth of a recursion;
 * by waking each other; and by the scheduler. Memory is mapped and unmapped, so that
 * address translations end on all harts, and children are forked from every hart.
 *
 *     migrate [ROUNDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../programs/check.h"

enum { WORKERS = 4, DEPTH = 6, PAGES = 8, PAGE = 4096 };

static unsigned rounds = 4, harts;
static pthread_barrier_t barrier;

static unsigned current_hart(void)
{
	int hart = sched_getcpu();

	CHECK(hart >= 0);
	return (unsigned)hart;
}

/* Returns the number of harts that this process may run on. */
static unsigned count_harts(void)
{
	cpu_set_t set;

	CHECK(sched_getaffinity(0, sizeof(set), &set) == 0);
	return (unsigned)CPU_COUNT(&set);
}

KEEP static void move_to(unsigned hart)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(hart, &set);
	CHECK(sched_setaffinity(0, sizeof(set), &set) == 0);
	CHECK(current_hart() == hart);
}

KEEP static void go_anywhere(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned i = 0; i < harts; i++)
		CPU_SET(i, &set);
	CHECK(sched_setaffinity(0, sizeof(set), &set) == 0);
}

/* Its callers began on another hart. */
KEEP static unsigned descend(unsigned depth, unsigned hart)
{
	unsigned sum = depth;

	move_to(hart % harts);
	spin(50);
	if (depth)
		sum += descend(depth - 1, hart + 1);
	move_to((hart + depth) % harts);
	spin(20);
	return sum;
}

KEEP static void map_and_unmap(unsigned value)
{
	volatile unsigned char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(memory != MAP_FAILED);
	for (unsigned i = 0; i < PAGES; i++)
		memory[i * PAGE] = (unsigned char)(value + i);
	for (unsigned i = 0; i < PAGES; i++)
		CHECK(memory[i * PAGE] == (unsigned char)(value + i));
	CHECK(munmap((void *)memory, PAGES * PAGE) == 0);
}

static void *worker(void *argument)
{
	unsigned mine = *(const unsigned *)argument;

	for (unsigned i = 0; i < rounds; i++) {
		CHECK(descend(DEPTH, mine + i) == DEPTH * (DEPTH + 1) / 2);
		go_anywhere();
		pthread_barrier_wait(&barrier);
		map_and_unmap(mine + i);
		spin(200 * (mine + 1));
	}
	return NULL;
}

KEEP static void move_threads(void)
{
	pthread_t threads[WORKERS];
	unsigned numbers[WORKERS];

	pthread_barrier_init(&barrier, NULL, WORKERS);
	for (unsigned i = 0; i < WORKERS; i++) {
		numbers[i] = i;
		CHECK(pthread_create(&threads[i], NULL, worker, &numbers[i]) == 0);
	}
	for (unsigned i = 0; i < WORKERS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
}

/* A child begins on its parent's hart, and moves on. */
KEEP static void fork_on(unsigned hart)
{
	pid_t child;
	int status;

	move_to(hart);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		descend(1, hart + 1);
		_exit(7);
	}
	move_to((hart + 1) % harts);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		rounds = (unsigned)atoi(argv[1]);
	harts = count_harts();
	move_threads();
	for (unsigned i = 0; i < rounds; i++)
		fork_on(i % harts);
	return 0;
}
