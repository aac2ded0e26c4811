/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of prof-extract. */
#include "program_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process_maps.h"
#include "target/profiler/guarded_memory.h"

/* Names begin with a slash. */
static bool map_program_part(struct mapped_file *file, const char *folder,
			     const char *name, char path[PATH_MAX],
			     struct trouble *trouble)
{
	if (!join_path(path, PATH_MAX, folder, name))
		return tell_trouble(trouble, "%s: the path is too long", folder);
	return map_file(file, path) ||
	       tell_trouble(trouble, "%s: %s", path, strerror(errno));
}

static const char *status_reason(enum tr_status status)
{
	return status == TR_E_TRUNCATED	    ? "truncated"
	       : status == TR_E_UNSUPPORTED ? "another version"
					    : tr_status_text(status);
}

bool tell_file_status(struct trouble *trouble, const char *path, uint64_t at,
		      enum tr_status status)
{
	return tell_trouble(trouble, "%s: byte %llu: %s", path, (unsigned long long)at,
			    status_reason(status));
}

static const char object_name[] = "/injected.o";

static const char *data_name(const struct program_files *files)
{
	return files->global ? "/datag.bin" : "/data.bin";
}

static const char *counters_name(const struct program_files *files)
{
	return files->global ? "/shmemg.dat" : "/shmem.dat";
}

static bool tell_data_status(const struct program_files *files, uint64_t at,
			     enum tr_status status, struct trouble *trouble)
{
	char path[PATH_MAX + NAME_MAX];

	join_path(path, sizeof(path), files->folder, data_name(files));
	return tell_file_status(trouble, path, at, status);
}

/* What is read of the mapped files, within access_guarded(). */
struct decoding {
	struct program_files *files;
	enum tr_status status;
	uint64_t at; /* byte of the file */
};

/* A file that is cut meanwhile is truncated. */
static enum tr_status decode_guarded(struct program_files *files,
				     void (*decode)(void *decoding), uint64_t *at)
{
	struct decoding decoding = {files, TR_OK, 0};

	if (!access_guarded(decode, &decoding))
		decoding.status = TR_E_TRUNCATED;
	*at = decoding.at;
	return decoding.status;
}

static void decode_head(void *context)
{
	struct decoding *d = context;
	struct program_files *files = d->files;

	d->status = tr_stubs_decode_head(files->data.bytes, files->data.size,
					 &files->stubs, &d->at);
}

static void decode_stubs(void *context)
{
	struct decoding *d = context;
	struct program_files *files = d->files;

	d->status =
	    tr_stubs_decode(files->data.bytes, files->data.size, &files->stubs, &d->at);
}

static void find_code(void *context)
{
	struct decoding *d = context;
	struct program_files *files = d->files;

	files->code =
	    tr_stubs_code(&files->stubs, files->object.bytes, files->object.size, &d->at);
	d->status = files->code ? TR_OK : TR_E_CORRUPT;
}

/* Only the names of a global file are read here. */
static void decode_counters(void *context)
{
	struct decoding *d = context;
	const struct mapped_file *file = &d->files->counters;
	struct tr_shared *shared = &d->files->shared;

	d->status =
	    d->files->global
		? tr_shared_open(file->bytes, file->size, shared, &d->at)
		: tr_shared_head(file->bytes, file->size, file->size, shared, &d->at);
}

static bool load_stub_head(struct program_files *files, struct trouble *trouble)
{
	char path[PATH_MAX];
	uint64_t at = 0;

	if (!map_program_part(&files->data, files->folder, data_name(files), path,
			      trouble) ||
	    !map_program_part(&files->object, files->folder, object_name, path, trouble))
		return false;
	enum tr_status status = decode_guarded(files, decode_head, &at);

	return status == TR_OK || tell_data_status(files, at, status, trouble);
}

bool complete_program_files(struct program_files *files, struct trouble *trouble)
{
	uint64_t at = 0;

	if (files->code)
		return true;
	enum tr_status status = decode_guarded(files, decode_stubs, &at);

	if (status != TR_OK)
		return tell_data_status(files, at, status, trouble);
	if (decode_guarded(files, find_code, &at) == TR_OK)
		return true;
	tr_stubs_free(&files->stubs);
	return tell_trouble(trouble, "%s%s: byte %llu: not the stubs of %s",
			    files->folder, object_name, (unsigned long long)at,
			    data_name(files) + 1);
}

static bool is_current(const struct mapped_file *file, const char *folder,
		       const char *name)
{
	char path[PATH_MAX];

	return join_path(path, sizeof(path), folder, name) && is_mapped_file(file, path);
}

/* The global counters are the folder's above, which has grown if the indexes have. */
bool are_current_files(const struct program_files *files)
{
	return is_current(&files->data, files->folder, data_name(files)) &&
	       is_current(&files->object, files->folder, object_name) &&
	       (files->global ||
		is_current(&files->counters, files->folder, counters_name(files)));
}

bool name_object_file(const struct program_files *files, char *path, size_t size,
		      struct trouble *trouble)
{
	return join_path(path, size, files->folder, object_name) ||
	       tell_trouble(trouble, "%s: the path is too long", files->folder);
}

static bool same_build(const struct program_files *files)
{
	const struct tr_shared *shared = &files->shared;

	return files->global || (shared->build_id_size == files->stubs.build_id_size &&
				 memcmp(shared->build_id, files->stubs.build_id,
					shared->build_id_size) == 0);
}

static bool read_counters(struct program_files *files, const char *top,
			  struct trouble *trouble)
{
	char path[PATH_MAX];
	uint64_t at = 0;

	if (!map_program_part(&files->counters, files->global ? top : files->folder,
			      counters_name(files), path, trouble))
		return false;
	enum tr_status status = decode_guarded(files, decode_counters, &at);

	if (status != TR_OK)
		return tell_file_status(trouble, path, at, status);
	if (!same_build(files) || files->shared.global != files->global ||
	    files->stubs.counters > files->shared.functions)
		return tell_trouble(trouble, "%s: not the counters of %s%s", path,
				    files->folder, data_name(files));
	return true;
}

struct program_files *read_program_files(const char *top, const char *folder, bool global,
					 bool counters, struct trouble *trouble)
{
	struct program_files *files = calloc(1, sizeof(*files));

	if (!files || !(files->folder = strdup(folder))) {
		free_program_files(files);
		tell_no_memory(trouble);
		return NULL;
	}
	files->global = global;
	if (load_stub_head(files, trouble) &&
	    (!counters || read_counters(files, top, trouble)))
		return files;
	free_program_files(files);
	return NULL;
}

void free_program_files(struct program_files *files)
{
	while (files) {
		struct program_files *next = files->next;

		tr_stubs_free(&files->stubs);
		unmap_file(&files->data);
		unmap_file(&files->object);
		unmap_file(&files->counters);
		unmap_file(&files->program);
		free(files->folder);
		free(files);
		files = next;
	}
}
