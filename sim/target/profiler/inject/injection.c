/* SPDX-License-Identifier: Apache-2.0 */
/* Brings stubs into a stopped process. take_out.c is the other way. */
#include "injection.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "injection_internal.h"
#include "mapped_text.h"
#include "patch.h"
#include "process_maps.h"
#include "run_files.h"
#include "running_build.h"
#include "stub_places.h"
#include "target/profiler/guarded_memory.h"
#include "tracee.h"

enum { HANGS = 0x0000006f /* j . */ };

/* What an injection needs, until it is done. */
struct work {
	pid_t process;
	struct program_files *files;
	const struct tr_stubs *stubs;
	bool fresh;
	int memory;
	struct process_facts facts;
	struct process_vector vector;
	struct tr_stubs_places places;
	uint64_t counters_size, new_break;
	uint8_t *code; /* placed */
	struct text_patch patch;
	struct thread_move *moves;
	size_t move_count;
	struct run_folder run;
	char code_path[RUN_FILE_MAX];
	struct run_counts counts;
	struct tracee_calls calls;
	bool mapped[TR_STUBS_AREAS];
	bool unusable; /* the process cannot map the injected.o that was checked */
	pid_t busy;
	struct process_maps maps; /* the last member */
};

static void begin_work(struct work *work, pid_t process, struct program_files *files)
{
	/* Not the maps, which are large and set when they are read. */
	memset(work, 0, offsetof(struct work, maps));
	work->maps.maps = work->maps.few;
	work->maps.text = work->maps.short_text;
	work->process = process;
	work->files = files;
	work->stubs = &files->stubs;
	work->counters_size = files->shared.index - files->shared.counts;
	work->memory = work->run.folder = -1;
}

static void free_work(struct work *work)
{
	if (work->memory >= 0)
		close(work->memory);
	free_process_maps(&work->maps);
	free(work->code);
	free_text_patch(&work->patch);
	free(work->moves);
	close_run_folder(&work->run);
	close_run_counts(&work->counts);
}

/* --- the right program */

static bool tell_other_build(const struct work *work, struct trouble *trouble)
{
	return tell_trouble(trouble, "%s is of another build", work->files->folder);
}

static bool find_bias(struct work *work, struct trouble *trouble)
{
	const struct tr_stubs *stubs = work->stubs;

	if (!read_process_vector(work->process, &work->vector, trouble))
		return false;
	/* The heap of a static PIE is below it, and grows into nothing of what comes. */
	if (work->facts.start_brk < work->vector.entry)
		work->facts.start_brk = 0;
	work->places.bias = work->vector.entry - stubs->program_entry;
	return (stubs->flags & TR_STUBS_MOVABLE ? work->places.bias % TR_STUBS_PAGE == 0
						: work->places.bias == 0) ||
	       tell_other_build(work, trouble);
}

static bool check_running_build(const struct work *work, struct trouble *trouble)
{
	return is_running_build(work->process, work->memory, &work->vector,
				work->places.bias, work->stubs) ||
	       tell_other_build(work, trouble);
}

/* Ends the stop of prof-extract -s in this process. */
static bool release_program(const struct work *work, struct trouble *trouble)
{
	uint64_t entry = work->stubs->program_entry + work->places.bias;
	uint32_t have;

	if (!(work->stubs->flags & TR_STUBS_STOPPED))
		return true;
	if (!read_tracee_memory(work->memory, entry, &have, sizeof(have), trouble))
		return false;
	return have != HANGS ||
	       write_tracee_memory(work->memory, entry, work->stubs->program_first,
				   sizeof(work->stubs->program_first), trouble);
}

/* --- everything that can be done before the process changes */

static bool has_stubs(const struct work *work, struct trouble *trouble)
{
	for (size_t i = 0; i < work->maps.count; i++)
		if (is_code_path(work->maps.maps[i].name)) {
			tell_trouble(trouble, "process %d has stubs already",
				     (int)work->process);
			return true;
		}
	return false;
}

