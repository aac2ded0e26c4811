/* SPDX-License-Identifier: Apache-2.0 */
/* Listings of functions. */
#include "annotate/listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "stream/reader.h"

const char *tr_listing_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

void tr_listing_name(const struct tr_listing_parts *parts, uint32_t binary,
		     uint64_t address, char *text, size_t size)
{
	const struct tr_image *image = binary < tr_symbols_count(parts->symbols)
					   ? tr_symbols_image(parts->symbols, binary)
					   : NULL;
	const struct tr_function *f = image ? tr_image_function_at(image, address) : NULL;
	*text = '\0';
	if (!f)
		return;
	if (address == f->entry)
		snprintf(text, size, "%s", f->name);
	else if (address > f->entry)
		snprintf(text, size, "%s+0x%" PRIx64, f->name, address - f->entry);
	else
		snprintf(text, size, "%s-0x%" PRIx64, f->name, f->entry - address);
}

uint32_t tr_listing_line(const struct tr_symbols *symbols, uint32_t binary,
			 uint64_t address, const char **path)
{
	const struct tr_image *image =
	    binary < tr_symbols_count(symbols) ? tr_symbols_image(symbols, binary) : NULL;
	uint32_t line = 0;
	*path = NULL;
	if (!image)
		return 0;
	const struct tr_stretch place = tr_image_path_at(image, address);
	if (place.item)
		*path = tr_image_path_line(image, place.item, &line);
	return line;
}

/* Finds the inlined functions that a row is of; the outermost scope is the function
 * itself. Returns a status. */
static int find_calls(struct tr_listing *listing, struct tr_listed *row,
		      const struct tr_image *image)
{
	uint32_t item = tr_image_scope_at(image, row->insn.address).item;
	while (item && row->ncalls < TR_LISTING_CALLS) {
		struct tr_scope_text scope;
		tr_image_scope(image, item, &scope);
		if (!scope.around)
			break;
		const size_t size = 4 * (size_t)scope.name_size + 16;
		char *name = tr_arena_take(&listing->names, size);
		if (!name)
			return TR_E_NOMEM;
		tr_image_name_copy(name, size, scope.name, scope.name_size);
		row->calls[row->ncalls++] = name;
		item = scope.around;
	}
	return TR_OK;
}

/* Completes a row, whose instruction is set. Returns a status. */
static int describe_row(struct tr_listing *listing, const struct tr_listing_parts *parts,
			struct tr_listed *row)
{
	const struct tr_counted *insn = &row->insn;
	const struct tr_image *image = tr_symbols_image(parts->symbols, insn->binary);
	if (insn->has_code) {
		tr_disassemble(insn->code, insn->bytes, parts->isa, insn->address,
			       row->text);
		row->has_target = tr_decode_target(insn->code, insn->bytes, parts->isa,
						   insn->address, &row->target);
	} else {
		snprintf(row->text, sizeof(row->text), "(not known)");
	}
	row->line =
	    tr_listing_line(parts->symbols, insn->binary, insn->address, &row->path);
	return image ? find_calls(listing, row, image) : TR_OK;
}

static struct tr_listed *add_row(struct tr_listing *listing)
{
	if (!tr_grow(&listing->rows, &listing->room, listing->count + 1,
		     sizeof(*listing->rows)))
		return NULL;
	listing->rows[listing->count] = (struct tr_listed){.line = 0};
	return &listing->rows[listing->count++];
}

/* Takes the bits of an instruction from the file. Returns false if it has none there. */
static bool take_bits_of_file(const struct tr_listing_parts *parts,
			      const struct tr_image *image, struct tr_counted *insn)
{
	const uint8_t *low = tr_image_bytes(image, insn->address, 2);
	const unsigned bytes =
	    low ? tr_insn_length((unsigned)low[0] | (unsigned)low[1] << 8) : 0;
	const uint8_t *code = bytes ? tr_image_bytes(image, insn->address, bytes) : NULL;
	if (!code)
		return false;
	const enum tr_flow flow = tr_decode_flow(code, bytes, parts->isa);
	memcpy(insn->code, code, bytes);
	insn->bytes = (uint8_t)bytes;
	insn->has_code = true;
	insn->is_branch = flow == TR_FLOW_BRANCH;
	insn->is_transfer = flow != TR_FLOW_NEXT;
	return true;
}

/* The instructions of a function that were counted. */
struct cursor {
	size_t next, end;
};

static bool next_counted(const struct tr_counts *counts, const struct cursor *at,
			 struct tr_counted *insn)
{
	if (at->next == at->end)
		return false;
	tr_counts_insn(counts, at->next, insn);
	return true;
}

