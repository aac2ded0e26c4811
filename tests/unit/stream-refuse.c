/* SPDX-License-Identifier: Apache-2.0 */
/* Values that the writer refuses, and the last valid value before each. */
#include <sys/mman.h>

#include "check.h"
#include "stream/codec.h"
#include "stream/writer_state.h"

static void blocks(void)
{
	static const uint8_t CODE[2 * (TR_BLOCK_MAX_TOKENS + 1)] = {0x13, 0, 0, 0, 1};
	static uint8_t lengths[TR_BLOCK_MAX_TOKENS + 1];
	struct tr_block b = {.code = CODE, .tokens = 2, .bytes = 6};
	CHECK(tr_writer_block_good(&b));
	b.bytes = 4;
	CHECK(!tr_writer_block_good(&b));
	b.bytes = 8;
	CHECK(!tr_writer_block_good(&b));
	b.tokens = 0;
	b.bytes = 0;
	CHECK(!tr_writer_block_good(&b));
	b = (struct tr_block){.code = lengths, .no_bits = true};
	memset(lengths, 2, sizeof(lengths));
	b.tokens = TR_BLOCK_MAX_TOKENS;
	b.bytes = 2 * TR_BLOCK_MAX_TOKENS;
	CHECK(tr_writer_block_good(&b));
	b.tokens++;
	b.bytes = (uint16_t)(b.bytes + 2);
	CHECK(!tr_writer_block_good(&b));
	for (unsigned n = 0; n < 12; n++) {
		lengths[0] = (uint8_t)n;
		b.tokens = 1;
		b.bytes = (uint16_t)n;
		CHECK_EQ(tr_writer_block_good(&b), n && n <= 8 && n % 2 == 0);
	}
	static const uint8_t LONG[2] = {0x7f, 0x70}; /* reserved: above 8 bytes */
	b = (struct tr_block){.code = LONG, .tokens = 1, .bytes = 2};
	CHECK(!tr_writer_block_good(&b));
}

/* Returns whether a token of these cycles can lose so many slots. */
static bool lost(uint64_t cycles, uint32_t commit_width, uint32_t slots)
{
	const struct tr_run runs[] = {{.slots = slots - slots / 2, .class = 1},
				      {.slots = slots / 2, .class = 2}};
	const struct tr_stall stall = {.cycles = cycles, .nruns = 2};
	const struct tr_timing t = {
	    .stalls = &stall, .nstalls = 1, .runs = runs, .nruns = 2};
	const struct tr_event trap = {
	    .kind = TR_EV_TRAP, .cycles = cycles, .u.trap = {.runs = runs, .nruns = 2}};
	bool good = tr_writer_timing_good(&t, commit_width);
	CHECK_EQ(tr_writer_event_good(&trap, commit_width), good);
	return good;
}

static void timings(void)
{
	struct tr_run runs[TR_TOKEN_MAX_RUNS + 1] = {{.slots = 1}, {.slots = 2}};
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS + 1] = {
	    {.cycles = 3, .nruns = 1},
	    {.cycles = 4, .nruns = 1, .first_run = 1, .token = 1}};
	struct tr_timing t = {.stalls = stalls, .nstalls = 2, .runs = runs, .nruns = 2};
	CHECK(tr_writer_timing_good(&t, 1));
	t.nruns = 3; /* one of zero slots */
	CHECK(!tr_writer_timing_good(&t, 1));
	t.nruns = 1;
	CHECK(!tr_writer_timing_good(&t, 1));
	t.nruns = 2;
	stalls[1].first_run = 0;
	CHECK(!tr_writer_timing_good(&t, 1));
	stalls[1].first_run = 1;
	stalls[1].token = 0; /* not greater than the previous one */
	CHECK(!tr_writer_timing_good(&t, 1));
	stalls[1].token = TR_BLOCK_MAX_TOKENS - 1;
	CHECK(tr_writer_timing_good(&t, 1));
	stalls[1].token = TR_BLOCK_MAX_TOKENS;
	CHECK(!tr_writer_timing_good(&t, 1));
	stalls[1].token = 1;
	stalls[0].cycles = TR_MAX_CYCLES - 1;
	CHECK(tr_writer_timing_good(&t, 1));
	stalls[0].cycles = TR_MAX_CYCLES;
	CHECK(!tr_writer_timing_good(&t, 1));
	stalls[0].cycles = 3;
	stalls[1].cycles = TR_MAX_CYCLES - 1;
	runs[1].class = TR_MAX_CLASSES - 1;
	runs[1].slots = UINT32_MAX - 1;
	CHECK(tr_writer_timing_good(&t, 1));
	runs[1].class = TR_MAX_CLASSES;
	CHECK(!tr_writer_timing_good(&t, 1));
	runs[1] = (struct tr_run){.slots = UINT32_MAX};
	CHECK(!tr_writer_timing_good(&t, 1));
	t = (struct tr_timing){.stalls = stalls, .nstalls = 1, .runs = runs};
	runs[1].slots = 1;
	CHECK(lost(3, 1, 3) && !lost(3, 1, 4) && lost(0, 1, 0) && !lost(0, 1, 1));
	CHECK(lost(3, 4, 15) && !lost(3, 4, 16) && lost(0, 4, 3) && !lost(0, 4, 4));
	for (unsigned n = TR_TOKEN_MAX_RUNS; n <= TR_TOKEN_MAX_RUNS + 1; n++) {
		t.nruns = n;
		stalls[0].nruns = (uint16_t)n;
		CHECK_EQ(tr_writer_timing_good(&t, 1), n == TR_TOKEN_MAX_RUNS);
	}
	for (unsigned i = 0; i <= TR_BLOCK_MAX_TOKENS; i++)
		stalls[i] = (struct tr_stall){.token = (uint16_t)i, .cycles = 2};
	t = (struct tr_timing){.stalls = stalls, .nstalls = TR_BLOCK_MAX_TOKENS};
	CHECK(tr_writer_timing_good(&t, 1));
	t.nstalls++;
	CHECK(!tr_writer_timing_good(&t, 1));
}

