/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that ask a program to end: SIGINT, SIGTERM and SIGHUP. */
#ifndef TR_INTERRUPT_H
#define TR_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Installs `handler` for each of these signals that is neither ignored nor handled yet:
 * nohup(1) ignores SIGHUP, and a shell without job control ignores SIGINT in background
 * jobs. With `restart`, system calls resume after the handler (SA_RESTART). Returns TR_OK
 * or TR_E_IO (errno is set). */
int tr_interrupt_catch(void (*handler)(int number), bool restart);

/* Blocks these signals, and stores the mask of before. */
void tr_interrupt_block(sigset_t *before);

/* In a child that will call exec: gives the signals that are handled their default
 * action, then restores the mask. */
void tr_interrupt_reset(const sigset_t *before);

/* Returns true when this signal is a further request to end. The handler calls it once
 * per signal. SIGHUP never is a further request, nor is a signal shortly after the first
 * one: timeout(1) and a closing terminal signal both the process and its group. */
bool tr_interrupt_again(int number);

#endif