/* Adds what was counted of a binary up to the address `last`. */
static int add_counted(struct tr_listing *listing, const struct tr_listing_parts *parts,
		       struct cursor *at, uint32_t binary, uint64_t last)
{
	struct tr_counted insn;
	while (next_counted(parts->counts, at, &insn) && insn.binary == binary &&
	       insn.address <= last) {
		struct tr_listed *row = add_row(listing);
		if (!row)
			return TR_E_NOMEM;
		row->insn = insn;
		if (!insn.has_code && tr_symbols_image(parts->symbols, binary))
			take_bits_of_file(parts, tr_symbols_image(parts->symbols, binary),
					  &row->insn); /* it only trapped */
		row->is_far = true;
		at->next++;
		if (describe_row(listing, parts, row))
			return TR_E_NOMEM;
	}
	return TR_OK;
}

/* Takes the rows from `first` on as the code of a range. Returns where the code goes on
 * that is at `address`: an instruction in the middle of another one, as where code was
 * replaced, leaves it there. */
static uint64_t end_of_rows(struct tr_listing *listing, size_t first, uint64_t address)
{
	const struct tr_counted *last = &listing->rows[listing->count - 1].insn;
	for (size_t i = first; i < listing->count; i++)
		listing->rows[i].is_far = false;
	const uint64_t end = last->address + (last->bytes ? last->bytes : 2);
	return end > address ? end : address;
}

/* Adds the code of a range of the function, with what was counted in it. */
static int add_range(struct tr_listing *listing, const struct tr_listing_parts *parts,
		     struct cursor *at, uint32_t binary, const struct tr_function *range)
{
	const struct tr_image *image = tr_symbols_image(parts->symbols, binary);
	uint64_t address = range->low;
	int status =
	    range->low ? add_counted(listing, parts, at, binary, range->low - 1) : TR_OK;
	while (address < range->high && !status) {
		const size_t first = listing->count;
		status = add_counted(listing, parts, at, binary, address);
		if (status)
			break;
		if (listing->count > first) {
			address = end_of_rows(listing, first, address);
			continue;
		}
		struct tr_counted insn = {.address = address, .binary = binary};
		if (!take_bits_of_file(parts, image, &insn))
			break;
		struct tr_listed *row = add_row(listing);
		if (!row)
			return TR_E_NOMEM;
		row->insn = insn;
		status = describe_row(listing, parts, row);
		address += insn.bytes;
	}
	return status;
}

/* Adds the ranges of the function at `entry` in a binary, and what else was counted. */
static int add_binary(struct tr_listing *listing, const struct tr_listing_parts *parts,
		      struct cursor *at, uint32_t binary, uint64_t entry)
{
	const struct tr_image *image = tr_symbols_image(parts->symbols, binary);
	const size_t count = image ? tr_image_function_count(image) : 0;
	int status = TR_OK;
	for (size_t i = 0; i < count && !status; i++) {
		const struct tr_function *range = tr_image_function(image, i);
		if (range->entry == entry &&
		    strcmp(range->name, listing->func->name) == 0)
			status = add_range(listing, parts, at, binary, range);
	}
	return status ? status : add_counted(listing, parts, at, binary, UINT64_MAX);
}

/* Remembers the rows by their addresses. Returns a status. */
static int index_rows(struct tr_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		if (!tr_map_set(&listing->places, listing->rows[i].insn.address, 0))
			return TR_E_NOMEM;
	return TR_OK;
}

bool tr_listing_has(const struct tr_listing *listing, uint64_t address)
{
	return tr_map_get(&listing->places, address) != TR_MAP_NONE;
}

int tr_listing_make(struct tr_listing *listing, const struct tr_listing_parts *parts,
		    uint32_t func)
{
	struct cursor at = {.next = tr_counts_first(parts->counts, func),
			    .end = tr_counts_first(parts->counts, func + 1)};
	struct tr_counted insn;
	int status = TR_OK;
	*listing = (struct tr_listing){.func = tr_counts_func(parts->counts, func),
				       .number = func};
	while (!status && next_counted(parts->counts, &at, &insn) &&
	       insn.binary < tr_symbols_count(parts->symbols))
		status =
		    add_binary(listing, parts, &at, insn.binary, listing->func->address);
	return status ? status : index_rows(listing);
}

void tr_listing_release(struct tr_listing *listing)
{
	free(listing->rows);
	tr_map_free(&listing->places);
	tr_arena_reset(&listing->names);
	*listing = (struct tr_listing){0};
}

bool tr_listed_same_place(const struct tr_listed *a, const struct tr_listed *b)
{
	if (!a || a->line != b->line || a->ncalls != b->ncalls || !a->path != !b->path ||
	    (a->path && strcmp(a->path, b->path) != 0))
		return false;
	for (unsigned i = 0; i < a->ncalls; i++)
		if (strcmp(a->calls[i], b->calls[i]) != 0)
			return false;
	return true;
}
