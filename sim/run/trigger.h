/* SPDX-License-Identifier: Apache-2.0 */
/* What starts and stops tracing: cycle=N, pc=0xADDR, pc=SYMBOL, insn=VALUE[/MASK]
 * or exit; a symbol may name its ELF file, FILE:SYMBOL.
 */
#ifndef RUN_TRIGGER_H
#define RUN_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trigger_kind { TRIGGER_NONE, TRIGGER_CYCLE, TRIGGER_PC, TRIGGER_INSN, TRIGGER_EXIT };

struct trigger {
	enum trigger_kind kind;
	uint64_t value; /* cycle before the token, address or instruction bits */
	uint32_t mask;
	const char *symbol; /* of pc=[FILE:]SYMBOL until it is resolved, else NULL */
};

/* NULL, or why it is not a specification. Keeps a pointer into text. */
const char *trigger_parse(struct trigger *trigger, const char *text);

/* Finds the symbol in the ELF files; false with a line in message. */
bool trigger_resolve(struct trigger *trigger, const char *const *paths, size_t count,
		     char *message, size_t size);

/* Does the instruction, about to run, meet it? */
bool trigger_meets(const struct trigger *trigger, uint64_t cycle, uint64_t pc,
		   uint32_t insn);

#endif
