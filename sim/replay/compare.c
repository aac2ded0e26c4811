/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the model does with the trace. */
#include <inttypes.h>
#include <string.h>

#include "accesses.h"
#include "base/little.h"
#include "lane.h"
#include "model/cause.h"
#include "model/csr.h"
#include "model/state.h"
#include "stream/codec.h"
#include "text/text_names.h"

/* Returns whether the model repeats such an event on its own. */
static bool is_repeated(const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		return !(event->u.trap.cause & TR_CAUSE_INTERRUPT);
	case TR_EV_XRET:
	case TR_EV_SATP:
	case TR_EV_REG:
		return true;
	default:
		return false;
	}
}

/* Returns the next event that the model repeats before `end`, if it stands before the
 * next token, else NULL. */
static const struct tr_event *next_repeated_event(struct lane *l, uint32_t end)
{
	const struct tr_hart_frame *f = lane_view(l);

	while (l->compare.event < end && !is_repeated(&f->events[l->compare.event]))
		l->compare.event++;
	if (l->compare.event >= end || f->events[l->compare.event].row > l->compare.row ||
	    l->compare.token)
		return NULL;
	return &f->events[l->compare.event];
}

/* Returns whether the model may have to repeat an event before the next token. */
static inline bool may_have_event(const struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);

	return l->compare.event < f->nevents &&
	       f->events[l->compare.event].row <= l->compare.row;
}

static const char *event_or_insn_name(const struct tr_event *event)
{
	return event ? tr_event_name(event->kind) : "an instruction";
}

/* Takes the next event, which must be of this kind. Returns NULL after a failure. */
static const struct tr_event *expect_event(struct lane *l, unsigned kind, uint64_t value)
{
	const struct tr_event *event = next_repeated_event(l, lane_view(l)->nevents);

	if (lane_is_beyond(l, l->compare.instret))
		return NULL;
	if (event && event->kind == kind) {
		l->compare.event++;
		return event;
	}
	replay_fail(l, l->compare.instret,
		    "the model has the event %s (0x%" PRIx64 "), the trace %s",
		    tr_event_name(kind), value, event_or_insn_name(event));
	return NULL;
}

static void compare_exception(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct lane *l = lane_of_hart(user, hart);

	if (l->compare.interrupting)
		return;
	const struct tr_event *event = expect_event(l, TR_EV_TRAP, trap->cause);
	if (!event)
		return;
	lane_counts(l)->traps++;
	if (event->u.trap.cause != trap->cause || event->u.trap.epc != trap->epc ||
	    event->u.trap.tval != trap->tval || event->u.trap.priv != trap->priv)
		replay_fail(l, l->compare.instret,
			    "the model traps with cause %" PRIu64 ", epc 0x%" PRIx64
			    ", tval 0x%" PRIx64 ", the trace with cause %" PRIu64
			    ", epc 0x%" PRIx64 ", tval 0x%" PRIx64,
			    trap->cause, trap->epc, trap->tval, event->u.trap.cause,
			    event->u.trap.epc, event->u.trap.tval);
}

static void compare_change(struct lane *l, const struct late *change)
{
	const struct tr_event *event = expect_event(l, change->kind, change->value);

	if (!event)
		return;
	uint64_t value = event->kind == TR_EV_SATP  ? event->u.satp.satp
			 : event->kind == TR_EV_REG ? event->u.reg.value
						    : event->u.xret.priv;
	uint64_t number = event->kind == TR_EV_REG ? event->u.reg.reg : 0;
	if (value != change->value || number != change->number)
		replay_fail(l, l->compare.instret,
			    "the event %s has the value 0x%" PRIx64
			    " in the model, 0x%" PRIx64 " in the trace",
			    tr_event_name(change->kind), change->value, value);
}

/* A change by the last instruction of a frame may be reported in the next frame. */
static void compare_or_defer(struct lane *l, unsigned kind, unsigned number,
			     uint64_t value)
{
	const struct late change = {kind, number, value};

	if (l->compare.row == lane_view(l)->nrows &&
	    !next_repeated_event(l, lane_view(l)->nevents) &&
	    l->compare.nlate < COMPARE_LATE && !lane_is_beyond(l, l->compare.instret))
		l->compare.late[l->compare.nlate++] = change;
	else
		compare_change(l, &change);
}

