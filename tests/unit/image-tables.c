/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of functions from unwind tables, in files that are whole and damaged. */
#include <gelf.h>

#include "fixture.h"

/* The bytes of a fixture and the place of its .eh_frame in them. */
struct tables {
	struct tr_buffer file;
	uint64_t offset, size;
};

static struct tables read_tables(const char *path)
{
	struct tables tables = {.file = fixture_read(path)};
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)tables.file.data, tables.file.size);
	Elf_Scn *section = NULL;
	size_t names = 0;
	GElf_Shdr header;
	CHECK_EQ(elf_getshdrstrndx(elf, &names), 0);
	while ((section = elf_nextscn(elf, section)) && gelf_getshdr(section, &header)) {
		const char *name = elf_strptr(elf, names, header.sh_name);
		if (name && strcmp(name, ".eh_frame") == 0) {
			tables.offset = header.sh_offset;
			tables.size = header.sh_size;
		}
	}
	CHECK(tables.size > 100);
	elf_end(elf);
	return tables;
}

/* Every function that the symbols give a size has the same range in the stripped file, a
 * name made of its address, and no other claim. */
static void check_ranges(const char *whole_path, const char *stripped_path)
{
	struct tr_image *whole = fixture_open(whole_path, TR_OK);
	struct tr_image *stripped = fixture_open(stripped_path, TR_OK);
	static const char *const names[] = {"main", "plain", "weak_one", "copied",
					    "split"};
	fixture_check_sane(stripped);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char name[64];
		uint64_t address = 0;
		CHECK_EQ(tr_image_symbol(whole, names[i], &address), TR_OK);
		const struct tr_function *f = tr_image_function_at(whole, address);
		const struct tr_function *g = tr_image_function_at(stripped, address);
		if (!CHECK(f && g) || !f || !g)
			continue;
		snprintf(name, sizeof(name), "%s+0x%" PRIx64, tr_image_name(stripped),
			 address);
		CHECK_STR(g->name, name);
		CHECK(g->is_nameless && !f->is_nameless && !g->from_dwarf);
		CHECK_EQ(g->entry, address);
		CHECK_EQ(g->low, f->low);
		CHECK_EQ(g->high, f->high);
	}
	tr_image_close(whole);
	tr_image_close(stripped);
}

static const struct tr_function *named(const struct tr_image *image, const char *name)
{
	for (size_t i = 0; i < tr_image_function_count(image); i++)
		if (strcmp(tr_image_function(image, i)->name, name) == 0)
			return tr_image_function(image, i);
	return NULL;
}

/* Checks that a function of the whole file has its bounds, but no name. */
static void check_nameless(const struct tr_image *stripped, const struct tr_function *of)
{
	if (!CHECK(of != NULL))
		return;
	const struct tr_function *f = tr_image_function_at(stripped, of->low);
	CHECK(f && f->is_nameless && f->low == of->low && f->high == of->high);
}

/* Dynamic symbols name the functions that are exported; a symbol without a size ends
 * where a table begins. */
static void check_dynamic(void)
{
	struct tr_image *whole = fixture_open(FIXTURES "/dynamic.so", TR_OK);
	struct tr_image *stripped = fixture_open(FIXTURES "/dynamic-stripped.so", TR_OK);
	const struct tr_function *label = named(stripped, "label");
	CHECK_STR(tr_image_warning(stripped),
		  FIXTURES "/dynamic-stripped.so: no DWARF, names from symbols only");
	fixture_check_sane(stripped);
	CHECK(named(stripped, "exported") && named(stripped, "ended"));
	CHECK(!named(stripped, "hidden(int)") && !named(stripped, "behind(int)"));
	/* A symbol that the linker adds to the stubs does not hide them. */
	CHECK(named(stripped, "outside@plt") && named(whole, "outside@plt"));
	check_nameless(stripped, named(whole, "hidden(int)"));
	check_nameless(stripped, named(whole, "behind(int)"));
	if (CHECK(label != NULL)) {
		CHECK(!label->is_nameless);
		CHECK_EQ(label->high - label->low, 4);
		const struct tr_function *next =
		    tr_image_function_at(stripped, label->high);
		CHECK(next && next->is_nameless && next->high - next->low == 6);
	}
	tr_image_close(whole);
	tr_image_close(stripped);
}

