/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_threads.h"

#include <signal.h>
#include <string.h>

void tr_cli_start_thread(const struct tr_cli *cli, pthread_t *thread,
			 void *(*run)(void *context), void *context)
{
	sigset_t all, former;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	const int error = pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (error)
		tr_die(cli, "thread: %s", strerror(error));
}
