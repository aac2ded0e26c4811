/* SPDX-License-Identifier: Apache-2.0 */
/* Takes stubs out of a stopped process. Its mappings tell which they are and where. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "injected_stubs.h"
#include "injection.h"
#include "injection_internal.h"
#include "patch.h"
#include "process_maps.h"
#include "run_files.h"
#include "stub_places.h"
#include "tracee.h"

/* What is taken out. */
struct removal {
	pid_t process;
	int memory;
	struct process_maps maps;
	struct injected_stubs found;
	struct program_files *files; /* NULL: no entry was written */
	const struct tr_stubs *stubs;
	struct tr_stubs_places places;
	struct text_patch patch;
	struct thread_move *moves;
	size_t move_count;
	struct tracee_calls calls;
	struct mapped_file program; /* if the process cannot open it */
	bool stays;		    /* the stubs stay mapped */
};

static void free_removal(struct removal *removal)
{
	if (removal->memory >= 0)
		close(removal->memory);
	free_process_maps(&removal->maps);
	free_program_files(removal->files);
	free_text_patch(&removal->patch);
	free(removal->moves);
	unmap_file(&removal->program);
}

/* --- what is there */

static bool find_stubs_in(struct removal *removal, struct trouble *trouble)
{
	struct injected_stubs *found = &removal->found;

	if (!find_injected_stubs(&removal->maps, found, trouble))
		return tell_trouble(trouble, "process %d is not profiled",
				    (int)removal->process);
	if (!found->counters)
		return true;
	removal->files =
	    read_program_files("", found->folder, found->global, false, trouble);
	return removal->files && complete_program_files(removal->files, trouble);
}

/* Of stubs that are not of an image, the entries will be compared. */
static bool find_places(struct removal *removal, struct trouble *trouble)
{
	return find_injected_places(removal->process, &removal->maps, &removal->found,
				    removal->files, &removal->places, trouble) &&
	       (!removal->found.image ||
		has_image_code(removal->process, removal->memory, removal->files,
			       &removal->places, trouble));
}

/* Returns what a mapping of injected.o has of an image's text, which has several mappings
 * if the process has locked or protected pages of it. Empty, at the end: nothing. */
static struct process_map image_text(const struct removal *removal,
				     const struct process_map *map)
{
	const struct tr_stubs_image *image = &removal->stubs->image;
	uint64_t first = image->text_offset, end = first + tr_stubs_text_pages(image);
	uint64_t map_end = map->offset + (map->end - map->start);
	struct process_map part = *map;

	if (!removal->found.image || !is_image_path(map->name) || map_end <= first ||
	    map->offset >= end) {
		part.start = map->end;
		return part;
	}
	if (part.offset < first) {
		part.start += first - part.offset;
		part.offset = first;
	}
	if (map_end > end)
		part.end -= map_end - end;
	return part;
}

static bool is_in_stubs(const struct removal *removal, uint64_t place)
{
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		if (place - removal->places.areas[i] <
		    removal->files->stubs.areas[i].size)
			return true;
	return false;
}

/* An injector that was killed before it mapped the counters has written no entry. */
static const struct tr_stubs no_stubs;

static bool plan_all(struct removal *removal, const struct traced_threads *threads,
		     struct trouble *trouble)
{
	removal->memory = open_tracee_memory(removal->process, trouble);
	if (removal->memory < 0 ||
	    !read_process_maps(removal->process, &removal->maps, trouble) ||
	    !find_stubs_in(removal, trouble) ||
	    (removal->files && !find_places(removal, trouble)))
		return false;
	removal->stubs = removal->files ? &removal->files->stubs : &no_stubs;
	removal->moves =
	    plan_thread_moves(threads, removal->process, removal->stubs, &removal->places,
			      tr_stubs_move_out, &removal->move_count, trouble);
	if (removal->moves && removal->move_count == 0)
		return tell_trouble(trouble, "process %d has ended",
				    (int)removal->process);
	return removal->moves &&
	       (removal->found.image ||
		prepare_text_patch(&removal->patch, removal->memory, removal->stubs,
				   &removal->places, false, trouble));
}

