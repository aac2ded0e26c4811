/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files as a profiler needs them: opening and queries. */
#include "image/image.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/little.h"
#include "image/image_demangle.h"
#include "image/image_jit_internal.h"
#include "image/image_state.h"

/* Returns the end of the path, which is its distinctive part; the size of a message is
 * limited. */
static const char *shown_path(const struct tr_image *image)
{
	size_t length = strlen(image->path), most = sizeof(image->message) / 2;
	return image->path + (length > most ? length - most : 0);
}

int tr_image_fail(struct tr_image *image, int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int used =
	    snprintf(image->message, sizeof(image->message), "%s: ", shown_path(image));
	if (used > 0 && (size_t)used < sizeof(image->message))
		vsnprintf(image->message + used, sizeof(image->message) - (size_t)used,
			  format, args);
	va_end(args);
	return status;
}

void tr_image_warn(struct tr_image *image, const char *format, ...)
{
	va_list args;
	char *text = image->warning;
	size_t used = strlen(text), size = sizeof(image->warning);
	snprintf(text + used, size - used, "%s%s", used ? "; " : shown_path(image),
		 used ? "" : ": ");
	used = strlen(text);
	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

/* Returns the last component of the path without ".elf", made safe for stacks. */
static const char *keep_short_name(struct tr_image *image, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	size_t length = strlen(name);
	if (length > 4 && strcmp(name + length - 4, ".elf") == 0)
		length -= 4;
	return tr_image_name_store(image, name, length);
}

/* Warns of requested calls or lines that the file does not have. */
static void warn_of_places(struct tr_image *image, const struct image_elf *elf,
			   const struct tr_image_options *options)
{
	bool calls = options->calls && !image->failed[IMAGE_INDEX_CALLS] &&
		     !image->index[IMAGE_INDEX_CALLS].nextents;
	bool lines = options->lines && !image->failed[IMAGE_INDEX_LINES] &&
		     !image->index[IMAGE_INDEX_LINES].nextents;
	if (calls || lines)
		tr_image_warn(image, "no %s%s%s%s", calls ? "inlined calls" : "",
			      calls && lines ? " and " : "", lines ? "source lines" : "",
			      elf->has_dwarf && !image->split ? " in the DWARF" : "");
}

/* Warns of what is not known of code that is loaded in turns. */
static void warn_of_overlays(struct tr_image *image,
			     const struct tr_image_options *options)
{
	if (image->noverlays &&
	    (options->calls || options->lines || options->scopes || options->paths))
		tr_image_warn(image,
			      "overlays from 0x%" PRIx64
			      " on, without inlined calls and source lines",
			      image->overlays[0].low);
}

/* The warning of a file that has only symbols. */
static const char no_dwarf[] = "no DWARF, names from symbols only";

static void warn_of_absence(struct tr_image *image, const struct image_elf *elf)
{
	if (elf->nsections == 0)
		tr_image_warn(image, "no section headers, so no names");
	else if (!elf->has_dwarf && image->nsymbols == 0)
		tr_image_warn(
		    image,
		    "no DWARF and no symbols, so no names: list the unstripped file");
	else if (!elf->has_dwarf)
		tr_image_warn(image, "%s", no_dwarf);
	else if (image->nsymbols == 0)
		tr_image_warn(image, "no symbols, names from DWARF only");
}

static int load_functions(struct tr_image *image, const struct image_elf *elf,
			  const struct tr_image_options *options)
{
	struct image_candidates candidates = {0};
	struct image_elf debug;
	bool separate = !elf->has_dwarf && tr_image_debug_open(&debug, image, elf);
	const struct image_elf *named = separate ? &debug : elf;
	bool is_overlay = options->part && tr_image_has_overlays(image);
	int status =
	    is_overlay ? TR_OK : tr_image_dwarf_load(image, named, options, &candidates);
	size_t first = candidates.count;
	if (status == TR_OK)
		status = tr_image_tables_load(image, elf, &candidates);
	if (status == TR_OK)
		status = tr_image_symbols_load(image, named, elf, &candidates, first);
	if (status == TR_OK)
		status = tr_image_stubs_load(image, elf, &candidates);
	if (status == TR_OK)
		status = tr_image_calls_load(image, elf, &candidates);
	if (status == TR_OK)
		status = tr_image_ranges_make(image, &candidates);
	if (status == TR_OK)
		status = tr_image_demangle_functions(image);
	if (status == TR_OK)
		status = tr_image_namesakes_tell_apart(image);
	if (status == TR_OK)
		status = tr_image_marks_load(image, named);
	free(candidates.list);
	if (!options->part) { /* once for a file */
		warn_of_absence(image, named);
		warn_of_places(image, named, options);
		warn_of_overlays(image, options);
	}
	if (separate)
		tr_image_elf_release(&debug);
	if (status == TR_E_NOMEM)
		return tr_image_fail(image, status, "out of memory");
	return status;
}

static int load_image(struct tr_image *image, const struct tr_image_options *options)
{
	struct image_elf elf;
	if (options->part && (strcmp(options->part, TR_PART_PERF_MAP) == 0 ||
			      strcmp(options->part, TR_PART_JITDUMP) == 0))
		return tr_jit_open(image, options);
	int status = tr_image_elf_open(&elf, image);
	bool is_vdso = options->part && strcmp(options->part, "vdso") == 0;
	if (status == TR_OK && is_vdso)
		status = tr_image_elf_enter_vdso(&elf, image);
	if (status == TR_OK)
		status = tr_image_code_load(image, &elf, is_vdso ? NULL : options->part);
	if (status == TR_OK && options->functions)
		status = load_functions(image, &elf, options);
	tr_image_elf_release(&elf);
	return status;
}

int tr_image_open(struct tr_image **image, const char *path,
		  const struct tr_image_options *options)
{
	*image = NULL;
	struct tr_image *made = calloc(1, sizeof(*made));
	if (!made)
		return TR_E_NOMEM;
	made->path = strdup(path);
	made->name = options->part && strcmp(options->part, "vdso") == 0
			 ? "[vdso]"
			 : keep_short_name(made, path);
	if (!made->path || !made->name) {
		tr_image_close(made);
		return TR_E_NOMEM;
	}
	int status = load_image(made, options);
	*image = made;
	return status;
}

void tr_image_close(struct tr_image *image)
{
	if (!image)
		return;
	tr_jit_free(image);
	tr_arena_reset(&image->names);
	for (unsigned kind = 0; kind < IMAGE_INDEX_KINDS; kind++)
		tr_buffer_free(&image->index_bytes[kind]);
	free(image->path);
	free(image->code);
	free(image->code_bytes);
	free(image->mask);
	free(image->functions);
	free(image->symbols);
	free(image->marks);
	free(image);
}

const char *tr_image_message(const struct tr_image *image)
{
	return image->message;
}

bool tr_image_only_lacks_dwarf(const struct tr_image *image)
{
	const size_t size = strlen(image->warning);
	const size_t path = strlen(shown_path(image)) + strlen(": ");
	return size > path && strcmp(image->warning + path, no_dwarf) == 0;
}

const char *tr_image_warning(const struct tr_image *image)
{
	return image->warning;
}

bool tr_image_places_failed(const struct tr_image *image)
{
	return image->failed[IMAGE_INDEX_CALLS] || image->failed[IMAGE_INDEX_LINES];
}

bool tr_image_has_dwarf(const struct tr_image *image)
{
	return image->has_dwarf;
}

bool tr_image_has_lines(const struct tr_image *image)
{
	return image->index[IMAGE_INDEX_LINES].nextents != 0;
}

const char *tr_image_path(const struct tr_image *image)
{
	return image->path;
}

const char *tr_image_name(const struct tr_image *image)
{
	return image->name;
}

uint64_t tr_image_code_hash(const struct tr_image *image)
{
	uint64_t hash = image->jit ? image->jit->hash : 0;
	for (size_t i = 0; i < image->ncode && !image->jit; i++) {
		uint8_t place[16];
		tr_store64(place, image->code[i].address);
		tr_store64(place + 8, image->code[i].size);
		hash = XXH64(place, sizeof(place), hash);
		hash = XXH64(image->code[i].data, image->code[i].size, hash);
	}
	return hash;
}

const char *tr_image_build_id(const struct tr_image *image)
{
	return image->build_id;
}

unsigned tr_image_xlen(const struct tr_image *image)
{
	return image->xlen;
}

unsigned tr_image_isa(const struct tr_image *image)
{
	return image->isa;
}

uint64_t tr_image_entry(const struct tr_image *image)
{
	return image->entry;
}

bool tr_image_is_pie(const struct tr_image *image)
{
	return image->pie;
}

bool tr_image_is_library(const struct tr_image *image)
{
	bool is_program = image->program || image->interpreted;
	return image->pie && (image->has_soname || !image->entry || !is_program);
}

const char *tr_image_need(const struct tr_image *image, size_t i)
{
	return i < image->nneeds ? image->needs[i] : NULL;
}

const char *tr_image_interpreter(const struct tr_image *image)
{
	return image->interpreter;
}

const char *tr_image_search_path(const struct tr_image *image, bool *is_inherited)
{
	*is_inherited = !image->search_path[0] && image->search_path[1];
	return image->search_path[*is_inherited];
}

const char *tr_image_soname(const struct tr_image *image)
{
	return image->soname ? image->soname : image->name;
}

bool tr_image_has_overlays(const struct tr_image *image)
{
	return image->noverlays != 0;
}

/* Returns the place of overlays that is at or behind the address, NULL if there is none.
 */
static const struct image_span *overlay_at(const struct tr_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->noverlays; i++)
		if (address < image->overlays[i].high)
			return &image->overlays[i];
	return NULL;
}

