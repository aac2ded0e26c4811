/* SPDX-License-Identifier: Apache-2.0 */
#include "travel_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

/* ------------------------------------------------------------ what the replay reaches */

static bool has_break_at(const struct travel *t, uint64_t pc)
{
	for (size_t i = 0; i < t->nbreaks; i++)
		if (t->breaks[i] == pc)
			return true;
	return false;
}

static bool travel_wants_pc(void *user, uint64_t pc)
{
	const struct travel *t = user;

	return t->mode != TO_GOAL && has_break_at(t, pc);
}

static void record_found_stop(struct travel *t, enum travel_stop reason,
			      struct where where, size_t watch)
{
	t->found = where;
	t->found_reason = reason;
	t->found_watch = watch;
	t->has_found = true;
}

static void travel_reached(void *user, const struct replay_reached *at)
{
	struct travel *t = user;
	const struct where where = {at->hart, soc_instret(t->o.soc, at->hart), at->cycle};
	bool is_goal = t->has_goal && where.hart == t->goal.hart &&
		       (t->goal.instret == UINT64_MAX ? where.cycle >= t->goal.cycle
						      : where.instret >= t->goal.instret);

	t->at = where;
	if (is_goal) {
		t->reason = TRAVEL_THERE;
		replay_pause(t->o.replay);
	} else if (t->mode == TO_STOP && has_break_at(t, at->pc)) {
		t->reason = TRAVEL_BREAK;
		replay_pause(t->o.replay);
	} else if (t->mode == TO_LAST && has_break_at(t, at->pc)) {
		record_found_stop(t, TRAVEL_BREAK, where, 0);
	}
}

/* Returns whether a write is a stop now. Forwards, the first one counts. */
static bool is_sought(const struct travel *t)
{
	return t->mode == TO_LAST || (t->mode == TO_STOP && !t->has_found);
}

static bool overlaps_watch(const struct watched *w, uint64_t address, uint64_t size)
{
	return w->used && address < w->address + w->size && w->address < address + size;
}

/* A write is found while its instruction is executed. The place is before it, and
 * backwards behind it: gdb expects that of RISC-V, and steps over it. */
static void find_watched_write(void *user, unsigned hart,
			       const struct soc_access *find_watched_write)
{
	struct travel *t = user;
	struct where where = {hart, soc_instret_current(t->o.soc, hart), 0};

	if (!find_watched_write->write || !is_sought(t))
		return;
	for (size_t i = 0; i < WATCHES; i++) {
		const struct watched *w = &t->watches[i];

		if (!overlaps_watch(w, find_watched_write->address,
				    find_watched_write->size))
			continue;
		where.instret += t->mode == TO_LAST;
		record_found_stop(t, TRAVEL_WRITE, where, w->number);
		return;
	}
}

/* Returns whether the write changes a byte that is watched. */
static bool changes_watched_byte(const struct travel *t, const struct watched *w,
				 uint64_t address, const uint8_t *data, uint32_t size)
{
	for (uint64_t at = w->address; at < w->address + w->size; at++) {
		uint8_t byte;

		if (at - address < size && soc_read_physical(t->o.soc, at, &byte, 1) &&
		    byte != data[at - address])
			return true;
	}
	return false;
}

/* What is not written by an instruction changes between two of them: as if the first one
 * had written it. */
static void find_external_write(void *user, unsigned hart, uint64_t address,
				const uint8_t *data, uint32_t size, bool untraced)
{
	struct travel *t = user;
	struct where where = {hart, soc_instret(t->o.soc, hart), 0};

	if (!is_sought(t))
		return;
	for (size_t i = 0; i < WATCHES; i++) {
		const struct watched *w = &t->watches[i];

		if (!changes_watched_byte(t, w, address, data, size))
			continue;
		where.instret -= t->mode == TO_STOP && where.instret;
		record_found_stop(t, untraced ? TRAVEL_UNTRACED : TRAVEL_DEVICE, where,
				  w->number);
		return;
	}
}

/* ------------------------------------------------------------ running */

/* Continues, or begins the next frame. Returns whether the replay has paused, failed or
 * ended, with the reason in t->reason. */
