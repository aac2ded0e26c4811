/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "stream/frame.h"
#include "stream/mode.h"

/* Of stacks, whose pages are remembered: 64 GiB. */
enum { STACK_PAGES = 1 << 24 };

/* A binary in an address space: its addresses there are those of the file plus `bias`. */
struct placed {
	uint32_t binary;
	uint64_t bias;
};

struct space {
	struct placed *list;
	size_t count, room;
};

struct tr_places {
	struct tr_symbols *symbols;
	struct tr_data_symbols **data;	  /* by binary; NULL: it has not run */
	struct tr_data_members **members; /* by binary; NULL: not wanted */
	struct tr_map space_ids;
	struct space *spaces;
	size_t nspaces, space_room;
	struct tr_map stack_pages; /* by page and space */
};

struct tr_places *tr_places_new(struct tr_symbols *symbols, bool members)
{
	struct tr_places *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->symbols = symbols;
	p->data =
	    calloc(tr_symbols_count(symbols) + 1UL, sizeof(struct tr_data_symbols *));
	if (members)
		p->members = calloc(tr_symbols_count(symbols) + 1UL,
				    sizeof(struct tr_data_members *));
	if (p->data && (p->members || !members))
		return p;
	free(p->data);
	free(p->members);
	free(p);
	return NULL;
}

void tr_places_free(struct tr_places *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < tr_symbols_count(p->symbols); i++) {
		tr_data_symbols_close(p->data[i]);
		if (p->members)
			tr_data_members_close(p->members[i]);
	}
	for (size_t i = 0; i < p->nspaces; i++)
		free(p->spaces[i].list);
	free(p->spaces);
	free(p->data);
	free(p->members);
	tr_map_free(&p->space_ids);
	tr_map_free(&p->stack_pages);
	free(p);
}

uint32_t tr_places_binaries(const struct tr_places *p)
{
	return tr_symbols_count(p->symbols);
}

const char *tr_places_path(const struct tr_places *p, uint32_t binary)
{
	const struct tr_image *image = tr_symbols_image(p->symbols, binary);
	return image ? tr_image_path(image) : "";
}

const struct tr_data_symbols *tr_places_symbols(const struct tr_places *p,
						uint32_t binary)
{
	return p->data[binary];
}

const struct tr_data_members *tr_places_members(const struct tr_places *p,
						uint32_t binary)
{
	return p->members[binary];
}

const struct tr_image *tr_places_image(const struct tr_places *p, uint32_t binary)
{
	const struct tr_image *image = tr_symbols_image(p->symbols, binary);
	const bool is_whole = image && !tr_image_is_module(image) &&
			      !tr_image_has_overlays(image) &&
			      !tr_symbols_has_stubs(p->symbols, binary);
	return is_whole ? image : NULL;
}

/* Reads the data of a binary that runs. Of a part of a file, and of stubs, the data are
 * elsewhere. Returns a status. */
static int open_binary_data(struct tr_places *p, uint32_t binary)
{
	if (p->data[binary])
		return TR_OK;
	int status = tr_symbols_need(p->symbols, binary);
	if (status)
		return status;
	const struct tr_image *image = tr_symbols_image(p->symbols, binary);
	const char *path = tr_places_image(p, binary) ? tr_image_path(image) : "";
	status = tr_data_symbols_open(&p->data[binary], path);
	if (!status && p->members)
		status = tr_data_members_open(&p->members[binary], path, p->data[binary]);
	return status;
}

static struct space *space_numbered(struct tr_places *p, uint32_t number)
{
	uint32_t id = tr_map_get(&p->space_ids, number);
	if (id != TR_MAP_NONE)
		return &p->spaces[id];
	id = (uint32_t)p->nspaces;
	if (!tr_grow(&p->spaces, &p->space_room, p->nspaces + 1, sizeof(*p->spaces)) ||
	    !tr_map_set(&p->space_ids, number, id))
		return NULL;
	p->spaces[p->nspaces++] = (struct space){.list = NULL};
	return &p->spaces[id];
}

static int add_placed(struct tr_places *p, const struct tr_note *note, uint64_t pc)
{
	const struct placed placed = {note->binary, pc - note->address};
	struct space *space = space_numbered(p, note->space);
	if (!space)
		return TR_E_NOMEM;
	for (size_t i = 0; i < space->count; i++)
		if (space->list[i].binary == placed.binary &&
		    space->list[i].bias == placed.bias)
			return TR_OK;
	if (!tr_grow(&space->list, &space->room, space->count + 1, sizeof(*space->list)))
		return TR_E_NOMEM;
	space->list[space->count++] = placed;
	return open_binary_data(p, note->binary);
}

int tr_places_frame(struct tr_places *p, const struct tr_frame *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->nnotes && !status; i++) {
		const struct tr_note *note = &frame->notes[i];
		if (note->binary >= TR_NOTE_AMBIGUOUS)
			continue;
		status = note->binary < tr_symbols_count(p->symbols)
			     ? add_placed(p, note, frame->view.blocks[note->block].pc)
			     : TR_E_CORRUPT;
	}
	return status;
}

/* ------------------------------------------------------------ addresses */

