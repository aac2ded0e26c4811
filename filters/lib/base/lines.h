/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of text of bounded length. */
#ifndef TR_LINES_H
#define TR_LINES_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum {
	TR_LINE_BYTES = 64 << 20, /* of the longest line */
	TR_LINE_TOO_LONG = -2,
};

/* Reads the next line like getline(), including its line end, into `*line` of `*room`
 * bytes, which the caller frees. Returns its length; -1 at the end of the file (errno is
 * 0) and on a failure (errno is set); TR_LINE_TOO_LONG for a line longer than
 * TR_LINE_BYTES. */
ssize_t tr_read_line(char **line, size_t *room, FILE *file);

/* Returns the size in bytes of a UTF-8 byte order mark at the start of `line`, or 0. */
size_t tr_byte_order_mark(const char *line);

#endif
