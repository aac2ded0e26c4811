/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a large page, compressed within the page: its script expands it. */
#ifndef TR_ANNOTATE_PAGE_PACKED_H
#define TR_ANNOTATE_PAGE_PACKED_H

#include <stdio.h>

/* Returns a stream for HTML that fclose() completes: up to 1 MiB goes to `to` as it is,
 * more as an element "packed", base64 of zlib's format, with a paragraph "unpacking"
 * before it. `to` stays open; write errors are left in ferror(to), and those of memory in
 * that of the result. Returns NULL when out of memory. */
FILE *tr_page_pack(FILE *to);

#endif
