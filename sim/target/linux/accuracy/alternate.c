/* SPDX-License-Identifier: Apache-2.0 */
/* Two functions that do the same take turns, each for half of a period: what samples of
 * that period say of them.
 *
 *     alternate MICROSECONDS SECONDS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 100 };

/* In microseconds: the unit of the machine's timer. */
static inline uint64_t read_time(void)
{
	uint64_t time;

	__asm__ volatile("rdtime %0" : "=r"(time));
	return time;
}

/* The same in both functions. */
static inline __attribute__((always_inline)) uint32_t work_until(uint64_t end,
								 uint32_t value)
{
	while (read_time() < end)
		for (int i = 0; i < STEPS; i++)
			value = value * 1664525 + 1013904223;
	return value;
}

static __attribute__((noipa)) uint32_t work_early(uint64_t end, uint32_t value)
{
	return work_until(end, value);
}

static __attribute__((noipa)) uint32_t work_late(uint64_t end, uint32_t value)
{
	return work_until(end, value);
}

int main(int argc, char **argv)
{
	uint64_t period = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t time, last;
	uint32_t value = 1;

	if (period < 2)
		return 2;
	time = read_time() / period * period + period;
	last = time + strtoull(argv[2], NULL, 10) * 1000000;
	while (time < last) {
		value = work_early(time + period / 2, value);
		time += period;
		value = work_late(time, value);
	}
	printf("alternate: %s microseconds, %s\n", argv[1], value ? "done" : "zero");
	return 0;
}
