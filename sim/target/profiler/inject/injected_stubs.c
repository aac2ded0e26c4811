/* SPDX-License-Identifier: Apache-2.0 */
/* Finds stubs in a process. */
#include "injected_stubs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_files.h"
#include "tracee.h"

enum { PART = 16384 };

/* The folder of an image is that of injected.o; injectedPID.from is beside injectedPID.o.
 */
static bool read_origin(const char *code_path, char folder[PATH_MAX],
			struct trouble *trouble)
{
	char link[PATH_MAX];
	bool image = is_image_path(code_path);
	int length = (int)(strrchr(code_path, image ? '/' : '.') - code_path);

	if (image)
		return snprintf(folder, PATH_MAX, "%.*s", length, code_path) > 0;
	snprintf(link, sizeof(link), "%.*s.from", length, code_path);
	ssize_t got = readlink(link, folder, PATH_MAX - 1);

	if (got < 0)
		return tell_trouble(trouble, "%s: there is no such link", link);
	folder[got] = '\0';
	return true;
}

static const struct process_map *find_counters(const struct process_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		if (maps->maps[i].offset == TR_SHARED_HEADER &&
		    is_counts_path(maps->maps[i].name))
			return &maps->maps[i];
	return NULL;
}

bool find_injected_stubs(const struct process_maps *maps, struct injected_stubs *stubs,
			 struct trouble *trouble)
{
	const struct process_map *code = NULL;

	for (size_t i = 0; !code && i < maps->count; i++)
		if (is_code_path(maps->maps[i].name))
			code = &maps->maps[i];
	if (!code)
		return false;
	stubs->image = is_image_path(code->name);
	stubs->counters = find_counters(maps);
	stubs->folder[0] = '\0';
	if (!stubs->counters)
		return true;
	stubs->global = strstr(stubs->counters->name, "/00000.dat") != NULL;
	return read_origin(code->name, stubs->folder, trouble);
}

/* Finds where stubs are mapped that begin at an offset of their file. With -g, they and
 * the text of an image may be one mapping. */
static bool find_area(const struct process_maps *maps, uint64_t offset, uint64_t size,
		      uint64_t *place)
{
	for (size_t i = 0; i < maps->count; i++) {
		const struct process_map *map = &maps->maps[i];

		if (is_code_path(map->name) && map->offset <= offset &&
		    offset + size <= map->offset + (map->end - map->start)) {
			*place = map->start + (offset - map->offset);
			return true;
		}
	}
	return false;
}

bool find_injected_places(pid_t process, const struct process_maps *maps,
			  const struct injected_stubs *stubs,
			  const struct program_files *files,
			  struct tr_stubs_places *places, struct trouble *trouble)
{
	uint64_t code = stubs->image ? files->stubs.image.code_offset : 0;
	struct process_vector vector;

	if (!read_process_vector(process, &vector, trouble))
		return false;
	*places =
	    (struct tr_stubs_places){.bias = vector.entry - files->stubs.program_entry,
				     .counters = stubs->counters->start};
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &files->stubs.areas[i];

		if (area->size &&
		    !find_area(maps, code + area->offset, area->size, &places->areas[i]))
			return tell_trouble(trouble, "%s is of another build",
					    files->folder);
	}
	return true;
}

bool has_image_code(pid_t process, int memory, const struct program_files *files,
		    const struct tr_stubs_places *places, struct trouble *trouble)
{
	const struct tr_stubs *stubs = &files->stubs;
	uint8_t *code = calloc(1, (size_t)stubs->code_size + 1);
	bool done = code || tell_no_memory(trouble);

	for (unsigned i = 0; done && i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &stubs->areas[i];

		done = !area->size ||
		       read_tracee_memory(memory, places->areas[i], code + area->offset,
					  area->size, trouble);
	}
	if (done &&
	    tr_stubs_checksum(code, stubs->code_size) != stubs->image.code_checksum)
		done = tell_trouble(trouble, "%s: not the stubs of process %d",
				    files->folder, (int)process);
	free(code);
	return done;
}

bool has_all_entries(int memory, const struct program_files *files,
		     const struct tr_stubs_places *places)
{
	const struct tr_stubs *stubs = &files->stubs;
	uint8_t part[PART], entry[TR_STUBS_ENTRY_MAX];
	uint64_t start = 0, end = 0;
	struct trouble ignored = {{0}};

	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *function = &stubs->functions[i];
		const struct tr_stubs_function *last =
		    &stubs->functions[stubs->function_count - 1];
		uint64_t text_end = last->start + last->size;

		if (function->start + function->size > end) {
			start = function->start;
			end = text_end - start < PART ? text_end : start + PART;
			if (!read_tracee_memory(memory, start + places->bias, part,
						(size_t)(end - start), &ignored))
				return false;
		}
		if (tr_stubs_entry(stubs, places, i, entry) != TR_OK ||
		    memcmp(part + (function->start - start), entry, function->size) != 0)
			return false;
	}
	return true;
}
