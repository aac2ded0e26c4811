// SPDX-License-Identifier: Apache-2.0
// Counters.
#include "model.h"

// Returns how often the selected events of a cycle occur. Sets have 18, 11 and 5 events,
// and the others.
static unsigned sum_events(uint64_t event, const struct model *m, const struct cycle *c)
{
	const unsigned FIRST[] = {0, 18, 29, 34, m->events};
	unsigned set = event & 3, sum = 0;
	uint64_t all = (UINT64_C(1) << (FIRST[set + 1] - FIRST[set])) - 1;

	for (unsigned b = 0; b < COUNT_BITS; b++) {
		uint64_t chosen = event >> 8 & c->events[b] >> FIRST[set] & all;

		sum += static_cast<unsigned>(__builtin_popcountll(chosen)) << b;
	}
	return sum;
}

void count_cycle(struct model *m, const struct cycle *c)
{
	uint64_t cycles = 1 + uint64_t{c->skip};
	unsigned limit = 1; // that the bits of the count of commits can hold

	while (limit < m->most)
		limit = 2 * limit + 1;

	if (!(m->inhibit & 1))
		m->mcycle += cycles;
	if (!(m->inhibit & 4)) {
		m->minstret += c->commits;
		covered[INSTRET_WRAPPED].count += m->minstret < c->commits;
	}
	covered[ALL_COMMIT].count += c->commits == m->most;
	for (unsigned i = 0; i < COUNTERS; i++) {
		unsigned sum = sum_events(m->event[i], m, c);

		if (sum == 0)
			continue;
		covered[m->inhibit >> (3 + i) & 1 ? INHIBITED : COUNTED].count++;
		if (m->inhibit >> (3 + i) & 1)
			continue;
		covered[SEVERAL].count += sum > limit;
		m->counter[i] += cycles * (sum > limit ? limit : sum);
		covered[WRAPPED].count += m->counter[i] > COUNTER_MASK;
		m->counter[i] &= COUNTER_MASK;
	}
}
