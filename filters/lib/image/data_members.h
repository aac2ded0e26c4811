/* SPDX-License-Identifier: Apache-2.0 */
/* Members of the structures that a file's data symbols are, by its DWARF or BTF.
 *
 * A symbol is a structure, or an array of structures: then one member stands for those of
 * all elements, as "particles[].mass". A structure within one is taken apart; an array in
 * it, and a union, is one member, and so are bit-fields that share bytes, as "a|b". A
 * symbol has none if its name is that of several variables, or its type has none. */
#ifndef TR_DATA_MEMBERS_H
#define TR_DATA_MEMBERS_H

#include "image/data_symbols.h"

struct tr_data_members;

/* Reads them in a child process. Returns TR_OK, also for a file without debug
 * information, of which there are none, or TR_E_NOMEM. */
int tr_data_members_open(struct tr_data_members **members, const char *path,
			 const struct tr_data_symbols *symbols);
void tr_data_members_close(struct tr_data_members *members);
/* Returns why the debug information could not be read, or "": it could, or there is none.
 */
const char *tr_data_members_message(const struct tr_data_members *members);
/* Returns the number of the member at an offset of a symbol, or UINT32_MAX. */
uint32_t tr_data_members_at(const struct tr_data_members *members, size_t symbol,
			    uint64_t offset);
/* Returns its name with that of the symbol. */
const char *tr_data_members_name(const struct tr_data_members *members, uint32_t member);
/* Returns true if the symbol is an array of bytes, which may hold anything. */
bool tr_data_members_is_bytes(const struct tr_data_members *members, size_t symbol);

#endif
