/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the tokens and events of a log's harts into those of a stream.
 *
 * The last token of a hart is held back until the next one: only that shows how long an
 * instruction without bits is, whether it committed at all, and what it wrote. */
#include <errno.h>
#include <stdlib.h>

#include "import/import_hart.h"
#include "base/little.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/reader.h"
#include "stream/sp.h"
#include "stream/xlen.h"

/* Registers that the held token wrote: bits of import_hart.writes. */
enum { WRITES_SP = 1, WRITES_TP = 2, WRITES_SATP = 4 };

static void put_hart_event(struct tr_import *im, struct import_hart *h,
			   const struct tr_event *event)
{
	if (!h->in_order)
		tr_out_event(im, h, event);
	else if (!tr_order_put_event(im->sink->order, h->index, event))
		tr_import_wrote(im, TR_E_NOMEM);
}

static void put_reg(struct tr_import *im, struct import_hart *h, uint8_t reg,
		    uint64_t value)
{
	struct tr_event event = {.kind = TR_EV_REG};
	event.u.reg.reg = reg;
	event.u.reg.value = value;
	put_hart_event(im, h, &event);
}

/* Passes on the registers that the held token wrote, except an addition to sp, which
 * follows from the bits of the instruction. */
static void put_writes(struct tr_import *im, struct import_hart *h)
{
	int64_t bytes;
	if ((h->writes & WRITES_SP) &&
	    !(h->last_bits && tr_sp_adds(h->last.bits, &bytes)))
		put_reg(im, h, TR_REG_SP, h->sp);
	if (h->writes & WRITES_TP)
		put_reg(im, h, TR_REG_TP, h->tp);
	if (h->writes & WRITES_SATP) {
		struct tr_event event = {.kind = TR_EV_SATP};
		event.u.satp.satp = h->satp;
		put_hart_event(im, h, &event);
	}
	h->writes = 0;
}

/* Puts the held token in the order of time. If harts are far apart, the order of the log
 * counts. */
__attribute__((noinline)) static void
order_held_token(struct tr_import *im, struct import_hart *h, uint64_t next)
{
	const struct import_item token = {.pc = h->last.pc,
					  .bits = h->last.bits,
					  .next = next,
					  .cycles = h->last_cycles,
					  .has_bits = h->last_bits};
	if (im->sink->limited)
		return;
	if (!tr_order_put(im->sink->order, h->index, &token))
		tr_import_wrote(im, TR_E_NOMEM);
	else if (tr_order_held(im->sink->order) > 2 * IMPORT_HELD)
		tr_import_release(im, 0);
}

/* Passes the held token on. The next one is at `next`. Inline for tr_import_token(). */
__attribute__((always_inline)) static inline void
release_held_token(struct tr_import *im, struct import_hart *h, uint64_t next)
{
	if (h->held && h->in_order)
		order_held_token(im, h, next);
	else if (h->held && h->last_bits)
		tr_out_bits(im, h, &h->last, h->last_cycles);
	else if (h->held)
		tr_out_length(im, h, &h->last, next, h->last_cycles);
	h->held = false;
	if (h->writes)
		put_writes(im, h);
}

static bool is_trap_return(const struct import_hart *h)
{
	const uint32_t bits = (uint32_t)h->last.bits;
	return h->last_bits && (bits == TR_INSN_SRET || bits == TR_INSN_MRET ||
				bits == TR_INSN_MNRET || bits == TR_INSN_DRET);
}

/* Returns the privilege of code that trapped before its first token: that of the kernel's
 * part of the addresses, or of programs; M-mode if nothing else has run. */
static uint8_t guess_priv(const struct tr_import *im, const struct import_hart *h,
			  const struct tr_event *trap)
{
	const uint64_t cause = trap->u.trap.cause;
	if (cause >= 8 && cause <= 11) /* ecall from U, S, VS, M */
		return cause == 10 ? TR_PRIV_V | TR_PRIV_S : (uint8_t)(cause - 8);
	if (!h->has_lower)
		return TR_PRIV_M;
	return tr_xlen_is_upper(im->xlen, trap->u.trap.epc) ? TR_PRIV_S : TR_PRIV_U;
}

/* The privilege of the next token, after a trap that entered it or an instruction that
 * returned to it. */
static void put_privilege_change(struct tr_import *im, struct import_hart *h,
				 uint8_t priv)
{
	struct tr_event event = {.kind = TR_EV_PRIV};
	const bool known = priv != IMPORT_PRIV_UNKNOWN;
	if (known && is_trap_return(h)) {
		event.kind = TR_EV_XRET;
		event.u.xret.priv = h->trapped ? guess_priv(im, h, &h->trap) : priv;
		put_hart_event(im, h, &event);
	} else if (known && priv != h->priv && !h->trapped) {
		event.u.priv.priv = priv;
		put_hart_event(im, h, &event);
	}
	if (h->trapped) {
		h->trap.u.trap.priv = known ? priv : h->priv;
		put_hart_event(im, h, &h->trap);
	}
	h->trapped = false;
	if (known)
		h->priv = priv;
	h->has_priv |= known;
	h->has_lower |= h->priv != TR_PRIV_M;
}

