/* SPDX-License-Identifier: Apache-2.0 */
#include "log_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t load_little(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | bytes[size];
	return value;
}

/* struct prof_sample. */
enum {
	SAMPLE_TIME = 0,
	SAMPLE_PC = 8,
	SAMPLE_PID = 16,
	SAMPLE_TID = 20,
	SAMPLE_HART = 24,
	SAMPLE_FLAGS = 26,
	SAMPLE_SIZE = 32,
	FLAG_USER = 1,
	FLAG_LOST = 2
};

const char *print_samples(uint64_t cycle, struct tr_probe_value data)
{
	if (data.size % SAMPLE_SIZE)
		return "the daemon has read a part of a sample";
	for (const uint8_t *p = data.data; p < data.data + data.size; p += SAMPLE_SIZE) {
		uint64_t flags = load_little(p + SAMPLE_FLAGS, 2);
		const char *mode = flags & FLAG_LOST   ? "lost"
				   : flags & FLAG_USER ? "user"
						       : "kernel";
		printf("sample %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s ",
		       cycle, load_little(p + SAMPLE_HART, 2),
		       load_little(p + SAMPLE_PID, 4), load_little(p + SAMPLE_TID, 4),
		       mode);
		printf(flags & FLAG_LOST ? "%" PRIu64 : "%" PRIx64,
		       load_little(p + SAMPLE_PC, 8));
		printf(" %" PRIu64 "\n", load_little(p + SAMPLE_TIME, 8));
	}
	return NULL;
}

enum { LOG_LINE = 128, LOG_FIELDS = 8, WORD = 8 };

const char *print_seen(uint64_t cycle, struct tr_probe_value data)
{
	if (data.size == 2 * WORD && memcmp(data.data, "clock\n\0\0", WORD) == 0) {
		printf("clock %" PRIu64 " %" PRIu64 "\n", cycle,
		       load_little(data.data + WORD, WORD));
		return NULL;
	}
	const uint8_t *end = memchr(data.data, '\n', data.size);
	char file[32], result[16], line[LOG_LINE];
	uint64_t size;
	size_t length = end ? (size_t)(end - data.data) : LOG_LINE;

	if (length >= LOG_LINE)
		return "what a reader has seen does not begin with a line";
	memcpy(line, data.data, length);
	line[length] = '\0';
	if (sscanf(line, "log %31[0-9].dat %15s %" SCNu64, file, result, &size) != 3 ||
	    size != data.size - length - 1 || size < (uint64_t)LOG_FIELDS * WORD)
		return "a reader has seen something else";
	printf("log %" PRIu64 " %" PRIu64 " %s", cycle,
	       (uint64_t)strtoull(file, NULL, 10), result);
	const uint8_t *words = end + 1;
	for (unsigned i = 0; i < LOG_FIELDS; i++)
		printf(" %" PRIu64, load_little(words + WORD * i, WORD));
	for (uint64_t i = 0, at = (uint64_t)LOG_FIELDS * WORD; at + 2 * WORD <= size;
	     i++, at += 2 * WORD) {
		uint64_t calls = load_little(words + at, WORD);
		uint64_t samples = load_little(words + at + WORD, WORD);
		if (calls || samples)
			printf(" %" PRIu64 ":%" PRIu64 ":%" PRIu64, i, calls, samples);
	}
	putchar('\n');
	return NULL;
}