void compare_begin(struct lane *l, uint64_t generation)
{
	unsigned n = l->compare.nlate;

	l->compare.stamp = generation + 1;
	l->compare.nlate = 0;
	for (unsigned i = 0; i < n && !lane_failed(l); i++)
		compare_change(l, &l->compare.late[i]);
}

static void compare_xret(void *user, unsigned hart, unsigned priv)
{
	compare_or_defer(lane_of_hart(user, hart), TR_EV_XRET, 0, priv);
}

static void compare_satp(void *user, unsigned hart, uint64_t satp)
{
	struct lane *l = lane_of_hart(user, hart);

	if (satp != l->compare.satp)
		old_code_note_satp(l, l->compare.satp);
	l->compare.satp = satp;
	compare_or_defer(lane_of_hart(user, hart), TR_EV_SATP, 0, satp);
}

/* Returns whether sp has this value from LUI or AUIPC: it is the upper part of an
 * address, and no stack. */
static bool is_upper_part(const struct lane *l, uint64_t sp)
{
	enum { LUI_SP = 0x137, AUIPC_SP = 0x117, LOW = 0xfff };
	const uint64_t pc = soc_pc(lane_soc(l), lane_hart(l)) - 4;
	uint8_t code[4];

	if (!soc_read_virtual(lane_soc(l), lane_hart(l), pc, code, sizeof(code)))
		return false;
	switch (tr_load32(code) & LOW) {
	case LUI_SP:
		return (sp & LOW) == 0;
	case AUIPC_SP:
		return ((sp - pc) & LOW) == 0;
	default:
		return false;
	}
}

static void compare_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct lane *l = lane_of_hart(user, hart);

	if (reg == TR_REG_SP && !is_upper_part(l, value))
		watch_sp(l, value);
	compare_or_defer(l, TR_EV_REG, reg, value);
}

/* Notes the difference between instructions at `at` bytes in the model's row. */
static void fail_row(struct lane *l, const struct soc_row *row, unsigned at,
		     const struct tr_block *block)
{
	const struct tr_event *event = next_repeated_event(l, lane_view(l)->nevents);
	uint64_t pc = block ? block->pc + l->compare.bytes : 0;

	if (event)
		replay_fail(l, l->compare.instret,
			    "the trace has the event %s, the model executes 0x%" PRIx64,
			    tr_event_name(event->kind), row->pc + at);
	else if (!block)
		replay_fail(l, l->compare.instret,
			    "the model executes 0x%" PRIx64 ", the trace has ended",
			    row->pc + at);
	else if (pc != row->pc + at)
		replay_fail(l, l->compare.instret,
			    "the model executes 0x%" PRIx64 ", the trace 0x%" PRIx64,
			    row->pc + at, pc);
	else
		replay_fail(l, l->compare.instret,
			    "the instruction at 0x%" PRIx64 " is another one", pc);
}

/* Returns the number of tokens in the first `bytes` of the code. */
static unsigned count_tokens(const uint8_t *code, unsigned bytes)
{
	unsigned n = 0;

	for (unsigned at = 0; at < bytes; n++)
		at += (code[at] & 3) == 3 ? 4 : 2;
	return n;
}

/* Returns how many bytes of the two codes, of which `size` are known, are whole equal
 * instructions. */
static unsigned equal_bytes(const uint8_t *a, const uint8_t *b, unsigned size)
{
	unsigned at = 0;

	while (at < size) {
		unsigned n = (a[at] & 3) == 3 ? 4 : 2;

		if (at + n > size || memcmp(a + at, b + at, n) != 0)
			break;
		at += n;
	}
	return at;
}

/* Compares the model's row, from `at`, with the rest of the trace's. Returns the bytes
 * that agree, 0 after a failure. */
