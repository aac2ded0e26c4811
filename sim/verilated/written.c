/* SPDX-License-Identifier: Apache-2.0 */
#include "written.h"

#include <stdlib.h>
#include <string.h>

#include "peek.h"

enum { LINE = L2_DRAM_LINE, MOST = 4096 / LINE };

bool written_init(struct written *w, const struct soc_image *image)
{
	w->image = image;
	w->bits = calloc(image->size / LINE / 64 + 1, sizeof(*w->bits));
	return w->bits != NULL;
}

void written_release(struct written *w)
{
	free(w->bits);
}

static bool is_line_written(const struct written *w, uint64_t line)
{
	return line < w->image->size / LINE && (w->bits[line / 64] >> line % 64 & 1);
}

void written_each(struct written *w, void *user, written_put *put)
{
	uint64_t lines = w->image->size / LINE, n;

	for (uint64_t at = 0; put && at < lines; at += n ? n : 1) {
		n = 0;
		if (at % 64 == 0 && w->bits[at / 64] == 0) {
			n = 64;
			continue;
		}
		while (n < MOST && is_line_written(w, at + n))
			n++;
		if (n)
			put(user, SOC_RAM_BASE + at * LINE, w->image->ram + at * LINE,
			    (uint32_t)(n * LINE));
	}
	memset(w->bits, 0, (lines / 64 + 1) * sizeof(*w->bits));
}

void written_each_modified(const struct rtl_hart *hart, void *user, written_put *put)
{
	uint64_t address, words[LINE / 8];

	for (unsigned i = 0; i < PEEK_L1D_LINES; i++)
		if (peek_l1d_modified(hart, i, &address, words))
			put(user, address, (const uint8_t *)words, sizeof(words));
	/* Memory has a part of a line that is being written back. */
	if (!peek_l1d_leaving(hart, &address))
		return;
	for (unsigned i = 0; i < LINE / 8; i++)
		if (peek_l1d(hart, address + 8 * i, words))
			put(user, address + 8 * i, (const uint8_t *)words, 8);
}
