/* SPDX-License-Identifier: Apache-2.0 */
/* The binaries named in a header by tr-match, and their functions. */
#ifndef TR_SYMBOLS_H
#define TR_SYMBOLS_H

#include "image/image.h"
#include "image/image_search.h"
#include "stream/header.h"

struct tr_symbols;

/* Opens the binaries of the header keys bin.0, bin.1, …, with the given options, except
 * those of a sysroot, most of which did not run; a file that is missing or differs from
 * the one that was matched is searched for in the folders, which must outlive the
 * symbols. Returns TR_OK; TR_E_ARGUMENT (no such key: tr-match has not run); TR_E_CORRUPT
 * (a file differs from the one that was matched); TR_E_NOMEM; or the status of
 * tr_image_open(). On failure *symbols is set (unless TR_E_NOMEM) and has the message. */
int tr_symbols_open(struct tr_symbols **symbols, const struct tr_header *header,
		    const struct tr_image_options *options,
		    const struct tr_folders *folders);
void tr_symbols_close(struct tr_symbols *symbols);
const char *tr_symbols_message(const struct tr_symbols *symbols);

/* Returns the number of binaries. */
uint32_t tr_symbols_count(const struct tr_symbols *symbols);
/* Opens bin.`n` (n < count) unless it is open. Returns a status, as tr_symbols_open(). */
int tr_symbols_need(struct tr_symbols *symbols, uint32_t n);
/* Returns the image of bin.`n`, or NULL if it is not open. */
const struct tr_image *tr_symbols_image(const struct tr_symbols *symbols, uint32_t n);
/* Return properties of bin.`n`, open or not: whether it is a library, and the entry point
 * of its file. */
bool tr_symbols_is_library(const struct tr_symbols *symbols, uint32_t n);
uint64_t tr_symbols_entry(const struct tr_symbols *symbols, uint32_t n);
/* Replaces the place of an instruction of a stub, of bin.*n, by that in the program for
 * which it stands; *n is TR_NOTE_UNKNOWN if no stub is there. *is_direct: it is a jump by
 * a register in place of one without. Returns false if bin.*n has no stubs. */
bool tr_symbols_origin(const struct tr_symbols *symbols, uint32_t *n, uint64_t *address,
		       bool *is_direct);
/* Returns true if a binary has stubs, and an `ecall; ret` of a vdso may be at pc, by its
 * place in a page: there the run-time profiler makes processes execute system calls. */
bool tr_symbols_may_inject(const struct tr_symbols *symbols, uint64_t pc);
/* Return true if any binary has stubs, or if bin.`n` has stubs, and no image. */
bool tr_symbols_any_stubs(const struct tr_symbols *symbols);
bool tr_symbols_has_stubs(const struct tr_symbols *symbols, uint32_t n);
/* Returns the short names of all binaries, which live as long as the symbols. */
const char *const *tr_symbols_programs(const struct tr_symbols *symbols);

/* Returns true if the image is the bin.`n` that was matched, as far as the header shows;
 * otherwise the message has the difference. */
bool tr_symbols_are_of(const struct tr_header *header, uint32_t n,
		       const struct tr_image *image, char *message, size_t size);
#endif
