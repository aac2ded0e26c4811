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
	bool is_beyond; /* more was asked for than was added */
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

/* Returns the stretch of the hart's next instruction, or NULL. */
static struct stretch *find_insn(struct tr_selection *s, uint32_t hart)
{
	struct hart_rows *rows = find_rows(s, hart);
	while (rows && rows->at < rows->count && !rows->list[rows->at].instructions)
		rows->at++;
	return rows && rows->at < rows->count ? &rows->list[rows->at] : NULL;
}

/* Returns the stretch of the hart's next trap, or NULL. A stretch is over when it has no
 * instructions and too few cycles. */
static struct stretch *find_trap(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct hart_rows *rows = find_rows(s, hart);
	while (rows && rows->at < rows->count && !rows->list[rows->at].instructions &&
	       rows->list[rows->at].cycles < cycles)
		rows->at++;
	return rows && rows->at < rows->count ? &rows->list[rows->at] : NULL;
}

bool tr_selection_takes_insn(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct stretch *stretch = find_insn(s, hart);
	if (!stretch)
		return false;
	stretch->instructions--;
	return take_cycles(stretch, cycles);
}

bool tr_selection_takes_trap(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct stretch *stretch = find_trap(s, hart, cycles);
	return stretch && take_cycles(stretch, cycles);
}

uint32_t tr_selection_key_of_insns(struct tr_selection *s, uint32_t hart, uint32_t *count)
{
	struct stretch *stretch = find_insn(s, hart);
	if (!stretch) {
		s->is_beyond = true;
		return TR_SELECTION_NEVER;
	}
	if (*count > stretch->instructions)
		*count = (uint32_t)stretch->instructions;
	stretch->instructions -= *count;
	return stretch->key;
}

void tr_selection_take_cycles(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct hart_rows *rows = find_rows(s, hart);
	if (rows && rows->at < rows->count)
		take_cycles(&rows->list[rows->at], cycles);
}

uint32_t tr_selection_key_of_trap(struct tr_selection *s, uint32_t hart, uint64_t cycles)
{
	struct stretch *stretch = find_trap(s, hart, cycles);
	if (!stretch) {
		s->is_beyond = true;
		return TR_SELECTION_NEVER;
	}
	take_cycles(stretch, cycles);
	return stretch->key;
}

bool tr_selection_is_used_up(const struct tr_selection *s)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		for (size_t k = s->harts[i].at; k < s->harts[i].count; k++)
			if (s->harts[i].list[k].instructions)
				return false;
	return !s->is_beyond;
}
