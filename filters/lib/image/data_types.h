/* SPDX-License-Identifier: Apache-2.0 */
/* Members of structures that instructions access by pointers, by the DWARF of the file:
 * what the base register points to, by a variable that is in it or by the code before
 * (image/data_flow.h). */
#ifndef TR_DATA_TYPES_H
#define TR_DATA_TYPES_H

#include "base/status.h"
#include "image/image.h"

enum tr_data_evidence {
	TR_EVIDENCE_NONE,
	TR_EVIDENCE_SYMBOL,   /* a symbol is at the address */
	TR_EVIDENCE_POINTER,  /* the register has a variable at the instruction */
	TR_EVIDENCE_FOLLOWED, /* it was derived from one */
};

/* An instruction that accesses memory, as it was executed. */
struct tr_data_question {
	uint64_t address; /* in the file */
	bool is_load, is_store;
	uint8_t size; /* bytes */
};

struct tr_data_types;

/* Answers questions, ascending by address, in a child process. Returns TR_OK, also for a
 * file without DWARF, which has no answers, or TR_E_NOMEM. The questions stay the
 * caller's. */
int tr_data_types_open(struct tr_data_types **types, const struct tr_image *image,
		       const struct tr_data_question *questions, size_t count);
void tr_data_types_close(struct tr_data_types *types);
/* Returns the name of the member that question `i` is of, "struct node.next", and how it
 * is known; NULL if it is not. */
const char *tr_data_types_get(const struct tr_data_types *types, size_t i,
			      enum tr_data_evidence *evidence);
/* Returns why the DWARF of a file that has some could not be read, or "". */
const char *tr_data_types_message(const struct tr_data_types *types);

#endif