static struct import_hart *new_hart(struct tr_import *im, uint32_t number)
{
	if (im->sink->nharts == TR_MAX_HARTS) {
		tr_import_wrote(im, TR_E_UNSUPPORTED);
		return NULL;
	}
	if (!im->sink->harts)
		im->sink->harts = calloc(TR_MAX_HARTS, sizeof(struct import_hart *));
	struct import_hart *h = im->sink->harts ? calloc(1, sizeof(*h)) : NULL;
	if (!h) {
		tr_import_wrote(im, TR_E_NOMEM);
		return NULL;
	}
	h->number = number;
	h->index = im->sink->nharts;
	h->in_order = im->sink->order;
	h->priv = TR_PRIV_M;
	return im->sink->harts[im->sink->nharts++] = h;
}

static struct import_hart *search_hart(struct tr_import *im, uint32_t number)
{
	for (uint32_t i = 0; i < im->sink->nharts; i++)
		if (im->sink->harts[i]->number == number)
			return im->sink->hart = im->sink->harts[i];
	return im->sink->hart = new_hart(im, number);
}

static inline struct import_hart *find_import_hart(struct tr_import *im, uint32_t number)
{
	struct import_hart *h = im->sink->hart;
	return h && h->number == number ? h : search_hart(im, number);
}

static void begin_at(struct tr_import *im, struct import_hart *h, uint64_t cycle,
		     const struct tr_context *context)
{
	h->begun = true;
	h->priv = context->priv;
	h->has_lower = h->priv != TR_PRIV_M;
	h->cycle = cycle;
	h->start = *context;
	h->start_cycle = cycle;
	if (im->sink->order)
		tr_order_begin(im->sink->order, h->index, h->number, cycle);
	else
		tr_out_begin(im, h);
}

/* The hart's first token: the stream begins so that it commits when the log says. */
static void begin_import_hart(struct tr_import *im, struct import_hart *h,
			      const struct import_token *token)
{
	struct tr_context context = {.priv = TR_PRIV_M};
	if (token->priv != IMPORT_PRIV_UNKNOWN)
		context.priv = token->priv;
	h->has_priv = token->priv != IMPORT_PRIV_UNKNOWN;
	begin_at(im, h, token->has_cycle && token->cycle ? token->cycle - 1 : 0,
		 &context);
}

void tr_import_begin(struct tr_import *im, uint32_t hart, uint64_t cycle,
		     const struct tr_context *context)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (h && !h->begun)
		begin_at(im, h, cycle, context);
}

void tr_import_token(struct tr_import *im, const struct import_token *token)
{
	struct import_hart *h = find_import_hart(im, token->hart);
	if (!h || im->status)
		return;
	if (!h->begun)
		begin_import_hart(im, h, token);
	uint64_t cycle = token->has_cycle ? token->cycle : h->cycle + 1;
	const uint64_t pc = tr_xlen_wrap(im->xlen, token->pc);
	release_held_token(im, h, pc);
	if ((token->priv != h->priv && token->priv != IMPORT_PRIV_UNKNOWN) ||
	    h->trapped || is_trap_return(h))
		put_privilege_change(im, h, token->priv);
	h->held = true;
	h->last = (struct tr_commit){.pc = pc, .bits = token->bits};
	h->last_bits = token->has_bits;
	h->last_cycles = cycle - h->cycle;
	h->cycle = cycle;
	if (h->lost.count) {
		h->last_lost = h->lost;
		h->lost.count = 0;
	}
	im->sink->tokens++;
}

void tr_import_lose(struct tr_import *im, uint32_t hart, unsigned why, uint64_t slots)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (h && h->begun && !h->in_order && !tr_runs_lose(&h->lost, why, slots))
		tr_import_wrote(im, TR_E_UNSUPPORTED);
}

void tr_import_repeat(struct tr_import *im, uint32_t hart, uint64_t count)
{
	const struct import_hart *h = find_import_hart(im, hart);
	if (!h || !h->begun)
		return;
	const struct import_token token = {.pc = h->last.pc,
					   .bits = h->last.bits,
					   .hart = hart,
					   .has_bits = h->last_bits,
					   .priv = IMPORT_PRIV_UNKNOWN};
	for (; count && !im->status && !im->sink->limited; count--)
		tr_import_token(im, &token);
}

bool tr_import_time_good(struct tr_import *im, uint32_t hart, uint64_t cycle)
{
	const struct import_hart *h = find_import_hart(im, hart);
	return !h || !h->begun || (cycle >= h->cycle && cycle - h->cycle < TR_MAX_CYCLES);
}

uint64_t tr_import_cycle(struct tr_import *im, uint32_t hart)
{
	struct import_hart *h = find_import_hart(im, hart);
	return h && h->begun ? h->cycle : UINT64_MAX;
}

uint64_t tr_import_last_cycle(const struct tr_import *im)
{
	const struct import_hart *h = im->sink->hart;
	return h && h->begun ? h->cycle : UINT64_MAX;
}

