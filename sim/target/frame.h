/* SPDX-License-Identifier: Apache-2.0 */
/* Registers saved on the stack by a trap, in firmware and supervisor alike. */
#ifndef FRAME_H
#define FRAME_H

/* Register xN is at 8 * N; the slot of x0 holds the interrupted pc. */
#define FRAME_PC     0
#define FRAME_STATUS 256
#define FRAME_CAUSE  264
#define FRAME_TVAL   272
#define FRAME_SIZE   288

#ifndef __ASSEMBLER__

#include <stdint.h>

struct frame {
	union {
		uint64_t pc;
		uint64_t x[32]; /* x[0] is the pc */
	};
	uint64_t status;
	uint64_t cause;
	uint64_t tval;
	uint64_t pad; /* for 16-byte stack alignment */
};
_Static_assert(sizeof(struct frame) == FRAME_SIZE, "frame layout");

enum { REG_SP = 2, REG_A0 = 10, REG_A1 = 11, REG_A6 = 16, REG_A7 = 17 };

#endif
#endif