/* Everything that can be done before the process changes. */
static enum injection_result plan_removal(struct removal *removal,
					  const struct traced_threads *threads, bool last,
					  pid_t *busy, struct trouble *trouble)
{
	if (!plan_all(removal, threads, trouble))
		return INJECTION_FAILED;
	for (size_t i = 0; i < removal->move_count; i++) {
		enum stack_search found = search_stack(
		    &removal->moves[i], removal->memory, &removal->maps, removal->stubs,
		    &removal->places, tr_stubs_move_out, trouble);

		if (found == STACK_UNREADABLE)
			return INJECTION_FAILED;
		removal->stays = found == STACK_REFERS;
		*busy = removal->moves[i].thread;
		if (removal->stays)
			return last ? INJECTION_DONE : INJECTION_BUSY;
	}
	return INJECTION_DONE;
}

/* --- the process changes */

static void count_move(const struct removal *removal, const struct tr_stubs_move *move)
{
	int file = open(removal->found.counters->name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	size_t size =
	    (size_t)(removal->found.counters->end - removal->found.counters->start);

	if (file < 0)
		return;
	void *bytes =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, TR_SHARED_HEADER);

	if (bytes != MAP_FAILED) {
		count_missing_call(bytes,
				   removal->stubs->functions[move->function].index);
		munmap(bytes, size);
	}
	close(file);
}

/* A thread within a far entry is moved before the entry is restored, one within a stub
 * after that. */
static bool move_threads_out(struct removal *removal, bool in_stubs,
			     struct trouble *trouble)
{
	for (size_t i = 0; i < removal->move_count; i++) {
		struct thread_move *thread = &removal->moves[i];

		if (!thread->move.moves ||
		    is_in_stubs(removal, thread->registers.pc) != in_stubs)
			continue;
		if (thread->thread == removal->calls.thread) {
			removal->calls.own.pc = thread->move.pc;
			if (!retarget_tracee(&removal->calls, trouble))
				return false;
		} else {
			struct tracee_registers registers = thread->registers;

			registers.pc = thread->move.pc;
			if (!set_tracee_registers(thread->thread, &registers, trouble))
				return false;
		}
		if (thread->move.counts)
			count_move(removal, &thread->move);
	}
	return true;
}

static bool unmap_range(struct removal *removal, uint64_t start, uint64_t end,
			struct trouble *trouble)
{
	int64_t result;

	return start == end || call_tracee(&removal->calls, SYS_munmap, start,
					   end - start, 0, &result, trouble);
}

/* The counters come first: without them, what a killed injector has left is not looked
 * for. */
static bool unmap_stubs(struct removal *removal, struct trouble *trouble)
{
	const struct process_map *counters = removal->found.counters;
	bool done =
	    !counters || unmap_range(removal, counters->start, counters->end, trouble);

	for (size_t i = 0; done && i < removal->maps.count; i++) {
		const struct process_map *map = &removal->maps.maps[i];
		struct process_map text = image_text(removal, map);

		if (is_code_path(map->name))
			done = unmap_range(removal, map->start, text.start, trouble) &&
			       unmap_range(removal, text.end, map->end, trouble);
	}
	return done;
}

static int part_protection(const struct process_map *part)
{
	return PROT_READ | PROT_EXEC | (part->writable ? PROT_WRITE : 0);
}

/* Where the part of an image's text begins in the program's file. */
static uint64_t part_origin(const struct removal *removal, const struct process_map *part)
{
	const struct tr_stubs_image *image = &removal->stubs->image;

	return part->offset - image->text_offset + image->text_origin;
}

/* Maps text of the program's file, which is open, in the place of an image's. */
static bool map_program_part(struct removal *removal, const struct process_map *part,
			     struct trouble *trouble)
{
	int64_t result = 0;

