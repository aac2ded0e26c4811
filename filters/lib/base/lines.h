/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of text, none of them without end. */
#ifndef TR_LINES_H
#define TR_LINES_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum {
	TR_LINE_BYTES = 64 << 20, /* of the longest */
	TR_LINE_TOO_LONG = -2,
};

/* Like getline(): the next line with its end, in `*line` of `*room` bytes, which
 * the caller frees. Its length; -1 at the end of the file, and when memory or the
 * file fails (errno, else 0); TR_LINE_TOO_LONG beyond TR_LINE_BYTES. */
ssize_t tr_read_line(char **line, size_t *room, FILE *file);

/* Bytes of the byte order mark that Windows puts before the first line; 0 without. */
size_t tr_byte_order_mark(const char *line);

#endif