static unsigned compare_row_rest(struct lane *l, const struct soc_row *row, unsigned at)
{
	const struct tr_hart_frame *f = lane_view(l);
	const struct tr_block *block = NULL;
	unsigned left = row->bytes - at, n = 0;

	if (l->compare.row < f->nrows)
		block = lane_block(l, l->compare.row);
	if (block && !next_repeated_event(l, f->nevents) &&
	    block->pc + l->compare.bytes == row->pc + at) {
		if (left > (unsigned)(block->bytes - l->compare.bytes))
			left = block->bytes - l->compare.bytes;
		n = equal_bytes(row->code + at, block->code + l->compare.bytes, left);
		l->compare.bytes = (uint16_t)(l->compare.bytes + n);
	}
	unsigned tokens = count_tokens(row->code + at, n);
	l->compare.instret += tokens;
	l->compare.token = (uint16_t)(l->compare.token + tokens);
	if (n < left || n == 0)
		fail_row(l, row, at + n, block);
	if (block && l->compare.bytes == block->bytes) {
		l->compare.row++;
		l->compare.token = l->compare.bytes = 0;
	}
	return n < left ? 0 : n;
}

/* Returns whether the model's row is the trace's next one, by a previous comparison. */
static bool is_same_row(const struct lane *l, const struct soc_row *row)
{
	const struct tr_hart_frame *f = lane_view(l);
	const struct soc_row_cache *cache = row->cache;

	return cache && cache->stamp == l->compare.stamp && cache->pc == row->pc &&
	       l->compare.bytes == 0 && l->compare.row < f->nrows &&
	       lane_row(l, l->compare.row)->block == cache->id;
}

/* Remembers that the model's row is row `trace` of the view. */
static void remember_row(const struct lane *l, const struct soc_row *row, uint32_t trace)
{
	uint32_t block = lane_row(l, trace)->block;

	if (row->cache && block != UINT32_MAX &&
	    lane_block(l, trace)->bytes == row->bytes)
		*row->cache = (struct soc_row_cache){l->compare.stamp, row->pc, block};
}

static void compare_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct lane *l = lane_of_hart(user, hart);
	uint32_t first = l->compare.row;
	bool whole = l->compare.bytes == 0;

	if (lane_is_beyond(l, l->compare.instret))
		return;
	if (is_same_row(l, row) &&
	    !(may_have_event(l) && next_repeated_event(l, lane_view(l)->nevents))) {
		l->compare.row++;
		l->compare.instret += row->count;
		return;
	}
	for (unsigned at = 0, n; at < row->bytes; at += n) {
		n = compare_row_rest(l, row, at);
		if (n == 0)
			return;
	}
	if (whole && l->compare.row == first + 1 && l->compare.bytes == 0)
		remember_row(l, row, first);
}

void compare_set_hooks(struct replay *r)
{
	struct soc_hooks hooks = {.user = r,
				  .row = compare_row,
				  .trap = compare_exception,
				  .xret = compare_xret,
				  .satp = compare_satp,
				  .reg = compare_reg};

	accesses_add_hook(r, &hooks);
	soc_set_hooks(replay_soc(r), &hooks);
}

bool compare_awaits_trap(const struct lane *l, uint32_t event)
{
	struct lane ahead = *l;
	const struct tr_event *next = next_repeated_event(&ahead, event);

	return next && next->kind == TR_EV_TRAP;
}

uint32_t compare_next(struct lane *l)
{
	next_repeated_event(l, lane_view(l)->nevents);
	return l->compare.event;
}

void compare_check(struct lane *l, uint32_t row, unsigned token, uint32_t event)
{
	const struct tr_event *next = next_repeated_event(l, event);

	if (lane_failed(l))
		return;
	if (next)
		replay_fail(l, l->compare.instret,
			    "the trace has the event %s, the model does not",
			    tr_event_name(next->kind));
	else if (l->compare.row != row || l->compare.token != token)
		replay_fail(l, l->compare.instret, "the model stops here");
}

bool compare_is_deferred(const struct lane *l)
{
	return l->compare.nlate != 0;
}

uint32_t compare_place(const struct lane *l)
{
	return l->compare.event;
}

uint64_t compare_at(const struct lane *l, unsigned *token)
{
	*token = l->compare.token;
	return carry_number(lane_carry(l), l->compare.row);
}

/* ------------------------------------------------------------ events of the trace */

void compare_interrupt(struct lane *l, const struct tr_event *event, uint64_t instret)
{
	struct soc_trap first, last;

	l->compare.interrupting = true;
	soc_interrupt(lane_soc(l), lane_hart(l), event->u.trap.cause & 15);
	l->compare.interrupting = false;
	lane_counts(l)->interrupts++;
	soc_trap_chain(lane_soc(l), lane_hart(l), &first, &last);
	if (last.epc != event->u.trap.epc || last.priv != event->u.trap.priv)
		replay_fail(l, instret,
			    "the interrupt is taken at 0x%" PRIx64
			    " in the model, at 0x%" PRIx64 " in the trace",
			    last.epc, event->u.trap.epc);
}

