/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the files of a program, and the names of all programs. */
#include "extract_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "global_names.h"
#include "stubs/function_ranges.h"
#include "stubs/shared_counts.h"
#include "text_image.h"

#define NEW_SUFFIX  ".new"
#define GLOBAL_NAME "shmemg.dat"

/* A file that is to be written. data.bin comes last: without it, or with one that does
 * not belong to the code, the program is not profiled. */
enum {
	FILE_GLOBAL,
	FILE_CODE,
	FILE_SHARED,
	FILE_RANGES,
	FILE_RANGES_GLOBAL,
	FILE_DATA_GLOBAL,
	FILE_DATA,
	FILE_COUNT
};
static const char *const file_names[FILE_COUNT] = {GLOBAL_NAME, "injected.o", "shmem.dat",
						   "funcs.bin", "funcsg.bin", "datag.bin",
						   "data.bin"};

struct outputs {
	const char *folder, *program;
	struct prof_file_trouble *trouble;
	uint8_t *bytes[FILE_COUNT];
	size_t size[FILE_COUNT];
	uint8_t *old; /* shmemg.dat as it is */
	size_t old_size;
	struct prof_global_names global;
	/* The code at its first places, with local and global indexes. */
	uint8_t *placed[2];
};

static bool blame_file(struct prof_file_trouble *trouble, uint64_t at, const char *reason)
{
	trouble->reason = reason;
	trouble->at = at;
	return false;
}

/* Sets `path` to that of a file. Returns false if it is too long. */
static bool make_path(char path[PATH_MAX], const char *folder, const char *program,
		      const char *name, const char *suffix)
{
	const int length =
	    snprintf(path, PATH_MAX, "%s%s/%s%s", folder, program, name, suffix);
	return length > 0 && length < PATH_MAX;
}

static bool name_output(struct outputs *o, unsigned file, const char *suffix,
			char path[PATH_MAX])
{
	const char *program = file == FILE_GLOBAL ? "" : o->program;
	if (make_path(path, o->folder, program, file_names[file], suffix))
		return true;
	snprintf(o->trouble->path, sizeof(o->trouble->path), "%s", o->program);
	return blame_file(o->trouble, PROF_NO_BYTE, strerror(ENAMETOOLONG));
}

/* Makes a folder and those above it. */
static bool make_folders(const char *folder, struct prof_file_trouble *trouble)
{
	char *path = trouble->path;
	if (snprintf(path, PATH_MAX, "%s", folder) >= PATH_MAX)
		return blame_file(trouble, PROF_NO_BYTE, strerror(ENAMETOOLONG));
	for (char *p = path + 1;; p++) {
		if (*p && *p != '/')
			continue;
		const char end = *p;
		*p = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return blame_file(trouble, PROF_NO_BYTE, strerror(errno));
		if (!end)
			return true;
		*p = end;
	}
}

int prof_lock_folder(const char *folder, struct prof_file_trouble *trouble)
{
	char path[PATH_MAX];
	if (!make_folders(folder, trouble))
		return -1;
	if (!make_path(path, folder, "", ".lock", "")) {
		blame_file(trouble, PROF_NO_BYTE, strerror(ENAMETOOLONG));
		return -1;
	}
	strcpy(trouble->path, path);
	const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (file >= 0) {
		while (flock(file, LOCK_EX) != 0 && errno == EINTR)
			;
		return file;
	}
	blame_file(trouble, PROF_NO_BYTE, strerror(errno));
	return -1;
}

/* Reads a whole file. Returns 0 with what the caller frees, or an errno. */
static int read_whole(const char *path, uint8_t **bytes, size_t *size)
{
	struct stat status;
	const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int failed = 0;
	*bytes = NULL;
	*size = 0;
	if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
		failed = file < 0 ? errno : EINVAL;
	else if (!(*bytes = malloc((size_t)status.st_size + 1)))
		failed = ENOMEM;
	while (!failed && *size < (size_t)status.st_size) {
		const ssize_t count =
		    read(file, *bytes + *size, (size_t)status.st_size - *size);
		if (count == 0)
			break;
		if (count > 0)
			*size += (size_t)count;
		else if (errno != EINTR)
			failed = errno;
	}
	if (file >= 0)
		close(file);
	if (failed) {
		free(*bytes);
		*bytes = NULL;
	}
	return failed;
}