bool tr_image_is_overlaid(const struct tr_image *image, uint64_t address)
{
	const struct image_span *at = overlay_at(image, address);
	return at && at->low <= address;
}

struct tr_stretch tr_image_step(const struct tr_image *image, enum image_index_kind kind,
				uint64_t address)
{
	const struct image_span *at = overlay_at(image, address);
	if (at && at->low <= address)
		return (struct tr_stretch){.low = at->low, .high = at->high};
	struct tr_stretch step = tr_image_index_step(&image->index[kind], address);
	if (at && at->low < step.high)
		step.high = at->low;
	return step;
}

bool tr_image_is_module(const struct tr_image *image)
{
	return image->module;
}

size_t tr_image_section(const struct tr_image *image)
{
	return image->section;
}

const char *tr_image_part(const struct tr_image *image, size_t i)
{
	return i < image->nparts ? image->parts[i] : NULL;
}

const uint8_t *tr_image_mask(const struct tr_image *image, const uint8_t *bytes)
{
	return image->mask ? image->mask + (bytes - image->code_bytes) : NULL;
}

bool tr_image_has_interpreter(const struct tr_image *image)
{
	return image->interpreted;
}

const struct tr_segment *tr_image_segment(const struct tr_image *image, size_t i)
{
	return i < image->nsegments && image->nsegments <= TR_IMAGE_SEGMENTS
		   ? &image->segments[i]
		   : NULL;
}