static bool go_on(struct travel *t)
{
	const struct tr_frame *frame;
	bool done;

	if (t->in_frame) {
		done = replay_resume(t->o.replay);
	} else {
		int status = tr_reader_next(t->o.reader, &frame);
		t->ended = status == TR_END;
		if (status != TR_OK && status != TR_END) {
			t->reason = travel_fail(t, tr_reader_message(t->o.reader));
			return true;
		}
		done =
		    t->ended ? replay_end(t->o.replay) : replay_frame(t->o.replay, frame);
	}
	t->in_frame = replay_is_paused(t->o.replay);
	if (t->in_frame)
		return true;
	t->reason = TRAVEL_END;
	t->at.cycle = replay_cycle(t->o.replay, t->at.hart);
	if (!done)
		t->reason = travel_fail(t, replay_message(t->o.replay));
	else if (!t->ended && !travel_add_fine(t))
		t->reason = travel_fail(t, replay_index_message(t->fine.index));
	return t->reason == TRAVEL_FAILED || t->ended;
}

/* Sets where to go: with instret UINT64_MAX to a cycle; NULL: nowhere. */
static void set_goal(struct travel *t, enum mode mode, const struct where *goal)
{
	t->mode = mode;
	t->has_found = false;
	t->has_goal = goal != NULL;
	replay_watch_nothing(t->o.replay);
	replay_watch_others(t->o.replay);
	if (!goal)
		return;
	t->goal = *goal;
	if (goal->instret == UINT64_MAX)
		replay_watch_cycle(t->o.replay, goal->hart, goal->cycle);
	else
		replay_watch_instruction(t->o.replay, goal->hart, goal->instret);
}

/* Goes to an instruction that comes before or behind this one. */
static enum travel_stop go_to(struct travel *t, const struct where *goal)
{
	set_goal(t, TO_GOAL, goal);
	if (!travel_go_before(t, goal))
		return t->reason;
	while (!go_on(t))
		continue;
	return t->reason;
}

/* Pauses before the next instruction of the current hart. */
static enum travel_stop pause_at_next_insn(struct travel *t)
{
	struct where here = {t->at.hart, soc_instret(t->o.soc, t->at.hart), 0};

	if (t->in_frame)
		return TRAVEL_STOPPED;
	enum travel_stop stop = go_to(t, &here);
	return stop == TRAVEL_THERE ? TRAVEL_STOPPED : stop;
}

static bool is_travel_interrupted(const struct travel *t)
{
	return t->o.interrupted && t->o.interrupted(t->o.user);
}

/* Goes forwards to the goal or, with TO_STOP, to the first stop. */
static enum travel_stop run_forwards(struct travel *t)
{
	if (t->ended && !t->in_frame)
		return TRAVEL_END;
	while (!go_on(t) && !t->has_found)
		if (is_travel_interrupted(t))
			return pause_at_next_insn(t);
	if (!t->has_found || t->reason == TRAVEL_FAILED)
		return t->reason;
	struct where place = t->found;
	enum travel_stop stop = go_to(t, &place);
	return stop == TRAVEL_THERE ? t->found_reason : stop;
}

enum travel_stop travel_to_cycle(struct travel *t, unsigned hart, uint64_t cycle)
{
	const struct where goal = {hart, UINT64_MAX, cycle};

	if (t->o.index &&
	    !travel_go_to_coarse(t, replay_index_find_cycle(t->o.index, hart, cycle)))
		return t->reason;
	if (!travel_go_to_place(t, t->fine.index,
				replay_index_find_cycle(t->fine.index, hart, cycle)))
		return t->reason;
	set_goal(t, TO_GOAL, &goal);
	return run_forwards(t);
}

enum travel_stop travel_step(struct travel *t, unsigned hart)
{
	const struct where goal = {hart, soc_instret(t->o.soc, hart) + 1, 0};

	set_goal(t, TO_STOP, &goal);
	return run_forwards(t);
}

enum travel_stop travel_run(struct travel *t)
{
	set_goal(t, TO_STOP, NULL);
	return run_forwards(t);
}

static enum travel_stop go_to_start(struct travel *t)
{
	enum travel_stop stop = travel_to_cycle(t, 0, 0);

	return stop == TRAVEL_THERE ? TRAVEL_START : stop;
}

enum travel_stop travel_step_back(struct travel *t, unsigned hart)
{
	const struct where goal = {hart, soc_instret(t->o.soc, hart) - 1, 0};
	const struct replay_index *ix = t->o.index ? t->o.index : t->fine.index;

	if (goal.instret + 1 <= replay_index_instret(ix, 0, hart))
		return go_to_start(t);
	enum travel_stop stop = go_to(t, &goal);
	/* A window begins here. */
	if (stop == TRAVEL_THERE && t->at.instret > goal.instret)
		stop = TRAVEL_START;
	return stop;
}

/* Finds the last stop between fine place n and where it was; or the next place, of the
 * fine index or the given one. */
