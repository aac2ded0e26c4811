/* SPDX-License-Identifier: Apache-2.0 */
#include "resolve.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/near.h"
#include "image/image.h"
#include "image/image_query.h"
#include "stream/stream.h"
#include "unwind/symbols.h"

struct resolving {
	struct tr_probes *probes;
	const struct tr_header *header;
	const char *const *programs; /* paths */
	size_t nprograms;
	const char **kernels; /* paths of what may be one */
	struct replay_place *places;
	size_t room;
	char *message;
};

__attribute__((format(printf, 2, 3))) static bool fail_resolving(struct resolving *r,
								 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(r->message, REPLAY_RESOLVE_MESSAGE, format, args);
	va_end(args);
	return false;
}

/* Finds the places in a file, which are of bin.`n`. */
static bool resolve_in_file(struct resolving *r, const char *name, const char *path,
			    uint32_t n)
{
	size_t before = tr_probes_place_count(r->probes);

	if (tr_probes_resolve(r->probes, name, path))
		return fail_resolving(r, "%s", tr_probes_message(r->probes));
	size_t after = tr_probes_place_count(r->probes);
	if (!tr_grow(&r->places, &r->room, after + 1, sizeof(*r->places)))
		return fail_resolving(r, "out of memory");
	for (size_t i = before; i < after; i++)
		r->places[i] =
		    (struct replay_place){n, tr_probes_place(r->probes, i)->address};
	return true;
}

/* ------------------------------------------------------------ binaries of the notes */

/* Opens bin.`n`, which must be the one that was matched. Returns NULL, with a message, on
 * failure. */
static struct tr_image *open_matched_binary(struct resolving *r, uint32_t n)
{
	const struct tr_image_options options = {
	    .part = tr_header_bin(r->header, n, ".part")};
	struct tr_image *image = NULL;

	if (tr_image_open(&image, tr_header_bin(r->header, n, ""), &options))
		fail_resolving(r, "%s; tr-match was given this path",
			       image ? tr_image_message(image) : "out of memory");
	else if (tr_symbols_are_of(r->header, n, image, r->message,
				   REPLAY_RESOLVE_MESSAGE))
		return image;
	tr_image_close(image);
	return NULL;
}

/* Each section of a module is a binary of its own, with addresses from 0. */
static bool resolve_in_module(struct resolving *r, uint32_t n)
{
	const char *path = tr_header_bin(r->header, n, ""), *other;
	size_t before = tr_probes_place_count(r->probes);
	bool done = resolve_in_file(r, tr_header_bin(r->header, n, ".name"), path, n);

	for (uint32_t k = n; done && (other = tr_header_bin(r->header, k, "")) != NULL;
	     k++) {
		if (strcmp(other, path) != 0)
			continue;
		struct tr_image *image = open_matched_binary(r, k);
		done = image != NULL;
		for (size_t i = before; done && i < tr_probes_place_count(r->probes);
		     i++) {
			uint64_t address = tr_probes_place(r->probes, i)->address,
				 base = tr_query_section_base(tr_image_section(image));

			if (address >> TR_QUERY_SECTION_SHIFT == tr_image_section(image))
				r->places[i] = (struct replay_place){k, address - base};
		}
		tr_image_close(image);
	}
	return done;
}

/* Returns whether an earlier binary is a part of the same file. */
static bool is_further_part(const struct resolving *r, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (strcmp(tr_header_bin(r->header, k, ""),
			   tr_header_bin(r->header, n, "")) == 0)
			return true;
	return false;
}

static bool resolve_in_binary(struct resolving *r, uint32_t n)
{
	struct tr_image *image = open_matched_binary(r, n);
	bool is_module = image && tr_image_is_module(image);

	tr_image_close(image);
	if (!image)
		return false;
	if (is_module)
		return is_further_part(r, n) || resolve_in_module(r, n);
	if (tr_header_bin(r->header, n, ".part"))
		return !tr_probes_name_one(r->probes,
					   tr_header_bin(r->header, n, ".name")) ||
		       fail_resolving(r,
				      "%s: the debug information of %s in it is not read",
				      tr_header_bin(r->header, n, ""),
				      tr_header_bin(r->header, n, ".part"));
	return resolve_in_file(r, tr_header_bin(r->header, n, ".name"),
			       tr_header_bin(r->header, n, ""), n);
}

static bool is_matched(const struct resolving *r)
{
	return tr_header_bin(r->header, 0, "") != NULL;
}

static bool is_binary_matched(const struct resolving *r, const char *name)
{
	const char *own;

	for (uint32_t n = 0; tr_header_bin(r->header, n, ""); n++)
		if ((own = tr_header_bin(r->header, n, ".name")) != NULL &&
		    strcmp(own, name) == 0)
			return true;
	return false;
}

static bool is_kernel(const struct resolving *r, uint32_t n)
{
	const char *role = tr_header_bin(r->header, n, ".role");

	return role && strcmp(role, "kernel") == 0;
}

