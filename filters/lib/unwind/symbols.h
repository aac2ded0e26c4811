/* SPDX-License-Identifier: Apache-2.0 */
/* The binaries that tr-match named in a header, and their functions. */
#ifndef TR_SYMBOLS_H
#define TR_SYMBOLS_H

#include "image/image.h"
#include "image/image_search.h"
#include "stream/header.h"

struct tr_symbols;

/* Opens what the keys bin.0, bin.1, … name, with what the options ask for; a file that
 * is not there, or not the one that was matched, is looked for in the folders. TR_OK;
 * TR_E_ARGUMENT: no such key, tr-match has not run; TR_E_CORRUPT: a file is not
 * the one that was matched; TR_E_NOMEM; or the status of tr_image_open(). On
 * failure *symbols is set (unless TR_E_NOMEM) and has the message. */
int tr_symbols_open(struct tr_symbols **symbols, const struct tr_header *header,
		    const struct tr_image_options *options,
		    const struct tr_folders *folders);
void tr_symbols_close(struct tr_symbols *symbols);
const char *tr_symbols_message(const struct tr_symbols *symbols);

uint32_t tr_symbols_count(const struct tr_symbols *symbols);
/* The image of bin.`n`; n < count. */
const struct tr_image *tr_symbols_image(const struct tr_symbols *symbols, uint32_t n);
/* Short names of all; they live as long as the symbols. */
const char *const *tr_symbols_programs(const struct tr_symbols *symbols);
/* The function range of binary n (< count) at an address of its file; false when
 * there is none. */
bool tr_symbols_function(const struct tr_symbols *symbols, uint32_t n, uint64_t address,
			 struct tr_function *function);

#endif