static bool place_code(struct work *work, struct trouble *trouble)
{
	const struct tr_stubs *stubs = work->stubs;

	if (has_stubs(work, trouble) ||
	    !choose_stub_places(stubs, work->counters_size, &work->maps,
				work->facts.start_brk, work->fresh, &work->places,
				&work->new_break, trouble))
		return false;
	work->code = malloc(stubs->code_size + 1U);
	if (!work->code)
		return tell_no_memory(trouble);
	memcpy(work->code, work->files->code, stubs->code_size);
	if (tr_stubs_place(stubs, &work->places, work->code) != TR_OK)
		return tell_trouble(trouble, "its stubs do not reach the program");
	return prepare_text_patch(&work->patch, work->memory, stubs, &work->places, true,
				  trouble);
}

static enum injection_result plan_moves(struct work *work,
					const struct traced_threads *threads,
					struct trouble *trouble)
{
	work->moves =
	    plan_thread_moves(threads, work->process, work->stubs, &work->places,
			      tr_stubs_move_in, &work->move_count, trouble);
	if (!work->moves || work->move_count == 0) {
		tell_trouble(trouble, "process %d has ended", (int)work->process);
		return INJECTION_FAILED;
	}
	for (size_t i = 0; !work->fresh && i < work->move_count; i++) {
		enum stack_search found =
		    search_stack(&work->moves[i], work->memory, &work->maps, work->stubs,
				 &work->places, tr_stubs_move_in, trouble);

		work->busy = work->moves[i].thread;
		if (found != STACK_CLEAR)
			return found == STACK_REFERS ? INJECTION_BUSY : INJECTION_FAILED;
	}
	return INJECTION_DONE;
}

static bool make_counts(struct work *work, struct trouble *trouble)
{
	return open_run_folder(&work->run, work->facts.user, work->facts.group,
			       trouble) &&
	       make_run_counts(&work->run, work->files, work->process,
			       work->facts.started, &work->counts, trouble);
}

static bool make_process_files(struct work *work, struct trouble *trouble)
{
	return make_counts(work, trouble) &&
	       link_program_files(&work->run, work->process, work->files->folder,
				  trouble) &&
	       make_code_file(&work->run, work->process, work->code,
			      work->stubs->code_size, work->code_path, trouble);
}

/* --- the process changes */

static bool tell_call(struct trouble *trouble, const char *what, const char *path,
		      int64_t result)
{
	return tell_trouble(trouble, "%s: the process cannot %s it: %s", path, what,
			    result < 0 ? strerror((int)-result) : "wrong place");
}

static bool open_in_process(struct tracee_calls *calls, const char *path, int flags,
			    struct trouble *trouble)
{
	int64_t result;

	return open_tracee_file(calls, path, flags, &result, trouble) &&
	       (result == calls->file || tell_call(trouble, "open", path, result));
}

static bool raise_break(struct work *work, struct trouble *trouble)
{
	int64_t result = 0;

	return !work->new_break ||
	       (call_tracee(&work->calls, SYS_brk, work->new_break, 0, 0, &result,
			    trouble) &&
		((uint64_t)result == work->new_break ||
		 tell_trouble(trouble, "no room for stubs above the program")));
}

/* Maps the stubs from the open file, where they begin at `offset`. */
static bool map_areas(struct work *work, const char *path, uint64_t offset,
		      struct trouble *trouble)
{
	bool done = true;

	for (unsigned i = 0; done && i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &work->stubs->areas[i];
		bool in_heap = work->places.areas[i] + area->size == work->new_break;
		int64_t result = 0;

		if (!area->size)
			continue;
		done = map_tracee_file(&work->calls, work->places.areas[i], area->size,
				       PROT_READ | PROT_EXEC,
				       MAP_PRIVATE |
					   (in_heap ? MAP_FIXED : MAP_FIXED_NOREPLACE),
				       offset + area->offset, &result, trouble) &&
		       ((uint64_t)result == work->places.areas[i] ||
			tell_call(trouble, "map", path, result));
		work->mapped[i] = done;
	}
	return done;
}

