/* SPDX-License-Identifier: Apache-2.0 */
/* Turns commits into tokens and events.
 *
 * The stream has an event between the token that changes the context and the next one,
 * and a commit shows the context of its own instruction only. So a trap and a return from
 * one wait for the hart's next commit, which shows the mode that they led to. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/reader.h"
#include "stream/sp.h"
#include "trace_internal.h"

enum { CAUSE_BREAKPOINT = 3, CAUSE_ECALL_U = 8 };

static bool is_xret_insn(uint64_t bits)
{
	return bits == TR_INSN_SRET || bits == TR_INSN_MRET || bits == TR_INSN_MNRET ||
	       bits == TR_INSN_DRET;
}

/* Decodes the addresses that can be after an instruction; *other is that of a taken
 * branch, or *next. */
static void decode_next(const struct tr_trace *t, uint64_t bits, uint64_t pc,
			uint64_t *next, uint64_t *other)
{
	const unsigned length = tr_insn_length((unsigned)bits & 0xffff);
	uint8_t code[4];
	tr_store32(code, (uint32_t)bits);
	*next = *other = tr_decode_next(code, length, t->options.xlen, pc);
	if (tr_decode_flow(code, length, t->options.xlen) == TR_FLOW_BRANCH)
		tr_decode_target(code, length, t->options.xlen, pc, other);
}

/* Sets the addresses that can be after an instruction; next_pc is 0 if it is not known.
 */
static void set_next(const struct tr_trace *t, struct trace_lane *lane, uint64_t bits,
		     uint64_t pc, uint64_t next_pc)
{
	const bool has_insn = !(t->options.lacks & TR_TRACE_NO_INSN);
	lane->next_pc = lane->other_pc = next_pc || has_insn ? next_pc : TR_EPC_UNKNOWN;
	if (!lane->next_pc)
		decode_next(t, bits, pc, &lane->next_pc, &lane->other_pc);
}

/* Returns true for a return from a trap: by xret, or by an instruction of the core's own,
 * which is no transfer of control otherwise, to where the newest trap interrupted. */
static bool returns_from_trap(const struct tr_trace *t, const struct trace_lane *lane,
			      uint64_t bits, uint64_t pc, uint64_t next_pc)
{
	const unsigned length = tr_insn_length((unsigned)bits & 0xffff);
	if (is_xret_insn(bits))
		return true;
	if (!lane->nepcs || !next_pc || next_pc == ((pc + length) & t->mask) ||
	    (t->options.lacks & TR_TRACE_NO_INSN && next_pc == ((pc + 4) & t->mask)))
		return false;
	uint8_t code[4];
	const uint64_t epc = lane->epcs[lane->nepcs - 1];
	tr_store32(code, (uint32_t)bits);
	return tr_decode_flow(code, length, t->options.xlen) == TR_FLOW_NEXT &&
	       !tr_zcm_transfers(tr_decode_zcm(code, length)) &&
	       ((next_pc - epc) & t->mask) <= TR_INSN_MAX_BYTES;
}

/* Returns true for a CSR instruction that writes satp, perhaps its old value. */
static bool may_write_satp(uint64_t bits)
{
	return tr_insn_writes_csr(bits) && (bits >> 20 & 0xfff) == TR_CSR_SATP;
}

/* The cause of a trap as the stream has it. */
static uint64_t commit_cause(const struct tr_trace *t, const struct tr_trace_commit *c)
{
	const unsigned top = t->options.xlen - 1;
	const uint64_t bits = insn_bits_of(c);
	if (c->has_cause && c->cause >> top & 1)
		return (c->cause & (t->mask >> 1)) | TR_CAUSE_INTERRUPT;
	if (c->has_cause)
		return c->cause & t->mask;
	if (bits == TR_INSN_EBREAK || bits == TR_INSN_C_EBREAK)
		return CAUSE_BREAKPOINT;
	if (bits == TR_INSN_ECALL && !(t->options.lacks & TR_TRACE_NO_PRIV))
		return CAUSE_ECALL_U + tr_mode_of(c->priv).nominal;
	return TR_CAUSE_UNKNOWN;
}

static int put_mode_change(struct tr_trace *t, unsigned hart, uint16_t kind, uint8_t priv)
{
	struct tr_event event = {.kind = kind};
	if (kind == TR_EV_XRET)
		event.u.xret.priv = priv;
	else
		event.u.priv.priv = priv;
	t->lanes[hart]->priv = priv;
	return tr_trace_put(t, hart, &event);
}

