/* SPDX-License-Identifier: Apache-2.0 */
#include "probing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "calls.h"
#include "changes.h"
#include "masks.h"
#include "stream/codec.h"
#include "stream/decode.h"
#include "view.h"

enum { RA = 1, SP = 2, SPACES = 4096 };

struct probing {
	struct probing_options o;
	struct calls calls;
	struct tr_map spaces; /* by satp: the space that it had last */
	uint64_t windows;     /* of the replay, when the calls were made */
	const struct replay_reached *at;
	uint64_t satp; /* for is_stale_call() */
	struct masks masks;
	struct changes changes;
	struct stacks stacks;
	bool failed;
};

static bool is_masked_place(const struct probing *p, size_t place)
{
	return tr_probes_place(p->o.probes, place)->kind == TR_PROBE_MASKED;
}

/* Asked once for each instruction of a block; places are few. */
static bool probing_wants_pc(void *user, uint64_t pc)
{
	const struct probing *p = user;

	for (size_t i = 0; i < tr_probes_place_count(p->o.probes); i++)
		if (p->o.places[i].number == TR_NOTE_UNKNOWN &&
		    p->o.places[i].address == pc && !is_masked_place(p, i))
			return true;
	return masks_want_pc(&p->masks, pc);
}

static bool probing_wants_code(void *user, uint32_t binary, uint64_t address,
			       unsigned size)
{
	const struct probing *p = user;

	for (size_t i = 0; i < tr_probes_place_count(p->o.probes); i++)
		if (p->o.places[i].number == binary &&
		    p->o.places[i].address - address < size && !is_masked_place(p, i))
			return true;
	return false;
}

static bool probing_wants_block(void *user, uint32_t binary, uint64_t address)
{
	const struct probing *p = user;

	return changes_want_block(&p->changes, binary, address);
}

void probing_print(FILE *out, const struct tr_probes *probes,
		   const struct replay_reached *at, const struct tr_probe_hit *hit)
{
	size_t fields = tr_probes_field_count(probes, hit->probe);

	fprintf(out, "%" PRIu64 " hart %u %s", at->cycle, at->hart,
		tr_probes_name(probes, hit->probe));
	for (size_t i = 0; i < fields; i++) {
		fprintf(out, " %s=", tr_probes_field_name(probes, hit->probe, i));
		tr_probe_value_print(&hit->values[i], out);
	}
	fputc('\n', out);
}

/* ------------------------------------------------------------ calls */

/* Begins or ends to wait for a call's return, and for its caller. */
static void watch_call(struct probing *p, const struct call *call, bool on)
{
	replay_watch_return(p->o.replay, call->pc, on);
	if (call->site != call->pc)
		replay_watch_return(p->o.replay, call->site, on);
}

static void end_awaited_call(struct probing *p, struct call *call)
{
	watch_call(p, call, false);
	calls_remove(&p->calls, call);
}

static bool is_stale_call(void *user, const struct call *call)
{
	struct probing *p = user;
	bool is = call->satp == p->satp && call->space != p->at->space &&
		  call->space < TR_SPACE_GUEST;

	if (is)
		watch_call(p, call, false);
	return is;
}

static bool is_awaited(void *user, const struct call *call)
{
	struct probing *p = user;

	watch_call(p, call, false);
	return true;
}

/* Calls that were left where nothing was traced do not return here. */
static void end_calls_of_window(struct probing *p)
{
	uint64_t windows = replay_counts(p->o.replay)->windows;

	if (p->windows != windows)
		calls_sweep(&p->calls, is_awaited, p);
	p->windows = windows;
}

/* Ends the calls of programs that have ended: their satp has another space. */
static void end_stale_calls(struct probing *p, uint64_t satp)
{
	if (p->at->priv != TR_PRIV_U || tr_map_get(&p->spaces, satp) == p->at->space)
		return;
	p->satp = satp;
	calls_sweep(&p->calls, is_stale_call, p);
	if (p->spaces.count == SPACES)
		tr_map_clear(&p->spaces);
	p->failed |= !tr_map_set(&p->spaces, satp, p->at->space);
}

