/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the binaries of a matched stream. */
#include "unwind/symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/little.h"
#include "base/number.h"
#include "image/stub_files.h"
#include "stream/stream.h"

struct tr_symbols {
	struct tr_header *header;
	struct tr_image_options options;
	const struct tr_folders *folders;
	struct tr_image **images;     /* NULL: not open, or stubs */
	struct tr_stub_files **stubs; /* NULL: not open, or no stubs */
	uint32_t *stubbed;	      /* the program that has these stubs */
	const char **programs;
	bool *gadgets; /* by half of a page offset; NULL: no binary has stubs */
	uint32_t count;
	char message[512];
};

enum { PAGE = 4096, ECALL = 0x00000073, RET = 0x00008067, C_RET = 0x8082 };

/* Most often the path is relative to another folder. */
static void describe_failure(struct tr_symbols *s, const char *path,
			     const struct tr_image *image)
{
	if (*path != '/' && access(path, F_OK) != 0 && errno == ENOENT)
		snprintf(s->message, sizeof(s->message),
			 "cannot open %s, as tr-match was given it: run this in the "
			 "folder where tr-match ran, or give --path FOLDER",
			 path);
	else
		snprintf(s->message, sizeof(s->message), "%s", tr_image_message(image));
}

bool tr_symbols_are_of(const struct tr_header *header, uint32_t n,
		       const struct tr_image *image, char *message, size_t size)
{
	const char *path = tr_header_bin(header, n, "");
	const char *build_id = tr_header_bin(header, n, ".build_id");
	const char *hash = tr_header_bin(header, n, ".hash");
	char now[17];
	if (build_id && strcmp(build_id, tr_image_build_id(image)) != 0) {
		snprintf(message, size,
			 "%s: build-id is not %s: another build than tr-match saw", path,
			 *build_id ? build_id : "empty");
		return false;
	}
	snprintf(now, sizeof(now), "%016" PRIx64, tr_image_code_hash(image));
	if (hash && strcmp(hash, now) != 0) {
		snprintf(message, size, "%s: has changed since tr-match read it", path);
		return false;
	}
	return true;
}

/* The options for bin.`n`, with names, or only its code. */
static struct tr_image_options options_of(const struct tr_symbols *s, uint32_t n,
					  bool names)
{
	struct tr_image_options options = {0};
	if (names)
		options = s->options;
	options.part = tr_header_bin(s->header, n, ".part");
	return options;
}

struct wanted {
	const struct tr_symbols *symbols;
	uint32_t n;
};

