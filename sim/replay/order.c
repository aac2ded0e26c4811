/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include "lane.h"

/* tr-stream(5): what a frame does not have of a hart is less than this many cycles before
 * the end of the frame. */
enum { UNREPORTED_CYCLES = 1 << 17 };

void order_extend(struct replay *r, uint64_t cycle)
{
	if (cycle > r->order.latest)
		r->order.latest = cycle;
}

void order_end(struct replay *r)
{
	r->order.latest = UINT64_MAX;
}

void order_restart(struct replay *r)
{
	r->order.latest = 0;
}

bool order_is_ended(const struct replay *r)
{
	return r->order.latest == UINT64_MAX;
}

void order_put(const struct replay *r, struct tr_buffer *out)
{
	tr_buffer_varint(out, r->order.latest);
}

void order_load(struct replay *r, struct tr_bytes *in)
{
	r->order.latest = tr_varint(in);
}

static void pass_watched(struct lane *l, struct moment limit, struct moment when);

/* Runs tokens whose moment is before `limit`, and tells of those that are watched. */
static void run_tokens(struct lane *l, struct moment limit)
{
	struct moment when;

	if (cursor_run(l, limit, &when))
		pass_watched(l, limit, when);
}

/* The hart is before a watched token, and other harts may be behind with tokens whose
 * order does not matter: these are run before it is told of. */
static void pass_watched(struct lane *l, struct moment limit, struct moment when)
{
	struct replay *r = lane_replay(l);

	do {
		for (unsigned i = 0; i < replay_harts(r) && !replay_failed(r); i++)
			if (i != lane_hart(l) && lane_has_begun(replay_lane(r, i)))
				run_tokens(lane_of_hart(r, i), when);
		if (!lane_failed(l))
			cursor_reach(l);
	} while (!lane_stopped(l) && cursor_run(l, limit, &when));
}

/* What each hart does next. */
struct steps {
	struct cursor_next of[SOC_HARTS_MAX];
};

static void find_step(struct steps *steps, struct lane *l)
{
	struct cursor_next *next = &steps->of[lane_hart(l)];
	uint64_t latest = lane_replay(l)->order.latest;

	cursor_find_next(l, next);
	if (!next->known && latest > UNREPORTED_CYCLES &&
	    next->when.cycle < latest - UNREPORTED_CYCLES)
		next->when.cycle = latest - UNREPORTED_CYCLES;
}

static bool others_have_walked(const struct replay *r, const struct steps *steps,
			       unsigned hart)
{
	for (unsigned i = 0; i < replay_harts(r); i++)
		if (i != hart && steps->of[i].walked)
			return true;
	return false;
}

/* Runs the hart that comes next, up to the next moment of another. Returns the hart, or
 * -1 if that cannot be told before the next frame, and after a failure. */
static int follow_next(struct replay *r, const struct steps *steps)
{
	struct moment first = {UINT64_MAX, 0}, second = first;
	const struct cursor_next *next = NULL;

	for (unsigned i = 0; i < replay_harts(r); i++) {
		struct moment when = steps->of[i].when;

		if (moment_is_before(when, first)) {
			second = first;
			first = when;
			next = &steps->of[i];
		} else if (moment_is_before(when, second)) {
			second = when;
		}
	}
	if (!next || !next->known)
		return -1;
	unsigned hart = (unsigned)(next - steps->of);
	soc_assume_tables(replay_soc(r), others_have_walked(r, steps, hart));
	if (next->event)
		cursor_take_event(lane_of_hart(r, hart));
	else
		run_tokens(lane_of_hart(r, hart), second);
	return replay_is_stopped(r) ? -1 : (int)hart;
}

/* Only the hart that has run has another moment, unless what is watched has changed. */
void replay_in_order(struct replay *r)
{
	struct steps steps;
	unsigned first = 0, end = replay_harts(r);
	int ran;

	do {
		for (unsigned i = first; i < end; i++)
			find_step(&steps, lane_of_hart(r, i));
		ran = follow_next(r, &steps);
		if (!watch_is_on(r) && ran >= 0) {
			first = (unsigned)ran;
			end = first + 1;
		}
	} while (ran >= 0);
}
