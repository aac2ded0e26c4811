/* SPDX-License-Identifier: Apache-2.0 */
/* Hand rules for code whose call frame information is missing or wrong. */
#ifndef TRUTH_HAND_H
#define TRUTH_HAND_H

#include "code.h"
#include "walk.h"

enum { HAND_RULES = 96 };

/* A name ending in '*' matches all names with that prefix. */
struct hand_rule {
	const char *binary; /* NULL: any */
	const char *function;
	enum left (*leave)(struct unwinding *u);
	const char *text;
};

/* Applies the rules for the firmware and for any code, then the system's. */
enum left hand_leave(struct unwinding *u);
/* Prints the rules, and how often each was used. */
void hand_print(const struct walk_system *system, FILE *out);

/* Building blocks of rules. */
struct op hand_here(const struct unwinding *u);
/* Returns whether such an instruction precedes the current one in the function; reg 0:
 * any. */
bool hand_is_past(const struct unwinding *u, enum op_kind kind, unsigned reg);
/* Returns the privilege to which the current trap handler returns. */
unsigned hand_previous(const struct unwinding *u);
/* r, except its pc, is that of the interrupted code; the other state is in CSRs. */
enum left hand_leave_by_csr(struct unwinding *u, uint64_t cause);
/* Returns whether the function is a stub of the procedure linkage table. */
bool hand_is_stub(const struct unwinding *u);
/* For the frame in target/frame.h: t0 to t3 are used once all registers have been saved
 * in it. */
bool hand_take_copies(struct unwinding *u);
/* ra and sp are those at the call. */
enum left hand_leaf(struct unwinding *u);
/* ra is that at the call; sp and saved registers are found by following the code. */
enum left hand_by_code(struct unwinding *u);

#endif
