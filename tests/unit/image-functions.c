/* SPDX-License-Identifier: Apache-2.0 */
/* The functions found, and their names. */
#include "fixture.h"

/* Returns the number of ranges of the functions called `name`. */
static size_t count(const struct tr_image *image, const char *name)
{
	size_t n = 0;
	for (size_t i = 0; i < tr_image_function_count(image); i++)
		n += strcmp(tr_image_function(image, i)->name, name) == 0;
	return n;
}

static const char *name_at(const struct tr_image *image, const char *symbol)
{
	uint64_t address = 0;
	if (!CHECK_EQ(tr_image_symbol(image, symbol, &address), TR_OK))
		return "";
	const struct tr_function *f = tr_image_function_at(image, address);
	CHECK(f && f->entry == address && f->is_entry);
	return f ? f->name : "";
}

/* The C and assembly fixture, for any compiler options. */
static void check_common(const struct tr_image *image)
{
	fixture_check_sane(image);
	CHECK_STR(name_at(image, "main"), "main");
	CHECK_STR(name_at(image, "plain"), "plain");
	CHECK_STR(name_at(image, "weak_one"), "weak_one");
	CHECK_STR(name_at(image, "copied"), "copied");
	CHECK_STR(name_at(image, "sink"), "sink");
	CHECK_STR(name_at(image, "sized"), "sized");
	CHECK_STR(name_at(image, "_last"), "last_but_longer");
	CHECK_STR(name_at(image, "_start"), "_start");
	CHECK_EQ(count(image, "dead"), 0);
	CHECK_EQ(count(image, "sink_loop"), 0);
	CHECK_EQ(count(image, "again"), 0);
	CHECK_EQ(count(image, "inner"), 0);
	CHECK_EQ(count(image, "table"), 0);
	CHECK_EQ(count(image, "behind"), 1);
}

static const struct tr_function *at_symbol(const struct tr_image *image,
					   const char *symbol)
{
	uint64_t address = 0;
	CHECK_EQ(tr_image_symbol(image, symbol, &address), TR_OK);
	return tr_image_function_at(image, address);
}

static void check_dwarf(const char *path, unsigned xlen)
{
	struct tr_image *image = fixture_open(path, TR_OK);
	CHECK_STR(tr_image_warning(image), "");
	CHECK_EQ(tr_image_xlen(image), xlen);
	check_common(image);
	CHECK_STR(name_at(image, "alias_of_plain"), "plain");
	CHECK(at_symbol(image, "plain")->from_dwarf);
	CHECK(!at_symbol(image, "sink")->from_dwarf);
	tr_image_close(image);
}

static void check_split(const char *path)
{
	struct tr_image *image = fixture_open(path, TR_OK);
	const struct tr_function *hot = at_symbol(image, "split");
	const struct tr_function *cold = at_symbol(image, "split.cold");
	if (CHECK(hot && cold)) {
		CHECK_STR(hot->name, "split");
		CHECK_STR(cold->name, "split");
		CHECK_EQ(cold->entry, hot->low);
		CHECK(hot->is_entry && !cold->is_entry);
	}
	CHECK_EQ(count(image, "split"), 2);
	tr_image_close(image);
}

static void check_identity(void)
{
	struct tr_image *image = fixture_open(FIXTURES "/dwarf5.elf", TR_OK);
	uint64_t start = 0;
	CHECK_STR(tr_image_name(image), "dwarf5");
	CHECK_STR(tr_image_path(image), FIXTURES "/dwarf5.elf");
	CHECK_EQ(strlen(tr_image_build_id(image)), 40);
	CHECK_EQ(tr_image_symbol(image, "_start", &start), TR_OK);
	CHECK_EQ(tr_image_entry(image), start);
	CHECK(!tr_image_is_pie(image));
	CHECK_EQ(tr_image_symbol(image, "pointer", &start), TR_OK);
	CHECK(tr_image_function_at(image, start) == NULL);
	CHECK_EQ(tr_image_symbol(image, "no such thing", &start), TR_END);
	tr_image_close(image);
}

