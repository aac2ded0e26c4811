/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes text as a stream of rows, record by record. */
#include "text/text_encode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/writer.h"
#include "text/text_names.h"

int tr_text_read_header(struct tr_text_source *source, struct tr_header *header)
{
	while (tr_line_next(source)) {
		if (strcmp(tr_line_record(source), "header") != 0) {
			tr_line_hold(source);
			break;
		}
		char *key = source->line->count > 1 ? source->line->words[1] : NULL;
		char *equals = key ? strchr(key, '=') : NULL;
		if (!equals)
			return tr_line_fail(source, "not header KEY=VALUE");
		*equals = '\0';
		int status = tr_header_add(header, key, equals + 1);
		if (status == TR_E_ARGUMENT)
			return tr_line_fail(source, "not a key: \"%.60s\"", key);
		tr_line_status(source, status);
	}
	source->commit_width = tr_header_commit_width(header);
	if (!source->status) {
		int status = tr_counters_read(&source->counters, header);
		if (status == TR_E_CORRUPT)
			return tr_line_fail(source, "labels of counters: one empty, too "
						    "long or twice, or too many");
		tr_line_status(source, status);
	}
	if (!source->status) {
		int status = tr_probe_names_read(&source->probes, header);
		if (status == TR_E_CORRUPT)
			return tr_line_fail(source, "names of probes or fields: one "
						    "empty, too long, not printable or "
						    "twice, or too many");
		tr_line_status(source, status);
	}
	return source->status;
}

void tr_text_end_line(struct tr_text_source *source, struct tr_header *end)
{
	if (source->line->count < 2)
		return;
	char *key = source->line->words[1];
	char *equals = strchr(key, '=');
	if (equals)
		*equals = '\0';
	int status = equals ? tr_header_add(end, key, equals + 1) : TR_E_ARGUMENT;
	if (status == TR_E_ARGUMENT)
		tr_line_fail(source, "not end KEY=VALUE");
	else
		tr_line_status(source, status);
}

static void check_total(struct tr_text_source *source, const char *key, uint64_t total,
			const struct tr_header *end)
{
	const char *text = tr_header_get(end, key);
	if (text && tr_header_get_u64(end, key, ~total) != total)
		tr_line_fail(source, "%s=%.60s, but the rows have %" PRIu64, key, text,
			     total);
}

int tr_text_check_totals(struct tr_text_source *source, const struct tr_writer *writer,
			 const struct tr_header *end)
{
	check_total(source, "instructions", tr_writer_instructions(writer), end);
	check_total(source, "cycles", tr_writer_cycles(writer), end);
	return source->status;
}

static void take_frame_line(struct text_encoder *e)
{
	int status = TR_OK;
	tr_line_word(e->source);
	tr_line_value(e->source, "generation");
	for (unsigned i = 0; i < e->nharts && !status; i++)
		status = tr_writer_cut(e->writer, e->harts[i].number);
	if (!status)
		status = tr_writer_flush(e->writer);
	tr_line_status(e->source, status);
	tr_line_done(e->source);
}

static void take_block_line(struct text_encoder *e)
{
	struct text_block *block = tr_text_define_block(e->source, &e->blocks);
	if (block) /* defines it now, so that ids follow the order of the text */
		tr_text_block_id(e, block);
}

static void take_event_line(struct text_encoder *e)
{
	struct tr_arena arena = {0};
	struct tr_event event;
	if (!tr_text_event(e->source, &arena, &event))
		tr_line_fail(e->source, "no such record: \"%.60s\"",
			     tr_line_record(e->source));
	struct text_hart *hart = tr_text_hart(e);
	if (!e->source->status && (event.kind == TR_EV_TRAP || event.kind == TR_EV_GAP))
		tr_text_add_cycles(e, event.cycles, 1);
	if (!e->source->status) {
		tr_context_apply(&hart->context, &event);
		int status = tr_writer_event(e->writer, hart->number, &event);
		if (status == TR_E_ARGUMENT && event.kind == TR_EV_COUNTERS)
			tr_line_fail(e->source, "samples out of order");
		tr_line_status(e->source, status);
	}
	tr_arena_reset(&arena);
}

