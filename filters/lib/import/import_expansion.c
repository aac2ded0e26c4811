/* SPDX-License-Identifier: Apache-2.0 */
/* Logs in which compressed instructions are expanded. */
#include "import/import_expansion.h"

#include "stream/decode.h"
#include "stream/insn.h"

static bool shows_expansion(const struct import_expansion *e,
			    const struct import_token *token)
{
	const uint8_t code[] = {(uint8_t)e->bits, (uint8_t)(e->bits >> 8),
				(uint8_t)(e->bits >> 16), (uint8_t)(e->bits >> 24)};
	return e->known && token->pc == e->pc + 2 && (e->bits & 3) == 3 &&
	       tr_decode_flow(code, 4, 64) == TR_FLOW_NEXT;
}

void tr_import_look_at_expansion(struct import_expansion *e,
				 const struct import_token *token)
{
	e->is_found |= shows_expansion(e, token);
	e->pc = token->pc;
	e->bits = token->bits;
	e->known = true;
}

static bool has_no_compressed_form(uint64_t bits)
{
	return tr_insn_opcode(bits) == TR_OPCODE_SYSTEM && bits != TR_INSN_EBREAK;
}

void tr_import_expand(struct tr_import *im, struct import_expansion *e,
		      struct import_token *token)
{
	if (!e->is_found && token->has_bits && shows_expansion(e, token)) {
		e->is_found = true;
		tr_import_drop_bits(im, token->hart);
	}
	if (e->is_found && !has_no_compressed_form(token->bits))
		token->has_bits = false;
}
