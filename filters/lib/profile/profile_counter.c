/* SPDX-License-Identifier: Apache-2.0 */
/* Distributes a counter over stacks: its increase between two samples of a hart, in
 * proportion to the cycles of the stacks that ran in between. Shares are fixed-point
 * numbers with 64 fractional bits and are rounded once, at the end, so that small shares
 * are not lost and sums are exact. */
#include <stdlib.h>
#include <string.h>

#include "profile/profile_internal.h"

__extension__ typedef unsigned __int128 u128;

/* Limit of samples ahead of rows; a frame of rows has no more events. */
enum { MAX_SAMPLES = 1 << 22 };

/* Destinations of shares: first the time outside the window, before or after it, traced
 * or not; then one per cell. Cells of folded binaries contain several kinds of code and
 * have one per kind. */
enum { PLACE_BEFORE, PLACE_AFTER = 2, PLACE_CELLS = 4 };

struct sample {
	uint64_t cycle, value;
};

struct counter_hart {
	uint64_t *cycles; /* since the last sample, by destination */
	size_t room;
	uint32_t *places; /* destinations that have any */
	size_t place_room;
	uint32_t nplaces;
	uint64_t traced, untraced; /* sums of the cycles */
	bool is_spread;		   /* the next cycle starts a new interval */
	bool has_value;
	uint64_t value;	 /* of the last sample that time has reached */
	uint64_t newest; /* of the newest sample */
	struct sample *samples;
	size_t sample_room, first, count;
	bool has_newest;
};

struct weight {
	uint64_t whole, fraction;
};

struct profile_counter {
	struct counter_hart *harts[TR_MAX_HARTS];
	struct weight *weights; /* by destination */
	size_t room, nweights;
	uint64_t counted;
};

bool tr_profile_counter_new(struct tr_profile *p)
{
	p->counter = calloc(1, sizeof(*p->counter));
	return p->counter != NULL;
}

void tr_profile_counter_free(struct tr_profile *p)
{
	if (!p->counter)
		return;
	for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
		struct counter_hart *h = p->counter->harts[i];
		if (!h)
			continue;
		free(h->cycles);
		free(h->places);
		free(h->samples);
		free(h);
	}
	free(p->counter->weights);
	free(p->counter);
}

static unsigned count_charge_kinds(const struct tr_profile *p)
{
	return p->mixes_charges ? CHARGES : 1;
}

static uint32_t cell_destination(const struct tr_profile *p, uint32_t cell,
				 uint8_t charge)
{
	return PLACE_CELLS + cell * count_charge_kinds(p) +
	       (p->mixes_charges ? charge : 0);
}

/* Returns the kind of charge of a destination's cycles. */
static uint8_t destination_charge(const struct tr_profile *p, uint32_t place)
{
	if (place < PLACE_CELLS)
		return place & 1 ? CHARGE_GAP : CHARGE_CODE;
	place -= PLACE_CELLS;
	if (p->mixes_charges)
		return (uint8_t)(place % CHARGES);
	return tr_profile_charge_of(&p->funcs[p->nodes[p->cells[place].node].func]);
}

static struct counter_hart *counter_hart_of(struct profile_counter *c, uint32_t hart)
{
	if (!c->harts[hart])
		c->harts[hart] = calloc(1, sizeof(*c->harts[hart]));
	return c->harts[hart];
}

static int add_counter_sample(struct profile_counter *c, struct counter_hart *h,
			      struct sample sample)
{
	if (h->has_newest && sample.value < h->newest)
		return TR_E_ARGUMENT;
	uint64_t rise = h->has_newest ? sample.value - h->newest : 0;
	h->has_newest = true;
	h->newest = sample.value;
	if (h->first) {
		memmove(h->samples, h->samples + h->first,
			(h->count - h->first) * sizeof(*h->samples));
		h->count -= h->first;
		h->first = 0;
	}
	if (h->count == MAX_SAMPLES ||
	    __builtin_add_overflow(c->counted, rise, &c->counted))
		return TR_E_CORRUPT;
	if (!tr_grow(&h->samples, &h->sample_room, h->count + 1, sizeof(*h->samples)))
		return TR_E_NOMEM;
	h->samples[h->count++] = sample;
	return TR_OK;
}

