/* SPDX-License-Identifier: Apache-2.0 */
/* The log of blocks that ran, which is passed to the row hook. */
#include "internal.h"

void soc_log_block(struct soc_hart *h, struct soc_block *block, uint64_t pc)
{
	if (h->log)
		*h->log++ = (struct soc_log){block, pc};
}

/* The last block ran only its first n instructions. */
void soc_log_cut(struct soc_hart *h, unsigned n)
{
	if (!h->log)
		return;
	if (h->log[-1].block == NULL)
		h->log--;
	struct soc_log *last = &h->log[-1];
	if (n == 0) {
		h->log--;
		return;
	}
	last->pc |= 1;
	*h->log++ = (struct soc_log){NULL, n};
}

unsigned soc_log_reported(const struct soc_hart *h)
{
	const struct soc_block *last = h->log > h->log_first ? h->log[-1].block : NULL;

	return last && last->flags & SOC_BLOCK_REPORTED ? last->ops[last->n - 1].rd : 0;
}

static void send_cut(struct soc_hart *h, const struct soc_log *entry)
{
	const struct soc_block *b = entry->block;
	struct soc_row row = {.pc = entry->pc & ~UINT64_C(1), .code = b->code};

	row.count = (uint16_t)entry[1].pc;
	row.bytes =
	    row.count == b->n ? b->bytes : (uint16_t)(b->ops[row.count].half * 2U);
	h->soc->hooks.row(h->soc->hooks.user, h->id, &row);
}

void soc_log_flush(struct soc_hart *h)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	struct soc_row row = {0};

	if (!h->log)
		return;
	for (struct soc_log *e = h->log_first; hooks->row && e < h->log; e++) {
		if (e->pc & 1) {
			send_cut(h, e++);
			continue;
		}
		row.pc = e->pc;
		row.code = e->block->code;
		row.count = e->block->n;
		row.bytes = e->block->bytes;
		row.cache = &e->block->cache;
		hooks->row(hooks->user, h->id, &row);
	}
	h->log = h->log_first;
}
