/* SPDX-License-Identifier: Apache-2.0 */
/* Time, context and jumps before each row of a small trace, wherever a frame may have
 * ended before it. */
#include <sys/mman.h>
#include <unistd.h>

#include "../../sim/replay/clock.h"
#include "check.h"
#include "stream/writer.h"

enum {
	NOP = 0x13,
	TO_2000 = 0x7fd0006f, /* j 0x2000, at 0x1004 */
	BRANCH = 0x00000063,
	MRET = 0x30200073,
};

static const struct step {
	uint64_t pc;
	uint32_t insn; /* 0: an event */
	uint64_t cycles;
	struct tr_event event;
} STEPS[] = {
    {.pc = 0x1000, .insn = NOP, .cycles = 1},
    {.pc = 0x1004, .insn = TO_2000, .cycles = 1},
    {.pc = 0x2000, .insn = NOP, .cycles = 5},
    {.pc = 0x2004, .insn = BRANCH, .cycles = 2},
    {.pc = 0x1000, .insn = NOP, .cycles = 1},
    {.event = {.kind = TR_EV_TRAP,
	       .cycles = 3,
	       .u.trap = {.cause = 2, .epc = 0x1004, .priv = TR_PRIV_M}}},
    {.pc = 0x3000, .insn = NOP, .cycles = 4},
    {.pc = 0x3004, .insn = MRET, .cycles = 1},
    {.event = {.kind = TR_EV_XRET, .u.xret.priv = TR_PRIV_U}},
    {.event = {.kind = TR_EV_SATP, .u.satp = {.satp = 7, .space = 9}}},
    {.pc = 0x1004, .insn = TO_2000, .cycles = 1},
    {.pc = 0x2000, .insn = NOP, .cycles = 1},
    {.pc = 0x2004, .insn = BRANCH, .cycles = 1},
    {.event = {.kind = TR_EV_TRAP,
	       .cycles = 2,
	       .u.trap = {.cause = TR_CAUSE_INTERRUPT | 7,
			  .epc = 0x1000,
			  .priv = TR_PRIV_M}}},
    {.pc = 0x3000, .insn = NOP, .cycles = 1},
    {.pc = 0x3004, .insn = MRET, .cycles = 1},
    {.event = {.kind = TR_EV_XRET, .u.xret.priv = TR_PRIV_U}},
    {.pc = 0x1000, .insn = NOP, .cycles = 1},
};
enum { STEPS_COUNT = sizeof(STEPS) / sizeof(*STEPS) };

/* What is known at the first token of each row. */
static const struct place {
	uint64_t pc, start, cycle, jumped_from;
	uint32_t space;
	uint8_t priv;
} ROWS[] = {
    {0x1000, 0, 1, 0, TR_SPACE_MACHINE, TR_PRIV_M},
    {0x2000, 2, 7, 0x1004, TR_SPACE_MACHINE, TR_PRIV_M},
    {0x1000, 9, 10, 0x2004, TR_SPACE_MACHINE, TR_PRIV_M},
    {0x3000, 13, 17, 0, TR_SPACE_MACHINE, TR_PRIV_M},
    {0x1004, 18, 19, 0, 9, TR_PRIV_U},
    {0x2000, 19, 20, 0x1004, 9, TR_PRIV_U},
    {0x3000, 23, 24, 0, TR_SPACE_MACHINE, TR_PRIV_M},
    {0x1000, 25, 26, 0x2004, 9, TR_PRIV_U},
};
enum { ROWS_COUNT = sizeof(ROWS) / sizeof(*ROWS), LAST_TRAP = 6 };