/* The trap that waits, now that the mode it entered is known. */
static int put_pending_trap(struct tr_trace *t, unsigned hart, uint8_t priv)
{
	struct trace_lane *lane = t->lanes[hart];
	lane->trap.u.trap.priv = priv;
	lane->trapped = false;
	lane->before[tr_mode_of(priv).nominal] = lane->priv;
	lane->priv = priv;
	if (lane->nepcs == TRACE_NESTED)
		memmove(lane->epcs, lane->epcs + 1, --lane->nepcs * sizeof(*lane->epcs));
	lane->epcs[lane->nepcs++] = lane->trap.u.trap.epc;
	if (tr_trace_put(t, hart, &lane->trap))
		return TR_TRACE_FAILED;
	return tr_trace_put_sample(t, hart, false);
}

/* Returns the address that an interrupt returns to, if it is known; its handler is at
 * `pc`. Many a core reports pc + 4 after any xret, some the handler's address. */
static uint64_t interrupted_at(const struct tr_trace *t, const struct trace_lane *lane,
			       uint64_t pc)
{
	enum { XRET_BYTES = 4 };
	uint64_t next = lane->next_pc, other = lane->other_pc;
	if (next == pc && lane->bits)
		decode_next(t, lane->bits, lane->unreported.last, &next, &other);
	if (next != other ||
	    (lane->returned && next == lane->unreported.last + XRET_BYTES))
		return TR_EPC_UNKNOWN;
	return next;
}

/* Takes note of an interrupt: `c` is the first instruction of its handler. It takes no
 * time of its own, since nothing shows when it was taken. */
static void note_interrupt(struct tr_trace *t, struct trace_lane *lane,
			   const struct tr_trace_commit *c)
{
	lane->trapped = true;
	lane->trap = (struct tr_event){.kind = TR_EV_TRAP};
	lane->trap.u.trap.cause = c->has_cause ? commit_cause(t, c) : TR_CAUSE_UNKNOWN;
	/* Some cores report causes with instructions that trap alone. */
	if (!(lane->trap.u.trap.cause & TR_CAUSE_INTERRUPT))
		lane->trap.u.trap.cause = TR_CAUSE_UNKNOWN | TR_CAUSE_INTERRUPT;
	lane->trap.u.trap.epc = interrupted_at(t, lane, c->pc & t->mask);
}

/* Counts what is a mistake in the caller's connections, but not the end of the trace. */
static void count_break(struct tr_break *sum, const struct trace_lane *lane, uint64_t pc)
{
	if (!sum->count++) {
		sum->from = lane->unreported.last;
		sum->to = pc;
	}
}

/* Returns true if the last instruction leads to `pc`, whatever next_pc was reported. */
static bool leads_to(const struct tr_trace *t, const struct trace_lane *lane, uint64_t pc)
{
	uint64_t next, other;
	if (!lane->bits)
		return false;
	decode_next(t, lane->bits, lane->unreported.last, &next, &other);
	return pc == next || pc == other;
}

/* Returns true for the first instruction of a handler of an interrupt that `intr` does
 * not show: control is not where the last instruction leads, but at a handler. A jump to
 * a register or a return from a trap may lead anywhere, but not to a handler of the same
 * mode, which begins with interrupts disabled. */
static bool is_unreported_interrupt(const struct tr_trace *t, struct trace_lane *lane,
				    const struct tr_trace_commit *c)
{
	const uint64_t pc = c->pc & t->mask;
	const bool reported = !(t->options.lacks & TR_TRACE_NO_PRIV);
	const bool follows = lane->trapped || lane->wrote_satp || pc == lane->next_pc ||
			     pc == lane->other_pc;
	lane->unreported.checks++;
	if (lane->returned)
		tr_continuity_return(&lane->unreported, pc);
	if (follows)
		return false;
	if (lane->returned || lane->next_pc == TR_EPC_UNKNOWN)
		return (!reported || c->priv == lane->priv) &&
		       tr_continuity_is_handler(&lane->unreported, pc);
	if (leads_to(t, lane, pc)) {
		count_break(&lane->wrong_next, lane, pc);
		return false;
	}
	return tr_continuity_jump(&lane->unreported, lane->next_pc, lane->other_pc, pc);
}

/* Returns true for an `intr` where control is but where the last instruction leads: no
 * handler begins there. A signal that is stuck would be a trap at each instruction. */
