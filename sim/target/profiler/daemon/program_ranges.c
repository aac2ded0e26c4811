/* SPDX-License-Identifier: Apache-2.0 */
/* Finds functions by address. */
#include "program_ranges.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stubs/function_ranges.h"
#include "target/profiler/inject/process_maps.h"
#include "target/profiler/inject/program_files.h"

/* Where a stub begins in the code of injected.o. */
struct stub_begin {
	uint32_t offset, index;
};

struct program_ranges {
	char *folder;
	bool global;
	bool is_read, stubs_read; /* or cannot be */
	struct stat extracted;	  /* its data.bin, which prof-extract writes last */
	struct tr_function_ranges functions;
	struct tr_stubs_area areas[TR_STUBS_AREAS];
	struct stub_begin *stubs; /* by offset */
	uint32_t stub_count;
};

/* Tells what data.bin the folder has now; all 0: none. */
static bool stat_extracted(const char *folder, bool global, struct stat *about)
{
	char path[PATH_MAX];

	if (join_path(path, sizeof(path), folder, global ? "/datag.bin" : "/data.bin") &&
	    stat(path, about) == 0)
		return true;
	*about = (struct stat){0};
	return false;
}

struct program_ranges *make_program_ranges(const char *folder, bool global)
{
	struct program_ranges *program = calloc(1, sizeof(*program));

	if (!program || !(program->folder = strdup(folder))) {
		free(program);
		return NULL;
	}
	program->global = global;
	stat_extracted(folder, global, &program->extracted);
	return program;
}

bool are_current_ranges(const struct program_ranges *program)
{
	const struct stat *then = &program->extracted;
	struct stat now;

	stat_extracted(program->folder, program->global, &now);
	return now.st_dev == then->st_dev && now.st_ino == then->st_ino &&
	       now.st_size == then->st_size &&
	       now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == then->st_mtim.tv_nsec;
}

void free_program_ranges(struct program_ranges *program)
{
	free(program->functions.ranges);
	free(program->stubs);
	free(program->folder);
	free(program);
}

/* --- files */

static uint8_t *read_part(const struct program_ranges *program, const char *name,
			  char path[PATH_MAX], size_t *size, struct trouble *trouble)
{
	if (!join_path(path, PATH_MAX, program->folder, name)) {
		tell_trouble(trouble, "%s: the path is too long", program->folder);
		return NULL;
	}
	uint8_t *bytes = (uint8_t *)read_whole_file(AT_FDCWD, path, size);

	if (!bytes)
		tell_trouble(trouble, "%s: %s", path, strerror(errno));
	return bytes;
}

static bool read_ranges(struct program_ranges *program, char path[PATH_MAX],
			struct trouble *trouble)
{
	size_t size;
	uint64_t at = 0;
	uint8_t *bytes =
	    read_part(program, program->global ? "/funcsg.bin" : "/funcs.bin", path,
		      &size, trouble);

	if (!bytes)
		return false;
	enum tr_status status =
	    tr_function_ranges_decode(bytes, size, &program->functions, &at);

	free(bytes);
	if (status == TR_OK)
		return true;
	program->functions = (struct tr_function_ranges){0};
	return tell_file_status(trouble, path, at, status);
}

