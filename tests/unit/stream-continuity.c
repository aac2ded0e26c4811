/* SPDX-License-Identifier: Apache-2.0 */
/* What can follow a block, and traps that no event tells. */
#include "stream/continuity.h"

#include "check.h"

static struct tr_exits exits_of(uint64_t pc, unsigned xlen, unsigned tokens,
				const char *code, unsigned bytes)
{
	const struct tr_block block = {.pc = pc,
				       .code = (const uint8_t *)code,
				       .tokens = (uint16_t)tokens,
				       .bytes = (uint16_t)bytes};
	return tr_block_exits(&block, xlen);
}

static void check_exits(void)
{
	struct tr_exits e = exits_of(0x100, 64, 2, "\x41\x11\x13\0\0\0", 6);
	CHECK_EQ(e.pc, 0x100);
	CHECK_EQ(e.last, 0x102);
	CHECK_EQ(e.next, 0x106);
	CHECK_EQ(e.target, 0x106);
	e = exits_of(0x100, 64, 1, "\x63\x08\x00\x00", 4); /* beqz x0, .+16 */
	CHECK_EQ(e.next, 0x104);
	CHECK_EQ(e.target, 0x110);
	e = exits_of(0x100, 64, 1, "\x6f\x00\x00\x10", 4); /* j .+0x100 */
	CHECK_EQ(e.next, 0x200);
	CHECK_EQ(e.target, 0x200);
	e = exits_of(0x100, 64, 1, "\x82\x80", 2); /* ret */
	CHECK_EQ(e.next, TR_EXIT_ANY);
	e = exits_of(0x100, 64, 1, "\x73\x00\x20\x30", 4); /* mret */
	CHECK_EQ(e.next, TR_EXIT_ANY);
	CHECK_EQ(e.target, TR_EXIT_XRET);
	e = exits_of(0x100, 64, 1, "\x73\0\0\0", 4); /* ecall of a source without traps */
	CHECK_EQ(e.next, TR_EXIT_ANY);
	e = exits_of(0x100, 64, 1, "\x73\x90\x02\x18", 4); /* csrw satp, t0 */
	CHECK_EQ(e.next, TR_EXIT_ANY);
	e = exits_of(0xfffffffe, 32, 1, "\x01\0", 2);
	CHECK_EQ(e.next, 0);
	e = exits_of(0x100, 32, 1, "\x01\x20", 2); /* c.jal .+0 of RV32 */
	CHECK_EQ(e.target, 0x100);
	e = exits_of(0x100, 64, 2, "\x01\0\0\0", 4);
	CHECK_EQ(e.pc, 0x101);
	const struct tr_block lengths = {.pc = 0x100,
					 .code = (const uint8_t *)"\4\2\4",
					 .tokens = 3,
					 .bytes = 10,
					 .no_bits = true};
	e = tr_block_exits(&lengths, 64);
	CHECK_EQ(e.last, 0x106);
	CHECK_EQ(e.next, TR_EXIT_ANY);
}

static bool row(struct tr_continuity *c, uint64_t pc, uint64_t next, uint64_t target)
{
	const struct tr_exits exits = {
	    .pc = pc, .last = pc, .next = next, .target = target};
	return tr_continuity_row(c, &exits);
}

static void check_reported(void)
{
	struct tr_continuity c = {0};
	struct tr_event trap = {.kind = TR_EV_TRAP, .u.trap.epc = 0x104};
	struct tr_event xret = {.kind = TR_EV_XRET};
	CHECK(row(&c, 0x100, 0x104, 0x200));
	CHECK(row(&c, 0x200, 0x204, 0x204));
	CHECK(!row(&c, 0x208, 0x20c, 0x20c));
	CHECK(row(&c, 0x20c, 0x210, 0x210));
	CHECK(row(&c, 0x100, 0x104, 0x104)); /* a reset */
	CHECK(tr_continuity_event(&c, &trap));
	CHECK(row(&c, 0x800, TR_EXIT_ANY, TR_EXIT_XRET));
	CHECK(tr_continuity_event(&c, &xret));
	CHECK(row(&c, 0x104, 0x108, 0x108));
	CHECK(!tr_continuity_event(&c, &trap)); /* control was at 0x108 */
	CHECK(row(&c, 0x800, TR_EXIT_ANY, TR_EXIT_ANY));
	CHECK(row(&c, 0x900, 0x904, 0x904));
	CHECK(!row(&c, 0x904 | 1, 0x908, 0x908)); /* it cannot commit */
	CHECK(!row(&c, 0x800, 0x804, 0x804));	  /* no trap tells of it */
}

