/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file of the run-time profiler, and asks for everything that is in it:
 * read-stubs FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stubs/function_ranges.h"
#include "stubs/shared_counts.h"
#include "stubs/shared_log.h"
#include "stubs/stubs.h"

enum { MOST = 1 << 20 };

static void ask_stubs(const struct tr_stubs *stubs)
{
	const struct tr_stubs_places places = {
	    .bias = 0x10000,
	    .areas = {stubs->areas[0].lowest, stubs->areas[1].lowest},
	    .counters = 0x40000000};
	uint8_t *code = stubs->code_size <= MOST ? calloc(1, stubs->code_size + 1) : NULL;
	if (code)
		tr_stubs_place(stubs, &places, code);
	free(code);
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		uint8_t entry[TR_STUBS_ENTRY_MAX];
		uint64_t address;
		uint32_t function;
		tr_stubs_entry(stubs, &places, i, entry);
		if (tr_stubs_function_at(stubs, f->start) != i)
			abort();
		for (unsigned j = 0; j < f->size; j++)
			tr_stubs_move_in(stubs, &places, places.bias + f->start + j);
		for (uint32_t j = 0; j < f->stub_size; j += 2) {
			if (!tr_stubs_origin(stubs, f->stub + j, &address, &function) ||
			    function != i)
				abort();
			tr_stubs_move_out(stubs, &places,
					  places.areas[f->area] + f->stub + j -
					      stubs->areas[f->area].offset);
		}
	}
}

static void ask_shared(const struct tr_shared *shared)
{
	static char name[256];
	for (uint32_t i = 0; i < shared->functions; i++) {
		snprintf(name, sizeof(name), "%s", tr_shared_name(shared, i));
		tr_shared_find(shared, name);
		tr_shared_loops(shared, i);
		tr_shared_calls(shared, i);
	}
	snprintf(name, sizeof(name), "%s", tr_shared_program(shared));
}

/* Whatever is in the buffers, a span that is written is the one that is read. */
static void ask_log(uint8_t *bytes, const struct tr_shared *shared)
{
	struct tr_log_span span = {0}, again = {0};
	struct tr_log_counts *counts =
	    calloc((size_t)shared->functions + 1, sizeof(*counts));
	if (counts) {
		tr_log_read(bytes, shared, &span, counts);
		tr_log_write(bytes, shared, &span, NULL, 0, true);
		if (tr_log_read(bytes, shared, &again, counts) != TR_LOG_WHOLE ||
		    again.time != span.time || again.lost_samples != span.lost_samples)
			abort();
	}
	free(counts);
}

static void ask_file(uint8_t *bytes, size_t size)
{
	struct tr_stubs stubs;
	struct tr_function_ranges ranges;
	struct tr_shared shared;
	uint64_t at;
	if (tr_stubs_decode(bytes, size, &stubs, &at) == TR_OK) {
		ask_stubs(&stubs);
		tr_stubs_free(&stubs);
	}
	if (tr_function_ranges_decode(bytes, size, &ranges, &at) == TR_OK)
		free(ranges.ranges);
	if (tr_shared_open(bytes, size, &shared, &at) == TR_OK) {
		ask_shared(&shared);
		ask_log(bytes, &shared);
	}
}

int main(int argc, char **argv)
{
	static uint8_t bytes[MOST];
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (!file)
		return 2;
	size_t size = fread(bytes, 1, MOST, file);
	fclose(file);
	uint8_t *copy = malloc(size); /* a sanitizer knows its end */
	if (!copy)
		return 2;
	memcpy(copy, bytes, size);
	ask_file(copy, size);
	free(copy);
	return 0;
}
