/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the programs: exit with a message if a check fails. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Functions that must not be inlined, cloned or analysed. */
#define KEEP __attribute__((noipa))

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition)) {                                                      \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,       \
				#condition);                                             \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

/* Busy work: `turns` steps of a small random number generator. */
__attribute__((unused)) KEEP static unsigned spin(unsigned turns)
{
	unsigned x = turns | 1;

	while (turns-- > 0) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	return x;
}

#endif
