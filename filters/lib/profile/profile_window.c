/* SPDX-License-Identifier: Apache-2.0 */
/* The window of a profile: the rows, or parts of rows, that it counts. */
#include <string.h>

#include "profile/profile_internal.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/* Returns the portion before cycle `at` of a value that is spread evenly over `of`
 * cycles. */
static uint64_t share_before(uint64_t value, uint64_t at, uint64_t of)
{
	return of ? (uint64_t)((u128)value * at / of) : 0;
}

static uint64_t cycles_into_row(uint64_t cycle, const struct profile_row *row)
{
	if (cycle <= row->time)
		return 0;
	uint64_t at = cycle - row->time;
	return at < row->srow->cycles ? at : row->srow->cycles;
}

/* The part of a row in the window. Classes count slots; at a commit width of 1 these are
 * the cycles. */
struct cut {
	uint64_t from, to;	       /* cycles of the row */
	uint64_t first_slot, end_slot; /* of `slots` */
	uint64_t slots;
	bool is_begun; /* in the window */
};

/* Returns how many slots of a row are before `cycle`. */
static uint64_t slots_before(const struct tr_profile *p, const struct profile_row *row,
			     uint64_t cycle)
{
	const uint64_t since = cycle > row->time ? cycle - row->time : 0;
	const uint64_t until = cycle < row->time ? row->time - cycle : 0;
	if (p->width == 1)
		return cycles_into_row(cycle, row);
	if (since > row->srow->cycles)
		return row->slots;
	const i128 slots = ((i128)since - (i128)until) * p->width + row->lead;
	if (slots < 0)
		return 0;
	return slots < (i128)row->slots ? (uint64_t)slots : row->slots;
}

static struct cut find_cut(const struct tr_profile *p, const struct profile_row *row)
{
	/* A function can be entered after the cycle at which the window ends. */
	const uint64_t to = p->to < p->from ? p->from : p->to;
	return (struct cut){.from = cycles_into_row(p->from, row),
			    .to = cycles_into_row(to, row),
			    .first_slot = slots_before(p, row, p->from),
			    .end_slot = slots_before(p, row, to),
			    .slots = p->width == 1 ? row->srow->cycles : row->slots,
			    .is_begun = row->time >= p->from && row->time < p->to};
}

/* At a commit width of 1 they are the cycles of its instructions. */
static uint64_t retiring_slots(const struct tr_profile *p, const struct profile_row *row)
{
	return p->width == 1 ? row->srow->instructions : row->retiring;
}

/* Extracts the part of a row in the window. The instructions and classes of a row have no
 * order: they are spread evenly and rounded so that adjacent parts add up to the row, and
 * classes and instructions to the slots. */
static void cut_row(const struct tr_profile *p, const struct profile_row *row,
		    const struct cut *cut, struct tr_srow *part,
		    struct tr_class_cycles *classes)
{
	const uint64_t from = cut->first_slot, to = cut->end_slot, of = cut->slots;
	uint64_t sum = retiring_slots(p, row);
	*part = *row->srow;
	part->cycles = cut->to - cut->from;
	part->fresh = row->srow->fresh && cut->is_begun;
	part->instructions = share_before(row->srow->instructions, to, of) -
			     share_before(row->srow->instructions, from, of);
	for (unsigned i = 0; i < row->srow->nclasses; i++) {
		uint64_t next = sum + row->classes[i].cycles;
		classes[i].class = row->classes[i].class;
		classes[i].cycles =
		    share_before(next, to, of) - share_before(sum, to, of) -
		    (share_before(next, from, of) - share_before(sum, from, of));
		sum = next;
	}
}

