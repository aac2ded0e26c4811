// SPDX-License-Identifier: Apache-2.0
// Each committed instruction against the next event of the model.
#include <cstdio>

#include "run.h"

const char *const case_names[CASES] = {
    "partial block that jumps",
    "load that waits for a store",
    "load or store that issues in the cycle of its squash",
    "multiplication that issues in the cycle of its squash",
    "division in the cycle of its squash",
    "second store of a group that could commit",
    "oldest store that waits",
    "group that is dispatched in part",
    "marked load that is not the oldest instruction",
    "marked load that is",
    "torn instruction",
    "instruction that is no jump, but was predicted as one",
    "violation in the cycle of such an instruction",
    "violation younger than a misprediction of its cycle",
    "violation older than a misprediction of its cycle",
    "marked load in the cycle of a misprediction",
    "instruction of the FPU that issues in the cycle of its squash",
    "addition or multiply-add that is squashed",
    "other instruction of the FPU that is killed",
    "one that is squashed behind an older addition or multiply-add",
    "result of the FPU that waits for one of its pipeline",
    "flags of an instruction in the cycle of its squash"};

namespace
{

enum { PATIENCE = 20000 }; // cycles without a commit

// The kind of an instruction that the core cannot execute.
const char *name_of(uint32_t insn)
{
	switch (insn & 0x7f) {
	case 0x73:
		return insn >> 12 & 7 ? "a CSR instruction" : "a system instruction";
	case 0x0f:
		return "a fence.i";
	case 0x2f:
		return "an atomic";
	case 0x07:
	case 0x27:
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f:
	case 0x53:
		return "floating point";
	case 0x03:
	case 0x23:
		return "a misaligned access";
	default:
		return "an illegal instruction or misaligned access";
	}
}

bool differs(const struct run *r, const char *what, uint64_t pc, uint64_t is,
	     uint64_t want)
{
	printf("cycle %lu, instruction %lu at 0x%lx: %s is 0x%lx, not 0x%lx\n",
	       r->sum.cycles, r->sum.instructions, pc, what, is, want);
	return false;
}

bool check_store(const struct run *r, const struct soc_event *e)
{
	const Vdut *d = r->dut.get();
	unsigned shift = 8 * (e->address & 7);
	uint64_t mask = e->size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * e->size) - 1;
	unsigned bytes = ((1U << e->size) - 1) << (e->address & 7);
	uint64_t data = d->store_data_o >> shift & mask;

	if (d->store_addr_o != (e->address & ~UINT64_C(7)))
		return differs(r, "the group of bytes stored to", e->pc, d->store_addr_o,
			       e->address);
	if (d->store_bytes_o != bytes)
		return differs(r, "the mask of bytes stored", e->pc, d->store_bytes_o,
			       bytes);
	if (data != (e->data & mask))
		return differs(r, "what is stored", e->pc, data, e->data & mask);
	return true;
}

// The lanes as vectors of words; a single lane is a number.
#if WIDTH == 1
uint64_t lane_value(QData value, unsigned)
{
	return value;
}
uint32_t lane_insn(IData value, unsigned)
{
	return value;
}
#else
template <class T> uint64_t lane_value(const T &words, unsigned lane)
{
	return words[2 * lane] | static_cast<uint64_t>(words[2 * lane + 1]) << 32;
}
#if WIDTH == 2
uint32_t lane_insn(QData words, unsigned lane)
{
	return static_cast<uint32_t>(words >> 32 * lane);
}
#else
template <class T> uint32_t lane_insn(const T &words, unsigned lane)
{
	return words[lane];
}
#endif
#endif

// What probe_ooo.sv exports: a register and the next pc, as soc-sim reads them.
extern "C" uint64_t probe_value(unsigned number, unsigned undo);
extern "C" uint64_t probe_pc();

// Compares a register, another one for each instruction, before the instructions of the
// cycle that the model has not executed yet.
bool check_register(struct run *r, uint64_t pc, unsigned undo)
{
	const unsigned number = static_cast<unsigned>(r->sum.instructions % 32);
	const uint64_t ours = probe_value(number, undo),
		       theirs = soc_x(r->model, 0, number);

	return ours == theirs || differs(r, "a register", pc, ours, theirs);
}

// What the instructions that commit in a cycle do.
struct group {
	unsigned stores;
	bool dirty;
};

// Enters the window, or leaves it and keeps what has happened in it.
void pass_end(struct run *r)
{
	struct totals *t = &r->before;

	if (r->inside) {
		t->cycles = r->sum.cycles - t->cycles;
		t->instructions = r->sum.instructions - t->instructions;
		t->mispredictions = r->sum.mispredictions - t->mispredictions;
		t->violations = r->sum.violations - t->violations;
		r->from = r->to = 0;
		r->inside = false;
	} else {
		*t = r->sum;
		r->inside = true;
	}
}

