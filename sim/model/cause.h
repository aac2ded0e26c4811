/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of traps for messages. */
#ifndef SOC_CAUSE_H
#define SOC_CAUSE_H

#include "model.h"

/* Returns the description of a value of mcause, such as "illegal instruction". */
const char *cause_name(uint64_t cause);

/* Formats "illegal instruction 0x00007053 at 0x80000060". */
void cause_text(const struct soc_trap *trap, char *text, size_t size);

/* "illegal instruction ... at ..., then instruction access fault at 0x0 (mtvec) for
 * ever": of a chain of traps without a commit. */
void cause_chain(const struct soc_trap *first, const struct soc_trap *last, char *text,
		 size_t size);

#endif
