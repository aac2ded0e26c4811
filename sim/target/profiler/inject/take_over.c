/* SPDX-License-Identifier: Apache-2.0 */
/* Follows stubs that another injector has brought into a stopped process, and reads what
 * a process has without stopping it. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject.h"
#include "injected_stubs.h"
#include "injection.h"
#include "process_maps.h"
#include "run_files.h"
#include "tracee.h"

enum { PAGE = 4096 };

/* What is followed. */
struct succession {
	pid_t process;
	struct program_files *files;
	int memory;
	struct process_facts facts;
	struct injected_stubs found;
	struct injection injection;
	struct process_maps maps; /* the last member: it is large */
};

static void begin_succession(struct succession *own, pid_t process)
{
	memset(own, 0, offsetof(struct succession, maps));
	own->process = process;
	own->memory = -1;
	own->maps.maps = own->maps.few;
	own->maps.text = own->maps.short_text;
}

static void free_succession(struct succession *own)
{
	if (own->memory >= 0)
		close(own->memory);
	free_process_maps(&own->maps);
	free(own->injection.counts);
}

/* --- the counters */

static bool is_deleted(const struct process_map *counters)
{
	static const char end[] = " (deleted)";
	size_t size = strlen(counters->name);

	return size > strlen(end) &&
	       strcmp(counters->name + size - strlen(end), end) == 0;
}

/* Reads whose counters a file has; `head` are its first bytes. */
static bool read_counts_head(const char *path, uint8_t head[TR_SHARED_HEADER],
			     struct tr_shared *shared, struct trouble *trouble)
{
	int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat about;
	uint64_t at;
	bool done = file >= 0 && fstat(file, &about) == 0 &&
		    pread(file, head, TR_SHARED_HEADER, 0) == TR_SHARED_HEADER &&
		    tr_shared_head(head, TR_SHARED_HEADER, (uint64_t)about.st_size,
				   shared, &at) == TR_OK;

	if (file >= 0)
		close(file);
	return done || tell_trouble(trouble, "%s: not a file of counters", path);
}

/* Sets whose file it is, and its path. */
static bool read_counts_owner(struct succession *own, struct trouble *trouble)
{
	uint8_t head[TR_SHARED_HEADER];
	const char *path = own->found.counters->name;
	struct tr_shared shared;

	if (!read_counts_head(path, head, &shared, trouble))
		return false;
	own->injection.counts_in = (pid_t)shared.pid;
	own->injection.started = shared.started;
	own->injection.counts = strdup(path);
	return own->injection.counts || tell_no_memory(trouble);
}

/* A process whose memory is another's, between vfork() and its next program: what is
 * written into one is in the other. The child is stopped, and its parent waits; the stack
 * is that of both. */
static bool shares_memory(const struct succession *own)
{
	const struct process_map *stack = name_process_map(&own->maps, "[stack]");
	struct trouble ignored = {{0}};
	uint64_t have, mark, seen = 0;
	int parent = open_tracee_memory(own->facts.parent, &ignored);
	bool shares =
	    parent >= 0 && stack &&
	    read_tracee_memory(own->memory, stack->start, &have, sizeof(have),
			       &ignored) &&
	    read_tracee_memory(parent, stack->start, &seen, sizeof(seen), &ignored) &&
	    seen == have;

	mark = ~have;
	if (shares)
		shares = write_tracee_memory(own->memory, stack->start, &mark,
					     sizeof(mark), &ignored) &&
			 read_tracee_memory(parent, stack->start, &seen, sizeof(seen),
					    &ignored) &&
			 write_tracee_memory(own->memory, stack->start, &have,
					     sizeof(have), &ignored) &&
			 seen == mark;
	if (parent >= 0)
		close(parent);
	return shares;
}

/* A child of which nobody knew, or whose file was removed, gets counters of its own. */
static bool find_own_counts(struct succession *own, const struct traced_threads *threads,
			    struct trouble *trouble)
{
	bool deleted = is_deleted(own->found.counters);

