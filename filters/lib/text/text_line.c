/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of the text form and splits them. */
#include "text/text_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/number.h"

static int record_file_error(struct tr_text_source *source, const char *name, int status)
{
	source->error = status == TR_E_IO ? errno : 0;
	snprintf(source->message, sizeof(source->message), "%.200s: %s", name,
		 status == TR_E_IO ? strerror(errno) : tr_status_text(status));
	return source->status = status;
}

static int read_failed(struct tr_text_source *source)
{
	return source->status ? source->status
			      : record_file_error(source, source->name, TR_E_IO);
}

int tr_text_open(struct tr_text_source *source, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	*source = (struct tr_text_source){.name = is_stdin ? "<stdin>" : path};
	source->line = calloc(1, sizeof(*source->line));
	if (!source->line)
		return tr_line_status(source, TR_E_NOMEM);
	source->in = is_stdin ? stdin : fopen(path, "re");
	return source->in ? TR_OK : read_failed(source);
}

void tr_text_close(struct tr_text_source *source)
{
	if (source->in && source->in != stdin)
		fclose(source->in);
	tr_counters_release(&source->counters);
	tr_probe_names_release(&source->probes);
	if (source->line)
		free(source->line->text);
	free(source->line);
}

int tr_line_fail(struct tr_text_source *source, const char *format, ...)
{
	if (source->status)
		return source->status;
	va_list arguments;
	va_start(arguments, format);
	int head =
	    snprintf(source->message, sizeof(source->message),
		     "%.200s: line %" PRIu64 ": ", source->name, source->line->number);
	vsnprintf(source->message + head, sizeof(source->message) - (size_t)head, format,
		  arguments);
	va_end(arguments);
	return source->status = TR_E_CORRUPT;
}

int tr_line_status(struct tr_text_source *source, int status)
{
	if (source->status || status >= 0)
		return source->status;
	bool is_output = status == TR_E_IO && source->output;
	return record_file_error(source, is_output ? source->output : source->name,
				 status);
}

/* Returns -1 for upper case, too: a text has one way to be written. */
static int lower_hex_digit(char c)
{
	return c >= 'A' && c <= 'F' ? -1 : tr_hex_digit(c);
}

/* Copies the rest of a quoted part to *to. Returns the position after the
 * closing quote. */
static const char *unquote_part(struct tr_text_source *source, const char *from,
				char **to)
{
	for (; *from != '"'; from++) {
		if (*from == '\0') {
			tr_line_fail(source, "no closing quote");
			return from;
		}
		if (*from != '\\') {
			*(*to)++ = *from;
			continue;
		}
		const int high = from[1] == 'x' ? lower_hex_digit(from[2]) : -1;
		const int low = high < 0 ? -1 : lower_hex_digit(from[3]);
		if (low < 0 || (high | low) == 0) {
			tr_line_fail(source, "a backslash without xNN after it");
			return from;
		}
		*(*to)++ = (char)(high << 4 | low);
		from += 3;
	}
	return from + 1;
}

static bool is_space_or_tab(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes a word from *from and returns it, terminated in place: unquoting never makes it
 * longer. */
static char *cut_word(struct tr_text_source *source, char **from)
{
	char *word = *from, *to = word;
	const char *at = word;
	while (*at && !is_space_or_tab(*at) && !source->status) {
		if (*at == '"')
			at = unquote_part(source, at + 1, &to);
		else
			*to++ = *at++;
	}
	*from += at - word + (*at != '\0');
	*to = '\0';
	return word;
}

static void cut_line(struct tr_text_source *source)
{
	struct tr_text_line *line = source->line;
	char *at = line->text;
	line->count = 0;
	while (!source->status) {
		while (is_space_or_tab(*at))
			at++;
		if (*at == '\0' || *at == '(' || *at == '#')
			return;
		if (line->count == TR_LINE_WORDS) {
			tr_line_fail(source, "too many words");
			return;
		}
		if (line->count == 1 && (strcmp(line->words[0], "header") == 0 ||
					 strcmp(line->words[0], "end") == 0)) {
			line->words[line->count++] = at;
			return;
		}
		line->words[line->count++] = cut_word(source, &at);
	}
}

/* Removes line ends, also of Windows, and a byte order mark. */
static void trim_line(struct tr_text_line *line, size_t size)
{
	char *text = line->text;
	size_t mark = line->number == 1 ? tr_byte_order_mark(text) : 0;
	if (size && text[size - 1] == '\n')
		text[--size] = '\0';
	if (size && text[size - 1] == '\r')
		text[--size] = '\0';
	if (mark)
		memmove(text, text + mark, size + 1 - mark);
}

static bool read_text_line(struct tr_text_source *source)
{
	struct tr_text_line *line = source->line;
	ssize_t size = tr_read_line(&line->text, &line->room, source->in);
	if (size == TR_LINE_TOO_LONG) {
		line->number++;
		return tr_line_fail(source, "longer than %d bytes", TR_LINE_BYTES), false;
	}
	if (size < 0) {
		if (ferror(source->in) || errno)
			read_failed(source);
		return false;
	}
	line->number++;
	if (strlen(line->text) != (size_t)size)
		return tr_line_fail(source, "not text: a zero byte"), false;
	trim_line(line, (size_t)size);
	return true;
}

bool tr_line_next(struct tr_text_source *source)
{
	if (source->status)
		return false;
	if (source->held) {
		source->held = false;
		return true;
	}
	do {
		if (!read_text_line(source))
			return false;
		cut_line(source);
	} while (!source->status && source->line->count == 0);
	return !source->status;
}

void tr_line_hold(struct tr_text_source *source)
{
	source->held = true;
}

const char *tr_line_record(const struct tr_text_source *source)
{
	return source->line->words[0];
}

int tr_line_done(struct tr_text_source *source)
{
	const struct tr_text_line *line = source->line;
	for (unsigned i = 1; i < line->count; i++)
		if (line->words[i])
			tr_line_fail(source, "what is \"%.60s\" here?", line->words[i]);
	return source->status;
}

const char *tr_line_word(struct tr_text_source *source)
{
	struct tr_text_line *line = source->line;
	for (unsigned i = 1; i < line->count; i++) {
		char *word = line->words[i];
		if (!word || strchr(word, '='))
			continue;
		line->words[i] = NULL;
		return word;
	}
	return NULL;
}

const char *tr_line_want(struct tr_text_source *source, const char *what)
{
	const char *word = tr_line_word(source);
	if (!word)
		tr_line_fail(source, "%s is missing", what);
	return word ? word : "";
}

const char *tr_line_value(struct tr_text_source *source, const char *key)
{
	struct tr_text_line *line = source->line;
	size_t size = strlen(key);
	for (unsigned i = 1; i < line->count; i++) {
		char *word = line->words[i];
		if (!word || strncmp(word, key, size) != 0 || word[size] != '=')
			continue;
		line->words[i] = NULL;
		return word + size + 1;
	}
	return NULL;
}

/* Parsing of numbers. */

static bool parse_limited_number(const char *text, uint64_t limit, uint64_t *value,
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
	if (!parse_limited_number(text, limit, &value, &end) || *end) {
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
		    !parse_limited_number(at + 1, TR_MAX_CLASSES - 1, &class, &at) ||
		    *at != '*' ||
		    !parse_limited_number(at + 1, UINT64_MAX, &cycles, &at)) {
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
	if (!parse_limited_number(text, TR_MAX_CYCLES - 1, &cycles, &end)) {
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
