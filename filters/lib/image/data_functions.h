/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by the addresses of their code, and what calls of them return. For the child
 * of image_query.h. */
#ifndef TR_DATA_FUNCTIONS_H
#define TR_DATA_FUNCTIONS_H

#include "image/image_query.h"

struct data_functions;

/* A call of a function, by its DIE or that of its declaration. */
struct data_callee {
	uint64_t type; /* of what it returns; 0: void, or not known */
	bool is_noreturn;
};

/* Returns NULL when out of memory; tr_data_functions_free() accepts NULL. */
struct data_functions *tr_data_functions_new(struct tr_query *query);
void tr_data_functions_free(struct data_functions *f);
/* Returns the DIE of the function whose code is at an address, 0: none, or several. */
uint64_t tr_data_functions_at(const struct data_functions *f, uint64_t pc);
/* Finds range `i` of a function's code, ascending. Returns false from their number on. */
bool tr_data_functions_range(const struct data_functions *f, uint64_t die, size_t i,
			     uint64_t *low, uint64_t *high);
/* Returns what is known of a call of the code at an address. */
struct data_callee tr_data_functions_call(const struct data_functions *f,
					  uint64_t address);
/* Returns true if a function begins at an address. */
bool tr_data_functions_is_entry(const struct data_functions *f, uint64_t address);

#endif
