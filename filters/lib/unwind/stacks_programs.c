/* SPDX-License-Identifier: Apache-2.0 */
/* Programs for sources that report neither satp nor sp. tr-match has one answer for all
 * programs that share an address. Here a process continues with the program that it was
 * running, and another program begins where an xret leads to the entry point of its
 * file. */
#include "unwind/stacks.h"

bool tr_program_is_user(const struct tr_unwind *u, uint8_t priv, const struct pair *match)
{
	if (options_of(u)->has_priv)
		return tr_mode_is_user(tr_mode_of(priv));
	return tr_binaries_role(binaries_of(u), match->binary) == TR_UNWIND_USER;
}

const struct pair *tr_program_pair(struct tr_unwind *u, uint32_t binary, uint8_t priv,
				   const struct pair *match)
{
	if (options_of(u)->has_satp || options_of(u)->has_sp ||
	    binary == TR_NOTE_UNKNOWN || !tr_program_is_user(u, priv, match))
		return match;
	return tr_pairs_of_program(pairs_of(u), binary, match);
}

bool tr_program_begins(const struct tr_unwind *u, uint64_t pc)
{
	return tr_binaries_entered(binaries_of(u), pc) != TR_NOTE_UNKNOWN;
}

void tr_program_choose(struct tr_unwind *u, struct hart *h, const struct pair *match)
{
	uint32_t binary;
	if (options_of(u)->has_satp || options_of(u)->has_sp ||
	    !tr_program_is_user(u, hart_priv(h), match))
		return;
	binary = tr_inferred_binary(u, h, match->pc);
	if (binary == TR_NOTE_UNKNOWN)
		binary = tr_binaries_entered(binaries_of(u), match->pc);
	if (binary != TR_NOTE_UNKNOWN)
		hart_set_binary(h, binary);
}
