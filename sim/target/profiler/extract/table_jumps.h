/* SPDX-License-Identifier: Apache-2.0 */
/* Which jump table an indirect jump uses, if the code around it shows it: the registers
 * of straight code that have the table's address, a place in it, an entry, or a target.
 *
 *     auipc a5, ..; addi a5, a5, ..     a table
 *     slli a4, a4, 2; add a4, a4, a5    a place in it, for any index
 *     lw a4, 0(a4)                      an entry
 *     add a4, a4, a5                    a target, if entries are distances
 *     jr a4 */
#ifndef PROF_TABLE_JUMPS_H
#define PROF_TABLE_JUMPS_H

#include "insn.h"

/* An indirect jump whose table is known, and so its targets. */
struct prof_table_jump {
	uint64_t address;
	size_t first, count; /* of the targets */
};

struct prof_table_state {
	uint8_t holds[32];
	uint64_t table[32];
};

/* Forgets all registers: where something may jump to. */
void prof_forget_tables(struct prof_table_state *state);

/* Follows an instruction. *address is what it computes, if it completes an address; else
 * `address` is NULL. */
void prof_follow_table(struct prof_table_state *state, const struct prof_insn *insn,
		       const uint64_t *address);

/* Returns whether an indirect jump goes where an entry of a table says, with the table's
 * address in *table, and whether its entries are distances from there in *relative. */
bool prof_uses_table(const struct prof_table_state *state, const struct prof_insn *insn,
		     uint64_t *table, bool *relative);

#endif
