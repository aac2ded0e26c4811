/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each binary as a whole: its role, its entry point, and where it was
 * last found. Numbers that are no binary's, such as TR_NOTE_UNKNOWN, are accepted. */
#ifndef TR_UNWIND_BINARIES_H
#define TR_UNWIND_BINARIES_H

#include "unwind/unwind.h"

struct tr_binaries;

/* Returns NULL when out of memory. tr_binaries_free() accepts NULL. */
struct tr_binaries *tr_binaries_new(const struct tr_unwind_options *options);
void tr_binaries_free(struct tr_binaries *binaries);

/* Returns TR_UNWIND_ANY for a binary of unknown role. */
enum tr_unwind_role tr_binaries_role(const struct tr_binaries *binaries, uint32_t binary);
/* A binary was found with this bias: pc minus address in the file. */
void tr_binaries_place(struct tr_binaries *binaries, uint32_t binary, uint64_t bias);
/* Returns the address of a pc in the file of a binary, where that was last found. */
uint64_t tr_binaries_address(const struct tr_binaries *binaries, uint32_t binary,
			     uint64_t pc);
/* Returns the first user program whose entry point is at pc, or TR_NOTE_UNKNOWN. */
uint32_t tr_binaries_entered(const struct tr_binaries *binaries, uint64_t pc);
/* Returns true if pc is in the lower part of the address space, and a kernel begins in
 * the upper part: code there that is in no binary is user code. */
bool tr_binaries_are_above(const struct tr_binaries *binaries, uint64_t pc);

#endif
