/* SPDX-License-Identifier: Apache-2.0 */
#include "chosen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "stream/frame.h"
#include "stream/reader.h"
#include "unwind/symbols.h"

struct chosen {
	const char *const *names;
	size_t nnames;
	bool *found; /* by name: its code ran */
	struct tr_symbols *symbols;
	struct tr_folders folders;
	const struct tr_header *header;
	struct tr_map noted; /* by space and block: 1 if it has code of a function */
	uint64_t generation;
	bool *rows; /* of the frame, of its parts one after the other */
	size_t room, first[TR_MAX_HARTS];
};

struct chosen *chosen_new(const struct tr_header *header, const char *const *names,
			  size_t count, char message[CHOSEN_MESSAGE])
{
	const struct tr_image_options options = {.functions = true};
	struct chosen *c = calloc(1, sizeof(*c));

	snprintf(message, CHOSEN_MESSAGE, "out of memory");
	if (!c)
		return NULL;
	c->names = names;
	c->nnames = count;
	c->header = header;
	c->generation = UINT64_MAX;
	c->found = calloc(count + 1, sizeof(*c->found));
	if (c->found &&
	    tr_symbols_open(&c->symbols, header, &options, &c->folders) == TR_OK)
		return c;
	if (c->symbols)
		snprintf(message, CHOSEN_MESSAGE, "%s", tr_symbols_message(c->symbols));
	chosen_free(c);
	return NULL;
}

void chosen_free(struct chosen *c)
{
	if (!c)
		return;
	tr_symbols_close(c->symbols);
	tr_folders_release(&c->folders);
	tr_map_free(&c->noted);
	free(c->found);
	free(c->rows);
	free(c);
}

/* Returns whether a name is that of the function, with or without its binary. */
static bool is_name_of_function(const struct chosen *c, const char *name, uint32_t binary,
				const struct tr_function *function)
{
	const char *of = tr_header_bin(c->header, binary, ".name");
	size_t length = of ? strlen(of) : 0;

	if (length && strncmp(name, of, length) == 0 && name[length] == ':')
		name += length + 1;
	return strcmp(name, function->name) == 0;
}

/* Returns whether the block has code of a chosen function. */
static bool has_chosen_code(struct chosen *c, uint32_t binary, uint64_t address,
			    unsigned size)
{
	const struct tr_image *image = tr_symbols_image(c->symbols, binary);
	bool has = false;

	for (uint64_t at = address; image && at < address + size; at += 2) {
		const struct tr_function *function = tr_image_function_at(image, at);

		if (!function)
			continue;
		for (size_t i = 0; i < c->nnames; i++)
			if (is_name_of_function(c, c->names[i], binary, function))
				has = c->found[i] = true;
		at = function->high - 2; /* the next function */
	}
	return has;
}

static int take_note(struct chosen *c, const struct tr_frame *frame,
		     const struct tr_note *note)
{
	const struct tr_block *block = tr_frame_block(frame, note->block);
	bool has = false;

	if (note->binary < tr_symbols_count(c->symbols)) {
		int status = tr_symbols_need(c->symbols, note->binary);
		if (status)
			return status;
		has = has_chosen_code(c, note->binary, note->address, block->bytes);
	}
	return tr_map_set(&c->noted, tr_pair_key(note->space, note->block), has)
		   ? TR_OK
		   : TR_E_NOMEM;
}

static void choose_part(struct chosen *c, const struct tr_hart_frame *hart, bool *rows)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;

	tr_cursor_init(&cursor, hart);
	while ((step = tr_cursor_next(&cursor, &first, &last, &event)))
		for (; step == TR_STEP_ROWS && first < last; first++)
			rows[first] =
			    tr_map_get(&c->noted,
				       tr_pair_key(tr_note_space(&cursor.context),
						   hart->rows[first].block)) == 1;
}

static int choose_frame(void *user, const struct tr_frame *frame)
{
	struct chosen *c = user;
	size_t rows = 0;

	if (c->generation != frame->generation)
		tr_map_clear(&c->noted);
	c->generation = frame->generation;
	for (uint32_t i = 0; i < frame->nnotes; i++) {
		int status = take_note(c, frame, &frame->notes[i]);
		if (status)
			return status;
	}
	for (uint32_t i = 0; i < frame->nharts; i++) {
		c->first[i] = rows;
		rows += frame->harts[i].nrows;
	}
	if (!tr_grow(&c->rows, &c->room, rows + 1, sizeof(*c->rows)))
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < frame->nharts; i++)
		choose_part(c, &frame->harts[i], &c->rows[c->first[i]]);
	return TR_OK;
}

static bool is_row_chosen(void *user, uint32_t part, uint32_t row)
{
	const struct chosen *c = user;

	return c->rows[c->first[part] + row];
}

struct addresses_choice chosen_rows(struct chosen *c)
{
	return (struct addresses_choice){
	    .user = c, .frame = choose_frame, .row = is_row_chosen};
}

size_t chosen_missing(const struct chosen *c)
{
	size_t i = 0;

	while (i < c->nnames && c->found[i])
		i++;
	return i;
}
