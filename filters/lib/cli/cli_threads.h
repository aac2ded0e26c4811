/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the filters. In any of them tr_die() ends the program. */
#ifndef TR_CLI_THREADS_H
#define TR_CLI_THREADS_H

#include <pthread.h>

#include "cli/cli.h"

/* Starts a thread, which receives no signals; dies on failure. */
void tr_cli_start_thread(const struct tr_cli *cli, pthread_t *thread,
			 void *(*run)(void *context), void *context);

#endif
