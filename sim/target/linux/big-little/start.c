/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs at the same time, each several times, one after another; on one hart, or
 * wherever the kernel places them.
 *
 *     start HART|any TIMES PROGRAM...
 */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../programs/check.h"

static void pin_to(const char *hart)
{
	cpu_set_t set;

	if (strcmp(hart, "any") == 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((unsigned)atoi(hart), &set);
	CHECK(sched_setaffinity(0, sizeof(set), &set) == 0);
}

static void wait_for_success(void)
{
	int status;

	CHECK(wait(&status) > 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void run_once(const char *program)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0) {
		execl(program, program, NULL);
		_exit(127);
	}
	wait_for_success();
}

static void run_several(const char *hart, int times, const char *program)
{
	pin_to(hart);
	while (times-- > 0)
		run_once(program);
	_exit(0);
}

int main(int argc, char **argv)
{
	CHECK(argc > 3);
	for (int i = 3; i < argc; i++) {
		pid_t child = fork();

		CHECK(child >= 0);
		if (child == 0)
			run_several(argv[1], atoi(argv[2]), argv[i]);
	}
	for (int i = 3; i < argc; i++)
		wait_for_success();
	puts("done");
	return 0;
}
