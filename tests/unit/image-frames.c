/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a file without symbols, from its .eh_frame. */
#include <gelf.h>
#include <inttypes.h>

#include "fixture.h"

enum { FLIPS = 1000 };

static const struct tr_function *function_of(const struct tr_image *image,
					     const struct tr_image *whole,
					     const char *symbol)
{
	uint64_t address = 0;
	CHECK_EQ(tr_image_symbol(whole, symbol, &address), TR_OK);
	return tr_image_function_at(image, address);
}

/* The bounds are those of the symbol in the file that has one. */
static void check_function(const struct tr_image *image, const struct tr_image *whole,
			   const char *symbol)
{
	const struct tr_function *named = function_of(whole, whole, symbol);
	const struct tr_function *bare = function_of(image, whole, symbol);
	char name[64];
	if (!CHECK(named && bare))
		return;
	snprintf(name, sizeof(name), "framed-stripped+0x%" PRIx64, named->low);
	CHECK_STR(bare->name, name);
	CHECK(bare->is_nameless && !named->is_nameless);
	CHECK(bare->is_entry && !bare->from_dwarf);
	CHECK_EQ(bare->low, named->low);
	CHECK_EQ(bare->high, named->high);
}

static void check_bounds(void)
{
	struct tr_image *whole = fixture_open(FIXTURES "/framed.elf", TR_OK);
	struct tr_image *image = fixture_open(FIXTURES "/framed-stripped.elf", TR_OK);
	fixture_check_sane(image);
	check_function(image, whole, "main");
	check_function(image, whole, "plain");
	check_function(image, whole, "weak_one");
	tr_image_close(image);
	tr_image_close(whole);
}

/* Returns the section's place in the file. */
static GElf_Shdr find_section(struct tr_buffer *file, const char *wanted)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)file->data, file->size);
	Elf_Scn *section = NULL;
	size_t names = 0;
	GElf_Shdr header, found = {0};
	CHECK_EQ(elf_getshdrstrndx(elf, &names), 0);
	while ((section = elf_nextscn(elf, section)) && gelf_getshdr(section, &header)) {
		const char *name = elf_strptr(elf, names, header.sh_name);
		if (name && strcmp(name, wanted) == 0)
			found = header;
	}
	elf_end(elf);
	CHECK(found.sh_size > 0);
	return found;
}

static void open_damaged(const struct tr_buffer *file)
{
	struct tr_image *image =
	    fixture_open(fixture_write("frames.elf", file->data, file->size), TR_OK);
	fixture_check_sane(image);
	tr_image_close(image);
}

/* Damage costs functions, and nothing else. */
static void check_damage(void)
{
	struct tr_buffer file = fixture_read(FIXTURES "/framed-stripped.elf");
	GElf_Shdr section = find_section(&file, ".eh_frame");
	uint64_t random = 88172645463325252;
	for (unsigned i = 0; i < FLIPS; i++) {
		uint64_t bit = fixture_random(&random) % (section.sh_size * 8);
		uint8_t *byte = &file.data[section.sh_offset + bit / 8];
		*byte ^= (uint8_t)(1U << bit % 8);
		open_damaged(&file);
		*byte ^= (uint8_t)(1U << bit % 8);
	}
	for (uint64_t size = section.sh_size; size-- > 0;) {
		file.data[section.sh_offset + size] = 0xff;
		open_damaged(&file);
	}
	tr_buffer_free(&file);
}

int main(void)
{
	fixture_begin();
	check_bounds();
	check_damage();
	return fixture_end();
}
