// SPDX-License-Identifier: Apache-2.0
// The instructions of a core with a window, from their fetch on:
//
//   F  its block is requested, comes, and waits to be decoded
//   D  it is decoded, and waits to enter the window
//   R  it is renamed, and waits there: for its operands, for a port, to be the oldest
//   X  it issues, and is executed
//   M  it accesses memory, or waits there to issue again, as for a line that is not in
//      the L1D
//   C  it has its result, and waits to commit
//
// What the memory port leaves to the head unit waits in R again. What is in the core when
// the log begins enters the stage in which it is then, one of execution X.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <vector>

#include "view_pipeline.h"

// A program without such a core lacks them.
#pragma weak probe_front
#pragma weak probe_block
#pragma weak probe_lane
#pragma weak probe_window
#pragma weak probe_tags
#pragma weak probe_issue
#pragma weak probe_result
#pragma weak probe_access

namespace
{

// As in ooo_pkg.sv.
enum { SLOTS = 64, TAGS = 128, LANES = 4, PORTS = 6, SOURCES = 8, HALFWORDS = 8 };

const char *const delays[] = {"port", "miss", "store", "walk", "device", "head"};

struct block {
	uint64_t pc, bytes[2];
	uint32_t last; // halfword
	uint8_t jumps, bad;
};

struct window_state {
	uint32_t size, oldest, used, next, enter, commit;
	uint64_t done, pending, squashed;
};

// An instruction that is not decoded yet: its bits as they are in its block.
struct fetched {
	view_ref insn;
	uint64_t pc;
	uint32_t bits;
};

uint32_t halfword_of(const block &b, unsigned number)
{
	return b.bytes[number / 4] >> number % 4 * 16 & 0xffff;
}

struct window final : view_pipeline {
	const struct probe *const probe;
	const unsigned hart;
	struct view_log *const log;

	bool has_begun = false;
	// The front: a block is requested since asked_from, and pushed at the last edge.
	bool asks = false, pushed = false;
	uint64_t asked_from = 0;
	bool spills = false; // the last block ends in the middle of an instruction
	std::deque<fetched> undecoded;
	std::deque<view_ref> group;
	// The window; what a slot waits for until it issues, and what sets a register.
	view_ref slots[SLOTS], operands[SLOTS][3], setters[TAGS];
	// At the last edge they got their results; the memory port left it to the head
	// unit.
	std::vector<view_ref> finished;
	view_ref deferred;

	window(const struct probe *p, unsigned number, struct view_log *to)
	    : probe(p), hart(number), log(to)
	{
	}

	// ---------------------------------------------------- the front

	void fetch_insn(uint64_t since, const block &b, unsigned number)
	{
		const uint64_t pc = (b.pc & ~UINT64_C(15)) | number * 2;
		uint32_t bits = b.bad ? 0 : halfword_of(b, number);

		if ((bits & 3) == 3 && number + 1 < HALFWORDS)
			bits |= halfword_of(b, number + 1) << 16;
		undecoded.push_back({view_log_begin(log, since, hart), pc, bits});
		if (has_begun)
			view_log_enter(log, since, undecoded.back().insn, 'F');
	}

	// The instructions of a block, as extract.sv finds them.
	void fetch_block(uint64_t since, const block &b)
	{
		unsigned number = b.pc / 2 % HALFWORDS + spills;
		bool was_spilt = spills;

		spills = false;
		if (b.bad) {
			if (!was_spilt)
				fetch_insn(since, b, number);
			return;
		}
		while (number <= b.last) {
			const bool is_wide = (halfword_of(b, number) & 3) == 3;

			fetch_insn(since, b, number);
			spills = is_wide && number == b.last && !b.jumps;
			number += is_wide ? 2 : 1;
		}
	}

