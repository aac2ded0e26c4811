/* SPDX-License-Identifier: Apache-2.0 */
/* Reads AutoCounter CSV files line by line. */
#include "tma/autocounter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/lines.h"

struct tr_autocounter_state {
	FILE *file;
	const char *name; /* for messages */
	char *line;
	size_t room;
	char **cells; /* of the current line */
	size_t cell_room;
	uint32_t ncells;
	uint64_t *last; /* values of the previous sample */
	uint64_t last_cycle;
	bool has_last;
	struct tr_arena text;
};

struct reply {
	char *message;
	size_t size;
};

static int refuse_csv_line(const struct tr_autocounter *a, struct reply to,
			   const char *reason)
{
	snprintf(to.message, to.size, "%s: line %" PRIu64 ": %s", a->state->name, a->line,
		 reason);
	return TR_E_CORRUPT;
}

static int refuse_cell(const struct tr_autocounter *a, struct reply to, uint32_t counter,
		       const char *reason)
{
	snprintf(to.message, to.size, "%s: line %" PRIu64 ": %.200s: %s", a->state->name,
		 a->line, a->labels[counter], reason);
	return TR_E_CORRUPT;
}

static int fail_autocounter(const struct tr_autocounter *a, struct reply to, int status,
			    const char *reason)
{
	snprintf(to.message, to.size, "%s: %s", a->state->name, reason);
	return status;
}

/* Reads the next line, without its end. Returns TR_OK, TR_END at the end of the file, or
 * an error. */
static int read_csv_line(struct tr_autocounter *a, struct reply to)
{
	struct tr_autocounter_state *s = a->state;
	ssize_t size = tr_read_line(&s->line, &s->room, s->file);
	if (size == -1 && errno)
		return fail_autocounter(a, to, TR_E_IO, strerror(errno));
	if (size == -1)
		return TR_END;
	a->line++;
	if (size == TR_LINE_TOO_LONG)
		return refuse_csv_line(a, to, "too long");
	if (memchr(s->line, '\0', (size_t)size))
		return refuse_csv_line(a, to, "NUL byte");
	/* A number that is cut off would be a different number. */
	if (s->line[--size] != '\n')
		return refuse_csv_line(a, to, "cut short: no end of line");
	if (size && s->line[size - 1] == '\r')
		size--;
	s->line[size] = '\0';
	return TR_OK;
}

/* Takes a cell at `*at` and advances `*at`, which becomes NULL at the end of the line.
 * Inside quotes "" stands for ". Returns NULL if a quote is not closed or is followed by
 * something else. */
static char *take_cell(char **at)
{
	char *cell = *at, *from = cell, *to = cell;
	if (*from != '"') {
		from += strcspn(from, ",");
		*at = *from ? from + 1 : NULL;
		*from = '\0';
		return cell;
	}
	for (from++; *from != '"' || from[1] == '"'; *to++ = *from++) {
		if (!*from)
			return NULL;
		from += *from == '"';
	}
	from++;
	if (*from && *from != ',')
		return NULL;
	*at = *from ? from + 1 : NULL;
	*to = '\0';
	return cell;
}

static int split_cells(struct tr_autocounter *a, struct reply to)
{
	struct tr_autocounter_state *s = a->state;
	s->ncells = 0;
	for (char *at = s->line; at;) {
		char *cell = take_cell(&at);
		if (!cell)
			return refuse_csv_line(a, to, "unterminated quote");
		if (s->ncells > TR_AUTOCOUNTER_MOST)
			return refuse_csv_line(a, to, "more than 65536 counters");
		if (!tr_grow(&s->cells, &s->cell_room, (size_t)s->ncells + 1,
			     sizeof(*s->cells)))
			return fail_autocounter(a, to, TR_E_NOMEM, "out of memory");
		s->cells[s->ncells++] = cell;
	}
	return TR_OK;
}