// Whether an instruction may raise flags.
bool raises_flags(uint32_t insn)
{
	return (insn & 0x73) == 0x43 || (insn & 0x7f) == 0x53;
}

// Executes an instruction of the model. Returns whether it makes the floating-point state
// dirty.
bool step(struct run *r, uint32_t insn, struct soc_event *e)
{
	uint64_t flags = 0;

	if (raises_flags(insn))
		soc_set_csr(r->model, 0, CSR_FFLAGS, 0);
	soc_step_event(r->model, 0, e);
	if (raises_flags(insn))
		soc_csr(r->model, 0, CSR_FFLAGS, &flags);
	r->fcsr |= static_cast<unsigned>(flags);
	return flags || (!e->trap && e->rd >= 32);
}

bool check_lane(struct run *r, unsigned lane, struct group *group)
{
	const Vdut *d = r->dut.get();
	uint64_t pc = lane_value(d->pc_o, lane), value = lane_value(d->value_o, lane);
	struct soc_event e;

	group->dirty |= step(r, lane_insn(d->insn_o, lane), &e);
	if (e.trap)
		return differs(r, "an instruction that should trap; the cause", pc, 0,
			       e.cause);
	if (pc != e.pc)
		return differs(r, "the pc", e.pc, pc, e.pc);
	if (lane_insn(d->insn_o, lane) != e.insn)
		return differs(r, "the instruction", pc, lane_insn(d->insn_o, lane),
			       e.insn);
	if ((d->writes_o >> lane & 1) != (e.rd != 0))
		return differs(r, "whether a register is written", pc,
			       d->writes_o >> lane & 1, e.rd);
	if (e.rd && value != e.value)
		return differs(r, "the value", pc, value, e.value);
	if (e.store) {
		group->stores++;
		if (!d->store_o || group->stores > 1)
			return differs(r, "the number of stores", pc, d->store_o,
				       group->stores);
		if (!check_store(r, &e))
			return false;
	}
	if (!check_register(r, pc, d->count_o - lane - 1))
		return false;
	if (pc == (r->inside ? r->to : r->from))
		pass_end(r);
	if (r->chaos)
		r->targets[r->random.below(CHAOS_TARGETS)] =
		    pc + 2 * r->random.below(6) - 4;
	return true;
}

} // namespace

// The signals that probe modules declare are not read.
extern "C" void probe_declare(const char *, const char *, const char *, unsigned,
			      unsigned)
{
}

bool after_cycle(struct run *r)
{
	const Vdut *d = r->dut.get();
	struct group group = {};

	if (d->csr_done_o)
		r->fcsr = (r->fcsr & ~FFLAGS) | d->csr_wdata_i;
	for (unsigned cases = d->cases_o; cases; cases &= cases - 1)
		r->sum.cases[__builtin_ctz(cases)]++;
	r->sum.mispredictions += d->mispredicted_o;
	r->sum.violations += d->violated_o;
	for (unsigned lane = 0; lane < d->count_o; lane++) {
		if (r->check && !check_lane(r, lane, &group))
			return false;
		r->sum.instructions++;
		r->last_commit = r->sum.cycles;
	}
	if (d->write_i) {
		uint64_t data = d->write_data_i;

		soc_write_physical(r->model, SOC_RAM_BASE + 8UL * d->write_word_i, &data,
				   8);
	}
	if (r->check && probe_pc() != soc_pc(r->model, 0))
		return differs(r, "the next pc", 0, probe_pc(), soc_pc(r->model, 0));
	if (r->check && group.stores != d->store_o)
		return differs(r, "the number of stores", 0, d->store_o, group.stores);
	if (r->check && d->fcsr_o != r->fcsr)
		return differs(r, "fcsr", 0, d->fcsr_o, r->fcsr);
	if (r->check && d->float_dirty_o != group.dirty)
		return differs(r, "whether floating point is dirty", 0, d->float_dirty_o,
			       group.dirty);
	if (d->store_o && d->store_addr_o == SOC_POWER_BASE) {
		r->power = static_cast<uint32_t>(d->store_data_o);
		r->ended = true;
		return false;
	}
	if (d->unhandled_o && r->stop == d->head_pc_o) {
		r->ended = true;
		r->power = SOC_POWER_OFF;
		return false;
	}
	if (d->unhandled_o) {
		printf("cycle %lu, instruction %lu at 0x%lx: the core cannot execute %s "
		       "(0x%08x)\n",
		       r->sum.cycles, r->sum.instructions, d->head_pc_o,
		       name_of(d->head_insn_o), d->head_insn_o);
		return false;
	}
	if (r->sum.cycles - r->last_commit > PATIENCE) {
		printf("cycle %lu: no instruction has committed for %d cycles\n",
		       r->sum.cycles, PATIENCE);
		return false;
	}
	return true;
}
