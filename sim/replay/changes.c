/* SPDX-License-Identifier: Apache-2.0 */
#include "changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "stream/stream.h"

enum {
	SP = 2,
	CALLS_MAX = 1 << 16,
	FRAME_MAX = 1 << 16 /* bytes of a frame */
};

struct changing_call {
	size_t place;
	uint32_t space;
	uint64_t sp, satp, bias;
	uint64_t number; /* calls are numbered as they are entered */
	uint64_t value;
	bool is_known; /* it has a value */
	uint64_t saved[];
};

void changes_create(struct changes *c, const struct probing_options *options)
{
	*c = (struct changes){0};
	for (size_t i = 0; i < tr_probes_place_count(options->probes); i++)
		if (tr_probes_place(options->probes, i)->kind == TR_PROBE_CHANGED)
			c->o = options;
}

void changes_free(struct changes *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->calls[i]);
	free(c->calls);
}

/* Returns whether an address is in the function of a place, and not its entry. */
static bool is_inside(const struct changes *c, size_t place, uint32_t binary,
		      uint64_t address)
{
	const struct tr_probe_place *of = tr_probes_place(c->o->probes, place);
	const struct replay_place *at = &c->o->places[place];

	return of->kind == TR_PROBE_CHANGED && at->number == binary &&
	       address - at->address < of->code_size && address != at->address;
}

bool changes_want_block(const struct changes *c, uint32_t binary, uint64_t address)
{
	for (size_t i = 0; c->o && i < tr_probes_place_count(c->o->probes); i++)
		if (is_inside(c, i, binary, address))
			return true;
	return false;
}

/* ------------------------------------------------------------ the calls */

static bool is_before(const struct changing_call *call, size_t place, uint32_t space,
		      uint64_t sp)
{
	if (call->place != place)
		return call->place < place;
	return call->space != space ? call->space < space : call->sp < sp;
}

/* Returns the index of the first call with this sp or a higher one. */
static size_t find_call(const struct changes *c, size_t place, uint32_t space,
			uint64_t sp)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (is_before(c->calls[middle], place, space, sp))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct changes *c, size_t i, size_t place, uint32_t space)
{
	return i < c->count && c->calls[i]->place == place && c->calls[i]->space == space;
}

static void remove_call(struct changes *c, size_t i)
{
	free(c->calls[i]);
	c->count--;
	memmove(c->calls + i, c->calls + i + 1, (c->count - i) * sizeof(*c->calls));
}

/* Ends the calls of programs that have ended: their satp has another space. */
static void end_former_calls(struct changes *c, uint32_t space, uint64_t satp)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct changing_call *call = c->calls[i];

		if (call->satp == satp && call->space != space)
			free(call);
		else
			c->calls[kept++] = call;
	}
	c->count = kept;
}

static struct changing_call *add_call(struct changes *c, size_t i, size_t saved_size)
{
	struct changing_call *call = NULL;

	if (c->count < CALLS_MAX &&
	    tr_grow(&c->calls, &c->room, c->count + 1, sizeof(*c->calls)))
		call = calloc(1, sizeof(*call) + saved_size);
	if (!call) {
		c->failed = true;
		return NULL;
	}
	memmove(c->calls + i + 1, c->calls + i, (c->count - i) * sizeof(*c->calls));
	c->calls[i] = call;
	c->count++;
	return call;
}

