/* SPDX-License-Identifier: Apache-2.0 */
/* Roles, entry points and places of binaries, also of numbers that are no binary's. */
#include "unwind-parts.h"
#include "unwind/unwind_binaries.h"

int main(void)
{
	struct tr_binaries *b = tr_binaries_new(&part_options);
	if (!CHECK(b))
		return check_done();
	CHECK_EQ(tr_binaries_role(b, 0), TR_UNWIND_USER);
	CHECK_EQ(tr_binaries_role(b, 1), TR_UNWIND_ANY);
	CHECK_EQ(tr_binaries_role(b, 3), TR_UNWIND_ANY);
	CHECK_EQ(tr_binaries_role(b, TR_NOTE_UNKNOWN), TR_UNWIND_ANY);

	CHECK_EQ(tr_binaries_entered(b, 0x1000), 0);
	tr_binaries_place(b, 0, 0x5000);
	tr_binaries_place(b, TR_NOTE_UNKNOWN, 0x5000);
	CHECK_EQ(tr_binaries_entered(b, 0x1000), TR_NOTE_UNKNOWN);
	CHECK_EQ(tr_binaries_entered(b, 0x6000), 0);
	CHECK_EQ(tr_binaries_address(b, 0, 0x6008), 0x1008);
	CHECK_EQ(tr_binaries_address(b, 1, 0x6008), 0x6008);
	CHECK_EQ(tr_binaries_address(b, 3, 0x6008), 0x6008);
	/* Neither a kernel nor a file without an entry point is entered. */
	CHECK_EQ(tr_binaries_entered(b, 0), TR_NOTE_UNKNOWN);
	CHECK_EQ(tr_binaries_entered(b, 0xffffffff80000000), TR_NOTE_UNKNOWN);

	CHECK(tr_binaries_are_above(b, 0x1000));
	CHECK(!tr_binaries_are_above(b, 0xffffffff81000000));
	tr_binaries_place(b, 2, -UINT64_C(0xffffffff00000000));
	CHECK(!tr_binaries_are_above(b, 0x1000));
	tr_binaries_free(b);

	b = tr_binaries_new(&(struct tr_unwind_options){.xlen = 64});
	CHECK_EQ(tr_binaries_role(b, 0), TR_UNWIND_ANY);
	CHECK_EQ(tr_binaries_entered(b, 0), TR_NOTE_UNKNOWN);
	CHECK(!tr_binaries_are_above(b, 0x1000));
	tr_binaries_free(b);

	/* A user program without an entry point begins nowhere. */
	b = tr_binaries_new(
	    &(struct tr_unwind_options){.roles = part_roles, .nprograms = 1});
	CHECK_EQ(tr_binaries_role(b, 0), TR_UNWIND_USER);
	CHECK_EQ(tr_binaries_entered(b, 0), TR_NOTE_UNKNOWN);
	tr_binaries_free(b);
	tr_binaries_free(NULL);
	return check_done();
}
