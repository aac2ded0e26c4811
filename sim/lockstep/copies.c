/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the copy unit has written with what the model copies. */
#include <inttypes.h>
#include <string.h>

#include "compare.h"

bool is_copy(uint32_t insn)
{
	return (insn & 0xfe00707f) == 0x0b;
}

void lockstep_copied(struct lockstep *l, uint64_t line, const uint8_t *data,
		     uint64_t mask)
{
	struct copied *c = &l->copied[l->ncopied % COPY_LINES];

	c->line = line;
	c->mask = mask;
	memcpy(c->data, data, sizeof c->data);
	for (unsigned i = 0; i < sizeof c->data; i += 8)
		if (mask >> i & 0xff)
			history_store(l->history, line + i);
	l->ncopied++;
}

static bool say(struct lockstep *l, const char *what, uint64_t address)
{
	snprintf(l->why, sizeof l->why, "the copy unit has %s 0x%" PRIx64, what, address);
	return false;
}

/* Returns whether the bytes of a line are among those copied, and equal the model's. Adds
 * their number. */
static bool line_agrees(struct lockstep *l, const struct copied *c, uint64_t *bytes)
{
	uint64_t first = l->event.address, n = l->event.value;
	uint8_t byte;

	for (unsigned i = 0; i < sizeof c->data; i++) {
		uint64_t at = c->line + i;

		if (!(c->mask >> i & 1))
			continue;
		if (at - first >= n)
			return say(l, "written behind the copy:", at);
		if (!soc_read_physical(l->model, at, &byte, 1) || byte != c->data[i])
			return say(l, "written another byte:", at);
		++*bytes;
	}
	for (unsigned i = 0; &l->copied[i] != c; i++)
		if (l->copied[i].line == c->line)
			return say(l, "written twice:", c->line);
	return true;
}

bool copies_agree(struct lockstep *l)
{
	const struct soc_event *e = &l->event;
	bool copies = is_copy(e->insn) && !e->trap && e->store;
	unsigned lines = l->ncopied;
	uint64_t bytes = 0;

	l->ncopied = 0;
	if (!copies && lines == 0)
		return true;
	if (!copies || lines > COPY_LINES)
		return say(l, "written for no copy, or too much:", l->copied[0].line);
	for (unsigned i = 0; i < lines; i++)
		if (!line_agrees(l, &l->copied[i], &bytes))
			return false;
	return bytes == e->value || say(l, "not written all from", e->address);
}