static struct tr_image *open_changed(const struct tables *tables)
{
	const char *path =
	    fixture_write("tables.elf", tables->file.data, tables->file.size);
	struct tr_image *image = fixture_open(path, TR_OK);
	fixture_check_sane(image);
	return image;
}

/* One or more flips cost ranges at most; cutting a length is told with its place. */
static void check_flips(const char *path, uint64_t *random)
{
	struct tables tables = read_tables(path);
	uint8_t *bytes = tables.file.data + tables.offset;
	for (unsigned i = 0; i < 600; i++) {
		uint64_t bits[3], n = 1 + fixture_random(random) % 3;
		for (uint64_t k = 0; k < n; k++) {
			bits[k] = fixture_random(random) % (tables.size * 8);
			bytes[bits[k] / 8] ^= (uint8_t)(1U << bits[k] % 8);
		}
		tr_image_close(open_changed(&tables));
		for (uint64_t k = n; k-- > 0;)
			bytes[bits[k] / 8] ^= (uint8_t)(1U << bits[k] % 8);
	}
	tr_buffer_free(&tables.file);
}

/* Writes `size` bytes of `value` at each place in turn. */
static void check_overwritten(const char *path, uint8_t value, size_t size)
{
	struct tables tables = read_tables(path);
	uint8_t *bytes = tables.file.data + tables.offset, saved[16];
	for (uint64_t at = 0; at + size <= tables.size; at++) {
		memcpy(saved, bytes + at, size);
		memset(bytes + at, value, size);
		tr_image_close(open_changed(&tables));
		memcpy(bytes + at, saved, size);
	}
	tr_buffer_free(&tables.file);
}

/* Checks that the damage at a byte is told. */
static void check_damage_reported(const struct tables *tables, uint32_t byte)
{
	struct tr_image *image = open_changed(tables);
	char text[64];
	snprintf(text, sizeof(text), ": damaged .eh_frame at its byte %u;", byte);
	if (!CHECK(strstr(tr_image_warning(image), text) != NULL))
		fprintf(stderr, "\t%s\n", tr_image_warning(image));
	CHECK_EQ(fixture_named(image), 0);
	tr_image_close(image);
}

static void check_warnings(void)
{
	struct tables tables = read_tables(FIXTURES "/tables-stripped.elf");
	uint8_t *bytes = tables.file.data + tables.offset;
	uint32_t first = 4U + bytes[0], second = first + 4U + bytes[first];
	/* The second FDE refers to the first one, which is no CIE. */
	uint8_t was = bytes[second + 4];
	bytes[second + 4] = (uint8_t)(second + 4 - first);
	check_damage_reported(&tables, second);
	bytes[second + 4] = was;
	memset(bytes + first, 0xee, 4); /* its length */
	check_damage_reported(&tables, first);
	tr_buffer_free(&tables.file);
}

int main(void)
{
	uint64_t random = 88172645463325252;
	fixture_begin();
	check_ranges(FIXTURES "/tables.elf", FIXTURES "/tables-stripped.elf");
	check_ranges(FIXTURES "/tables32.elf", FIXTURES "/tables32-stripped.elf");
	check_dynamic();
	check_warnings();
	check_flips(FIXTURES "/tables-stripped.elf", &random);
	check_flips(FIXTURES "/tables32-stripped.elf", &random);
	check_flips(FIXTURES "/dynamic-stripped.so", &random);
	check_overwritten(FIXTURES "/tables-stripped.elf", 0xff, 4);
	check_overwritten(FIXTURES "/tables-stripped.elf", 0xff, 12);
	check_overwritten(FIXTURES "/tables-stripped.elf", 0x80, 16);
	check_overwritten(FIXTURES "/tables-stripped.elf", 0, 8);
	return fixture_end();
}
