/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of Zcmp that a core executes, and logs, as several operations of 32 bits.
 * An interrupt between them ends the instruction, which begins again after it. */
#ifndef TR_IMPORT_STEPS_H
#define TR_IMPORT_STEPS_H

#include <stdbool.h>
#include <stdint.h>

/* Of the current instruction. All zero: none has begun. */
struct import_steps {
	uint64_t pc, sp; /* sp as an operation wrote it, if has_sp */
	uint16_t insn;
	uint16_t count;
	bool has_sp;
};

/* Takes an operation of the instruction `insn` at `pc`. Returns true if it is the last:
 * the addition to sp of cm.push and cm.pop, the jump of cm.popret, the second move. */
bool tr_import_step(struct import_steps *steps, uint64_t pc, uint16_t insn,
		    uint32_t operation);

#endif