static bool is_false_interrupt(const struct tr_trace *t, struct trace_lane *lane,
			       uint64_t pc)
{
	const bool is_next = pc == lane->next_pc || pc == lane->other_pc;
	if (lane->trapped || lane->returned || lane->next_pc == TR_EPC_UNKNOWN ||
	    !(lane->bits ? leads_to(t, lane, pc) : is_next))
		return false;
	count_break(&lane->false_intr, lane, pc);
	return true;
}

/* Events that lead to the context of a commit. */
static int put_commit_context(struct tr_trace *t, unsigned hart,
			      const struct tr_trace_commit *c)
{
	struct trace_lane *lane = t->lanes[hart];
	const uint64_t satp = c->satp & t->mask;
	const bool reported = !(t->options.lacks & TR_TRACE_NO_PRIV);
	const uint8_t priv = reported ? c->priv : lane->priv;
	int status = TR_TRACE_OK;
	if (c->intr && !lane->trapped && !(t->options.lacks & TR_TRACE_NO_TRAPS))
		note_interrupt(t, lane, c);
	if (satp != lane->satp || lane->wrote_satp) {
		struct tr_event event = {.kind = TR_EV_SATP, .u.satp = {.satp = satp}};
		lane->satp = satp;
		lane->wrote_satp = false;
		status = tr_trace_put(t, hart, &event);
	}
	/* The mode of code that was interrupted at once is that before the last trap. */
	if (lane->returned && reported && !status)
		status = put_mode_change(
		    t, hart, TR_EV_XRET,
		    lane->trapped ? lane->before[tr_mode_of(lane->priv).nominal] : priv);
	else if (priv != lane->priv && !lane->trapped && !status)
		status = put_mode_change(t, hart, TR_EV_PRIV, priv);
	lane->returned = false;
	if (lane->trapped && !status)
		status = put_pending_trap(t, hart, priv);
	return status;
}

/* An instruction that trapped. Of the instruction before, an xret shows its mode here. */
static int commit_trap(struct tr_trace *t, unsigned hart, uint64_t cycle,
		       const struct tr_trace_commit *c)
{
	struct trace_lane *lane = t->lanes[hart];
	if (put_commit_context(t, hart, c))
		return TR_TRACE_FAILED;
	lane->trapped = true;
	lane->trap = (struct tr_event){.kind = TR_EV_TRAP, .cycles = cycle - lane->cycle};
	lane->trap.u.trap.cause = commit_cause(t, c);
	lane->trap.u.trap.epc = lane->next_pc = lane->other_pc = c->pc & t->mask;
	lane->trap.u.trap.priv = TR_PRIV_M;
	lane->trap.u.trap.runs = lane->trap_runs;
	lane->trap.u.trap.nruns =
	    (uint8_t)tr_runs_move(&lane->slots.lost, lane->trap_runs);
	lane->cycle = cycle;
	return TR_TRACE_OK;
}

static void add_token(struct trace_lane *lane, uint64_t cycle, uint64_t pc, uint64_t bits)
{
	if (cycle - lane->cycle != 1 || lane->slots.lost.count) {
		lane->stalls[lane->nstalls++] =
		    (struct tr_stall){.cycles = cycle - lane->cycle,
				      .first_run = lane->nruns,
				      .nruns = (uint16_t)lane->slots.lost.count,
				      .token = (uint16_t)lane->count};
		if (lane->slots.lost.count)
			lane->nruns +=
			    tr_runs_move(&lane->slots.lost, lane->runs + lane->nruns);
	}
	lane->tokens[lane->count++] = (struct tr_commit){.pc = pc, .bits = bits};
	lane->cycle = cycle;
}

static int put_plain(struct tr_trace *t, unsigned hart, uint64_t cycle, uint64_t pc,
		     uint64_t next_pc)
{
	struct trace_lane *lane = t->lanes[hart];
	const uint64_t cycles = cycle - lane->cycle;
	lane->cycle = cycle;
	return tr_trace_plain(t, hart, pc, cycles, next_pc);
}

