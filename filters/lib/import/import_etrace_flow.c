/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the program from one packet of E-Trace to the next ("Efficient Trace for
 * RISC-V", chapter 12), a run of instructions at a time. */
#include <string.h>

#include "base/little.h"
#include "import/import_etrace.h"
#include "stream/decode.h"
#include "stream/reader.h"

enum { MOST_TURNS = 1 << 16 }; /* without a branch that was reported */

/* Where to stop. */
enum goal {
	GO_ADDRESS,	/* at the address, or where the program jumps to it */
	GO_SYNC,	/* at the address of a packet of synchronisation */
	GO_LAST_BRANCH, /* at the last branch */
	GO_JUMP,	/* where the program jumps to the address */
};

struct walk {
	uint64_t address;
	enum goal goal;
	bool may_meet;	/* the address, before a jump to it */
	bool is_report; /* of a return, at this depth */
	uint32_t depth;
	const struct etrace_packet *packet;
};

uint64_t tr_etrace_whole(const struct etrace_params *p, unsigned xlen, uint64_t address)
{
	enum { SIGNED_BITS = 39 }; /* Sv39 is the least of RV64's address spaces */
	if (p->iaddress_width < 64)
		address &= (UINT64_C(1) << p->iaddress_width) - 1;
	if (xlen == 32)
		return address & UINT32_MAX;
	if (p->iaddress_width < 64 && p->iaddress_width >= SIGNED_BITS &&
	    address >> (p->iaddress_width - 1))
		address |= UINT64_MAX << p->iaddress_width;
	return address;
}

void tr_etrace_lose(struct etrace *t, struct etrace_hart *h, const char *problem)
{
	t->losses += h->path.known;
	h->path.known = false;
	h->pending = h->inferred = h->trapped = false;
	t->problem = problem;
}

void tr_etrace_reset(const struct etrace *t, struct etrace_hart *h)
{
	h->depth = h->base = 0;
	if (h->counters)
		memset(h->counters, 1, (size_t)1 << t->params.bpred_size);
	if (h->cache)
		for (size_t i = 0; i < (size_t)1 << t->params.cache_size; i++)
			h->cache[i] = 1;
}

static uint64_t branches_left(const struct etrace_hart *h)
{
	return h->branches + h->hits + h->misses;
}

/* Without compressed instructions the tables are indexed from bit 2 on. */
static size_t predictor_entry(const struct etrace *t, uint64_t pc, uint64_t size)
{
	return pc >> (t->params.iaddress_lsb > 1 ? 2 : 1) & (((size_t)1 << size) - 1);
}

/* The upper bit of a counter is the prediction, the lower one what the branch did last.
 */
static void train_predictor(uint8_t *counter, bool taken)
{
	const bool last = *counter & 1, guess = taken == last ? taken : *counter >> 1;
	*counter = (uint8_t)(guess << 1 | taken);
}

/* Returns what the branch at `pc` did. One is left. */
static bool resolve_branch(const struct etrace *t, struct etrace_hart *h, uint64_t pc)
{
	const bool predicts = h->modes & ETRACE_PREDICTION && h->counters;
	uint8_t none = 0,
		*counter =
		    predicts ? &h->counters[predictor_entry(t, pc, t->params.bpred_size)]
			     : &none;
	bool taken = *counter >> 1;
	if (h->branches) {
		taken = !(h->map & 1);
		h->map >>= 1;
		h->branches--;
	} else if (h->hits) {
		h->hits--;
	} else {
		h->misses = false;
		taken = !taken;
	}
	train_predictor(counter, taken);
	return taken;
}

/* The last branch, if it is not followed before the next packet, is one of a map, which
 * does not change with the predictor. */
static void keep_branch(const struct etrace *t, struct etrace_hart *h)
{
	if (h->branches || h->hits + h->misses != 1 || !h->counters)
		return;
	const bool guess =
	    h->counters[predictor_entry(t, h->last.last, t->params.bpred_size)] >> 1;
	h->map = guess == h->misses;
	h->branches = 1;
	h->hits = 0;
	h->misses = false;
}

static const uint8_t *last_insn_code(const struct etrace_hart *h)
{
	return h->last.code + (h->last.last - h->last.pc);
}

static unsigned last_bytes(const struct etrace_hart *h)
{
	return (unsigned)(h->last.end - h->last.last);
}

static enum tr_flow last_flow(const struct tr_import *im, const struct etrace_hart *h)
{
	return tr_decode_flow(last_insn_code(h), last_bytes(h),
			      tr_import_code_isa(im->code, h->last.binary));
}

static bool returns_are_implicit(const struct etrace_hart *h)
{
	return h->modes & ETRACE_IMPLICIT_RETURN && h->stack;
}

static void push_return_address(const struct etrace *t, struct etrace_hart *h)
{
	h->stack[(h->base + h->depth) % t->most_depth] = h->last.end;
	if (h->depth < t->most_depth)
		h->depth++;
	else
		h->base = (uint32_t)((h->base + 1) % t->most_depth);
}

static bool pop_return_address(const struct etrace *t, struct etrace_hart *h,
			       const struct walk *w, uint64_t *target)
{
	if (!h->depth || (w->is_report && w->depth == h->depth))
		return false;
	h->depth--;
	*target = h->stack[(h->base + h->depth) % t->most_depth];
	return true;
}

/* Returns the pc of an instruction of a run. */
static uint64_t pc_of(const struct import_run *r, uint32_t index)
{
	uint64_t pc = r->pc;
	while (index--)
		pc += tr_insn_length(tr_load16(r->code + (pc - r->pc)));
	return pc;
}

/* Returns the code of the instruction before the last one, at *pc, or NULL. */
static const uint8_t *code_before(struct tr_import *im, const struct etrace_hart *h,
				  uint64_t *pc)
{
	if (h->last.count > 1) {
		*pc = pc_of(&h->last, h->last.count - 2);
		return h->last.code + (*pc - h->last.pc);
	}
	const struct import_run *run =
	    tr_import_code_run(im->code, &h->path.place, h->before);
	*pc = h->before;
	return run ? run->code : NULL;
}

/* Finds the target of a jump whose address lui, c.lui or auipc before it computes. */
static bool sequential_target(struct tr_import *im, const struct etrace_hart *h,
			      uint64_t *target)
{
	enum { LUI = 0x37, AUIPC = 0x17, C_LUI = 0x6001, C_LUI_MASK = 0xe003 };
	const uint8_t *jump = last_insn_code(h);
	uint64_t pc;
	const uint8_t *code = code_before(im, h, &pc);
	if (!code || tr_decode_zcm(jump, last_bytes(h)) != TR_ZCM_NONE)
		return false;
	const bool is_short = last_bytes(h) == 2;
	const uint32_t bits = is_short ? tr_load16(jump) : tr_load32(jump);
	const uint32_t rs = is_short ? bits >> 7 & 31 : bits >> 15 & 31;
	const uint64_t offset = is_short ? 0 : (uint64_t)(int64_t)((int32_t)bits >> 20);
	if (tr_insn_length(tr_load16(code)) == 2) {
		const uint32_t lui = tr_load16(code);
		const uint32_t value = (lui >> 2 & 31) << 12 | (lui >> 12 & 1) << 17;
		*target = (uint64_t)(int64_t)((int32_t)(value << 14) >> 14) + offset;
		return (lui & C_LUI_MASK) == C_LUI && (lui >> 7 & 31) == rs && rs != 2;
	}
	const uint32_t upper = tr_load32(code);
	const bool is_auipc = (upper & 0x7f) == AUIPC;
	*target = (uint64_t)(int64_t)(int32_t)(upper & 0xfffff000) + offset +
		  (is_auipc ? pc : 0);
	return (is_auipc || (upper & 0x7f) == LUI) && (upper >> 7 & 31) == rs;
}

/* Returns true, and the target, if the program tells where the last jump leads. */
static bool indirect_target(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			    const struct walk *w, uint64_t *target)
{
	const uint8_t *code = last_insn_code(h);
	const enum tr_flow flow =
	    returns_are_implicit(h) ? last_flow(im, h) : TR_FLOW_INDIRECT;
	bool known = false;
	if (last_bytes(h) == 4 && (tr_load32(code) >> 15 & 31) == 0) {
		*target = (uint64_t)(int64_t)((int32_t)tr_load32(code) >> 20);
		known = true;
	} else if (h->modes & ETRACE_SEQUENTIAL_JUMP) {
		known = sequential_target(im, h, target);
	}
	if (!known && flow == TR_FLOW_RETURN)
		known = pop_return_address(t, h, w, target);
	if (flow == TR_FLOW_CALL)
		push_return_address(t, h);
	if (im->xlen == 32)
		*target &= UINT32_MAX;
	return known;
}

/* Leaves the last instruction, which transfers control. Returns false if the program does
 * not tell where to, or the packets should have told. */
static bool leave_last_insn(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			    const struct walk *w)
{
	uint64_t to = h->last.end;
	switch (h->last.transfer) {
	case IMPORT_BRANCH:
		if (!branches_left(h)) {
			tr_etrace_lose(t, h, "a program with fewer branches");
			return false;
		}
		if (resolve_branch(t, h, h->last.last))
			to = h->last.target;
		break;
	case IMPORT_JUMP:
		if (returns_are_implicit(h) && last_flow(im, h) == TR_FLOW_CALL)
			push_return_address(t, h);
		to = h->last.target;
		break;
	case IMPORT_INDIRECT:
		if (!indirect_target(im, t, h, w, &to))
			return false;
		break;
	case IMPORT_FALLS:
		break;
	default:
		return false;
	}
	h->before = h->last.last;
	h->path.pc = to;
	h->pending = false;
	return true;
}

/* Runs the first `count` instructions of a run, the last of them at `pc`. */
static void run_first_insns(struct tr_import *im, struct etrace_hart *h,
			    const struct import_run *r, uint32_t count, uint64_t pc)
{
	h->pending = count == r->count && r->transfer != IMPORT_FALLS;
	if (h->pending)
		h->last = *r;
	else
		h->before = pc;
	tr_path_take(im, &h->path, r, count);
}

/* Runs the instruction at `pc`. */
static void run_landing_insn(struct tr_import *im, struct etrace *t,
			     struct etrace_hart *h, uint64_t pc)
{
	h->path.pc = pc;
	h->path.known = true;
	const struct import_run *r = tr_path_run(im, &h->path);
	if (r)
		run_first_insns(im, h, r, 1, pc);
	else
		tr_etrace_lose(t, h, NULL);
}

void tr_etrace_arrive(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      uint64_t pc, bool taken)
{
	h->before = pc;
	run_landing_insn(im, t, h, pc);
	h->map = h->hits = 0;
	h->branches = 0;
	h->misses = h->inferred = false;
	if (h->pending && h->last.transfer == IMPORT_BRANCH) {
		h->map = !taken;
		h->branches = 1;
	}
}

/* The program jumps to where the packet says. */
static void jump_to_reported(struct tr_import *im, struct etrace *t,
			     struct etrace_hart *h, const struct walk *w)
{
	if (h->last.transfer == IMPORT_TRAP || w->goal == GO_LAST_BRANCH) {
		tr_etrace_lose(t, h,
			       h->last.transfer == IMPORT_TRAP
				   ? "a trap, or a program that does not trap"
				   : "a program without an indirect jump before the "
				     "branches that are reported");
		return;
	}
	h->before = h->last.last;
	if (w->goal == GO_SYNC)
		tr_etrace_enter(im, t, h, w->packet);
	else if (h->cache)
		h->cache[predictor_entry(t, w->address, t->params.cache_size)] =
		    w->address;
	run_landing_insn(im, t, h, w->address);
	const bool is_branch = h->pending && h->last.transfer == IMPORT_BRANCH;
	if (h->path.known && w->goal != GO_JUMP && branches_left(h) != is_branch)
		tr_etrace_lose(t, h, "a program with more branches");
}

/* Returns the number of instructions of the run to where the walk ends, or 0. */
static uint32_t stops_in(const struct etrace_hart *h, const struct import_run *r,
			 const struct walk *w)
{
	const uint64_t branches = branches_left(h);
	const bool has_branch = r->transfer == IMPORT_BRANCH;
	if (w->goal == GO_LAST_BRANCH)
		return has_branch && branches == 1 ? r->count : 0;
	if (w->goal == GO_JUMP || !w->may_meet || w->address < r->pc ||
	    w->address > r->last || branches > 1)
		return 0;
	const uint32_t at = tr_path_before(r, w->address);
	if (at == UINT32_MAX || branches != (at == r->count - 1 && has_branch))
		return 0;
	return w->is_report && w->depth != h->depth ? 0 : at + 1;
}

/* Runs the first `count` instructions of a run, where the walk ends. */
static void stop_walk(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      const struct import_run *r, uint32_t count, const struct walk *w)
{
	if (w->goal != GO_SYNC) {
		run_first_insns(im, h, r, count,
				w->goal == GO_LAST_BRANCH ? r->last : w->address);
		return;
	}
	if (count > 1) {
		h->before = pc_of(r, count - 2);
		tr_path_take(im, &h->path, r, count - 1);
	}
	tr_etrace_enter(im, t, h, w->packet);
	run_landing_insn(im, t, h, w->address);
}

/* Returns true if the walk ended at an address that it met, and not by a jump. */
static bool walk_program(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			 const struct walk *w)
{
	uint64_t before = branches_left(h);
	for (unsigned turns = 0; turns < MOST_TURNS && !im->status && !im->sink->limited;
	     turns++) {
		if (h->pending && !leave_last_insn(im, t, h, w)) {
			if (h->path.known)
				jump_to_reported(im, t, h, w);
			return false;
		}
		const struct import_run *r = tr_path_run(im, &h->path);
		if (!r) {
			tr_etrace_lose(t, h, NULL);
			return false;
		}
		const uint32_t count = stops_in(h, r, w);
		if (count) {
			stop_walk(im, t, h, r, count, w);
			return true;
		}
		run_first_insns(im, h, r, r->count, r->last);
		if (branches_left(h) != before) {
			before = branches_left(h);
			turns = 0;
		}
	}
	if (!im->status && !im->sink->limited)
		tr_etrace_lose(t, h, "a program that comes to where the packet says");
	return false;
}

void tr_etrace_again(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		     const struct etrace_packet *p)
{
	const struct walk w = {.address =
				   tr_etrace_whole(&t->params, im->xlen, h->address),
			       .goal = GO_JUMP,
			       .is_report = p->irreport,
			       .depth = p->depth};
	h->inferred = false;
	walk_program(im, t, h, &w);
}

void tr_etrace_follow(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      const struct etrace_packet *p)
{
	const bool is_sync = p->format == ETRACE_SYNC;
	const bool has_address = p->has_address || p->has_index;
	const struct walk w = {
	    .address = tr_etrace_whole(&t->params, im->xlen, h->address),
	    .goal = is_sync	  ? GO_SYNC
		    : has_address ? GO_ADDRESS
				  : GO_LAST_BRANCH,
	    .may_meet = is_sync ? p->priv == h->path.place.priv : !p->updiscon,
	    .is_report = p->irreport,
	    .depth = p->depth,
	    .packet = p};
	const bool met = walk_program(im, t, h, &w);
	h->inferred = met && w.goal == GO_ADDRESS && !p->notify;
	if (h->path.known)
		keep_branch(t, h);
}

uint64_t tr_etrace_next(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			uint64_t other)
{
	const struct walk none = {0};
	if (h->pending && h->last.transfer == IMPORT_TRAP)
		return h->last.last;
	if (h->pending && other && h->last.transfer == IMPORT_INDIRECT &&
	    last_flow(im, h) == TR_FLOW_RETURN)
		return other;
	if (h->pending && !leave_last_insn(im, t, h, &none))
		return other;
	return h->path.pc;
}
