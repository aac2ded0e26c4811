/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: nested handlers, SA_SIGINFO on a stack of its own, siglongjmp out of a
 * fault, a timer that interrupts a loop and a system call, a child's end.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile sig_atomic_t inner, outer, alarms, children, depth;
static sigjmp_buf back;
static char *volatile page;
static char other_stack[16384];

static void install(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler,
				   .sa_flags = flags | SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	CHECK(sigaction(number, &action, NULL) == 0);
}

static void on_inner(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	spin(100);
	inner++;
}

/* A signal within a handler within a handler. */
static void on_outer(int number, siginfo_t *info, void *context)
{
	(void)info, (void)context;
	if (depth++ < 2)
		raise(number);
	raise(SIGUSR2);
	outer++;
}

KEEP static void nested(void)
{
	install(SIGUSR1, on_outer, SA_NODEFER);
	install(SIGUSR2, on_inner, 0);
	raise(SIGUSR1);
	CHECK(outer == 3 && inner == 3);
}

static void on_other_stack(int number, siginfo_t *info, void *context)
{
	char here;

	(void)number, (void)context;
	CHECK(&here >= other_stack && &here < other_stack + sizeof(other_stack));
	CHECK(info->si_pid == getpid());
	raise(SIGUSR2);
}

KEEP static void alternate(void)
{
	stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};

	CHECK(sigaltstack(&stack, NULL) == 0);
	install(SIGTERM, on_other_stack, SA_ONSTACK);
	kill(getpid(), SIGTERM);
	CHECK(inner == 4);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	CHECK(info->si_addr == page);
	siglongjmp(back, 1);
}

/* Leaves by siglongjmp past the frames of touch and the handler. */
KEEP static void touch(unsigned calls)
{
	if (calls > 0)
		touch(calls - 1);
	else
		*page = 1;
	spin(1);
}

KEEP static void faults(void)
{
	void *got = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(got != MAP_FAILED);
	page = got;
	install(SIGSEGV, on_fault, SA_ONSTACK);
	for (unsigned i = 0; i < 3; i++) {
		if (sigsetjmp(back, 1) == 0) {
			touch(i);
			CHECK(!"the page can be written");
		}
	}
	munmap(got, 4096);
}

/* Fixes the cause of the fault, so that the store is repeated successfully. */
static void on_repair(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	CHECK(mprotect(info->si_addr, 4096, PROT_READ | PROT_WRITE) == 0);
}

KEEP static void repaired(void)
{
	void *got = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(got != MAP_FAILED);
	page = got;
	install(SIGSEGV, on_repair, 0);
	touch(2);
	CHECK(*page == 1);
	munmap(got, 4096);
}

static void on_alarm(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	spin(50);
	alarms++;
}

KEEP static void interrupted(void)
{
	struct itimerval each = {.it_interval.tv_usec = 100, .it_value.tv_usec = 100};
	struct itimerval once = {.it_value.tv_usec = 300}, none = {0};
	int ends[2];
	char byte;

	install(SIGALRM, on_alarm, 0);
	CHECK(setitimer(ITIMER_REAL, &each, NULL) == 0);
	while (alarms < 3)
		spin(1000);
	CHECK(setitimer(ITIMER_REAL, &none, NULL) == 0);
	CHECK(pipe(ends) == 0);
	CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
	CHECK(read(ends[0], &byte, 1) == -1 && errno == EINTR);
	close(ends[0]);
	close(ends[1]);
}

static void on_child(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	CHECK(waitpid(info->si_pid, NULL, WNOHANG) == info->si_pid);
	children++;
}

KEEP static void child_ends(void)
{
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	CHECK(sigprocmask(SIG_BLOCK, &blocked, &before) == 0);
	install(SIGCHLD, on_child, 0);
	if (fork() == 0)
		_exit(0);
	while (children == 0)
		sigsuspend(&before);
	CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
}

int main(void)
{
	nested();
	alternate();
	faults();
	repaired();
	interrupted();
	child_ends();
	return 0;
}
