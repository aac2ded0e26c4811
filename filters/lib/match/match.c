/* SPDX-License-Identifier: Apache-2.0 */
/* Iterates over frames, distinguishes lives of address spaces, and counts. */
#include "match/match.h"

#include <stdlib.h>
#include <string.h>

#include "match/match_state.h"

enum { MAX_SPACES = 1 << 13 };

int tr_match_fail(struct tr_match *match, int status)
{
	if (!match->status && status < 0)
		match->status = status;
	return match->status;
}

struct tr_match *tr_match_new(const struct tr_match_index *index,
			      const struct tr_match_options *options,
			      struct tr_reader *reader, struct tr_writer *writer)
{
	struct tr_match *match = calloc(1, sizeof(*match));
	size_t count = tr_match_index_count(index);
	if (!match)
		return NULL;
	match->suspects = calloc(count + 1, sizeof(*match->suspects));
	match->found = calloc(count + 1, sizeof(*match->found));
	match->stub_scratch = malloc(tr_match_stub_bytes(index) + 1UL);
	if (options->njits)
		match->jits = tr_jits_new(options->jits, options->njits);
	if (!match->suspects || !match->found || !match->stub_scratch ||
	    (options->njits && !match->jits)) {
		tr_jits_free(match->jits);
		free(match->suspects);
		free(match->found);
		free(match->stub_scratch);
		free(match);
		return NULL;
	}
	match->index = index;
	match->options = *options;
	match->reader = reader;
	match->writer = writer;
	match->machine.id = TR_SPACE_MACHINE;
	match->supervisor.id = TR_SPACE_SUPERVISOR;
	match->generation = UINT64_MAX;
	return match;
}

static void free_space(struct tr_match *match, struct match_space *space)
{
	tr_match_space_release(match, space);
	free(space);
}

void tr_match_free(struct tr_match *match)
{
	if (!match)
		return;
	tr_match_space_release(match, &match->machine);
	tr_match_space_release(match, &match->supervisor);
	for (size_t i = 0; i < match->nusers; i++)
		free_space(match, match->users[i]);
	free(match->users);
	tr_map_free(&match->user_slots);
	free(match->pairs);
	tr_map_free(&match->pair_ids);
	free(match->last);
	free(match->scratch);
	free(match->suspects);
	free(match->found);
	free(match->stub_scratch);
	tr_jits_free(match->jits);
	while (match->oldest) {
		struct match_held *next = match->oldest->next;
		tr_match_drop_held(match->oldest);
		match->oldest = next;
	}
	free(match);
}

static int compare_last_use(const void *a, const void *b)
{
	const struct match_space *x = *(struct match_space *const *)a,
				 *y = *(struct match_space *const *)b;
	if (x->used != y->used)
		return x->used < y->used ? 1 : -1;
	return x->id < y->id ? 1 : -1;
}

static bool is_space_running(const struct tr_match *match,
			     const struct match_space *space)
{
	for (uint32_t i = 0; i < match->nharts; i++)
		if (match->harts[i].user == space)
			return true;
	return false;
}

/* The identity, in tr_match.users, of the kernel of a guest, whose number is that of
 * tr_note_space(). No number of two stages has this satp. */
static struct tr_space_id identity_of_guest(uint32_t number)
{
	return (struct tr_space_id){.satp = UINT64_MAX, .hgatp = number};
}

/* Returns the slot of an address space, or TR_MAP_NONE. *key is its key, or the one to
 * insert it with. */
static uint32_t find_user_slot(const struct tr_match *match, struct tr_space_id identity,
			       uint64_t *key)
{
	for (*key = tr_space_hash(identity);; ++*key) {
		uint32_t slot = tr_map_get(&match->user_slots, *key);
		if (slot == TR_MAP_NONE ||
		    tr_space_equals(match->users[slot]->identity, identity))
			return slot;
	}
}

/* Drops the least recently used half: mostly processes that have ended. */
static void forget_spaces(struct tr_match *match)
{
	size_t kept = 0;
	qsort(match->users, match->nusers, sizeof(*match->users), compare_last_use);
	tr_map_clear(&match->user_slots);
	for (size_t i = 0; i < match->nusers; i++) {
		struct match_space *space = match->users[i];
		if (i >= MAX_SPACES / 2 && !is_space_running(match, space)) {
			free_space(match, space);
			continue;
		}
		match->users[kept] = space;
		uint64_t key;
		find_user_slot(match, space->identity, &key);
		if (!tr_map_set(&match->user_slots, key, (uint32_t)kept++))
			tr_match_fail(match, TR_E_NOMEM);
	}
	match->nusers = kept;
}

static struct match_hart *find_match_hart(struct tr_match *match, uint32_t hart)
{
	for (uint32_t i = 0; i < match->nharts; i++)
		if (match->harts[i].hart == hart)
			return &match->harts[i];
	struct match_hart *state = &match->harts[match->nharts++];
	*state = (struct match_hart){.hart = hart, .returned = true};
	return state;
}