	if (!deleted && !read_counts_owner(own, trouble))
		return false;
	if (!deleted &&
	    (own->found.global || (own->injection.counts_in == own->process &&
				   own->injection.started == own->facts.started)))
		return true;
	own->injection.started = own->facts.started;
	if (!deleted && shares_memory(own))
		return true;
	own->injection.files = own->files;
	return give_own_counts(threads, own->process, &own->injection, trouble);
}

/* --- the stubs */

static uint64_t counters_pages(const struct program_files *files)
{
	uint64_t size = files->shared.index - files->shared.counts;

	return (size + PAGE - 1) / PAGE * PAGE;
}

/* Tells whether they are those of the files, and complete. */
static bool has_whole_stubs(struct succession *own)
{
	const struct process_map *counters = own->found.counters;
	struct trouble ignored = {{0}};

	return counters && strcmp(own->found.folder, own->files->folder) == 0 &&
	       own->found.global == own->files->global &&
	       counters->end - counters->start == counters_pages(own->files) &&
	       complete_program_files(own->files, &ignored) &&
	       find_injected_places(own->process, &own->maps, &own->found, own->files,
				    &own->injection.places, &ignored) &&
	       (!own->found.image || has_image_code(own->process, own->memory, own->files,
						    &own->injection.places, &ignored)) &&
	       has_all_entries(own->memory, own->files, &own->injection.places);
}

static enum injection_result run_succession(struct succession *own,
					    const struct traced_threads *threads,
					    struct trouble *trouble)
{
	own->memory = open_tracee_memory(own->process, trouble);
	if (own->memory < 0 || !read_process_facts(own->process, &own->facts, trouble) ||
	    !read_process_maps(own->process, &own->maps, trouble))
		return INJECTION_FAILED;
	if (!find_injected_stubs(&own->maps, &own->found, trouble))
		return trouble->text[0] ? INJECTION_OTHER : INJECTION_NONE;
	if (!has_whole_stubs(own))
		return INJECTION_OTHER;
	return find_own_counts(own, threads, trouble) ? INJECTION_DONE : INJECTION_FAILED;
}

enum injection_result take_over_stubs(const struct traced_threads *threads, pid_t process,
				      struct program_files *files,
				      struct injection *injection,
				      struct trouble *trouble)
{
	struct succession own;

	begin_succession(&own, process);
	own.files = files;
	enum injection_result result = run_succession(&own, threads, trouble);

	if (result == INJECTION_DONE) {
		files->users++;
		own.injection.files = files;
		*injection = own.injection;
		own.injection.counts = NULL;
	}
	free_succession(&own);
	return result;
}

/* --- without a tracer */

static bool read_injected(struct succession *own, struct injected_process *process,
			  struct trouble *trouble)
{
	own->files =
	    read_program_files("", own->found.folder, own->found.global, false, trouble);
	if (!own->files || !read_process_facts(own->process, &own->facts, trouble) ||
	    !find_injected_places(own->process, &own->maps, &own->found, own->files,
				  &process->places, trouble) ||
	    !read_counts_owner(own, trouble))
		return false;
	process->started = own->facts.started;
	process->counts_in = own->injection.counts_in;
	return join_path(process->counts, sizeof(process->counts), own->injection.counts,
			 "") ||
	       tell_trouble(trouble, "%s: the path is too long", own->injection.counts);
}

bool find_injected_process(pid_t id, struct injected_process *process,
			   char folder[PATH_MAX], struct trouble *trouble)
{
	struct succession own;
	bool done = false;

	begin_succession(&own, id);
	*process = (struct injected_process){.id = id, .has_stubs = true};
	if (!read_process_maps(id, &own.maps, trouble)) {
		if (!has_program(id))
			*trouble = (struct trouble){{0}};
	} else if (find_injected_stubs(&own.maps, &own.found, trouble) &&
		   own.found.counters) {
		done = read_injected(&own, process, trouble);
		process->folder = strcpy(folder, own.found.folder);
	}
	free_program_files(own.files);
	free_succession(&own);
	return done;
}
