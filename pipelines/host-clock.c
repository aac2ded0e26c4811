/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the host's clock frequency in Hz. A chain of dependent additions takes one cycle
 * per addition. The fastest of many short runs counts, in CPU time of the process, so
 * that other programs and a slow start do not affect the result. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { RUNS = 200, TURNS = 20000, CHAIN = 64 };

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Prevents the compiler from knowing x and from folding two additions. */
#define ADD                                                                              \
	x += y;                                                                          \
	__asm__ volatile("" : "+r"(x), "+r"(y))
#define ADD8                                                                             \
	ADD;                                                                             \
	ADD;                                                                             \
	ADD;                                                                             \
	ADD;                                                                             \
	ADD;                                                                             \
	ADD;                                                                             \
	ADD;                                                                             \
	ADD

static uint64_t chains(void)
{
	uint64_t x = 1, y = 3;
	for (int i = 0; i < TURNS; i++) {
		ADD8;
		ADD8;
		ADD8;
		ADD8;
		ADD8;
		ADD8;
		ADD8;
		ADD8;
	}
	return x;
}

int main(void)
{
	uint64_t best = UINT64_MAX, sum = 0;
	for (int i = 0; i < RUNS; i++) {
		uint64_t start = now();
		sum += chains();
		uint64_t taken = now() - start;
		if (taken < best)
			best = taken;
	}
	double hz = (double)TURNS * CHAIN * 1e9 / (double)best;
	return sum == 0 || printf("%.0f\n", hz) < 0;
}