	// A block that is pushed is looked at in the next cycle.
	void look_at_front(uint64_t cycle, bool *redirects)
	{
		uint8_t is_asked, pushes, empties;
		const uint32_t count = probe_front(&is_asked, &pushes, &empties);

		if (!has_begun)
			asked_from = cycle;
		for (uint32_t i = has_begun ? count - pushed : 0; i < count; i++) {
			block b;

			probe_block(i, &b.pc, &b.bytes[0], &b.bytes[1], &b.last, &b.jumps,
				    &b.bad);
			fetch_block(asked_from, b);
		}
		if (is_asked && (!asks || pushed))
			asked_from = cycle;
		pushed = pushes && !empties;
		asks = is_asked && !empties;
		*redirects = empties;
	}

	void decode(uint64_t cycle)
	{
		for (unsigned lane = 0; lane < LANES; lane++) {
			uint64_t pc;
			uint32_t bits;

			if (!probe_lane(lane, false, &pc, &bits))
				break;
			if (undecoded.empty() || undecoded.front().pc != pc) {
				fprintf(stderr,
					"soc-sim: --kanata: %llx was not fetched\n",
					static_cast<unsigned long long>(pc));
				abort();
			}
			const view_ref insn = undecoded.front().insn;

			undecoded.pop_front();
			view_log_name(log, cycle, insn, pc, bits);
			view_log_enter(log, cycle, insn, 'D');
			group.push_back(insn);
		}
	}

	void empty_front(uint64_t cycle)
	{
		for (const view_ref &insn : group)
			view_log_end(log, cycle, insn, true);
		for (const fetched &f : undecoded) {
			view_log_name(log, cycle, f.insn, f.pc, f.bits);
			view_log_end(log, cycle, f.insn, true);
		}
		group.clear();
		undecoded.clear();
		spills = false;
	}

	// ---------------------------------------------------- the window

	// Keeps what an instruction has to wait for, once.
	void note_operands(unsigned slot, const uint32_t tags[3])
	{
		view_ref *const kept = operands[slot];

		for (unsigned i = 0; i < 3; i++) {
			const view_ref &setter = setters[tags[i]];

			kept[i] = nullptr;
			if (tags[i] && setter && !setter->has_result &&
			    std::find(kept, kept + i, setter) == kept + i)
				kept[i] = setter;
		}
	}

	void dispatch(uint64_t cycle, const window_state &w)
	{
		for (unsigned lane = 0; lane < w.enter; lane++) {
			const unsigned slot = (w.next + lane) % w.size;
			uint32_t tags[3];
			const uint32_t rd =
			    probe_tags(lane, &tags[0], &tags[1], &tags[2]);

			slots[slot] = group.front();
			group.pop_front();
			view_log_enter(log, cycle, slots[slot], 'R');
			note_operands(slot, tags);
			if (rd)
				setters[rd] = slots[slot];
		}
	}

	void issue(uint64_t cycle)
	{
		for (unsigned port = 0; port < PORTS; port++) {
			const int slot = probe_issue(port);

			if (slot < 0)
				continue;
			view_log_enter(log, cycle, slots[slot], 'X');
			for (view_ref &other : operands[slot]) {
				if (other)
					view_log_depend(log, cycle, slots[slot], other);
				other = nullptr;
			}
		}
	}

	// Returns the slot that the memory port leaves to the head unit, or -1. What it
	// has left at the last edge may have issued there.
	int access(uint64_t cycle, const window_state &w)
	{
		int delay, leaves;
		uint8_t by_head;
		const int slot = probe_access(&delay, &leaves, &by_head);

		if (deferred && deferred->stage == 'M')
			view_log_enter(log, cycle, deferred, 'R');
		if (slot >= 0)
			view_log_enter(log, cycle, slots[slot], 'M');
		if (slot >= 0 && delay >= 0)
			view_log_note(log, cycle, slots[slot],
				      "no data in cycle " + std::to_string(cycle) + ": " +
					  delays[delay]);
		if (by_head)
			view_log_enter(log, cycle, slots[w.oldest], 'M');
		return leaves;
	}

	void leave_slot(uint64_t cycle, unsigned slot, bool flushed)
	{
		if (!slots[slot])
			return;
		slots[slot]->has_result = true;
		view_log_end(log, cycle, slots[slot], flushed);
		slots[slot] = nullptr;
		for (view_ref &other : operands[slot])
			other = nullptr;
	}

