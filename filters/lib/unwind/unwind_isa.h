/* SPDX-License-Identifier: Apache-2.0 */
/* The ISA of code (stream/isa.h), from its file, the header, or what a frame shows: the
 * encodings of C.FSDSP are those of Zcmp and Zcmt in other code. */
#ifndef TR_UNWIND_ISA_H
#define TR_UNWIND_ISA_H

#include "unwind/unwind.h"
#include "unwind/unwind_status.h"

struct tr_isa;

/* Keeps the pointers but `options`. Returns NULL when out of memory. tr_isa_free()
 * accepts NULL. */
struct tr_isa *tr_isa_new(const struct tr_unwind_source *source,
			  const struct tr_unwind_options *options,
			  struct unwind_status *status);
void tr_isa_free(struct tr_isa *isa);

/* Begins a frame, whose generation has `nblocks` blocks. */
void tr_isa_frame(struct tr_isa *isa, const struct tr_frame *frame, uint32_t nblocks);
/* Looks for what the frame shows, unless that has been done. Returns true if it shows
 * which encodings the code has whose file does not tell. May call unwind_fail(). */
bool tr_isa_look(struct tr_isa *isa);
/* Returns the ISA of the code of a binary, or of code in none. */
unsigned tr_isa_of(const struct tr_isa *isa, uint32_t binary);

#endif
