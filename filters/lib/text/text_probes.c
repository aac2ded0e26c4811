/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of probes in the text form, reading and writing. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_encode.h"

/* Words before the colon of a value, and of one that was cut. */
static const char *const prefixes[][2] = {
    [TR_PROBE_STRING] = {"string:", "cut-string:"},
    [TR_PROBE_BYTES] = {"bytes:", "cut-bytes:"},
};

/* In place of the number of a probe. */
#define MARK_WORD "mark"

void tr_text_probe(FILE *out, uint32_t probe)
{
	if (probe == TR_PROBE_MARK)
		fputs("probe " MARK_WORD, out);
	else
		fprintf(out, "probe %" PRIu32, probe);
}

static void print_number_value(FILE *out, uint64_t number, bool is_signed)
{
	if (is_signed)
		fprintf(out, "%+" PRId64, (int64_t)number);
	else
		fprintf(out, "%" PRIu64, number);
}

/* Prints the digits that give the same number again, or the bits of what is none. */
static void print_real_value(FILE *out, double real)
{
	uint64_t bits;
	memcpy(&bits, &real, sizeof(bits));
	if (isnan(real))
		fprintf(out, "float:0x%" PRIx64, bits);
	else
		fprintf(out, "float:%.17g", real);
}

static void print_quoted_bytes(FILE *out, const struct tr_probe_value *value)
{
	fputc('"', out);
	for (size_t i = 0; i < value->size; i++) {
		uint8_t c = value->data[i];
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void print_probe_value(FILE *out, const struct tr_probe_value *value)
{
	switch (value->kind) {
	case TR_PROBE_MISSING:
		fputs("missing", out);
		break;
	case TR_PROBE_ADDRESS:
		fprintf(out, "0x%" PRIx64, value->number);
		break;
	case TR_PROBE_BOOL:
		fputs(value->number ? "true" : "false", out);
		break;
	case TR_PROBE_FLOAT:
		print_real_value(out, value->real);
		break;
	case TR_PROBE_ENUM:
		fputs("enum:", out);
		print_number_value(out, value->number, value->is_signed);
		fputc(':', out);
		print_quoted_bytes(out, value);
		break;
	case TR_PROBE_STRING:
		fputs(prefixes[value->kind][value->is_cut], out);
		print_quoted_bytes(out, value);
		break;
	case TR_PROBE_BYTES:
		fputs(prefixes[value->kind][value->is_cut], out);
		for (size_t i = 0; i < value->size; i++)
			fprintf(out, "%02x", value->data[i]);
		break;
	default:
		print_number_value(out, value->number, value->kind == TR_PROBE_SIGNED);
	}
}

void tr_text_hit(const struct tr_text *text, const struct tr_hit *hit)
{
	const struct tr_probe_fields *probe =
	    tr_probe_names_at(tr_reader_probes(text->reader), hit->probe);
	fputs(" |", text->out);
	for (uint32_t i = 0; i < hit->count; i++) {
		const struct tr_probe_value value = tr_hit_value(hit, i);
		fputc(' ', text->out);
		tr_text_label(text->out, probe->fields[i]);
		fputc('=', text->out);
		print_probe_value(text->out, &value);
	}
	fprintf(text->out, " (%s)\n", probe->name);
}

/* Returns what follows `prefix`; NULL if the word does not begin with it. */
static const char *skip_prefix(const char *word, const char *prefix)
{
	size_t size = strlen(prefix);
	return strncmp(word, prefix, size) == 0 ? word + size : NULL;
}

/* Parses a number; one with a sign is signed. */
static uint64_t take_number_value(struct tr_text_source *source, const char *word,
				  bool *is_signed)
{
	*is_signed = *word == '+' || *word == '-';
	if (!*is_signed)
		return tr_line_number(source, word, "", UINT64_MAX);
	const uint64_t limit = (uint64_t)INT64_MAX + (*word == '-');
	uint64_t number = tr_line_number(source, word + 1, "", limit);
	return *word == '-' ? 0 - number : number;
}

static double take_real_value(struct tr_text_source *source, const char *word)
{
	char *end;
	double real;
	if (skip_prefix(word, "0x")) {
		uint64_t bits = tr_line_number(source, word, "", UINT64_MAX);
		memcpy(&real, &bits, sizeof(real));
		return real;
	}
	real = strtod(word, &end);
	if (end == word || *end)
		tr_line_fail(source, "not a number: \"%.60s\"", word);
	return real;
}

/* Parses "NUMBER:NAME". */
static void take_enum_value(struct tr_text_source *source, char *word,
			    struct tr_probe_value *value)
{
	char *colon = strchr(word, ':');
	if (!colon) {
		tr_line_fail(source, "not NUMBER:NAME: \"%.60s\"", word);
		return;
	}
	*colon = '\0';
	value->kind = TR_PROBE_ENUM;
	value->number = take_number_value(source, word, &value->is_signed);
	value->data = (const uint8_t *)colon + 1;
	value->size = strlen(colon + 1);
}

/* Parses a string or bytes. Returns false if the word is something else. */
static bool take_text_value(struct tr_text_source *source, struct tr_arena *arena,
			    const char *word, struct tr_probe_value *value)
{
	for (unsigned kind = TR_PROBE_STRING; kind <= TR_PROBE_BYTES; kind++)
		for (unsigned cut = 0; cut < 2; cut++) {
			const char *text = skip_prefix(word, prefixes[kind][cut]);
			uint32_t size;
			if (!text)
				continue;
			value->kind = (enum tr_probe_value_kind)kind;
			value->is_cut = cut;
			value->data = (const uint8_t *)text;
			value->size = strlen(text);
			if (kind == TR_PROBE_BYTES) {
				value->data = tr_text_bytes(source, arena, text, &size);
				value->size = size;
			}
			return true;
		}
	return false;
}

static bool take_word_value(const char *word, struct tr_probe_value *value)
{
	value->number = strcmp(word, "true") == 0;
	value->kind = strcmp(word, "missing") == 0 ? TR_PROBE_MISSING : TR_PROBE_BOOL;
	return value->number || value->kind == TR_PROBE_MISSING ||
	       strcmp(word, "false") == 0;
}

static void take_probe_value(struct tr_text_source *source, struct tr_arena *arena,
			     char *word, struct tr_probe_value *value)
{
	bool is_signed;
	if (take_word_value(word, value) || take_text_value(source, arena, word, value))
		return;
	if (skip_prefix(word, "float:")) {
		value->kind = TR_PROBE_FLOAT;
		value->real = take_real_value(source, word + strlen("float:"));
	} else if (skip_prefix(word, "enum:")) {
		take_enum_value(source, word + strlen("enum:"), value);
	} else {
		value->number = take_number_value(source, word, &is_signed);
		value->kind = is_signed			? TR_PROBE_SIGNED
			      : skip_prefix(word, "0x") ? TR_PROBE_ADDRESS
							: TR_PROBE_UNSIGNED;
	}
}

/* Returns the value of the word "FIELD=VALUE"; fails and returns NULL if it is another.
 */
static char *field_value_of(struct tr_text_source *source, char *word, const char *field)
{
	size_t size = strlen(field);
	if (strncmp(word, field, size) == 0 && word[size] == '=')
		return word + size + 1;
	tr_line_fail(source, "not %.60s=VALUE: \"%.60s\"", field, word);
	return NULL;
}

static void take_hit_values(struct tr_text_source *source, struct tr_arena *arena,
			    unsigned bar, const struct tr_probe_fields *probe,
			    struct tr_hit *hit)
{
	struct tr_text_line *line = source->line;
	struct tr_buffer values = {0};
	for (uint32_t i = 0; i < probe->count && !source->status; i++) {
		struct tr_probe_value value = {0};
		char *word =
		    field_value_of(source, line->words[bar + 1 + i], probe->fields[i]);
		if (word)
			take_probe_value(source, arena, word, &value);
		tr_hit_encode(&values, &value, 1);
		line->words[bar + 1 + i] = NULL;
	}
	uint8_t *copy = tr_arena_take(arena, values.size + 1);
	if (values.failed || !copy)
		tr_line_status(source, TR_E_NOMEM);
	else if (values.size)
		memcpy(copy, values.data, values.size);
	hit->values = copy;
	hit->size = (uint32_t)values.size;
	tr_buffer_free(&values);
}

static uint32_t take_probe_number(struct tr_text_source *source, const char *word)
{
	if (word && strcmp(word, MARK_WORD) == 0)
		return TR_PROBE_MARK;
	return (uint32_t)tr_line_number(source, word, "", TR_MAX_PROBES - 1);
}

void tr_text_take_hit(struct tr_text_source *source, struct tr_arena *arena,
		      struct tr_hit *hit)
{
	unsigned bar = tr_text_bar(source->line);
	const char *word = tr_line_want(source, "the number of the probe");
	const uint32_t probe = take_probe_number(source, word);
	const struct tr_probe_fields *fields = tr_probe_names_at(&source->probes, probe);
	if (!source->status && !fields)
		tr_line_fail(source, "the header names no probe.%" PRIu32, probe);
	if (!bar)
		tr_line_fail(source, "no | before the values");
	if (source->status)
		return;
	if (source->line->count - bar - 1 != fields->count)
		tr_line_fail(source, "probe %" PRIu32 " has %" PRIu32 " values, not %u",
			     probe, fields->count, source->line->count - bar - 1);
	if (source->status)
		return;
	hit->probe = probe;
	hit->count = fields->count;
	source->line->words[bar] = NULL;
	take_hit_values(source, arena, bar, fields, hit);
	if (!source->status && !tr_hit_good(hit, &source->probes))
		tr_line_fail(source, "more than %d bytes", TR_EVENT_MAX_BYTES);
}
