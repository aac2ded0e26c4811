/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces end with a new life of their satp, or when they are the oldest of too many. */
#include "unwind-parts.h"
#include "unwind/unwind_spaces.h"

static struct unwind_status status;

static bool has_object(const struct tr_spaces *spaces, uint32_t number, uint32_t nth,
		       uint32_t binary, uint64_t bias)
{
	struct space_object object;
	return tr_spaces_object(spaces, number, nth, &object) &&
	       object.binary == binary && object.bias == bias;
}

static void found(struct tr_spaces *spaces, uint32_t number, uint32_t binary,
		  uint64_t bias)
{
	const struct space_object object = {bias, binary};
	tr_spaces_found(spaces, number, &object);
}

static uint32_t see_user(struct tr_spaces *spaces, uint64_t satp, uint32_t space)
{
	return tr_spaces_see(
	    spaces,
	    &(struct tr_context){.satp = satp, .space = space, .priv = TR_PRIV_U});
}

/* The latest first, and at last the one that was found first. */
static void objects(struct tr_spaces *spaces)
{
	struct space_object home;
	found(spaces, 7, 1, 0x1000);
	CHECK(!tr_spaces_home(spaces, 7, &home)); /* no list */
	*tr_spaces_list(spaces, 7) = 5;
	CHECK_EQ(*tr_spaces_list(spaces, 7), 5);
	CHECK(!tr_spaces_home(spaces, 7, &home));
	CHECK(!has_object(spaces, 7, 0, 1, 0x1000));
	found(spaces, 7, 1, 0x1000);
	found(spaces, 7, 2, 0x2000);
	found(spaces, 7, 1, 0x1000);
	CHECK(has_object(spaces, 7, 0, 1, 0x1000));
	CHECK(has_object(spaces, 7, 1, 2, 0x2000));
	CHECK(has_object(spaces, 7, 2, 1, 0x1000));
	CHECK(!tr_spaces_object(spaces, 7, 3, &home));
	for (uint32_t i = 10; i < 10 + SPACE_OBJECTS; i++)
		found(spaces, 7, i, 0);
	CHECK(has_object(spaces, 7, 0, 9 + SPACE_OBJECTS, 0));
	CHECK(has_object(spaces, 7, SPACE_OBJECTS - 1, 10, 0));
	CHECK(has_object(spaces, 7, SPACE_OBJECTS, 1, 0x1000));
	CHECK(tr_spaces_home(spaces, 7, &home) && home.binary == 1);
	tr_spaces_clear(spaces);
	CHECK_EQ(*tr_spaces_list(spaces, 7), SPACE_LIST_END);
	tr_spaces_clear(spaces);
}

static void lives(struct tr_spaces *spaces)
{
	*tr_spaces_list(spaces, 10) = 100;
	*tr_spaces_list(spaces, 11) = 110;
	CHECK_EQ(see_user(spaces, 1, 10), SPACE_LIST_END);
	CHECK_EQ(see_user(spaces, 2, 11), SPACE_LIST_END);
	CHECK_EQ(see_user(spaces, 1, 10), SPACE_LIST_END);
	/* Neither a space of the kernel nor an older one ends it. */
	CHECK_EQ(
	    tr_spaces_see(
		spaces, &(struct tr_context){.satp = 1, .space = 12, .priv = TR_PRIV_S}),
	    SPACE_LIST_END);
	CHECK_EQ(see_user(spaces, 1, 9), SPACE_LIST_END);
	CHECK_EQ(see_user(spaces, 1, 0), SPACE_LIST_END);
	CHECK_EQ(see_user(spaces, 1, 12), 100);
	CHECK_EQ(*tr_spaces_list(spaces, 10), SPACE_LIST_END);
	CHECK_EQ(*tr_spaces_list(spaces, 11), 110);
	tr_spaces_clear(spaces);
}

static void oldest(struct tr_spaces *spaces)
{
	struct tr_unwind_totals totals = {0};
	uint32_t first = 0;
	CHECK(!tr_spaces_sort(spaces));
	*tr_spaces_list(spaces, TR_SPACE_SUPERVISOR) = 1;
	for (uint32_t i = 20; i < 24; i++)
		*tr_spaces_list(spaces, i) = 10 * i;
	*tr_spaces_list(spaces, TR_SPACE_MACHINE) = 2;
	see_user(spaces, 50, 20);
	CHECK(tr_spaces_sort(spaces));
	for (uint32_t i = 21; i < 24; i++) {
		CHECK(tr_spaces_drop_oldest(spaces, &first));
		CHECK_EQ(first, 10 * i);
	}
	/* The latest, and those of kernel and firmware. */
	CHECK(!tr_spaces_drop_oldest(spaces, &first));
	CHECK_EQ(*tr_spaces_list(spaces, 20), 200);
	CHECK_EQ(*tr_spaces_list(spaces, TR_SPACE_SUPERVISOR), 1);
	CHECK_EQ(*tr_spaces_list(spaces, TR_SPACE_MACHINE), 2);
	tr_spaces_add_totals(spaces, &totals);
	CHECK_EQ(totals.spaces_forgotten, 3);
}

/* One satp after the other, for ever: those that ended leave nothing. */
static void many_lives(struct tr_spaces *spaces)
{
	for (uint32_t i = 100; i < 20000; i++) {
		*tr_spaces_list(spaces, i) = i;
		CHECK_EQ(see_user(spaces, 9, i), i > 100 ? i - 1 : SPACE_LIST_END);
	}
}

int main(void)
{
	struct tr_spaces *spaces = tr_spaces_new(&status);
	if (!CHECK(spaces))
		return check_done();
	objects(spaces);
	lives(spaces);
	oldest(spaces);
	many_lives(spaces);
	CHECK_EQ(status.first, TR_OK);
	tr_spaces_free(spaces);
	tr_spaces_free(NULL);
	return check_done();
}
