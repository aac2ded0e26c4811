/* SPDX-License-Identifier: Apache-2.0 */
/* Reads folded text. */
#include "profile/folded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"

static const char *parse_count(const char *text, uint64_t *count)
{
	if (!*text)
		return "no count after the last space";
	if (*text == '-')
		return "negative count";
	*count = 0;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return "count is not a decimal number";
		if (__builtin_mul_overflow(*count, UINT64_C(10), count) ||
		    __builtin_add_overflow(*count, (uint64_t)(*text - '0'), count))
			return "count beyond 64 bits";
	}
	return NULL;
}

/* Both programs and people write "[trap]" and the like. */
static uint8_t tint_of(const char *name, size_t size)
{
	return size && name[0] == '[' ? TR_TINT_OTHER : TR_TINT_USER;
}

/* Names come to terminals: control characters become '?', those of C1 in UTF-8 (U+0080
 * to U+009F) both bytes. */
static void mask_controls(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++) {
		if (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
			c[0] = c[1] = '?';
		if (*c < ' ' || *c == 0x7f)
			*c = '?';
	}
}

/* NULL, or what is wrong with the line. */
static const char *take_line(struct tr_folded *f, char *line, size_t size, unsigned which)
{
	if (memchr(line, '\0', size))
		return "NUL byte";
	char *space = strrchr(line, ' ');
	if (!space)
		return "no count";
	if (space == line)
		return "no stack";
	uint64_t count;
	const char *reason = parse_count(space + 1, &count);
	if (reason)
		return reason;
	*space = '\0';
	mask_controls(line);
	uint32_t id = 0;
	for (const char *name = line; name;) {
		const char *end = strchr(name, ';');
		size_t length = end ? (size_t)(end - name) : strlen(name);
		if (tr_folded_child(f, id, name, length, tint_of(name, length), &id))
			return "out of memory";
		name = end ? end + 1 : NULL;
	}
	if (tr_folded_add(f, id, which, count))
		return "sum of counts beyond 64 bits";
	return NULL;
}

static size_t without_line_end(char *line, size_t size)
{
	if (size && line[size - 1] == '\n')
		line[--size] = '\0';
	if (size && line[size - 1] == '\r')
		line[--size] = '\0';
	return size;
}

int tr_folded_read(struct tr_folded *f, const char *path, unsigned which, char *message,
		   size_t size)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "<stdin>" : path, *reason = NULL;
	FILE *file = standard ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t capacity = 0;
	uint64_t number = 0, stacks = 0;
	int status = TR_E_CORRUPT;
	if (!file) {
		snprintf(message, size, "%s: %s", name, strerror(errno));
		return TR_E_IO;
	}
	ssize_t got = 0;
	while (!reason && (got = tr_read_line(&line, &capacity, file)) >= 0) {
		number++;
		size_t length = without_line_end(line, (size_t)got);
		if (!length)
			continue;
		stacks++;
		reason = take_line(f, line, length, which);
	}
	if (got == TR_LINE_TOO_LONG) {
		snprintf(message, size, "%s: line %" PRIu64 ": longer than %d bytes",
			 name, number + 1, TR_LINE_BYTES);
	} else if (reason) {
		snprintf(message, size, "%s: line %" PRIu64 ": %s", name, number, reason);
	} else if (errno) {
		snprintf(message, size, "%s: %s", name, strerror(errno));
		status = TR_E_IO;
	} else if (!stacks) {
		snprintf(message, size, "%s: no stacks", name);
	} else {
		status = TR_OK;
	}
	free(line);
	if (!standard)
		fclose(file);
	return status;
}