/* Returns whether the name is also that of a kernel, which is meant: a program may be
 * called vmlinux, too. */
static bool is_namesake_of_kernel(const struct resolving *r, uint32_t n, const char *name)
{
	const char *own;

	for (uint32_t k = 0; tr_header_bin(r->header, k, "") && !is_kernel(r, n); k++)
		if (is_kernel(r, k) &&
		    (own = tr_header_bin(r->header, k, ".name")) != NULL &&
		    strcmp(own, name) == 0)
			return true;
	return false;
}

static bool resolve_in_binaries(struct resolving *r)
{
	for (uint32_t n = 0; tr_header_bin(r->header, n, ""); n++) {
		const char *name = tr_header_bin(r->header, n, ".name");

		if (name && tr_probes_name_binary(r->probes, name) &&
		    !is_namesake_of_kernel(r, n, name) && !resolve_in_binary(r, n))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------ programs */

/* Returns the short name of a program, that of its file without .elf, which is the
 * caller's; NULL if memory runs out. */
static char *program_short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path), *dot;

	if (name && (dot = strrchr(name, '.')) != NULL && strcmp(dot, ".elf") == 0)
		*dot = '\0';
	return name;
}

/* Returns whether a file has code: others were loaded for their data. */
static bool has_code(const char *path)
{
	const struct tr_image_options options = {0};
	struct tr_image *image = NULL;
	bool has = tr_image_open(&image, path, &options) != TR_OK ||
		   tr_image_code_count(image) > 0;

	tr_image_close(image);
	return has;
}

static bool resolve_in_programs(struct resolving *r)
{
	bool done = true;

	for (size_t i = 0; i < r->nprograms && done; i++) {
		const char *path = r->programs[i];
		char *name = program_short_name(path);

		if (!name)
			done = fail_resolving(r, "out of memory");
		else if (tr_probes_name_binary(r->probes, name) &&
			 !is_binary_matched(r, name) && has_code(path))
			done = resolve_in_file(r, name, path, TR_NOTE_UNKNOWN);
		free(name);
	}
	return done;
}

/* ------------------------------------------------------------ all */

/* Names the files that may be the kernel: the programs, and the kernels of tr-match. */
static bool set_kernels(struct resolving *r)
{
	const char *path;
	size_t count = r->nprograms;

	for (uint32_t n = 0; tr_header_bin(r->header, n, ""); n++)
		count++;
	r->kernels = calloc(count + 1, sizeof(*r->kernels));
	if (!r->kernels)
		return fail_resolving(r, "out of memory");
	for (count = 0; count < r->nprograms; count++)
		r->kernels[count] = r->programs[count];
	for (uint32_t n = 0; (path = tr_header_bin(r->header, n, "")) != NULL; n++)
		if (is_kernel(r, n))
			r->kernels[count++] = path;
	tr_probes_set_kernels(r->probes, r->kernels, count);
	return true;
}

static bool check_all_found(struct resolving *r)
{
	const char *missing = tr_probes_unresolved(r->probes), *name;
	struct tr_near near;
	char text[256];

	if (!missing && (missing = tr_probes_without_place(r->probes)) != NULL)
		return fail_resolving(
		    r, "no program has a function %.100s, which a probe names", missing);
	if (!missing)
		return true;
	if (!is_matched(r))
		return fail_resolving(
		    r,
		    "no program %s was loaded, which a probe names; to find the "
		    "code of other programs, pipe the trace through tr-match",
		    missing);
	tr_near_init(&near, missing);
	for (uint32_t n = 0; tr_header_bin(r->header, n, ""); n++)
		if ((name = tr_header_bin(r->header, n, ".name")) != NULL)
			tr_near_offer(&near, name);
	tr_near_text(&near, text, sizeof(text));
	return fail_resolving(
	    r,
	    "no program %s was loaded, or is among the binaries of tr-match, "
	    "which a probe names%s%s%s",
	    missing, *text ? " (near: " : "", text, *text ? ")" : "");
}

struct replay_place *replay_resolve(struct tr_probes *probes,
				    const struct tr_header *header,
				    const char *const *programs, size_t nprograms,
				    char message[REPLAY_RESOLVE_MESSAGE])
{
	struct resolving r = {.probes = probes,
			      .header = header,
			      .programs = programs,
			      .nprograms = nprograms,
			      .message = message};
	bool done = false;

	if (!tr_grow(&r.places, &r.room, 1, sizeof(*r.places)))
		fail_resolving(&r, "out of memory");
	else
		done = set_kernels(&r) && resolve_in_binaries(&r) &&
		       resolve_in_programs(&r) && check_all_found(&r);
	tr_probes_set_kernels(probes, NULL, 0);
	free(r.kernels);
	if (done)
		return r.places;
	free(r.places);
	return NULL;
}
