/* SPDX-License-Identifier: Apache-2.0 */
/* Formats frames of rows: definitions, rows and events, or tokens. */
#include <inttypes.h>

#include "base/little.h"
#include "text/text.h"
#include "text/text_names.h"

void tr_text_init(struct tr_text *text, FILE *out, const struct tr_reader *reader)
{
	*text = (struct tr_text){.out = out, .reader = reader, .nodes = 1};
}

void tr_text_values(const struct tr_text *text, const char *word,
		    const struct tr_header *values)
{
	for (size_t i = 0; i < tr_header_count(values); i++)
		fprintf(text->out, "%s %s=%s\n", word, tr_header_key(values, i),
			tr_header_value(values, i));
}

/* Prints two digits per byte, most significant first; dots if there are no bits. */
static void print_insn_word(FILE *out, uint64_t bits, unsigned bytes, bool no_bits)
{
	if (no_bits)
		fprintf(out, " %.*s", (int)(2 * bytes), "................");
	else
		fprintf(out, " %0*" PRIx64, (int)(2 * bytes), bits);
}

static void print_block_line(const struct tr_text *text, uint32_t id)
{
	static const struct tr_timing plain = {0};
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	const struct tr_block *block = tr_reader_block(text->reader, id);
	tr_tokens(block, &plain, tokens);
	fprintf(text->out, "block b%" PRIu32 " pc=0x%" PRIx64, id, block->pc);
	for (unsigned i = 0; i < block->tokens; i++)
		print_insn_word(text->out, tokens[i].insn, tokens[i].bytes,
				block->no_bits);
	fputc('\n', text->out);
}

static void print_note_line(const struct tr_text *text, const struct tr_note *note)
{
	FILE *out = text->out;
	if (note->space == TR_SPACE_MACHINE)
		fputs("note machine", out);
	else if (note->space == TR_SPACE_SUPERVISOR)
		fputs("note supervisor", out);
	else if (note->space >= TR_SPACE_GUEST)
		fprintf(out, "note guest%" PRIu32, note->space - TR_SPACE_GUEST);
	else
		fprintf(out, "note %" PRIu32, note->space);
	fprintf(out, " b%" PRIu32, note->block);
	if (note->binary == TR_NOTE_UNKNOWN)
		fputs(" bin=unknown", out);
	else if (note->binary == TR_NOTE_AMBIGUOUS)
		fputs(" bin=ambiguous", out);
	else
		fprintf(out, " bin=%" PRIu32, note->binary);
	fprintf(out, " address=0x%" PRIx64 "\n", note->address);
}

/* Few streams have hgatp. */
static void print_context(FILE *out, const struct tr_context *context)
{
	char room[TR_NAME_ROOM];
	fprintf(out, " priv=%s satp=0x%" PRIx64 " tp=0x%" PRIx64 " space=%" PRIu32,
		tr_priv_name(context->priv, room), context->satp, context->tp,
		context->space);
	if (context->hgatp)
		fprintf(out, " hgatp=0x%" PRIx64, context->hgatp);
}

static void print_hart_start(FILE *out, const struct tr_hart_frame *hart)
{
	fprintf(out, "hart %" PRIu32 " cycle=%" PRIu64, hart->hart, hart->start_cycle);
	print_context(out, &hart->start);
	fputc('\n', out);
}

static void print_stall_runs(FILE *out, const struct tr_run *runs, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "/%u*%" PRIu32, runs[i].class, runs[i].slots);
}

