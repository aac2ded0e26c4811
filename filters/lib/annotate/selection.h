/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions of each hart are selected, or which key they have, by the rows of
 * stacks that they are charged to: a first pass adds all rows, a second one asks in the
 * same order.
 *
 * Memory: 24 bytes for each stretch of rows with the same key, selected or not. */
#ifndef TR_ANNOTATE_SELECTION_H
#define TR_ANNOTATE_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

enum { TR_SELECTION_NEVER = UINT32_MAX };

struct tr_selection;

/* Returns NULL when out of memory; tr_selection_free() accepts NULL. */
struct tr_selection *tr_selection_new(void);
void tr_selection_free(struct tr_selection *);

/* Adds the next row of a hart, with the key that decides: a thread, a process, or
 * TR_SELECTION_NEVER. Returns TR_OK, TR_E_NOMEM, or TR_E_ARGUMENT: too many harts. */
int tr_selection_add(struct tr_selection *, uint32_t hart, uint32_t key,
		     uint64_t instructions, uint64_t cycles);
/* Ends the first pass: rows with a key for which `is_selected` returns true are. */
void tr_selection_choose(struct tr_selection *,
			 bool (*is_selected)(void *context, uint32_t key), void *context);

/* Return whether the hart's next instruction, of some cycles, or its next trap is
 * selected. What is beyond the rows that were added is not. */
bool tr_selection_takes_insn(struct tr_selection *, uint32_t hart, uint64_t cycles);
bool tr_selection_takes_trap(struct tr_selection *, uint32_t hart, uint64_t cycles);

/* Without tr_selection_choose(): return the key of the hart's next instructions, of which
 * there are *count, reduced to those that have the same key; or of its next trap.
 * TR_SELECTION_NEVER: there are no such rows left. */
uint32_t tr_selection_key_of_insns(struct tr_selection *, uint32_t hart, uint32_t *count);
uint32_t tr_selection_key_of_trap(struct tr_selection *, uint32_t hart, uint64_t cycles);
/* Takes the cycles of the instructions that were asked for last. */
void tr_selection_take_cycles(struct tr_selection *, uint32_t hart, uint64_t cycles);
/* Returns true if all instructions of the rows were asked for, and no others. */
bool tr_selection_is_used_up(const struct tr_selection *);

#endif
