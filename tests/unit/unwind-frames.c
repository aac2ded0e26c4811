/* SPDX-License-Identifier: Apache-2.0 */
/* Searches in the frames of a stack, and the traps that go with them. */
#include "check.h"
#include "unwind/stacks_frames.h"
#include "unwind/unwind_names.h"

enum { TOP = 0x1000, MIDDLE = 0xf00, LOW = 0xe00, PRIV = TR_PRIV_S };

/* A root; f, whose caller is unknown, has called g, in which a trap within the privilege
 * came; its handler, on the same sp, has called f again. */
static struct frame FRAMES[] = {
    {.kind = FRAME_ROOT, .sp = UINT64_MAX, .ret = NO_RETURN, .binary = TR_NOTE_UNKNOWN},
    {.kind = FRAME_FUNCTION,
     .sym = 1,
     .sp = TOP,
     .ret = NO_RETURN,
     .binary = TR_NOTE_UNKNOWN},
    {.kind = FRAME_FUNCTION,
     .sym = 2,
     .sp = MIDDLE,
     .ret = 0x100,
     .binary = TR_NOTE_UNKNOWN},
    {.kind = FRAME_TRAP,
     .sym = 3,
     .sp = LOW,
     .ret = NO_RETURN,
     .binary = TR_NOTE_UNKNOWN},
    {.kind = FRAME_FUNCTION,
     .sym = 1,
     .sp = LOW,
     .ret = 0x200,
     .binary = TR_NOTE_UNKNOWN},
};
static struct trap TRAPS[] = {
    {.frame = 3, .sp = LOW, .epc = 0x300, .from = PRIV, .priv = PRIV}};

static struct frames all;

static void begin_frames(void)
{
	all = (struct frames){.all = FRAMES, .traps = TRAPS, .depth = 5, .ntraps = 1};
}

static uint32_t find_return_to(uint64_t sp, uint64_t pc)
{
	return tr_frames_find_return(&all, sp, &(struct place){.pc = pc});
}

static void returns(void)
{
	begin_frames();
	CHECK_EQ(find_return_to(LOW, 0x200), 4);
	CHECK_EQ(find_return_to(LOW, 0x100), 5);
	CHECK_EQ(find_return_to(MIDDLE, 0x200), 5);
	tr_frames_drop(&all, 3);
	CHECK_EQ(find_return_to(MIDDLE, 0x100), 2);
}

static void functions(void)
{
	const struct place f = {.sym = 1}, g = {.sym = 2};
	begin_frames();
	CHECK_EQ(tr_frames_find_function(&all, 5, LOW, &f), 4);
	CHECK_EQ(tr_frames_find_function(&all, 5, LOW, &g), 5);
	CHECK_EQ(tr_frames_find_function(&all, 3, MIDDLE, &f), 1);
	CHECK_EQ(tr_frames_find_function(&all, 3, LOW, &f), 5);
	CHECK_EQ(tr_frames_find_interrupted(&all, LOW, &g), 2);
	CHECK_EQ(tr_frames_find_interrupted(&all, MIDDLE, &g), 5);
}

static void continuations(void)
{
	const struct trap *trap;
	begin_frames();
	CHECK(tr_frames_go_on(&all, PRIV, LOW, &(struct place){.pc = 0x200}, &trap));
	CHECK(trap == NULL);
	CHECK(tr_frames_go_on(&all, PRIV, LOW, &(struct place){.pc = 0x300}, &trap));
	CHECK(trap == &TRAPS[0]);
	CHECK(
	    !tr_frames_go_on(&all, TR_PRIV_U, LOW, &(struct place){.pc = 0x300}, &trap));
	CHECK(trap == NULL);
	/* What was called below sp is passed over, but not what was called above it. */
	CHECK(tr_frames_go_on(&all, PRIV, MIDDLE, &(struct place){.pc = 0x100}, &trap));
	CHECK(!tr_frames_go_on(&all, PRIV, LOW, &(struct place){.pc = 0x100}, &trap));
}

static void drops(void)
{
	begin_frames();
	CHECK_EQ(tr_frames_count_above(&all, LOW), 3);
	CHECK_EQ(tr_frames_count_above(&all, LOW - 1), 5);
	tr_frames_drop(&all, 4);
	CHECK_EQ(frames_trap_count(&all), 1);
	all.deep = LOW;
	tr_frames_drop(&all, 3);
	CHECK_EQ(frames_depth(&all), 3);
	CHECK_EQ(frames_trap_count(&all), 0);
	CHECK_EQ(frames_deep_sp(&all), 0);
}

static void moves(void)
{
	static struct frame copies[] = {
	    {.kind = FRAME_ROOT, .sp = UINT64_MAX},
	    {.kind = FRAME_FUNCTION, .sp = TOP},
	    {.kind = FRAME_SIGNAL, .sp = LOW, .signal = MIDDLE},
	    {.kind = FRAME_SIGNAL, .sp = LOW},
	};
	struct frames moved = {.all = copies, .depth = 4};
	tr_frames_add_sp(&moved, 0x10);
	CHECK_EQ(frame_sp(&copies[0]), UINT64_MAX);
	CHECK_EQ(frame_sp(&copies[1]), TOP + 0x10);
	CHECK_EQ(frame_interrupted_sp(&copies[2]), MIDDLE + 0x10);
	CHECK_EQ(frame_interrupted_sp(&copies[3]), 0); /* unknown */
	tr_frames_set_sp(&moved, LOW);
	CHECK_EQ(frame_sp(&copies[0]), UINT64_MAX);
	CHECK_EQ(frame_sp(&copies[1]), LOW);
}

static void copies(void)
{
	struct unwind_status status = {0};
	struct frames copy = {0};
	begin_frames();
	CHECK(tr_frames_copy(&status, &copy, &(struct frames){0}));
	CHECK(tr_frames_copy(&status, &copy, &all));
	CHECK(tr_frames_copy(&status, &copy, &all));
	CHECK_EQ(frames_depth(&copy), 10);
	CHECK_EQ(frames_trap_count(&copy), 0);
	CHECK_EQ(frame_sym(frames_nth(&copy, 7)), 2);
	CHECK(tr_frames_room(&copy) >= 10);
	tr_frames_free(&copy);
}

int main(void)
{
	returns();
	functions();
	continuations();
	drops();
	moves();
	copies();
	return check_done();
}
