/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined calls and lines: the same as addr2line's at each instruction; overlapping
 * claims; inconsistent indices. */
#include "fixture.h"
#include "image/image_places.h"

static struct tr_image *open_places(const char *path)
{
	const struct tr_image_options options = {
	    .functions = true, .no_cache = true, .calls = true, .lines = true};
	struct tr_image *image = NULL;
	CHECK_EQ(tr_image_open(&image, path, &options), TR_OK);
	return image;
}

/* Formats "inner outer function file.c:12", "??:0" without a line. */
static void describe(const struct tr_image *image, uint64_t address, char *text,
		     size_t size)
{
	struct tr_stretch call = tr_image_call_at(image, address);
	struct tr_stretch line = tr_image_line_at(image, address);
	const struct tr_function *function = tr_image_function_at(image, address);
	size_t used = 0;
	uint32_t number = 0;
	for (uint32_t item = call.item; item && used < size; item = number)
		used += (size_t)snprintf(text + used, size - used, "%s ",
					 tr_image_call(image, item, &number));
	number = 0;
	const char *file = line.item ? tr_image_line(image, line.item, &number) : "??";
	snprintf(text + used, size - used, "%s %s:%" PRIu32,
		 function ? function->name : "??", file, number);
	CHECK(call.low <= address && address < call.high);
	CHECK(line.low <= address && address < line.high);
}

/* Lines of "0xADDRESS inner outer function file.c:12". */
static void check_places(const char *path, const char *expected)
{
	struct tr_image *image = open_places(path);
	FILE *file = fopen(expected, "r");
	char line[1000], text[1000];
	unsigned long count = 0, nested = 0;
	CHECK_STR(tr_image_warning(image), "");
	fixture_check_sane(image);
	while (CHECK(file != NULL) && fgets(line, sizeof(line), file)) {
		char *want;
		uint64_t address = strtoull(line, &want, 16);
		want += strspn(want, " ");
		want[strcspn(want, "\n")] = '\0';
		if (strstr(want, "??:?"))
			strcpy(strstr(want, "??:?"), "??:0");
		describe(image, address, text, sizeof(text));
		CHECK_STR(text, want);
		count++;
		uint32_t around = 0;
		struct tr_stretch call = tr_image_call_at(image, address);
		if (call.item)
			tr_image_call(image, call.item, &around);
		nested += around != 0;
	}
	CHECK(count >= 10 && nested > 5);
	if (file)
		fclose(file);
	tr_image_close(image);
}

/* Names in a file that is not there are those of the symbols, and an inlined call has
 * none. */
static void check_alternate(void)
{
	struct tr_image *image = open_places(FIXTURES "/alternate.elf");
	uint64_t start = 0;
	CHECK_EQ(tr_image_symbol(image, "_start", &start), TR_OK);
	fixture_check_sane(image);
	CHECK_EQ(tr_image_function_count(image), 1);
	CHECK_STR(tr_image_function(image, 0)->name, "_start");
	for (uint64_t at = start; at < tr_image_function(image, 0)->high; at += 2)
		CHECK_EQ(tr_image_call_at(image, at).item, 0);
	tr_image_close(image);
}

/* Addresses, names and ranges by index. */
static void check_indexed(void)
{
	struct tr_image *image = open_places(FIXTURES "/indexed.elf");
	static const char *const expected[] = {"outer ??:0", "inner outer ??:0",
					       "outer ??:0", "inner outer ??:0",
					       "outer ??:0"};
	uint64_t start = 0;
	char text[100];
	CHECK_STR(tr_image_warning(image),
		  FIXTURES "/indexed.elf: no source lines in the DWARF");
	CHECK_EQ(tr_image_symbol(image, "_start", &start), TR_OK);
	for (unsigned i = 0; i < 5; i++) {
		describe(image, start + 2 * i, text, sizeof(text));
		CHECK_STR(text, expected[i]);
	}
	tr_image_close(image);
}

/* No DWARF, or not requested. */
static void check_none(void)
{
	struct tr_image *image = open_places(FIXTURES "/nodwarf.elf");
	CHECK_STR(tr_image_warning(image), FIXTURES
		  "/nodwarf.elf: no DWARF, names from symbols only; no inlined calls "
		  "and source lines");
	CHECK_EQ(tr_image_call_at(image, 0x10000).item, 0);
	CHECK_EQ(tr_image_line_at(image, 0x10000).high, UINT64_MAX);
	tr_image_close(image);
	image = fixture_open(FIXTURES "/inlined-5.elf", TR_OK);
	CHECK_STR(tr_image_warning(image), "");
	CHECK_EQ(tr_image_call_at(image, tr_image_entry(image)).high, UINT64_MAX);
	CHECK_EQ(tr_image_line_at(image, tr_image_entry(image)).high, UINT64_MAX);
	tr_image_close(image);
}

static const struct image_key key = {.file_bytes = 7};

static void claim(struct image_places *places, uint64_t low, uint64_t high, uint32_t item,
		  uint32_t depth)
{
	tr_image_places_claim(places, &(struct image_claim){low, high, item, depth});
}

