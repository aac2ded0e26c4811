/* SPDX-License-Identifier: Apache-2.0 */
/* Survives SIGBUS in accesses to mapped files. */
#include "guarded_memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

/* Where the thread continues after SIGBUS; NULL: it has no guard. */
static _Thread_local sigjmp_buf *volatile guard;
static struct sigaction former;

/* Returns whether a process has sent the signal, so that no access has raised it. */
static bool is_sent(const siginfo_t *about)
{
	return about->si_code <= 0;
}

/* Does what would have been done without this handler. */
static void pass_on(int number, siginfo_t *about, void *state)
{
	if (former.sa_flags & SA_SIGINFO) {
		former.sa_sigaction(number, about, state);
	} else if (former.sa_handler == SIG_DFL ||
		   (former.sa_handler == SIG_IGN && !is_sent(about))) {
		/* The signal is raised again when this handler returns, by the access if
		 * by nothing else, and ends the process. */
		signal(SIGBUS, SIG_DFL);
		if (is_sent(about))
			raise(SIGBUS);
	} else if (former.sa_handler != SIG_IGN) {
		former.sa_handler(number);
	}
}

static void handle_bus_error(int number, siginfo_t *about, void *state)
{
	if (guard && !is_sent(about))
		siglongjmp(*guard, 1);
	pass_on(number, about, state);
}

static void install_handler(void)
{
	struct sigaction action = {.sa_sigaction = handle_bus_error,
				   .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &former);
}

bool access_guarded(void (*access)(void *context), void *context)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigjmp_buf here;
	sigjmp_buf *const outer = guard;

	pthread_once(&once, install_handler);
	if (sigsetjmp(here, 1) == 0) {
		guard = &here;
		access(context);
		guard = outer;
		return true;
	}
	guard = outer;
	return false;
}
