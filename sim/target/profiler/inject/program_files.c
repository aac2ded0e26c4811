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

/* A path is FOLDER/NAME. */
static char *read_program_part(const char *folder, const char *name, char path[PATH_MAX],
			       size_t *size, struct trouble *trouble)
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) {
		tell_trouble(trouble, "%s: the path is too long", folder);
		return NULL;
	}
	char *bytes = read_whole_file(AT_FDCWD, path, size);

	if (!bytes)
		tell_trouble(trouble, "%s: %s", path, strerror(errno));
	return bytes;
}

static const char *status_reason(enum tr_status status)
{
	return status == TR_E_TRUNCATED	    ? "truncated"
	       : status == TR_E_UNSUPPORTED ? "another version"
					    : tr_status_text(status);
}

static bool tell_status(struct trouble *trouble, const char *path, uint64_t at,
			enum tr_status status)
{
	return tell_trouble(trouble, "%s: byte %llu: %s", path, (unsigned long long)at,
			    status_reason(status));
}

static bool load_stub_data(struct program_files *files, struct trouble *trouble)
{
	char path[PATH_MAX];
	size_t size;
	uint64_t at = 0;
	char *bytes =
	    read_program_part(files->folder, files->global ? "datag.bin" : "data.bin",
			      path, &size, trouble);

	if (!bytes)
		return false;
	enum tr_status status =
	    tr_stubs_decode((const uint8_t *)bytes, size, &files->stubs, &at);

	free(bytes);
	if (status != TR_OK)
		return tell_status(trouble, path, at, status);
	files->object =
	    read_program_part(files->folder, "injected.o", path, &size, trouble);
	if (!files->object)
		return false;
	files->code =
	    tr_stubs_code(&files->stubs, (const uint8_t *)files->object, size, &at);
	return files->code ||
	       tell_trouble(trouble, "%s: byte %llu: not the stubs of data.bin", path,
			    (unsigned long long)at);
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
	size_t size;
	uint64_t at = 0;

	files->counters =
	    files->global
		? read_program_part(top, "shmemg.dat", path, &size, trouble)
		: read_program_part(files->folder, "shmem.dat", path, &size, trouble);
	if (!files->counters)
		return false;
	enum tr_status status =
	    tr_shared_open((const uint8_t *)files->counters, size, &files->shared, &at);

	if (status != TR_OK)
		return tell_status(trouble, path, at, status);
	if (!same_build(files) || files->shared.global != files->global ||
	    files->stubs.counters > files->shared.functions)
		return tell_trouble(trouble, "%s: not the counters of %s/%s", path,
				    files->folder,
				    files->global ? "datag.bin" : "data.bin");
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
	if (load_stub_data(files, trouble) &&
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
		free(files->object);
		free(files->counters);
		free(files->folder);
		free(files);
		files = next;
	}
}
