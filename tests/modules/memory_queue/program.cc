// SPDX-License-Identifier: Apache-2.0
// Random instructions and the memory that they access, for the bench of the load and
// store queues.
#include <initializer_list>

#include "program.h"

static void draw_lines(struct rng *random, uint64_t *line)
{
	line[0] = random->next() >> 8 & ~UINT64_C(63);
	do {
		for (unsigned i = 1; i < LINES; i++)
			line[i] = line[0] ^ UINT64_C(64) << random->below(50);
	} while (line[1] == line[2] || line[1] == line[3] || line[2] == line[3]);
}

void draw_memory(struct rng *random, struct memory *m)
{
	draw_lines(random, m->line);
	for (unsigned i = 0; i < GROUPS; i++) {
		m->group[i] =
		    m->line[i / 2] | (i % 2 ? UINT64_C(8) << random->below(3) : 0);
		m->bytes[i] = random->next();
	}
	for (bool &present : m->present)
		present = true;
}

struct rates draw_rates(struct rng *random)
{
	static const struct rates FAST = {1000, 1000, 1, 1000, 1000, 1000, 1, 1},
				  SLOW = {2, 8, 4, 16, 16, 2, 20, 40};
	struct rates r = {};

	for (auto rate :
	     {&rates::load, &rates::device, &rates::hit, &rates::squash, &rates::leave,
	      &rates::stop, &rates::late_load, &rates::late_store})
		r.*rate = random->once_in(2) ? FAST.*rate : SLOW.*rate;
	return r;
}

struct insn draw_insn(struct rng *random, const struct memory *m,
		      const struct rates *rates, uint64_t cycle)
{
	unsigned group = random->once_in(2) ? 0 : random->below(GROUPS);
	struct insn i = {};

	i.kind = random->once_in(rates->load) ? LOAD
					      : static_cast<enum kind>(random->below(3));
	i.size = random->below(4);
	i.is_unsigned = i.kind == LOAD && i.size < 3 && random->once_in(2);
	i.address = m->group[group] + (random->below(8) & ~((1U << i.size) - 1));
	i.data = random->next();
	i.device = i.kind != OTHER && random->once_in(rates->device);
	i.from =
	    cycle + random->below(i.kind == STORE ? rates->late_store : rates->late_load);
	return i;
}

unsigned group_of(const struct memory *m, uint64_t address)
{
	unsigned i = 0;

	while (i < GROUPS - 1 && m->group[i] != address / 8 * 8)
		i++;
	return i;
}

unsigned line_of(const struct memory *m, uint64_t address)
{
	return group_of(m, address) / 2;
}

unsigned bytes_of(const struct insn *i)
{
	return ((1U << (1U << i->size)) - 1) << i->address % 8;
}

bool insns_overlap(const struct insn *a, const struct insn *b)
{
	return a->address / 8 == b->address / 8 && (bytes_of(a) & bytes_of(b)) != 0;
}

uint64_t extend_group(const struct insn *i, uint64_t bytes)
{
	unsigned unused = 64 - (8U << i->size);
	uint64_t value = bytes >> i->address % 8 * 8 << unused;

	if (i->is_unsigned)
		return value >> unused;
	return static_cast<uint64_t>(static_cast<int64_t>(value) >> unused);
}

void write_group(struct memory *m, uint64_t address, uint64_t bytes, unsigned mask)
{
	uint64_t *group = &m->bytes[group_of(m, address)];

	for (unsigned i = 0; i < 8; i++) {
		uint64_t byte = UINT64_C(0xff) << 8 * i;

		if (mask >> i & 1)
			*group = (*group & ~byte) | (bytes & byte);
	}
}

void change_absent(struct rng *random, struct memory *m)
{
	for (unsigned i = 0; i < GROUPS; i++)
		if (!m->present[i / 2] && random->once_in(4))
			m->bytes[i] = random->next();
	for (bool &present : m->present)
		present = present || random->once_in(16);
}
