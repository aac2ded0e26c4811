/* SPDX-License-Identifier: Apache-2.0 */
/* How far upcoming returns match the frames of a stack. */
#include "check.h"
#include "unwind/stacks_ahead.h"

#define RETURN(to)                                                                       \
	{                                                                                \
		.pc = (to)                                                               \
	}
#define XRET(to)                                                                         \
	{                                                                                \
		.pc = (to), .is_xret = true                                              \
	}
enum { EPC = 0x1308, SIGNAL = 0x1400 };

/* main, whose caller is unknown, has called foo, which has called bar. */
static struct frame USER[] = {
    {.kind = FRAME_ROOT, .ret = NO_RETURN},
    {.kind = FRAME_FUNCTION, .ret = NO_RETURN},
    {.kind = FRAME_FUNCTION, .ret = 0x1108},
    {.kind = FRAME_FUNCTION, .ret = 0x1208},
};
/* A trap there: its handler, on a stack of its own, has called a function. */
static struct frame KERNEL[] = {
    {.kind = FRAME_TRAP, .ret = NO_RETURN},
    {.kind = FRAME_FUNCTION, .ret = NO_RETURN},
    {.kind = FRAME_FUNCTION, .ret = 0x9008},
};
static struct trap TRAP[] = {{.epc = EPC, .frame = 0}};
static struct stack below = {.frames = {.all = USER, .depth = 4}};
static const struct frames none = {.depth = 0};
static const struct frames handlers = {
    .all = KERNEL, .traps = TRAP, .depth = 3, .ntraps = 1};

static const struct left user = {.frames = &below.frames, .depth = 4};
static const struct left empty = {.frames = &none};
static const struct left kernel = {
    .frames = &handlers, .depth = 3, .ntraps = 1, .below = &below};

#define CHECK_SCORE(left, want, ...)                                                     \
	do {                                                                             \
		const struct ahead_step steps[] = {__VA_ARGS__};                         \
		struct ahead ahead = {.count = sizeof(steps) / sizeof(*steps)};          \
		memcpy(ahead.steps, steps, sizeof(steps));                               \
		CHECK_EQ(tr_ahead_score(&ahead, left), want);                            \
	} while (0)

static void returns(void)
{
	CHECK_SCORE(&user, 2, RETURN(0x1208), RETURN(0x1108));
	CHECK_SCORE(&user, -1, RETURN(0x1108));
	CHECK_SCORE(&user, -1, RETURN(0x1208), RETURN(0x1110));
	/* Unknown frames match anything. */
	CHECK_SCORE(&user, 2, RETURN(0x1208), RETURN(0x1108), RETURN(0x1008));
	CHECK_SCORE(&empty, 0, RETURN(0x1208));
}

static void traps(void)
{
	CHECK_SCORE(&user, 1, RETURN(0x1208), XRET(EPC), RETURN(0x1108));
	CHECK_SCORE(&kernel, 4, RETURN(0x9008), XRET(EPC), RETURN(0x1208),
		    RETURN(0x1108));
	CHECK_SCORE(&kernel, 2, RETURN(0x9008), XRET(EPC + 4), RETURN(0x1110));
	CHECK_SCORE(&kernel, -1, XRET(SIGNAL));
	/* A signal, whose own returns are no evidence, and then the interrupted code. */
	CHECK_SCORE(&kernel, 3, RETURN(0x9008), XRET(SIGNAL), RETURN(0x1500), XRET(EPC),
		    RETURN(0x1208));
}

int main(void)
{
	returns();
	traps();
	return check_done();
}
