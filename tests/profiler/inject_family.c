/* SPDX-License-Identifier: Apache-2.0 */
/* A program that inject_check counts calls of: each signal is something to do. SIGHUP:
 * 100 calls; SIGUSR1: a child, or as many as its value is, which wait for signals as
 * well; SIGUSR2: one that shares the memory, until SIGTERM; SIGALRM: runs this program
 * again; SIGTERM: the end.
 *
 *     inject_family
 */
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "check.h"

enum { CALLS = 100, STATUS = 6, STACK = 16384 };

KEEP static int count_call(int value)
{
	return value * 3 + 1;
}

KEEP static void call_often(void)
{
	int value = 0;

	for (int i = 0; i < CALLS; i++)
		value = count_call(value);
}

static int next_signal(const sigset_t *signals, siginfo_t *signal)
{
	int number;

	do
		number = sigwaitinfo(signals, signal);
	while (number < 0);
	return number;
}

static void make_children(const siginfo_t *signal)
{
	int count = signal->si_code == SI_QUEUE ? signal->si_value.sival_int : 1;

	while (count-- > 0 && fork() > 0)
		;
}

static int run_sharer(void *signals)
{
	siginfo_t signal;
	int number;

	while ((number = next_signal(signals, &signal)) != SIGTERM)
		if (number == SIGHUP)
			call_often();
	_exit(STATUS);
}

/* As vfork() of other C libraries: the parent waits until its memory is its own. */
static void share_memory(sigset_t *signals)
{
	static char stack[STACK] __attribute__((aligned(16)));

	CHECK(clone(run_sharer, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD,
		    signals) > 0);
}

int main(int argc, char **argv)
{
	sigset_t signals;
	siginfo_t sent;
	int number;

	CHECK(argc == 1 && signal(SIGCHLD, SIG_IGN) != SIG_ERR);
	sigfillset(&signals);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	while ((number = next_signal(&signals, &sent)) != SIGTERM) {
		if (number == SIGHUP)
			call_often();
		else if (number == SIGUSR1)
			make_children(&sent);
		else if (number == SIGUSR2)
			share_memory(&signals);
		else if (number == SIGALRM)
			execv("/proc/self/exe", argv);
	}
	return STATUS;
}