int tr_profile_counter_take(struct tr_profile *p, uint32_t hart,
			    const struct tr_shart *from)
{
	const struct tr_counter_id id = p->options.counter_id;
	struct counter_hart *h = counter_hart_of(p->counter, hart);
	int status = h ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < from->nsamples && !status; i++) {
		const struct tr_sample *sample = &from->samples[i];
		if (sample->set == id.set)
			status = add_counter_sample(
			    p->counter, h,
			    (struct sample){sample->cycle, sample->values[id.counter]});
	}
	return status;
}

static void add_weight(struct weight *w, u128 share)
{
	uint64_t fraction = (uint64_t)share;
	w->fraction += fraction;
	w->whole += (uint64_t)(share >> 64) + (w->fraction < fraction);
}

/* Returns `rise` * cycles / of, with 64 fractional bits. */
static u128 share_of_rise(uint64_t rise, uint64_t cycles, uint64_t of)
{
	u128 product = (u128)rise * cycles;
	u128 rest = product % of;
	return (product / of) << 64 | (rest << 64) / of;
}

/* Distributes an increase. Untraced time gets a share only if nothing else ran. The last
 * destination gets the remainder of the division. */
static void spread_rise(struct tr_profile *p, struct counter_hart *h, uint64_t rise)
{
	const bool is_gap = !h->traced;
	const uint64_t of = is_gap ? h->untraced : h->traced;
	u128 left = (u128)rise << 64;
	uint32_t last = 0;
	for (uint32_t i = 0; i < h->nplaces && rise; i++) {
		uint32_t place = h->places[i];
		if ((destination_charge(p, place) == CHARGE_GAP) != is_gap)
			continue;
		u128 share = share_of_rise(rise, h->cycles[place], of);
		add_weight(&p->counter->weights[place], share);
		left -= share;
		last = place;
	}
	if (rise)
		add_weight(&p->counter->weights[last], left);
}

/* Ends the interval at a sample. An increase while no cycle passed is distributed like
 * the previous one, or, at the start, like the next one. */
static void end_interval(struct tr_profile *p, struct counter_hart *h,
			 const struct sample *sample)
{
	if (!h->has_value) {
		h->value = sample->value;
		h->has_value = true;
	} else if (h->traced || h->untraced) {
		spread_rise(p, h, sample->value - h->value);
		h->value = sample->value;
	}
	h->is_spread = true;
}

static void begin_interval(struct counter_hart *h)
{
	for (uint32_t i = 0; i < h->nplaces; i++)
		h->cycles[h->places[i]] = 0;
	h->nplaces = 0;
	h->traced = h->untraced = 0;
	h->is_spread = false;
}

/* Adds room, all zero, for a destination. Returns false when out of memory. */
static bool reserve_destination(struct profile_counter *c, struct counter_hart *h,
				uint32_t place)
{
	size_t before = h->room, weights = c->room;
	if (!tr_grow(&h->cycles, &h->room, place + 1UL, sizeof(*h->cycles)) ||
	    !tr_grow(&c->weights, &c->room, place + 1UL, sizeof(*c->weights)))
		return false;
	memset(h->cycles + before, 0, (h->room - before) * sizeof(*h->cycles));
	memset(c->weights + weights, 0, (c->room - weights) * sizeof(*c->weights));
	if (place >= c->nweights)
		c->nweights = place + 1UL;
	return tr_grow(&h->places, &h->place_room, h->nplaces + 1UL, sizeof(*h->places));
}

static bool add_destination_cycles(struct tr_profile *p, struct counter_hart *h,
				   uint32_t place, uint64_t cycles)
{
	if (h->is_spread)
		begin_interval(h);
	if (!reserve_destination(p->counter, h, place))
		return false;
	if (!h->cycles[place])
		h->places[h->nplaces++] = place;
	h->cycles[place] += cycles;
	*(destination_charge(p, place) == CHARGE_GAP ? &h->untraced : &h->traced) +=
	    cycles;
	return true;
}

