/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the copy unit has written with what the model copies. */
#include <inttypes.h>
#include <string.h>

#include "compare.h"
#include "stream/insn.h"

void lockstep_copied(struct lockstep *l, uint64_t line, const uint8_t *data,
		     uint64_t mask)
{
	struct copied *c = &l->copied[l->ncopied % COPY_LINES];

	c->line = line;
	c->mask = mask;
	memcpy(c->data, data, sizeof(c->data));
	for (unsigned i = 0; i < sizeof(c->data); i += 8)
		if (mask >> i & 0xff)
			history_store(l->history, line + i);
	l->ncopied++;
}

static bool report_copy_address(struct lockstep *l, const char *what, uint64_t address)
{
	snprintf(l->why, sizeof(l->why), "the copy unit has %s 0x%" PRIx64, what,
		 address);
	return false;
}

/* Returns whether the bytes of a line are among those copied, and equal the model's. Adds
 * their number. */
static bool line_agrees(struct lockstep *l, const struct copied *c, uint64_t *bytes)
{
	uint64_t first = l->event.address, n = l->event.value;
	uint8_t byte;

	for (unsigned i = 0; i < sizeof(c->data); i++) {
		uint64_t at = c->line + i;

		if (!(c->mask >> i & 1))
			continue;
		if (at - first >= n)
			return report_copy_address(l, "written behind the copy:", at);
		if (!soc_read_physical(l->model, at, &byte, 1) || byte != c->data[i])
			return report_copy_address(l, "written another byte:", at);
		++*bytes;
	}
	for (unsigned i = 0; &l->copied[i] != c; i++)
		if (l->copied[i].line == c->line)
			return report_copy_address(l, "written twice:", c->line);
	return true;
}

/* ------------------------------------------------------------ with several harts */

static bool is_difference(struct lockstep *l, const char *what, uint64_t address)
{
	if (!l->miscopied)
		report_copy_address(l, what, address);
	l->miscopied = true;
	return true;
}

/* Notes bytes that were read or written; each only once, and of one page. */
static void note_moved_bytes(struct lockstep *l, struct moved *m, uint64_t address,
			     uint64_t data, unsigned strobe)
{
	unsigned at = (unsigned)(address % COPY_PAGE);

	if (m->n == 0)
		m->page = address - at;
	if (m->page != address - at && is_difference(l, "left the page at", address))
		return;
	for (unsigned i = 0; i < 8; i++) {
		if (!(strobe >> i & 1))
			continue;
		if (m->known[at + i])
			is_difference(l, "twice read or written", address + i);
		m->known[at + i] = true;
		m->data[at + i] = (uint8_t)(data >> 8 * i);
		m->n++;
	}
}

void lockstep_copy_read(struct lockstep *l, uint64_t address, uint64_t data)
{
	uint64_t ours;

	if (!soc_read_physical(l->model, address, &ours, sizeof(ours)) || ours != data)
		is_difference(l, "read what memory has not:", address);
	note_moved_bytes(l, &l->read, address, data, 0xff);
}

void lockstep_copy_written(struct lockstep *l, uint64_t address, uint64_t data,
			   unsigned strobe)
{
	uint8_t line[64];
	unsigned at = (unsigned)(address % sizeof(line));

	memcpy(line + at, &data, sizeof(data));
	lockstep_dma(l, address - at, line, (uint64_t)strobe << at);
	note_moved_bytes(l, &l->written, address, data, strobe);
}

bool copies_follow(struct lockstep *l, uint64_t source)
{
	l->source = source;
	return is_shared(l);
}

static bool bytes_agree(struct lockstep *l)
{
	unsigned from = (unsigned)(l->source % COPY_PAGE);
	unsigned to = (unsigned)(l->event.address % COPY_PAGE);

	if (l->read.page != l->source - from || l->written.page != l->event.address - to)
		return report_copy_address(l, "not copied to", l->event.address);
	for (unsigned i = 0; i < l->event.value; i++, from++, to++)
		if (!l->read.known[from] || !l->written.known[to] ||
		    l->read.data[from] != l->written.data[to])
			return report_copy_address(l, "not copied what it read to",
						   l->event.address + i);
	return l->written.n == l->event.value ||
	       report_copy_address(l, "written too much at", l->event.address);
}

static bool moves_agree(struct lockstep *l, bool copies)
{
	bool agree = !l->miscopied;

	if (agree && copies)
		agree = bytes_agree(l);
	else if (agree && l->read.n + l->written.n > 0)
		agree =
		    report_copy_address(l, "been busy without a copy at", l->read.page);
	if (l->read.n > 0)
		l->read = (struct moved){.n = 0};
	if (l->written.n > 0)
		l->written = (struct moved){.n = 0};
	return agree;
}

bool copies_agree(struct lockstep *l)
{
	const struct soc_event *e = &l->event;
	bool copies = tr_insn_is_copy(e->insn) && !e->trap && e->store;
	unsigned lines = l->ncopied;
	uint64_t bytes = 0;

	if (is_shared(l))
		return moves_agree(l, copies);
	l->ncopied = 0;
	if (!copies && lines == 0)
		return true;
	if (!copies || lines > COPY_LINES)
		return report_copy_address(
		    l, "written for no copy, or too much:", l->copied[0].line);
	for (unsigned i = 0; i < lines; i++)
		if (!line_agrees(l, &l->copied[i], &bytes))
			return false;
	return bytes == e->value ||
	       report_copy_address(l, "not written all from", e->address);
}
