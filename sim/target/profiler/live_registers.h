/* SPDX-License-Identifier: Apache-2.0 */
/* Live integer registers of a program's functions: those that may be read before they are
 * written from an address on.
 *
 * The sets are the smallest that the instructions allow, with these assumptions of the
 * psABI ("RISC-V Calling Conventions", integer calling convention):
 * - t0 to t6 are dead after a call through x1, and after a return through x1;
 * - a call through x1, or a jump to another function, reads what is live there. A
 * function of a library reads neither t0 nor t1, but t2 to t6 may have arguments (the
 * static chain; fastcc of LLVM);
 * - an indirect jump goes to such a function, or to one of the known targets within its
 *   own function, which are those of its jump tables;
 * - nothing is read after unimp, nor after an ebreak that is a function's last
 * instruction. All else is taken as live: at calls and returns through x5 or another
 * register, at jumps to what is no function, at instructions that are unknown, behind the
 * last function; at every instruction for an indirect jump if its targets are not known.
 * Instructions are decoded at all even addresses, so that data between them does no harm.
 * Needs nothing but the C library. */
#ifndef PROF_LIVE_REGISTERS_H
#define PROF_LIVE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
	PROF_T0 = 1 << 5,
	PROF_T1 = 1 << 6,
	PROF_LIVE_UNKNOWN = 1, /* in the place of x0: an instruction that is not
				  understood can follow, so that all registers are live */
};

struct prof_function {
	uint64_t address, size; /* address even; by address, apart */
	const uint8_t *code;	/* `size` bytes */
	/* Results: */
	uint32_t *live;	     /* of each 2 bytes: what is live there */
	bool jumps_to_entry; /* an instruction of its own branches or jumps (not: calls)
				to its first one */
	/* Of prof_find_live(): */
	bool depends;	 /* on other functions */
	uint32_t passes; /* that were needed */
};

struct prof_program {
	struct prof_function *functions;
	size_t count;
	/* Sorted addresses to which indirect jumps may go, besides functions; NULL: it is
	 * not known, and they may go to all instructions of their function. */
	const uint64_t *targets;
	size_t target_count;
	/* Jumps there go to functions of libraries: .plt, or empty. */
	uint64_t plt_start, plt_end;
	uint32_t *live; /* the memory of all functions' results */
};

/* Finds the live registers everywhere, with 4 bytes of memory for 2 of code, in a time
 * that is in proportion to its size. Returns TR_OK, with the results in the functions,
 * which prof_free_live() releases; or TR_E_NOMEM. In a function that is not done after a
 * limit of passes, which compilers' code does not reach, everything is live. */
enum tr_status prof_find_live(struct prof_program *program);
void prof_free_live(struct prof_program *program);

/* Returns the registers that are live at an address, bit i for xi, and PROF_LIVE_UNKNOWN.
 * Outside of all functions, and at odd addresses, all are. */
uint32_t prof_live_at(const struct prof_program *program, uint64_t address);

/* Returns the function that has `address`, or NULL. */
const struct prof_function *prof_function_at(const struct prof_program *program,
					     uint64_t address);

#endif
