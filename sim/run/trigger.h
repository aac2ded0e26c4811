/* SPDX-License-Identifier: Apache-2.0 */
/* Triggers that start and stop tracing or write a checkpoint: cycle=N, pc=0xADDR,
 * pc=SYMBOL, insn=VALUE[/MASK], mark=N, begin=N, end=N, exec=FILE or exit. A symbol may
 * name its ELF file, FILE:SYMBOL. */
#ifndef RUN_TRIGGER_H
#define RUN_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec.h"

struct machine_next;

enum trigger_kind {
	TRIGGER_NONE,
	TRIGGER_CYCLE,
	TRIGGER_PC,
	TRIGGER_INSN,
	TRIGGER_EXEC,
	TRIGGER_EXIT
};

struct trigger {
	enum trigger_kind kind;
	uint64_t value; /* cycle before the token, address or instruction bits */
	uint32_t mask;
	const char *symbol; /* of pc=[FILE:]SYMBOL, until it is resolved, else NULL */
	const char *file;   /* of exec=FILE, else NULL */
	struct exec *exec;  /* of exec=FILE, when it is resolved, else NULL */
};

/* Returns NULL, or the reason why `text` is invalid. Keeps a pointer into `text`. */
const char *trigger_parse(struct trigger *trigger, const char *text);

/* Finds the symbol in the ELF files, or opens the file. Returns false with a line in
 * `message` on failure. */
bool trigger_resolve(struct trigger *trigger, const char *const *paths, size_t count,
		     char *message, size_t size);

void trigger_release(struct trigger *trigger);

/* Returns whether the token, after so many cycles, matches the trigger. The machine must
 * watch a trigger of kind TRIGGER_EXEC. Never true for TRIGGER_EXIT. */
bool trigger_meets(const struct trigger *trigger, uint64_t cycle,
		   const struct machine_next *next);

#endif
