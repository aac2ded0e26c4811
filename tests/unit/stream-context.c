/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of event changes only its own fields of a context. */
#include "check.h"
#include "stream/reader.h"

/* All other bytes of the event are 4; as a register, that would be tp. */
static struct tr_context after(uint16_t kind)
{
	struct tr_context context = {.satp = 1, .tp = 2, .space = 3, .priv = 5};
	struct tr_event event;
	memset(&event, 4, sizeof(event));
	event.kind = kind;
	tr_context_apply(&context, &event);
	return context;
}

static void check(uint16_t kind, struct tr_context want)
{
	struct tr_context is = after(kind);
	CHECK_EQ(is.satp, want.satp);
	CHECK_EQ(is.tp, want.tp);
	CHECK_EQ(is.space, want.space);
	CHECK_EQ(is.priv, want.priv);
	CHECK_EQ(is.hgatp, want.hgatp);
}

int main(void)
{
	const uint64_t value = UINT64_C(0x0404040404040404);
	const struct tr_context same = {.satp = 1, .tp = 2, .space = 3, .priv = 5};
	struct tr_context priv = same, satp = same, space = same, tp = same, hgatp = same;
	priv.priv = 4;
	satp.satp = value;
	satp.space = space.space = (uint32_t)value;
	tp.tp = hgatp.hgatp = value;
	check(TR_EV_TRAP, priv);
	check(TR_EV_XRET, priv);
	check(TR_EV_PRIV, priv);
	check(TR_EV_SATP, satp);
	check(TR_EV_SPACE, space);
	check(TR_EV_REG, tp);
	check(TR_EV_HGATP, hgatp);
	check(TR_EV_GAP, same);
	check(TR_EV_TRIGGER, same);
	check(TR_EV_COUNTERS, same);
	check(TR_EV_MARK, same);
	return check_done();
}