static int charge_part(struct tr_profile *p, const struct profile_row *row)
{
	struct tr_class_cycles classes[TR_MAX_CLASSES];
	const struct cut cut = find_cut(p, row);
	const uint64_t of = row->srow->cycles, all = row->srow->instructions;
	struct tr_srow srow;
	struct profile_row part = *row;
	p->before[0] += cut.from;
	p->before[1] += share_before(all, cut.first_slot, cut.slots);
	p->after[0] += of - cut.to;
	p->after[1] += all - share_before(all, cut.end_slot, cut.slots);
	if (p->counter && !tr_profile_counter_leave_out(p, row, false, 0, cut.from))
		return TR_E_NOMEM;
	if (cut.from != cut.to || cut.first_slot != cut.end_slot) {
		const uint64_t retiring = retiring_slots(p, row);
		cut_row(p, row, &cut, &srow, classes);
		part.srow = &srow;
		part.classes = classes;
		part.slots = cut.end_slot - cut.first_slot;
		part.retiring = share_before(retiring, cut.end_slot, cut.slots) -
				share_before(retiring, cut.first_slot, cut.slots);
		part.time += cut.from;
		int status = tr_profile_charge_row(p, &part);
		if (status)
			return status;
	}
	if (p->counter &&
	    !tr_profile_counter_leave_out(p, row, true, cut.to, of - cut.to))
		return TR_E_NOMEM;
	return TR_OK;
}

/* Returns true if a row is in the window as a whole. */
static bool fits_window(const struct tr_profile *p, const struct profile_row *row)
{
	/* A row of no cycles commits in the previous cycle. */
	const uint64_t first = row->time - (row->time && !row->srow->cycles);
	const uint64_t end = row->time + row->srow->cycles;
	if (first < p->from || end > p->to)
		return false;
	return p->width == 1 || (!slots_before(p, row, p->from) &&
				 slots_before(p, row, p->to) == row->slots);
}

static int charge_in_window(struct tr_profile *p, const struct profile_row *row)
{
	if (fits_window(p, row))
		return tr_profile_charge_row(p, row);
	if (row->srow->cycles || row->slots)
		return charge_part(p, row);
	const uint64_t first = row->time - (row->time != 0);
	(first < p->from ? p->before : p->after)[1] += row->srow->instructions;
	return TR_OK;
}

/* Passes the part of a row that is in the window to the slicer. Returns its status. */
static int show_slice(const struct tr_profile *p, const struct profile_row *row,
		      uint64_t slice)
{
	struct tr_class_cycles classes[TR_MAX_CLASSES];
	struct tr_srow srow = *row->srow;
	struct tr_profile_part part = {.slice = slice, .classes = row->classes};
	if (!fits_window(p, row)) {
		const struct cut cut = find_cut(p, row);
		if (cut.from == cut.to && cut.first_slot == cut.end_slot)
			return TR_OK;
		cut_row(p, row, &cut, &srow, classes);
		part.classes = classes;
	}
	part.cycles = srow.cycles;
	part.instructions = srow.instructions;
	part.nclasses = srow.nclasses;
	return p->slicer->part(p->slicer->context, &part);
}

int tr_profile_slice_row(struct tr_profile *p, const struct profile_row *row)
{
	const uint64_t length = p->slicer->length, from = p->from, to = p->to;
	const bool is_wide = p->width > 1;
	/* Its first slots, or its only instruction, may be in the cycle before it. */
	const uint64_t first = row->time - (row->time && (is_wide || !row->srow->cycles));
	const uint64_t end = row->time + row->srow->cycles;
	const uint64_t last = is_wide || end == first ? end : end - 1;
	int status = TR_OK;
	for (uint64_t i = first / length; i <= last / length && !status; i++) {
		p->from = i * length;
		p->to = p->from + length;
		status = show_slice(p, row, i);
	}
	p->from = from;
	p->to = to;
	return status;
}

static int release_held_row(struct tr_profile *p, struct profile_held *held)
{
	if (!held->is_full)
		return TR_OK;
	held->is_full = false;
	return charge_in_window(p, &held->row);
}

/* Rows of all harts come in order of their start, so a bound of the window that is found
 * later can only cut the last row of each hart. Returns a status. */
