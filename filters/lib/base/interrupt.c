/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the signals that ask a program to end. */
#include "base/interrupt.h"

#include <stdint.h>
#include <time.h>

#include "base/status.h"

enum { MOMENT_MS = 300 };

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static uint64_t read_interrupt_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int tr_interrupt_catch(void (*handler)(int number), bool restart)
{
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = restart ? SA_RESTART : 0};
	struct sigaction before;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&action.sa_mask, signals[i]);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (sigaction(signals[i], NULL, &before) != 0)
			return TR_E_IO;
		if (before.sa_handler == SIG_DFL &&
		    sigaction(signals[i], &action, NULL) != 0)
			return TR_E_IO;
	}
	return TR_OK;
}

void tr_interrupt_block(sigset_t *before)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

void tr_interrupt_reset(const sigset_t *before)
{
	struct sigaction action;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			signal(signals[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

bool tr_interrupt_again(int number)
{
	static volatile uint64_t first; /* the handler does not nest */
	uint64_t now = read_interrupt_clock();
	if (!first)
		first = now;
	return number != SIGHUP && now - first > MOMENT_MS;
}
