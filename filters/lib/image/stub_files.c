/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the folder of a program with stubs. */
#include "image/stub_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

/* More than any code that near jumps reach, with its labels. */
enum { FILE_MAX_BYTES = 1 << 28 };

struct tr_stub_files {
	char *folder;
	struct tr_stubs plans[TR_STUB_PLANS];
	bool has_global;
	struct tr_buffer object;
	const uint8_t *code; /* within `object` */
	char message[512];
};

__attribute__((format(printf, 4, 5))) static int
fail_stub_file(struct tr_stub_files *files, int status, const char *name,
	       const char *format, ...)
{
	char *text = files->message;
	const size_t size = sizeof(files->message), length = strlen(files->folder);
	va_list args;
	snprintf(text, size,
		 "%s/%s: ", files->folder + (length > size / 2 ? length - size / 2 : 0),
		 name);
	const size_t used = strlen(text);
	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
	return status;
}

static FILE *open_stub_file(const struct tr_stub_files *files, const char *name)
{
	char path[4096];
	const int length = snprintf(path, sizeof(path), "%s/%s", files->folder, name);
	if (length < 0 || (size_t)length >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(path, "re");
}

/* Reads a whole file. Returns a status. */
static int read_stub_file(struct tr_stub_files *files, const char *name,
			  struct tr_buffer *bytes)
{
	FILE *file = open_stub_file(files, name);
	if (!file)
		return fail_stub_file(files, TR_E_IO, name, "%s", strerror(errno));
	size_t got = 1;
	while (got && bytes->size <= FILE_MAX_BYTES) {
		uint8_t *room = tr_buffer_grow(bytes, 1 << 16);
		got = room ? fread(room, 1, 1 << 16, file) : 0;
		bytes->size += got;
	}
	const bool failed = ferror(file);
	const int error = errno;
	fclose(file);
	if (bytes->failed)
		return TR_E_NOMEM;
	if (failed)
		return fail_stub_file(files, TR_E_IO, name, "%s", strerror(error));
	if (bytes->size > FILE_MAX_BYTES)
		return fail_stub_file(files, TR_E_CORRUPT, name, "longer than %d bytes",
				      FILE_MAX_BYTES);
	return TR_OK;
}

static int read_plan(struct tr_stub_files *files, const char *name, struct tr_stubs *plan)
{
	struct tr_buffer bytes = {0};
	uint64_t at = 0;
	int status = read_stub_file(files, name, &bytes);
	if (!status) {
		status = tr_stubs_decode(bytes.data, bytes.size, plan, &at);
		if (status && status != TR_E_NOMEM)
			fail_stub_file(files, status, name, "byte %" PRIu64 ": %s", at,
				       status == TR_E_TRUNCATED	    ? "cut off"
				       : status == TR_E_UNSUPPORTED ? "another version"
								    : "damaged");
	}
	tr_buffer_free(&bytes);
	return status;
}

static bool is_same_function(const struct tr_stubs_function *a,
			     const struct tr_stubs_function *b)
{
	return a->start == b->start && a->stub == b->stub &&
	       a->stub_size == b->stub_size && a->size == b->size && a->kind == b->kind &&
	       a->area == b->area;
}

/* Reads datag.bin, if there is one: the functions and stubs are those of data.bin. */
static int read_global_plan(struct tr_stub_files *files)
{
	static const char name[] = "datag.bin";
	const struct tr_stubs *local = &files->plans[0], *global = &files->plans[1];
	FILE *file = open_stub_file(files, name);
	if (!file && errno == ENOENT)
		return TR_OK;
	if (file)
		fclose(file);
	int status = read_plan(files, name, &files->plans[1]);
	if (status)
		return status;
	files->has_global = true;
	bool is_same = local->function_count == global->function_count &&
		       local->label_count == global->label_count &&
		       local->code_checksum == global->code_checksum;
	for (uint32_t i = 0; is_same && i < local->function_count; i++)
		is_same = is_same_function(&local->functions[i], &global->functions[i]);
	return is_same ? TR_OK
		       : fail_stub_file(files, TR_E_CORRUPT, name,
					"not of the same extraction as data.bin");
}

static int read_stub_object(struct tr_stub_files *files)
{
	static const char name[] = "injected.o";
	uint64_t at = 0;
	int status = read_stub_file(files, name, &files->object);
	if (status)
		return status;
	files->code =
	    tr_stubs_code(&files->plans[0], files->object.data, files->object.size, &at);
	return files->code ? TR_OK
			   : fail_stub_file(files, TR_E_CORRUPT, name,
					    "byte %" PRIu64
					    ": cut off, or not the code of data.bin",
					    at);
}

int tr_stub_files_open(struct tr_stub_files **files, const char *folder)
{
	struct tr_stub_files *made = calloc(1, sizeof(*made));
	*files = made;
	if (!made)
		return TR_E_NOMEM;
	made->folder = strdup(folder);
	int status =
	    made->folder ? read_plan(made, "data.bin", &made->plans[0]) : TR_E_NOMEM;
	if (!status)
		status = read_stub_object(made);
	if (!status)
		status = read_global_plan(made);
	if (status == TR_E_NOMEM) {
		tr_stub_files_close(made);
		*files = NULL;
	}
	return status;
}

void tr_stub_files_close(struct tr_stub_files *files)
{
	if (!files)
		return;
	for (unsigned i = 0; i < TR_STUB_PLANS; i++)
		tr_stubs_free(&files->plans[i]);
	tr_buffer_free(&files->object);
	free(files->folder);
	free(files);
}

const char *tr_stub_files_message(const struct tr_stub_files *files)
{
	return files->message;
}

const char *tr_stub_files_folder(const struct tr_stub_files *files)
{
	return files->folder;
}

static bool has_build_id_of(const struct tr_stubs *plan, const struct tr_image *program)
{
	char text[2 * TR_STUBS_BUILD_ID_MAX + 1] = "";
	for (uint32_t i = 0; i < plan->build_id_size; i++)
		snprintf(text + 2 * i, 3, "%02x", plan->build_id[i]);
	return strcmp(text, tr_image_build_id(program)) == 0;
}

/* Returns true if the program's code at a function is that before an entry, and before
 * prof-extract -s has stopped the program. */
static bool is_original_code(const struct tr_stubs *plan,
			     const struct tr_stubs_function *f, const uint8_t *code)
{
	for (unsigned i = 0; i < f->size; i++) {
		const uint64_t into = f->start + i - plan->program_entry;
		const bool is_stop =
		    plan->flags & TR_STUBS_STOPPED && into < sizeof(plan->program_first);
		if ((is_stop ? plan->program_first[into] : code[i]) != f->original[i])
			return false;
	}
	return true;
}

int tr_stub_files_check(struct tr_stub_files *files, const struct tr_image *program)
{
	const struct tr_stubs *plan = &files->plans[0];
	if (!has_build_id_of(plan, program))
		return fail_stub_file(files, TR_E_CORRUPT, "data.bin",
				      "of another build than %s", tr_image_path(program));
	for (uint32_t i = 0; i < plan->function_count; i++) {
		const struct tr_stubs_function *f = &plan->functions[i];
		const uint8_t *code = tr_image_bytes(program, f->start, f->size);
		if (!code || !is_original_code(plan, f, code))
			return fail_stub_file(files, TR_E_CORRUPT, "data.bin",
					      "function %" PRIu32 " at 0x%" PRIx64
					      " is not that of %s",
					      i, f->start, tr_image_path(program));
	}
	return TR_OK;
}

const struct tr_stubs *tr_stub_files_plan(const struct tr_stub_files *files, unsigned nth)
{
	return nth == 0 || files->has_global ? &files->plans[nth] : NULL;
}

const uint8_t *tr_stub_files_code(const struct tr_stub_files *files)
{
	return files->code;
}

bool tr_stub_files_is_direct(const struct tr_stub_files *files, uint32_t offset)
{
	const struct tr_stubs *plan = &files->plans[0];
	uint64_t address;
	uint32_t number;
	if (!tr_stubs_origin(plan, offset, &address, &number))
		return false;
	uint32_t end = number + 1 < plan->function_count
			   ? plan->functions[number + 1].first_label
			   : plan->label_count;
	for (uint32_t i = plan->functions[number].first_label; i < end; i++)
		if (plan->labels[i].kind == TR_STUBS_FAR_JUMP &&
		    plan->labels[i].at + 4 == offset)
			return true;
	return false;
}