static bool map_code(struct work *work, struct trouble *trouble)
{
	bool done = open_in_process(&work->calls, work->code_path, O_RDONLY, trouble) &&
		    map_areas(work, work->code_path, 0, trouble);

	return close_tracee_file(&work->calls, trouble) && done;
}

static bool map_tracee_counters(struct tracee_calls *calls, const char *path,
				uint64_t place, uint64_t size, int fixed,
				struct trouble *trouble)
{
	int64_t result = 0;
	bool done =
	    open_in_process(calls, path, O_RDWR, trouble) &&
	    map_tracee_file(calls, place, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | fixed, TR_SHARED_HEADER, &result, trouble) &&
	    ((uint64_t)result == place || tell_call(trouble, "map", path, result));

	return close_tracee_file(calls, trouble) && done;
}

static void add_call(void *counter)
{
	__atomic_fetch_add((uint64_t *)counter, 1, __ATOMIC_RELAXED);
}

/* A counter that the process's user has cut off is of no use to anybody. */
void count_missing_call(uint8_t *counts, uint32_t index)
{
	access_guarded(add_call, counts + 8 * (size_t)index);
}

/* A thread within replaced bytes goes on in the stub, before the entry is written. */
static bool move_threads_in(struct work *work, struct trouble *trouble)
{
	for (size_t i = 0; i < work->move_count; i++) {
		struct thread_move *thread = &work->moves[i];

		if (!thread->move.moves)
			continue;
		if (thread->thread == work->calls.thread) {
			work->calls.own.pc = thread->move.pc;
			if (!retarget_tracee(&work->calls, trouble))
				return false;
		} else {
			thread->registers.pc = thread->move.pc;
			if (!set_tracee_registers(thread->thread, &thread->registers,
						  trouble))
				return false;
		}
		if (!thread->move.counts)
			continue;
		if (!map_run_counts(&work->counts, trouble))
			return false;
		count_missing_call(work->counts.bytes + TR_SHARED_HEADER,
				   work->stubs->functions[thread->move.function].index);
	}
	return true;
}

static void unmap_areas(struct work *work)
{
	struct trouble ignored = {{0}};
	int64_t result;

	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		if (work->mapped[i])
			call_tracee(&work->calls, SYS_munmap, work->places.areas[i],
				    work->stubs->areas[i].size, 0, &result, &ignored);
		work->mapped[i] = false;
	}
}

/* After a failure what has been mapped is unmapped, and the process continues without. */
static bool change_process(struct work *work, struct trouble *trouble)
{
	if (!begin_planned_calls(&work->calls, work->moves, work->move_count,
				 work->process, work->memory, &work->maps, trouble))
		return false;
	bool done =
	    raise_break(work, trouble) && map_code(work, trouble) &&
	    map_tracee_counters(&work->calls, work->counts.path, work->places.counters,
				work->counters_size, MAP_FIXED_NOREPLACE, trouble);

	if (!done)
		unmap_areas(work);
	done = done && move_threads_in(work, trouble) &&
	       write_split_entries(&work->patch, &work->calls, trouble);
	return end_tracee_calls(&work->calls, trouble) && done &&
	       write_patch_pages(&work->patch, work->memory, trouble);
}

/* The text comes last: its entries need all else. */
static bool map_text(struct work *work, const char *path, struct trouble *trouble)
{
	const struct tr_stubs_image *image = &work->stubs->image;
	uint64_t place = image->text_address + work->places.bias;
	int64_t result = 0;

	return map_tracee_file(&work->calls, place, tr_stubs_text_pages(image),
			       PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
			       image->text_offset, &result, trouble) &&
	       ((uint64_t)result == place || tell_call(trouble, "map", path, result));
}

