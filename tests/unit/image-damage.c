/* SPDX-License-Identifier: Apache-2.0 */
/* Truncated files, and files with flipped bits, are refused or give a consistent image;
 * damage in the DWARF alone costs nothing but names. */
#include <gelf.h>

#include "fixture.h"

enum { FLIPS = 20 };

static struct tr_buffer good;

static void check_cut(size_t size)
{
	const struct tr_image_options options = {.functions = true, .no_cache = true};
	const char *path = fixture_write("cut.elf", good.data, size);
	struct tr_image *image = NULL;
	int status = tr_image_open(&image, path, &options);
	CHECK(status == TR_E_UNSUPPORTED || status == TR_E_CORRUPT);
	CHECK(strncmp(tr_image_message(image), path, strlen(path)) == 0);
	CHECK(strlen(tr_image_message(image)) > strlen(path) + 5);
	tr_image_close(image);
}

static struct tr_image *open_all(const char *path)
{
	const struct tr_image_options options = {
	    .functions = true, .no_cache = true, .calls = true, .lines = true};
	struct tr_image *image = NULL;
	CHECK_EQ(tr_image_open(&image, path, &options), TR_OK);
	return image;
}

static void flip(uint64_t bit)
{
	good.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
}

/* One flip in the headers, or anywhere. */
static void check_flip_anywhere(uint64_t bit)
{
	const struct tr_image_options options = {.functions = true, .no_cache = true};
	struct tr_image *image = NULL;
	flip(bit);
	const char *path = fixture_write("flip.elf", good.data, good.size);
	flip(bit);
	int status = tr_image_open(&image, path, &options);
	if (status == TR_OK)
		fixture_check_sane(image);
	else
		CHECK(status == TR_E_UNSUPPORTED || status == TR_E_CORRUPT);
	tr_image_close(image);
}

/* Flips in one debug section: every symbol of the undamaged file is still in a
 * function. */
static void check_flips_in(const struct tr_image *whole, uint64_t offset, uint64_t size,
			   uint64_t *random)
{
	uint64_t bits[3];
	unsigned n = 1 + (unsigned)(fixture_random(random) % 3);
	for (unsigned i = 0; i < n; i++) {
		bits[i] = offset * 8 + fixture_random(random) % (size * 8);
		flip(bits[i]);
	}
	const char *path = fixture_write("debug.elf", good.data, good.size);
	for (unsigned i = 0; i < n; i++)
		flip(bits[i]);
	struct tr_image *image = open_all(path);
	fixture_check_sane(image);
	for (size_t i = 0; i < tr_image_function_count(whole); i++) {
		const struct tr_function *f = tr_image_function(whole, i);
		if (!CHECK(tr_image_function_at(image, f->low) != NULL))
			fprintf(stderr, "\t%s, first flip at bit %" PRIu64 "\n", f->name,
				bits[0]);
	}
	tr_image_close(image);
}

static void check_debug_sections(const char *fixture, uint64_t *random)
{
	struct tr_image *whole = fixture_open(fixture, TR_OK);
	good = fixture_read(fixture);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)good.data, good.size);
	Elf_Scn *section = NULL;
	size_t names = 0, found = 0;
	GElf_Shdr header;
	CHECK_EQ(elf_getshdrstrndx(elf, &names), 0);
	while ((section = elf_nextscn(elf, section)) && gelf_getshdr(section, &header)) {
		const char *name = elf_strptr(elf, names, header.sh_name);
		if (!name || strncmp(name, ".debug_", 7) != 0 || !header.sh_size)
			continue;
		found++;
		bool entries =
		    strcmp(name + 7, "info") == 0 || strcmp(name + 7, "abbrev") == 0 ||
		    strcmp(name + 7, "rnglists") == 0 ||
		    strcmp(name + 7, "ranges") == 0 || strcmp(name + 7, "line") == 0;
		for (int i = 0; i < (entries ? FLIPS : 3); i++)
			check_flips_in(whole, header.sh_offset, header.sh_size, random);
	}
	CHECK(found > 4);
	elf_end(elf);
	tr_buffer_free(&good);
	tr_image_close(whole);
}

int main(void)
{
	uint64_t random = 88172645463325252;
	fixture_begin();
	good = fixture_read(FIXTURES "/dwarf5.elf");
	for (size_t size = 0; size < good.size; size += size < 600 ? 1 : 37)
		check_cut(size);
	for (uint64_t bit = 0; bit < 64 * 8 + 56 * 8 * 3; bit += 5)
		check_flip_anywhere(bit);
	for (uint64_t i = 0; i < 200; i++) /* the section headers come last */
		check_flip_anywhere(good.size * 8 - 1 - 109 * i);
	tr_buffer_free(&good);
	check_debug_sections(FIXTURES "/dwarf5.elf", &random);
	check_debug_sections(FIXTURES "/dwarf4.elf", &random);
	check_debug_sections(FIXTURES "/inlined-5.elf", &random);
	check_debug_sections(FIXTURES "/inlined-4.elf", &random);
	check_debug_sections(FIXTURES "/scopes.elf", &random);
	return fixture_end();
}
