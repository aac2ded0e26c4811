/* SPDX-License-Identifier: Apache-2.0 */
#include "recording.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 1 };

enum call { CALL_TOKENS, CALL_TRAP, CALL_XRET, CALL_SATP, CALL_REG };

/* A call; what follows it depends on its kind. All have sizes that are multiples of 8. */
struct call_head {
	uint32_t kind, number; /* number: a privilege or a register */
	uint64_t value;	       /* satp, or of a register; of tokens and traps the cycle */
	uint32_t tokens, stalls, runs, first;
};

struct packed_head {
	struct machine_state open;
	struct recording_sums sums;
	uint64_t size; /* of all calls, not compressed */
};

/* ------------------------------------------------------------ recording */

static void put_call(struct recording *r, enum call kind, uint32_t number, uint64_t value)
{
	const struct call_head head = {
	    .kind = (uint32_t)kind, .number = number, .value = value};

	tr_buffer_add(&r->calls, &head, sizeof(head));
}

static void note_runs(struct recording *r, const struct tr_run *runs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (r->idle_class && runs[i].class == r->idle_class)
			r->idle_slots += runs[i].slots;
}

/* Returns the number of runs, up to the last that a stall has. */
static uint32_t count_runs(const struct tr_batch *batch)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < batch->nstalls; i++) {
		const struct tr_stall *stall = &batch->stalls[i];

		if (stall->first_run + stall->nruns > n)
			n = stall->first_run + stall->nruns;
	}
	return n;
}

static void record_tokens(void *user, unsigned hart, const struct tr_batch *batch,
			  uint64_t cycle)
{
	struct recording *r = user;
	const struct call_head head = {.kind = CALL_TOKENS,
				       .value = cycle,
				       .tokens = batch->count,
				       .stalls = batch->nstalls,
				       .runs = count_runs(batch),
				       .first = batch->first};

	(void)hart;
	for (uint32_t i = 0; i < batch->nstalls; i++)
		note_runs(r, batch->runs + batch->stalls[i].first_run,
			  batch->stalls[i].nruns);
	r->sums.tokens += batch->count;
	r->last_cycle = cycle;
	tr_buffer_add(&r->calls, &head, sizeof(head));
	tr_buffer_add(&r->calls, batch->tokens, batch->count * sizeof(*batch->tokens));
	tr_buffer_add(&r->calls, batch->stalls, batch->nstalls * sizeof(*batch->stalls));
	tr_buffer_add(&r->calls, batch->runs, head.runs * sizeof(*batch->runs));
}

static void record_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct recording *r = user;
	const struct machine *m = r->machine;
	const struct call_head head = {
	    .kind = CALL_TRAP, .value = trap->cycle, .runs = m->nruns};

	(void)hart;
	note_runs(r, m->runs, m->nruns);
	tr_buffer_add(&r->calls, &head, sizeof(head));
	tr_buffer_add(&r->calls, trap, sizeof(*trap));
	tr_buffer_add(&r->calls, m->runs, m->nruns * sizeof(*m->runs));
	r->last_cycle = trap->cycle;
}

static void record_xret(void *user, unsigned hart, unsigned priv)
{
	(void)hart;
	put_call(user, CALL_XRET, priv, 0);
}

static void record_satp(void *user, unsigned hart, uint64_t satp)
{
	(void)hart;
	put_call(user, CALL_SATP, 0, satp);
}

static void record_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	(void)hart;
	put_call(user, CALL_REG, reg, value);
}

struct machine_hooks recording_hooks(struct recording *r)
{
	r->last_cycle = r->open.cycle;
	return (struct machine_hooks){.user = r,
				      .tokens = record_tokens,
				      .trap = record_trap,
				      .xret = record_xret,
				      .satp = record_satp,
				      .reg = record_reg};
}

