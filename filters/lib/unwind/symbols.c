/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the binaries of a matched stream. */
#include "unwind/symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

struct tr_symbols {
	const struct tr_folders *folders; /* valid while opening */
	struct tr_arena names;
	struct tr_image **images;
	const char **programs;
	size_t image_room, program_room;
	uint32_t count;
	char message[512];
};

static const char *bin_key(const struct tr_header *header, uint32_t n, const char *what)
{
	char key[48];
	snprintf(key, sizeof(key), "bin.%u%s", n, what);
	return tr_header_get(header, key);
}

/* Most often the path is relative to another folder. */
static void describe_failure(struct tr_symbols *s, const char *path,
			     const struct tr_image *image)
{
	if (*path != '/' && access(path, F_OK) != 0 && errno == ENOENT)
		snprintf(s->message, sizeof(s->message),
			 "cannot open %s, as tr-match was given it: run tr-unwind in the "
			 "folder where tr-match ran, or give --path FOLDER",
			 path);
	else
		snprintf(s->message, sizeof(s->message), "%s", tr_image_message(image));
}

/* Returns true if the file is the one that was matched, as far as the header tells. */
static bool is_same(struct tr_symbols *s, const struct tr_header *header, uint32_t n)
{
	const char *path = bin_key(header, n, "");
	const char *build_id = bin_key(header, n, ".build_id");
	const char *hash = bin_key(header, n, ".hash");
	char now[17];
	if (build_id && strcmp(build_id, tr_image_build_id(s->images[n])) != 0) {
		snprintf(s->message, sizeof(s->message),
			 "%s: build-id is not %s: another build than tr-match saw", path,
			 *build_id ? build_id : "empty");
		return false;
	}
	snprintf(now, sizeof(now), "%016" PRIx64, tr_image_code_hash(s->images[n]));
	if (hash && strcmp(hash, now) != 0) {
		snprintf(s->message, sizeof(s->message),
			 "%s: has changed since tr-match read it", path);
		return false;
	}
	return true;
}

struct wanted {
	const struct tr_header *header;
	uint32_t n;
};

/* Returns true if a file has the matched code. Without a hash its name decides. */
static bool fits(void *context, const char *path)
{
	const struct wanted *wanted = context;
	const struct tr_image_options plain = {0};
	const char *build_id = bin_key(wanted->header, wanted->n, ".build_id");
	const char *hash = bin_key(wanted->header, wanted->n, ".hash");
	const char *name = strrchr(bin_key(wanted->header, wanted->n, ""), '/');
	const char *last = strrchr(path, '/');
	struct tr_image *image = NULL;
	char now[17];
	name = name ? name + 1 : bin_key(wanted->header, wanted->n, "");
	bool good = tr_image_open(&image, path, &plain) == TR_OK;
	if (good) {
		snprintf(now, sizeof(now), "%016" PRIx64, tr_image_code_hash(image));
		good = hash ? strcmp(hash, now) == 0
			    : strcmp(last ? last + 1 : path, name) == 0;
		good &= !build_id || strcmp(build_id, tr_image_build_id(image)) == 0;
	}
	tr_image_close(image);
	return good;
}

static int open_found(struct tr_symbols *s, const struct tr_header *header, uint32_t n,
		      const struct tr_image_options *options)
{
	const char *path = bin_key(header, n, "");
	struct wanted wanted = {header, n};
	char *found =
	    s->folders->count ? tr_folders_find(s->folders, path, fits, &wanted) : NULL;
	int status = tr_image_open(&s->images[n], found ? found : path, options);
	free(found);
	return status;
}

/* Returns the name that tr-match used, even if the file has another name here. */
static const char *name_of(struct tr_symbols *s, const struct tr_header *header,
			   uint32_t n)
{
	const char *name = bin_key(header, n, ".name");
	if (!name || !s->folders->count)
		return tr_image_name(s->images[n]);
	char *copy = tr_arena_take(&s->names, strlen(name) + 1);
	if (!copy)
		snprintf(s->message, sizeof(s->message), "out of memory");
	return copy ? strcpy(copy, name) : NULL;
}

static int open_image(struct tr_symbols *s, const struct tr_header *header, uint32_t n,
		      const struct tr_image_options *options)
{
	const char *path = bin_key(header, n, "");
	int status = open_found(s, header, n, options);
	if (status) {
		if (s->images[n])
			describe_failure(s, path, s->images[n]);
		else
			snprintf(s->message, sizeof(s->message), "out of memory");
		return status;
	}
	if (!is_same(s, header, n))
		return TR_E_CORRUPT;
	s->programs[n] = name_of(s, header, n);
	return s->programs[n] ? TR_OK : TR_E_NOMEM;
}

/* Opens the next binary; the first failure ends the search. Returns a status. */
static int open_next(struct tr_symbols *s, const struct tr_header *header,
		     const struct tr_image_options *options)
{
	size_t needed = s->count + 1UL;
	if (!tr_grow(&s->images, &s->image_room, needed, sizeof(*s->images)) ||
	    !tr_grow(&s->programs, &s->program_room, needed, sizeof(*s->programs))) {
		snprintf(s->message, sizeof(s->message), "out of memory");
		return TR_E_NOMEM;
	}
	s->images[s->count] = NULL;
	return open_image(s, header, s->count++, options);
}

int tr_symbols_open(struct tr_symbols **symbols, const struct tr_header *header,
		    const struct tr_image_options *options,
		    const struct tr_folders *folders)
{
	struct tr_symbols *s = calloc(1, sizeof(*s));
	*symbols = s;
	if (!s)
		return TR_E_NOMEM;
	s->folders = folders;
	if (!bin_key(header, 0, "")) {
		snprintf(s->message, sizeof(s->message),
			 "no block is matched to a binary; run tr-match first");
		return TR_E_ARGUMENT;
	}
	int status = TR_OK;
	while (!status && bin_key(header, s->count, ""))
		status = open_next(s, header, options);
	return status;
}

void tr_symbols_close(struct tr_symbols *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->count; i++)
		tr_image_close(s->images[i]);
	free(s->images);
	free(s->programs);
	tr_arena_reset(&s->names);
	free(s);
}

const char *tr_symbols_message(const struct tr_symbols *s)
{
	return s->message;
}

uint32_t tr_symbols_count(const struct tr_symbols *s)
{
	return s->count;
}

const struct tr_image *tr_symbols_image(const struct tr_symbols *s, uint32_t n)
{
	return s->images[n];
}

const char *const *tr_symbols_programs(const struct tr_symbols *s)
{
	return s->programs;
}

bool tr_symbols_function(const struct tr_symbols *s, uint32_t n, uint64_t address,
			 struct tr_function *function)
{
	const struct tr_function *found = tr_image_function_at(s->images[n], address);
	if (found)
		*function = *found;
	return found;
}
