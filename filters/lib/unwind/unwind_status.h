/* SPDX-License-Identifier: Apache-2.0 */
/* The first error of an unwinder, which all its modules share: after it nothing is
 * done. */
#ifndef TR_UNWIND_STATUS_H
#define TR_UNWIND_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unwind_status {
	int first; /* enum tr_status; 0: none */
};

static inline void unwind_fail(struct unwind_status *status, int error)
{
	if (!status->first)
		status->first = error;
}

static inline bool unwind_failed(const struct unwind_status *status)
{
	return status->first != 0;
}

/* Grows *array (elements of `size` bytes) to hold `count`. Returns false, after
 * unwind_fail(), when out of memory. */
bool tr_unwind_reserve(struct unwind_status *status, void **array, uint32_t *capacity,
		       uint64_t count, size_t size);

#endif