	// The edge at the end of the cycle.
	void leave_window(uint64_t next, const window_state &w)
	{
		for (unsigned i = 0; i < w.commit; i++)
			leave_slot(next, (w.oldest + i) % w.size, false);
		for (unsigned i = 0; w.squashed && i < w.used; i++) {
			const unsigned slot = (w.oldest + i) % w.size;

			if (w.squashed >> slot & 1)
				leave_slot(next, slot, true);
		}
	}

	void end_execution(int leaves)
	{
		deferred = leaves >= 0 ? slots[leaves] : nullptr;
		for (unsigned source = 0; source < SOURCES; source++) {
			const int slot = probe_result(source);

			if (slot < 0 || !slots[slot])
				continue;
			slots[slot]->has_result = true;
			finished.push_back(slots[slot]);
		}
	}

	// ---------------------------------------------------- cycles

	// What the core has when the log begins, the oldest first.
	void adopt(uint64_t cycle, const window_state &w)
	{
		for (unsigned i = 0; i < w.used; i++) {
			const unsigned slot = (w.oldest + i) % w.size;

			slots[slot] = view_log_begin(log, cycle, hart);
			slots[slot]->has_result = w.done >> slot & 1;
			view_log_name(log, cycle, slots[slot], probe->slot_pc[slot],
				      probe->slot_insn[slot]);
		}
		for (unsigned lane = 0; lane < LANES; lane++) {
			uint64_t pc;
			uint32_t bits;

			if (!probe_lane(lane, true, &pc, &bits))
				break;
			group.push_back(view_log_begin(log, cycle, hart));
			view_log_name(log, cycle, group.back(), pc, bits);
		}
	}

	// The stages of those that have not entered another one in that cycle.
	void enter_adopted(uint64_t cycle, const window_state &w)
	{
		for (unsigned i = 0; i < w.used; i++) {
			const unsigned slot = (w.oldest + i) % w.size;
			const view_ref &insn = slots[slot];

			if (!insn->stage)
				view_log_enter(log, cycle, insn,
					       insn->has_result	       ? 'C'
					       : w.pending >> slot & 1 ? 'R'
								       : 'X');
		}
		for (const view_ref &insn : group)
			if (!insn->stage)
				view_log_enter(log, cycle, insn, 'D');
		for (const fetched &f : undecoded)
			view_log_enter(log, cycle, f.insn, 'F');
	}

	void look(uint64_t cycle) override
	{
		window_state w;
		bool redirects;

		probe_ask_core(probe);
		w.size = probe_window(&w.oldest, &w.used, &w.next, &w.enter, &w.commit,
				      &w.done, &w.pending, &w.squashed);
		const bool begins = !has_begun;

		if (begins)
			adopt(cycle, w);
		look_at_front(cycle, &redirects);
		has_begun = true;
		for (const view_ref &insn : finished)
			view_log_enter(log, cycle, insn, 'C');
		finished.clear();
		dispatch(cycle, w);
		decode(cycle);
		issue(cycle);
		const int leaves = access(cycle, w);

		if (begins)
			enter_adopted(cycle, w);
		leave_window(cycle + 1, w);
		end_execution(leaves);
		if (redirects)
			empty_front(cycle + 1);
	}

	void leave(uint64_t cycle) override
	{
		for (unsigned i = 0; i < SLOTS; i++)
			leave_slot(cycle, i, true);
		empty_front(cycle);
		for (view_ref &setter : setters)
			setter = nullptr;
		finished.clear();
		deferred = nullptr;
		has_begun = asks = pushed = false;
	}

	// The instructions of a block are known when it has come.
	uint64_t told_from(uint64_t cycle) const override
	{
		return asks || pushed ? asked_from : cycle + 1;
	}
};

} // namespace

std::unique_ptr<view_pipeline> view_window_new(const struct probe *probe, unsigned hart,
					       struct view_log *log)
{
	return std::make_unique<window>(probe, hart, log);
}
