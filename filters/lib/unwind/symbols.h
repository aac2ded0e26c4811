/* SPDX-License-Identifier: Apache-2.0 */
/* The binaries named in a header by tr-match, and their functions. */
#ifndef TR_SYMBOLS_H
#define TR_SYMBOLS_H

#include "image/image.h"
#include "image/image_search.h"
#include "stream/header.h"

struct tr_symbols;

/* Opens the binaries of the header keys bin.0, bin.1, …, with the given options; a file
 * that is missing or differs from the one that was matched is searched for in the
 * folders. Returns TR_OK; TR_E_ARGUMENT (no such key: tr-match has not run); TR_E_CORRUPT
 * (a file differs from the one that was matched); TR_E_NOMEM; or the status of
 * tr_image_open(). On failure *symbols is set (unless TR_E_NOMEM) and has the message. */
int tr_symbols_open(struct tr_symbols **symbols, const struct tr_header *header,
		    const struct tr_image_options *options,
		    const struct tr_folders *folders);
void tr_symbols_close(struct tr_symbols *symbols);
const char *tr_symbols_message(const struct tr_symbols *symbols);

/* Returns the number of binaries. */
uint32_t tr_symbols_count(const struct tr_symbols *symbols);
/* Returns the image of bin.`n`; n < count. */
const struct tr_image *tr_symbols_image(const struct tr_symbols *symbols, uint32_t n);
/* Returns the short names of all binaries, which live as long as the symbols. */
const char *const *tr_symbols_programs(const struct tr_symbols *symbols);
/* Finds the function range of binary n (< count) at an address in its file. Returns false
 * if there is none. */
bool tr_symbols_function(const struct tr_symbols *symbols, uint32_t n, uint64_t address,
			 struct tr_function *function);

#endif