static bool search_back(struct travel *t, size_t n, const struct where *end)
{
	uint64_t stop = replay_index_offset(t->fine.index, n + 1);

	if (t->o.index && stop == UINT64_MAX)
		stop = replay_index_offset(t->o.index, t->fine.place + 1);
	set_goal(t, TO_LAST, end);
	if (!travel_go_to_place(t, t->fine.index, n))
		return false;
	while (!go_on(t)) {
		if (!end && travel_is_at(t, stop))
			break;
		if (is_travel_interrupted(t)) {
			t->reason = TRAVEL_STOPPED;
			return false;
		}
	}
	return t->reason != TRAVEL_FAILED;
}

/* Looks in the places before, until a stop is found. */
static bool search_further_back(struct travel *t, size_t n)
{
	while (!t->has_found) {
		if (n == 0 && (!t->o.index || t->fine.place == 0))
			break;
		if (n == 0 && !travel_go_to_coarse(t, t->fine.place - 1))
			return false;
		n = n ? n - 1 : 0;
		if (!search_back(t, n, NULL))
			return false;
	}
	return true;
}

enum travel_stop travel_run_back(struct travel *t)
{
	struct where end = {t->at.hart, soc_instret(t->o.soc, t->at.hart), 0};
	bool at_end = t->ended && !t->in_frame;
	uint64_t before = at_end ? UINT64_MAX : end.instret;

	if (t->o.index && !travel_go_to_coarse(t, replay_index_find_instruction(
						      t->o.index, end.hart, before)))
		return t->reason;
	size_t n = replay_index_find_instruction(t->fine.index, end.hart, before);
	if (!search_back(t, n, at_end ? NULL : &end) || !search_further_back(t, n))
		return t->reason == TRAVEL_STOPPED ? go_to(t, &end) : t->reason;
	if (!t->has_found)
		return go_to_start(t);
	struct where place = t->found;
	enum travel_stop reason = t->found_reason;
	enum travel_stop stop = go_to(t, &place);
	return stop == TRAVEL_THERE ? reason : stop;
}

/* ------------------------------------------------------------ the rest */

struct travel *travel_new(const struct travel_options *options)
{
	struct travel *t = calloc(1, sizeof(*t));
	const struct replay_watch watch = {
	    .user = t, .wants = travel_wants_pc, .reached = travel_reached};

	if (!t)
		return NULL;
	t->o = *options;
	replay_watch(options->replay, &watch);
	if (!t->o.index)
		travel_begin_fine(t, 0);
	return t;
}

void travel_free(struct travel *t)
{
	if (t)
		travel_free_fine(t);
	free(t);
}

const char *travel_message(const struct travel *t)
{
	return t->message;
}

unsigned travel_hart(const struct travel *t)
{
	return t->at.hart;
}

uint64_t travel_cycle(const struct travel *t)
{
	return t->at.cycle;
}

size_t travel_watch(const struct travel *t)
{
	return t->found_watch;
}

bool travel_add_break(struct travel *t, uint64_t pc)
{
	if (has_break_at(t, pc))
		return true;
	if (t->nbreaks == BREAKS)
		return false;
	t->breaks[t->nbreaks++] = pc;
	return true;
}

void travel_remove_break(struct travel *t, uint64_t pc)
{
	for (size_t i = 0; i < t->nbreaks; i++)
		if (t->breaks[i] == pc)
			t->breaks[i--] = t->breaks[--t->nbreaks];
}

/* Accesses are only looked at if some are watched. */
static void set_access_hooks(struct travel *t)
{
	const struct replay_accesses accesses = {.user = t,
						 .access = find_watched_write,
						 .external_write = find_external_write};
	bool any = false;

	for (size_t i = 0; i < WATCHES; i++)
		any |= t->watches[i].used;
	replay_watch_accesses(t->o.replay, any ? &accesses : NULL);
}

bool travel_add_watch(struct travel *t, size_t number, uint64_t address, uint64_t size)
{
	size_t i = 0;

	travel_remove_watch(t, number);
	while (i < WATCHES && t->watches[i].used)
		i++;
	if (i == WATCHES)
		return false;
	t->watches[i] = (struct watched){number, address, size, true};
	set_access_hooks(t);
	return true;
}

void travel_remove_watch(struct travel *t, size_t number)
{
	for (size_t i = 0; i < WATCHES; i++)
		if (t->watches[i].number == number)
			t->watches[i].used = false;
	set_access_hooks(t);
}

void travel_remove_all(struct travel *t)
{
	t->nbreaks = 0;
	memset(t->watches, 0, sizeof(t->watches));
	set_access_hooks(t);
}
