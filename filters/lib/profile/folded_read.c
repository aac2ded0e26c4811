/* SPDX-License-Identifier: Apache-2.0 */
/* Reads folded text, also that of other programs. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "profile/folded.h"

/* Returns NULL, or the error. Zeros may follow a decimal point. */
static const char *parse_count(const char *text, uint64_t *count)
{
	if (!*text)
		return "no count after the last space";
	if (*text == '-')
		return "negative count";
	*count = 0;
	const char *c = text;
	for (; *c >= '0' && *c <= '9'; c++)
		if (__builtin_mul_overflow(*count, UINT64_C(10), count) ||
		    __builtin_add_overflow(*count, (uint64_t)(*c - '0'), count))
			return "count beyond 64 bits";
	if (c == text)
		return "count is not a decimal number";
	if (*c == '.' && c[1 + strspn(c + 1, "0")] == '\0')
		return NULL;
	if (*c == '.' && c[1 + strspn(c + 1, "0123456789")] == '\0')
		return "count with a fraction: scale the counts to whole numbers";
	return *c ? "count is not a decimal number" : NULL;
}

/* Both programs and people write "[trap]" and the like for pseudo-frames. */
static uint8_t tint_of(const char *name, size_t size)
{
	return size && name[0] == '[' ? TR_TINT_OTHER : TR_TINT_USER;
}

/* Names are printed on terminals: control characters become '?', and those of C1 (U+0080
 * to U+009F, two bytes in UTF-8) become two. */
static void mask_controls(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++) {
		if (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
			c[0] = c[1] = '?';
		if (*c < ' ' || *c == 0x7f)
			*c = '?';
	}
}

/* Returns the place of the last blank, or NULL. */
static char *last_blank(char *line)
{
	char *last = NULL;
	for (char *c = line; *c; c++)
		if (*c == ' ' || *c == '\t')
			last = c;
	return last;
}

/* Returns whether a line is a comment: '#' at its beginning, and what follows is no name
 * or has no count. */
static bool is_comment(char *line)
{
	uint64_t count;
	if (*line != '#')
		return false;
	const char *blank = last_blank(line);
	return strchr(" \t#!", line[1]) || !blank || parse_count(blank + 1, &count);
}

/* Returns whether a stack ends with a count of its own, as in "main;f 12". */
static bool has_count(char *stack)
{
	uint64_t count;
	const char *blank = last_blank(stack);
	return blank && blank > stack && !parse_count(blank + 1, &count);
}

/* Adds a line, and notes whether it has one count only. Returns NULL, or the error. */
static const char *add_folded_line(struct tr_folded *f, char *line, size_t size,
				   unsigned which, bool *has_one)
{
	if (memchr(line, '\0', size))
		return "NUL byte: not text in UTF-8";
	char *space = last_blank(line);
	if (!space)
		return "no count";
	if (space == line)
		return "no stack";
	uint64_t count;
	const char *reason = parse_count(space + 1, &count);
	if (reason)
		return reason;
	*space = '\0';
	*has_one |= !has_count(line);
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

/* Adds the stacks of a file, and counts them and the lines. Returns NULL at the end of
 * the file or after an error of it, or what is wrong in the last line. */
static const char *add_folded_file(struct tr_folded *f, FILE *file, unsigned which,
				   uint64_t *stacks, uint64_t *number)
{
	_Static_assert(TR_LINE_BYTES == 67108864, "named in the message");
	const char *reason = NULL;
	bool has_one = false;
	char *line = NULL;
	size_t capacity = 0;
	ssize_t got = 0;
	while (!reason && (got = tr_read_line(&line, &capacity, file)) >= 0) {
		char *text = line;
		size_t length = without_line_end(line, (size_t)got);
		const size_t mark = ++*number == 1 ? tr_byte_order_mark(text) : 0;
		text += mark;
		length -= mark;
		if (!length || is_comment(text))
			continue;
		++*stacks;
		reason = add_folded_line(f, text, length, which, &has_one);
	}
	const int error = errno;
	free(line);
	errno = error;
	if (got == TR_LINE_TOO_LONG) {
		++*number;
		return "longer than 67108864 bytes";
	}
	if (!reason && !error && *stacks && !has_one)
		return "two counts on each line, as difffolded.pl writes them: compare "
		       "the files that it compared";
	return reason;
}

int tr_folded_read(struct tr_folded *f, const char *path, unsigned which, char *message,
		   size_t size)
{
	const bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "<stdin>" : path;
	FILE *file = standard ? stdin : fopen(path, "r");
	uint64_t number = 0, stacks = 0;
	int status = TR_E_CORRUPT;
	if (!file) {
		snprintf(message, size, "%s: %s", name, strerror(errno));
		return TR_E_IO;
	}
	const char *reason = add_folded_file(f, file, which, &stacks, &number);
	if (reason) {
		snprintf(message, size, "%s: line %" PRIu64 ": %s", name, number, reason);
	} else if (errno) {
		snprintf(message, size, "%s: %s", name, strerror(errno));
		status = TR_E_IO;
	} else if (!stacks) {
		snprintf(message, size, "%s: no stacks", name);
	} else {
		status = TR_OK;
	}
	if (!standard)
		fclose(file);
	return status;
}
