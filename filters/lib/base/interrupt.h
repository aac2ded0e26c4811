/* SPDX-License-Identifier: Apache-2.0 */
/* The signals that ask a program to end: SIGINT, SIGTERM and SIGHUP. */
#ifndef TR_INTERRUPT_H
#define TR_INTERRUPT_H

#include <stdbool.h>

/* Calls `handler` at each of them that nobody ignores or handles yet: nohup(1) ignores
 * SIGHUP, and a shell without job control SIGINT for what it starts in the background.
 * With `restart` a blocked read goes on behind the handler. TR_OK or TR_E_IO (errno). */
int tr_interrupt_catch(void (*handler)(int number), bool restart);

/* For the handler, once a call: whether this is a further request to end. SIGHUP never
 * is, and what comes within a moment of the first signal is the same request: timeout(1)
 * and a terminal that closes send theirs to the group and to the process. */
bool tr_interrupt_again(int number);

#endif
