// SPDX-License-Identifier: Apache-2.0
// Draws pages, and accesses to them.
#include "model.h"

static const struct page *draw_page(struct rng *random, const struct model *m,
				    unsigned space)
{
	const struct page *p;

	do {
		p = &m->pages[random->below(PAGES)];
	} while (p->space != space);
	return p;
}

static uint64_t draw_va(struct rng *random, const struct page *p, unsigned size)
{
	// Few lines
	uint64_t va = p->vpn << 12 | random->below(2) << 6 | random->below(64);

	return random->once_in(16) ? va : va >> size << size;
}

struct access draw_operation(struct rng *random, const struct model *m)
{
	static const unsigned OPS[] = {LOAD, STORE, LR, LR, SC, SC, SC, AMO, COPY};
	static const unsigned AMOS[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
	unsigned space = m->hart.priv == PRIV_M ? MACHINE
			 : random->once_in(4)	? BARE
						: SV39;
	struct access a = {};

	a.op = OPS[random->below(9)];
	a.size = a.op == COPY ? 0 : a.op >> 1 ? 2 + random->below(2) : random->below(4);
	a.is_unsigned = a.op == LOAD && a.size < 3 && random->once_in(2);
	a.amo = AMOS[random->below(9)];
	a.page = draw_page(random, m, space);
	a.va = draw_va(random, a.page, a.size);
	if (a.op == SC && m->lr_page && m->lr_page->space == space && random->below(4)) {
		a.page = m->lr_page;
		a.va = m->lr_va >> a.size << a.size;
	}
	a.data = random->next();
	if (a.op == COPY) {
		a.destination = draw_page(random, m, space);
		a.data = draw_va(random, a.destination, 0);
		a.length = random->once_in(4) ? 0 : 1 + random->below(4096);
	}
	return a;
}

void draw_pages(struct rng *random, struct model *m)
{
	static const unsigned FLAGS[] = {R, R | W, R | W | XR | X, X, X | XR};

	for (struct page &p : m->pages) {
		unsigned i = static_cast<unsigned>(&p - m->pages);

		p.space = i % 3;
		p.asid = p.space == SV39 ? 5 + i % 2 : 0;
		p.vpn = 0x80000 + random->below(2) + 64 * random->below(2) + 256 * i;
		p.ppn = 0x80000 + random->below(8);
		p.flags = FLAGS[random->below(5)];
		p.flags |= random->below(4) * USER;
		p.flags |= random->once_in(3) * DEVICE;
		p.flags |= random->once_in(4) * SINGLE_USE;
		if (p.space != SV39 || random->once_in(2))
			p.flags |= USER | SUPERVISOR | R | W;
		p.global = p.space != SV39;
		p.superpage = random->once_in(4);
		p.page_fault = p.space == SV39 && random->once_in(2);
	}
}