void compare_registers(struct lane *l, const struct tr_event *event, uint64_t instret)
{
	lane_counts(l)->hashes++;
	if (soc_hash_hart(lane_soc(l), lane_hart(l)) != event->u.registers.hash)
		replay_fail(l, instret, "the registers differ");
}

/* ------------------------------------------------------------ where it begins */

static bool changes_state(unsigned kind)
{
	return kind == TR_EV_TRAP || kind == TR_EV_XRET || kind == TR_EV_SATP ||
	       kind == TR_EV_GAP;
}

/* At the start the trace may report registers before the first instruction, also behind
 * what tr-match and other filters have added. */
static void check_start_state(struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);

	if (f->start.satp != l->compare.satp ||
	    f->start.priv != soc_priv(lane_soc(l), lane_hart(l)))
		replay_fail(l, l->compare.instret,
			    "the trace begins in another state than the machine");
	for (; l->compare.event < f->nevents && f->events[l->compare.event].row == 0;
	     l->compare.event++) {
		const struct tr_event *event = &f->events[l->compare.event];

		if (changes_state(event->kind))
			break;
		if (event->kind == TR_EV_REG &&
		    soc_x(lane_soc(l), lane_hart(l), event->u.reg.reg) !=
			event->u.reg.value)
			replay_fail(l, l->compare.instret,
				    "the trace begins with x%u 0x%" PRIx64
				    ", the machine with 0x%" PRIx64,
				    event->u.reg.reg, event->u.reg.value,
				    soc_x(lane_soc(l), lane_hart(l), event->u.reg.reg));
	}
}

void compare_load_satp(struct lane *l)
{
	soc_csr(lane_soc(l), lane_hart(l), CSR_SATP, &l->compare.satp);
}

void compare_start(struct lane *l, uint64_t generation)
{
	l->compare.stamp = generation + 1;
	l->compare.instret = carry_instret(lane_carry(l));
	compare_load_satp(l);
	check_start_state(l);
}

void compare_skip(struct lane *l, unsigned token, unsigned bytes)
{
	l->compare.token = (uint16_t)token;
	l->compare.bytes = (uint16_t)bytes;
}

void compare_drop(struct lane *l, uint32_t rows, uint32_t events)
{
	l->compare.row -= rows;
	l->compare.event -= events;
}

/* ------------------------------------------------------------ saving and loading */

void compare_put_place(const struct lane *l, struct tr_buffer *out)
{
	tr_buffer_varint(out, l->compare.event);
	tr_buffer_varint(out, l->compare.bytes);
}

void compare_put_late(const struct lane *l, struct tr_buffer *out)
{
	tr_buffer_varint(out, l->compare.nlate);
	for (unsigned i = 0; i < l->compare.nlate; i++) {
		tr_buffer_varint(out, l->compare.late[i].kind);
		tr_buffer_varint(out, l->compare.late[i].number);
		tr_buffer_varint(out, l->compare.late[i].value);
	}
}

void compare_load_place(struct lane *l, struct tr_bytes *in)
{
	l->compare.event = (uint32_t)tr_varint_below(in, UINT32_MAX);
	l->compare.bytes = (uint16_t)tr_varint_below(in, 4 * TR_BLOCK_MAX_TOKENS);
}

void compare_load_late(struct lane *l, struct tr_bytes *in)
{
	l->compare.nlate = (unsigned)tr_varint_below(in, COMPARE_LATE + 1);
	for (unsigned i = 0; i < l->compare.nlate; i++) {
		l->compare.late[i].kind = (unsigned)tr_varint_below(in, TR_EV_LAST + 1);
		l->compare.late[i].number = (unsigned)tr_varint_below(in, 32);
		l->compare.late[i].value = tr_varint(in);
	}
}

bool compare_restore(struct lane *l, unsigned token, unsigned bytes)
{
	l->compare.token = (uint16_t)token;
	l->compare.instret = soc_instret(lane_soc(l), lane_hart(l));
	return l->compare.event <= lane_view(l)->nevents && l->compare.bytes == bytes;
}
