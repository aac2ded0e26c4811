/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the tokens and events of a log's harts into those of a stream.
 *
 * The last token of a hart is held back until the next one: only that tells how long an
 * instruction without bits is, whether it committed at all, and what it wrote. */
#include <errno.h>
#include <stdlib.h>

#include "import/import_order.h"
#include "import/import_state.h"
#include "stream/decode.h"
#include "stream/reader.h"
#include "stream/sp.h"
#include "stream/xlen.h"

enum { GUESSED_BYTES = 4 };

/* What the held token wrote. */
enum { WRITES_SP = 1, WRITES_TP = 2, WRITES_SATP = 4 };

static const struct tr_run no_runs[1];

struct import_hart {
	uint32_t number, index;
	bool begun, written; /* the log has it; the stream has it */
	struct tr_context start;
	uint64_t start_cycle,
	    released;	/* cycle: of the first token; up to what is written */
	uint64_t cycle; /* of the last token, whether held or not */
	uint8_t priv;
	bool has_priv;	/* the log tells it */
	bool has_lower; /* code outside M-mode has run */

	bool held;     /* `last` is not in the batch */
	bool in_order; /* put what it does into the order of time */
	struct tr_commit last;
	uint64_t last_cycles;
	bool last_bits;
	uint8_t writes; /* WRITES_* */
	uint64_t sp, tp, satp;
	bool trapped;
	struct tr_event trap;

	/* Tokens for tr_writer_tokens() */
	struct tr_commit tokens[IMPORT_BATCH];
	struct tr_stall stalls[IMPORT_BATCH];
	uint32_t count, nstalls;

	/* A block without bits */
	uint64_t pc, next;
	uint8_t lengths[TR_BLOCK_MAX_TOKENS];
	struct tr_stall delays[TR_BLOCK_MAX_TOKENS];
	uint16_t length, ndelays;
};

static bool wrote(struct tr_import *im, int status)
{
	if (status && !im->status)
		im->status = status;
	return !im->status;
}

/* Passes the batch to the writer. */
static void put_batch(struct tr_import *im, struct import_hart *h)
{
	struct tr_batch batch = {.tokens = h->tokens,
				 .stalls = h->stalls,
				 .runs = no_runs,
				 .count = h->count,
				 .nstalls = h->nstalls};
	if (h->count)
		wrote(im, tr_writer_tokens(im->sink->writer, h->number, &batch));
	h->count = h->nstalls = 0;
}

/* Passes the block without bits to the writer. A call that begins a generation discards
 * the ids of the calls before it. */
static void put_block(struct tr_import *im, struct import_hart *h)
{
	struct tr_block block = {.pc = h->pc,
				 .code = h->lengths,
				 .tokens = h->length,
				 .bytes = (uint16_t)(h->next - h->pc),
				 .no_bits = true};
	struct tr_timing timing = {
	    .stalls = h->delays, .runs = no_runs, .nstalls = h->ndelays};
	uint32_t block_id = 0, timing_id = 0;
	uint64_t generation;
	if (!h->length)
		return;
	do {
		generation = tr_writer_generation(im->sink->writer);
		wrote(im, tr_writer_block(im->sink->writer, &block, &block_id));
		if (h->ndelays)
			wrote(im,
			      tr_writer_timing(im->sink->writer, &timing, &timing_id));
	} while (!im->status && generation != tr_writer_generation(im->sink->writer));
	if (!im->status)
		wrote(im,
		      tr_writer_row(im->sink->writer, h->number, block_id, timing_id));
	h->length = h->ndelays = 0;
}

/* Adds a token to the block without bits. */
static inline void add_length(struct tr_import *im, struct import_hart *h, uint64_t pc,
			      uint64_t next, uint64_t cycles)
{
	if (h->count)
		put_batch(im, h);
	uint64_t bytes = next - pc;
	bool follows = bytes == 2 || bytes == 4;
	if (h->length && h->next != pc)
		put_block(im, h);
	if (!h->length)
		h->pc = h->next = pc;
	if (!follows)
		bytes = GUESSED_BYTES;
	if (cycles != 1)
		h->delays[h->ndelays++] =
		    (struct tr_stall){.cycles = cycles, .token = h->length};
	h->lengths[h->length++] = (uint8_t)bytes;
	h->next += bytes;
	if (!follows || h->length == TR_BLOCK_MAX_TOKENS)
		put_block(im, h);
}

