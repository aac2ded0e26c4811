/* SPDX-License-Identifier: Apache-2.0 */
#include "probing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/codec.h"
#include "view.h"

enum { RA = 1, SP = 2 };

/* A call whose return is awaited. */
struct call {
	uint64_t pc, sp; /* to which it returns */
	uint32_t space;	 /* as of notes: code of user programs is in many */
	uint64_t satp;
	uint64_t bias; /* of the binary */
	size_t place;
	void *saved;
};

struct probing {
	struct probing_options o;
	struct call *calls;
	size_t ncalls, call_room;
	const struct replay_reached *at;
	bool failed;
};

/* Asked once for each instruction of a block; places are few. */
static bool wants(void *user, uint64_t pc)
{
	const struct probing *p = user;

	for (size_t i = 0; i < tr_probes_place_count(p->o.probes); i++)
		if (p->o.places[i].number == TR_NOTE_UNKNOWN &&
		    p->o.places[i].address == pc)
			return true;
	return false;
}

static bool wants_code(void *user, uint32_t binary, uint64_t address, unsigned size)
{
	const struct probing *p = user;

	for (size_t i = 0; i < tr_probes_place_count(p->o.probes); i++)
		if (p->o.places[i].number == binary &&
		    p->o.places[i].address - address < size)
			return true;
	return false;
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

static void end_call(struct probing *p, size_t i)
{
	replay_watch_start(p->o.replay, p->calls[i].pc, false);
	free(p->calls[i].saved);
	memmove(&p->calls[i], &p->calls[i + 1], (p->ncalls - i - 1) * sizeof *p->calls);
	p->ncalls--;
}

/* Ends the calls of programs that have ended: their satp has another space. */
static void end_stale_calls(struct probing *p, uint64_t satp)
{
	for (size_t i = p->ncalls; i > 0 && p->at->priv == TR_PRIV_U; i--)
		if (p->calls[i - 1].satp == satp &&
		    p->calls[i - 1].space != p->at->space &&
		    p->calls[i - 1].space < TR_SPACE_MACHINE)
			end_call(p, i - 1);
}

/* Ends a call of the same place that was made with the same sp: it has not returned, but
 * left its stack as do_exit() and longjmp() do. */
static void end_left_call(struct probing *p, size_t place)
{
	uint64_t sp = soc_x(p->o.soc, p->at->hart, SP);

	for (size_t i = p->ncalls; i > 0; i--)
		if (p->calls[i - 1].place == place && p->calls[i - 1].sp == sp &&
		    p->calls[i - 1].space == p->at->space)
			end_call(p, i - 1);
}

static void await_return(struct probing *p, size_t place,
			 const struct tr_probe_machine *machine)
{
	struct call *call;

	end_stale_calls(p, machine->satp);
	end_left_call(p, place);
	if (!tr_grow(&p->calls, &p->call_room, p->ncalls + 1, sizeof *p->calls)) {
		p->failed = true;
		return;
	}
	call = &p->calls[p->ncalls];
	*call = (struct call){.pc = soc_x(p->o.soc, p->at->hart, RA),
			      .sp = soc_x(p->o.soc, p->at->hart, SP),
			      .space = p->at->space,
			      .satp = machine->satp,
			      .bias = machine->bias,
			      .place = place};
	call->saved = malloc(tr_probes_place(p->o.probes, place)->saved_size + 1);
	if (!call->saved) {
		p->failed = true;
		return;
	}
	tr_probes_enter(p->o.probes, place, machine, call->saved);
	replay_watch_start(p->o.replay, call->pc, true);
	p->ncalls++;
}

/* Ends the calls that return here; those of frames below are lost, as by longjmp. A
 * return leaves its address in ra, unlike a call of the function behind one that does not
 * return.
 */
static void leave(struct probing *p, struct tr_probe_machine *machine)
{
	uint64_t sp = soc_x(p->o.soc, p->at->hart, SP);
	struct tr_probe_hit hit;

	if (soc_x(p->o.soc, p->at->hart, RA) != p->at->pc)
		return;
	for (size_t i = p->ncalls; i > 0; i--) {
		const struct call *call = &p->calls[i - 1];

		if (call->pc != p->at->pc || call->sp != sp ||
		    call->space != p->at->space)
			continue;
		machine->bias = call->bias;
		if (tr_probes_hit(p->o.probes, call->place, machine, call->saved, &hit))
			p->o.hit(p->o.user, p->at, &hit);
		end_call(p, i - 1);
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

static void enter(struct probing *p, struct tr_probe_machine *machine)
{
	struct tr_probe_hit hit;

	for (size_t i = 0; i < tr_probes_place_count(p->o.probes); i++) {
		const struct tr_probe_place *place = tr_probes_place(p->o.probes, i);

		if (!is_at(p, &p->o.places[i]))
			continue;
		machine->bias = p->at->pc - place->address;
		if (place->kind == TR_PROBE_RETURN)
			await_return(p, i, machine);
		else if (tr_probes_hit(p->o.probes, i, machine, NULL, &hit))
			p->o.hit(p->o.user, p->at, &hit);
	}
}

static void reached(void *user, const struct replay_reached *at)
{
	struct probing *p = user;
	struct replay_view view = {p->o.soc, at->hart};
	struct tr_probe_machine machine = replay_machine(&view, at->pc, at->cycle);

	p->at = at;
	leave(p, &machine);
	enter(p, &machine);
}

struct probing *probing_new(const struct probing_options *options)
{
	struct probing *p = calloc(1, sizeof *p);
	const struct replay_watch watch = {
	    .user = p, .wants = wants, .wants_code = wants_code, .reached = reached};

	if (!p)
		return NULL;
	p->o = *options;
	replay_watch(options->replay, &watch);
	return p;
}

bool probing_done(const struct probing *p)
{
	return !p->failed;
}

void probing_free(struct probing *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->ncalls; i++)
		free(p->calls[i].saved);
	free(p->calls);
	free(p);
}
