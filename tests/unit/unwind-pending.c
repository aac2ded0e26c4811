/* SPDX-License-Identifier: Apache-2.0 */
/* A pending write of sp keeps the first value and the last ones. */
#include "check.h"
#include "unwind/unwind_pending.h"

enum { BEFORE = 0x1000, NOW = 0x5000 };

static struct pending write;

static void check_values(uint64_t newest, uint64_t second, uint64_t third)
{
	CHECK_EQ(tr_pending_value(&write, 0, NOW), newest);
	CHECK_EQ(tr_pending_value(&write, 1, NOW), second);
	CHECK_EQ(tr_pending_value(&write, 2, NOW), third);
	CHECK_EQ(tr_pending_value(&write, 3, NOW), NOW);
}

static void values(void)
{
	tr_pending_begin(&write, BEFORE, false);
	CHECK_EQ(pending_count(&write), 0);
	check_values(NOW, NOW, NOW);
	tr_pending_add(&write, 1);
	tr_pending_add(&write, 2);
	CHECK_EQ(pending_count(&write), 2);
	check_values(2, 1, NOW);
	for (uint64_t value = 3; value < 8; value++)
		tr_pending_add(&write, value);
	CHECK_EQ(pending_count(&write), PENDING_VALUES);
	check_values(7, 6, 1);
	pending_set_before(&write, BEFORE + 8);
	CHECK_EQ(pending_before(&write), BEFORE + 8);
	check_values(7, 6, 1);
}

static void transfers(void)
{
	tr_pending_begin(&write, BEFORE, true);
	CHECK(pending_floats(&write));
	CHECK(!pending_was_transferred(&write));
	pending_transfer(&write, false);
	CHECK(pending_was_transferred(&write));
	CHECK(!pending_has_jumped(&write));
	pending_transfer(&write, true);
	pending_transfer(&write, false);
	CHECK(pending_has_jumped(&write));
	tr_pending_begin(&write, BEFORE, false);
	CHECK(!pending_floats(&write));
	CHECK(!pending_was_transferred(&write));
	CHECK(!pending_has_jumped(&write));
	CHECK_EQ(pending_before(&write), BEFORE);
}

int main(void)
{
	values();
	transfers();
	return check_done();
}