/* Block ids are valid within a generation. Returns a status. */
static int prepare_blocks(struct tr_match *match, const struct tr_frame *frame)
{
	if (frame->generation != match->generation)
		tr_match_forget_pairs(match);
	tr_match_compact_pairs(match);
	if (match->nusers > MAX_SPACES)
		forget_spaces(match);
	match->generation = frame->generation;
	size_t count = tr_reader_block_count(match->reader);
	if (!tr_grow(&match->last, &match->last_room, count, sizeof(*match->last)))
		return tr_match_fail(match, TR_E_NOMEM);
	for (size_t i = match->last_count; i < count; i++)
		match->last[i] = LAST_NONE;
	if (match->last_count < count)
		match->last_count = count;
	return TR_OK;
}

static struct match_space *space_of_context(const struct tr_match *match,
					    const struct tr_context *context)
{
	uint64_t key;
	uint32_t slot = find_user_slot(match, tr_space_of(context), &key);
	return slot == TR_MAP_NONE ? NULL : match->users[slot];
}

/* Appends a space with its identity and `id`. Returns NULL when out of memory. */
static struct match_space *append_space(struct tr_match *match,
					struct tr_space_id identity, uint32_t id)
{
	uint64_t key;
	struct match_space *space = calloc(1, sizeof(*space));
	find_user_slot(match, identity, &key);
	if (!space ||
	    !tr_grow(&match->users, &match->user_room, match->nusers + 1,
		     sizeof(*match->users)) ||
	    !tr_map_set(&match->user_slots, key, (uint32_t)match->nusers)) {
		free(space);
		return NULL;
	}
	*space = (struct match_space){.id = id, .identity = identity};
	return match->users[match->nusers++] = space;
}

/* Returns the space of the kernel of a guest, a number as of tr_note_space(); NULL when
 * out of memory. */
static struct match_space *find_guest_space(struct tr_match *match, uint32_t number)
{
	uint64_t key;
	const struct tr_space_id identity = identity_of_guest(number);
	uint32_t slot = find_user_slot(match, identity, &key);
	return slot == TR_MAP_NONE ? append_space(match, identity, number)
				   : match->users[slot];
}

/* Begins a new life of the context's address space and ends the old one, if any. Returns
 * NULL when out of memory. */
static struct match_space *begin_life(struct tr_match *match,
				      const struct tr_context *context)
{
	const struct tr_space_id identity = tr_space_of(context);
	struct match_space *old = space_of_context(match, context);
	struct match_space *space = old;
	if (old) {
		for (uint32_t i = 0; i < match->nharts; i++)
			if (match->harts[i].user == old)
				match->harts[i].user = NULL;
		tr_match_space_release(match, old);
		*old =
		    (struct match_space){.id = ++match->next_space, .identity = identity};
	} else {
		space = append_space(match, identity, match->next_space + 1);
		if (!space)
			return NULL;
		match->next_space++;
	}
	match->report.spaces++;
	return space;
}

/* Position in a hart's frame. */
struct walk {
	struct match_hart *hart;
	const struct tr_hart_frame *frame;
	struct match_held *held;
	struct tr_cursor cursor;
	uint32_t slot; /* index of the hart in the frame */
};

static void append_walk_event(struct tr_match *match, struct walk *walk,
			      const struct tr_event *event)
{
	tr_match_add_event(match, walk->held, walk->slot, walk->held->nevents[walk->slot],
			   event);
}

/* Assigns the rows from the start of the current visit to U-mode to `space`. */
static void enter_space(struct tr_match *match, struct walk *walk,
			struct match_space *space)
{
	struct match_hart *hart = walk->hart;
	hart->user = space;
	if (!space) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	space->used = match->frames;
	if (hart->written == space->id)
		return;
	struct tr_event event = {
	    .kind = TR_EV_SPACE, .row = hart->visit_row, .u.space.space = space->id};
	tr_match_add_event(match, walk->held, walk->slot, hart->visit_event, &event);
	hart->written = space->id;
}

static struct tr_match_sum *matched_sum(struct tr_match *match,
					const struct match_space *space)
{
	return space == &match->supervisor ? &match->kernel : &match->report.matched;
}

/* Counts a row, or takes it back. An undecided pair has a sum of its own. */
static void count_pair_row(struct tr_match *match, const struct match_space *space,
			   uint32_t pair, const struct tr_row *row, bool take_back)
{
	bool is_matched = match->pairs[pair].state == PAIR_MATCHED;
	struct tr_match_sum *sum =
	    is_matched ? matched_sum(match, space) : &match->pairs[pair].sum;
	sum->instructions += take_back ? 0 - (uint64_t)row->tokens : row->tokens;
	sum->cycles += take_back ? 0 - row->cycles : row->cycles;
}

