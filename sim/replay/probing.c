/* SPDX-License-Identifier: Apache-2.0 */
#include "probing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/codec.h"
#include "view.h"
#include "watch.h"

enum { RA = 1, SP = 2, PRIV_U = 0 };

/* A call whose return is awaited. */
struct call {
	uint64_t pc, sp; /* to which it returns */
	size_t place;
	void *saved;
};

struct probing {
	struct soc *soc;
	struct replay *replay;
	struct tr_probes *probes;
	FILE *out;
	struct call *calls;
	size_t ncalls, call_room;
	unsigned hart; /* that has reached a place */
	bool failed;
};

/* Asked once for each instruction of a block; places are few. */
static bool wants(void *user, uint64_t pc)
{
	const struct probing *p = user;

	for (size_t i = 0; i < tr_probes_place_count(p->probes); i++)
		if (tr_probes_place(p->probes, i)->address == pc)
			return true;
	return false;
}

static void print(const struct probing *p, uint64_t cycle, const struct tr_probe_hit *hit)
{
	size_t fields = tr_probes_field_count(p->probes, hit->probe);

	fprintf(p->out, "%" PRIu64 " hart %u %s", cycle, p->hart,
		tr_probes_name(p->probes, hit->probe));
	for (size_t i = 0; i < fields; i++) {
		fprintf(p->out, " %s=", tr_probes_field_name(p->probes, hit->probe, i));
		tr_probe_value_print(&hit->values[i], p->out);
	}
	fputc('\n', p->out);
}

static void await_return(struct probing *p, size_t place,
			 const struct tr_probe_machine *machine)
{
	struct call *call;

	if (!tr_grow(&p->calls, &p->call_room, p->ncalls + 1, sizeof *p->calls)) {
		p->failed = true;
		return;
	}
	call = &p->calls[p->ncalls];
	call->pc = soc_x(p->soc, p->hart, RA);
	call->sp = soc_x(p->soc, p->hart, SP);
	call->place = place;
	call->saved = malloc(tr_probes_place(p->probes, place)->saved_size + 1);
	if (!call->saved) {
		p->failed = true;
		return;
	}
	tr_probes_enter(p->probes, place, machine, call->saved);
	replay_watch_start(p->replay, call->pc, true);
	p->ncalls++;
}

/* Ends the calls that return here; those of frames below are lost, as by longjmp. */
static void leave(struct probing *p, uint64_t pc, uint64_t cycle,
		  const struct tr_probe_machine *machine)
{
	uint64_t sp = soc_x(p->soc, p->hart, SP);
	struct tr_probe_hit hit;

	for (size_t i = p->ncalls; i > 0; i--) {
		struct call call = p->calls[i - 1];

		if (call.pc != pc || call.sp != sp)
			continue;
		memmove(&p->calls[i - 1], &p->calls[i],
			(p->ncalls - i) * sizeof *p->calls);
		p->ncalls--;
		replay_watch_start(p->replay, pc, false);
		if (tr_probes_hit(p->probes, call.place, machine, call.saved, &hit))
			print(p, cycle, &hit);
		free(call.saved);
	}
}

static void enter(struct probing *p, uint64_t pc, uint64_t cycle,
		  const struct tr_probe_machine *machine)
{
	struct tr_probe_hit hit;

	for (size_t i = 0; i < tr_probes_place_count(p->probes); i++) {
		const struct tr_probe_place *place = tr_probes_place(p->probes, i);

		if (place->address != pc)
			continue;
		if (place->kind == TR_PROBE_RETURN)
			await_return(p, i, machine);
		else if (tr_probes_hit(p->probes, i, machine, NULL, &hit))
			print(p, cycle, &hit);
	}
}

static void reached(void *user, unsigned hart, uint64_t pc, uint64_t cycle)
{
	struct probing *p = user;
	struct replay_view view = {p->soc, hart};
	const struct tr_probe_machine machine = replay_machine(&view, pc, cycle);

	if (soc_priv(p->soc, hart) == PRIV_U)
		return;
	p->hart = hart;
	leave(p, pc, cycle, &machine);
	enter(p, pc, cycle, &machine);
}

struct probing *probing_new(struct soc *soc, struct replay *replay,
			    struct tr_probes *probes, FILE *out)
{
	struct probing *p = calloc(1, sizeof *p);
	const struct replay_watch watch = {.user = p, .wants = wants, .reached = reached};

	if (!p)
		return NULL;
	p->soc = soc;
	p->replay = replay;
	p->probes = probes;
	p->out = out;
	replay_watch(replay, &watch);
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