static void check_no_dwarf(void)
{
	struct tr_image *image = fixture_open(FIXTURES "/nodwarf.elf", TR_OK);
	CHECK_STR(tr_image_warning(image),
		  FIXTURES "/nodwarf.elf: no DWARF, names from symbols only");
	check_common(image);
	CHECK_STR(name_at(image, "split.cold"), "split.cold");
	tr_image_close(image);
}

static void check_stripped(void)
{
	struct tr_image *image = fixture_open(FIXTURES "/stripped.elf", TR_OK);
	CHECK_STR(tr_image_warning(image),
		  FIXTURES "/stripped.elf: no DWARF and no symbols, so no names: list "
			   "the unstripped file");
	CHECK_EQ(fixture_named(image), 0);
	CHECK(tr_image_code_count(image) > 0);
	tr_image_close(image);
}

static void check_scopes(void)
{
	static const char *const names[] = {
	    "outer::inner::Thing::Thing(int)",
	    "outer::inner::Thing::~Thing()",
	    "outer::inner::Thing::twice() const",
	    "outer::inner::Thing::Part::make(int)",
	    "outer::generic<int>(int)",
	    "outer::generic<long>(long)",
	    "(anonymous namespace)::hidden(int)",
	    "overloaded(int)",
	    "overloaded(long)",
	    "main",
	};
	struct tr_image *image = fixture_open(FIXTURES "/scopes.elf", TR_OK);
	fixture_check_sane(image);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!CHECK_EQ(count(image, names[i]), 1))
			fprintf(stderr, "\t%s\n", names[i]);
	tr_image_close(image);
}

/* The entry of every function listed by readelf resolves to its own name, or to one with
 * the same address. */
static void check_program(void)
{
	struct tr_image *image = fixture_open(FIXTURES "/program.elf", TR_OK);
	FILE *file = fopen(FIXTURES "/program.symbols", "r");
	char line[512], type[16], name[256];
	unsigned long long address, size;
	unsigned functions = 0;
	fixture_check_sane(image);
	while (CHECK(file != NULL) && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " %*d: %llx %llu %15s %*s %*s %*s %255s", &address,
			   &size, type, name) != 4 ||
		    strcmp(type, "FUNC") != 0)
			continue;
		functions++;
		const struct tr_function *f = tr_image_function_at(image, address);
		uint64_t other = 0;
		if (!CHECK(f && f->is_entry && f->entry == address) || !f)
			fprintf(stderr, "\t%s at 0x%llx\n", name, address);
		else if (strcmp(f->name, name) != 0)
			CHECK(tr_image_symbol(image, f->name, &other) == TR_OK &&
			      other == address);
	}
	CHECK(functions > 40);
	if (file)
		fclose(file);
	tr_image_close(image);
}

/* Functions that refer to names in another unit. */
static void check_lto(void)
{
	struct tr_image *image = fixture_open(FIXTURES "/lto.elf", TR_OK);
	CHECK_STR(tr_image_warning(image), "");
	check_common(image);
	CHECK(at_symbol(image, "plain")->from_dwarf);
	tr_image_close(image);
}

/* Without a request for functions there is only code. */
static void check_code_only(void)
{
	const struct tr_image_options options = {.functions = false};
	struct tr_image *image;
	CHECK_EQ(tr_image_open(&image, FIXTURES "/dwarf5.elf", &options), TR_OK);
	CHECK_EQ(fixture_named(image), 0);
	CHECK(tr_image_code_count(image) > 0);
	CHECK_STR(tr_image_warning(image), "");
	tr_image_close(image);
}

int main(void)
{
	fixture_begin();
	check_dwarf(FIXTURES "/dwarf5.elf", 64);
	check_dwarf(FIXTURES "/dwarf4.elf", 64);
	check_dwarf(FIXTURES "/rv32.elf", 32);
	check_lto();
	check_split(FIXTURES "/dwarf5.elf");
	check_split(FIXTURES "/dwarf4.elf");
	check_identity();
	check_no_dwarf();
	check_stripped();
	check_scopes();
	check_program();
	check_code_only();
	return fixture_end();
}
