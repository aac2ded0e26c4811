/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the programs: the supervisor's calls and small helpers. */
#ifndef USER_H
#define USER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Functions that must not be inlined, cloned or analysed. */
#define KEEP __attribute__((noipa))

long sys_write(const char *text, size_t size);
long sys_yield(void);
_Noreturn void sys_exit(int status);
long sys_spawn(const char *command); /* pid, or negative */
long sys_wait(void);		     /* pid << 8 | status, or negative */

/* Flushes stdout, then ends the program. */
_Noreturn void program_exit(int status);

/* Returns argv[index] as a number, or `fallback` if there is none. */
uint32_t argument(int argc, char **argv, int index, uint32_t fallback);

/* Returns the next pseudo-random number; never 0 if the seed is not 0. */
static inline uint32_t random_next(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

#endif
