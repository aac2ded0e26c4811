/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a frame of stacks into a profile, and reports errors in it. */
#include <inttypes.h>

#include "profile/profile_internal.h"

struct take {
	struct tr_profile *profile;
	const struct tr_reader *reader;
	const struct tr_sframe *frame;
	char *message;
	size_t size;
};

/* Formats "frame 3: func f12: reason", with the kinds and numbers of tr-text(1). Returns
 * the status. */
static int refuse_frame(const struct take *take, int status, const char *what,
			uint32_t number, const char *reason)
{
	if (status == TR_E_CORRUPT || status == TR_E_ARGUMENT)
		snprintf(take->message, take->size,
			 "frame %" PRIu64 ": %s%" PRIu32 ": %s", take->frame->number,
			 what, number, reason);
	else
		snprintf(take->message, take->size, "%s",
			 tr_status_text((enum tr_status)status));
	return status;
}

/* Takes the definitions that are new to the profile. Returns a status. */
static int take_definitions(const struct take *take)
{
	static const char bad_name[] = "a ';' or a control character in the name";
	struct tr_profile *p = take->profile;
	const struct tr_reader *r = take->reader;
	int status;
	for (uint32_t i; (i = p->nfuncs - p->first_func) < tr_reader_func_count(r);)
		if ((status = tr_profile_define_func(p, tr_reader_func(r, i))))
			return refuse_frame(take, status, "func f", i, bad_name);
	for (uint32_t i; (i = p->nraws) < tr_reader_node_count(r);)
		if ((status = tr_profile_define_node(p, tr_reader_node(r, i))))
			return refuse_frame(take, status, "node n", i,
					    "a stack of more than 16384 frames");
	for (uint32_t i; (i = p->nthreads) < tr_reader_thread_count(r);)
		if ((status = tr_profile_define_thread(p, tr_reader_thread(r, i))))
			return refuse_frame(take, status, "thread t", i, bad_name);
	status = tr_profile_define_tasks(p, take->frame);
	return status ? refuse_frame(take, status, "", 0, "") : TR_OK;
}

/* Position of a hart in the frame, and the row there. */
struct position {
	struct profile_row at;
	uint32_t row, context; /* the next ones */
};

/* Returns the hart whose next row is the earliest, `nharts` when there are no more rows:
 * a thread may migrate between harts. */
static uint32_t find_earliest_hart(const struct tr_sframe *frame,
				   const struct position *places)
{
	uint32_t best = frame->nharts;
	for (uint32_t h = 0; h < frame->nharts; h++)
		if (places[h].row < frame->harts[h].nrows &&
		    (best == frame->nharts || places[h].at.time < places[best].at.time))
			best = h;
	return best;
}

static bool has_names(const struct tr_profile *p, const struct profile_row *row)
{
	for (unsigned i = 0; p->options.classes && i < row->srow->nclasses; i++)
		if (row->classes[i].class > p->options.classes)
			return false;
	return true;
}

static const char *row_reason(const struct tr_profile *p, const struct profile_row *row,
			      int status)
{
	if (status == TR_E_ARGUMENT)
		return has_names(p, row) ? "no process or privilege: an older tr-unwind "
					   "wrote this stream, run it again"
					 : "a class that the header does not name";
	return row->srow->node ? "the sum of all rows exceeds 64 bits"
			       : "a row without a stack";
}

static int take_profile_row(struct tr_profile *p, struct profile_row *row)
{
	const struct tr_srow *srow = row->srow;
	uint32_t group = 0;
	if (!srow->node ||
	    __builtin_add_overflow(p->seen[0], srow->cycles, &p->seen[0]) ||
	    __builtin_add_overflow(p->seen[1], srow->instructions, &p->seen[1]))
		return TR_E_CORRUPT;
	if (!has_names(p, row))
		return TR_E_ARGUMENT;
	if (tr_profile_sample_is_window(p, row))
		return tr_profile_sample_window(p, row);
	if (p->width > 1 && !p->sample && tr_profile_claim_slots(p, row))
		return TR_E_CORRUPT;
	const bool needs_group = (p->follows || p->observe_row) && !p->is_direct;
	int status = needs_group ? tr_profile_row_group(p, row, &group) : TR_OK;
	if (status)
		return status;
	if (p->options.privileges && row->has_context)
		tr_profile_learn_privilege(p, &p->raws[srow->node], row->context.priv);
	if (p->bounds)
		tr_profile_bounds_row(p, row);
	if (row->triggers)
		tr_profile_window_trigger(p, row->time, row->triggers);
	if (p->follows && !tr_profile_follow_calls(p, row, group))
		return TR_E_NOMEM;
	if (p->observe_row && (status = tr_profile_show_row(p, row, group)))
		return status;
	if (p->slicer && (status = tr_profile_slice_row(p, row)))
		return status;
	return tr_profile_window_row(p, row);
}

/* Loads the row at the position. */
static void load_row_at(const struct tr_shart *hart, struct position *place)
{
	const struct tr_srow *srow = &hart->rows[place->row];
	place->at.srow = srow;
	place->at.classes = srow->nclasses ? hart->classes + srow->first_class : NULL;
	if (place->context < hart->ncontexts &&
	    hart->contexts[place->context].first_row == place->row) {
		place->at.context = hart->contexts[place->context++];
		place->at.has_context = true;
		place->at.triggers = place->at.context.triggers;
	} else {
		place->at.triggers = 0;
	}
}

