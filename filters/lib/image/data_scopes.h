/* SPDX-License-Identifier: Apache-2.0 */
/* Where the variables of a function are, of those that are structures or point to one:
 * its own, those of its blocks and of calls that were inlined. For the child of
 * image_query.h. */
#ifndef TR_DATA_SCOPES_H
#define TR_DATA_SCOPES_H

#include "image/data_layouts.h"

enum data_home_kind {
	DATA_HOME_REGISTER, /* the register is in the structure, at `offset` */
	DATA_HOME_LATER,    /* the same from where the variable gets its value, which is
			     * not told: GCC has no list of a single location */
	DATA_HOME_POINTER,  /* at `offset` of the frame is a pointer to the structure */
	DATA_HOME_INSIDE,   /* at `offset` of the frame is the structure */
};

/* In [low, high). */
struct data_home {
	uint64_t low, high;
	int64_t offset;
	uint64_t size;	   /* of the variable; 0: not known */
	uint32_t layout;   /* TR_LAYOUT_NONE: something else is there */
	uint32_t variable; /* homes of one have the same number */
	uint8_t kind, reg;
	bool is_later; /* of the frame: it may have its value only later as well */
};

/* The return address of a call of the function's code, as the compiler tells it. */
struct data_call {
	uint64_t back;
	bool is_tail; /* a jump that does not come back */
};

struct data_scopes {
	struct tr_buffer homes; /* struct data_home */
	struct tr_buffer calls; /* struct data_call */
	bool has_lists;		/* of locations: the code is optimized */
	bool has_frame;		/* the frame of offsets: */
	int frame_register;	/* its address is this register; -1: the CFA */
};

/* Reads those of a function's DIE, into one that is all zero. */
void tr_data_scopes_read(struct data_scopes *s, struct tr_query *query,
			 struct data_layouts *layouts, uint64_t function);
void tr_data_scopes_release(struct data_scopes *s);

#endif