static int write_trace(void)
{
	struct tr_header *header = tr_header_new();
	int fd = memfd_create("trace", 0);
	struct tr_writer *w;

	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	for (unsigned i = 0; i < STEPS_COUNT; i++) {
		const struct step *step = &STEPS[i];
		int status = step->insn ? tr_writer_token(w, 0, step->pc, step->insn, 4,
							  step->cycles, NULL, 0)
					: tr_writer_event(w, 0, &step->event);
		CHECK_EQ(status, TR_OK);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	return fd;
}

static const struct tr_note *no_note(void *user, uint32_t row)
{
	(void)user, (void)row;
	return NULL;
}

/* Checks a row of the view. Behind the last trap it is not known any more, if that was in
 * a frame before, what came before it. */
static void check_row(struct row_clock *k, const struct carry *c, uint32_t row,
		      bool knows_trap)
{
	const struct place *place = &ROWS[carry_number(c, row)];
	struct replay_reached at = {.hart = 0};

	CHECK_EQ(clock_reach(k, c, row, 0, &at), place->pc);
	CHECK_EQ(at.pc, place->pc);
	CHECK_EQ(at.cycle, place->cycle);
	CHECK_EQ(at.space, place->space);
	CHECK_EQ(at.priv, place->priv);
	CHECK_EQ(at.behind, place->pc + 4);
	if (knows_trap || carry_number(c, row) < LAST_TRAP) {
		CHECK_EQ(at.jumped_from, place->jumped_from);
		CHECK_EQ(at.behind_jump, place->jumped_from ? place->jumped_from + 4 : 0);
	}
	CHECK_EQ(clock_space(k, c, row), place->space);
}

/* A frame ends before `row`: the clock is cut there, and goes on. */
static void cut_before(const struct tr_reader *reader, const struct tr_hart_frame *frame,
		       uint32_t row)
{
	struct carry_cut cut = {.row = row, .note = no_note};
	struct row_clock k = {.row = 0};
	struct carry c;

	carry_create(&c, reader);
	CHECK(carry_add(&c, frame));
	CHECK_EQ(carry_view(&c)->nrows, ROWS_COUNT);
	clock_begin(&k, &c);
	for (uint32_t i = 0; i < row; i++)
		check_row(&k, &c, i, true);
	clock_cut(&k, &c, row);
	cut.context = clock_context(&k);
	cut.event = clock_event(&k);
	cut.cycle = ROWS[row].start;
	CHECK(carry_retain(&c, &cut));
	clock_begin(&k, &c);
	for (uint32_t i = 0; i < ROWS_COUNT - row; i++)
		check_row(&k, &c, i, row < LAST_TRAP);
	carry_clear(&c);
}

/* Each cycle is found at the first token that commits in it or later. */
static void finds_cycles(const struct tr_reader *reader,
			 const struct tr_hart_frame *frame)
{
	struct carry c;

	carry_create(&c, reader);
	CHECK(carry_add(&c, frame));
	for (uint64_t cycle = 1; cycle <= frame->end_cycle; cycle++) {
		struct row_clock k = {.row = 0};
		unsigned token = UINT16_MAX;
		struct replay_reached at = {.hart = 0};
		uint32_t row = 0;

		clock_begin(&k, &c);
		while ((token = clock_find_cycle(&k, &c, row, 0, cycle)) == UINT16_MAX)
			row++;
		clock_reach(&k, &c, row, token, &at);
		CHECK(at.cycle >= cycle);
		if (token) {
			struct replay_reached before = {.hart = 0};

			clock_reach(&k, &c, row, token - 1, &before);
			CHECK(before.cycle < cycle);
			CHECK_EQ(clock_find_cycle(&k, &c, row, token + 1, cycle),
				 token + 1 < carry_row(&c, row)->tokens ? token + 1
									: UINT16_MAX);
		} else if (row) {
			CHECK(ROWS[row - 1].cycle < cycle);
		}
	}
	carry_clear(&c);
}

int main(void)
{
	int fd = write_trace();
	const struct tr_frame *frame;
	struct tr_reader *reader;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_reader_open(&reader, path, 1), TR_OK);
	CHECK_EQ(tr_reader_next(reader, &frame), TR_OK);
	for (uint32_t row = 0; row < ROWS_COUNT; row++)
		cut_before(reader, &frame->harts[0], row);
	finds_cycles(reader, &frame->harts[0]);
	tr_reader_close(reader);
	close(fd);
	return check_done();
}
