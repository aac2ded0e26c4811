/* SPDX-License-Identifier: Apache-2.0 */
/* Takes packets of E-Trace: time, privilege and context, traps, where tracing begins and
 * ends. */
#include "import/import_etrace.h"

enum { MOST_HITS = 1 << 24 };

/* Takes the time of a packet, which has `width` bits. Returns false if it is none. */
static bool take_packet_time(struct etrace_hart *h, uint64_t stamp, uint64_t width)
{
	const uint64_t mask = UINT64_MAX >> (64 - width);
	const uint64_t since = (stamp - h->time) & mask;
	h->stamped = true;
	if (h->begun && (since > mask >> 1 || since >= TR_MAX_CYCLES))
		return false;
	h->time = h->begun ? h->time + since : stamp;
	return !(h->time >> 62);
}

bool tr_etrace_time(const struct etrace *t, struct etrace_hart *h,
		    const struct etrace_body *body, const struct etrace_packet *p)
{
	const bool has_field = p->format == ETRACE_SYNC && p->subformat != ETRACE_SUPPORT;
	h->stamped = false;
	if (body->has_stamp)
		return take_packet_time(h, body->stamp, t->params.timestamp_width);
	if (!t->params.notime && has_field)
		return take_packet_time(h, p->time, t->params.time_width);
	return true;
}

/* Passes on what ran. The last instruction commits `before` cycles before the time of the
 * packet. Each instruction takes a cycle if the trace has no times; if it has, and none
 * has come yet, the instructions are kept. */
static void pass_hart_path(struct tr_import *im, struct etrace_hart *h, unsigned before)
{
	const uint64_t now = tr_import_cycle(im, h->path.hart);
	if (!im->has_cycles)
		tr_path_pass(im, &h->path, now + h->path.count);
	else if (h->stamped)
		tr_path_pass(im, &h->path, h->time > before ? h->time - before : 0);
}

/* Passes on all that ran, also without a time; cycles may be left before the time of the
 * packet. */
static void pass_all(struct tr_import *im, struct etrace_hart *h)
{
	const bool has_end = im->has_cycles && h->stamped;
	tr_path_pass_before(im, &h->path, has_end ? h->time : UINT64_MAX);
}

static void put_path_gap(struct tr_import *im, struct etrace_hart *h,
			 enum tr_gap_reason reason)
{
	pass_all(im, h);
	uint64_t cycle = tr_import_cycle(im, h->path.hart);
	if (im->has_cycles && h->stamped && h->time > cycle + 1)
		cycle = h->time - 1;
	h->path.lost +=
	    reason == TR_GAP_LOST ? cycle - tr_import_cycle(im, h->path.hart) : 0;
	tr_import_gap(im, h->path.hart, cycle, h->path.place.priv, reason);
}

struct import_place tr_etrace_place(const struct etrace *t, const struct etrace_packet *p)
{
	return (struct import_place){.context = t->params.nocontext ? 0 : p->context,
				     .priv = p->priv};
}

static void change_place(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			 const struct etrace_packet *p)
{
	const struct import_place place = tr_etrace_place(t, p);
	if (h->begun && !h->path.dry && place.context != h->path.place.context)
		tr_import_satp(im, h->path.hart, tr_path_satp(place.context));
	h->path.place = place;
}

void tr_etrace_enter(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		     const struct etrace_packet *p)
{
	const struct import_place place = tr_etrace_place(t, p);
	if (place.priv == h->path.place.priv && place.context == h->path.place.context)
		return;
	if (!h->path.dry) {
		pass_hart_path(im, h, 1);
		pass_all(im, h);
	}
	change_place(im, t, h, p);
}

/* Tracing begins, or resumes after packets that were lost. */
static void begin_tracing(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			  const struct etrace_packet *p)
{
	const struct import_place place = tr_etrace_place(t, p);
	const struct tr_context context = {.priv = place.priv,
					   .satp = tr_path_satp(place.context)};
	if (!h->begun) {
		tr_import_begin(im, h->path.hart, h->stamped && h->time ? h->time - 1 : 0,
				&context);
		h->path.place = place;
	} else if (!h->trapped) {
		const bool was_on = h->on;
		pass_all(im, h);
		h->path.place.priv = place.priv;
		put_path_gap(im, h, was_on ? TR_GAP_LOST : TR_GAP_UNTRACED);
	}
	change_place(im, t, h, p);
	h->begun = h->on = true;
	h->trapped = h->inferred = false;
}

