/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the model's instructions the nondeterministic input that the trace has: device
 * loads, CSRs that depend on time, failed SCs, and addresses by old translations. */
#include <inttypes.h>

#include "lane.h"
#include "model/csr.h"
#include "stream/codec.h"
#include "stream/insn.h"

/* Moves to the next event for an instruction. Returns NULL if the frame has no more, or
 * the event, with the instructions of the hart before its own in *instret. */
static const struct tr_event *next_input(struct lane *l, uint64_t *instret)
{
	const struct tr_hart_frame *f = lane_view(l);

	while (l->inputs.event < f->nevents &&
	       !tr_event_is_input(f->events[l->inputs.event].kind))
		l->inputs.event++;
	if (l->inputs.event == f->nevents)
		return NULL;
	const struct tr_event *event = &f->events[l->inputs.event];
	for (; l->inputs.row < event->row; l->inputs.row++)
		l->inputs.instret += lane_row(l, l->inputs.row)->tokens;
	*instret = l->inputs.instret + event->token;
	return event;
}

static void fail_unused(struct lane *l, const struct tr_event *event, uint64_t instret)
{
	if (event->kind == TR_EV_CSR_READ)
		replay_fail(l, instret,
			    "the trace has a value of CSR 0x%x, which the instruction "
			    "does not read",
			    event->u.csr.number);
	else if (event->kind == TR_EV_TRANSLATION)
		replay_fail(l, instret,
			    "the trace has a %s at address 0x%" PRIx64
			    ", which the instruction does not do",
			    event->u.translation.store ? "store" : "load",
			    event->u.translation.address);
	else
		replay_fail(l, instret,
			    "the trace has a value for address 0x%" PRIx64
			    ", which the instruction does not use",
			    event->u.access.address);
}

void inputs_check(struct lane *l, uint64_t instret)
{
	uint64_t at = 0;
	const struct tr_event *event = next_input(l, &at);

	if (event && at < instret)
		fail_unused(l, event, at);
}

/* Returns the event for the current instruction, or NULL. */
static const struct tr_event *current_input(struct lane *l, uint64_t *instret)
{
	uint64_t at = 0;

	*instret = soc_instret_current(lane_soc(l), lane_hart(l));
	inputs_check(l, *instret);
	const struct tr_event *event = next_input(l, &at);
	return event && at == *instret ? event : NULL;
}

/* Of a device load: rd, with f0 to f31 as 32 to 63, from the bits of the instruction. */
static unsigned rd_of_load(uint32_t insn)
{
	if ((insn & 3) != 3)
		return 1; /* c.lw and c.ld have no x0 */
	return (insn >> 7 & 31) + (tr_insn_opcode(insn) == TR_OPCODE_LOAD_FP ? 32 : 0);
}

static bool take_mmio_load(void *user, unsigned hart, uint64_t address, unsigned size,
			   uint64_t *value)
{
	struct lane *l = lane_of_hart(user, hart);
	uint64_t instret;
	const struct tr_event *event = current_input(l, &instret);

	if (!event) {
		if (rd_of_load(soc_current_insn(lane_soc(l), hart)))
			replay_fail(l, instret,
				    "the trace has no value for the load from 0x%" PRIx64,
				    address);
		return false;
	}
	if (event->kind != TR_EV_MMIO_LOAD || event->u.access.address != address ||
	    event->u.access.size != size) {
		fail_unused(l, event, instret);
		return false;
	}
	*value = event->u.access.value;
	l->inputs.event++;
	lane_counts(l)->loads++;
	return true;
}

static bool take_csr_read(void *user, unsigned hart, unsigned csr, uint64_t *value)
{
	struct lane *l = lane_of_hart(user, hart);
	uint64_t instret;

	if (!soc_csr_is_input(csr))
		return false;
	const struct tr_event *event = current_input(l, &instret);
	if (!event) {
		if (soc_current_insn(lane_soc(l), hart) >> 7 & 31)
			replay_fail(l, instret, "the trace has no value for CSR 0x%x",
				    csr);
		return false;
	}
	if (event->kind != TR_EV_CSR_READ || event->u.csr.number != csr) {
		fail_unused(l, event, instret);
		return false;
	}
	*value = soc_csr_from_input(lane_soc(l), hart, csr, event->u.csr.value);
	l->inputs.event++;
	lane_counts(l)->csrs++;
	return true;
}

/* An SC of which the trace says nothing succeeds if it does in the model. */
static bool take_atomic(void *user, unsigned hart, uint64_t address, unsigned size,
			uint64_t *value)
{
	struct lane *l = lane_of_hart(user, hart);
	uint64_t instret;
	const struct tr_event *event = current_input(l, &instret);

	if (!event)
		return false;
	if (event->kind != TR_EV_ATOMIC || event->u.access.address != address ||
	    event->u.access.size != size) {
		fail_unused(l, event, instret);
		return false;
	}
	*value = event->u.access.value;
	l->inputs.event++;
	lane_counts(l)->atomics++;
	return true;
}

bool inputs_translate(struct lane *l, struct soc_translation *t)
{
	struct soc_translation theirs = *t;
	uint64_t instret;
	const struct tr_event *event = current_input(l, &instret);

	if (!event || event->kind != TR_EV_TRANSLATION ||
	    event->u.translation.store != (t->kind == SOC_STORE))
		return false;
	l->inputs.event++;
	theirs.cause = 0;
	theirs.physical = event->u.translation.address;
	if (t->cause == 0 && t->physical == theirs.physical)
		return false;
	struct soc_translation legal = theirs;
	if (!old_code_may_translate(l, &legal))
		replay_fail(l, instret,
			    "the trace has address 0x%" PRIx64 " for 0x%" PRIx64
			    ", which page tables did not give since the last sfence.vma",
			    theirs.physical, t->address);
	*t = theirs;
	return true;
}

uint32_t inputs_next(struct lane *l)
{
	uint64_t at;

	next_input(l, &at);
	return l->inputs.event;
}

void inputs_set_hooks(struct replay *r)
{
	struct soc_follow follow = {.user = r,
				    .mmio_load = take_mmio_load,
				    .csr_read = take_csr_read,
				    .atomic = take_atomic};

	old_code_set_hooks(&follow);
	soc_set_follow(replay_soc(r), &follow);
}

void inputs_start(struct lane *l)
{
	l->inputs.row = 0;
	l->inputs.instret = carry_instret(lane_carry(l));
}

void inputs_drop(struct lane *l, uint32_t events)
{
	l->inputs.event -= events;
}

void inputs_put(const struct lane *l, struct tr_buffer *out)
{
	tr_buffer_varint(out, l->inputs.event);
}

void inputs_load(struct lane *l, struct tr_bytes *in)
{
	l->inputs.event = (uint32_t)tr_varint_below(in, UINT32_MAX);
}

bool inputs_are_good(const struct lane *l)
{
	return l->inputs.event <= lane_view(l)->nevents;
}