bool recording_pack(struct recording *r, struct tr_buffer *packed)
{
	struct packed_head head = {.open = r->open, .size = r->calls.size};
	const size_t bound = ZSTD_compressBound(r->calls.size);

	r->sums.cycles = r->last_cycle - r->open.cycle;
	r->sums.idle = r->idle_slots / r->width;
	head.sums = r->sums;
	tr_buffer_add(packed, &head, sizeof(head));
	uint8_t *room = tr_buffer_room(packed, bound);
	if (!room || r->calls.failed)
		return false;
	const size_t size =
	    ZSTD_compress(room, bound, r->calls.data, r->calls.size, LEVEL);
	if (ZSTD_isError(size))
		return false;
	packed->size += size;
	tr_buffer_free(&r->calls);
	return true;
}

/* ------------------------------------------------------------ replay */

struct player {
	const struct machine_hooks *hooks;
	struct machine *machine;
	unsigned hart;
	uint64_t moved; /* to add to cycles */
	const uint8_t *at;
};

static const void *take_items(struct player *p, size_t n, size_t size)
{
	const void *items = p->at;

	p->at += n * size;
	return items;
}

static void play_tokens(struct player *p, const struct call_head *head)
{
	const struct machine_hooks *hooks = p->hooks;
	struct tr_batch batch = {.count = head->tokens,
				 .nstalls = head->stalls,
				 .first = (uint16_t)head->first};

	batch.tokens = take_items(p, head->tokens, sizeof(*batch.tokens));
	batch.stalls = take_items(p, head->stalls, sizeof(*batch.stalls));
	batch.runs = take_items(p, head->runs, sizeof(*batch.runs));
	hooks->tokens(hooks->user, p->hart, &batch, head->value + p->moved);
}

static void play_call(struct player *p)
{
	const struct call_head *head = take_items(p, 1, sizeof(*head));
	const struct machine_hooks *hooks = p->hooks;
	struct soc_trap trap;

	switch ((enum call)head->kind) {
	case CALL_TOKENS:
		play_tokens(p, head);
		break;
	case CALL_TRAP:
		memcpy(&trap, take_items(p, 1, sizeof(trap)), sizeof(trap));
		trap.cycle += p->moved;
		p->machine->nruns = head->runs;
		p->machine->runs = take_items(p, head->runs, sizeof(struct tr_run));
		hooks->trap(hooks->user, p->hart, &trap);
		break;
	case CALL_XRET:
		hooks->xret(hooks->user, p->hart, head->number);
		break;
	case CALL_SATP:
		hooks->satp(hooks->user, p->hart, head->value);
		break;
	case CALL_REG:
		hooks->reg(hooks->user, p->hart, head->number, head->value);
		break;
	}
}

uint64_t recording_replay(const struct tr_buffer *packed, struct machine *machine,
			  unsigned hart, uint64_t cycle,
			  void (*open)(void *user, unsigned hart,
				       const struct machine_state *state),
			  const struct machine_hooks *hooks)
{
	struct packed_head head;

	memcpy(&head, packed->data, sizeof(head));
	uint8_t *calls = malloc(head.size + 1);
	if (!calls)
		return UINT64_MAX;
	const size_t size = ZSTD_decompress(calls, head.size, packed->data + sizeof(head),
					    packed->size - sizeof(head));
	struct player p = {.hooks = hooks,
			   .machine = machine,
			   .hart = hart,
			   .moved = cycle - head.open.cycle,
			   .at = calls};

	if (size != head.size) {
		free(calls);
		return UINT64_MAX;
	}
	head.open.cycle = cycle;
	open(hooks->user, hart, &head.open);
	while (p.at < calls + size)
		play_call(&p);
	machine->nruns = 0;
	free(calls);
	return cycle + head.sums.cycles;
}

struct recording_sums recording_sums(const struct tr_buffer *packed)
{
	struct packed_head head;

	memcpy(&head, packed->data, sizeof(head));
	return head.sums;
}
