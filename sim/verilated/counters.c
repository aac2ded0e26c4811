/* SPDX-License-Identifier: Apache-2.0 */
/* Maps cover points to counters: labels, one per column, in order. */
#include "counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 32 }; /* per path */

struct column {
	char *label, *point, *description;
	const uint64_t *count;
	const uint8_t *pending;
};

struct counters {
	struct machine_counter *list;
	struct column *columns;
	size_t n;
};

/* ------------------------------------------------------------ paths */

/* Returns the end of the path without its last `parts` parts. */
static size_t end_without_parts(const char *path, unsigned parts)
{
	size_t end = strlen(path);

	while (parts-- > 0 && end > 0)
		while (end > 0 && path[--end] != '.')
			;
	return end;
}

/* Returns the `parts` parts before `end`. */
static const char *last_parts(const char *path, size_t end, unsigned parts)
{
	while (parts > 0 && end > 0 && (path[end - 1] != '.' || --parts > 0))
		end--;
	return path + end;
}

/* The points of one name are the `count` from `points`. Returns whether these parts of
 * their paths distinguish all of them. */
static bool parts_distinguish(const struct cover_point *points, size_t count,
			      unsigned skip, unsigned parts)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++) {
			const char *a = points[i].path, *b = points[j].path;
			size_t end_a = end_without_parts(a, skip),
			       end_b = end_without_parts(b, skip);
			size_t from_a = (size_t)(last_parts(a, end_a, parts) - a);
			size_t from_b = (size_t)(last_parts(b, end_b, parts) - b);

			if (end_a - from_a == end_b - from_b &&
			    memcmp(a + from_a, b + from_b, end_a - from_a) == 0)
				return false;
		}
	return true;
}