static int commit_token(struct tr_trace *t, unsigned hart, uint64_t cycle,
			const struct tr_trace_commit *c)
{
	struct trace_lane *lane = t->lanes[hart];
	const bool has_insn = !(t->options.lacks & TR_TRACE_NO_INSN);
	const uint64_t bits = has_insn ? insn_bits_of(c) : 0,
		       next_pc = c->next_pc & t->mask;
	if ((lane->trapped || lane->returned || lane->wrote_satp || c->intr ||
	     c->priv != lane->priv || (c->satp & t->mask) != lane->satp) &&
	    put_commit_context(t, hart, c))
		return TR_TRACE_FAILED;
	if (tr_trace_check_sp(t, hart, c))
		return TR_TRACE_FAILED;
	if ((c->flags || c->load) && tr_trace_put_hits(t, hart, c))
		return TR_TRACE_FAILED;
	if (has_insn)
		add_token(lane, cycle, c->pc & t->mask, bits);
	else if (put_plain(t, hart, cycle, c->pc & t->mask, next_pc))
		return TR_TRACE_FAILED;
	set_next(t, lane, bits, c->pc & t->mask, next_pc);
	lane->unreported.last = c->pc & t->mask;
	lane->bits = bits;
	lane->returned = returns_from_trap(t, lane, bits, c->pc & t->mask, next_pc);
	if (lane->returned && lane->nepcs)
		lane->nepcs--;
	lane->wrote_satp = may_write_satp(bits);
	if ((c->rd == TR_REG_SP || c->rd == TR_REG_TP) && tr_trace_take_reg(t, hart, c))
		return TR_TRACE_FAILED;
	const bool is_full = lane->count == TRACE_BATCH ||
			     lane->nruns + TR_TOKEN_MAX_RUNS > TRACE_LOST_RUNS;
	return is_full ? tr_trace_flush(t) : TR_TRACE_OK;
}

/* The hart's first commit in the stream. */
static int begin_hart_lane(struct tr_trace *t, unsigned hart, uint64_t cycle,
			   const struct tr_trace_commit *c)
{
	struct trace_lane *lane = t->lanes[hart];
	const bool reported = !(t->options.lacks & TR_TRACE_NO_PRIV);
	struct tr_context context = {.priv = reported ? c->priv : TR_PRIV_M,
				     .satp = c->satp & t->mask,
				     .tp = lane->tp};
	struct tr_event started = {.kind = TR_EV_TRIGGER, .u.trigger = {.start = 1}};
	int status = TR_TRACE_OK;
	lane->begun = true;
	lane->cycle = cycle ? cycle - 1 : 0;
	lane->priv = context.priv;
	memset(lane->before, context.priv, sizeof(lane->before));
	lane->satp = context.satp;
	lane->trapped = lane->returned = lane->wrote_satp = false;
	lane->nepcs = 0;
	lane->next_pc = lane->other_pc = TR_EPC_UNKNOWN;
	if (tr_writer_begin(t->writer, hart, lane->cycle, &context))
		return tr_trace_fail(t, "out of memory");
	if (lane->has_sp)
		status = tr_trace_put_reg(t, hart, TR_REG_SP, lane->sp);
	if (t->options.start.kind != TR_TRACE_NEVER && !status)
		status = tr_trace_put(t, hart, &started);
	lane->sample.waits &= lane->sample.cycle == lane->cycle;
	return status ? status : tr_trace_put_sample(t, hart, true);
}

static bool meets_trigger(const struct tr_trace_trigger *trigger, uint64_t cycle,
			  uint64_t pc)
{
	if (trigger->kind == TR_TRACE_AT_CYCLE)
		return cycle >= trigger->value;
	return trigger->kind == TR_TRACE_AT_PC && pc == trigger->value;
}

static int stop_trace(struct tr_trace *t, uint64_t cycle)
{
	struct tr_event stopped = {.kind = TR_EV_TRIGGER, .u.trigger = {.start = 0}};
	for (unsigned i = 0; i < t->nlanes; i++)
		if (t->lanes[i] && t->lanes[i]->begun && tr_trace_put(t, i, &stopped))
			return TR_TRACE_FAILED;
	return tr_trace_end(t, cycle ? cycle - 1 : 0, "trigger") ? TR_TRACE_FAILED
								 : TR_TRACE_STOPPED;
}

