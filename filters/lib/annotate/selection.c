/* SPDX-License-Identifier: Apache-2.0 */
/* Selected instructions, as stretches of rows. */
#include "annotate/selection.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/status.h"
#include "stream/stream.h"

/* Rows of a hart with the same key. */
struct stretch {
	uint64_t instructions, cycles; /* in the second pass: those that are left */
	uint32_t key;		       /* chosen: 1 if selected, else 0 */
};

struct hart_rows {
	uint32_t hart;
	struct stretch *list;
	size_t count, room, at; /* at: the stretch that is asked for next */
};

struct tr_selection {
	struct hart_rows harts[TR_MAX_HARTS];
	uint32_t nharts;
};

struct tr_selection *tr_selection_new(void)
{
	return calloc(1, sizeof(struct tr_selection));
}

void tr_selection_free(struct tr_selection *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nharts; i++)
		free(s->harts[i].list);
	free(s);
}

static struct hart_rows *find_rows(struct tr_selection *s, uint32_t hart)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		if (s->harts[i].hart == hart)
			return &s->harts[i];
	return NULL;
}

int tr_selection_add(struct tr_selection *s, uint32_t hart, uint32_t key,
		     uint64_t instructions, uint64_t cycles)
{
	struct hart_rows *rows = find_rows(s, hart);
	if (!rows && s->nharts == TR_MAX_HARTS)
		return TR_E_ARGUMENT;
	if (!rows) {
		rows = &s->harts[s->nharts++];
		rows->hart = hart;
	}
	if (!rows->count || rows->list[rows->count - 1].key != key) {
		if (!tr_grow(&rows->list, &rows->room, rows->count + 1,
			     sizeof(*rows->list)))
			return TR_E_NOMEM;
		rows->list[rows->count++] = (struct stretch){.key = key};
	}
	rows->list[rows->count - 1].instructions += instructions;
	rows->list[rows->count - 1].cycles += cycles;
	return TR_OK;
}

void tr_selection_choose(struct tr_selection *s,
			 bool (*is_selected)(void *context, uint32_t key), void *context)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		for (size_t k = 0; k < s->harts[i].count; k++) {
			struct stretch *stretch = &s->harts[i].list[k];
			stretch->key = stretch->key != TR_SELECTION_NEVER &&
				       is_selected(context, stretch->key);
		}
}

/* Takes cycles of a stretch, and returns whether it is selected. */
static bool take_cycles(struct stretch *stretch, uint64_t cycles)
{
	stretch->cycles -= cycles < stretch->cycles ? cycles : stretch->cycles;
	return stretch->key;
}

bool tr_selection_takes_insn(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct hart_rows *rows = find_rows(s, hart);
	while (rows && rows->at < rows->count && !rows->list[rows->at].instructions)
		rows->at++;
	if (!rows || rows->at == rows->count)
		return false;
	rows->list[rows->at].instructions--;
	return take_cycles(&rows->list[rows->at], cycles);
}

bool tr_selection_takes_trap(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct hart_rows *rows = find_rows(s, hart);
	/* A stretch is over when it has no instructions and too few cycles. */
	while (rows && rows->at < rows->count && !rows->list[rows->at].instructions &&
	       rows->list[rows->at].cycles < cycles)
		rows->at++;
	if (!rows || rows->at == rows->count)
		return false;
	return take_cycles(&rows->list[rows->at], cycles);
}
