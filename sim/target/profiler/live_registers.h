/* SPDX-License-Identifier: Apache-2.0 */
/* Live integer registers of a program's functions: those that may be read before they are
 * written from an address on.
 *
 * The sets are the smallest that the instructions allow, with these assumptions of the
 * psABI ("RISC-V Calling Conventions", integer calling convention):
 * - t0 to t6 are dead after a call through x1, and after a return through x1;
 * - a call, or a jump to another function, reads what is live there. If that is not a
 *   function of the program, t0 and t1 are dead there, but t2 to t6 may have arguments
 *   (the static chain; fastcc of LLVM);
 * - an indirect jump goes to such a function, or to one of the known targets within its
 *   own function, which are those of its jump tables.
 * All else is taken as live: at calls and returns through x5 or another register, at
 * instructions that are unknown, behind a function's end, where known targets are not
 * given at every instruction for an indirect jump. Needs nothing but the C library. */
#ifndef PROF_LIVE_REGISTERS_H
#define PROF_LIVE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROF_T0 = 1 << 5,
	PROF_T1 = 1 << 6,
	PROF_LIVE_UNKNOWN = 1, /* in the place of x0: an instruction that is not
				  understood can follow, so that all registers are live */
};

struct prof_function {
	uint64_t address, size; /* both even; by address, apart */
	const uint8_t *code;	/* `size` bytes */
	/* Results: */
	uint32_t *live;	     /* of each 2 bytes: what is live there */
	bool jumps_to_entry; /* an instruction of its own branches or jumps (not: calls)
				to its first one */
};

struct prof_program {
	struct prof_function *functions;
	size_t count;
	/* Sorted addresses to which indirect jumps may go, besides functions; NULL: it is
	 * not known, and they may go to all instructions of their function. */
	const uint64_t *targets;
	size_t target_count;
	uint32_t *live; /* the memory of all functions' results */
};

/* Finds the live registers everywhere; takes time in proportion to the sizes, and 4 bytes
 * for 2 of code. Returns 0, with the results in the functions, which prof_free_live()
 * releases; or TR_E_NOMEM. What is not stable after a limit of passes, which no
 * compiler's code needs, is live. */
int prof_find_live(struct prof_program *program);
void prof_free_live(struct prof_program *program);

/* Returns the registers that are live at an address, bit i for xi, and PROF_LIVE_UNKNOWN.
 * Outside of all functions those of an unknown function's entry are. */
uint32_t prof_live_at(const struct prof_program *program, uint64_t address);

/* Returns the function that has `address`, or NULL. */
const struct prof_function *prof_function_at(const struct prof_program *program,
					     uint64_t address);

#endif