static bool charge_across_samples(struct tr_profile *p, const struct profile_row *row,
				  uint32_t place, uint64_t from, uint64_t cycles)
{
	struct counter_hart *h = p->counter->harts[row->hart];
	while (cycles) {
		uint64_t part = cycles;
		if (h->first < h->count) {
			const struct sample *next = &h->samples[h->first];
			if (next->cycle <= from) {
				end_interval(p, h, next);
				h->first++;
				continue;
			}
			if (next->cycle - from < part)
				part = next->cycle - from;
		}
		if (!add_destination_cycles(p, h, place, part))
			return false;
		from += part;
		cycles -= part;
	}
	return true;
}

bool tr_profile_counter_run(struct tr_profile *p, const struct profile_row *row,
			    uint32_t cell)
{
	uint8_t charge = p->raws[row->srow->node].charge;
	return charge_across_samples(p, row, cell_destination(p, cell, charge), row->time,
				     row->srow->cycles);
}

bool tr_profile_counter_leave_out(struct tr_profile *p, const struct profile_row *row,
				  bool is_after, uint64_t from, uint64_t cycles)
{
	uint32_t place = is_after ? PLACE_AFTER : PLACE_BEFORE;
	if (p->raws[row->srow->node].charge == CHARGE_GAP)
		place++;
	return charge_across_samples(p, row, place, row->time + from, cycles);
}

/* Shares that are rounded up: those with the largest fractions. */
struct rest {
	uint64_t fraction;
	size_t place;
};

static int by_fraction(const void *left, const void *right)
{
	const struct rest *a = left, *b = right;
	int order = (a->fraction < b->fraction) - (a->fraction > b->fraction);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int round_weights(struct profile_counter *c)
{
	struct rest *rests = calloc(c->nweights + 1, sizeof(*rests));
	size_t count = 0;
	u128 sum = 0;
	if (!rests)
		return TR_E_NOMEM;
	for (size_t i = 0; i < c->nweights; i++) {
		sum += c->weights[i].fraction;
		if (c->weights[i].fraction)
			rests[count++] = (struct rest){c->weights[i].fraction, i};
	}
	qsort(rests, count, sizeof(*rests), by_fraction);
	for (size_t i = 0; i < (size_t)(sum >> 64); i++)
		c->weights[rests[i].place].whole++;
	free(rests);
	return TR_OK;
}

int tr_profile_counter_finish(struct tr_profile *p)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
		struct counter_hart *h = p->counter->harts[i];
		for (; h && h->first < h->count; h->first++)
			end_interval(p, h, &h->samples[h->first]);
	}
	return round_weights(p->counter);
}

uint64_t tr_profile_counter_of(const struct tr_profile *p, uint32_t cell)
{
	const struct profile_counter *c = p->counter;
	uint64_t sum = 0;
	for (unsigned i = 0; i < count_charge_kinds(p); i++) {
		size_t place = PLACE_CELLS + (size_t)cell * count_charge_kinds(p) + i;
		sum += place < c->nweights ? c->weights[place].whole : 0;
	}
	return sum;
}

struct tr_charge tr_profile_counter_charge(const struct tr_profile *p, uint64_t *counted)
{
	const struct profile_counter *c = p->counter;
	uint64_t of[CHARGES] = {0}, out[PLACE_CELLS] = {0}, all = 0;
	for (size_t i = 0; i < c->nweights; i++) {
		uint64_t whole = c->weights[i].whole;
		if (i < PLACE_CELLS)
			out[i] = whole;
		if (i < PLACE_CELLS || !whole)
			continue;
		of[destination_charge(p, (uint32_t)i)] += whole;
		all += whole;
	}
	*counted = c->counted;
	return (struct tr_charge){.charged = all,
				  .lost = of[CHARGE_LOST],
				  .gap = of[CHARGE_GAP],
				  .unknown = of[CHARGE_UNKNOWN],
				  .nameless = of[CHARGE_NAMELESS],
				  .ambiguous = of[CHARGE_AMBIGUOUS],
				  .before = out[PLACE_BEFORE] + out[PLACE_BEFORE + 1],
				  .after = out[PLACE_AFTER] + out[PLACE_AFTER + 1]};
}
