/* SPDX-License-Identifier: Apache-2.0 */
/* Names in reports: which bytes are UTF-8, all sequences of up to three bytes and the
 * edges of four; numbers in JSON's syntax; cells of CSV; every allocation of a CSV report
 * that fails. */
#include "base/csv.h"
#include "base/json.h"
#include "base/report.h"
#include "base/status.h"
#include "base/utf8.h"
#include "check.h"
#include "no-memory.h"

/* Returns the length of the only encoding of some code point that `text` begins with, by
 * encoding rather than decoding. */
static size_t encoded(const unsigned char *text)
{
	static const uint32_t first[] = {1, 0x80, 0x800, 0x10000, 0x110000};
	uint32_t code = text[0];
	for (size_t length = 1; length <= 4; length++) {
		static const uint8_t mark[] = {0, 0, 0xc0, 0xe0, 0xf0};
		static const uint8_t bits[] = {0, 7, 5, 4, 3};
		if (length > 1 && text[length - 1] == 0)
			return 0;
		code = text[0] & ((1U << bits[length]) - 1);
		for (size_t i = 1; i < length; i++)
			code = code << 6 | (text[i] & 0x3f);
		if (code < first[length - 1] || code >= first[length] ||
		    (code >= 0xd800 && code < 0xe000))
			continue;
		bool same =
		    text[0] ==
		    (length == 1 ? code : (mark[length] | code >> 6 * (length - 1)));
		for (size_t i = 1; i < length && same; i++)
			same = text[i] == (0x80 | (code >> 6 * (length - 1 - i) & 0x3f));
		if (same)
			return length;
	}
	return 0;
}

static void utf8(void)
{
	unsigned wrong = 0, valid = 0;
	for (uint32_t n = 0; n < 1U << 24; n++) {
		const unsigned char text[5] = {(unsigned char)(n >> 16),
					       (unsigned char)(n >> 8), (unsigned char)n};
		size_t length = tr_utf8_length((const char *)text);
		wrong += length != encoded(text);
		valid += length == 3;
	}
	CHECK_EQ(wrong, 0);
	CHECK_EQ(valid, 0x10000 - 0x800 - 0x800);
	for (unsigned lead = 0xf0; lead <= 0xf7; lead++)
		for (unsigned second = 0x7f; second <= 0xc0; second++)
			for (unsigned last = 0x7f; last <= 0xc0; last++) {
				const unsigned char text[5] = {(unsigned char)lead,
							       (unsigned char)second,
							       0xa0, (unsigned char)last};
				CHECK(tr_utf8_length((const char *)text) ==
				      encoded(text));
			}
}

static void copies(void)
{
	static const char good[] = "caf\xc3\xa9";
	char *copy;
	CHECK(tr_utf8_valid(good, &copy) == good && !copy);
	CHECK_STR(tr_utf8_valid("\xff\xc3", &copy), "\xef\xbf\xbd\xef\xbf\xbd");
	free(copy);
	CHECK_STR(tr_utf8_valid("a\xe2\x82z\xc3\xa9", &copy),
		  "a\xef\xbf\xbd\xef\xbf\xbdz\xc3\xa9");
	free(copy);
	memory_left = 1;
	CHECK(!tr_utf8_valid("\xff", &copy) && !copy);
	memory_left = 0;
}

static void numbers(void)
{
	static const char *const good[] = {"0",	    "-1",   "12.50",
					   "0.000", "-0.5", "18446744073709551615"};
	static const char *const bad[] = {"",	"-",   "01",	".5",  "1.", "1e",
					  "+1", "0x1", "1.2.3", "nan", "1 "};
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		CHECK(tr_json_is_number(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!tr_json_is_number(bad[i]));
}

static void cells(void)
{
	static const struct {
		const char *text, *cell;
	} pairs[] = {{"", ""},
		     {"plain", "plain"},
		     {"a,b", "\"a,b\""},
		     {"\"", "\"\"\"\""},
		     {"a\nb", "\"a\nb\""},
		     {"a\rb", "\"a\rb\""},
		     {"\xff,", "\"\xef\xbf\xbd,\""}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char *text = NULL;
		size_t size;
		FILE *file = open_memstream(&text, &size);
		CHECK_EQ((uint64_t)tr_csv_put(file, pairs[i].text), TR_OK);
		fclose(file);
		CHECK_STR(text, pairs[i].cell);
		free(text);
	}
}

static struct tr_table *make_table(const char *second)
{
	const char *const headings[] = {"n", second, NULL}, *const keys[] = {"n_*",
									     second};
	struct tr_table *table = tr_table_new(headings);
	int failed = table ? tr_table_keys(table, keys, "x") : TR_E_NOMEM;
	for (unsigned row = 0; row < 3 && !failed; row++)
		failed = tr_table_cell(table, "~%u", row) |
			 tr_table_cell(table, "%s", row ? "\xff" : "-");
	if (!failed)
		return table;
	tr_table_free(table);
	return NULL;
}

/* Returns the status; *text is what was written. */
static int report(FILE *file)
{
	struct tr_report *r = tr_report_new(TR_REPORT_CSV, "test", true, file);
	if (!r)
		return TR_E_NOMEM;
	int failed = tr_report_table(r, "a", make_table("one"));
	failed |= tr_report_table(r, "b", make_table("two"));
	return tr_report_free(r) | failed;
}

/* Some allocations of libc are not needed. */
static void memory(void)
{
	static const char whole[] =
	    "table,n_x,one,two\na,0,,\na,1,\xef\xbf\xbd,\na,2,\xef\xbf\xbd,\n"
	    "b,0,,\nb,1,,\xef\xbf\xbd\nb,2,,\xef\xbf\xbd\n";
	unsigned long n = 0, refused = 0;
	do {
		static char room[4096];
		memset(room, 0, sizeof(room));
		FILE *file = fmemopen(room, sizeof(room), "w");
		setvbuf(file, NULL, _IONBF, 0);
		memory_failed = false;
		memory_left = ++n;
		int status = report(file);
		memory_left = 0;
		fclose(file);
		refused += status != TR_OK;
		CHECK(status == TR_OK || memory_failed);
		if (status == TR_OK)
			CHECK_STR(room, whole);
	} while (memory_failed);
	CHECK(refused > 20);
}

int main(void)
{
	utf8();
	copies();
	numbers();
	cells();
	memory();
	return check_done();
}
