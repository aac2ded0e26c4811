// SPDX-License-Identifier: Apache-2.0
// Random instructions, the pages that they access and the memory behind these, for the
// bench of the data side of the out-of-order core.
#include <cstring>
#include <initializer_list>

#include "program.h"

void draw_memory(struct rng *random, struct memory *m)
{
	for (uint8_t &byte : m->below)
		byte = static_cast<uint8_t>(random->next());
	memcpy(m->seen, m->below, sizeof(m->seen));
	draw_frames(random, m);
}

// Two pages may share a frame.
void draw_frames(struct rng *random, struct memory *m)
{
	for (unsigned &frame : m->frame)
		frame = random->below(FRAMES);
}

struct rates draw_rates(struct rng *random)
{
	static const struct rates CALM = {300, 1000, 1000, 1000, 1, 300, 1000, 1, 1},
				  WILD = {16, 24, 16, 3, 20, 8, 8, 12, 12};
	struct rates r = {};

	for (auto rate :
	     {&rates::squash, &rates::probe, &rates::write, &rates::stop, &rates::late,
	      &rates::special, &rates::atomic, &rates::walk, &rates::mixed})
		r.*rate = random->once_in(2) ? CALM.*rate : WILD.*rate;
	return r;
}

static enum page draw_page(struct rng *random, const struct rates *rates)
{
	if (random->once_in(rates->special))
		return static_cast<enum page>(random->below(PAGES));
	return static_cast<enum page>(random->below(READABLE));
}

struct insn draw_insn(struct rng *random, const struct rates *rates, uint64_t cycle)
{
	struct insn i = {};
	unsigned offset = random->below(4) * LINE + random->below(16);

	i.kind = static_cast<enum kind>(random->below(3));
	if (!random->once_in(rates->mixed))
		i.kind = LOAD;
	if (random->once_in(rates->atomic))
		i.kind = static_cast<enum kind>(LR + random->below(3));
	i.page = draw_page(random, rates);
	i.size = is_head_kind(&i) ? 2 + random->below(2) : random->below(4);
	i.is_unsigned = i.kind == LOAD && i.size < 3 && random->once_in(2);
	i.boxed = i.kind == LOAD && i.size == 2 && !i.is_unsigned && random->once_in(2);
	if (random->once_in(2))
		offset = 0;
	if (random->once_in(4))
		offset += FRAME / 2;
	if (!random->once_in(4 * rates->special))
		offset &= ~((1U << i.size) - 1);
	i.va = FIRST_PAGE + FRAME * unsigned{i.page} + offset;
	i.data = random->next();
	i.from = cycle + random->below(rates->late);
	return i;
}

bool is_head_kind(const struct insn *i)
{
	return i->kind >= LR;
}

bool writes(const struct insn *i)
{
	return i->kind == STORE || i->kind == SC || i->kind == AMO;
}

bool misaligned(const struct insn *i)
{
	return i->va % (1U << i->size) != 0;
}

bool walk_faults(uint64_t va, bool write)
{
	switch ((va - FIRST_PAGE) / FRAME) {
	case READABLE:
		return write;
	case SPLIT:
		return va % FRAME >= FRAME / 2;
	default:
		return (va - FIRST_PAGE) / FRAME == ABSENT;
	}
}

unsigned cause_of(const struct insn *i)
{
	bool write = writes(i);

	if (misaligned(i))
		return write ? STORE_MISALIGNED : LOAD_MISALIGNED;
	if (i->page == DEVICE && is_head_kind(i))
		return write ? STORE_ACCESS : LOAD_ACCESS;
	if (!walk_faults(i->va, write))
		return 0;
	if (i->page == SPLIT)
		return write ? STORE_ACCESS : LOAD_ACCESS;
	return write ? STORE_PAGE : LOAD_PAGE;
}

uint64_t physical(const struct memory *m, const struct insn *i)
{
	return (i->page == DEVICE ? DEVICES : RAM + FRAME * m->frame[i->page]) +
	       i->va % FRAME;
}

uint64_t read_word(const uint8_t *bytes, uint64_t pa)
{
	uint64_t word;

	memcpy(&word, bytes + (pa - RAM) / 8 * 8, sizeof(word));
	return word;
}

void write_bytes(uint8_t *bytes, uint64_t pa, uint64_t data, unsigned count)
{
	memcpy(bytes + (pa - RAM), &data, count);
}

uint64_t extend_loaded(const struct insn *i, uint64_t bytes)
{
	unsigned unused = 64 - (8U << i->size);

	bytes <<= unused;
	if (i->is_unsigned)
		return bytes >> unused;
	bytes = static_cast<uint64_t>(static_cast<int64_t>(bytes) >> unused);
	return i->boxed ? bytes | UINT64_C(0xffffffff) << 32 : bytes;
}

uint64_t loaded_value(const struct memory *m, const struct insn *i)
{
	return extend_loaded(i, read_word(m->seen, i->pa) >> i->pa % 8 * 8);
}

uint64_t stored_value(const struct memory *m, const struct insn *i)
{
	return i->kind == AMO ? loaded_value(m, i) + i->data : i->data;
}
