/* SPDX-License-Identifier: Apache-2.0 */
/* Which structures the registers of a function point to, at each of its instructions: by
 * the variables that are in them there, and by what the code derives from these. For the
 * child of image_query.h.
 *
 * From a known pointer the code is followed forwards through copies, constants that are
 * added, loads of a pointer that is a member or a variable of the frame, and returns of
 * functions whose type is known; where paths meet they must agree. A pointer that a loop
 * advances by its structure's size, or a multiple, points to an array of them. Anything
 * else is not known. Nothing is followed in a function with a jump whose targets its code
 * does not show, such as that of a switch by a table. */
#ifndef TR_DATA_FLOW_H
#define TR_DATA_FLOW_H

#include "image/data_layouts.h"
#include "image/image.h"

struct data_flow;

/* What the base register of an access points to. */
struct data_base {
	uint32_t layout;
	int64_t offset;	  /* of the access from the structure's beginning */
	bool is_array;	  /* of structures; the offset is in any of them */
	bool is_variable; /* the register has a variable at this instruction */
	bool is_store, is_atomic;
	uint8_t size; /* bytes */
};

/* The image is that of the query's file. Returns NULL when out of memory;
 * tr_data_flow_free() accepts NULL. */
struct data_flow *tr_data_flow_new(struct tr_query *query, struct data_layouts *layouts,
				   const struct tr_image *image);
void tr_data_flow_free(struct data_flow *f);
/* Returns true if memory has run out. */
bool tr_data_flow_failed(const struct data_flow *f);
/* Finds the base of the access at an address. Addresses are best asked for in ascending
 * order, since one function is kept. Returns false if it is not known. */
bool tr_data_flow_at(struct data_flow *f, uint64_t pc, struct data_base *base);

#endif
