/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the image library: fixtures and modified copies of them. */
#ifndef IMAGE_FIXTURE_H
#define IMAGE_FIXTURE_H

#include <stdlib.h>
#include <unistd.h>

#include "../unit/check.h"
#include "base/buffer.h"
#include "image/image.h"

static char fixture_folder[] = "/tmp/image-test.XXXXXX";

/* Creates a folder for the test, which also isolates the test from the user's cache. */
static inline void fixture_begin(void)
{
	if (!mkdtemp(fixture_folder) ||
	    setenv("XDG_CACHE_HOME", fixture_folder, 1) != 0) {
		perror("mkdtemp");
		exit(2);
	}
}

static inline int fixture_end(void)
{
	char command[80];
	snprintf(command, sizeof(command), "rm -rf %s", fixture_folder);
	CHECK_EQ(system(command), 0);
	return check_done();
}

static inline struct tr_buffer fixture_read(const char *path)
{
	struct tr_buffer bytes = {0};
	FILE *file = fopen(path, "rb");
	uint8_t *room;
	size_t n = 0;
	while (file && (room = tr_buffer_room(&bytes, 65536)) &&
	       (n = fread(room, 1, 65536, file)) > 0)
		bytes.size += n;
	CHECK(file != NULL);
	if (file)
		fclose(file);
	return bytes;
}

/* Writes a file named `name` to the test's folder. Returns its path, valid until the next
 * call. */
static inline const char *fixture_write(const char *name, const uint8_t *data,
					size_t size)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s/%s", fixture_folder, name);
	FILE *file = fopen(path, "wb");
	if (CHECK(file != NULL)) {
		CHECK_EQ(fwrite(data, 1, size, file), size);
		fclose(file);
	}
	return path;
}

static inline struct tr_image *fixture_open(const char *path, int want)
{
	const struct tr_image_options options = {.functions = true, .no_cache = true};
	struct tr_image *image = NULL;
	CHECK_EQ(tr_image_open(&image, path, &options), want);
	return image;
}

/* A small random number generator with the same sequence in every run. */
static inline uint64_t fixture_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Checks that names are clean and that the chain of calls around an address is finite. */
static inline void fixture_check_places(const struct tr_image *image,
					const struct tr_code *code)
{
	uint64_t end = code->address + code->size;
	for (uint64_t at = code->address; at < end;) {
		struct tr_stretch call = tr_image_call_at(image, at);
		struct tr_stretch line = tr_image_line_at(image, at);
		uint32_t number;
		CHECK(call.low <= at && at < call.high);
		CHECK(line.low <= at && at < line.high);
		for (uint32_t item = call.item; item; item = number) {
			const char *name = tr_image_call(image, item, &number);
			CHECK(name[0] != '\0' && strpbrk(name, ";\n") == NULL);
			CHECK(number < item);
		}
		if (line.item)
			CHECK(strpbrk(tr_image_line(image, line.item, &number), ";\n/") ==
			      NULL);
		at = call.high < line.high ? call.high : line.high;
	}
}

/* The same for scopes; and reads the lines with discriminators. */
static inline void fixture_check_scopes(const struct tr_image *image,
					const struct tr_code *code)
{
	uint64_t end = code->address + code->size;
	for (uint64_t at = code->address; at < end;) {
		struct tr_stretch in = tr_image_scope_at(image, at);
		struct tr_stretch spot = tr_image_spot_at(image, at);
		struct tr_scope_text scope;
		uint32_t discriminator;
		CHECK(in.low <= at && at < in.high);
		CHECK(spot.low <= at && at < spot.high);
		for (uint32_t item = in.item; item; item = scope.around) {
			tr_image_scope(image, item, &scope);
			CHECK(memchr(scope.name, '\n', (size_t)scope.name_size) == NULL);
			CHECK(memchr(scope.file, '\n', (size_t)scope.file_size) == NULL);
			CHECK(scope.around < item);
		}
		if (spot.item)
			tr_image_spot(image, spot.item, &discriminator);
		at = in.high < spot.high ? in.high : spot.high;
	}
}

/* Returns the number of functions that have names. */
static inline size_t fixture_named(const struct tr_image *image)
{
	size_t named = 0;
	for (size_t i = 0; i < tr_image_function_count(image); i++)
		named += !tr_image_function(image, i)->is_nameless;
	return named;
}

/* Checks invariants of any image, however damaged its file was: code and functions are
 * sorted and do not overlap, and functions lie within the code. */
static inline void fixture_check_sane(const struct tr_image *image)
{
	uint64_t end = 0;
	for (size_t i = 0; i < tr_image_code_count(image); i++) {
		const struct tr_code *code = tr_image_code(image, i);
		CHECK(code->size > 0 && code->address >= end);
		end = code->address + code->size;
		fixture_check_places(image, code);
		fixture_check_scopes(image, code);
		CHECK(tr_image_bytes(image, code->address, code->size) == code->data);
		CHECK(tr_image_bytes(image, end - 1, 2) == NULL);
	}
	end = 0;
	for (size_t i = 0; i < tr_image_function_count(image); i++) {
		const struct tr_function *f = tr_image_function(image, i);
		CHECK(f->low >= end && f->high > f->low);
		CHECK(f->is_entry == (f->low == f->entry));
		CHECK(f->name[0] != '\0' && strpbrk(f->name, ";\n") == NULL);
		CHECK(tr_image_function_at(image, f->low) == f);
		CHECK(tr_image_function_at(image, f->high - 1) == f);
		CHECK(tr_image_bytes(image, f->low, f->high - f->low) != NULL);
		end = f->high;
	}
}

#endif