static void print_trap_event(FILE *out, const struct tr_event *event)
{
	char room[TR_NAME_ROOM];
	uint64_t cause = event->u.trap.cause;
	const char *meaning = tr_cause_text(cause);
	fprintf(out, "trap %s=%" PRIu64 " priv=%s",
		cause & TR_CAUSE_INTERRUPT ? "interrupt" : "cause",
		cause & ~TR_CAUSE_INTERRUPT, tr_priv_name(event->u.trap.priv, room));
	if (event->u.trap.epc != TR_EPC_UNKNOWN)
		fprintf(out, " epc=0x%" PRIx64, event->u.trap.epc);
	fprintf(out, " tval=0x%" PRIx64 " cycles=%" PRIu64, event->u.trap.tval,
		event->cycles);
	print_stall_runs(out, event->u.trap.runs, event->u.trap.nruns);
	if (*meaning)
		fprintf(out, " (%s)", meaning);
}

static void print_data_bytes(FILE *out, const uint8_t *data, uint32_t size)
{
	fputs(" data=", out);
	for (uint32_t i = 0; i < size; i++)
		fprintf(out, "%02x", data[i]);
}

static void print_raw_event(FILE *out, const struct tr_event *event)
{
	const char *name = tr_event_name(event->kind);
	if (name)
		fputs(name, out);
	else
		fprintf(out, "event kind=%u", event->kind);
	print_data_bytes(out, event->u.raw.data, event->u.raw.size);
	if (event->kind != TR_EV_MARK)
		return;
	fputs(" (", out);
	for (uint32_t i = 0; i < event->u.raw.size; i++) {
		uint8_t c = event->u.raw.data[i];
		fputc(c >= ' ' && c < 0x7f ? c : '.', out);
	}
	fputc(')', out);
}

/* Events for replay. Returns false if it is of another kind. */
static bool print_input_events(FILE *out, const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_MMIO_LOAD:
	case TR_EV_ATOMIC:
		fprintf(out, "%s address=0x%" PRIx64 " size=%u value=0x%" PRIx64,
			tr_event_name(event->kind), event->u.access.address,
			event->u.access.size, event->u.access.value);
		return true;
	case TR_EV_CSR_READ:
		fprintf(out, "csr-read csr=0x%x value=0x%" PRIx64, event->u.csr.number,
			event->u.csr.value);
		return true;
	case TR_EV_DEVICE_WRITE:
	case TR_EV_MEMORY:
		fprintf(out, "%s address=0x%" PRIx64, tr_event_name(event->kind),
			event->u.write.address);
		print_data_bytes(out, event->u.write.data, event->u.write.size);
		return true;
	case TR_EV_TRANSLATION:
		fprintf(out, "translation address=0x%" PRIx64 " store=%u",
			event->u.translation.address, event->u.translation.store);
		return true;
	case TR_EV_REGISTERS:
		fprintf(out, "registers hash=0x%" PRIx64, event->u.registers.hash);
		return true;
	case TR_EV_STATE:
		fprintf(out, "state back=%u", event->u.state.back);
		print_data_bytes(out, event->u.state.text, event->u.state.size);
		return true;
	default:
		return false;
	}
}

static void print_event_body(const struct tr_text *text, const struct tr_event *event)
{
	FILE *out = text->out;
	char room[TR_NAME_ROOM];
	switch (event->kind) {
	case TR_EV_TRAP:
		print_trap_event(out, event);
		break;
	case TR_EV_XRET:
		fprintf(out, "xret priv=%s", tr_priv_name(event->u.xret.priv, room));
		break;
	case TR_EV_SATP:
		fprintf(out, "satp 0x%" PRIx64, event->u.satp.satp);
		if (event->u.satp.space)
			fprintf(out, " space=%" PRIu32, event->u.satp.space);
		break;
	case TR_EV_HGATP:
		fprintf(out, "hgatp 0x%" PRIx64, event->u.hgatp.hgatp);
		break;
	case TR_EV_PRIV:
		fprintf(out, "priv %s", tr_priv_name(event->u.priv.priv, room));
		break;
	case TR_EV_REG:
		fprintf(out, "reg x%u 0x%" PRIx64, event->u.reg.reg, event->u.reg.value);
		break;
	case TR_EV_TRIGGER:
		fputs(event->u.trigger.start ? "trigger start" : "trigger stop", out);
		break;
	case TR_EV_GAP:
		fprintf(out, "gap cycles=%" PRIu64 " tokens=%" PRIu64 " reason=%s",
			event->cycles, event->u.gap.tokens,
			tr_gap_name(event->u.gap.reason));
		break;
	case TR_EV_BREAK:
		fprintf(out, "break from=0x%" PRIx64 " to=0x%" PRIx64,
			event->u.broken.from, event->u.broken.to);
		if (event->u.broken.count != 1)
			fprintf(out, " count=%" PRIu64, event->u.broken.count);
		break;
	case TR_EV_SPACE:
		fprintf(out, "space %" PRIu32, event->u.space.space);
		break;
	default:
		if (!print_input_events(out, event))
			print_raw_event(out, event);
	}
}