/* Makes the global names of the functions, and shmemg.dat from them. */
static bool build_global(struct outputs *o, const struct prof_plan *plan,
			 const bool *loops)
{
	uint64_t at = PROF_NO_BYTE;
	if (!name_output(o, FILE_GLOBAL, "", o->trouble->path))
		return false;
	const int failed = read_whole(o->trouble->path, &o->old, &o->old_size);
	if (failed && failed != ENOENT)
		return blame_file(o->trouble, PROF_NO_BYTE, strerror(failed));
	const enum tr_status status =
	    prof_add_global_names(o->old, o->old_size, plan->names, loops,
				  plan->stubs.function_count, &o->global, &at);
	if (status == TR_E_ARGUMENT)
		return blame_file(o->trouble, PROF_NO_BYTE, "too many names");
	if (status)
		return blame_file(o->trouble, status == TR_E_NOMEM ? PROF_NO_BYTE : at,
				  tr_status_text(status));
	o->bytes[FILE_GLOBAL] =
	    tr_shared_build(o->global.names, o->global.count, o->global.capacity, true,
			    "", NULL, 0, &o->size[FILE_GLOBAL]);
	if (o->bytes[FILE_GLOBAL])
		tr_shared_mark_loops(o->bytes[FILE_GLOBAL], o->global.loops);
	return true;
}

/* Builds the sorted ranges: a function within another splits it. */
static bool build_ranges(struct outputs *o, const struct prof_plan *plan,
			 const struct tr_stubs *stubs, unsigned file)
{
	struct tr_function_range *ranges =
	    calloc((size_t)stubs->function_count + 1, sizeof(*ranges));
	struct tr_function_ranges all = {.ranges = ranges,
					 .flags = stubs->flags &
						  (TR_STUBS_GLOBAL | TR_STUBS_MOVABLE),
					 .build_id_size = stubs->build_id_size};
	memcpy(all.build_id, stubs->build_id, sizeof(all.build_id));
	if (!ranges)
		return false;
	for (size_t i = 0; i < plan->count; i++) {
		const struct prof_planned *f = &plan->functions[i];
		uint64_t end = f->listed->start + f->size;
		if (i + 1 < plan->count && plan->functions[i + 1].listed->start < end)
			end = plan->functions[i + 1].listed->start;
		if (f->refusal == PROF_COUNTED)
			ranges[all.count++] = (struct tr_function_range){
			    f->listed->start, end, stubs->functions[f->number].index};
	}
	o->bytes[file] = tr_function_ranges_encode(&all, &o->size[file]);
	free(ranges);
	return true;
}

/* Places the code, as part `number` behind the code itself in injected.o. */
static bool build_placed(struct outputs *o, const struct prof_plan *plan,
			 struct tr_stubs *stubs, unsigned number)
{
	struct tr_stubs_image *image = &stubs->image;
	if (!plan->text)
		return true;
	o->placed[number] = prof_place_code(plan, stubs);
	if (!o->placed[number])
		return false;
	image->code_offset =
	    stubs->code_offset + (number + 1) * (uint64_t)stubs->code_size;
	image->text_offset = stubs->code_offset + 3 * (uint64_t)stubs->code_size;
	image->code_checksum = tr_stubs_checksum(o->placed[number], stubs->code_size);
	return true;
}

static void build_object(struct outputs *o, const struct prof_plan *plan)
{
	const struct tr_stubs *stubs = &plan->stubs;
	const struct tr_stubs_part parts[TR_STUBS_PARTS_MAX] = {
	    {".text.local", o->placed[0], stubs->code_size},
	    {".text.global", o->placed[1], stubs->code_size},
	    {".text.program", plan->text, tr_stubs_text_pages(&stubs->image)}};
	o->bytes[FILE_CODE] = tr_stubs_encode_object(stubs, plan->code, parts,
						     plan->text ? TR_STUBS_PARTS_MAX : 0,
						     plan->names, &o->size[FILE_CODE]);
}

/* Builds what has global indexes: datag.bin and funcsg.bin. */
static bool build_indexed(struct outputs *o, const struct prof_plan *plan)
{
	struct tr_stubs stubs = plan->stubs;
	const size_t functions = stubs.function_count * sizeof(*stubs.functions);
	const size_t labels = stubs.label_count * sizeof(*stubs.labels);
	struct tr_stubs_function *f = malloc(functions + 1);
	struct tr_stubs_label *l = malloc(labels + 1);
	bool good = f && l;
	if (good) {
		memcpy(f, stubs.functions, functions);
		memcpy(l, stubs.labels, labels);
		stubs.counters = 0;
		for (uint32_t i = 0; i < stubs.function_count; i++) {
			f[i].index = o->global.indexes[i];
			if (f[i].index >= stubs.counters)
				stubs.counters = f[i].index + 1;
		}
		for (uint32_t i = 0; i < stubs.label_count; i++)
			if (l[i].kind == TR_STUBS_COUNTER)
				l[i].target = o->global.indexes[l[i].target];
		stubs.functions = f;
		stubs.labels = l;
		stubs.flags |= TR_STUBS_GLOBAL;
		good = build_placed(o, plan, &stubs, 1) &&
		       build_ranges(o, plan, &stubs, FILE_RANGES_GLOBAL);
		o->bytes[FILE_DATA_GLOBAL] =
		    tr_stubs_encode(&stubs, &o->size[FILE_DATA_GLOBAL]);
	}
	free(f);
	free(l);
	return good;
}

