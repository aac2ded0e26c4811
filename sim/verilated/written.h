/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines of RAM have been written, by write-backs and DMA, and what the L1Ds have
 * modified: what memory has, seen from the harts. */
#ifndef VERILATED_WRITTEN_H
#define VERILATED_WRITTEN_H

#include "model/load.h"
#include "rtl.h"
#include "soc.h"

struct written {
	uint64_t *bits; /* one for each line of RAM */
	const struct soc_image *image;
};

/* Returns false if memory runs out. */
bool written_init(struct written *w, const struct soc_image *image);
void written_release(struct written *w);
/* Notes a write to the line of this address; outside RAM it has no effect. */
static inline void written_note(struct written *w, uint64_t address)
{
	uint64_t line = (address - SOC_RAM_BASE) / L2_DRAM_LINE;

	if (address >= SOC_RAM_BASE && line < w->image->size / L2_DRAM_LINE)
		w->bits[line / 64] |= UINT64_C(1) << line % 64;
}

typedef void written_put(void *user, uint64_t address, const uint8_t *data,
			 uint32_t size);
/* Passes on the lines that were written since the last call, in the order of their
 * addresses; with NULL it only forgets them. */
void written_each(struct written *w, void *user, written_put *put);
/* Passes on the lines that the L1D of a hart has modified. */
void written_each_modified(const struct rtl_hart *hart, void *user, written_put *put);

#endif
