/* SPDX-License-Identifier: Apache-2.0 */
/* What it costs to move between two harts. The same work, which walks through some
 * memory, with a call of sched_setaffinity() before each part: on one hart, on the other,
 * and on both in turn.
 *
 *     moves TIMES BYTES
 */
#define _GNU_SOURCE
#include <sched.h>

#include "../programs/check.h"

enum { MOST = 1 << 16, LINE = 64 };

static unsigned char memory[MOST];
static unsigned times, bytes;

static void go_to(unsigned hart)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(hart, &set);
	CHECK(sched_setaffinity(0, sizeof(set), &set) == 0);
}

/* Changes a byte of each line. */
static void walk(void)
{
	for (unsigned i = 0; i < bytes; i += LINE)
		memory[i]++;
}

static void work(unsigned first, unsigned second)
{
	for (unsigned i = 0; i < times; i++) {
		go_to(i % 2 ? second : first);
		walk();
	}
}

KEEP static void prepare(unsigned hart)
{
	work(hart, hart);
}

KEEP static void stay_on_0(void)
{
	work(0, 0);
}

KEEP static void stay_on_1(void)
{
	work(1, 1);
}

KEEP static void move(void)
{
	work(0, 1);
}

int main(int argc, char **argv)
{
	CHECK(argc == 3);
	times = (unsigned)atoi(argv[1]);
	bytes = (unsigned)atoi(argv[2]);
	CHECK(times % 2 == 0 && bytes <= MOST);
	prepare(0);
	stay_on_0();
	prepare(1);
	stay_on_1();
	prepare(1);
	move();
	for (unsigned i = 0; i < bytes; i += LINE)
		CHECK(memory[i] == (unsigned char)(6 * times));
	puts("done");
	return 0;
}
