/* SPDX-License-Identifier: Apache-2.0 */
#include "watched_programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

static const char *add_entry_point(struct watched_program *program, size_t *capacity,
				   const char *line)
{
	uint64_t address;
	uint32_t bits;
	int name = 0;
	struct entry_point *last = program->entries + program->count;

	if (sscanf(line, "%" SCNx64 " %" SCNx32 " %n", &address, &bits, &name) != 2 ||
	    !name || !line[name])
		return "not ADDRESS INSTRUCTION NAME";
	if (program->count && last[-1].address >= address)
		return "functions are not by address";
	if (program->count == *capacity) {
		*capacity = *capacity ? 2 * *capacity : 256;
		last = realloc(program->entries, *capacity * sizeof(*last));
		if (!last)
			return "out of memory";
		program->entries = last;
		last += program->count;
	}
	*last = (struct entry_point){address, bits, strdup(line + name)};
	if (!last->name)
		return "out of memory";
	program->count++;
	return NULL;
}

static const char *read_entry_points(struct watched_program *program, FILE *file)
{
	char line[LINE];
	size_t capacity = 0;

	if (!fgets(line, sizeof(line), file) ||
	    sscanf(line, "code %" SCNx64 " %" SCNx64, &program->code, &program->size) !=
		2)
		return "it does not begin with where the code is";
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		const char *trouble = add_entry_point(program, &capacity, line);
		if (trouble)
			return trouble;
	}
	if (ferror(file))
		return "cannot be read";
	return program->count ? NULL : "it has no functions";
}

const char *read_watched_program(struct watched_programs *all, const char *operand)
{
	const char *equals = strchr(operand, '=');
	struct watched_program *program;

	if (!equals || equals == operand)
		return "not NAME=FILE";
	program = realloc(all->programs, (all->count + 1) * sizeof(*program));
	if (!program)
		return "out of memory";
	all->programs = program;
	program += all->count;
	*program = (struct watched_program){
	    .name = strndup(operand, (size_t)(equals - operand))};
	all->count++;
	FILE *file = fopen(equals + 1, "r");
	if (!file || !program->name) {
		if (file)
			fclose(file);
		return "cannot be opened";
	}
	const char *trouble = read_entry_points(program, file);
	fclose(file);
	return trouble;
}

void free_watched_programs(struct watched_programs *all)
{
	for (size_t p = 0; p < all->count; p++) {
		for (size_t i = 0; i < all->programs[p].count; i++)
			free(all->programs[p].entries[i].name);
		free(all->programs[p].entries);
		free(all->programs[p].name);
	}
	free(all->programs);
}

size_t find_watched_program(const struct watched_programs *all, const char *path,
			    size_t length)
{
	size_t start = length;

	while (start && path[start - 1] != '/')
		start--;
	for (size_t p = 0; p < all->count; p++) {
		const char *name = all->programs[p].name;
		if (strlen(name) == length - start &&
		    memcmp(name, path + start, length - start) == 0)
			return p;
	}
	return SIZE_MAX;
}

size_t find_next_entry(const struct watched_program *program, uint64_t address)
{
	size_t low = 0, high = program->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (program->entries[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