/* Adds the branches of a packet to those that are not yet followed. */
static void add_branches(struct etrace_hart *h, const struct etrace_packet *p)
{
	h->map |= (uint64_t)p->map << h->branches;
	h->branches += p->branches;
	h->hits = p->hits;
	h->misses = p->misses;
}

/* Returns true if the instruction at `pc` is a branch. */
static bool is_branch(struct tr_import *im, const struct import_place *place, uint64_t pc)
{
	const struct import_run *run = tr_import_code_run(im->code, place, pc);
	return run && run->count == 1 && run->transfer == IMPORT_BRANCH;
}

static void take_address(const struct etrace *t, struct etrace_hart *h,
			 const struct etrace_packet *p)
{
	if (p->has_index && h->cache)
		h->address = h->cache[p->index];
	else if (p->format == ETRACE_SYNC || h->modes & ETRACE_FULL_ADDRESS)
		h->address = p->address;
	else
		h->address += p->address;
	if (t->params.iaddress_width < 64)
		h->address &= (UINT64_C(1) << t->params.iaddress_width) - 1;
}

void tr_etrace_take(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		    const struct etrace_packet *p)
{
	const bool is_sync = p->format == ETRACE_SYNC;
	if (is_sync) {
		const struct import_place place = tr_etrace_place(t, p);
		const uint64_t pc = tr_etrace_whole(&t->params, im->xlen, p->address);
		h->inferred = false;
		if (is_branch(im, &place, pc))
			h->map |= (uint64_t)p->branch << h->branches++;
	} else {
		add_branches(h, p);
	}
	if (h->inferred)
		tr_etrace_again(im, t, h, p);
	if (p->has_address || p->has_index)
		take_address(t, h, p);
	if (h->path.known)
		tr_etrace_follow(im, t, h, p);
	if (is_sync)
		tr_etrace_reset(t, h);
}

/* A packet of synchronisation that does not fit what ran before, or has nothing before.
 */
static void start_at_sync(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			  const struct etrace_packet *p)
{
	begin_tracing(im, t, h, p);
	h->address = p->address;
	tr_etrace_reset(t, h);
	tr_etrace_arrive(im, t, h, tr_etrace_whole(&t->params, im->xlen, p->address),
			 !p->branch);
}

/* To synchronise again, rv_tracer reports an instruction that ran some time before, with
 * the branch bit of another one: it tells nothing new, unless the program jumps there. */
static bool is_stale_sync(const struct etrace *t, const struct etrace_hart *h,
			  const struct etrace_packet *p)
{
	const bool jumps = h->pending && (h->last.transfer == IMPORT_INDIRECT ||
					  h->last.transfer == IMPORT_XRET);
	return t->params.records == 1 && h->path.known && !jumps &&
	       p->priv == h->path.place.priv;
}

static void take_sync_packet(struct tr_import *im, struct etrace *t,
			     struct etrace_hart *h, const struct etrace_packet *p)
{
	if (is_stale_sync(t, h, p)) {
		h->address = p->address;
		h->inferred = false;
		return;
	}
	if (h->path.known)
		tr_etrace_take(im, t, h, p);
	if (!h->path.known)
		start_at_sync(im, t, h, p);
}

/* Returns the epc that the packet tells, of an exception where a jump leads, else 0. Of
 * other traps the address means nothing, but encoders tell the epc: it is taken if there
 * is code. */
static uint64_t reported_epc(struct tr_import *im, const struct etrace *t,
			     const struct etrace_hart *h, const struct etrace_packet *p)
{
	const uint64_t pc = tr_etrace_whole(&t->params, im->xlen, p->address);
	const struct import_place place = tr_etrace_place(t, p);
	const bool jumps = h->pending && (h->last.transfer == IMPORT_INDIRECT ||
					  h->last.transfer == IMPORT_XRET);
	if (p->thaddr)
		return 0;
	return (jumps && !p->interrupt) || tr_import_code_run(im->code, &place, pc) ? pc
										    : 0;
}

/* Ends what ran before a trap. Returns its address. */
static uint64_t leave_for_trap(struct tr_import *im, struct etrace *t,
			       struct etrace_hart *h, const struct etrace_packet *p)
{
	const uint64_t reported = reported_epc(im, t, h, p);
	const uint64_t before = h->reported;
	h->reported = reported;
	if (!h->path.known) {
		if (!h->trapped)
			put_path_gap(im, h, h->on ? TR_GAP_LOST : TR_GAP_UNTRACED);
		return h->trapped ? before : reported;
	}
	pass_all(im, h);
	/* It is reported as retired, but does not commit. */
	if (h->pending && h->last.transfer == IMPORT_TRAP)
		tr_import_retract(im, h->path.hart, h->last.last);
	return tr_etrace_next(im, t, h, reported);
}