/* Returns true if a file has the matched code. Without a hash its name decides. */
static bool file_has_matched_code(void *context, const char *path)
{
	const struct wanted *wanted = context;
	const struct tr_header *header = wanted->symbols->header;
	const struct tr_image_options plain =
	    options_of(wanted->symbols, wanted->n, false);
	const char *build_id = tr_header_bin(header, wanted->n, ".build_id");
	const char *hash = tr_header_bin(header, wanted->n, ".hash");
	const char *name = strrchr(tr_header_bin(header, wanted->n, ""), '/');
	const char *last = strrchr(path, '/');
	struct tr_image *image = NULL;
	char now[17];
	name = name ? name + 1 : tr_header_bin(header, wanted->n, "");
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

static int open_found(struct tr_symbols *s, uint32_t n)
{
	const char *path = tr_header_bin(s->header, n, "");
	const struct tr_image_options options = options_of(s, n, true);
	struct wanted wanted = {s, n};
	char *found = s->folders->count ? tr_folders_find(s->folders, path,
							  file_has_matched_code, &wanted)
					: NULL;
	int status = tr_image_open(&s->images[n], found ? found : path, &options);
	free(found);
	return status;
}

bool tr_symbols_has_stubs(const struct tr_symbols *s, uint32_t n)
{
	const char *part = tr_header_bin(s->header, n, ".part");
	return part && strcmp(part, "stubs") == 0;
}

/* Opens the stubs of a program. Returns a status. */
static int open_stubs(struct tr_symbols *s, uint32_t n)
{
	const char *folder = tr_header_bin(s->header, n, "");
	const char *hash = tr_header_bin(s->header, n, ".hash");
	const char *program = tr_header_bin(s->header, n, ".program");
	uint64_t number = UINT64_MAX;
	char now[17] = "";
	if (program)
		tr_parse_number(program, &number);
	if (number >= s->count || tr_symbols_has_stubs(s, (uint32_t)number)) {
		snprintf(s->message, sizeof(s->message), "%s: stubs of no program",
			 folder);
		return TR_E_CORRUPT;
	}
	s->stubbed[n] = (uint32_t)number;
	int status = tr_stub_files_open(&s->stubs[n], folder);
	if (status)
		snprintf(s->message, sizeof(s->message), "%s",
			 s->stubs[n] ? tr_stub_files_message(s->stubs[n])
				     : "out of memory");
	else
		snprintf(now, sizeof(now), "%016" PRIx64,
			 tr_stub_files_plan(s->stubs[n], 0)->code_checksum);
	if (status || (hash && strcmp(hash, now) == 0))
		return status;
	snprintf(s->message, sizeof(s->message), "%s: has changed since tr-match read it",
		 folder);
	return TR_E_CORRUPT;
}

bool tr_symbols_origin(const struct tr_symbols *s, uint32_t *n, uint64_t *address,
		       bool *is_direct)
{
	uint32_t number;
	const struct tr_stub_files *files = *n < s->count ? s->stubs[*n] : NULL;
	if (!files)
		return false;
	const uint32_t offset = *address <= UINT32_MAX ? (uint32_t)*address : UINT32_MAX;
	*is_direct = tr_stub_files_is_direct(files, offset);
	*n = tr_stubs_origin(tr_stub_files_plan(files, 0), offset, address, &number)
		 ? s->stubbed[*n]
		 : TR_NOTE_UNKNOWN;
	return true;
}

int tr_symbols_need(struct tr_symbols *s, uint32_t n)
{
	if (s->images[n] || s->stubs[n])
		return TR_OK;
	if (tr_symbols_has_stubs(s, n))
		return open_stubs(s, n);
	int status = open_found(s, n);
	if (status && s->images[n])
		describe_failure(s, tr_header_bin(s->header, n, ""), s->images[n]);
	else if (status)
		snprintf(s->message, sizeof(s->message), "out of memory");
	if (!status && !tr_symbols_are_of(s->header, n, s->images[n], s->message,
					  sizeof(s->message)))
		status = TR_E_CORRUPT;
	return status;
}

/* Returns the name that tr-match used, even if the file has another name here. */
static const char *matched_bin_name(const struct tr_symbols *s, uint32_t n)
{
	const char *name = tr_header_bin(s->header, n, ".name");
	return name ? name : tr_image_name(s->images[n]);
}

/* Names come from streams of every age: some have no name in the header. */
static int open_listed(struct tr_symbols *s)
{
	int status = TR_OK;
	for (uint32_t n = 0; n < s->count && !status; n++) {
		if (!tr_header_bin(s->header, n, ".sysroot") ||
		    !tr_header_bin(s->header, n, ".name"))
			status = tr_symbols_need(s, n);
		if (!status)
			s->programs[n] = matched_bin_name(s, n);
	}
	return status;
}

static bool is_vdso_image(const struct tr_image *image)
{
	return tr_image_is_library(image) &&
	       (strcmp(tr_image_name(image), "[vdso]") == 0 ||
		strcmp(tr_image_soname(image), "linux-vdso.so.1") == 0);
}

/* Notes the system calls in a piece of code that a return follows. */
static void note_gadgets(struct tr_symbols *s, const struct tr_code *code)
{
	for (uint64_t at = 0; at + 6 <= code->size; at += 2) {
		const uint8_t *p = code->data + at;
		if (tr_load32(p) == ECALL &&
		    (tr_load16(p + 4) == C_RET ||
		     (at + 8 <= code->size && tr_load32(p + 4) == RET)))
			s->gadgets[(code->address + at) % PAGE / 2] = true;
	}
}

/* Returns false when out of memory. */
static bool find_gadgets(struct tr_symbols *s)
{
	bool has_stubs = false;
	for (uint32_t n = 0; n < s->count; n++)
		has_stubs |= s->stubs[n] != NULL;
	if (!has_stubs)
		return true;
	s->gadgets = calloc(PAGE / 2, sizeof(*s->gadgets));
	for (uint32_t n = 0; s->gadgets && n < s->count; n++) {
		const struct tr_image *image = s->images[n];
		for (size_t i = 0;
		     image && is_vdso_image(image) && i < tr_image_code_count(image); i++)
			note_gadgets(s, tr_image_code(image, i));
	}
	return s->gadgets;
}

bool tr_symbols_any_stubs(const struct tr_symbols *s)
{
	return s->gadgets;
}

bool tr_symbols_may_inject(const struct tr_symbols *s, uint64_t pc)
{
	return s->gadgets && s->gadgets[pc % PAGE / 2];
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
	s->options = *options;
	s->header = tr_header_copy(header);
	while (s->header && tr_header_bin(s->header, s->count, ""))
		s->count++;
	s->images = calloc(s->count + 1UL, sizeof(*s->images));
	s->programs = calloc(s->count + 1UL, sizeof(*s->programs));
	s->stubs = calloc(s->count + 1UL, sizeof(*s->stubs));
	s->stubbed = calloc(s->count + 1UL, sizeof(*s->stubbed));
	if (!s->header || !s->images || !s->programs || !s->stubs || !s->stubbed) {
		snprintf(s->message, sizeof(s->message), "out of memory");
		return TR_E_NOMEM;
	}
	if (s->count) {
		int status = open_listed(s);
		if (status || find_gadgets(s))
			return status;
		snprintf(s->message, sizeof(s->message), "out of memory");
		return TR_E_NOMEM;
	}
	snprintf(s->message, sizeof(s->message),
		 "no block is matched to a binary; run tr-match first");
	return TR_E_ARGUMENT;
}

void tr_symbols_close(struct tr_symbols *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->count && s->images; i++)
		tr_image_close(s->images[i]);
	for (uint32_t i = 0; i < s->count && s->stubs; i++)
		tr_stub_files_close(s->stubs[i]);
	free(s->images);
	free(s->stubs);
	free(s->stubbed);
	free(s->gadgets);
	free(s->programs);
	tr_header_free(s->header);
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

bool tr_symbols_is_library(const struct tr_symbols *s, uint32_t n)
{
	const char *kind = tr_header_bin(s->header, n, ".kind");
	return s->images[n] ? tr_image_is_library(s->images[n])
			    : kind && strcmp(kind, "library") == 0;
}

uint64_t tr_symbols_entry(const struct tr_symbols *s, uint32_t n)
{
	const char *text = tr_header_bin(s->header, n, ".entry");
	uint64_t entry = 0;
	if (s->images[n])
		return tr_image_entry(s->images[n]);
	if (text)
		tr_parse_address(text, &entry);
	return entry;
}