static bool find_symbol(const struct tr_places *p, uint32_t number, uint64_t address,
			struct tr_place *place)
{
	const uint32_t id = tr_map_get(&p->space_ids, number);
	if (id == TR_MAP_NONE)
		return false;
	const struct space *space = &p->spaces[id];
	for (size_t i = 0; i < space->count; i++) {
		const struct placed *at = &space->list[i];
		const struct tr_data_symbols *data = p->data[at->binary];
		const size_t symbol = tr_data_symbols_at(data, address - at->bias);
		if (symbol == SIZE_MAX)
			continue;
		place->kind = TR_PLACE_SYMBOL;
		place->binary = at->binary;
		place->symbol = (uint32_t)symbol;
		place->offset =
		    address - at->bias - tr_data_symbols_get(data, symbol)->low;
		place->space = number;
		if (p->members) {
			const struct tr_data_members *members = p->members[at->binary];
			place->member =
			    tr_data_members_at(members, symbol, place->offset);
			place->is_bytes = tr_data_members_is_bytes(members, symbol);
		}
		return true;
	}
	return false;
}

uint32_t tr_places_space(const struct tr_context *context, uint64_t address)
{
	const uint32_t own = tr_note_space(context);
	if (address >> 63)
		return TR_SPACE_SUPERVISOR;
	return own == TR_SPACE_MACHINE ? own : context->space;
}

/* Firmware loads and stores as the mode that it was called from (MPRV) for accesses that
 * are not aligned. Its own addresses are physical. */
static bool is_for_other_mode(const struct tr_context *context,
			      const struct tr_access *access)
{
	return tr_note_space(context) == TR_SPACE_MACHINE &&
	       access->address != access->physical;
}

uint32_t tr_places_space_of(const struct tr_context *context,
			    const struct tr_access *access)
{
	if (!is_for_other_mode(context, access))
		return tr_places_space(context, access->address);
	return access->address >> 63 ? TR_SPACE_SUPERVISOR : context->space;
}

/* A kernel also accesses what the program has that runs above it. */
static bool find_any_symbol(const struct tr_places *p, const struct tr_context *context,
			    const struct tr_access *access, struct tr_place *place)
{
	const uint64_t address = access->address;
	const uint32_t own = is_for_other_mode(context, access)
				 ? tr_places_space_of(context, access)
				 : tr_note_space(context);
	return find_symbol(p, own, address, place) ||
	       (own >= TR_SPACE_GUEST && own != TR_SPACE_MACHINE &&
		find_symbol(p, context->space, address, place));
}

static bool is_section(const struct tr_places *p, const struct tr_place *place)
{
	return tr_data_symbols_get(p->data[place->binary], place->symbol)->is_section;
}

static uint64_t stack_key(uint32_t space, uint64_t address)
{
	return address >> 12 << 28 ^ space;
}

/* Remembers a page of a stack; beyond STACK_PAGES, none. Returns false when out of
 * memory.
 */
static bool add_stack_page(struct tr_places *p, uint64_t key)
{
	return p->stack_pages.count >= STACK_PAGES || tr_map_set(&p->stack_pages, key, 0);
}

bool tr_places_code(const struct tr_places *p, const struct tr_context *context,
		    uint64_t pc, uint32_t *binary, uint64_t *address)
{
	const uint32_t id = tr_map_get(&p->space_ids, tr_note_space(context));
	for (size_t i = 0; id != TR_MAP_NONE && i < p->spaces[id].count; i++) {
		const struct placed *at = &p->spaces[id].list[i];
		const struct tr_image *image = tr_symbols_image(p->symbols, at->binary);
		*binary = at->binary;
		*address = pc - at->bias;
		if (image && tr_image_bytes(image, *address, 2))
			return true;
	}
	return false;
}

void tr_places_code_name(const struct tr_places *p, uint32_t binary, uint64_t address,
			 char *text, size_t size)
{
	const struct tr_image *image = tr_symbols_image(p->symbols, binary);
	const struct tr_function *function =
	    image ? tr_image_function_at(image, address) : NULL;
	const struct tr_stretch line =
	    image ? tr_image_line_at(image, address) : (struct tr_stretch){.item = 0};
	uint32_t number = 0;
	const char *file = line.item ? tr_image_line(image, line.item, &number) : NULL;
	if (function && file)
		snprintf(text, size, "%s (%s:%" PRIu32 ")", function->name, file, number);
	else if (function)
		snprintf(text, size, "%s+0x%" PRIx64, function->name,
			 address - function->entry);
	else
		snprintf(text, size, "0x%" PRIx64, address);
}

int tr_places_stack(struct tr_places *p, const struct tr_context *context, uint64_t low,
		    uint64_t high)
{
	/* By number: the last page has no address behind it. */
	for (uint64_t page = low >> 12; low < high && page <= (high - 1) >> 12; page++)
		if (!add_stack_page(
			p, stack_key(tr_places_space(context, page << 12), page << 12)))
			return TR_E_NOMEM;
	return TR_OK;
}

int tr_places_find(struct tr_places *p, const struct tr_context *context,
		   const struct tr_access *access, struct tr_place *place)
{
	*place = (struct tr_place){.kind = TR_PLACE_UNKNOWN,
				   .member = UINT32_MAX,
				   .space = tr_note_space(context)};
	if (access->kind & TR_ACCESS_DEVICE) {
		place->kind = TR_PLACE_DEVICE;
		return TR_OK;
	}
	const bool is_in_file = find_any_symbol(p, context, access, place);
	if (is_in_file && !is_section(p, place))
		return TR_OK;
	const uint64_t key =
	    stack_key(tr_places_space_of(context, access), access->address);
	const bool is_known = tr_map_get(&p->stack_pages, key) != TR_MAP_NONE;
	if (!is_known && !(access->kind & TR_ACCESS_SP))
		return TR_OK;
	*place = (struct tr_place){.kind = TR_PLACE_STACK,
				   .member = UINT32_MAX,
				   .space = tr_note_space(context)};
	return is_known || add_stack_page(p, key) ? TR_OK : TR_E_NOMEM;
}
