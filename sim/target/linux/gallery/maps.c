/* SPDX-License-Identifier: Apache-2.0 */
/* Two processes of one program that take turns, with the same libraries at different
 * addresses. Each prints where the kernel mapped its code.
 */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../programs/check.h"

enum { TURNS = 8, VALUES = 16, TO_CHILD = 10, FROM_CHILD = 20 };

KEEP static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

KEEP static void work(unsigned seed)
{
	double values[VALUES];
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now); /* in the vdso */
	for (unsigned i = 0; i < VALUES; i++)
		values[i] = sin((double)(spin(seed + i) % 100));
	qsort(values, VALUES, sizeof(values[0]), by_value);
	CHECK(values[0] <= values[VALUES - 1]);
}

/* Passes the turn on, and waits for it. */
static void take_turns(int in, int out, int first)
{
	char turn = 0;

	for (unsigned i = 0; i < TURNS; i++) {
		if (!first || i)
			CHECK(read(in, &turn, 1) == 1);
		work(i + 1);
		CHECK(write(out, &turn, 1) == 1);
	}
}

static void print_maps(const char *who)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[256];

	CHECK(maps);
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, " r-xp "))
			printf("%s %s", who, line);
	fclose(maps);
	fflush(stdout);
}

static void begin_child(const char *program, const int to[2], const int from[2])
{
	CHECK(dup2(to[0], TO_CHILD) == TO_CHILD &&
	      dup2(from[1], FROM_CHILD) == FROM_CHILD);
	execl(program, program, "child", (char *)NULL);
	_exit(127);
}

int main(int argc, char **argv)
{
	int to[2], from[2], status;
	pid_t child;

	if (argc > 1) {
		take_turns(TO_CHILD, FROM_CHILD, 0);
		print_maps("child");
		return 0;
	}
	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	CHECK(pipe(to) == 0 && pipe(from) == 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0)
		begin_child(argv[0], to, from);
	take_turns(from[0], to[1], 1);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	print_maps("parent");
	return 0;
}