static uint32_t note_binary(struct tr_text_source *source)
{
	const char *word = tr_line_value(source, "bin");
	if (!word)
		tr_line_fail(source, "bin= is missing");
	if (source->status || strcmp(word, "unknown") == 0)
		return TR_NOTE_UNKNOWN;
	if (strcmp(word, "ambiguous") == 0)
		return TR_NOTE_AMBIGUOUS;
	return (uint32_t)tr_line_number(source, word, "", TR_NOTE_AMBIGUOUS - 3);
}

static uint32_t note_space(struct tr_text_source *source)
{
	const char *word = tr_line_want(source, "the address space");
	if (strcmp(word, "machine") == 0)
		return TR_SPACE_MACHINE;
	if (strcmp(word, "supervisor") == 0)
		return TR_SPACE_SUPERVISOR;
	if (strncmp(word, "guest", 5) == 0)
		return TR_SPACE_GUEST +
		       (uint32_t)tr_line_number(source, word, "guest", TR_VMIDS - 1);
	return (uint32_t)tr_line_number(source, word, "", TR_SPACE_MACHINE - 1);
}

static void take_note_line(struct text_encoder *e)
{
	struct tr_text_notes *notes = e->notes;
	struct tr_note note = {.space = note_space(e->source)};
	const char *name = tr_line_want(e->source, "the name of the block");
	struct text_block *block = tr_text_find_block(e->source, &e->blocks, name);
	note.binary = note_binary(e->source);
	note.address = tr_line_address(e->source, tr_line_value(e->source, "address"));
	if (tr_line_done(e->source))
		return;
	note.block = tr_text_block_id(e, block);
	if (!tr_grow(&notes->notes, &notes->note_room, notes->count + 1,
		     sizeof(*notes->notes)) ||
	    !tr_grow(&notes->frames, &notes->frame_room, notes->count + 1,
		     sizeof(*notes->frames))) {
		tr_line_status(e->source, TR_E_NOMEM);
		return;
	}
	notes->frames[notes->count] = tr_writer_frames(e->writer);
	notes->notes[notes->count++] = note;
}

static void take_end_line(struct text_encoder *e)
{
	e->ended = true;
	tr_text_end_line(e->source, e->end);
}

static void take_header_line(struct text_encoder *e)
{
	tr_line_fail(e->source, "a header line after other lines");
}

static const struct {
	const char *name;
	void (*take)(struct text_encoder *);
} records[] = {
    {"header", take_header_line}, {"frame", take_frame_line},
    {"block", take_block_line},	  {"note", take_note_line},
    {"hart", tr_text_take_hart},  {"row", tr_text_take_row},
    {"end", take_end_line},	  {"token", tr_text_take_token},
    {NULL, take_event_line},
};

static int encode_lines(struct text_encoder *e)
{
	while (tr_line_next(e->source)) {
		const char *record = tr_line_record(e->source);
		unsigned i = 0;
		while (records[i].name && strcmp(records[i].name, record) != 0)
			i++;
		if (e->ended && records[i].take != take_end_line)
			tr_line_fail(e->source, "a line after the end");
		else
			records[i].take(e);
	}
	if (!e->ended)
		tr_line_fail(e->source, e->source->line->number
					    ? "truncated: no end line"
					    : "empty input: no text of a stream");
	if (tr_text_check_totals(e->source, e->writer, e->end))
		return e->source->status;
	return tr_line_status(e->source, tr_writer_end(e->writer, e->end));
}

int tr_text_encode_rows(struct tr_text_source *source, const struct tr_header *header,
			int fd, struct tr_text_notes *notes)
{
	struct tr_writer_options options = {.marks_breaks = true};
	struct text_encoder e = {
	    .source = source, .notes = notes, .end = tr_header_new()};
	int status = e.end ? tr_writer_open(&e.writer, fd, header, &options) : TR_E_NOMEM;
	tr_line_status(source, status);
	if (!source->status)
		encode_lines(&e);
	tr_writer_close(e.writer);
	tr_text_blocks_release(&e.blocks);
	free(e.stalls);
	tr_header_free(e.end);
	return source->status;
}

void tr_text_notes_release(struct tr_text_notes *notes)
{
	free(notes->notes);
	free(notes->frames);
	*notes = (struct tr_text_notes){0};
}
