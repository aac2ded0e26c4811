/* SPDX-License-Identifier: Apache-2.0 */
/* Colours: code of all kinds is coloured by the role of its binary, including inlined
 * code. */
#include "check.h"
#include "flame/tint.h"

static uint8_t tint(const struct tr_header *header, uint8_t kind, const char *binary)
{
	const struct tr_func func = {.name = "f", .binary = binary, .kind = kind};
	return tr_tint_of(header, &func);
}

int main(void)
{
	static const uint8_t code[] = {TR_FRAME_FUNCTION, TR_FRAME_INLINED,
				       TR_FRAME_LINE};
	struct tr_header *header = tr_header_new();
	CHECK_EQ(tr_header_set(header, "bin.0.name", "prog"), TR_OK);
	CHECK_EQ(tr_header_set(header, "bin.0.role", "user"), TR_OK);
	CHECK_EQ(tr_header_set(header, "bin.1.name", "vmlinux"), TR_OK);
	CHECK_EQ(tr_header_set(header, "bin.1.role", "kernel"), TR_OK);
	CHECK_EQ(tr_header_set(header, "bin.2.name", "any"), TR_OK);
	for (unsigned i = 0; i < sizeof(code); i++) {
		CHECK_EQ(tint(header, code[i], "prog"), TR_TINT_USER);
		CHECK_EQ(tint(header, code[i], "vmlinux"), TR_TINT_KERNEL);
		CHECK_EQ(tint(header, code[i], "any"), TR_TINT_CODE);
		CHECK_EQ(tint(header, code[i], ""), TR_TINT_CODE);
	}
	CHECK_EQ(tint(header, TR_FRAME_PROGRAM, "prog"), TR_TINT_PROGRAM);
	CHECK_EQ(tint(header, TR_FRAME_TRAP, ""), TR_TINT_OTHER);
	CHECK_EQ(tint(header, TR_FRAME_UNKNOWN, "prog"), TR_TINT_OTHER);
	tr_header_free(header);
	return check_done();
}
