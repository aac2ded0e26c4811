/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on a condition, by a branch, or if-converted (-DIF_CONVERTED).
 *
 * CHOOSE gives one of two values, INCREMENT_IF adds 1 to a variable. The compiler is
 * told as little as it takes that a branch stays one, and none comes back.
 */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdint.h>

/* The first where the mask is all ones, the second where it is 0. */
static inline uint64_t choose(uint64_t mask, uint64_t first, uint64_t second)
{
	__asm__("" : "+r"(mask));
	return second ^ ((first ^ second) & mask);
}

#ifdef IF_CONVERTED
#define CHOOSE(condition, first, second)  choose(-(uint64_t)(condition), first, second)
#define INCREMENT_IF(condition, variable) ((variable) += (condition))
#else
#define CHOOSE(condition, first, second) ((condition) ? (first) : (second))
#define INCREMENT_IF(condition, variable)                                                \
	do {                                                                             \
		if (condition) {                                                         \
			(variable)++;                                                    \
			__asm__("" : "+r"(variable));                                    \
		}                                                                        \
	} while (0)
#endif

#endif