bool tr_import_widen(struct tr_import *im, uint32_t hart, uint64_t count, uint64_t *cycle)
{
	const uint64_t last = tr_import_cycle(im, hart);
	const uint32_t passed = (uint32_t)(count - last);
	*cycle = last == UINT64_MAX ? count : last + passed;
	return last == UINT64_MAX || passed <= INT32_MAX;
}

uint64_t tr_import_next(struct tr_import *im, uint32_t hart)
{
	const struct import_hart *h = find_import_hart(im, hart);
	if (!h || !h->last_bits)
		return TR_EPC_UNKNOWN;
	const uint64_t bits = h->last.bits;
	uint8_t code[4];
	tr_store32(code, (uint32_t)bits);
	return tr_decode_next(code, tr_insn_length((unsigned)bits & 0xffff), im->xlen,
			      h->last.pc);
}

void tr_import_retract(struct tr_import *im, uint32_t hart, uint64_t pc)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (!h || !h->held || h->last.pc != tr_xlen_wrap(im->xlen, pc))
		return;
	h->held = false;
	h->writes = 0;
	h->cycle -= h->last_cycles;
	im->sink->tokens--;
}

void tr_import_drop_bits(struct tr_import *im, uint32_t hart)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (h && h->held)
		h->last_bits = false;
}

/* A trap before the first instruction of the handler of another one: where it occurred
 * tells which privilege that one entered. */
static void put_first_trap(struct tr_import *im, struct import_hart *h,
			   const struct tr_event *next)
{
	uint8_t priv = IMPORT_PRIV_UNKNOWN;
	if (h->has_priv)
		priv = guess_priv(im, h, next) == TR_PRIV_S ? TR_PRIV_S : TR_PRIV_M;
	put_privilege_change(im, h, priv);
	h->last_bits = false; /* a return to where it occurred has been reported */
}

void tr_import_trap(struct tr_import *im, uint32_t hart, uint64_t cause, uint64_t epc)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (!h)
		return;
	struct tr_event trap = {.kind = TR_EV_TRAP};
	trap.u.trap.cause = cause;
	trap.u.trap.epc = tr_xlen_wrap(im->xlen, epc);
	if (h->trapped)
		put_first_trap(im, h, &trap);
	if (h->begun)
		release_held_token(im, h, trap.u.trap.epc);
	h->trapped = h->begun;
	h->trap = trap;
}

void tr_import_trap_at(struct tr_import *im, const struct tr_event *trap, uint32_t hart,
		       uint64_t cycle)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (!h || im->status || im->sink->limited)
		return;
	tr_import_trap(im, hart, trap->u.trap.cause, trap->u.trap.epc);
	h->trap.cycles = cycle > h->cycle ? cycle - h->cycle : 0;
	h->cycle += h->trap.cycles;
}

void tr_import_gap(struct tr_import *im, uint32_t hart, uint64_t cycle, uint8_t priv,
		   enum tr_gap_reason reason)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (!h || im->status || cycle < h->cycle || im->sink->limited)
		return;
	struct tr_event event = {.kind = TR_EV_GAP, .cycles = cycle - h->cycle};
	event.u.gap.reason = (uint8_t)reason;
	release_held_token(im, h, h->last.pc + GUESSED_BYTES);
	put_privilege_change(im, h, priv);
	put_hart_event(im, h, &event);
	h->cycle = cycle;
}

void tr_import_tval(struct tr_import *im, uint32_t hart, uint64_t tval)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (h)
		h->trap.u.trap.tval = tr_xlen_wrap(im->xlen, tval);
}

void tr_import_reg(struct tr_import *im, uint32_t hart, const struct import_write *write)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (!h || !im->has_sp || !h->held)
		return;
	if (write->reg == TR_REG_SP) {
		h->writes |= WRITES_SP;
		h->sp = tr_xlen_wrap(im->xlen, write->value);
	} else if (write->reg == TR_REG_TP) {
		h->writes |= WRITES_TP;
		h->tp = tr_xlen_wrap(im->xlen, write->value);
	}
}

void tr_import_satp(struct tr_import *im, uint32_t hart, uint64_t satp)
{
	struct import_hart *h = find_import_hart(im, hart);
	if (!h || !h->begun)
		return;
	h->writes |= WRITES_SATP;
	h->satp = tr_xlen_wrap(im->xlen, satp);
}

void tr_import_flush(struct tr_import *im)
{
	struct import_sink *sink = im->sink;
	for (uint32_t i = 0; i < sink->nharts && !im->status; i++)
		release_held_token(im, sink->harts[i],
				   sink->harts[i]->last.pc + GUESSED_BYTES);
	tr_import_release(im, UINT64_MAX);
	for (uint32_t i = 0; i < sink->nharts && !im->status; i++) {
		struct import_hart *h = sink->harts[i];
		tr_out_batch(im, h);
		tr_out_block(im, h);
		if (sink->is_late && h->written)
			tr_out_limit(im, h);
	}
}

void tr_import_free_sink(struct import_sink *sink)
{
	for (uint32_t i = 0; sink && i < sink->nharts; i++)
		free(sink->harts[i]);
	if (sink) {
		free(sink->harts);
		tr_order_free(sink->order);
	}
	free(sink);
}