static int hold_row(struct tr_profile *p, const struct profile_row *row)
{
	struct profile_held *held = &p->held[row->hart];
	int status = release_held_row(p, held);
	held->row = *row;
	held->srow = *row->srow;
	held->row.srow = &held->srow;
	held->row.classes = held->classes;
	if (row->srow->nclasses)
		memcpy(held->classes, row->classes,
		       row->srow->nclasses * sizeof(*held->classes));
	held->is_full = true;
	return status;
}

void tr_profile_window_trigger(struct tr_profile *p, uint64_t time, uint8_t triggers)
{
	const struct tr_profile_options *o = &p->options;
	if (o->to.trigger && triggers & TR_TRIGGER_STOP && p->to == UINT64_MAX &&
	    time > p->from)
		p->to = time;
	if (o->from.trigger && triggers & TR_TRIGGER_START && p->from == UINT64_MAX)
		p->from = time;
}

int tr_profile_window_row(struct tr_profile *p, const struct profile_row *row)
{
	if (row->time < p->first_cycle)
		p->first_cycle = row->time;
	if (row->time + row->srow->cycles > p->last_cycle)
		p->last_cycle = row->time + row->srow->cycles;
	if (p->held)
		return hold_row(p, row);
	return p->is_cut ? charge_in_window(p, row) : tr_profile_charge_row(p, row);
}

void tr_profile_seek(struct tr_profile *p, struct tr_reader *reader, unsigned limits)
{
	const struct tr_profile_options *o = &p->options;
	struct tr_reader_skipped skipped;
	/* Calls, samples, and slots of a wide hart depend on rows before. */
	if ((!p->is_cut && !(limits & TR_SEEK_SUMS)) || p->held || p->bounds ||
	    p->follows || p->observe_row || p->slicer || p->counter || p->width > 1)
		return;
	if (o->privileges || o->by == TR_BY_PRIVILEGE)
		limits |= TR_SEEK_ONE_HART;
	if (!p->observe)
		limits |=
		    p->is_direct ? TR_SEEK_SUMS : TR_SEEK_SUMS | TR_SEEK_SUMS_BY_TASK;
	if (!tr_reader_seek(reader, p->from, p->to, limits, &skipped))
		return;
	p->before[0] = skipped.cycles[0];
	p->before[1] = skipped.instructions[0];
	p->after[0] = skipped.cycles[1];
	p->after[1] = skipped.instructions[1];
	p->first_cycle = skipped.first_cycle;
	p->last_cycle = skipped.last_cycle;
}

/* Returns the row held that begins first, NULL if there is none. */
static struct profile_held *first_held(struct tr_profile *p)
{
	struct profile_held *first = NULL;
	for (uint32_t i = 0; i < TR_MAX_HARTS; i++)
		if (p->held[i].is_full &&
		    (!first || p->held[i].row.time < first->row.time))
			first = &p->held[i];
	return first;
}

int tr_profile_finish(struct tr_profile *p, bool stopped)
{
	int status = TR_OK;
	if (stopped)
		tr_profile_window_trigger(p, p->last_cycle, TR_TRIGGER_STOP);
	/* In order of time: a thread may have the last row of several harts. */
	for (struct profile_held *held; p->held && !status && (held = first_held(p));)
		status = release_held_row(p, held);
	if (!status && !tr_profile_leave_open(p))
		status = TR_E_NOMEM;
	if (!status && p->sample)
		return tr_profile_sample_finish(p);
	if (profile_counts_slots(p))
		tr_profile_finish_slots(p);
	return status || !p->counter ? status : tr_profile_counter_finish(p);
}

struct tr_profile_window tr_profile_window(const struct tr_profile *p)
{
	return (struct tr_profile_window){.from = p->from,
					  .to = p->to,
					  .is_cut = p->is_cut,
					  .first = p->first_cycle,
					  .last = p->last_cycle};
}