/* Returns the address of the handler if it is implicit, 1 if it is not known. */
static uint64_t find_trap_vector(const struct etrace *t, const struct etrace_packet *p)
{
	const uint64_t base = p->priv == TR_PRIV_M ? t->params.mtvec : t->params.stvec;
	if (base == 1)
		return 1;
	return (base & ~UINT64_C(3)) + (base & 1 && p->interrupt ? 4 * p->ecause : 0);
}

static void enter_handler(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			  const struct etrace_packet *p)
{
	const uint64_t pc = p->has_address ? p->address : find_trap_vector(t, p);
	h->trapped = false;
	if (pc == 1) {
		tr_etrace_lose(t, h, "mtvec or stvec, by --encoder");
		return;
	}
	change_place(im, t, h, p);
	h->address = pc;
	tr_etrace_arrive(im, t, h, tr_etrace_whole(&t->params, im->xlen, pc), !p->branch);
}

static void take_trap_packet(struct tr_import *im, struct etrace *t,
			     struct etrace_hart *h, const struct etrace_packet *p)
{
	struct tr_event trap = {.kind = TR_EV_TRAP};
	if (!h->begun) {
		if (p->thaddr && p->has_address)
			start_at_sync(im, t, h, p);
		return;
	}
	trap.u.trap.epc = leave_for_trap(im, t, h, p);
	trap.u.trap.cause =
	    (p->ecause & ~TR_CAUSE_INTERRUPT) | (p->interrupt ? TR_CAUSE_INTERRUPT : 0);
	uint64_t cycle = tr_import_cycle(im, h->path.hart);
	if (im->has_cycles && h->stamped && h->time > cycle)
		cycle = h->time - (p->thaddr && h->time > cycle);
	tr_import_trap_at(im, &trap, h->path.hart, cycle);
	tr_import_tval(im, h->path.hart, p->tval);
	h->path.known = h->pending = h->inferred = false;
	h->on = true;
	h->map = 0;
	h->branches = 0;
	tr_etrace_reset(t, h);
	if (p->thaddr)
		enter_handler(im, t, h, p);
	else
		h->trapped = true;
}

static void take_support(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			 const struct etrace_packet *p)
{
	const struct etrace_params *params = &t->params;
	h->modes = p->modes;
	if ((p->modes & ETRACE_IMPLICIT_RETURN && !t->most_depth) ||
	    (p->modes & ETRACE_PREDICTION && !params->bpred_size) ||
	    (p->modes & ETRACE_JUMP_CACHE && !params->cache_size))
		t->problem = "the sizes of the encoder's stack, predictor or cache, by "
			     "--encoder";
	if (p->qualification == ETRACE_NO_CHANGE)
		return;
	if (p->qualification == ETRACE_ENDED_NTR && h->inferred)
		tr_etrace_again(im, t, h, p);
	t->losses += p->qualification == ETRACE_LOST;
	h->on = p->qualification == ETRACE_LOST && h->on;
	h->path.known = h->pending = h->inferred = h->trapped = false;
}

static void take_synchronisation(struct tr_import *im, struct etrace *t,
				 struct etrace_hart *h, const struct etrace_packet *p)
{
	switch (p->subformat) {
	case ETRACE_START:
		take_sync_packet(im, t, h, p);
		break;
	case ETRACE_TRAP:
		take_trap_packet(im, t, h, p);
		break;
	case ETRACE_SUPPORT:
		take_support(im, t, h, p);
		break;
	default:
		if (h->begun && h->path.known)
			tr_etrace_enter(im, t, h, p);
	}
}

void tr_etrace_packet(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      const struct etrace_packet *p)
{
	if (p->hits > MOST_HITS) {
		tr_etrace_lose(t, h, "at most 16777216 predicted branches");
		return;
	}
	if (p->format == ETRACE_SYNC)
		take_synchronisation(im, t, h, p);
	else if (h->path.known)
		tr_etrace_take(im, t, h, p);
	else
		t->unfollowed++;
	if (!h->path.known) {
		h->map = h->hits = 0;
		h->branches = 0;
		h->misses = false;
	}
	if (h->begun)
		pass_hart_path(im, h, 0);
}