/* Slow path: matches a row whose block was not matched when it ran last, or ran in
 * another space. Returns false if the block is new in the space and shows that another
 * program runs. */
static bool match_row(struct tr_match *match, const struct walk *walk,
		      struct match_space *space, const struct tr_row *row)
{
	const bool searches = match->options.no_cache;
	const struct tr_block *block = tr_reader_block(match->reader, row->block);
	const uint8_t priv = walk->cursor.context.priv;
	uint64_t last = match->last[row->block];
	uint32_t pair = (uint32_t)last;
	if (last >> 32 != space->id) {
		bool added;
		pair = tr_match_find_pair(match, space, row->block, &added);
		if (match->status)
			return true;
		if (added && !tr_match_classify(match, space, priv, pair, block)) {
			match->pairs[pair].state = PAIR_UNKNOWN;
			return false;
		}
	}
	if (match->pairs[pair].state == PAIR_REFUSED)
		tr_match_reconsider(match, space, pair, block);
	const bool is_settled = !match->jits || tr_jits_again(match, space, pair, block);
	bool is_matched = match->pairs[pair].state == PAIR_MATCHED;
	if (is_matched && searches)
		tr_match_corroborate(match, space, priv, block);
	if (is_matched && is_settled && !searches)
		match->last[row->block] = tr_pair_key(space->id, LAST_MATCHED);
	count_pair_row(match, space, pair, row, false);
	return true;
}

/* Matches rows [first, last) in `space`. Returns false if row *stop, whose block is new
 * in the space, shows that another program runs. Fast path: nearly all blocks were
 * matched in the space that they ran in last. */
static bool match_rows(struct tr_match *match, struct walk *walk,
		       struct match_space *space, uint32_t first, uint32_t last,
		       uint32_t *stop)
{
	const struct tr_row *row = walk->frame->rows + first;
	const struct tr_row *const end = walk->frame->rows + last;
	const uint64_t matched = tr_pair_key(space->id, LAST_MATCHED);
	struct tr_match_sum *sum = matched_sum(match, space), now = {0};
	for (; row < end; row++) {
		if (match->last[row->block] == matched) {
			now.instructions += row->tokens;
			now.cycles += row->cycles;
			continue;
		}
		/* match_row() may revoke earlier matches */
		tr_match_add_sum(sum, &now);
		if (!match_row(match, walk, space, row) || match->status)
			break;
	}
	tr_match_add_sum(sum, &now);
	*stop = (uint32_t)(row - walk->frame->rows);
	return row == end || match->status;
}

/* Moves rows counted for the old space to the new one. */
static void take_back(struct tr_match *match, const struct walk *walk,
		      const struct match_space *space, uint32_t first, uint32_t last)
{
	bool added;
	for (uint32_t i = first; i < last; i++) {
		uint32_t pair =
		    tr_match_find_pair(match, space, walk->frame->rows[i].block, &added);
		count_pair_row(match, space, pair, &walk->frame->rows[i], true);
	}
}

static void user_rows(struct tr_match *match, struct walk *walk, uint32_t first,
		      uint32_t last)
{
	struct match_hart *hart = walk->hart;
	uint32_t stop;
	const struct tr_row *rows = walk->frame->rows;
	if (!hart->user)
		hart->user = space_of_context(match, &walk->cursor.context);
	if (hart->returned && hart->user)
		hart->user->old = true;
	bool entry = hart->returned &&
		     tr_match_is_entry(match->index,
				       tr_reader_block(match->reader, rows[first].block));
	hart->returned = false;
	if (!hart->user || entry)
		hart->user = begin_life(match, &walk->cursor.context);
	enter_space(match, walk, hart->user);
	if (match->status || match_rows(match, walk, hart->user, first, last, &stop))
		return;
	take_back(match, walk, hart->user, hart->visit_row, stop);
	enter_space(match, walk, begin_life(match, &walk->cursor.context));
	if (!match->status)
		match_rows(match, walk, hart->user, hart->visit_row, last, &stop);
}

static void guest_rows(struct tr_match *match, struct walk *walk,
		       struct match_space *guest, uint32_t first, uint32_t last)
{
	uint32_t stop;
	if (!guest) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	guest->used = match->frames;
	match_rows(match, walk, guest, first, last, &stop);
}

static void step_rows(struct tr_match *match, struct walk *walk, uint32_t first,
		      uint32_t last)
{
	uint32_t stop;
	uint32_t space = tr_note_space(&walk->cursor.context);
	if (space == TR_SPACE_MACHINE)
		match_rows(match, walk, &match->machine, first, last, &stop);
	else if (space == TR_SPACE_SUPERVISOR)
		match_rows(match, walk, &match->supervisor, first, last, &stop);
	else if (space >= TR_SPACE_GUEST)
		guest_rows(match, walk, find_guest_space(match, space), first, last);
	else
		user_rows(match, walk, first, last);
}