size_t tr_image_code_count(const struct tr_image *image)
{
	return image->ncode;
}

const struct tr_code *tr_image_code(const struct tr_image *image, size_t i)
{
	return &image->code[i];
}

const uint8_t *tr_image_bytes(const struct tr_image *image, uint64_t address,
			      uint64_t size)
{
	size_t low = 0, high = image->ncode;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tr_code *code = &image->code[middle];
		uint64_t into = address - code->address;
		if (address < code->address)
			high = middle;
		else if (into >= code->size)
			low = middle + 1;
		else
			return size <= code->size - into ? code->data + into : NULL;
	}
	return NULL;
}

size_t tr_image_function_count(const struct tr_image *image)
{
	return image->nfunctions;
}

const struct tr_function *tr_image_function(const struct tr_image *image, size_t i)
{
	return &image->functions[i];
}

const struct tr_function *tr_image_function_at(const struct tr_image *image,
					       uint64_t address)
{
	size_t low = 0, high = image->nfunctions;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tr_function *function = &image->functions[middle];
		if (address < function->low)
			high = middle;
		else if (address >= function->high)
			low = middle + 1;
		else
			return function;
	}
	return NULL;
}

struct tr_stretch tr_image_call_at(const struct tr_image *image, uint64_t address)
{
	return tr_image_step(image, IMAGE_INDEX_CALLS, address);
}

const char *tr_image_call(const struct tr_image *image, uint32_t item, uint32_t *around)
{
	return tr_image_index_item(&image->index[IMAGE_INDEX_CALLS], item, around);
}

struct tr_stretch tr_image_line_at(const struct tr_image *image, uint64_t address)
{
	return tr_image_step(image, IMAGE_INDEX_LINES, address);
}

const char *tr_image_line(const struct tr_image *image, uint32_t item, uint32_t *line)
{
	return tr_image_index_item(&image->index[IMAGE_INDEX_LINES], item, line);
}

size_t tr_image_symbols_find(const struct tr_image *image, const char *name)
{
	size_t low = 0, high = image->nsymbols;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(image->symbols[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int tr_image_symbol(const struct tr_image *image, const char *name, uint64_t *address)
{
	size_t found = tr_image_symbols_find(image, name);
	if (found < image->nsymbols && strcmp(image->symbols[found].name, name) == 0) {
		*address = image->symbols[found].address;
		return TR_OK;
	}
	for (size_t i = 0; i < image->nfunctions; i++)
		if (strcmp(image->functions[i].name, name) == 0) {
			*address = image->functions[i].entry;
			return TR_OK;
		}
	return TR_END;
}