/* Reads the next header line, whose first cell is `name`, with a cell per counter.
 * Returns a status. */
static int read_head_line(struct tr_autocounter *a, struct reply to, const char *name)
{
	struct tr_autocounter_state *s = a->state;
	char reason[128];
	int status = read_csv_line(a, to);
	if (status == TR_END) {
		snprintf(reason, sizeof(reason), "the file ends before the line %s",
			 name);
		return fail_autocounter(a, to, TR_E_CORRUPT, a->line ? reason : "empty");
	}
	if (!status)
		status = split_cells(a, to);
	if (status)
		return status;
	if (strcmp(s->cells[0], name) != 0) {
		snprintf(reason, sizeof(reason), "not the line %s%s", name,
			 a->line == 1 ? ": this is no CSV of AutoCounter" : "");
		return refuse_csv_line(a, to, reason);
	}
	if (a->count && s->ncells != a->count + 1) {
		snprintf(reason, sizeof(reason),
			 "%" PRIu32 " cells of %s for %" PRIu32 " counters",
			 s->ncells - 1, name, a->count);
		return refuse_csv_line(a, to, reason);
	}
	return TR_OK;
}

static int take_labels(struct tr_autocounter *a, struct reply to)
{
	struct tr_autocounter_state *s = a->state;
	a->count = s->ncells - 1;
	if (!a->count)
		return refuse_csv_line(a, to, "no counters");
	a->labels = calloc(a->count, sizeof(*a->labels));
	a->is_sum = calloc(a->count, sizeof(*a->is_sum));
	a->values = calloc(a->count, sizeof(*a->values));
	s->last = calloc(a->count, sizeof(*s->last));
	if (!a->labels || !a->is_sum || !a->values || !s->last)
		return fail_autocounter(a, to, TR_E_NOMEM, "out of memory");
	for (uint32_t i = 0; i < a->count; i++) {
		const char *label = s->cells[i + 1];
		for (const char *c = label; *c; c++)
			if ((unsigned char)*c < ' ' || *c == 0x7f)
				return refuse_csv_line(a, to,
						       "a control character in a label");
		a->labels[i] = tr_arena_take(&s->text, strlen(label) + 1);
		if (!a->labels[i])
			return fail_autocounter(a, to, TR_E_NOMEM, "out of memory");
		strcpy(a->labels[i], label);
	}
	return TR_OK;
}

