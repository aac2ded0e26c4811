/* SPDX-License-Identifier: Apache-2.0 */
/* The example of prof-files(5): the bytes that the page shows are those that are written.
 * Run in the root of the sources. With an argument, prints what the page has to show. */
#include <stdlib.h>

#include "check.h"
#include "stubs/function_ranges.h"
#include "stubs/shared_counts.h"
#include "stubs/shared_log.h"

#define PAGE "sim/target/profiler/prof-files.5"

static const char *const names[] = {"multiply", "main"};
static const uint8_t build_id[4] = {0xc0, 0xff, 0xee, 0x01};

static const struct tr_stubs_function functions[] = {
    /* addi sp, sp, -32; sd s0, 24(sp) */
    {.start = 0x10544,
     .resume = 0x10548,
     .index = 0,
     .stub = 0,
     .stub_size = 22,
     .size = 4,
     .original = {0x01, 0x11, 0x22, 0xec},
     .moved = {14, 16},
     .tail = 18},
    /* auipc a5, 0x2; addi sp, sp, -16; sd ra, 8(sp) */
    {.start = 0x10566,
     .resume = 0x1056e,
     .index = 1,
     .stub = 24,
     .stub_size = 34,
     .first_label = 2,
     .size = 8,
     .kind = TR_STUBS_FAR,
     .original = {0x97, 0x27, 0x00, 0x00, 0x41, 0x11, 0x06, 0xe4},
     .moved = {14, 0, 22, 24},
     .tail = 26},
};
static const struct tr_stubs_label labels[] = {
    {.at = 0, .kind = TR_STUBS_COUNTER, .reg = 5, .target = 0},
    {.at = 18, .kind = TR_STUBS_JUMP, .target = 0x10548},
    {.at = 24, .kind = TR_STUBS_COUNTER, .reg = 5, .target = 1},
    {.at = 24 + 14, .kind = TR_STUBS_ADDRESS, .reg = 15, .target = 0x12566},
    {.at = 24 + 26, .kind = TR_STUBS_FAR_JUMP, .reg = 6, .target = 0x1056e},
};

static char page[100000];

static void read_page(void)
{
	FILE *file = fopen(PAGE, "r");
	if (!CHECK(file != NULL))
		return;
	size_t size = fread(page, 1, sizeof(page) - 1, file);
	CHECK(size > 1000 && size < sizeof(page) - 1);
	fclose(file);
}

/* Compares the lines of 16 bytes from `begin` on that are not all zero. */
static void check_part(const uint8_t *bytes, size_t begin, size_t size, bool print)
{
	static const uint8_t zeros[16];
	char text[10000], *p = text;
	CHECK(bytes != NULL);
	for (size_t i = begin; i < size; i += 16) {
		size_t end = i + 16 < size ? i + 16 : size;
		if (memcmp(bytes + i, zeros, end - i) == 0)
			continue;
		p += sprintf(p, "%4zu ", i);
		for (size_t j = i; j < end; j++)
			p += sprintf(p, "%s%02x", j % 8 ? " " : "  ", bytes[j]);
		p += sprintf(p, "\n");
	}
	if (print)
		puts(text);
	else
		CHECK(strstr(page, text) != NULL);
}

static void check_dump(uint8_t *bytes, size_t size, bool print)
{
	check_part(bytes, 0, size, print);
	free(bytes);
}

/* The log after its first span. */
static void check_log(uint8_t *bytes, size_t size, bool print)
{
	const struct tr_log_span span = {.time = 60000000000,
					 .span = 5000000000,
					 .cycles = 16000000000,
					 .period = 4000000,
					 .samples = 1250,
					 .all_samples = 1300,
					 .lost_samples = 2};
	const struct tr_log_entry entries[] = {{0, {10000000, 900}}, {1, {1, 300}}};
	struct tr_shared shared;
	uint64_t at;
	if (CHECK_EQ(tr_shared_open(bytes, size, &shared, &at), TR_OK)) {
		tr_log_write(bytes, &shared, &span, entries, 2, true);
		check_part(bytes, shared.index, shared.hash, print);
	}
	free(bytes);
}

int main(int argc, char **argv)
{
	static uint8_t code[TR_STUBS_PAGE];
	struct tr_stubs plan = {
	    .program_entry = 0x103a0,
	    .program_first = {0x97, 0x01, 0x00, 0x00},
	    .program_size = 70152,
	    .program_mtime = 1764415385,
	    .build_id_size = sizeof(build_id),
	    .code_offset = TR_STUBS_PAGE,
	    .code_size = sizeof(code),
	    .code_checksum = tr_stubs_checksum(code, sizeof(code)),
	    .counters = 2,
	    .areas = {{0, TR_STUBS_PAGE, 0x1000, 0xf000}},
	    .image = {.code_offset = 0x2000,
		      .code_checksum = 0x77880ca8d1a06c33,
		      .counters = 0x14000,
		      .text_address = 0x10000,
		      .text_size = 0x1000,
		      .text_offset = 0x4000,
		      .text_digest = 0x9cf55322d6f32639},
	    .functions = functions,
	    .function_count = 2,
	    .labels = labels,
	    .label_count = 5,
	};
	struct tr_function_range list[] = {{0x10544, 0x10566, 0}, {0x10566, 0x105b2, 1}};
	struct tr_function_ranges ranges = {
	    .ranges = list, .count = 2, .build_id_size = sizeof(build_id)};
	memcpy(plan.build_id, build_id, sizeof(build_id));
	memcpy(ranges.build_id, build_id, sizeof(build_id));
	bool print = argc > 1 && argv[1];
	size_t size;
	read_page();
	uint8_t *bytes = tr_stubs_encode(&plan, &size);
	check_dump(bytes, size, print);
	bytes = tr_function_ranges_encode(&ranges, &size);
	check_dump(bytes, size, print);
	bytes = tr_shared_build(names, 2, 2, false, "/usr/bin/it", build_id,
				sizeof(build_id), &size);
	check_part(bytes, 0, size, print);
	check_log(bytes, size, print);
	return check_done();
}