static bool build_outputs(struct outputs *o, struct prof_plan *plan)
{
	struct tr_stubs *stubs = &plan->stubs;
	bool *loops = calloc((size_t)stubs->function_count + 1, sizeof(*loops));
	bool good = loops != NULL;
	for (uint32_t i = 0; good && i < stubs->function_count; i++)
		loops[i] = stubs->functions[i].loops;
	blame_file(o->trouble, PROF_NO_BYTE, strerror(ENOMEM));
	stubs->code_checksum = tr_stubs_checksum(plan->code, stubs->code_size);
	good = good && build_global(o, plan, loops) && build_placed(o, plan, stubs, 0);
	if (good) {
		o->bytes[FILE_DATA] = tr_stubs_encode(stubs, &o->size[FILE_DATA]);
		o->bytes[FILE_SHARED] = tr_shared_build(
		    plan->names, stubs->function_count, stubs->function_count, false,
		    o->program, stubs->build_id, stubs->build_id_size,
		    &o->size[FILE_SHARED]);
		if (o->bytes[FILE_SHARED])
			tr_shared_mark_loops(o->bytes[FILE_SHARED], loops);
		good =
		    build_ranges(o, plan, stubs, FILE_RANGES) && build_indexed(o, plan);
	}
	if (good)
		build_object(o, plan);
	for (unsigned i = 0; good && i < FILE_COUNT; i++)
		good = o->bytes[i] != NULL;
	free(loops);
	return good;
}

static bool write_output(struct outputs *o, unsigned file)
{
	char *path = o->trouble->path;
	if (!name_output(o, file, NEW_SUFFIX, path))
		return false;
	unlink(path); /* of a run that was killed */
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int failed = fd < 0 ? errno : 0;
	for (size_t at = 0; !failed && at < o->size[file];) {
		const ssize_t count = write(fd, o->bytes[file] + at, o->size[file] - at);
		if (count >= 0)
			at += (size_t)count;
		else if (errno != EINTR)
			failed = errno;
	}
	if (fd >= 0 && close(fd) != 0 && !failed)
		failed = errno;
	return !failed || blame_file(o->trouble, PROF_NO_BYTE, strerror(failed));
}

/* Removes what has no place yet. */
static void remove_new(struct outputs *o)
{
	struct prof_file_trouble ignored;
	struct outputs named = *o;
	named.trouble = &ignored;
	for (unsigned i = 0; i < FILE_COUNT; i++)
		if (name_output(&named, i, NEW_SUFFIX, ignored.path))
			unlink(ignored.path);
}

static bool rename_outputs(struct outputs *o)
{
	char from[PATH_MAX];
	for (unsigned i = 0; i < FILE_COUNT; i++) {
		if (!name_output(o, i, NEW_SUFFIX, from) ||
		    !name_output(o, i, "", o->trouble->path))
			return false;
		if (rename(from, o->trouble->path) != 0)
			return blame_file(o->trouble, PROF_NO_BYTE, strerror(errno));
	}
	return true;
}

static bool store_outputs(struct outputs *o)
{
	char folder[PATH_MAX];
	if (!make_path(folder, o->folder, o->program, "", "")) {
		snprintf(o->trouble->path, PATH_MAX, "%s", o->program);
		return blame_file(o->trouble, PROF_NO_BYTE, strerror(ENAMETOOLONG));
	}
	folder[strlen(folder) - 1] = '\0';
	if (!make_folders(folder, o->trouble))
		return false;
	for (unsigned i = 0; i < FILE_COUNT; i++)
		if (!write_output(o, i)) {
			remove_new(o);
			return false;
		}
	if (rename_outputs(o))
		return true;
	remove_new(o);
	return false;
}

bool prof_write_files(const char *folder, const char *program, struct prof_plan *plan,
		      struct prof_file_trouble *trouble)
{
	struct outputs o = {.folder = folder, .program = program, .trouble = trouble};
	plan->stubs.code_offset = TR_STUBS_PAGE;
	const bool good = build_outputs(&o, plan) && store_outputs(&o);
	for (unsigned i = 0; i < FILE_COUNT; i++)
		free(o.bytes[i]);
	free(o.placed[0]);
	free(o.placed[1]);
	prof_free_global_names(&o.global);
	free(o.old);
	return good;
}

bool prof_read_stop(const char *folder, const char *program, bool *stopped,
		    uint8_t first[4])
{
	char path[PATH_MAX];
	uint8_t *bytes;
	size_t size;
	struct tr_stubs stubs;
	uint64_t at;
	if (!make_path(path, folder, program, file_names[FILE_DATA], "") ||
	    read_whole(path, &bytes, &size) != 0)
		return false;
	const bool good = tr_stubs_decode(bytes, size, &stubs, &at) == TR_OK;
	if (good) {
		*stopped = stubs.flags & TR_STUBS_STOPPED;
		memcpy(first, stubs.program_first, sizeof(stubs.program_first));
		tr_stubs_free(&stubs);
	}
	free(bytes);
	return good;
}