/* `count` interrupts of a loop at 0x100 by a handler at `pc`. */
static unsigned interrupt(struct tr_continuity *c, uint64_t pc, unsigned count,
			  uint64_t back)
{
	unsigned breaks = 0;
	for (unsigned i = 0; i < count; i++) {
		breaks += !row(c, 0x100, 0x104, 0x100);
		breaks += !row(c, 0x100, 0x104, 0x100);
		breaks += !row(c, pc, TR_EXIT_ANY, TR_EXIT_XRET);
		breaks += !row(c, back, 0x100, 0x100);
	}
	return breaks;
}

static void check_unreported(void)
{
	struct tr_continuity c = {.infers_traps = true};
	CHECK(row(&c, 0x10, 0x100, 0x100));
	CHECK_EQ(interrupt(&c, 0x800, 1000, 0x104), 0);
	CHECK_EQ(tr_continuity_rest(&c, 0).count, 0);
	/* Four others may be handlers until they return. */
	CHECK_EQ(interrupt(&c, 0x900, 8, 0x180), 0);
	CHECK_EQ(interrupt(&c, 0xa00, 1, 0x180), 0);
	CHECK_EQ(interrupt(&c, 0xb00, 1, 0x180), 0);
	CHECK_EQ(interrupt(&c, 0xc00, 1, 0x180), 0);
	CHECK_EQ(interrupt(&c, 0xd00, 5, 0x180), 5);
	CHECK_EQ(tr_continuity_rest(&c, 1).count, 8);
	CHECK_EQ(tr_continuity_rest(&c, 1).from, 0x100);
	CHECK_EQ(tr_continuity_rest(&c, 1).to, 0x900);
	CHECK_EQ(tr_continuity_rest(&c, 2).count, 1);
	/* One returns after all, to the instruction behind the one that trapped. */
	CHECK_EQ(interrupt(&c, 0xa00, 1, 0x108), 0);
	CHECK_EQ(tr_continuity_rest(&c, 2).count, 0);
	CHECK_EQ(interrupt(&c, 0xd00, 1, 0x104), 0);
	/* One that never returns is no handler for long. */
	CHECK_EQ(interrupt(&c, 0x900, 100, 0x180), 92);
	/* The run may end in a trap. */
	CHECK(row(&c, 0x100, 0x104, 0x100));
	CHECK(row(&c, 0xb00, 0xb00, 0xb00));
	CHECK_EQ(tr_continuity_rest(&c, 3).count, 1);
	for (unsigned i = 0; i < 1000; i++)
		CHECK(row(&c, i % 2 ? 0x200 : 0xb00, TR_EXIT_ANY, TR_EXIT_ANY));
	CHECK_EQ(tr_continuity_rest(&c, 3).count, 2);
}

/* The last trap of a run is excused only where a handler can be. */
static void check_end(void)
{
	static const struct {
		uint64_t pc;
		bool follows;
		uint64_t rest;
	} ends[] = {{0x800, true, 0},  {0x802, false, 0}, {0x110, true, 1},
		    {0x118, true, 0},  {0xf4, true, 1},	  {0xf0, true, 0},
		    {0x106, false, 0}, {0x108, true, 1}};
	for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct tr_continuity c = {.infers_traps = true};
		CHECK(row(&c, 0x10, 0x100, 0x100));
		CHECK(row(&c, 0x100, 0x104, 0x100));
		CHECK_EQ(row(&c, ends[i].pc, 0x200, 0x200), ends[i].follows);
		CHECK_EQ(tr_continuity_rest(&c, 0).count, ends[i].rest);
	}
}

int main(void)
{
	check_exits();
	check_reported();
	check_unreported();
	check_end();
	return check_done();
}