static inline void add_bits(struct tr_import *im, struct import_hart *h,
			    const struct tr_commit *token, uint64_t cycles)
{
	if (h->length)
		put_block(im, h);
	if (cycles != 1)
		h->stalls[h->nstalls++] =
		    (struct tr_stall){.cycles = cycles, .token = (uint16_t)h->count};
	h->tokens[h->count++] = *token;
	if (h->count == IMPORT_BATCH)
		put_batch(im, h);
}

static void write_event(struct tr_import *im, struct import_hart *h,
			const struct tr_event *event)
{
	put_batch(im, h);
	put_block(im, h);
	if (!im->status)
		wrote(im, tr_writer_event(im->sink->writer, h->number, event));
}

static void put_event(struct tr_import *im, struct import_hart *h,
		      const struct tr_event *event)
{
	if (!h->in_order)
		write_event(im, h, event);
	else if (!tr_order_put_event(im->sink->order, h->index, event))
		wrote(im, TR_E_NOMEM);
}

static void put_reg(struct tr_import *im, struct import_hart *h, uint8_t reg,
		    uint64_t value)
{
	struct tr_event event = {.kind = TR_EV_REG};
	event.u.reg.reg = reg;
	event.u.reg.value = value;
	put_event(im, h, &event);
}

/* What the held token wrote, except what its bits tell. */
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
		put_event(im, h, &event);
	}
	h->writes = 0;
}

/* Puts the held token in the order of time. If harts are far apart, the order of the log
 * counts. */
static void hold_back(struct tr_import *im, struct import_hart *h, uint64_t next)
{
	const struct import_item token = {.pc = h->last.pc,
					  .bits = h->last.bits,
					  .next = next,
					  .cycles = h->last_cycles,
					  .has_bits = h->last_bits};
	if (im->sink->limited)
		return;
	if (!tr_order_put(im->sink->order, h->index, &token))
		wrote(im, TR_E_NOMEM);
	else if (tr_order_held(im->sink->order) > 2 * IMPORT_HELD)
		tr_import_release(im, 0);
}

/* Passes the held token on. The next one is at `next`. */
static void let_go(struct tr_import *im, struct import_hart *h, uint64_t next)
{
	if (h->held && h->in_order)
		hold_back(im, h, next);
	else if (h->held && h->last_bits)
		add_bits(im, h, &h->last, h->last_cycles);
	else if (h->held)
		add_length(im, h, h->last.pc, next, h->last_cycles);
	h->held = false;
	if (h->writes)
		put_writes(im, h);
}

