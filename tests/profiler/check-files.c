/* SPDX-License-Identifier: Apache-2.0 */
/* check-files: reads all files that prof-extract writes of a program in FOLDER, puts the
 * stubs to the lowest and to the highest places, and compares images with the program, an
 * absolute path. Prints how many images there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_file.h"
#include "stubs/function_ranges.h"
#include "stubs/shared_counts.h"

enum { HEADER = 64 /* of ELF files */ };

static unsigned images;

static void end_with(const char *name, const char *what)
{
	fprintf(stderr, "check-files: %s: %s\n", name, what);
	exit(1);
}

static uint8_t *load_part(const char *folder, const char *name, size_t *size)
{
	uint8_t *bytes = read_plan_file(folder, name, size);

	if (!bytes)
		end_with(name, "cannot be read");
	return bytes;
}

static void try_places(const struct tr_stubs *stubs, const uint8_t *code, bool highest)
{
	struct tr_stubs_places places = {0};
	uint8_t entry[TR_STUBS_ENTRY_MAX];
	uint8_t *copy = malloc((size_t)stubs->code_size + 1);

	if (!copy)
		end_with("injected.o", "out of memory");
	memcpy(copy, code, stubs->code_size);
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		places.areas[i] =
		    highest ? stubs->areas[i].highest : stubs->areas[i].lowest;
	places.counters = places.areas[1] ? places.areas[1] : places.areas[0];
	if (tr_stubs_place(stubs, &places, copy))
		end_with("injected.o", "stubs do not reach");
	for (uint32_t i = 0; i < stubs->function_count; i++)
		if (tr_stubs_entry(stubs, &places, i, entry))
			end_with("data.bin", "an entry does not reach");
	free(copy);
}

/* Returns whether an address is in the bytes that an entry replaces. */
static bool is_entry(const struct tr_stubs *stubs, uint64_t address)
{
	return tr_stubs_function_at(stubs, address) != UINT32_MAX;
}

/* But for entries and the ELF header, the text is the program's. */
static void check_text(const struct tr_stubs *stubs, const uint8_t *object,
		       const char *program)
{
	const struct tr_stubs_image *image = &stubs->image;
	const uint8_t *text = object + image->text_offset;
	size_t size;
	uint8_t *bytes = read_plan_file("", program, &size);

	if (!bytes || image->text_origin + image->text_size > size)
		end_with(program, "has no such text");
	for (uint64_t i = image->text_origin ? 0 : HEADER; i < image->text_size; i++)
		if (text[i] != bytes[image->text_origin + i] &&
		    !is_entry(stubs, image->text_address + i))
			end_with("injected.o", "another text than the program's");
	if (tr_stubs_digest(image, bytes + image->text_origin, text) !=
	    image->text_digest)
		end_with("data.bin", "another digest");
	free(bytes);
}

/* The image is what would be placed and written, at the first places. */
static void check_image(const struct tr_stubs *stubs, const uint8_t *code,
			const uint8_t *object, size_t size)
{
	const struct tr_stubs_image *image = &stubs->image;
	const struct tr_stubs_places places = tr_stubs_first_places(stubs, 0);
	uint8_t entry[TR_STUBS_ENTRY_MAX];
	uint8_t *copy = malloc((size_t)stubs->code_size + 1);

	if (!copy)
		end_with("injected.o", "out of memory");
	memcpy(copy, code, stubs->code_size);
	if (image->code_offset + stubs->code_size > size ||
	    image->text_offset + tr_stubs_text_pages(image) > size)
		end_with("injected.o", "the image is not in the file");
	if (tr_stubs_place(stubs, &places, copy) ||
	    memcmp(copy, object + image->code_offset, stubs->code_size) != 0 ||
	    tr_stubs_checksum(copy, stubs->code_size) != image->code_checksum)
		end_with("injected.o", "other stubs than those that are placed");
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];

		if (tr_stubs_entry(stubs, &places, i, entry) ||
		    f->start - image->text_address + f->size > image->text_size ||
		    memcmp(object + image->text_offset + (f->start - image->text_address),
			   entry, f->size) != 0)
			end_with("injected.o", "another entry than what is written");
	}
	free(copy);
}

static void check_plan(const char *folder, const char *name, const char *program)
{
	struct tr_stubs stubs;
	uint64_t at;
	size_t size;
	uint8_t *bytes = load_part(folder, name, &size);

	if (tr_stubs_decode(bytes, size, &stubs, &at))
		end_with(name, "not accepted");
	free(bytes);
	bytes = load_part(folder, "injected.o", &size);
	const uint8_t *code = tr_stubs_code(&stubs, bytes, size, &at);
	if (!code)
		end_with("injected.o", "not accepted");
	try_places(&stubs, code, false);
	try_places(&stubs, code, true);
	if (stubs.image.text_size) {
		check_image(&stubs, code, bytes, size);
		check_text(&stubs, bytes, program);
		images++;
	}
	free(bytes);
	tr_stubs_free(&stubs);
}

static void check_ranges(const char *folder, const char *name)
{
	struct tr_function_ranges ranges;
	uint64_t at;
	size_t size;
	uint8_t *bytes = load_part(folder, name, &size);

	if (tr_function_ranges_decode(bytes, size, &ranges, &at))
		end_with(name, "not accepted");
	free(ranges.ranges);
	free(bytes);
}

int main(int argc, char **argv)
{
	struct tr_shared shared;
	uint64_t at;
	size_t size;

	if (argc != 3) {
		fputs("usage: check-files FOLDER PROGRAM\n", stderr);
		return 2;
	}
	check_plan(argv[1], "data.bin", argv[2]);
	check_plan(argv[1], "datag.bin", argv[2]);
	check_ranges(argv[1], "funcs.bin");
	check_ranges(argv[1], "funcsg.bin");
	uint8_t *bytes = load_part(argv[1], "shmem.dat", &size);
	if (tr_shared_open(bytes, size, &shared, &at))
		end_with("shmem.dat", "not accepted");
	free(bytes);
	printf("%u images\n", images);
	return 0;
}