/* Finds what can only be a mistake in the caller's connections. */
static int check_commit(struct tr_trace *t, unsigned hart, uint64_t cycle,
			const struct tr_trace_commit *c)
{
	const struct trace_lane *lane = t->lanes[hart];
	const uint64_t pc = c->pc & t->mask;
	if (cycle < lane->cycle || cycle - lane->cycle >= TR_MAX_CYCLES)
		return tr_trace_fail(t,
				     "cycle %" PRIu64 " of hart %u after cycle %" PRIu64,
				     cycle, hart, lane->cycle);
	if (cycle < lane->sample.cycle)
		return tr_trace_fail(t,
				     "cycle %" PRIu64
				     " of hart %u after its counters in cycle %" PRIu64,
				     cycle, hart, lane->sample.cycle);
	if (t->options.lacks & TR_TRACE_NO_INSN && c->intr && lane->begun &&
	    !lane->trapped && !lane->returned && lane->next_pc == TR_EPC_UNKNOWN)
		return tr_trace_fail(t,
				     "the interrupt at 0x%" PRIx64
				     " came at an unknown place: without instructions, "
				     "pc_wdata must tell it, or traps are not told",
				     pc);
	if (c->trap)
		return TR_TRACE_OK;
	if (!tr_insn_length((unsigned)c->insn & 0xffff))
		return tr_trace_fail(t,
				     "the instruction at 0x%" PRIx64 " is 0x%" PRIx64
				     ", which has no defined length; one that traps "
				     "must come with `trap`",
				     pc, c->insn);
	if ((c->insn & 3) == 3 && c->next_pc && ((c->next_pc - c->pc) & t->mask) == 2)
		return tr_trace_fail(
		    t,
		    "the instruction at 0x%" PRIx64 " is 0x%" PRIx64
		    ", but has 2 bytes: it must be as fetched, not expanded",
		    pc, c->insn);
	return TR_TRACE_OK;
}

struct trace_lane *tr_trace_find_lane(struct tr_trace *t, unsigned hart)
{
	if (hart >= TR_MAX_HARTS) {
		tr_trace_fail(t, "hart %u; it must be below %d", hart, TR_MAX_HARTS);
		return NULL;
	}
	if (!t->lanes[hart] && !(t->lanes[hart] = calloc(1, sizeof(struct trace_lane))))
		tr_trace_fail(t, "out of memory");
	if (hart >= t->nlanes)
		t->nlanes = hart + 1;
	return t->lanes[hart];
}

/* A handler may return behind the instruction that trapped. */
enum { RESUMED_BYTES = 4 };

/* Without instruction bits and next_pc, what leads to where the newest trap interrupted
 * has returned from it. */
static void look_for_return(struct trace_lane *lane, uint64_t pc)
{
	if (lane->returned || lane->trapped || !lane->nepcs ||
	    lane->next_pc != TR_EPC_UNKNOWN ||
	    pc - lane->epcs[lane->nepcs - 1] > RESUMED_BYTES)
		return;
	lane->returned = true;
	lane->nepcs--;
}

int tr_trace_commit(struct tr_trace *t, unsigned hart, uint64_t cycle,
		    const struct tr_trace_commit *c)
{
	if (t->state >= TRACE_ENDED)
		return t->state == TRACE_ENDED ? TR_TRACE_STOPPED : TR_TRACE_FAILED;
	struct trace_lane *lane = tr_trace_find_lane(t, hart);
	if (!lane || check_commit(t, hart, cycle, c) ||
	    (t->classes.count && tr_trace_take_slot(t, hart, cycle, c)))
		return TR_TRACE_FAILED;
	const uint64_t pc = c->pc & t->mask;
	if (t->state == TRACE_WAITS && meets_trigger(&t->options.start, cycle, pc))
		t->state = TRACE_RUNS;
	if (t->state == TRACE_WAITS)
		return tr_trace_take_reg(t, hart, c);
	if (meets_trigger(&t->options.stop, cycle, pc))
		return stop_trace(t, cycle);
	if (t->options.lacks & TR_TRACE_NO_INSN)
		look_for_return(lane, pc);
	struct tr_trace_commit commit = *c;
	const bool has_traps = !(t->options.lacks & TR_TRACE_NO_TRAPS);
	if (!lane->begun) {
		if (begin_hart_lane(t, hart, cycle, c))
			return TR_TRACE_FAILED;
		commit.intr = false; /* of a trap before the trace */
	} else if (has_traps && commit.intr) {
		commit.intr = !is_false_interrupt(t, lane, pc);
	} else if (has_traps) {
		commit.intr = is_unreported_interrupt(t, lane, c);
	}
	c = &commit;
	if (has_traps && commit_traps(c))
		return commit_trap(t, hart, cycle, c);
	return commit_token(t, hart, cycle, c);
}