	return map_tracee_file(&removal->calls, part->start, part->end - part->start,
			       part_protection(part), MAP_PRIVATE | MAP_FIXED,
			       part_origin(removal, part), &result, trouble) &&
	       (uint64_t)result == part->start;
}

/* Without a file: the injector writes the text elsewhere, and then it takes the place of
 * an image's. */
static bool copy_program_part(struct removal *removal, const struct process_map *part,
			      struct trouble *trouble)
{
	uint64_t origin = part_origin(removal, part), size = part->end - part->start;
	uint64_t left = removal->program.size - origin;
	int64_t place = 0, result = 0;

	if (origin > removal->program.size ||
	    !map_tracee_file(&removal->calls, 0, size, part_protection(part),
			     MAP_PRIVATE | MAP_ANONYMOUS, 0, &place, trouble) ||
	    place < 0)
		return false;
	bool done = write_tracee_memory(removal->memory, (uint64_t)place,
					removal->program.bytes + origin,
					left < size ? left : size, trouble) &&
		    move_tracee_mapping(&removal->calls, (uint64_t)place, size,
					part->start, &result, trouble) &&
		    (uint64_t)result == part->start;

	if (!done)
		call_tracee(&removal->calls, SYS_munmap, (uint64_t)place, size, 0,
			    &result, trouble);
	return done;
}

typedef bool put_part(struct removal *removal, const struct process_map *part,
		      struct trouble *trouble);

static bool put_text_parts(struct removal *removal, put_part *put,
			   struct trouble *trouble)
{
	bool done = true;

	for (size_t i = 0; done && i < removal->maps.count; i++) {
		struct process_map part = image_text(removal, &removal->maps.maps[i]);

		done = part.start == part.end || put(removal, &part, trouble);
	}
	return done;
}

/* Maps the text of the program's file again. A process that has changed its root or its
 * user, or may open no more files, gets a copy of it. */
static bool map_program_text(struct removal *removal, struct trouble *trouble)
{
	char path[PROCESS_PATH_MAX];
	int64_t result = 0;

	if (!open_tracee_file(&removal->calls, "/proc/self/exe", O_RDONLY, &result,
			      trouble))
		return false;
	name_process_file(path, removal->process, "exe");
	bool done = result == removal->calls.file
			? put_text_parts(removal, map_program_part, trouble)
			: map_file(&removal->program, path) &&
			      put_text_parts(removal, copy_program_part, trouble);

	if (!done)
		tell_trouble(trouble, "process %d cannot map its program",
			     (int)removal->process);
	return close_tracee_file(&removal->calls, trouble) && done;
}

static bool restore_text(struct removal *removal, struct trouble *trouble)
{
	if (removal->found.image)
		return map_program_text(removal, trouble);
	return write_split_entries(&removal->patch, &removal->calls, trouble) &&
	       write_patch_pages(&removal->patch, removal->memory, trouble);
}

static bool change_back(struct removal *removal, struct trouble *trouble)
{
	if (!begin_planned_calls(&removal->calls, removal->moves, removal->move_count,
				 removal->process, removal->memory, &removal->maps,
				 trouble))
		return false;
	bool done = move_threads_out(removal, false, trouble) &&
		    restore_text(removal, trouble) &&
		    move_threads_out(removal, true, trouble) &&
		    (removal->stays || unmap_stubs(removal, trouble));

	return end_tracee_calls(&removal->calls, trouble) && done;
}

enum injection_result take_out_stubs(const struct traced_threads *threads, pid_t process,
				     bool last, pid_t *busy, struct trouble *trouble)
{
	struct removal removal = {.process = process, .memory = -1};
	enum injection_result result =
	    plan_removal(&removal, threads, last, busy, trouble);

	if (result == INJECTION_DONE) {
		*trouble = (struct trouble){{0}};
		if (!change_back(&removal, trouble))
			result = INJECTION_FAILED;
	}
	free_removal(&removal);
	return result;
}
