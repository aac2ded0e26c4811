/* SPDX-License-Identifier: Apache-2.0 */
#include "caches.h"

#include <stdlib.h>
#include <string.h>

#include "memory_state.h"
#include "rtl_constants.h"

enum { L1_LINES = 4096, WORD_BITS = 32 };

/* A line of an L1; address 0: none. */
struct resident {
	uint64_t address, used;
	bool dirty;
};

struct l1 {
	unsigned sets, ways;
	uint64_t uses;
	struct resident lines[L1_LINES]; /* of set 0, of set 1, ... */
};

static struct resident *l1_set(struct l1 *l1, uint64_t address)
{
	return l1->lines + address / LINE % l1->sets * l1->ways;
}

static void l1_use(struct l1 *l1, uint64_t address, bool store)
{
	struct resident *set = l1_set(l1, address), *line = set;

	for (unsigned i = 0; i < l1->ways && line->address != address; i++)
		if (set[i].address == address || set[i].used < line->used)
			line = &set[i];
	if (line->address != address)
		*line = (struct resident){.address = address};
	line->dirty |= store;
	line->used = ++l1->uses;
}

/* The L2 is inclusive of the L1D. */
static void l1_drop(struct l1 *l1, uint64_t address)
{
	struct resident *set = l1_set(l1, address);

	for (unsigned i = 0; i < l1->ways; i++)
		if (set[i].address == address)
			set[i] = (struct resident){.address = 0};
}

static void use_line(struct memory *m, struct l1 *l1i, struct l1 *l1d, uint64_t use)
{
	const uint64_t address = use / LINE * LINE;
	const enum soc_use kind = use % LINE;
	struct line old;

	if (!memory_bytes(m, address))
		return;
	memory_use_line(m, address, &old);
	if (old.address && old.address != address)
		l1_drop(l1d, old.address);
	if (kind == SOC_USE_FETCH)
		l1_use(l1i, address, false);
	else if (kind != SOC_USE_OTHER)
		l1_use(l1d, address, kind == SOC_USE_STORE);
}

/* ------------------------------------------------------------ signals of the hardware */

static uint64_t tag_of(const struct l1 *l1, uint64_t address)
{
	return address / LINE / l1->sets;
}

/* As dcache.sv: the state of a line is above its tag, of the rest of 50 bits. */
static uint64_t state_position(const struct l1 *l1)
{
	unsigned bits = 50;

	for (unsigned sets = l1->sets; sets > 1; sets /= 2)
		bits--;
	return bits;
}

/* One with more lines has no ways here, and begins empty. */
static void init_l1(struct l1 *l1, unsigned sets, unsigned ways)
{
	*l1 = (struct l1){.sets = sets, .ways = ways};
	if (sets * ways > L1_LINES)
		l1->ways = 0;
}

static void init_l1s(const struct rtl_hart *hart, struct l1 *l1i, struct l1 *l1d)
{
	uint32_t sizes[4];

	probe_ask(&hart->probe);
	probe_l1_sizes(&sizes[0], &sizes[1], &sizes[2], &sizes[3]);
	init_l1(l1i, sizes[0], sizes[1]);
	init_l1(l1d, sizes[2], sizes[3]);
}

/* Signals of one name, which are copies of one another. */
struct copies {
	struct probe_signal signals[4];
	unsigned n;
};

static struct copies find_copies(const struct probe *p, const char *name)
{
	struct copies c = {.n = 0};

	while (c.n < sizeof(c.signals) / sizeof(*c.signals)) {
		c.signals[c.n] = probe_named(p, name, c.n);
		if (!c.signals[c.n].at)
			break;
		c.n++;
	}
	return c;
}

static void set_copies(const struct copies *c, unsigned i, uint64_t value)
{
	for (unsigned k = 0; k < c->n; k++)
		probe_set(&c->signals[k], i, value);
}

static void poke_l1d(const struct probe *p, const struct l1 *l1, struct memory *m)
{
	const struct copies lines = find_copies(p, "l1d_lines");
	const struct copies data = find_copies(p, "l1d_data");

	if (!l1->ways)
		return;
	for (unsigned i = 0; i < l1->sets * l1->ways; i++) {
		const struct resident *r = &l1->lines[i];
		const uint64_t state = !r->address ? RTL_LineInvalid
				       : r->dirty  ? RTL_LineModified
						   : RTL_LineExclusive;
		uint64_t words[BEATS] = {0};

		if (r->address) {
			struct line *line = memory_find_line(m, r->address);

			memcpy(words, memory_bytes(m, r->address), sizeof(words));
			line->inside = line->owned = line->touched = true;
		}
		set_copies(&lines, i,
			   state << state_position(l1) | tag_of(l1, r->address));
		for (unsigned k = 0; k < BEATS; k++)
			set_copies(&data, i * BEATS + k, words[k]);
	}
	probe_set_named(p, "l1d_clear", 0, 0);
	probe_set_named(p, "l1d_state", 0, RTL_L1dReady);
}

