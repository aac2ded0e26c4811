/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses what readers would refuse: a caller's mistake shows where it is made. */
#include "stream/writer_state.h"

#include "base/little.h"
#include "stream/reader.h"

bool tr_writer_block_good(const struct tr_block *block)
{
	if (block->tokens == 0 || block->tokens > TR_BLOCK_MAX_TOKENS)
		return false;
	unsigned size = 0;
	for (unsigned i = 0; i < block->tokens; i++) {
		unsigned n = block->no_bits
				 ? block->code[i]
				 : tr_insn_length(tr_load16(block->code + size));
		if (n < 2 || n > TR_INSN_MAX_BYTES || n % 2)
			return false;
		size += n;
	}
	return size == block->bytes;
}

static bool stall_good(const struct tr_timing *timing, const struct tr_stall *stall,
		       uint32_t first, uint32_t commit_width)
{
	return stall->first_run == first && stall->nruns <= timing->nruns - first &&
	       tr_runs_good(&timing->runs[first], stall->nruns, stall->cycles,
			    commit_width);
}

bool tr_writer_timing_good(const struct tr_timing *timing, uint32_t commit_width)
{
	uint32_t run = 0;
	if (timing->nstalls > TR_BLOCK_MAX_TOKENS)
		return false;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (!stall_good(timing, stall, run, commit_width) ||
		    stall->token >= TR_BLOCK_MAX_TOKENS ||
		    (i && stall->token <= timing->stalls[i - 1].token))
			return false;
		run += stall->nruns;
	}
	return run == timing->nruns;
}

bool tr_writer_event_good(const struct tr_event *event, uint32_t commit_width)
{
	if (event->cycles >= TR_MAX_CYCLES || event->kind == 0 ||
	    event->kind >= TR_MAX_EVENT_KIND)
		return false;
	switch (event->kind) {
	case TR_EV_TRAP:
		return event->u.trap.priv < 16 &&
		       tr_runs_good(event->u.trap.runs, event->u.trap.nruns,
				    event->cycles, commit_width);
	case TR_EV_XRET:
		return event->u.xret.priv < 16;
	case TR_EV_PRIV:
		return event->u.priv.priv < 16;
	case TR_EV_SATP:
		return event->u.satp.space < UINT32_MAX;
	case TR_EV_SPACE:
		return event->u.space.space < UINT32_MAX;
	case TR_EV_REG:
		return event->u.reg.reg < 32;
	case TR_EV_TRIGGER:
		return event->u.trigger.start < 2;
	case TR_EV_GAP:
		return event->u.gap.reason <= TR_GAP_LIMIT &&
		       event->u.gap.tokens < INT64_MAX;
	case TR_EV_COUNTERS:
		return true; /* see tr_writer_sample_good() */
	default:
		return event->u.raw.size <= TR_EVENT_MAX_BYTES;
	}
}

bool tr_writer_sample_good(const struct tr_writer *w, const struct tr_event *event)
{
	return event->kind != TR_EV_COUNTERS ||
	       tr_sample_good(&event->u.counters, &w->counters);
}

bool tr_writer_sample_at(struct tr_writer *w, uint64_t *last, uint64_t cycle)
{
	if (cycle < *last || cycle > INT64_MAX) {
		tr_writer_status(w, TR_E_ARGUMENT);
		return false;
	}
	*last = cycle;
	return true;
}
