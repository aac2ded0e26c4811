// SPDX-License-Identifier: Apache-2.0
// Each committed instruction against the next event of the model.
#include <cstdio>
#include <type_traits>

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
    "flags of an instruction in the cycle of its squash",
    "load or store that is left to the head unit",
    "access of the head unit that misses the TLB",
    "walk of an instruction that leaves",
    "walk that is dropped for the head unit",
    "interrupt that holds an instruction with its result",
    "redirect of the head unit past younger instructions"};

namespace
{

enum { PATIENCE = 20000 }; // cycles without a commit
enum : unsigned { CSR_FCSR = 3, FFLAGS = 31 };

unsigned commits(const Vdut *d)
{
	return static_cast<unsigned>(__builtin_popcount(d->commit_o));
}

bool differs(const struct run *r, const char *what, uint64_t pc, uint64_t is,
	     uint64_t want)
{
	printf("cycle %lu, instruction %lu at 0x%lx: %s is 0x%lx, not 0x%lx\n",
	       r->sum.cycles, r->sum.instructions, pc, what, is, want);
	return false;
}

// The memory that the core writes in the cycle.
bool check_write(const struct run *r, const struct soc_event *e)
{
	const Vdut *d = r->dut.get();
	unsigned shift = 8 * (e->address & 7);
	uint64_t mask = e->size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * e->size) - 1;
	unsigned bytes = ((1U << e->size) - 1) << (e->address & 7);
	uint64_t data = d->write_data_o >> shift & mask;

	if ((d->write_addr_o ^ e->address) >> 3)
		return differs(r, "the group of bytes written to", e->pc, d->write_addr_o,
			       e->address);
	if (d->write_bytes_o != bytes)
		return differs(r, "the mask of bytes written", e->pc, d->write_bytes_o,
			       bytes);
	if (data != (e->data & mask))
		return differs(r, "what is written", e->pc, data, e->data & mask);
	return true;
}

// The field of a lane. Vectors of more than 64 bits are words.
template <class T> uint64_t lane_of(const T &vector, unsigned lane, unsigned bits)
{
	uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
	unsigned bit = lane * bits, word = bit / 32;

	if constexpr (std::is_integral_v<T>) {
		return static_cast<uint64_t>(vector) >> bit & mask;
	} else {
		uint64_t value = vector[word] >> bit % 32;

		for (unsigned have = 32 - bit % 32; have < bits; have += 32)
			value |= static_cast<uint64_t>(vector[++word]) << have;
		return value & mask;
	}
}

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

// Whether an instruction may raise flags, or is of a CSR.
bool raises_flags(uint32_t insn)
{
	return (insn & 0x73) == 0x43 || (insn & 0x7f) == 0x53;
}
bool is_csr(uint32_t insn)
{
	return (insn & 0x7f) == 0x73;
}

// An LR, or an SC with is_sc.
bool reserves(uint32_t insn, bool is_sc)
{
	return (insn & 0x7f) == 0x2f && insn >> 27 == (is_sc ? 3 : 2);
}

// Executes an instruction of the model. Returns whether it makes the floating-point state
// dirty, not by way of a CSR.
bool step(struct run *r, uint32_t insn, struct soc_event *e)
{
	uint64_t flags = 0;

	if (raises_flags(insn) || is_csr(insn))
		soc_set_csr(r->model, 0, CSR_FCSR,
			    is_csr(insn) ? r->fcsr : r->fcsr & ~FFLAGS);
	soc_step_event(r->model, 0, e);
	if (raises_flags(insn) || is_csr(insn))
		soc_csr(r->model, 0, CSR_FCSR, &flags);
	if (is_csr(insn)) {
		r->fcsr = static_cast<unsigned>(flags);
		return false;
	}
	flags &= FFLAGS;
	r->fcsr |= static_cast<unsigned>(flags);
	return flags || (!e->trap && e->rd >= 32);
}

// An SC succeeds only if no other agent has written the line since the LR.
bool check_reservation(struct run *r, const struct soc_event *e)
{
	if (reserves(e->insn, true) && e->store && r->reserved != e->address >> 6)
		return differs(r, "the line of an SC", e->pc, e->address >> 6,
			       r->reserved);
	if (reserves(e->insn, false))
		r->reserved = e->address >> 6;
	else if (e->store)
		r->reserved = 0;
	return true;
}

bool check_access(struct run *r, unsigned lane, const struct soc_event *e,
		  struct group *group)
{
	const Vdut *d = r->dut.get();
	uint64_t mask = e->size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * e->size) - 1;
	uint64_t data = lane_of(d->wdata_o, lane, 64) >> 8 * (e->address & 7) & mask;

	if ((d->load_o >> lane & 1) != e->load || (d->store_o >> lane & 1) != e->store)
		return differs(r, "whether it loads, and stores", e->pc,
			       (d->load_o >> lane & 1) * 2U + (d->store_o >> lane & 1),
			       e->load * 2U + e->store);
	if (!e->load && !e->store)
		return true;
	if ((d->device_o >> lane & 1) != e->device)
		return differs(r, "whether that is a device", e->pc,
			       d->device_o >> lane & 1, e->device);
	if (lane_of(d->addr_o, lane, 64) != e->address)
		return differs(r, "the address", e->pc, lane_of(d->addr_o, lane, 64),
			       e->address);
	if (1U << lane_of(d->size_o, lane, 2) != e->size)
		return differs(r, "the size", e->pc, 1U << lane_of(d->size_o, lane, 2),
			       e->size);
	if (!e->store)
		return true;
	if (data != (e->data & mask))
		return differs(r, "the data of the store", e->pc, data, e->data & mask);
	group->stores++;
	if (!d->write_o || group->stores > 1)
		return differs(r, "the number of stores", e->pc, d->write_o,
			       group->stores);
	return check_write(r, e);
}