/* The process opens injected.o by its path, where another file may be by now. */
static bool has_checked_object(const struct work *work, const char *path,
			       struct trouble *trouble)
{
	char opened[PROCESS_PATH_MAX];

	name_process_descriptor(opened, work->process, work->calls.file);
	return is_mapped_file(&work->files->object, opened) ||
	       tell_trouble(trouble, "%s: another file by now", path);
}

/* Sets work->unusable until the text, which comes last, is to be mapped. */
static bool map_image_parts(struct work *work, const char *path, struct trouble *trouble)
{
	work->unusable = true;
	if (!open_in_process(&work->calls, path, O_RDONLY, trouble) ||
	    !has_checked_object(work, path, trouble) ||
	    !map_areas(work, path, work->stubs->image.code_offset, trouble))
		return false;
	work->unusable = false;
	return map_text(work, path, trouble);
}

static bool map_image(struct work *work, const char *path, struct trouble *trouble)
{
	uint64_t counters = work->places.counters, size = work->counters_size;
	struct trouble ignored = {{0}};
	int64_t result;

	if (!begin_tracee_calls(&work->calls, work->process, work->memory, &work->maps,
				NULL, 0, trouble))
		return false;
	bool counts = map_tracee_counters(&work->calls, work->counts.path, counters, size,
					  MAP_FIXED_NOREPLACE, trouble);
	bool done = counts && map_image_parts(work, path, trouble);

	if (!done)
		unmap_areas(work);
	if (!done && counts)
		call_tracee(&work->calls, SYS_munmap, counters, size, 0, &result,
			    &ignored);
	/* Once its entries are there, the stubs stay. */
	done = close_tracee_file(&work->calls, trouble) && done;
	return end_tracee_calls(&work->calls, trouble) && done;
}

static enum injection_result inject_image(struct work *work, struct trouble *trouble)
{
	char path[TRACEE_PATH_MAX];

	work->unusable = !name_object_file(work->files, path, sizeof(path), trouble);
	bool done = !work->unusable &&
		    check_mapped_text(work->files, work->process, trouble) &&
		    make_counts(work, trouble) && map_image(work, path, trouble);

	return done ? INJECTION_DONE : INJECTION_FAILED;
}

static enum injection_result write_injection(struct work *work,
					     const struct traced_threads *threads,
					     struct trouble *trouble)
{
	if (!check_running_build(work, trouble) ||
	    !complete_program_files(work->files, trouble) ||
	    !release_program(work, trouble) || !place_code(work, trouble))
		return INJECTION_FAILED;
	enum injection_result planned = plan_moves(work, threads, trouble);

	if (planned != INJECTION_DONE)
		return planned;
	bool done = make_process_files(work, trouble) && change_process(work, trouble);

	if (work->code_path[0])
		remove_code_file(&work->run, work->process);
	return done ? INJECTION_DONE : INJECTION_FAILED;
}

static enum injection_result run_injection(struct work *work,
					   const struct traced_threads *threads,
					   struct trouble *trouble)
{
	work->memory = open_tracee_memory(work->process, trouble);
	if (work->memory < 0 ||
	    !read_process_facts(work->process, &work->facts, trouble) ||
	    !find_bias(work, trouble) ||
	    !read_process_maps(work->process, &work->maps, trouble))
		return INJECTION_FAILED;
	if (!work->fresh || !place_mapped_text(work->stubs, &work->maps, &work->facts,
					       work->counters_size, &work->places))
		return write_injection(work, threads, trouble);
	enum injection_result result = inject_image(work, trouble);

	if (!work->unusable)
		return result;
	/* Only the injector has it: what it writes needs no permission of the process. */
	*trouble = (struct trouble){{0}};
	close_run_folder(&work->run);
	close_run_counts(&work->counts);
	return write_injection(work, threads, trouble);
}

