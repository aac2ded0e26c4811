/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out that a log has the 32 bits that a compressed instruction expands to, in place
 * of its own 16: an instruction of 4 bytes that is no transfer of control, and the next
 * one 2 bytes after it. The bits then give neither the length of an instruction nor
 * the contents of memory, and are left out, except those without a compressed form. */
#ifndef TR_IMPORT_EXPANSION_H
#define TR_IMPORT_EXPANSION_H

#include "import/import_state.h"

/* All zero is before the first instruction. */
struct import_expansion {
	uint64_t pc, bits; /* of the instruction before */
	bool known;	   /* it is, and no trap came after it */
	bool is_found;
};

/* Looks at an instruction of the log's beginning. */
void tr_import_look_at_expansion(struct import_expansion *e,
				 const struct import_token *token);
/* Leaves out the token's bits if it is expanded, and finds that the one before was. */
void tr_import_expand(struct tr_import *im, struct import_expansion *e,
		      struct import_token *token);

/* Reports a token, without its bits if they may be expanded. */
static inline void tr_import_expanded_token(struct tr_import *im,
					    struct import_expansion *e,
					    struct import_token *token)
{
	if (e->is_found || token->pc == e->pc + 2)
		tr_import_expand(im, e, token);
	e->pc = token->pc;
	e->bits = token->bits;
	e->known = true;
	tr_import_token(im, token);
}

#endif
