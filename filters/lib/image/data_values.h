/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the values in registers, and how instructions change it. For
 * image/data_flow.h. */
#ifndef TR_DATA_VALUES_H
#define TR_DATA_VALUES_H

#include "image/data_layouts.h"
#include "image/data_steps.h"

enum { DATA_REGISTERS = 32, DATA_A0 = 10 };

enum data_value_kind {
	DATA_VALUE_NONE, /* not known */
	DATA_VALUE_POINTER,
	DATA_VALUE_SCALED,   /* a multiple of another value, or a constant */
	DATA_VALUE_CONFLICT, /* of variables that contradict each other */
};

struct data_value {
	uint8_t kind;
	bool is_array;	 /* of a pointer: to an element of an array of structures */
	uint32_t layout; /* of a pointer; of a multiple, the number of the instruction
			  * that the other value is named after, 0: it is 1 */
	int64_t offset;	 /* of a pointer, from the structure; of a multiple, the factor */
};

struct data_state {
	struct data_value x[DATA_REGISTERS];
};

/* An instruction with what variables say of it. */
struct data_insn {
	struct data_step step;
	uint32_t number;	   /* from 1 */
	uint32_t returned;	   /* layout of what a call returns a pointer to */
	struct data_value loaded;  /* from a variable of the frame */
	struct data_value defined; /* of the variable that the register gets */
};

/* Makes a value what another variable says as well: of two structures of which one is in
 * the other, the outer one. */
void tr_data_value_add(struct data_layouts *l, struct data_value *to,
		       const struct data_value *more);
/* Makes a value what it is on another path as well, and returns whether that changed it.
 * `is_back`: the path is a loop's. */
bool tr_data_value_join(const struct data_layouts *l, struct data_value *to,
			const struct data_value *more, bool is_back);
/* Puts variables over what was followed. */
void tr_data_state_overlay(const struct data_layouts *l, struct data_state *state,
			   const struct data_state *facts);
/* Executes an instruction. */
void tr_data_state_step(struct data_layouts *l, struct data_state *state,
			const struct data_insn *insn);
/* Returns true if calls may change a register. */
bool tr_data_is_changed_by_call(unsigned reg);

#endif