static void print_sample_event(const struct tr_text *text, const struct tr_event *event)
{
	fprintf(text->out, "counters %" PRIu32 " cycles=%" PRIu64, event->u.counters.set,
		event->cycles);
	if (event->token)
		fprintf(text->out, " token=%u", event->token);
	tr_text_values_of(text, event->u.counters.set, event->u.counters.values);
}

static void print_hit_event(const struct tr_text *text, const struct tr_event *event,
			    bool by_token)
{
	tr_text_probe(text->out, event->u.probe.probe);
	if (event->cycles)
		fprintf(text->out, " cycles=%" PRIu64, event->cycles);
	if (event->token && !by_token)
		fprintf(text->out, " token=%u", event->token);
	tr_text_hit(text, &event->u.probe);
}

static void print_event_line(const struct tr_text *text, const struct tr_event *event,
			     bool by_token)
{
	FILE *out = text->out;
	if (event->kind == TR_EV_PROBE) {
		print_hit_event(text, event, by_token);
		return;
	}
	if (event->kind == TR_EV_COUNTERS) {
		print_sample_event(text, event);
		return;
	}
	print_event_body(text, event);
	if (event->cycles && event->kind != TR_EV_TRAP && event->kind != TR_EV_GAP)
		fprintf(out, " cycles=%" PRIu64, event->cycles);
	if (event->token && !by_token)
		fprintf(out, " token=%u", event->token);
	fputc('\n', out);
}

static void print_row_line(const struct tr_text *text, const struct tr_row *row,
			   uint32_t times)
{
	FILE *out = text->out;
	const struct tr_timing *timing = tr_reader_timing(text->reader, row->timing);
	fprintf(out, "row b%" PRIu32, row->block);
	if (times > 1)
		fprintf(out, " x%" PRIu32, times);
	if (timing->nstalls)
		fputs(" stall", out);
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		fprintf(out, " %u:%" PRIu64, stall->token, stall->cycles);
		print_stall_runs(out, timing->runs + stall->first_run, stall->nruns);
	}
	fputc('\n', out);
}

static void print_repeated_rows(const struct tr_text *text,
				const struct tr_cursor *cursor, uint32_t first,
				uint32_t last)
{
	const struct tr_row *rows = cursor->hart->rows;
	while (first < last) {
		uint32_t end = first + 1;
		while (end < last && rows[end].block == rows[first].block &&
		       rows[end].timing == rows[first].timing)
			end++;
		print_row_line(text, &rows[first], end - first);
		first = end;
	}
}

/* Events inside a row, which are known before the row. */
struct inside {
	const struct tr_event *events;
	uint32_t count;
};

static void print_inside_events(const struct tr_text *text, struct inside *inside,
				unsigned token)
{
	for (; inside->count && inside->events->token == token; inside->count--)
		print_event_line(text, inside->events++, true);
}