/* Ends a call of the same place that was made with the same sp: it has not returned, but
 * left its stack as do_exit() and longjmp() do. */
static void end_left_call(struct probing *p, size_t place, uint64_t sp)
{
	struct call *call = calls_newest(&p->calls, sp), *older;

	for (; call; call = older) {
		older = calls_older(call);
		if (call->place == place && call->space == p->at->space)
			end_awaited_call(p, call);
	}
}

/* Ends the calls that were made by this instruction with this sp: their caller has gone
 * on without a return, or its stack is that of another task now. */
static void end_calls_made_here(struct probing *p)
{
	uint64_t sp = soc_x(p->o.soc, p->at->hart, SP);
	struct call *call = calls_newest(&p->calls, sp), *older;

	for (; call; call = older) {
		older = calls_older(call);
		if (call->site == p->at->behind && call->space == p->at->space)
			end_awaited_call(p, call);
	}
}

static bool is_call_insn_at(const struct tr_probe_machine *machine, uint64_t pc,
			    unsigned bytes)
{
	uint8_t code[4];

	if (!machine->read(machine->user, pc, code, bytes) ||
	    (bytes == 4) != ((code[0] & 3) == 3))
		return false;
	enum tr_flow flow = tr_decode_flow(code, bytes, 64);
	return flow == TR_FLOW_CALL || flow == TR_FLOW_SWAP;
}

/* Code in assembly may set ra to any address, and jump to a function. */
static bool is_behind_call(const struct tr_probe_machine *machine, uint64_t pc)
{
	return is_call_insn_at(machine, pc - 4, 4) || is_call_insn_at(machine, pc - 2, 2);
}

static void await_return(struct probing *p, size_t place,
			 const struct tr_probe_machine *machine)
{
	uint64_t sp = soc_x(p->o.soc, p->at->hart, SP);

	end_stale_calls(p, machine->satp);
	end_left_call(p, place, sp);
	struct call *call =
	    calls_add(&p->calls, sp, tr_probes_place(p->o.probes, place)->saved_size);
	if (!call) {
		p->failed = true;
		return;
	}
	call->pc = soc_x(p->o.soc, p->at->hart, RA);
	call->space = p->at->space;
	call->satp = machine->satp;
	call->bias = machine->bias;
	call->place = place;
	tr_probes_enter(p->o.probes, place, machine, call->saved);
	call->site = is_behind_call(machine, call->pc) || !p->at->jumped_from
			 ? call->pc
			 : p->at->behind_jump;
	watch_call(p, call, true);
}

/* Ends the calls that return here; those of frames below are lost, as by longjmp. A
 * return leaves its address in ra, unlike a call of the function behind one that does not
 * return.
 */
static void hit_returned_calls(struct probing *p, struct tr_probe_machine *machine)
{
	struct call *older;
	struct tr_probe_hit hit;

	if (soc_x(p->o.soc, p->at->hart, RA) != p->at->pc)
		return;
	struct call *call = calls_newest(&p->calls, soc_x(p->o.soc, p->at->hart, SP));
	for (; call; call = older) {
		older = calls_older(call);
		if (call->pc != p->at->pc || call->space != p->at->space)
			continue;
		machine->bias = call->bias;
		if (tr_probes_hit(p->o.probes, call->place, machine, call->saved, &hit))
			p->o.hit(p->o.user, p->at, &hit);
		end_awaited_call(p, call);
	}
}

/* ------------------------------------------------------------ hits */

/* Returns whether a place is reached. */
static bool is_at(const struct probing *p, const struct replay_place *place)
{
	if (place->number != TR_NOTE_UNKNOWN)
		return p->at->binary == place->number && p->at->address == place->address;
	return p->at->pc == place->address && p->at->priv != TR_PRIV_U;
}

/* Returns whether the function loops back to its first instruction: it is not entered
 * again. */
static bool is_loop(const struct probing *p, const struct tr_probe_place *place)
{
	return p->at->jumped_from && place->kind != TR_PROBE_PLACE &&
	       p->at->jumped_from - p->at->pc < place->code_size;
}

