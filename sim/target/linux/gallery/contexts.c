/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of the program's own: coroutines by makecontext and swapcontext, a handler on a
 * signal stack that switches them, and vfork with exec.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "../programs/check.h"

enum { COROUTINES = 3, STACK = 65536, TURNS = 30 };

static ucontext_t scheduler, coroutine[COROUTINES];
static unsigned running, ended;
static double sums[COROUTINES];
static volatile sig_atomic_t handled;
static char signal_stack[65536];

KEEP static void yield(unsigned depth)
{
	if (depth > 0)
		yield(depth - 1);
	else
		CHECK(swapcontext(&coroutine[running], &scheduler) == 0);
	spin(1);
}

/* Yields at another depth each time. */
KEEP static void generate(int me)
{
	for (unsigned i = 0; i < TURNS; i++) {
		sums[me] += spin(i + 1) % 100 / 4.0;
		yield(i % 4);
		CHECK(running == (unsigned)me);
	}
	ended++;
}

KEEP static void prepare(int me)
{
	CHECK(getcontext(&coroutine[me]) == 0);
	coroutine[me].uc_stack.ss_sp = malloc(STACK);
	coroutine[me].uc_stack.ss_size = STACK;
	coroutine[me].uc_link = &scheduler;
	makecontext(&coroutine[me], (void (*)(void))generate, 1, me);
}

KEEP static void coroutines(void)
{
	for (int i = 0; i < COROUTINES; i++)
		prepare(i);
	for (unsigned i = 0; ended < COROUTINES; i++) {
		running = i % COROUTINES;
		CHECK(swapcontext(&scheduler, &coroutine[running]) == 0);
	}
	for (unsigned i = 0; i < COROUTINES; i++)
		free(coroutine[i].uc_stack.ss_sp);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	char here;

	(void)number, (void)info, (void)context;
	CHECK(&here >= signal_stack && &here < signal_stack + sizeof(signal_stack));
	spin(40);
	handled++;
}

KEEP static void raised(unsigned depth)
{
	if (depth > 0)
		raised(depth - 1);
	else
		raise(SIGUSR1);
	spin(1);
}

KEEP static void signals(void)
{
	stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
	struct sigaction action = {.sa_sigaction = on_signal,
				   .sa_flags = SA_ONSTACK | SA_SIGINFO};

	CHECK(sigaltstack(&stack, NULL) == 0);
	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	for (unsigned i = 0; i < 10; i++)
		raised(i);
	CHECK(handled == 10);
}

KEEP static int spawn(char *program)
{
	char *argv[] = {program, "child", NULL};
	int status;
	pid_t child = vfork();

	if (child == 0) {
		execv(program, argv);
		_exit(127);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	unsigned status = 0;
	double sum = 0;

	if (argc > 1 && strcmp(argv[1], "child") == 0)
		return (int)(spin(1000) % 50) + 10;
	coroutines();
	signals();
	for (unsigned i = 0; i < 3; i++)
		status += (unsigned)spawn(argv[0]);
	for (unsigned i = 0; i < COROUTINES; i++)
		sum += sums[i];
	printf("contexts: %.2f %d %u\n", sum, (int)handled, status);
	return 0;
}
