/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_state.h"

#include <stdlib.h>

void memory_l2_size(unsigned *sets, unsigned *ways)
{
	*sets = SETS;
	*ways = WAYS;
}

struct memory *memory_new(struct rtl *r, uint8_t *ram, uint64_t size,
			  const struct l2_dram_timing *timing,
			  const struct memory_hooks *hooks)
{
	struct memory *m = r->nharts > 1 ? smp_memory_new() : l2_dram_new();

	if (!m)
		return NULL;
	m->rtl = r;
	m->ram = ram;
	m->size = size;
	m->timing = *timing;
	m->hooks = *hooks;
	m->next = NEVER;
	m->lines = calloc(SETS * WAYS, sizeof(*m->lines));
	if (m->lines)
		return m;
	free(m);
	return NULL;
}

void memory_free(struct memory *m)
{
	if (!m)
		return;
	free(m->lines);
	free(m);
}

void memory_answer(struct memory *m, uint64_t cycle, const struct rtl_ports *ports)
{
	m->answer(m, cycle, ports);
}

void memory_drive(struct memory *m, uint64_t cycle)
{
	m->next = NEVER;
	m->drive(m, cycle);
	m->rtl->changed = true;
}

uint64_t memory_next(const struct memory *m)
{
	return m->next;
}

const char *memory_fault(const struct memory *m)
{
	return m->fault;
}

/* ------------------------------------------------------------ for both kinds */

static struct line *set_of_line(const struct memory *m, uint64_t address)
{
	return m->lines + address / LINE % SETS * WAYS;
}

struct line *memory_find_line(const struct memory *m, uint64_t address)
{
	struct line *set = set_of_line(m, address);

	for (unsigned i = 0; i < WAYS; i++)
		if (set[i].address == address)
			return &set[i];
	return NULL;
}

struct line *memory_use_line(struct memory *m, uint64_t address, struct line *old)
{
	struct line *set = set_of_line(m, address), *line = memory_find_line(m, address);

	if (!line) {
		line = set;
		for (unsigned i = 1; i < WAYS; i++)
			if (set[i].used < line->used)
				line = &set[i];
	}
	*old = *line;
	if (line->address != address)
		*line = (struct line){.address = address};
	line->used = ++m->uses;
	return line;
}
