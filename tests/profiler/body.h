/* SPDX-License-Identifier: Apache-2.0 */
/* The assembly of one random function, with what the extractor has to find out about it:
 * the sizes of its instructions, the targets of its branches, and why it cannot be
 * counted. */
#ifndef PROFILER_BODY_H
#define PROFILER_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../random/rng.h"

enum { BODY_INSNS = 128, BODY_TEXT = 1 << 15, BODY_TARGETS = 64 };

/* Kinds of instructions that entries cannot have; reasons of refusal are bits of 1 <<
 * kind. */
enum reason {
	REASON_NONE,
	REASON_CALL,
	REASON_ECALL,
	REASON_EBREAK,
	REASON_TARGET,
	REASON_SMALL,
	REASON_LIVE,
	REASON_REACH,
	REASON_REGISTER,
	REASON_UNKNOWN,
	REASON_OVERLAP,
	REASONS
};
extern const char *const reason_names[REASONS];

enum {
	T0 = 5,
	T1 = 6,
	FUEL = 17, /* a7 bounds the loops, and is written by nothing else */
	POINTERS = 1 << 2 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 18,
};

#define SCRATCH UINT32_C(0xf00000e0) /* t0 to t6 */

struct body {
	struct rng *rng;
	char text[BODY_TEXT];
	size_t length;
	unsigned number;
	bool compressed; /* the assembler may compress now */
	unsigned count;
	struct body_insn {
		uint16_t at;
		uint8_t size, reason;
	} insns[BODY_INSNS];
	unsigned size; /* bytes */
	unsigned labels;
	unsigned target_count;
	unsigned targets[BODY_TARGETS]; /* offsets that are known targets */
	uint32_t readable;		/* registers that may be read */
	uint32_t pointers;		/* those that point into the window */
	uint32_t written;		/* those that have been written */
	bool loops;			/* jumps to its own first instruction */
	/* Reasons of this kind of function, besides those of body_reasons(): certain, of
	 * far entries, and possible. */
	uint32_t reasons, far_reasons, perhaps;
	bool joined; /* what it reads is not known: the function before continues in it,
			or another begins within it */
	bool continues; /* into the next function */
	char letter;	/* its name, with the number, in the extractor's list */
	bool ended;	/* the text has the end of the function */
};

void body_start(struct body *b, struct rng *rng, unsigned number);
/* Appends lines that are not instructions. */
void body_line(struct body *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends an instruction of 2, 4 or more bytes. */
void body_insn(struct body *b, unsigned size, enum reason reason, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Labels: `.L<number of the function>_<label>`. */
unsigned body_label(struct body *b);
/* Defines a label, which some branch has as its target. */
void body_land(struct body *b, unsigned label);
/* Returns the reasons for which an entry of `need` bytes is impossible: 0: none is known.
 */
uint32_t body_reasons(const struct body *b, unsigned need);

/* A register that is to be written, or may be read. */
unsigned body_written(struct body *b, uint32_t among);
unsigned body_read(struct body *b, uint32_t among);
void body_writes(struct body *b, unsigned reg);
/* Returns a register that still has a value of the caller's, which is no code address, so
 * that a jump there traps; or x0. */
unsigned body_untouched(struct body *b);

/* Instructions without control flow, each with its operands: see forms.c. */
unsigned form_count(void);
/* Appends one with random operands. */
void form_append(struct body *b, unsigned form);
const char *form_text(unsigned form);

#endif