/* The privileges of rows on the fast path. */
static void learn_privileges(struct tr_profile *p, const struct tr_shart *hart)
{
	for (uint32_t c = 0; c < hart->ncontexts; c++) {
		const struct tr_scontext *context = &hart->contexts[c];
		uint32_t end =
		    c + 1 < hart->ncontexts ? context[1].first_row : hart->nrows;
		for (uint32_t i = context->first_row; i < end; i++) {
			const struct profile_raw *raw = &p->raws[hart->rows[i].node];
			if (p->nodes[raw->node].priv == NO_PRIV)
				tr_profile_learn_privilege(p, raw, context->priv);
		}
	}
}

/* Fast path for rows of which only the sums by stack matter: their order does not.
 * Returns a status. */
static int take_plain_rows(const struct take *take, const struct tr_shart *hart)
{
	struct tr_profile *p = take->profile;
	uint64_t time = hart->start_cycle;
	for (uint32_t i = 0; i < hart->nrows; i++) {
		const struct tr_srow *row = &hart->rows[i];
		if (!row->node ||
		    __builtin_add_overflow(p->seen[0], row->cycles, &p->seen[0]) ||
		    __builtin_add_overflow(p->seen[1], row->instructions, &p->seen[1])) {
			const struct profile_row bad = {.srow = row};
			return refuse_frame(take, TR_E_CORRUPT, "srow n", row->node,
					    row_reason(p, &bad, TR_E_CORRUPT));
		}
		profile_charge_plain(p, row);
		time += row->cycles;
	}
	if (p->options.privileges)
		learn_privileges(p, hart);
	if (hart->nrows && time > p->last_cycle)
		p->last_cycle = time;
	return TR_OK;
}

static int take_all_plain(const struct take *take)
{
	int status = TR_OK;
	for (uint32_t h = 0; h < take->frame->nharts && !status; h++)
		status = take_plain_rows(take, &take->frame->harts[h]);
	return status;
}

/* Finds how many slots of the profile one of the hart's is. */
static void weigh_hart(const struct take *take, uint32_t i)
{
	struct tr_profile *p = take->profile;
	struct profile_hart *hart = &p->harts[i];
	if (p->width > 1 && !hart->weight)
		hart->weight =
		    p->width /
		    tr_header_hart_width(tr_reader_header(take->reader), hart->number);
}

static int take_frame_rows(const struct take *take)
{
	const struct tr_sframe *frame = take->frame;
	struct position places[TR_MAX_HARTS] = {0};
	for (uint32_t h = 0; h < frame->nharts; h++) {
		const uint32_t hart =
		    tr_profile_hart(take->profile, frame->harts[h].hart);
		weigh_hart(take, hart);
		places[h].at = (struct profile_row){.hart = hart,
						    .time = frame->harts[h].start_cycle};
	}
	for (uint32_t h; (h = find_earliest_hart(frame, places)) < frame->nharts;) {
		struct profile_row *row = &places[h].at;
		load_row_at(&frame->harts[h], &places[h]);
		int status = take_profile_row(take->profile, row);
		if (status)
			return refuse_frame(take, status, "srow n", row->srow->node,
					    row_reason(take->profile, row, status));
		places[h].at.time += row->srow->cycles;
		places[h].row++;
	}
	for (uint32_t h = 0; take->profile->bounds && h < frame->nharts; h++)
		tr_profile_bounds_reach(take->profile, places[h].at.hart,
					places[h].at.time);
	return TR_OK;
}

static int take_frame_samples(const struct take *take)
{
	const struct tr_sframe *frame = take->frame;
	for (uint32_t h = 0; h < frame->nharts; h++) {
		uint32_t hart = tr_profile_hart(take->profile, frame->harts[h].hart);
		int status =
		    tr_profile_counter_take(take->profile, hart, &frame->harts[h]);
		if (status)
			return refuse_frame(
			    take, status, "hart ", frame->harts[h].hart,
			    status == TR_E_ARGUMENT
				? "the counter falls"
				: "too many samples of counters before rows, "
				  "or a sum beyond 64 bits");
	}
	return TR_OK;
}

/* The rows of a frame of the index are outside of the window, or in sums that follow. */
static int take_index_frame(const struct take *take)
{
	const struct tr_sframe *frame = take->frame;
	for (uint32_t h = 0; h < frame->nharts; h++) {
		tr_profile_hart(take->profile, frame->harts[h].hart);
		if (take->profile->options.privileges)
			learn_privileges(take->profile, &frame->harts[h]);
	}
	return TR_OK;
}

int tr_profile_take(struct tr_profile *p, const struct tr_reader *reader,
		    const struct tr_sframe *frame, char *message, size_t size)
{
	const struct take take = {p, reader, frame, message, size};
	int status = take_definitions(&take);
	if (!status && p->counter)
		status = take_frame_samples(&take);
	if (!status && p->bounds &&
	    !tr_profile_bounds_frame(p, tr_reader_probes(reader), frame))
		status = refuse_frame(&take, TR_E_NOMEM, "", 0, "");
	if (status)
		return status;
	if (frame->is_index)
		return take_index_frame(&take);
	return p->is_plain ? take_all_plain(&take) : take_frame_rows(&take);
}