static int compare_labels(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static int check_labels(struct tr_autocounter *a, struct reply to)
{
	char **sorted = calloc(a->count, sizeof(*sorted)), reason[256];
	int status = TR_OK;
	if (!sorted)
		return fail_autocounter(a, to, TR_E_NOMEM, "out of memory");
	memcpy(sorted, a->labels, a->count * sizeof(*sorted));
	qsort(sorted, a->count, sizeof(*sorted), compare_labels);
	for (uint32_t i = 1; i < a->count && !status; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0) {
			snprintf(reason, sizeof(reason), "two counters %.200s",
				 sorted[i]);
			status = refuse_csv_line(a, to, reason);
		}
	free(sorted);
	return status;
}

static int take_types(struct tr_autocounter *a, struct reply to)
{
	for (uint32_t i = 0; i < a->count; i++) {
		const char *type = a->state->cells[i + 1];
		a->is_sum[i] = strcmp(type, "Accumulate") == 0;
		if (!a->is_sum[i] && strcmp(type, "Identity") != 0)
			return refuse_cell(a, to, i,
					   "neither of type Accumulate nor Identity");
	}
	return TR_OK;
}

static int take_version(struct tr_autocounter *a, struct reply to)
{
	const struct tr_autocounter_state *s = a->state;
	if (s->ncells == 2 && strcmp(s->cells[1], "1") == 0)
		return TR_OK;
	refuse_csv_line(a, to, "a version other than 1");
	return TR_E_UNSUPPORTED;
}

static int read_heads(struct tr_autocounter *a, struct reply to)
{
	int status = read_head_line(a, to, "version");
	if (!status)
		status = take_version(a, to);
	if (!status)
		status = read_head_line(a, to, "Clock Domain Name");
	if (!status)
		status = read_head_line(a, to, "label");
	if (!status)
		status = take_labels(a, to);
	if (!status)
		status = check_labels(a, to);
	if (!status)
		status = read_head_line(a, to, "description");
	if (!status)
		status = read_head_line(a, to, "type");
	if (!status)
		status = take_types(a, to);
	if (!status)
		status = read_head_line(a, to, "event width");
	if (!status)
		status = read_head_line(a, to, "accumulator width");
	return status;
}

int tr_autocounter_open(struct tr_autocounter *a, const char *path, char *message,
			size_t size)
{
	const struct reply to = {message, size};
	bool standard = strcmp(path, "-") == 0;
	*a = (struct tr_autocounter){.state = calloc(1, sizeof(*a->state))};
	if (!a->state) {
		snprintf(message, size, "%s: out of memory", path);
		return TR_E_NOMEM;
	}
	a->state->name = standard ? "<stdin>" : path;
	a->state->file = standard ? stdin : fopen(path, "r");
	if (!a->state->file)
		return fail_autocounter(a, to, TR_E_IO, strerror(errno));
	return read_heads(a, to);
}

static const char *parse_cell_number(const char *text, uint64_t *number)
{
	*number = 0;
	if (!*text)
		return "no number";
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return "not a decimal number";
		if (__builtin_mul_overflow(*number, UINT64_C(10), number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*text - '0'), number))
			return "beyond 64 bits";
	}
	return NULL;
}

static int take_line_values(struct tr_autocounter *a, struct reply to)
{
	struct tr_autocounter_state *s = a->state;
	const char *reason = parse_cell_number(s->cells[0], &a->cycle);
	char text[96];
	if (!reason && s->has_last && a->cycle < s->last_cycle)
		reason = "less than in the previous line";
	if (reason) {
		snprintf(text, sizeof(text), "cycle: %s", reason);
		return refuse_csv_line(a, to, text);
	}
	for (uint32_t i = 0; i < a->count; i++) {
		reason = parse_cell_number(s->cells[i + 1], &a->values[i]);
		if (!reason && s->has_last && a->is_sum[i] && a->values[i] < s->last[i])
			reason = "less than in the previous line";
		if (reason)
			return refuse_cell(a, to, i, reason);
	}
	s->last_cycle = a->cycle;
	memcpy(s->last, a->values, a->count * sizeof(*a->values));
	s->has_last = true;
	return TR_OK;
}

int tr_autocounter_next(struct tr_autocounter *a, char *message, size_t size)
{
	const struct reply to = {message, size};
	char reason[96];
	int status = read_csv_line(a, to);
	if (!status)
		status = split_cells(a, to);
	if (status)
		return status;
	if (a->state->ncells != a->count + 1) {
		snprintf(reason, sizeof(reason),
			 "%" PRIu32 " values for %" PRIu32 " counters",
			 a->state->ncells - 1, a->count);
		return refuse_csv_line(a, to, reason);
	}
	return take_line_values(a, to);
}

void tr_autocounter_close(struct tr_autocounter *a)
{
	struct tr_autocounter_state *s = a->state;
	if (!s)
		return;
	if (s->file && s->file != stdin)
		fclose(s->file);
	free(s->line);
	free(s->cells);
	free(s->last);
	tr_arena_reset(&s->text);
	free(s);
	free(a->labels);
	free(a->is_sum);
	free(a->values);
	*a = (struct tr_autocounter){0};
}

uint32_t tr_autocounter_find(const struct tr_autocounter *a, const char *label)
{
	uint32_t i = 0;
	while (i < a->count && strcmp(a->labels[i], label) != 0)
		i++;
	return i;
}
