/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/page_packed.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	PLAIN = 1 << 20, /* bytes that are not compressed */
	ROOM = 3 << 14,	 /* of compressed bytes; a multiple of 3, as base64 takes them */
	LINE = 57	 /* bytes in a line of base64 */
};

struct packed {
	FILE *to;
	char *plain; /* before there is more */
	size_t size;
	bool is_packed;
	z_stream zlib;
	uint8_t out[ROOM];
};

static void put_base64(FILE *to, const uint8_t *data, size_t size)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < size; i += 3) {
		const unsigned left = size - i < 3 ? (unsigned)(size - i) : 3;
		const uint32_t bits = (uint32_t)data[i] << 16 |
				      (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
				      (left > 2 ? data[i + 2] : 0);
		putc(digits[bits >> 18], to);
		putc(digits[bits >> 12 & 63], to);
		putc(left > 1 ? digits[bits >> 6 & 63] : '=', to);
		putc(left > 2 ? digits[bits & 63] : '=', to);
		if (i % LINE == LINE - 3)
			putc('\n', to);
	}
}

/* Compresses bytes. What is written is a multiple of 3 bytes, but at the end. */
static void pack_bytes(struct packed *p, const char *data, size_t size, int flush)
{
	int status;
	p->zlib.next_in = (uint8_t *)data;
	p->zlib.avail_in = (uInt)size;
	do {
		status = deflate(&p->zlib, flush);
		if (p->zlib.avail_out == 0 || status == Z_STREAM_END) {
			put_base64(p->to, p->out, ROOM - p->zlib.avail_out);
			p->zlib.next_out = p->out;
			p->zlib.avail_out = ROOM;
		}
	} while (p->zlib.avail_in || (flush == Z_FINISH && status == Z_OK));
}

/* Begins to compress. Returns false when out of memory. */
static bool begin_packing(struct packed *p)
{
	if (deflateInit(&p->zlib, Z_DEFAULT_COMPRESSION) != Z_OK)
		return false;
	p->is_packed = true;
	p->zlib.next_out = p->out;
	p->zlib.avail_out = ROOM;
	fputs("<p id=\"unpacking\">This page is compressed: a browser with JavaScript "
	      "shows it.</p>\n<script type=\"text/plain\" id=\"packed\">\n",
	      p->to);
	pack_bytes(p, p->plain, p->size, Z_NO_FLUSH);
	return true;
}

static ssize_t take_page_bytes(void *cookie, const char *data, size_t size)
{
	struct packed *p = cookie;
	if (!p->is_packed && size <= PLAIN - p->size) {
		memcpy(p->plain + p->size, data, size);
		p->size += size;
	} else if (p->is_packed || begin_packing(p)) {
		pack_bytes(p, data, size, Z_NO_FLUSH);
	} else {
		return 0;
	}
	return (ssize_t)size;
}

static int end_page_bytes(void *cookie)
{
	struct packed *p = cookie;
	if (p->is_packed) {
		pack_bytes(p, "", 0, Z_FINISH);
		deflateEnd(&p->zlib);
		fputs("\n</script>\n", p->to);
	} else {
		fwrite(p->plain, 1, p->size, p->to);
	}
	free(p->plain);
	free(p);
	return 0;
}

FILE *tr_page_pack(FILE *to)
{
	struct packed *p = calloc(1, sizeof(*p));
	char *plain = malloc(PLAIN);
	FILE *file = NULL;
	if (p && plain) {
		p->to = to;
		p->plain = plain;
		file = fopencookie(p, "w",
				   (cookie_io_functions_t){.write = take_page_bytes,
							   .close = end_page_bytes});
	}
	if (!file) {
		free(plain);
		free(p);
	}
	return file;
}
