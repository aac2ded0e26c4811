/* SPDX-License-Identifier: Apache-2.0 */
/* A process with forked children and threads, which make the same calls in each run, and
 * stay until the machine is switched off, so that their logs can be read. Every tenth
 * child becomes log_cousin.
 *
 *	log_family CHILDREN READY
 *
 * When all of them have made their calls, it makes the file READY.
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "linux/programs/check.h"

enum { THREADS = 4, NUMBER = 16 };

static int told[2]; /* a pipe, with a byte of each that has made its calls */

KEEP static unsigned one_step(unsigned value)
{
	return value * 5 + 3;
}

KEEP static unsigned do_steps(unsigned steps)
{
	unsigned value = steps;

	for (unsigned i = 0; i < steps; i++)
		value = one_step(value);
	return value;
}

/* Makes calls, and stays. */
_Noreturn KEEP static void stay_after(unsigned steps)
{
	unsigned char byte = (unsigned char)do_steps(steps);

	CHECK(write(told[1], &byte, 1) == 1);
	for (;;)
		pause();
}

static void *be_thread(void *argument)
{
	stay_after(*(const unsigned *)argument);
}

/* The pipe is standard output of the other program. */
_Noreturn KEEP static void be_cousin(unsigned steps)
{
	char text[NUMBER];

	do_steps(steps);
	CHECK(dup2(told[1], STDOUT_FILENO) == STDOUT_FILENO);
	snprintf(text, sizeof(text), "%u", steps);
	execl("/bin/log_cousin", "log_cousin", text, (char *)NULL);
	_exit(1);
}

KEEP static void start_child(unsigned number)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child)
		return;
	if (number % 10 == 9)
		be_cousin(number);
	stay_after(number);
}

KEEP static void expect_told(unsigned count)
{
	unsigned char byte;

	for (unsigned i = 0; i < count; i++)
		CHECK(read(told[0], &byte, 1) == 1);
}

int main(int argc, char **argv)
{
	static unsigned steps[THREADS];
	pthread_t thread;

	CHECK(argc == 3 && pipe(told) == 0);
	unsigned children = (unsigned)atoi(argv[1]);

	for (unsigned i = 0; i < children; i++)
		start_child(i);
	expect_told(children);
	for (unsigned i = 0; i < THREADS; i++) {
		steps[i] = 1000 + i;
		CHECK(pthread_create(&thread, NULL, be_thread, &steps[i]) == 0);
	}
	expect_told(THREADS);
	CHECK(open(argv[2], O_CREAT | O_WRONLY, 0600) >= 0);
	for (;;)
		pause();
}
