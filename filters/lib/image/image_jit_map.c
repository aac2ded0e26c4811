/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a perf map: lines of a start and a size, hexadecimal, and a name. */
#include <string.h>

#include "base/number.h"
#include "image/image_jit_internal.h"

enum { LINE_BYTES = 64 << 10 }; /* of the longest line */

struct map_line {
	const char *text;
	size_t size; /* without the line end */
	uint64_t number, byte;
};

static int refuse_line(struct tr_image *image, const struct map_line *line,
		       const char *reason)
{
	return tr_image_fail(image, TR_E_CORRUPT, "line %llu, byte %llu: %s",
			     (unsigned long long)line->number,
			     (unsigned long long)line->byte, reason);
}

/* Takes a hexadecimal number, with or without 0x, and the spaces behind it. Returns false
 * if there is none, or if it exceeds 64 bits. */
static bool take_hex(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at;
	if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x')
		p += 2;
	const char *first = p;
	*value = 0;
	for (; p < end && tr_hex_digit(*p) >= 0; p++) {
		if (*value >> 60)
			return false;
		*value = *value << 4 | (unsigned)tr_hex_digit(*p);
	}
	const bool good = p > first && p < end && (*p == ' ' || *p == '\t');
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*at = p;
	return good;
}

static int read_map_line(struct tr_image *image, const struct map_line *line)
{
	const char *at = line->text, *end = at + line->size;
	struct tr_jit_piece piece = {0};
	if (line->size > LINE_BYTES)
		return refuse_line(image, line, "longer than 64 KiB");
	if (memchr(at, '\0', line->size))
		return refuse_line(image, line, "a byte that is 0");
	if (!take_hex(&at, end, &piece.address) || !take_hex(&at, end, &piece.size))
		return refuse_line(image, line,
				   "not a start, a size and a name, as in a perf map");
	if (at == end)
		return refuse_line(image, line, "no name");
	piece.name = tr_image_name_store(image, at, (size_t)(end - at));
	if (!piece.name)
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	return tr_jit_add(image, &piece, "line", line->number, line->byte);
}

int tr_jit_read_map(struct tr_image *image)
{
	const struct image_jit *jit = image->jit;
	const char *text = (const char *)jit->data;
	struct map_line line = {.number = 1};
	int status = TR_OK;
	if (!jit->size)
		return tr_image_fail(image, TR_E_CORRUPT, "empty: no function in it");
	while (line.byte < jit->size && !status) {
		const size_t rest = jit->size - (size_t)line.byte;
		line.text = text + line.byte;
		const char *end = memchr(line.text, '\n', rest);
		if (!end)
			return refuse_line(image, &line,
					   rest > LINE_BYTES ? "longer than 64 KiB"
							     : "truncated: no line end");
		line.size = (size_t)(end - line.text);
		status = read_map_line(image, &line);
		line.byte += line.size + 1;
		line.number++;
	}
	return status;
}
