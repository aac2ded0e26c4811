/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for code that call frame information does not tell of, or not rightly. */
#ifndef TRUTH_HAND_H
#define TRUTH_HAND_H

#include "code.h"
#include "walk.h"

enum { HAND_RULES = 64 };

/* A name that ends with '*' stands for all that begin so. */
struct hand_rule {
	const char *binary; /* NULL: any */
	const char *function;
	enum left (*leave)(struct unwinding *u);
	const char *text;
};

/* By the rules for the firmware and for any code, then by the system's. */
enum left hand_leave(struct unwinding *u);
/* The rules, and how often each was used. */
void hand_print(const struct walk_system *system, FILE *out);

/* Parts of rules. */
struct op hand_here(const struct unwinding *u);
/* Whether an instruction like this stands in the function before this one; reg 0:
 * any. */
bool hand_is_past(const struct unwinding *u, enum op_kind kind, unsigned reg);
/* Privilege that the present trap handler returns to. */
unsigned hand_previous(const struct unwinding *u);
/* r but for its pc is that of the interrupted code; the rest stands in CSRs. */
enum left hand_leave_by_csr(struct unwinding *u, uint64_t cause);
/* For the frame in target/frame.h: t0 to t3 are used as soon as all registers have their
 * copies in it. */
bool hand_take_copies(struct unwinding *u);
/* ra and sp as at the call. */
enum left hand_leaf(struct unwinding *u);
/* ra as at the call; sp and what is saved by following the code. */
enum left hand_by_code(struct unwinding *u);

#endif
