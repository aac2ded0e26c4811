/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of functions. */
#include "flame/tint.h"

#include <string.h>

/* Returns the tint of a binary's role. tr-match writes "bin.0.name" and "bin.0.role". */
static uint8_t role_tint(const struct tr_header *header, const char *binary)
{
	const char *name;
	uint32_t n = 0;
	while ((name = tr_header_bin(header, n, ".name")) && strcmp(name, binary) != 0)
		n++;
	const char *role = tr_header_bin(header, n, ".role");
	if (!name || !role)
		return TR_TINT_CODE;
	if (strcmp(role, "firmware") == 0)
		return TR_TINT_FIRMWARE;
	if (strcmp(role, "kernel") == 0)
		return TR_TINT_KERNEL;
	return strcmp(role, "user") == 0 ? TR_TINT_USER : TR_TINT_CODE;
}

uint8_t tr_tint_of(const void *header, const struct tr_func *func)
{
	if (func->kind == TR_FRAME_PROGRAM)
		return TR_TINT_PROGRAM;
	if (func->kind != TR_FRAME_FUNCTION && func->kind != TR_FRAME_INLINED &&
	    func->kind != TR_FRAME_LINE)
		return TR_TINT_OTHER;
	return role_tint(header, func->binary);
}
