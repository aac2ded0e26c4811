/* SPDX-License-Identifier: Apache-2.0 */
/* Commit slots of a profile at a commit width W above 1.
 *
 * A hart has W slots in each cycle. They lie on one axis, cycle t from W * t on, and the
 * rows of the hart follow one another there: a row has a slot for each instruction, and
 * those that its instructions and traps lost to classes. Since an instruction has the
 * slots that were left over in the cycle before it, a row may begin and end within a
 * cycle, and a row of no cycles has slots. What remains of the slots of a row's cycles:
 *
 *   at most W - 1 are left over in its last cycle, for the next row;
 *   more than that have no class;
 *   those of a gap are not traced, nor are those left over before a gap or after the last
 *   row;
 *   fewer than none, if instructions commit in a cycle of the gap before them: then they
 *   are the gap's. Without one, they are of the cycle before the hart's first.
 *
 * A hart that commits at most w in a cycle, a divisor of W, has w slots there, of which
 * each counts as W / w, its weight: so a cycle has W slots on every hart. */
#include "profile/profile_internal.h"

/* Gives the slots of a row the hart's weight. Returns TR_OK or TR_E_CORRUPT. */
static int weigh_row(struct tr_profile *p, struct profile_row *row, uint32_t weight)
{
	const struct tr_srow *srow = row->srow;
	if (__builtin_mul_overflow(srow->instructions, weight, &row->retiring))
		return TR_E_CORRUPT;
	if (weight == 1)
		return TR_OK;
	for (unsigned i = 0; i < srow->nclasses; i++) {
		p->weighted[i] = row->classes[i];
		if (__builtin_mul_overflow(row->classes[i].cycles, weight,
					   &p->weighted[i].cycles))
			return TR_E_CORRUPT;
	}
	row->classes = p->weighted;
	return TR_OK;
}

int tr_profile_claim_slots(struct tr_profile *p, struct profile_row *row)
{
	struct profile_hart *h = &p->harts[row->hart];
	const struct tr_srow *srow = row->srow;
	const uint8_t charge = p->raws[srow->node].charge;
	const bool is_gap = charge == CHARGE_GAP || charge == CHARGE_LOST;
	uint64_t all;
	if (weigh_row(p, row, h->weight))
		return TR_E_CORRUPT;
	uint64_t known = row->retiring;
	for (unsigned i = 0; i < srow->nclasses; i++)
		if (__builtin_add_overflow(known, row->classes[i].cycles, &known))
			return TR_E_CORRUPT;
	if (__builtin_add_overflow(p->claimed, known, &p->claimed) ||
	    __builtin_mul_overflow(p->seen[0], p->width, &all) || all > INT64_MAX ||
	    p->claimed > INT64_MAX)
		return TR_E_CORRUPT;
	const int64_t most = is_gap ? 0 : p->width - h->weight;
	const int64_t left =
	    h->left + (int64_t)(srow->cycles * p->width) - (int64_t)known;
	row->lead = h->left;
	row->slots = known + (left > most ? (uint64_t)(left - most) : 0);
	h->left = left > most ? most : left;
	h->end = row->time + srow->cycles;
	return TR_OK;
}

void tr_profile_charge_rest(struct tr_profile *p, const struct profile_row *row,
			    uint32_t cell)
{
	struct profile_hart *h = &p->harts[row->hart];
	const struct tr_srow *srow = row->srow;
	const uint8_t charge = p->raws[srow->node].charge;
	const bool is_gap = charge == CHARGE_GAP || charge == CHARGE_LOST;
	uint64_t rest = row->slots - row->retiring;
	for (unsigned i = 0; i < srow->nclasses; i++)
		if (row->classes[i].class)
			rest -= row->classes[i].cycles;
	profile_rest(p, cell)[is_gap ? PROFILE_UNTRACED : PROFILE_NO_CLASS] += rest;
	profile_rest(p, cell)[PROFILE_RETIRING] += row->retiring - srow->instructions;
	h->last_cell = cell + 1;
	if (is_gap)
		h->gap_cell = cell + 1;
}

/* Takes slots back from the gaps. Returns those that these do not have. */
static uint64_t take_from_gap(struct tr_profile *p, const struct profile_hart *h,
			      uint64_t slots)
{
	if (!h->gap_cell)
		return slots;
	uint64_t *rest = profile_rest(p, h->gap_cell - 1);
	const uint64_t all = rest[PROFILE_UNTRACED];
	const uint64_t taken = slots < all ? slots : all;
	rest[PROFILE_UNTRACED] -= taken;
	return slots - taken;
}

void tr_profile_finish_slots(struct tr_profile *p)
{
	for (uint32_t i = 0; i < p->nharts; i++) {
		const struct profile_hart *h = &p->harts[i];
		uint64_t *rest = h->last_cell ? profile_rest(p, h->last_cell - 1) : NULL;
		if (!rest || p->from >= h->end || p->to < h->end)
			continue;
		if (h->left > 0)
			rest[PROFILE_UNTRACED] += (uint64_t)h->left;
		if (h->left >= 0 || p->to == h->end)
			continue;
		const uint64_t more = take_from_gap(p, h, (uint64_t)-h->left);
		if (more < p->width) {
			p->ahead += more;
		} else {
			p->excess += more;
			p->excess_cell = h->last_cell - 1;
		}
	}
}

uint64_t tr_profile_retiring(const struct tr_profile *p, const uint64_t *lost,
			     uint64_t retired)
{
	return profile_counts_slots(p)
		   ? retired + lost[p->options.classes + PROFILE_RETIRING]
		   : retired;
}

uint64_t tr_profile_cell_slots(const struct tr_profile *p, uint32_t cell)
{
	const uint64_t *lost = profile_lost(p, p->cell_lost, cell);
	uint64_t slots = p->cells[cell].instructions;
	for (unsigned i = 0; i < p->columns; i++)
		slots += lost[i];
	return slots;
}
