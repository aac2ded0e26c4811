/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow, and the error if they cannot. */
#include "unwind/unwind_status.h"

#include <stdlib.h>

#include "base/status.h"

bool tr_unwind_reserve(struct unwind_status *status, void **array, uint32_t *capacity,
		       uint64_t count, size_t size)
{
	if (count <= *capacity)
		return true;
	uint64_t room = *capacity < 16 ? 16 : *capacity;
	while (room < count)
		room *= 2;
	void *bigger = room <= UINT32_MAX ? realloc(*array, room * size) : NULL;
	if (!bigger) {
		unwind_fail(status, TR_E_NOMEM);
		return false;
	}
	*array = bigger;
	*capacity = (uint32_t)room;
	return true;
}