void changes_enter(struct changes *c, size_t place, const struct replay_reached *at,
		   const struct tr_probe_machine *machine)
{
	const uint64_t sp = soc_x(c->o->soc, at->hart, SP);
	size_t i = find_call(c, place, at->space, sp);

	if (!is_of(c, i, place, at->space) && !(i && is_of(c, i - 1, place, at->space))) {
		end_former_calls(c, at->space, machine->satp);
		i = find_call(c, place, at->space, sp);
	}
	if (is_of(c, i, place, at->space) && c->calls[i]->sp == sp)
		remove_call(c, i);
	struct changing_call *call =
	    add_call(c, i, tr_probes_place(c->o->probes, place)->saved_size);
	if (!call)
		return;
	call->place = place;
	call->space = at->space;
	call->sp = sp;
	call->satp = machine->satp;
	call->bias = machine->bias;
	call->number = ++c->entered;
	tr_probes_enter(c->o->probes, place, machine, call->saved);
	call->is_known =
	    tr_probes_watched(c->o->probes, place, machine, call->saved, &call->value);
}

/* Returns the call that runs with this sp, or NULL. Those below a later one have ended.
 */
static struct changing_call *running_call(struct changes *c, size_t place, uint32_t space,
					  uint64_t sp)
{
	const size_t first = find_call(c, place, space, sp + 1);
	size_t newest = first;

	if (!is_of(c, first, place, space))
		return NULL;
	for (size_t i = first + 1;
	     is_of(c, i, place, space) && c->calls[i]->sp - sp < FRAME_MAX; i++)
		if (c->calls[i]->number > c->calls[newest]->number)
			newest = i;
	for (; newest > first; newest--)
		remove_call(c, first);
	return c->calls[first];
}

/* A forked child goes on in calls of its parent: copies all of the parent's, which is the
 * process whose newest call may be the one with this sp. */
static void adopt_calls(struct changes *c, size_t place, uint32_t space, uint64_t satp,
			uint64_t sp)
{
	const struct changing_call *newest = NULL;
	const size_t size = tr_probes_place(c->o->probes, place)->saved_size;

	for (size_t i = 0; i < c->count; i++) {
		const struct changing_call *call = c->calls[i];

		if (call->place == place && call->sp > sp && call->sp - sp < FRAME_MAX &&
		    (!newest || call->number > newest->number))
			newest = call;
	}
	if (!newest)
		return;
	const uint32_t parent = newest->space;
	for (uint64_t at = 0;;) {
		const size_t from = find_call(c, place, parent, at);

		if (!is_of(c, from, place, parent))
			return;
		const struct changing_call *call = c->calls[from];
		struct changing_call *copy =
		    add_call(c, find_call(c, place, space, call->sp), size);

		if (!copy)
			return;
		memcpy(copy, call, sizeof(*call) + size);
		copy->space = space;
		copy->satp = satp;
		at = copy->sp + 1;
	}
}

/* ------------------------------------------------------------ hits */

static void reach_block(struct changes *c, size_t place, const struct replay_reached *at,
			struct tr_probe_machine *machine)
{
	const uint64_t sp = soc_x(c->o->soc, at->hart, SP);
	const size_t i = find_call(c, place, at->space, 0);
	struct tr_probe_hit hit;
	uint64_t value;

	if (!is_of(c, i, place, at->space) && at->priv == TR_PRIV_U)
		adopt_calls(c, place, at->space, machine->satp, sp);
	struct changing_call *call = running_call(c, place, at->space, sp);
	if (!call)
		return;
	machine->bias = call->bias;
	if (!tr_probes_watched(c->o->probes, place, machine, call->saved, &value) ||
	    (call->is_known && value == call->value))
		return;
	call->value = value;
	call->is_known = true;
	if (tr_probes_hit(c->o->probes, place, machine, call->saved, &hit))
		c->o->hit(c->o->user, at, &hit);
}

void changes_reach(struct changes *c, const struct replay_reached *at,
		   struct tr_probe_machine *machine)
{
	const bool is_user = at->binary != TR_NOTE_UNKNOWN;

	if (!c->o || at->token)
		return;
	for (size_t i = 0; i < tr_probes_place_count(c->o->probes); i++)
		if (is_inside(c, i, at->binary, is_user ? at->address : at->pc) &&
		    (is_user || at->priv != TR_PRIV_U))
			reach_block(c, i, at, machine);
}
