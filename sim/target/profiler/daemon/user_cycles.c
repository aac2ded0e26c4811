/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the counter of cycles. */
#include "user_cycles.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static sigjmp_buf refused;

static void leave_instruction(int signal)
{
	(void)signal;
	siglongjmp(refused, 1);
}

static inline uint64_t read_cycles(void)
{
	uint64_t cycles;

	__asm__ volatile("rdcycle %0" : "=r"(cycles));
	return cycles;
}

/* Whether the instruction is allowed. */
static bool try_cycles(void)
{
	struct sigaction action = {.sa_handler = leave_instruction}, before;
	volatile bool allowed = false;

	sigaction(SIGILL, &action, &before);
	if (sigsetjmp(refused, 1) == 0) {
		read_cycles();
		allowed = true;
	}
	sigaction(SIGILL, &before, NULL);
	return allowed;
}

uint64_t read_user_cycles(void)
{
	static enum { UNTRIED, ALLOWED, REFUSED } state;

	if (state == UNTRIED)
		state = try_cycles() ? ALLOWED : REFUSED;
	return state == ALLOWED ? read_cycles() : 0;
}
