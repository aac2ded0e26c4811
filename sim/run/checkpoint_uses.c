/* SPDX-License-Identifier: Apache-2.0 */
/* The last uses of RAM in a checkpoint. */
#include <stdlib.h>

#include "base/little.h"
#include "checkpoint_internal.h"

enum { USE_BYTES = 8, KIND_BITS = 63 }; /* below the address of a line */

uint8_t *checkpoint_put_uses(const struct soc_line_uses *uses)
{
	uint8_t *pages = calloc(checkpoint_pages_of_uses(uses->n) + 1U, CHECKPOINT_PAGE);

	for (size_t i = 0; pages && i < uses->n; i++)
		tr_store64(pages + i * USE_BYTES, uses->uses[i]);
	return pages;
}

const char *checkpoint_get_uses(const uint8_t *pages, size_t n, uint64_t ram_size,
				struct soc_line_uses *uses)
{
	uses->n = 0;
	for (size_t i = 0; i < n; i++) {
		const uint64_t use = tr_load64(pages + i * USE_BYTES);

		if ((use & ~(uint64_t)KIND_BITS) - SOC_RAM_BASE >= ram_size)
			return "a use outside memory";
		if ((use & KIND_BITS) > SOC_USE_OTHER)
			return "a use of an unknown kind";
		uses->uses[uses->n++] = use;
	}
	return NULL;
}