void free_injection(struct injection *injection)
{
	if (injection->files)
		injection->files->users--;
	free(injection->counts);
	*injection = (struct injection){0};
}

/* Returns false without memory. */
static bool keep_counts(struct injection *injection, const struct work *work)
{
	char *counts = strdup(work->counts.path);

	if (!counts)
		return false;
	free(injection->counts);
	injection->counts = counts;
	if (!injection->files)
		work->files->users++;
	injection->files = work->files;
	injection->started = work->facts.started;
	injection->counts_in = work->files->global ? 0 : work->process;
	return true;
}

enum injection_result inject_stubs(const struct traced_threads *threads, pid_t process,
				   struct program_files *files, bool fresh,
				   struct injection *injection, struct trouble *trouble)
{
	struct work work;

	begin_work(&work, process, files);
	work.fresh = fresh;
	enum injection_result result = run_injection(&work, threads, trouble);

	injection->busy = work.busy;
	if (result == INJECTION_DONE) {
		*injection = (struct injection){.places = work.places};
		if (!keep_counts(injection, &work)) {
			tell_no_memory(trouble);
			result = INJECTION_FAILED;
		}
	}
	free_work(&work);
	return result;
}

/* --- a child */

static struct tr_stubs_move stay(const struct tr_stubs *stubs,
				 const struct tr_stubs_places *places, uint64_t pc)
{
	(void)stubs;
	(void)places;
	(void)pc;
	return (struct tr_stubs_move){0};
}

static bool map_own_counts(struct work *work, const struct traced_threads *threads,
			   struct trouble *trouble)
{
	work->moves = plan_thread_moves(threads, work->process, work->stubs,
					&work->places, stay, &work->move_count, trouble);
	if (!work->moves || work->move_count == 0 ||
	    !begin_planned_calls(&work->calls, work->moves, work->move_count,
				 work->process, work->memory, &work->maps, trouble))
		return tell_trouble(trouble, "process %d has ended", (int)work->process);
	bool done =
	    map_tracee_counters(&work->calls, work->counts.path, work->places.counters,
				work->counters_size, MAP_FIXED, trouble);

	return end_tracee_calls(&work->calls, trouble) && done;
}

static bool run_own_counts(struct work *work, const struct traced_threads *threads,
			   struct trouble *trouble)
{
	work->memory = open_tracee_memory(work->process, trouble);
	if (work->memory < 0 ||
	    !read_process_facts(work->process, &work->facts, trouble) ||
	    !read_process_maps(work->process, &work->maps, trouble) ||
	    !make_counts(work, trouble))
		return false;
	if (map_own_counts(work, threads, trouble))
		return true;
	/* Nothing would ever be counted there. */
	unlink(work->counts.path);
	return false;
}

bool give_own_counts(const struct traced_threads *threads, pid_t process,
		     struct injection *injection, struct trouble *trouble)
{
	struct work work;

	begin_work(&work, process, injection->files);
	work.places = injection->places;
	bool done = run_own_counts(&work, threads, trouble);

	if (done && !keep_counts(injection, &work))
		done = tell_no_memory(trouble);
	free_work(&work);
	return done;
}

/* --- without stubs */

static bool run_preparation(struct work *work, struct trouble *trouble)
{
	work->memory = open_tracee_memory(work->process, trouble);
	return work->memory >= 0 &&
	       read_process_facts(work->process, &work->facts, trouble) &&
	       find_bias(work, trouble) && check_running_build(work, trouble) &&
	       make_counts(work, trouble);
}

bool prepare_counts(pid_t process, struct program_files *files,
		    struct injection *injection, struct trouble *trouble)
{
	struct work work;

	begin_work(&work, process, files);
	*injection = (struct injection){0};
	bool done = run_preparation(&work, trouble) &&
		    (keep_counts(injection, &work) || tell_no_memory(trouble));

	injection->places.bias = work.places.bias;
	free_work(&work);
	return done;
}
