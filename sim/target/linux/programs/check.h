/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share: an end with a message for what must not happen. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Functions that the optimiser must leave as they are. */
#define KEEP __attribute__((noipa))

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition)) {                                                      \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,       \
				#condition);                                             \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

/* Something to do: `turns` rounds of a small generator. */
KEEP static unsigned spin(unsigned turns)
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