static int compare_stubs(const void *a, const void *b)
{
	const struct stub_begin *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Keeps of the stubs where they begin. */
static void keep_stubs(struct program_ranges *program, const struct tr_stubs *stubs,
		       struct trouble *trouble)
{
	program->stubs = calloc(stubs->function_count + 1, sizeof(*program->stubs));
	if (!program->stubs) {
		tell_no_memory(trouble);
		return;
	}
	for (uint32_t i = 0; i < stubs->function_count; i++)
		program->stubs[i] = (struct stub_begin){stubs->functions[i].stub,
							stubs->functions[i].index};
	program->stub_count = stubs->function_count;
	qsort(program->stubs, program->stub_count, sizeof(*program->stubs),
	      compare_stubs);
	memcpy(program->areas, stubs->areas, sizeof(program->areas));
}

static uint8_t *read_data(const struct program_ranges *program, char path[PATH_MAX],
			  size_t *size, struct trouble *trouble)
{
	return read_part(program, program->global ? "/datag.bin" : "/data.bin", path,
			 size, trouble);
}

/* Whether funcs.bin, which is at `ranges_path`, is of the same build as data.bin. */
static bool check_build(const struct program_ranges *program, const char *ranges_path,
			struct trouble *trouble)
{
	const struct tr_function_ranges *functions = &program->functions;
	char path[PATH_MAX];
	size_t size;
	uint64_t at = 0;
	struct tr_stubs head;
	uint8_t *bytes = read_data(program, path, &size, trouble);

	if (!bytes)
		return false;
	enum tr_status status = tr_stubs_decode_head(bytes, size, &head, &at);

	free(bytes);
	if (status != TR_OK)
		return tell_file_status(trouble, path, at, status);
	return (head.build_id_size == functions->build_id_size &&
		memcmp(head.build_id, functions->build_id, head.build_id_size) == 0) ||
	       tell_trouble(trouble, "%s: not the functions of %s", ranges_path, path);
}

/* Returns false if the folder has others by now. `samples`: which are in no function. */
static bool check_current(const struct program_ranges *program, const char *samples,
			  struct trouble *trouble)
{
	return are_current_ranges(program) ||
	       tell_trouble(trouble,
			    "%s: replaced since the program began, whose %s are in no "
			    "function",
			    program->folder, samples);
}

static void read_program(struct program_ranges *program, struct trouble *trouble)
{
	char path[PATH_MAX];

	program->is_read = true;
	if (check_current(program, "samples", trouble) &&
	    read_ranges(program, path, trouble) && check_build(program, path, trouble))
		return;
	free(program->functions.ranges);
	program->functions = (struct tr_function_ranges){0};
	program->stubs_read = true;
}

/* They take far more than ranges do, and only who has stubs needs them. */
static void read_stubs(struct program_ranges *program, struct trouble *trouble)
{
	char path[PATH_MAX];
	size_t size;
	uint64_t at = 0;
	struct tr_stubs stubs;

	program->stubs_read = true;
	if (!check_current(program, "samples in stubs", trouble))
		return;
	uint8_t *bytes = read_data(program, path, &size, trouble);

	if (!bytes)
		return;
	enum tr_status status = tr_stubs_decode(bytes, size, &stubs, &at);

	free(bytes);
	if (status != TR_OK) {
		tell_file_status(trouble, path, at, status);
		return;
	}
	keep_stubs(program, &stubs, trouble);
	tr_stubs_free(&stubs);
}

/* --- addresses */

static int64_t find_range(const struct tr_function_ranges *functions, uint64_t address)
{
	uint32_t low = 0, high = functions->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (address >= functions->ranges[middle].end)
			low = middle + 1;
		else
			high = middle;
	}
	return low < functions->count && address >= functions->ranges[low].start
		   ? (int64_t)functions->ranges[low].index
		   : -1;
}

/* A stub has the bytes up to the next one: padding is never executed. */
static int64_t find_stub(const struct program_ranges *program, uint32_t offset)
{
	uint32_t low = 0, high = program->stub_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (program->stubs[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (int64_t)program->stubs[low - 1].index : -1;
}

static int64_t find_in_stubs(const struct program_ranges *program,
			     const struct tr_stubs_places *places, uint64_t pc)
{
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &program->areas[i];

		if (area->size && pc >= places->areas[i] &&
		    pc - places->areas[i] < area->size)
			return find_stub(program, (uint32_t)(pc - places->areas[i]) +
						      area->offset);
	}
	return -1;
}

int64_t find_sampled_function(struct program_ranges *program,
			      const struct tr_stubs_places *places, bool has_stubs,
			      uint64_t pc, struct trouble *trouble)
{
	if (!program->is_read)
		read_program(program, trouble);
	int64_t index = find_range(&program->functions, pc - places->bias);

	if (index >= 0 || !has_stubs)
		return index;
	if (!program->stubs_read)
		read_stubs(program, trouble);
	return find_in_stubs(program, places, pc);
}
