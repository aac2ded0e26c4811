// SPDX-License-Identifier: Apache-2.0
// The stages of the core in order: an instruction is seen first in D.
#include "view_pipeline.h"

// A program without that core lacks it.
#pragma weak probe_stage

namespace
{

enum { STAGES_MAX = 16 };

// A stage, and what happens there at the next edge.
struct stage {
	char name;
	uint8_t valid, leaves, drops;
	uint64_t pc;
	uint32_t bits;
};

struct stages final : view_pipeline {
	const struct probe *const probe;
	const unsigned hart;
	struct view_log *const log;
	view_ref insns[STAGES_MAX];

	stages(const struct probe *p, unsigned number, struct view_log *to)
	    : probe(p), hart(number), log(to)
	{
	}

	// Returns how many there are.
	unsigned read_stages(stage *all) const
	{
		unsigned n = 0;

		probe_ask_core(probe);
		while (n < STAGES_MAX && (all[n].name = probe_stage(
					      n, &all[n].valid, &all[n].leaves,
					      &all[n].drops, &all[n].pc, &all[n].bits)))
			n++;
		return n;
	}

	void retire(uint64_t cycle, unsigned i, bool flushed)
	{
		if (insns[i])
			view_log_end(log, cycle, insns[i], flushed);
		insns[i] = nullptr;
	}

	// The oldest come first.
	void look(uint64_t cycle) override
	{
		stage all[STAGES_MAX];
		const unsigned n = read_stages(all);

		for (unsigned i = n; i-- > 0;) {
			if (!all[i].valid)
				continue;
			if (!insns[i]) {
				insns[i] = view_log_begin(log, cycle, hart);
				view_log_name(log, cycle, insns[i], all[i].pc,
					      all[i].bits);
			}
			view_log_enter(log, cycle, insns[i], all[i].name);
		}
		for (unsigned i = n; i-- > 0;) {
			if (all[i].drops || (all[i].leaves && i + 1 == n))
				retire(cycle + 1, i, all[i].drops);
			else if (all[i].leaves)
				insns[i + 1] = std::move(insns[i]);
		}
	}

	void leave(uint64_t cycle) override
	{
		for (unsigned i = STAGES_MAX; i-- > 0;)
			retire(cycle, i, true);
	}

	uint64_t told_from(uint64_t cycle) const override
	{
		return cycle + 1;
	}
};

} // namespace

std::unique_ptr<view_pipeline> view_stages_new(const struct probe *probe, unsigned hart,
					       struct view_log *log)
{
	return std::make_unique<stages>(probe, hart, log);
}