/* The items at addresses 0 to 9, as digits. */
static void check_steps(struct image_places *places, const char *want)
{
	struct tr_buffer bytes = {0};
	struct image_index index;
	char got[11] = "";
	tr_image_places_settle(places);
	CHECK(!places->failed);
	tr_image_index_finish(&places->index, IMAGE_INDEX_LINES, &key, "", &bytes);
	CHECK(
	    tr_image_index_read(&index, IMAGE_INDEX_LINES, bytes.data, bytes.size, &key));
	for (unsigned i = 0; i < 10; i++) {
		struct tr_stretch step = tr_image_index_step(&index, i);
		CHECK(step.low <= i && i < step.high);
		got[i] = (char)('0' + step.item);
	}
	CHECK_STR(got, want);
	tr_buffer_free(&bytes);
}

/* Nine lines of one file. */
static struct image_places *nine(void)
{
	static struct image_places places;
	places = (struct image_places){0};
	for (uint32_t i = 1; i <= 9; i++)
		CHECK_EQ(
		    tr_image_places_item(&places, tr_image_places_name(&places, "f"), i),
		    i);
	return &places;
}

static void check_settling(void)
{
	struct image_places *p = nine();
	check_steps(p, "0000000000");
	p = nine();
	claim(p, 1, 9, 1, 0);
	claim(p, 3, 7, 2, 1);
	claim(p, 4, 5, 3, 2);
	check_steps(p, "0112322110");
	/* All start at the same address, in any order. */
	p = nine();
	claim(p, 2, 4, 3, 2);
	claim(p, 2, 8, 1, 0);
	claim(p, 2, 6, 2, 1);
	check_steps(p, "0033221100");
	/* Adjacent, with a gap, and the same again. */
	p = nine();
	claim(p, 0, 2, 4, 0);
	claim(p, 2, 4, 4, 0);
	claim(p, 5, 6, 5, 0);
	claim(p, 6, 6, 6, 0);
	claim(p, 9, 10, 4, 0);
	check_steps(p, "4444050004");
	/* One that extends beyond the one in which it starts. */
	p = nine();
	claim(p, 1, 4, 1, 0);
	claim(p, 3, 6, 2, 1);
	claim(p, 0, 10, 9, 0);
	check_steps(p, "9112229999");
}

/* An index of three nested calls, of which `extents` and so on are consistent or not. */
static bool reads(enum image_index_kind kind, const uint32_t *around, unsigned nitems,
		  const uint64_t *lows, unsigned nsteps, uint32_t item)
{
	struct image_index_writer writer = {.units = 1};
	struct tr_buffer bytes = {0};
	struct image_index index;
	tr_buffer_add(&writer.names, "f", 2);
	for (unsigned i = 0; i < nitems; i++) {
		tr_image_index_add32(&writer.items, 0);
		tr_image_index_add32(&writer.items, around[i]);
	}
	for (unsigned i = 0; i < nsteps; i++) {
		tr_buffer_add64(&writer.extents, lows[i]);
		tr_image_index_add32(&writer.extents, item);
	}
	tr_image_index_finish(&writer, kind, &key, "", &bytes);
	bool good = tr_image_index_read(&index, kind, bytes.data, bytes.size, &key);
	CHECK(!tr_image_index_read(
	    &index, kind == IMAGE_INDEX_CALLS ? IMAGE_INDEX_LINES : IMAGE_INDEX_CALLS,
	    bytes.data, bytes.size, &key));
	tr_buffer_free(&bytes);
	return good;
}

static void check_senseless(void)
{
	static const uint64_t lows[] = {0, 5, 5, 9};
	uint32_t around[IMAGE_CALLS_DEEP + 1] = {0, 1, 2};
	CHECK(reads(IMAGE_INDEX_CALLS, around, 3, lows, 2, 3));
	CHECK(!reads(IMAGE_INDEX_CALLS, around, 3, lows, 2, 4));
	CHECK(!reads(IMAGE_INDEX_CALLS, around, 3, lows, 3, 3));
	CHECK(!reads(IMAGE_INDEX_CALLS, (const uint32_t[]){0, 2}, 2, lows, 1, 1));
	CHECK(!reads(IMAGE_INDEX_CALLS, (const uint32_t[]){1}, 1, lows, 1, 1));
	CHECK(reads(IMAGE_INDEX_LINES, (const uint32_t[]){77}, 1, lows, 1, 1));
	for (uint32_t i = 0; i <= IMAGE_CALLS_DEEP; i++)
		around[i] = i;
	CHECK(reads(IMAGE_INDEX_CALLS, around, IMAGE_CALLS_DEEP, lows, 1, 1));
	CHECK(!reads(IMAGE_INDEX_CALLS, around, IMAGE_CALLS_DEEP + 1, lows, 1, 1));
}

int main(void)
{
	static const char *const fixtures[] = {"inlined-5", "inlined-4", "inlined-lto",
					       "inlined-class"};
	char elf[200], places[200];
	fixture_begin();
	for (unsigned i = 0; i < 4; i++) {
		snprintf(elf, sizeof(elf), FIXTURES "/%s.elf", fixtures[i]);
		snprintf(places, sizeof(places), FIXTURES "/%s.places", fixtures[i]);
		check_places(elf, places);
	}
	check_indexed();
	check_alternate();
	check_none();
	check_settling();
	check_senseless();
	return fixture_end();
}