static bool enters_user(const struct tr_event *event)
{
	return (event->kind == TR_EV_XRET &&
		tr_mode_is_user(tr_mode_of(event->u.xret.priv))) ||
	       (event->kind == TR_EV_PRIV &&
		tr_mode_is_user(tr_mode_of(event->u.priv.priv)));
}

/* The hart leaves or enters a guest, or has another guest: the same satp then means
 * another address space. */
static bool is_guest_change(const struct walk *walk, const struct tr_event *event)
{
	return event->kind == TR_EV_HGATP ||
	       (walk->cursor.context.hgatp &&
		(event->kind == TR_EV_TRAP || event->kind == TR_EV_XRET ||
		 event->kind == TR_EV_PRIV));
}

static void step_event(struct tr_match *match, struct walk *walk,
		       const struct tr_event *event)
{
	struct match_hart *hart = walk->hart;
	struct tr_event copy = *event;
	if (event->kind == TR_EV_SPACE)
		return; /* from an earlier tr-match */
	if (event->kind == TR_EV_SATP) {
		hart->user = space_of_context(match, &walk->cursor.context);
		hart->written = hart->user ? hart->user->id : 0;
		copy.u.satp.space = hart->written;
	}
	if (is_guest_change(walk, event))
		hart->user = NULL;
	append_walk_event(match, walk, &copy);
	if (enters_user(event))
		hart->returned = true;
	if (enters_user(event) || event->kind == TR_EV_SATP ||
	    event->kind == TR_EV_HGATP || event->kind == TR_EV_GAP) {
		hart->visit_row = event->row;
		hart->visit_event = walk->held->nevents[walk->slot];
	}
}

static void begin_walk(struct walk *walk)
{
	walk->hart->visit_row = walk->hart->visit_event = 0;
	tr_cursor_init(&walk->cursor, walk->frame);
}

/* Takes a run of rows or an event. Returns false at the end. */
static bool step_walk(struct tr_match *match, struct walk *walk)
{
	uint32_t first, last;
	const struct tr_event *event;
	switch (tr_cursor_next(&walk->cursor, &first, &last, &event)) {
	case TR_STEP_ROWS:
		step_rows(match, walk, first, last);
		return true;
	case TR_STEP_EVENT:
		step_event(match, walk, event);
		return true;
	default:
		return false;
	}
}

/* The hart with the lowest time comes first, since a process that begins on one hart
 * continues on others. */
static void match_harts(struct tr_match *match, struct walk *walks, uint32_t count)
{
	while (count && !match->status) {
		uint32_t first = 0;
		for (uint32_t i = 1; i < count; i++)
			if (walks[i].cursor.next_cycle < walks[first].cursor.next_cycle)
				first = i;
		if (!step_walk(match, &walks[first]))
			walks[first] = walks[--count];
	}
}

static void settle_used_spaces(struct tr_match *match)
{
	tr_match_settle(match, &match->machine);
	tr_match_settle(match, &match->supervisor);
	for (size_t i = 0; i < match->nusers; i++)
		if (match->users[i]->used == match->frames)
			tr_match_settle(match, match->users[i]);
}

int tr_match_frame(struct tr_match *match, const struct tr_frame *frame)
{
	match->frames++;
	struct match_held *held =
	    prepare_blocks(match, frame) ? NULL : tr_match_hold(match, frame);
	if (!held)
		return match->status;
	struct walk walks[TR_MAX_HARTS];
	for (uint32_t i = 0; i < frame->nharts; i++) {
		walks[i] =
		    (struct walk){.hart = find_match_hart(match, frame->harts[i].hart),
				  .frame = &frame->harts[i],
				  .held = held,
				  .slot = i};
		begin_walk(&walks[i]);
	}
	match_harts(match, walks, frame->nharts);
	settle_used_spaces(match);
	return tr_match_release(match);
}

int tr_match_finish(struct tr_match *match)
{
	tr_match_give_up(match, &match->machine);
	tr_match_give_up(match, &match->supervisor);
	for (size_t i = 0; i < match->nusers; i++)
		tr_match_give_up(match, match->users[i]);
	tr_match_forget_pairs(match);
	return tr_match_release(match);
}

bool tr_match_has_found(const struct tr_match *match, uint32_t i)
{
	return match->found[i];
}

struct tr_match_suspect tr_match_suspect(const struct tr_match *match, uint32_t i)
{
	return match->suspects[i];
}

const struct tr_match_jit_conflict *tr_match_jit_conflict(const struct tr_match *match)
{
	return tr_jits_conflict(match->jits);
}

void tr_match_report(const struct tr_match *match, struct tr_match_report *report)
{
	*report = match->report;
}
