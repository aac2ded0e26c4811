/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a filter on many inputs in a single process, which is much faster than a process
 * per input. Outside AFL++ it runs once. */
#include <getopt.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

/* AFL++'s own descriptors are above these. */
enum { RUNS = 200, FIRST_FILE = 3, LAST_FILE = 190 };

int filter_main(int argc, char **argv);
_Noreturn void filter_exit(int status);

static jmp_buf end;
static int exit_status;

/* Replaces exit() in filters and their library. */
void filter_exit(int status)
{
	exit_status = status;
	longjmp(end, 1);
}

int main(int argc, char **argv)
{
	while (__AFL_LOOP(RUNS)) {
		optind = 0;
		if (setjmp(end) == 0)
			exit_status = filter_main(argc, argv);
		close_range(FIRST_FILE, LAST_FILE, 0);
	}
	_exit(exit_status);
}