static void poke_l1i(const struct probe *p, const struct l1 *l1, const struct memory *m)
{
	const struct copies tags = find_copies(p, "l1i_tag");
	const struct copies even = find_copies(p, "l1i_even");
	const struct copies odd = find_copies(p, "l1i_odd");

	for (unsigned way = 0; way < l1->ways; way++) {
		uint64_t valid = 0;

		for (unsigned set = 0; set < l1->sets; set++) {
			const unsigned at = set * l1->ways + way;
			const struct resident *r = &l1->lines[at];
			uint64_t words[BEATS];

			if (!r->address)
				continue;
			valid |= UINT64_C(1) << set;
			memcpy(words, memory_bytes(m, r->address), sizeof(words));
			set_copies(&tags, at, tag_of(l1, r->address));
			for (unsigned k = 0; k < BEATS; k++) {
				set_copies(&even, at * BEATS + k, words[k]);
				set_copies(&odd, at * BEATS + k, words[k] >> WORD_BITS);
			}
		}
		probe_set_named(p, "l1i_valid", way, valid);
	}
}

/* The L1D may have a reservation on a line that it no longer holds. */
static void keep_reservation(const struct probe *p, struct memory *m)
{
	struct line *line = memory_find_line(m, *p->reserved_line * LINE);

	if (*p->reserved && line)
		line->touched = true;
}

void caches_fill(struct rtl *r, struct memory *m, const struct soc_line_uses *uses)
{
	static struct l1 l1i, l1d;
	const struct probe *p = &r->harts[0].probe;

	if (!uses->n)
		return;
	init_l1s(&r->harts[0], &l1i, &l1d);
	for (size_t i = 0; i < uses->n; i++)
		use_line(m, &l1i, &l1d, uses->uses[i]);
	poke_l1d(p, &l1d, m);
	poke_l1i(p, &l1i, m);
	keep_reservation(p, m);
	r->top->settle(r);
}

/* ------------------------------------------------------------ what they hold */

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->used < y->used ? -1 : x->used > y->used;
}

static void put_use(struct soc_line_uses *uses, uint64_t address, enum soc_use kind)
{
	uses->uses[uses->n++] = address | kind;
}

static void get_l1d(const struct probe *p, const struct l1 *l1,
		    struct soc_line_uses *uses)
{
	const struct probe_signal lines = probe_named(p, "l1d_lines", 0);
	const uint64_t position = state_position(l1);

	for (unsigned i = 0; i < l1->sets * l1->ways; i++) {
		const uint64_t entry = probe_get(&lines, i), state = entry >> position;
		const uint64_t tag = entry & ((UINT64_C(1) << position) - 1);

		if (state != RTL_LineInvalid)
			put_use(uses, (tag * l1->sets + i / l1->ways) * LINE,
				state == RTL_LineModified ? SOC_USE_STORE : SOC_USE_LOAD);
	}
}

static void get_l1i(const struct probe *p, const struct l1 *l1,
		    struct soc_line_uses *uses)
{
	const struct probe_signal tags = probe_named(p, "l1i_tag", 0);
	const struct probe_signal valid = probe_named(p, "l1i_valid", 0);

	for (unsigned way = 0; way < l1->ways; way++)
		for (unsigned set = 0; set < l1->sets; set++)
			if (probe_get(&valid, way) >> set & 1)
				put_use(
				    uses,
				    (probe_get(&tags, set * l1->ways + way) * l1->sets +
				     set) *
					LINE,
				    SOC_USE_FETCH);
}

void caches_get(const struct rtl *r, const struct memory *m, struct soc_line_uses *uses)
{
	static struct line lines[SETS * WAYS];
	static struct l1 l1i, l1d;
	const struct probe *p = &r->harts[0].probe;

	memcpy(lines, m->lines, sizeof(lines));
	qsort(lines, SETS * WAYS, sizeof(*lines), compare_lines);
	init_l1s(&r->harts[0], &l1i, &l1d);
	uses->n = 0;
	for (unsigned i = 0; i < SETS * WAYS; i++)
		if (lines[i].address)
			put_use(uses, lines[i].address, SOC_USE_OTHER);
	get_l1d(p, &l1d, uses);
	get_l1i(p, &l1i, uses);
}
