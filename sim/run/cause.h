/* SPDX-License-Identifier: Apache-2.0 */
/* Traps in words, for messages. */
#ifndef RUN_CAUSE_H
#define RUN_CAUSE_H

#include "model/model.h"

/* "illegal instruction 0x00007053 at 0x80000060" */
void cause_text(const struct soc_trap *trap, char *text, size_t size);

/* "illegal instruction ... at ..., then instruction access fault at 0x0 (mtvec) for
 * ever": of a chain of traps without a commit. */
void cause_chain(const struct soc_trap *first, const struct soc_trap *last, char *text,
		 size_t size);

#endif
