/* SPDX-License-Identifier: Apache-2.0 */
/* Conditional operations by a branch, or if-converted (-DIF_CONVERTED).
 *
 * CHOOSE gives one of two values, INCREMENT_IF adds 1 to a variable. Barriers keep the
 * compiler from removing the branches, and from adding branches to the converted code. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdint.h>

/* Returns `first` for a mask of all ones, `second` for a mask of 0. */
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
