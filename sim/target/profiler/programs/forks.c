/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that fork and do not exec: 200 children, some at the same time, some of which
 * fork again, and each calls a function as often as its number says.
 *
 *     forks [CHILDREN]
 */
#include <sys/wait.h>
#include <unistd.h>

#include "linux/programs/check.h"

enum { CHILDREN = 200, GROUP = 4, CODES = 64 };

KEEP static unsigned one_step(unsigned value)
{
	return value * 5 + 3;
}

KEEP static unsigned do_steps(unsigned number)
{
	unsigned value = number;

	for (unsigned i = 0; i < number; i++)
		value = one_step(value);
	return value % CODES;
}

/* The same without calls. */
KEEP static unsigned expected_code(unsigned number)
{
	unsigned value = number;

	for (unsigned i = 0; i < number; i++)
		value = value * 5 + 3;
	return value % CODES;
}

KEEP static void expect_child(pid_t child, unsigned code)
{
	int status;

	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && (unsigned)WEXITSTATUS(status) == code);
}

/* Every tenth child has one itself. */
_Noreturn KEEP static void be_child(unsigned number)
{
	if (number % 10 == 0) {
		pid_t child = fork();

		CHECK(child >= 0);
		if (child == 0)
			_exit((int)do_steps(number + 1));
		expect_child(child, expected_code(number + 1));
	}
	spin(1000);
	_exit((int)do_steps(number));
}

KEEP static pid_t start_child(unsigned number)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0)
		be_child(number);
	return child;
}

int main(int argc, char **argv)
{
	unsigned children = argc > 1 ? (unsigned)atoi(argv[1]) : CHILDREN;
	pid_t group[GROUP];

	for (unsigned first = 0; first < children; first += GROUP) {
		for (unsigned i = 0; i < GROUP; i++)
			group[i] = start_child(first + i);
		for (unsigned i = 0; i < GROUP; i++)
			expect_child(group[i], expected_code(first + i));
	}
	printf("forks: %u children\n", children);
	return 0;
}
