/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share: the supervisor's calls and small helpers. */
#ifndef USER_H
#define USER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Functions that the optimiser must leave as they are. */
#define KEEP __attribute__((noipa))

long sys_write(const char *text, size_t size);
long sys_yield(void);
_Noreturn void sys_exit(int status);
long sys_spawn(const char *command); /* pid, or negative */
long sys_wait(void);		     /* pid << 8 | status, or negative */

/* Writes out what stdout holds, then ends the program. */
_Noreturn void program_exit(int status);

/* argv[index] as a number, or `fallback` when it is not there. */
uint32_t argument(int argc, char **argv, int index, uint32_t fallback);

/* A small generator of numbers that look random; never 0 from a seed not 0. */
static inline uint32_t random_next(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

#endif