bool check_lane(struct run *r, unsigned lane, struct group *group)
{
	const Vdut *d = r->dut.get();
	uint64_t pc = lane_of(d->pc_o, lane, 64), value = lane_of(d->value_o, lane, 64);
	uint32_t insn = static_cast<uint32_t>(lane_of(d->insn_o, lane, 32));
	uint64_t rd = lane_of(d->rd_o, lane, 6);
	struct soc_event e;

	r->sc_value = !(d->store_o >> lane & 1);
	group->dirty |= step(r, insn, &e);
	if (e.trap)
		return differs(r, "an instruction that should trap; the cause", pc, 0,
			       e.cause);
	if (pc != e.pc)
		return differs(r, "the pc", e.pc, pc, e.pc);
	if (insn != e.insn)
		return differs(r, "the instruction", pc, insn, e.insn);
	if (rd != e.rd)
		return differs(r, "the register that is written", pc, rd, e.rd);
	if (e.rd && value != e.value)
		return differs(r, "the value", pc, value, e.value);
	if (!check_access(r, lane, &e, group) || !check_reservation(r, &e))
		return false;
	if (!check_register(r, pc, commits(d) - lane - 1))
		return false;
	if (pc == (r->inside ? r->to : r->from))
		pass_end(r);
	if (r->chaos)
		r->targets[r->random.below(CHAOS_TARGETS)] =
		    pc + 2 * r->random.below(6) - 4;
	return true;
}

// Ends a run at an instruction that needs a CSR or traps, which is good only at its stop.
bool end_unhandled(struct run *r)
{
	const Vdut *d = r->dut.get();
	uint64_t pc = lane_of(d->pc_o, 0, 64);

	if (r->stop == pc) {
		r->ended = true;
		r->power = SOC_POWER_OFF;
	} else {
		printf("cycle %lu, instruction %lu at 0x%lx: a trap, or an instruction "
		       "of the "
		       "privileged architecture (0x%08lx)\n",
		       r->sum.cycles, r->sum.instructions, pc, lane_of(d->insn_o, 0, 32));
	}
	return false;
}

} // namespace

// The signals that probe modules declare are not read.
extern "C" void probe_declare(const char *, const char *, const char *, unsigned,
			      unsigned)
{
}

bool give_sc(void *run, unsigned, uint64_t, unsigned, uint64_t *value)
{
	const struct run *r = static_cast<struct run *>(run);

	if (!reserves(soc_current_insn(r->model, 0), true))
		return false;
	*value = r->sc_value;
	return true;
}

bool after_cycle(struct run *r)
{
	const Vdut *d = r->dut.get();
	const unsigned count = commits(d);
	struct group group = {};

	for (unsigned cases = d->cases_o; cases; cases &= cases - 1)
		r->sum.cases[__builtin_ctz(cases)]++;
	r->sum.mispredictions += d->mispredicted_o;
	r->sum.violations += d->violated_o;
	if (d->unhandled_o)
		return end_unhandled(r);
	for (unsigned lane = 0; lane < count; lane++) {
		if (r->check && !check_lane(r, lane, &group))
			return false;
		r->sum.instructions++;
		r->last_commit = r->sum.cycles;
	}
	if (d->write_i) {
		uint64_t data = d->write_data_i,
			 address = SOC_RAM_BASE + 8UL * d->write_word_i;

		soc_write_physical(r->model, address, &data, 8);
		if (r->reserved == address >> 6)
			r->reserved = 0;
	}
	if (r->check && probe_pc() != soc_pc(r->model, 0))
		return differs(r, "the next pc", 0, probe_pc(), soc_pc(r->model, 0));
	if (r->check && group.stores != d->write_o)
		return differs(r, "the number of stores", 0, d->write_o, group.stores);
	if (r->check && d->fcsr_o != r->fcsr)
		return differs(r, "fcsr", 0, d->fcsr_o, r->fcsr);
	if (r->check && d->float_dirty_o != group.dirty)
		return differs(r, "whether floating point is dirty", 0, d->float_dirty_o,
			       group.dirty);
	if (d->write_o && d->write_addr_o == SOC_POWER_BASE) {
		r->power = static_cast<uint32_t>(d->write_data_o);
		r->ended = true;
		return false;
	}
	if (r->sum.cycles - r->last_commit > PATIENCE) {
		printf("cycle %lu: no instruction has committed for %d cycles\n",
		       r->sum.cycles, PATIENCE);
		return false;
	}
	return true;
}