static bool good(struct tr_event event)
{
	return tr_writer_event_good(&event, 1);
}

static void events(void)
{
	for (uint8_t priv = 15; priv < 17; priv++) {
		bool fits = priv == 15;
		CHECK_EQ(good((struct tr_event){.kind = TR_EV_TRAP, .u.trap.priv = priv}),
			 fits);
		CHECK_EQ(good((struct tr_event){.kind = TR_EV_XRET, .u.xret.priv = priv}),
			 fits);
		CHECK_EQ(good((struct tr_event){.kind = TR_EV_PRIV, .u.priv.priv = priv}),
			 fits);
	}
	for (uint32_t space = UINT32_MAX - 1; space; space++) {
		bool fits = space < UINT32_MAX;
		CHECK_EQ(
		    good((struct tr_event){.kind = TR_EV_SATP, .u.satp.space = space}),
		    fits);
		CHECK_EQ(
		    good((struct tr_event){.kind = TR_EV_SPACE, .u.space.space = space}),
		    fits);
	}
	for (uint8_t n = 1; n < 3; n++)
		CHECK_EQ(
		    good((struct tr_event){.kind = TR_EV_TRIGGER, .u.trigger.start = n}),
		    n < 2);
	for (uint8_t n = 31; n < 33; n++)
		CHECK_EQ(good((struct tr_event){.kind = TR_EV_REG, .u.reg.reg = n}),
			 n < 32);
	struct tr_event gap = {.kind = TR_EV_GAP, .u.gap.reason = TR_GAP_LIMIT};
	CHECK(good(gap));
	gap.u.gap.tokens = INT64_MAX - 1;
	CHECK(good(gap));
	gap.u.gap.tokens = INT64_MAX;
	CHECK(!good(gap));
	CHECK(!good(
	    (struct tr_event){.kind = TR_EV_GAP, .u.gap.reason = TR_GAP_LIMIT + 1}));
	CHECK(good((struct tr_event){.kind = TR_EV_GAP, .cycles = TR_MAX_CYCLES - 1}));
	CHECK(!good((struct tr_event){.kind = TR_EV_GAP, .cycles = TR_MAX_CYCLES}));
	CHECK(!good((struct tr_event){.kind = 0}));
	CHECK(good((struct tr_event){.kind = TR_MAX_EVENT_KIND - 1}));
	CHECK(!good((struct tr_event){.kind = TR_MAX_EVENT_KIND}));
	struct tr_event raw = {.kind = TR_EV_MARK, .u.raw.size = TR_EVENT_MAX_BYTES};
	CHECK(good(raw));
	raw.u.raw.size++;
	CHECK(!good(raw));
}

static struct tr_writer *open_writer(void)
{
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	int fd = memfd_create("stream", 0);
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	tr_header_free(header);
	return w;
}

/* Calls in the wrong order; after an error every call fails. */
static void calls(void)
{
	static const struct tr_context CONTEXT = {.priv = TR_PRIV_S};
	uint32_t id;
	struct tr_writer *w = open_writer();
	CHECK_EQ(tr_writer_token(w, 0, 0x1000, 0x13, 4, 1, NULL, 0), TR_OK);
	CHECK_EQ(tr_writer_begin(w, 0, 5, &CONTEXT), TR_E_ARGUMENT);
	CHECK_EQ(tr_writer_token(w, 0, 0x1004, 0x13, 4, 1, NULL, 0), TR_E_ARGUMENT);
	CHECK_EQ(tr_writer_end(w, NULL), TR_E_ARGUMENT);
	tr_writer_close(w);
	for (unsigned i = 0; i < 7; i++) {
		static const uint8_t NOP[4] = {0x13};
		struct tr_block block = {
		    .pc = 0x1000, .code = NOP, .tokens = 1, .bytes = 4};
		struct tr_event event = {0};
		static const struct tr_stall LONG = {.cycles = TR_MAX_CYCLES};
		const struct tr_timing timing = {.stalls = &LONG, .nstalls = 1};
		w = open_writer();
		CHECK_EQ(tr_writer_block(w, &block, &id), TR_OK);
		block.bytes = 2;
		int status = i == 0   ? tr_writer_block(w, &block, &id)
			     : i == 1 ? tr_writer_timing(w, &timing, &id)
			     : i == 2 ? tr_writer_event(w, 0, &event)
			     : i == 3 ? tr_writer_row(w, 0, 1, 0)
			     : i == 4 ? tr_writer_row(w, 0, 0, 1)
			     : i == 5 ? tr_writer_token(w, 0, 0x1000, 0x13, 2, 1, NULL, 0)
				      : tr_writer_token(w, 0, 0x1000, 0x13, 4,
							TR_MAX_CYCLES, NULL, 0);
		if (!CHECK_EQ(status, TR_E_ARGUMENT))
			fprintf(stderr, "call %u\n", i);
		CHECK_EQ(tr_writer_cut(w, 0), TR_E_ARGUMENT);
		tr_writer_close(w);
	}
}

int main(void)
{
	blocks();
	timings();
	events();
	calls();
	return check_done();
}
