/* SPDX-License-Identifier: Apache-2.0 */
/* Names functions in full, and finds where they are declared. */
#include "image/image_dwarf_titles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "image/image_demangle.h"

static const char *text_at(const struct image_dwarf_titles *titles, uint32_t offset)
{
	return (const char *)titles->text.data + offset;
}

static bool put_demangled(struct image_dwarf_titles *titles,
			  const struct image_dwarf_name *name, uint64_t entry)
{
	const struct image_mangled *mangled = titles->mangled;
	if (image_demangle(name->mangled, &titles->text))
		return true;
	uint32_t offset = tr_map_get(&mangled->offsets, entry);
	return offset != TR_MAP_NONE &&
	       image_demangle((const char *)mangled->names.data + offset, &titles->text);
}

void image_dwarf_titles_add(struct image_dwarf_titles *titles,
			    const struct image_dwarf_name *name, uint64_t entry)
{
	struct tr_buffer *text = &titles->text;
	if (text->size == 0)
		tr_buffer_add(text, "", 1);
	uint64_t at = text->size;
	if (!put_demangled(titles, name, entry)) {
		image_scopes_prefix(titles->scopes, name->die, text);
		tr_buffer_add(text, name->name, strlen(name->name));
	}
	tr_buffer_add(text, "", 1);
	titles->failed |= text->failed || at > INT32_MAX ||
			  !tr_grow(&titles->list, &titles->capacity, titles->count + 1,
				   sizeof(*titles->list));
	if (titles->failed)
		return;
	uint64_t hash = XXH3_64bits(text->data + at, text->size - at);
	uint32_t first = tr_map_get(&titles->by_name, hash);
	if (first == TR_MAP_NONE) {
		first = (uint32_t)titles->count;
		titles->failed |= !tr_map_set(&titles->by_name, hash, first);
	} else {
		titles->list[first].has_namesake = true;
	}
	titles->list[titles->count++] = (struct image_title){.unit = name->unit,
							     .file = name->file,
							     .line = name->line,
							     .name = (uint32_t)at,
							     .first = first};
}

static void drop_files(struct image_dwarf_titles *titles)
{
	for (Dwarf_Signed i = 0; i < titles->nfiles; i++)
		dwarf_dealloc(titles->dbg, titles->files[i], DW_DLA_STRING);
	if (titles->files)
		dwarf_dealloc(titles->dbg, titles->files, DW_DLA_LIST);
	titles->files = NULL;
	titles->nfiles = 0;
}

static void take_files(struct image_dwarf_titles *titles, uint64_t unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	Dwarf_Half offset_size = 0;
	drop_files(titles);
	titles->unit = unit;
	if (dwarf_offdie_b(titles->dbg, unit, 1, &die, &error) != DW_DLV_OK)
		return;
	if (dwarf_get_version_of_die(die, &titles->version, &offset_size) != DW_DLV_OK ||
	    dwarf_srcfiles(die, &titles->files, &titles->nfiles, &error) != DW_DLV_OK) {
		titles->files = NULL;
		titles->nfiles = 0;
	}
	dwarf_dealloc_die(die);
}

/* Files count from 1 before DWARF 5, and from 0 since. */
static const char *file_name(struct image_dwarf_titles *titles, uint64_t unit,
			     uint32_t file)
{
	if (titles->unit != unit)
		take_files(titles, unit);
	uint32_t first = titles->version >= 5 ? 0 : 1;
	if (file < first || file - first >= titles->nfiles)
		return NULL;
	const char *path = titles->files[file - first], *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void find_place(struct image_dwarf_titles *titles, struct image_title *title)
{
	char line[16];
	const char *file =
	    title->line ? file_name(titles, title->unit, title->file) : NULL;
	if (title->place || !file)
		return;
	title->place = (uint32_t)titles->text.size;
	snprintf(line, sizeof(line), ":%" PRIu32, title->line);
	tr_buffer_add(&titles->text, file, strlen(file));
	tr_buffer_add(&titles->text, line, strlen(line) + 1);
	titles->failed |= titles->text.failed || titles->text.size > INT32_MAX;
}

/* Of two functions of one name. One that has no place may be any. */
static bool are_apart(const struct image_dwarf_titles *titles,
		      const struct image_title *a, const struct image_title *b)
{
	return !titles->failed && a->place && b->place &&
	       strcmp(text_at(titles, a->place), text_at(titles, b->place)) != 0;
}

/* The first of a name comes before the others. */
void image_dwarf_titles_settle(struct image_dwarf_titles *titles)
{
	titles->unit = UINT64_MAX;
	for (size_t i = 0; i < titles->count && !titles->failed; i++) {
		struct image_title *title = &titles->list[i];
		struct image_title *first = &titles->list[title->first];
		if (!first->has_namesake)
			continue;
		find_place(titles, title);
		first->differs |= are_apart(titles, title, first);
	}
	drop_files(titles);
}

const char *image_dwarf_title(const struct image_dwarf_titles *titles, size_t i)
{
	return text_at(titles, titles->list[i].name);
}

const char *image_dwarf_title_place(const struct image_dwarf_titles *titles, size_t i)
{
	return text_at(titles, titles->list[i].place);
}

bool image_dwarf_title_differs(const struct image_dwarf_titles *titles, size_t i)
{
	return titles->list[titles->list[i].first].differs;
}

void image_dwarf_titles_release(struct image_dwarf_titles *titles)
{
	free(titles->list);
	tr_map_free(&titles->by_name);
	tr_buffer_free(&titles->text);
}