static void hit_reached_places(struct probing *p, struct tr_probe_machine *machine)
{
	struct tr_probe_hit hit;

	for (size_t i = 0; i < tr_probes_place_count(p->o.probes); i++) {
		const struct tr_probe_place *place = tr_probes_place(p->o.probes, i);

		if (is_masked_place(p, i) || !is_at(p, &p->o.places[i]) ||
		    is_loop(p, place))
			continue;
		machine->bias = p->at->pc - place->address;
		masks_found_binary(&p->masks, p->o.places[i].number, machine->bias);
		if (place->kind == TR_PROBE_RETURN)
			await_return(p, i, machine);
		else if (place->kind == TR_PROBE_CHANGED)
			changes_enter(&p->changes, i, p->at, machine);
		else if (tr_probes_hit(p->o.probes, i, machine, NULL, &hit))
			p->o.hit(p->o.user, p->at, &hit);
	}
}

static void probing_wrote_sp(void *user, uint64_t sp)
{
	struct probing *p = user;

	stacks_note(&p->stacks, sp);
}

static bool probing_wants_insn(void *user, const uint8_t *code, unsigned size)
{
	const struct probing *p = user;

	return (p->masks.nplaces && masks_want_insn(user, code, size)) ||
	       (tr_probes_need_sp(p->o.probes) && stacks_growth(code, size));
}

/* The trace does not report what an instruction adds to sp, which the model will. */
static void note_growing_stack(struct probing *p, const struct tr_probe_machine *machine)
{
	uint8_t code[4];
	unsigned size;

	if (!tr_probes_need_sp(p->o.probes) ||
	    !machine->read(machine->user, p->at->pc, code, 2))
		return;
	size = (code[0] & 3) == 3 ? 4 : 2;
	if (size == 4 && !machine->read(machine->user, p->at->pc + 2, code + 2, 2))
		return;
	const int growth = stacks_growth(code, size);
	if (growth)
		stacks_note(&p->stacks,
			    soc_x(p->o.soc, p->at->hart, SP) + (uint64_t)(int64_t)growth);
}

static void probing_reached(void *user, const struct replay_reached *at)
{
	struct probing *p = user;
	struct replay_view view = {p->o.soc, at->hart, &p->stacks};
	struct tr_probe_machine machine = replay_machine(&view, at->pc, at->cycle);

	p->at = at;
	end_calls_of_window(p);
	hit_returned_calls(p, &machine);
	end_calls_made_here(p);
	hit_reached_places(p, &machine);
	changes_reach(&p->changes, at, &machine);
	note_growing_stack(p, &machine);
	machine.bias = 0;
	masks_reach(&p->masks, at, &machine);
}

struct probing *probing_new(const struct probing_options *options)
{
	struct probing *p = calloc(1, sizeof(*p));
	struct replay_watch watch = {.user = p,
				     .wants = probing_wants_pc,
				     .wants_insn = probing_wants_insn,
				     .wants_code = probing_wants_code,
				     .reached = probing_reached,
				     .wrote_sp = probing_wrote_sp};

	if (!p)
		return NULL;
	p->o = *options;
	if (!masks_create(&p->masks, &p->o)) {
		free(p);
		return NULL;
	}
	changes_create(&p->changes, &p->o);
	if (p->changes.o)
		watch.wants_block = probing_wants_block;
	if (!tr_probes_need_sp(options->probes))
		watch.wrote_sp = NULL;
	if (!p->masks.nplaces && !watch.wrote_sp)
		watch.wants_insn = NULL;
	replay_watch(options->replay, &watch);
	return p;
}

bool probing_done(const struct probing *p)
{
	return !p->failed && !p->changes.failed && !p->stacks.failed;
}

bool probing_masked_at_end(const struct probing *p, unsigned *hart, uint64_t *from,
			   uint64_t *to)
{
	return masks_open(&p->masks, hart, from, to);
}

void probing_free(struct probing *p)
{
	if (!p)
		return;
	calls_end_all(&p->calls);
	tr_map_free(&p->spaces);
	masks_free(&p->masks);
	changes_free(&p->changes);
	stacks_free(&p->stacks);
	free(p);
}