/* Prints what a token accessed as a comment: "(store 8 at 0x4000 = 0x80004000)". */
static void print_access(FILE *out, const struct tr_access *access)
{
	const char *what = access->kind & TR_ACCESS_SC	       ? "sc"
			   : !(access->kind & TR_ACCESS_LOAD)  ? "store"
			   : !(access->kind & TR_ACCESS_STORE) ? "load"
							       : "amo";
	fprintf(out, " (%s %u at 0x%" PRIx64, what, access->size, access->address);
	if (access->physical != access->address)
		fprintf(out, " = 0x%" PRIx64, access->physical);
	fprintf(out, "%s)", access->kind & TR_ACCESS_DEVICE ? " device" : "");
}

static void print_row_tokens(const struct tr_text *text, const struct tr_cursor *cursor,
			     const struct tr_row *row, struct inside *inside,
			     uint64_t *cycle)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	unsigned count = 0, next = 0;
	const struct tr_access *accesses =
	    text->accesses ? tr_accesses_row(text->accesses, text->part,
					     (uint32_t)(row - cursor->hart->rows), &count)
			   : NULL;
	const struct tr_block *block = tr_reader_block(text->reader, row->block);
	tr_tokens(block, tr_reader_timing(text->reader, row->timing), tokens);
	for (unsigned i = 0; i < block->tokens; i++) {
		const struct tr_token *token = &tokens[i];
		print_inside_events(text, inside, i);
		*cycle += token->cycles;
		fprintf(text->out, "token 0x%" PRIx64, token->pc);
		print_insn_word(text->out, token->insn, token->bytes, block->no_bits);
		fprintf(text->out, " cycles=%" PRIu64, token->cycles);
		print_stall_runs(text->out, token->runs, token->nruns);
		fprintf(text->out, " hart=%" PRIu32 " cycle=%" PRIu64, cursor->hart->hart,
			*cycle);
		print_context(text->out, &cursor->context);
		for (; next < count && accesses[next].token == i; next++)
			print_access(text->out, &accesses[next]);
		fputc('\n', text->out);
	}
}

static void print_row_by_token(const struct tr_text *text, const struct tr_cursor *cursor,
			       uint32_t first, uint32_t last, struct inside *inside)
{
	uint64_t cycle = cursor->cycle;
	for (uint32_t i = first; i < last; i++)
		print_row_tokens(text, cursor, &cursor->hart->rows[i], inside, &cycle);
}

static void print_hart_frame(const struct tr_text *text, const struct tr_hart_frame *hart,
			     bool by_token)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	struct inside inside = {0};
	print_hart_start(text->out, hart);
	tr_cursor_init(&cursor, hart);
	while ((step = tr_cursor_next(&cursor, &first, &last, &event))) {
		if (step == TR_STEP_ROWS && by_token)
			print_row_by_token(text, &cursor, first, last, &inside);
		else if (step == TR_STEP_ROWS)
			print_repeated_rows(text, &cursor, first, last);
		else if (!by_token || !event->token)
			print_event_line(text, event, by_token);
		else
			inside = (struct inside){.events = event - inside.count,
						 .count = inside.count + 1};
	}
}

static void print_frame_line(struct tr_text *text, const struct tr_frame *frame)
{
	if (text->generation != frame->generation)
		text->blocks = 0;
	text->generation = frame->generation;
	fprintf(text->out, "frame %" PRIu64 " generation=%" PRIu64 "\n", frame->number,
		frame->generation);
}

void tr_text_frame(struct tr_text *text, const struct tr_frame *frame)
{
	print_frame_line(text, frame);
	while (text->blocks < tr_reader_block_count(text->reader))
		print_block_line(text, text->blocks++);
	for (uint32_t i = 0; i < frame->nnotes; i++)
		print_note_line(text, &frame->notes[i]);
	for (uint32_t i = 0; i < frame->nharts; i++)
		print_hart_frame(text, &frame->harts[i], false);
}

void tr_text_tokens(struct tr_text *text, const struct tr_frame *frame)
{
	print_frame_line(text, frame);
	for (text->part = 0; text->part < frame->nharts; text->part++)
		print_hart_frame(text, &frame->harts[text->part], true);
}
