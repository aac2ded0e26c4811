/* SPDX-License-Identifier: Apache-2.0 */
/* Triggers that start and stop tracing: cycle=N, pc=0xADDR, pc=SYMBOL, insn=VALUE[/MASK]
 * or exit. A symbol may name its ELF file, FILE:SYMBOL. */
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

/* Returns NULL, or the reason why `text` is invalid. Keeps a pointer into `text`. */
const char *trigger_parse(struct trigger *trigger, const char *text);

/* Finds the symbol in the ELF files. Returns false with a line in `message` on
 * failure. */
bool trigger_resolve(struct trigger *trigger, const char *const *paths, size_t count,
		     char *message, size_t size);

/* Returns whether the instruction, about to execute, matches the trigger. */
bool trigger_meets(const struct trigger *trigger, uint64_t cycle, uint64_t pc,
		   uint32_t insn);

#endif
