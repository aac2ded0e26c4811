/* SPDX-License-Identifier: Apache-2.0 */
/* Live integer registers of a program's functions: those that may be read before they are
 * written from an address on.
 *
 * The sets are the smallest that the instructions allow, with these assumptions of the
 * psABI ("RISC-V Calling Conventions", integer calling convention):
 * - t0 to t6 are dead after a call through x1, and after a return through x1;
 * - a jump to another function reads what is live there. A call through x1 reads neither
 *   t0 nor t1, but can pass arguments in t2 to t6, as fastcc of LLVM does. An indirect
 *   call or jump, and a jump to a library, can pass the static chain in t2;
 * - a call through x1 to a part of its own function, where conventions of its own may
 *   apply, reads what is live in that part and what is live behind the call;
 * - an indirect jump goes to an entry of its table, if that is known; else to a function,
 *   or to one of the known targets within its own, which are those of all its tables;
 * - nothing is read after unimp, nor after an ebreak that is a function's last
 *   instruction.
 *
 * All else is taken as live: at calls and returns through x5 or another register, at
 * jumps to what is no function, at instructions that are unknown, behind the last
 * function; at every instruction for an indirect jump if its targets are not known.
 * Instructions follow one another from a function's start; between them everything is
 * live. Needs nothing but the C library. */
#ifndef PROF_LIVE_REGISTERS_H
#define PROF_LIVE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "table_jumps.h"

enum {
	PROF_T0 = 1 << 5,
	PROF_T1 = 1 << 6,
	PROF_LIVE_UNKNOWN = 1, /* in the place of x0: an instruction that is not
				  understood can follow, so that all registers are live */
};

struct prof_function {
	uint64_t address, size; /* by address, which is even; apart */
	const uint8_t *code;	/* `size` bytes */
	bool is_between;	/* code of no known function: calls in it are to others */
	/* Results: */
	uint32_t *live; /* of each 2 bytes: what is live there */
	/* Of prof_find_live(): */
	size_t first_reference, reference_count; /* to other functions */
	uint32_t passes;			 /* that were needed */
};

struct prof_program {
	struct prof_function *functions;
	size_t count;
	/* Sorted addresses to which indirect jumps may go, besides functions; NULL: it is
	 * not known, and they may go to all instructions of their function. */
	const uint64_t *targets;
	size_t target_count;
	/* Indirect jumps, by address, that go only to addresses in jump_targets. */
	const struct prof_table_jump *jumps;
	size_t jump_count;
	const uint64_t *jump_targets;
	/* Jumps there go to functions of libraries: .plt, or empty. */
	uint64_t plt_start, plt_end;
	uint32_t *live; /* the memory of all functions' results */
};

/* Finds the live registers everywhere, with 4 bytes of memory for 2 of code, and
 * meanwhile 16 for each jump and call to another function. Returns TR_OK, with the
 * results in the functions, which prof_free_live() releases; or TR_E_NOMEM. The time is
 * in proportion to the size of the code: after 64 passes over it, which compilers' code
 * does not need, everything is live in functions that are not done. */
enum tr_status prof_find_live(struct prof_program *program);
void prof_free_live(struct prof_program *program);

/* Returns the registers that are live at an address, bit i for xi, and PROF_LIVE_UNKNOWN.
 * Outside of all functions, and at odd addresses, all are. */
uint32_t prof_live_at(const struct prof_program *program, uint64_t address);

/* Returns the function that has `address`, or NULL. */
const struct prof_function *prof_function_at(const struct prof_program *program,
					     uint64_t address);

#endif
