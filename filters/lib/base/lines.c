/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of text of bounded length. */
#include "base/lines.h"

#include <errno.h>
#include <string.h>

#include "base/buffer.h"

ssize_t tr_read_line(char **line, size_t *room, FILE *file)
{
	size_t size = 0;
	int c;
	errno = 0;
	do {
		c = getc_unlocked(file);
		if (c == EOF)
			break;
		if (size == TR_LINE_BYTES)
			return TR_LINE_TOO_LONG;
		if (!tr_grow(line, room, size + 2, 1)) {
			errno = ENOMEM;
			return -1;
		}
		(*line)[size++] = (char)c;
	} while (c != '\n');
	if (size == 0 || ferror(file))
		return -1;
	(*line)[size] = '\0';
	return (ssize_t)size;
}

size_t tr_byte_order_mark(const char *line)
{
	return strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
