/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in lines of the text form. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "stream/codec.h"
#include "text/text_line.h"

static bool parse_number(const char *text, uint64_t limit, uint64_t *value,
			 const char **end)
{
	*end = tr_parse_number(text, value);
	return *end && *value <= limit;
}

static uint64_t whole_number(struct tr_text_source *source, const char *text,
			     uint64_t limit)
{
	uint64_t value;
	const char *end;
	if (!parse_number(text, limit, &value, &end) || *end) {
		bool is_hex = text[strspn(text, "0123456789abcdefABCDEF")] == '\0' &&
			      strpbrk(text, "abcdefABCDEF");
		tr_line_fail(source, "not a number, or too large: \"%.60s\"%s", text,
			     is_hex ? "; hexadecimal begins with 0x" : "");
		return 0;
	}
	return value;
}

uint64_t tr_line_address(struct tr_text_source *source, const char *text)
{
	uint64_t value;
	char trouble[160];
	const char *end = text ? tr_parse_address(text, &value) : NULL;
	if (!text)
		return 0;
	if (!end || *end) {
		tr_address_trouble(text, trouble, sizeof(trouble));
		tr_line_fail(source, "%s", trouble);
		return 0;
	}
	return value;
}

uint64_t tr_line_u64(struct tr_text_source *source, const char *key, uint64_t limit,
		     uint64_t fallback)
{
	const char *text = tr_line_value(source, key);
	return text ? whole_number(source, text, limit) : fallback;
}

uint64_t tr_line_number(struct tr_text_source *source, const char *word,
			const char *prefix, uint64_t limit)
{
	size_t size = strlen(prefix);
	if (strncmp(word, prefix, size) != 0) {
		tr_line_fail(source, "not %s and a number: \"%.60s\"", prefix, word);
		return 0;
	}
	return whole_number(source, word + size, limit);
}

unsigned tr_line_runs(struct tr_text_source *source, const char *text,
		      struct tr_class_cycles *parts, unsigned room)
{
	unsigned count = 0;
	for (const char *at = text; *at; count++) {
		uint64_t class = 0, cycles = 0;
		if (count == room || *at != '/' ||
		    !parse_number(at + 1, TR_MAX_CLASSES - 1, &class, &at) ||
		    *at != '*' || !parse_number(at + 1, UINT64_MAX, &cycles, &at)) {
			tr_line_fail(source, "not /CLASS*SLOTS: \"%.60s\"", text);
			return 0;
		}
		parts[count] = (struct tr_class_cycles){cycles, (uint8_t) class};
	}
	return count;
}

uint64_t tr_line_cycles(struct tr_text_source *source, const char *text,
			struct tr_run *runs, unsigned *nruns)
{
	struct tr_class_cycles parts[TR_TOKEN_MAX_RUNS];
	uint64_t cycles;
	const char *end;
	*nruns = 0;
	if (!parse_number(text, TR_MAX_CYCLES - 1, &cycles, &end)) {
		tr_line_fail(source, "not a number of cycles: \"%.60s\"", text);
		return 0;
	}
	unsigned count = tr_line_runs(source, end, parts, TR_TOKEN_MAX_RUNS);
	for (unsigned i = 0; i < count; i++) {
		if (parts[i].cycles >= UINT32_MAX)
			tr_line_fail(source, "too many slots: \"%.60s\"", text);
		runs[i] = (struct tr_run){(uint32_t)parts[i].cycles, parts[i].class};
	}
	if (!source->status && !tr_runs_good(runs, count, cycles, source->commit_width))
		tr_line_fail(source, "more slots lost than there were: \"%.60s\"", text);
	*nruns = count;
	return cycles;
}
