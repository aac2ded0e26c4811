/* SPDX-License-Identifier: Apache-2.0 */
/* What counting costs a call, in cycles: those from the jump at the entry to the first
 * instruction of the program that commits after the stub, less one for that instruction
 * and one for each of the stub between its amoadd and its jump back, which the program
 * has in any case. Calls that a trap interrupts meanwhile are only counted. */
#ifndef STUB_COSTS_H
#define STUB_COSTS_H

#include <stdio.h>

#include "process_lives.h"
#include "stream/reader.h"

enum { COSTS = 1 << 16 }; /* a call that takes longer counts as this less one */
enum stub_kind { STUB_NEAR, STUB_FAR, STUB_KINDS };
struct stub_costs {
	uint64_t calls[STUB_KINDS], cycles[STUB_KINDS];
	uint64_t interrupted;
	uint64_t of_cost[STUB_KINDS][COSTS]; /* calls, by cycles */
};

/* A call that is between its entry and the program's next instruction. */
struct costed_call {
	bool is_open, is_counted;
	enum stub_kind kind;
	uint64_t entry; /* its address */
	uint64_t cycles;
	unsigned after;	  /* instructions after the amoadd */
	uint32_t last[2]; /* of these, the last but one and the last */
};

/* Follows a task's calls through the tokens of a row. */
void follow_stub_calls(struct stub_costs *costs, struct costed_call *call,
		       const struct placed_program *placed, const struct tr_token *tokens,
		       unsigned count);
void interrupt_stub_call(struct stub_costs *costs, struct costed_call *call);
/* Prints a line for each kind: its calls, their cycles, the least, the median and the
 * most cycles of a call, and how many calls of both kinds were interrupted. */
void print_stub_costs(const struct stub_costs *costs, const char *program, FILE *file);

#endif
