/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a process can map its text with all entries. */
#include "mapped_text.h"

#include <errno.h>
#include <string.h>

#include "target/profiler/guarded_memory.h"

static bool is_free(const struct process_maps *maps, uint64_t place, uint64_t size)
{
	uint64_t found;

	return find_free_place(maps, place, place, size, false, &found);
}

/* The heap must not grow into what is above the program. */
static bool is_below_heap(const struct process_facts *facts, uint64_t end)
{
	return facts->start_brk == 0 || end <= facts->start_brk;
}

bool place_mapped_text(const struct tr_stubs *stubs, const struct process_maps *maps,
		       const struct process_facts *facts, uint64_t counters_size,
		       struct tr_stubs_places *places)
{
	struct tr_stubs_places first = tr_stubs_first_places(stubs, places->bias);
	uint64_t text = stubs->image.text_address + places->bias;
	const struct process_map *map = find_process_map(maps, text);
	uint64_t end = first.counters + counters_size;

	if (!stubs->image.text_size || stubs->flags & TR_STUBS_STOPPED || !map ||
	    map->end - text < tr_stubs_text_pages(&stubs->image) ||
	    map->offset + (text - map->start) != stubs->image.text_origin ||
	    map->writable)
		return false;
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		if (stubs->areas[i].size &&
		    !is_free(maps, first.areas[i], stubs->areas[i].size))
			return false;
	if (!is_free(maps, first.counters, counters_size) || !is_below_heap(facts, end))
		return false;
	*places = first;
	return true;
}

static bool is_part(const struct mapped_file *file, uint64_t offset, uint64_t size)
{
	return size <= file->size && offset <= file->size - size;
}

struct image_check {
	const struct program_files *files;
	const struct mapped_file *program;
	bool same;
};

static void check_image(void *context)
{
	struct image_check *check = context;
	const struct tr_stubs *stubs = &check->files->stubs;
	const struct tr_stubs_image *image = &stubs->image;
	const struct mapped_file *object = &check->files->object;
	const struct mapped_file *program = check->program;

	check->same =
	    is_part(object, image->code_offset, stubs->code_size) &&
	    is_part(object, image->text_offset, tr_stubs_text_pages(image)) &&
	    is_part(program, image->text_origin, image->text_size) &&
	    tr_stubs_checksum(object->bytes + image->code_offset, stubs->code_size) ==
		image->code_checksum &&
	    tr_stubs_digest(image, program->bytes + image->text_origin,
			    object->bytes + image->text_offset) == image->text_digest;
}

/* A file that is cut meanwhile is not the same. */
static bool is_same_image(const struct program_files *files,
			  const struct mapped_file *program)
{
	struct image_check check = {files, program, false};

	return access_guarded(check_image, &check) && check.same;
}

/* The program stays mapped: a process that runs it next needs no check. */
bool check_mapped_text(struct program_files *files, pid_t process,
		       struct trouble *trouble)
{
	struct mapped_file program;
	char path[PROCESS_PATH_MAX];

	name_process_file(path, process, "exe");
	if (files->program.bytes && is_mapped_file(&files->program, path))
		return true;
	if (!map_file(&program, path))
		return tell_trouble(trouble, "%s: %s", path, strerror(errno));
	if (!is_same_image(files, &program)) {
		unmap_file(&program);
		return tell_trouble(trouble, "%s/injected.o: not the text of the program",
				    files->folder);
	}
	unmap_file(&files->program);
	files->program = program;
	return true;
}
