/* SPDX-License-Identifier: Apache-2.0 */
/* What the search for live registers shares with the search for who reads them. */
#ifndef PROF_LIVE_REGISTERS_INTERNAL_H
#define PROF_LIVE_REGISTERS_INTERNAL_H

#include "live_registers.h"

/* Sets of registers: those that can pass arguments to a called function besides a0 to a7,
 * t2 to t6, and t2, which can pass the static chain to one that is not known. */
#define PROF_ARGUMENTS	  UINT32_C(0xf0000080)
#define PROF_STATIC_CHAIN UINT32_C(0x00000080)

enum { PROF_RA = 1 << 1 };

/* Returns the number of targets below an address. */
size_t prof_count_targets_below(const struct prof_program *program, uint64_t address);

/* Returns the jump at an address if its table is known, or NULL. */
const struct prof_table_jump *prof_find_table_jump(const struct prof_program *program,
						   uint64_t address);

#endif
