/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two profiles, and why. */
#include "diff/tma_diff.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* A line of a profile. */
struct entry {
	const struct tr_profile_line *line;
	unsigned side;
};

static int by_function(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->line->func->binary, b->line->func->binary);
	return order ? order : strcmp(a->line->func->name, b->line->func->name);
}

/* The classes of the one, then those of the other that it has not. */
static int join_classes(struct tr_classes *both, const struct tr_classes classes[2])
{
	char *list = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&list, &size);
	if (!file)
		return TR_E_NOMEM;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned c = 1; c <= classes[side].count; c++) {
			bool is_new = true;
			for (unsigned k = 1; side && k <= classes[0].count; k++)
				is_new &=
				    strcmp(classes[0].name[k], classes[1].name[c]) != 0;
			if (is_new)
				fprintf(file, "%s%s", ftell(file) ? "," : "",
					classes[side].name[c]);
		}
	if (fclose(file) != 0) {
		free(list);
		return TR_E_NOMEM;
	}
	int status = tr_classes_parse(both, list);
	free(list);
	return status == TR_E_CORRUPT ? TR_E_ARGUMENT : status;
}

static unsigned find_class(const struct tr_classes *classes, const char *name)
{
	unsigned c = 1;
	while (strcmp(classes->name[c], name) != 0)
		c++;
	return c;
}

/* Adds a line to its function. */
static void take_line(struct tr_tma_change *change, const struct entry *entry,
		      unsigned count, const unsigned *class_of)
{
	const struct tr_profile_line *line = entry->line;
	uint64_t untraced = line->self - line->retired;
	change->cycles[entry->side] += line->self;
	change->instructions[entry->side] += line->retired;
	for (unsigned c = 1; c <= count; c++) {
		change->lost[entry->side][class_of[c]] += line->lost[c - 1];
		untraced -= line->lost[c - 1];
	}
	change->lost[entry->side][0] += untraced;
}

/* What would have been lost. */
static tr_i128 expected(const struct tr_tma_change *change, unsigned class)
{
	const uint64_t before = change->instructions[0], after = change->instructions[1];
	if (!change->cycles[0] || !change->cycles[1])
		return change->lost[1][class];
	if (!before || !after)
		return change->lost[0][class];
	u128 product = (u128)change->lost[0][class] * after;
	u128 rest = product % before;
	return (tr_i128)(product / before + (rest >= before - rest));
}

static void explain(struct tr_tma_change *change)
{
	change->by_instructions =
	    (tr_i128)change->instructions[1] - (tr_i128)change->instructions[0];
	for (unsigned c = 0; c < TR_MAX_CLASSES; c++) {
		tr_i128 lost = expected(change, c);
		change->by_instructions += lost - (tr_i128)change->lost[0][c];
		change->by_class[c] = (tr_i128)change->lost[1][c] - lost;
		change->by_cpi += change->by_class[c];
	}
}

static void add_up(struct tr_tma_change *all, const struct tr_tma_change *change)
{
	for (unsigned side = 0; side < 2; side++) {
		all->cycles[side] += change->cycles[side];
		all->instructions[side] += change->instructions[side];
	}
	all->by_instructions += change->by_instructions;
	all->by_cpi += change->by_cpi;
	for (unsigned c = 0; c < TR_MAX_CLASSES; c++)
		all->by_class[c] += change->by_class[c];
}

static uint64_t distance(const struct tr_tma_change *change)
{
	const uint64_t *n = change->cycles;
	return n[0] < n[1] ? n[1] - n[0] : n[0] - n[1];
}

static int by_change(const void *left, const void *right)
{
	const struct tr_tma_change *a = left, *b = right;
	uint64_t x = distance(a), y = distance(b);
	if (x != y)
		return x < y ? 1 : -1;
	int order = strcmp(a->binary, b->binary);
	return order ? order : strcmp(a->name, b->name);
}

static int merge(struct tr_tma_diff *diff, struct entry *entries, size_t count,
		 const struct tr_classes classes[2])
{
	unsigned class_of[2][TR_MAX_CLASSES] = {0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned c = 1; c <= classes[side].count; c++)
			class_of[side][c] =
			    find_class(&diff->classes, classes[side].name[c]);
	diff->changes = calloc(count + 1, sizeof(*diff->changes));
	if (!diff->changes)
		return TR_E_NOMEM;
	qsort(entries, count, sizeof(*entries), by_function);
	for (size_t i = 0; i < count; i++) {
		unsigned side = entries[i].side;
		if (!i || by_function(&entries[i - 1], &entries[i]) != 0)
			diff->changes[diff->count++] = (struct tr_tma_change){
			    .binary = entries[i].line->func->binary,
			    .name = entries[i].line->func->name};
		take_line(&diff->changes[diff->count - 1], &entries[i],
			  classes[side].count, class_of[side]);
	}
	for (size_t i = 0; i < diff->count; i++) {
		explain(&diff->changes[i]);
		add_up(&diff->all, &diff->changes[i]);
	}
	qsort(diff->changes, diff->count, sizeof(*diff->changes), by_change);
	return TR_OK;
}

int tr_tma_diff_make(struct tr_tma_diff *diff, struct tr_profile *const profiles[2],
		     const struct tr_classes classes[2])
{
	struct tr_profile_line *lines[2] = {NULL, NULL};
	size_t counts[2] = {0}, count = 0;
	*diff = (struct tr_tma_diff){0};
	int status = join_classes(&diff->classes, classes);
	for (unsigned side = 0; side < 2 && !status; side++) {
		status = tr_profile_lines(profiles[side], &lines[side], &counts[side]);
	}
	struct entry *entries = calloc(counts[0] + counts[1] + 1, sizeof(*entries));
	if (!entries)
		status = TR_E_NOMEM;
	for (unsigned side = 0; side < 2 && !status; side++)
		for (size_t i = 0; i < counts[side]; i++)
			if (lines[side][i].self)
				entries[count++] = (struct entry){&lines[side][i], side};
	if (!status)
		status = merge(diff, entries, count, classes);
	free(entries);
	free(lines[0]);
	free(lines[1]);
	return status;
}

void tr_tma_diff_release(struct tr_tma_diff *diff)
{
	tr_classes_release(&diff->classes);
	free(diff->changes);
	*diff = (struct tr_tma_diff){0};
}