/* Returns whether part number `skip` from the end is equal in all paths. */
static bool is_common_part(const struct cover_point *points, size_t count, unsigned skip)
{
	const char *a = points[0].path;
	size_t end = end_without_parts(a, skip), begin = end_without_parts(a, skip + 1);

	for (size_t i = 1; i < count; i++) {
		const char *b = points[i].path;
		size_t end_b = end_without_parts(b, skip),
		       begin_b = end_without_parts(b, skip + 1);

		if (end - begin != end_b - begin_b || begin_b == end_b ||
		    memcmp(a + begin, b + begin_b, end - begin) != 0)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------ columns */

/* Returns whether column `i` also counts higher values. */
static bool is_open_column(const struct cover_point *p, unsigned i)
{
	return !*p->names && i + 1 == p->columns &&
	       (p->width >= 32 || p->columns < 1U << p->width);
}

/* Formats the text of column `i`: its name, or its number; empty for a sum. */
static void column_text(const struct cover_point *p, unsigned i, char *text, size_t size)
{
	const char *name = p->names;

	if (!*name) {
		snprintf(text, size, p->columns ? "%u" : "", i);
		return;
	}
	while (i-- > 0 && (name = strchr(name, ',')) != NULL)
		name++;
	if (!name)
		name = "other";
	snprintf(text, size, "%.*s", (int)strcspn(name, ","), name);
}

static unsigned count_columns(const struct cover_point *p)
{
	return p->columns ? p->columns : 1;
}

static bool add_column(struct counters *c, const struct cover_point *p,
		       const char *prefix, unsigned i)
{
	struct column *column = &c->columns[c->n];
	const char *joint = !p->columns ? "" : *p->names ? "." : "=";
	char text[128], after[160] = "";

	column->count = p->counts + i;
	column->pending = p->pending;
	column_text(p, i, text, sizeof(text));
	if (p->columns)
		snprintf(after, sizeof(after), ": %s%s", text,
			 is_open_column(p, i) ? " or more" : "");
	if (asprintf(&column->point, "%s%s", prefix, p->name) < 0 ||
	    asprintf(&column->label, "%s%s%s", column->point, joint, text) < 0 ||
	    asprintf(&column->description, "%s%s", p->description, after) < 0)
		return false;
	c->list[c->n++] = (struct machine_counter){.label = column->label,
						   .point = column->point,
						   .description = column->description,
						   .histogram = p->columns > 0,
						   .width = p->columns ? 1 : p->width};
	return true;
}

/* Adds all points of one name, of one hart if there are several. */
static bool add_points(struct counters *c, const struct cover_point *points, size_t count)
{
	unsigned skip = 0, parts = 0;
	char prefix[256], hart[16] = "";

	if (points[0].hart >= 0)
		snprintf(hart, sizeof(hart), "hart%d.", points[0].hart);
	while (count > 1 && skip < MAX_PARTS && is_common_part(points, count, skip))
		skip++;
	while (parts < MAX_PARTS && !parts_distinguish(points, count, skip, parts))
		parts++;
	for (size_t i = 0; i < count; i++) {
		const char *path = points[i].path;
		size_t end = end_without_parts(path, skip);
		const char *from = last_parts(path, end, parts);

		snprintf(prefix, sizeof(prefix), "%s%.*s%s", hart,
			 (int)(path + end - from), from, parts ? "." : "");
		for (unsigned k = 0; k < count_columns(&points[i]); k++)
			if (!add_column(c, &points[i], prefix, k))
				return false;
	}
	return true;
}

static int compare_points(const void *a, const void *b)
{
	const struct cover_point *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order == 0)
		order = x->hart - y->hart;
	return order ? order : strcmp(x->path, y->path);
}

static bool add_all(struct counters *c, struct cover_point *points, size_t n)
{
	size_t next;

	qsort(points, n, sizeof(*points), compare_points);
	for (size_t i = 0; i < n; i = next) {
		next = i + 1;
		while (next < n && points[i].hart == points[next].hart &&
		       strcmp(points[i].name, points[next].name) == 0)
			next++;
		if (!add_points(c, points + i, next - i))
			return false;
	}
	return true;
}

struct counters *counters_new(void)
{
	const struct cover_point *points;
	size_t n = cover_points(&points), total = 0;
	struct cover_point *sorted = calloc(n + 1, sizeof(*sorted));
	struct counters *c = calloc(1, sizeof(*c));
	bool done = sorted && c;

	for (size_t i = 0; done && i < n; i++) {
		sorted[i] = points[i];
		total += count_columns(&points[i]);
	}
	if (done) {
		c->list = calloc(total + 1, sizeof(*c->list));
		c->columns = calloc(total + 1, sizeof(*c->columns));
		done = c->list && c->columns && add_all(c, sorted, n);
	}
	free(sorted);
	if (done)
		return c;
	counters_free(c);
	return NULL;
}

void counters_free(struct counters *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		free(c->columns[i].label);
		free(c->columns[i].point);
		free(c->columns[i].description);
	}
	free(c->columns);
	free(c->list);
	free(c);
}

size_t counters_list(const struct counters *c, const struct machine_counter **list)
{
	*list = c->list;
	return c->n;
}

bool counters_choose(const struct counters *c, struct cover_chosen *chosen,
		     const size_t *numbers, size_t n)
{
	free(chosen->counts);
	*chosen = (struct cover_chosen){.n = n, .clk = cover_clock()};
	chosen->counts = calloc(n + 1, sizeof(*chosen->counts));
	for (size_t i = 0; chosen->counts && i < n; i++) {
		chosen->counts[i].counted = c->columns[numbers[i]].count;
		chosen->counts[i].pending = c->columns[numbers[i]].pending;
	}
	return chosen->counts;
}

void counters_count(struct cover_chosen *chosen, enum machine_count how)
{
	if (how == MACHINE_COUNT_AHEAD && !chosen->marks)
		cover_mark(chosen);
	chosen->marks = how == MACHINE_COUNT_AHEAD;
	chosen->counting = how != MACHINE_COUNT_OFF;
}

void counters_values(const struct cover_chosen *chosen, bool marked, uint64_t *values)
{
	for (size_t i = 0; i < chosen->n; i++)
		values[i] =
		    marked ? chosen->counts[i].marked : cover_cycles(&chosen->counts[i]);
}
