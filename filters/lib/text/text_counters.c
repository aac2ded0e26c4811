/* SPDX-License-Identifier: Apache-2.0 */
/* Counter samples in the text form, reading and writing. */
#include <inttypes.h>
#include <string.h>

#include "text/text_encode.h"

void tr_text_label(FILE *out, const char *label)
{
	bool plain = !strpbrk(label, " \t\"\\") && *label != '(' && *label != '#';
	if (!plain)
		fputc('"', out);
	for (; *label; label++) {
		if (*label == '"' || *label == '\\')
			fprintf(out, "\\x%02x", (unsigned)*label);
		else
			fputc(*label, out);
	}
	if (!plain)
		fputc('"', out);
}

void tr_text_values_of(const struct tr_text *text, uint32_t set, const uint64_t *values)
{
	const struct tr_counters *counters = tr_reader_counters(text->reader);
	fputs(" |", text->out);
	for (uint32_t i = 0; i < counters->set[set].count; i++) {
		fputc(' ', text->out);
		tr_text_label(text->out, counters->set[set].label[i]);
		fprintf(text->out, "=%" PRIu64, values[i]);
	}
	fputc('\n', text->out);
}

/* Parses "LABEL=VALUE". Returns the value. */
static uint64_t take_counter_value(struct tr_text_source *source, char **word,
				   const char *label)
{
	size_t size = strlen(label);
	if (!*word || strncmp(*word, label, size) != 0 || (*word)[size] != '=') {
		tr_line_fail(source, "not %.60s=VALUE: \"%.60s\"", label,
			     *word ? *word : "");
		return 0;
	}
	uint64_t value = tr_line_number(source, *word + size + 1, "", UINT64_MAX);
	*word = NULL;
	return value;
}

unsigned tr_text_bar(const struct tr_text_line *line)
{
	for (unsigned i = 1; i < line->count; i++)
		if (strcmp(line->words[i], "|") == 0)
			return i;
	return 0;
}

static void take_counter_values(struct tr_text_source *source, unsigned bar, uint32_t set,
				uint64_t *values)
{
	struct tr_text_line *line = source->line;
	uint32_t count = source->counters.set[set].count;
	if (line->count - bar - 1 != count) {
		tr_line_fail(source, "set %" PRIu32 " has %" PRIu32 " counters, not %u",
			     set, count, line->count - bar - 1);
		return;
	}
	line->words[bar] = NULL;
	for (uint32_t i = 0; i < count && !source->status; i++)
		values[i] = take_counter_value(source, &line->words[bar + 1 + i],
					       source->counters.set[set].label[i]);
}

void tr_text_take_sample(struct tr_text_source *source, struct tr_arena *arena,
			 struct tr_sample *sample)
{
	unsigned bar = tr_text_bar(source->line);
	const char *word = tr_line_want(source, "the set of counters");
	uint32_t set =
	    (uint32_t)tr_line_number(source, word, "", TR_MAX_COUNTER_SETS - 1);
	if (!source->status && !source->counters.set[set].count)
		tr_line_fail(source, "the header names no counters.%" PRIu32, set);
	if (!bar)
		tr_line_fail(source, "no | before the values");
	if (source->status)
		return;
	uint32_t count = source->counters.set[set].count;
	uint64_t *values = tr_arena_take(arena, count * sizeof(*values));
	if (!values) {
		tr_line_status(source, TR_E_NOMEM);
		return;
	}
	take_counter_values(source, bar, set, values);
	sample->set = set;
	sample->count = count;
	sample->values = values;
}