static bool is_xret(const struct import_hart *h)
{
	uint32_t bits = (uint32_t)h->last.bits;
	return h->last_bits && (bits == 0x30200073 || bits == 0x10200073);
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
static void put_priv(struct tr_import *im, struct import_hart *h, uint8_t priv)
{
	struct tr_event event = {.kind = TR_EV_PRIV};
	const bool known = priv != IMPORT_PRIV_UNKNOWN;
	if (known && is_xret(h)) {
		event.kind = TR_EV_XRET;
		event.u.xret.priv = h->trapped ? guess_priv(im, h, &h->trap) : priv;
		put_event(im, h, &event);
	} else if (known && priv != h->priv && !h->trapped) {
		event.u.priv.priv = priv;
		put_event(im, h, &event);
	}
	if (h->trapped) {
		h->trap.u.trap.priv = known ? priv : h->priv;
		put_event(im, h, &h->trap);
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
		wrote(im, TR_E_UNSUPPORTED);
		return NULL;
	}
	if (!im->sink->harts)
		im->sink->harts = calloc(TR_MAX_HARTS, sizeof(struct import_hart *));
	struct import_hart *h = im->sink->harts ? calloc(1, sizeof(*h)) : NULL;
	if (!h) {
		wrote(im, TR_E_NOMEM);
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

static inline struct import_hart *find_hart(struct tr_import *im, uint32_t number)
{
	struct import_hart *h = im->sink->hart;
	return h && h->number == number ? h : search_hart(im, number);
}

static void write_begin(struct tr_import *im, struct import_hart *h)
{
	h->written = true;
	wrote(im,
	      tr_writer_begin(im->sink->writer, h->number, h->start_cycle, &h->start));
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
		write_begin(im, h);
}

/* The hart's first token: the stream begins so that it commits when the log says. */
static void begin(struct tr_import *im, struct import_hart *h,
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
	struct import_hart *h = find_hart(im, hart);
	if (h && !h->begun)
		begin_at(im, h, cycle, context);
}

void tr_import_token(struct tr_import *im, const struct import_token *token)
{
	struct import_hart *h = find_hart(im, token->hart);
	if (!h || im->status)
		return;
	if (!h->begun)
		begin(im, h, token);
	uint64_t cycle = token->has_cycle ? token->cycle : h->cycle + 1;
	const uint64_t pc = tr_xlen_wrap(im->xlen, token->pc);
	if (h->held && h->last_bits && !h->in_order && !h->writes)
		add_bits(im, h, &h->last, h->last_cycles);
	else
		let_go(im, h, pc);
	if ((token->priv != h->priv && token->priv != IMPORT_PRIV_UNKNOWN) ||
	    h->trapped || is_xret(h))
		put_priv(im, h, token->priv);
	h->held = true;
	h->last = (struct tr_commit){.pc = pc, .bits = token->bits};
	h->last_bits = token->has_bits;
	h->last_cycles = cycle - h->cycle;
	h->cycle = cycle;
	im->sink->tokens++;
}

void tr_import_repeat(struct tr_import *im, uint32_t hart, uint64_t count)
{
	const struct import_hart *h = find_hart(im, hart);
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
	struct import_hart *h = find_hart(im, hart);
	return !h || !h->begun || (cycle >= h->cycle && cycle - h->cycle < TR_MAX_CYCLES);
}

uint64_t tr_import_cycle(struct tr_import *im, uint32_t hart)
{
	struct import_hart *h = find_hart(im, hart);
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
	const struct import_hart *h = find_hart(im, hart);
	if (!h || !h->last_bits)
		return TR_EPC_UNKNOWN;
	const uint64_t bits = h->last.bits;
	const uint8_t code[] = {(uint8_t)bits, (uint8_t)(bits >> 8),
				(uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
	return tr_decode_next(code, tr_insn_length((unsigned)bits & 0xffff), im->xlen,
			      h->last.pc);
}

void tr_import_retract(struct tr_import *im, uint32_t hart, uint64_t pc)
{
	struct import_hart *h = find_hart(im, hart);
	if (!h || !h->held || h->last.pc != tr_xlen_wrap(im->xlen, pc))
		return;
	h->held = false;
	h->writes = 0;
	h->cycle -= h->last_cycles;
	im->sink->tokens--;
}

void tr_import_drop_bits(struct tr_import *im, uint32_t hart)
{
	struct import_hart *h = find_hart(im, hart);
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
	put_priv(im, h, priv);
	h->last_bits = false; /* a return to where it occurred has been reported */
}

void tr_import_trap(struct tr_import *im, uint32_t hart, uint64_t cause, uint64_t epc)
{
	struct import_hart *h = find_hart(im, hart);
	if (!h)
		return;
	struct tr_event trap = {.kind = TR_EV_TRAP};
	trap.u.trap.cause = cause;
	trap.u.trap.epc = tr_xlen_wrap(im->xlen, epc);
	if (h->trapped)
		put_first_trap(im, h, &trap);
	if (h->begun)
		let_go(im, h, trap.u.trap.epc);
	h->trapped = h->begun;
	h->trap = trap;
}

void tr_import_trap_at(struct tr_import *im, const struct tr_event *trap, uint32_t hart,
		       uint64_t cycle)
{
	struct import_hart *h = find_hart(im, hart);
	if (!h || im->status || im->sink->limited)
		return;
	tr_import_trap(im, hart, trap->u.trap.cause, trap->u.trap.epc);
	h->trap.cycles = cycle > h->cycle ? cycle - h->cycle : 0;
	h->cycle += h->trap.cycles;
}

void tr_import_gap(struct tr_import *im, uint32_t hart, uint64_t cycle, uint8_t priv,
		   enum tr_gap_reason reason)
{
	struct import_hart *h = find_hart(im, hart);
	if (!h || im->status || cycle < h->cycle || im->sink->limited)
		return;
	struct tr_event event = {.kind = TR_EV_GAP, .cycles = cycle - h->cycle};
	event.u.gap.reason = (uint8_t)reason;
	let_go(im, h, h->last.pc + GUESSED_BYTES);
	put_priv(im, h, priv);
	put_event(im, h, &event);
	h->cycle = cycle;
}

void tr_import_tval(struct tr_import *im, uint32_t hart, uint64_t tval)
{
	struct import_hart *h = find_hart(im, hart);
	if (h)
		h->trap.u.trap.tval = tr_xlen_wrap(im->xlen, tval);
}

void tr_import_reg(struct tr_import *im, uint32_t hart, const struct import_write *write)
{
	struct import_hart *h = find_hart(im, hart);
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
	struct import_hart *h = find_hart(im, hart);
	if (!h || !h->begun)
		return;
	h->writes |= WRITES_SATP;
	h->satp = tr_xlen_wrap(im->xlen, satp);
}

/* The limit counts from the first cycle of the stream. */
static void set_limit(struct tr_import *im)
{
	struct import_sink *sink = im->sink;
	const uint64_t first = tr_order_start(sink->order), most = im->options.max_cycles;
	sink->first_cycle = first;
	sink->last_cycle = most < UINT64_MAX - first ? first + most : UINT64_MAX;
}

/* Passes an item on, or finds that it is beyond a limit, as are all after it. */
static void release_item(struct tr_import *im, const struct import_item *item,
			 uint32_t hart, uint64_t cycle)
{
	struct import_sink *sink = im->sink;
	struct import_hart *h = sink->harts[hart];
	sink->is_late = cycle > sink->last_cycle;
	sink->limited = sink->is_late ||
			(!item->event && sink->released == im->options.max_instructions);
	if (sink->limited)
		return;
	if (!h->written)
		write_begin(im, h);
	h->released = cycle;
	if (item->event)
		write_event(im, h, item->event);
	else if (item->has_bits)
		add_bits(im, h, &(struct tr_commit){.pc = item->pc, .bits = item->bits},
			 item->cycles);
	else
		add_length(im, h, item->pc, item->next, item->cycles);
	sink->released += !item->event;
	tr_order_drop(sink->order, hart);
}

void tr_import_release(struct tr_import *im, uint64_t horizon)
{
	struct import_sink *sink = im->sink;
	const struct import_item *item;
	uint32_t hart;
	uint64_t cycle = 0;
	while (sink->order && !sink->limited && !im->status &&
	       (item = tr_order_first(sink->order, &hart, &cycle)) &&
	       (cycle < horizon || tr_order_held(sink->order) > IMPORT_HELD)) {
		if (!sink->last_cycle)
			set_limit(im);
		release_item(im, item, hart, cycle);
	}
}

/* The cycles between what the hart did last and the limit. */
static void put_limit(struct tr_import *im, struct import_hart *h)
{
	struct tr_event event = {.kind = TR_EV_GAP, .u.gap.reason = TR_GAP_LIMIT};
	uint64_t left = im->sink->last_cycle - h->released;
	for (; left && !im->status; left -= event.cycles) {
		event.cycles = left < TR_MAX_CYCLES ? left : TR_MAX_CYCLES - 1;
		write_event(im, h, &event);
	}
}

void tr_import_flush(struct tr_import *im)
{
	struct import_sink *sink = im->sink;
	for (uint32_t i = 0; i < sink->nharts && !im->status; i++)
		let_go(im, sink->harts[i], sink->harts[i]->last.pc + GUESSED_BYTES);
	tr_import_release(im, UINT64_MAX);
	for (uint32_t i = 0; i < sink->nharts && !im->status; i++) {
		struct import_hart *h = sink->harts[i];
		put_batch(im, h);
		put_block(im, h);
		if (sink->is_late && h->written)
			put_limit(im, h);
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
