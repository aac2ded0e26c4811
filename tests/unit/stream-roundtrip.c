/* SPDX-License-Identifier: Apache-2.0 */
/* Random tokens and events of two harts are read back bit for bit, from plain and
 * compressed streams, with and without threads, and through tr_writer_pass. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { HARTS = 2, STEPS = 40000, MAX_ITEMS = 2 * STEPS };

/* An element written or read, in a common form. */
struct item {
	uint64_t pc, bits, cycles, time;
	struct tr_context context;
	unsigned bytes, event, nruns;
};

struct log {
	struct item items[HARTS][MAX_ITEMS];
	unsigned count[HARTS];
};

static struct log expected, found;
static uint64_t seed;

static uint64_t rnd(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (seed >> 33) % below;
}

static void note(struct log *log, unsigned hart, struct item item)
{
	if (log->count[hart] < MAX_ITEMS)
		log->items[hart][log->count[hart]++] = item;
}

/* The code at an address never changes, so that blocks recur. */
static uint64_t code_at(uint64_t pc, unsigned *bytes)
{
	uint64_t hash = (pc / 2) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
	*bytes = hash % 16 == 0 ? 8 : hash % 3 ? 2 : 4;
	if (*bytes == 2)
		return (hash & 0xfffc) | (hash % 2 ? 1 : 2);
	if (*bytes == 8)
		return (hash << 7) | 0x3f;
	return ((hash << 7) & 0xffffffff) | 0x13 | (hash % 5 ? 0 : 0x70);
}

struct machine {
	uint64_t pc, time;
	struct tr_context context;
};

static const struct tr_run TRAP_RUNS[] = {{.slots = 70000, .class = 9},
					  {.slots = 1, .class = 31}};

static const struct tr_event EVENTS[] = {
    {.kind = TR_EV_TRAP,
     .cycles = 70002,
     .u.trap = {.cause = 8, .priv = TR_PRIV_S, .runs = TRAP_RUNS, .nruns = 2}},
    {.kind = TR_EV_TRAP,
     .cycles = 3,
     .u.trap = {.cause = TR_CAUSE_INTERRUPT | 5,
		.tval = ~UINT64_C(0),
		.epc = 4,
		.priv = TR_PRIV_S}},
    {.kind = TR_EV_XRET, .u.xret.priv = TR_PRIV_U},
    {.kind = TR_EV_SATP, .u.satp.satp = UINT64_C(0x8000000000080123)},
    {.kind = TR_EV_PRIV, .u.priv.priv = TR_PRIV_M},
    {.kind = TR_EV_REG, .u.reg = {.reg = 4, .value = UINT64_C(0xffffffff80001000)}},
    {.kind = TR_EV_TRIGGER, .u.trigger.start = 1},
    {.kind = TR_EV_GAP, .cycles = 100000, .u.gap = {.tokens = 7}},
    {.kind = TR_EV_SPACE, .u.space.space = 9},
    {.kind = TR_EV_HGATP, .u.hgatp.hgatp = UINT64_C(0x8000100000080000)},
    {.kind = TR_EV_MARK, .u.raw = {.data = (const uint8_t *)"here", .size = 4}},
    {.kind = TR_EV_MMIO_LOAD,
     .u.access = {.address = 0x10000005, .size = 1, .value = 0x60}},
    {.kind = TR_EV_CSR_READ, .u.csr = {.number = 0xc01, .value = ~UINT64_C(0)}},
    {.kind = TR_EV_ATOMIC, .u.access = {.address = 1, .size = 8, .value = 1}},
    {.kind = TR_EV_DEVICE_WRITE,
     .u.write = {.address = ~UINT64_C(0), .data = (const uint8_t *)"", .size = 1}},
    {.kind = TR_EV_TRANSLATION,
     .u.translation = {.address = UINT64_C(0x80001008), .store = 1}},
    {.kind = TR_EV_REGISTERS, .u.registers.hash = UINT64_C(0xfedcba9876543210)},
    {.kind = TR_EV_MEMORY,
     .u.write = {.address = 0x80000000, .data = (const uint8_t *)"ab", .size = 2}},
    {.kind = TR_EV_STATE,
     .u.state = {.text = (const uint8_t *)"pc=0\n", .size = 5, .back = 1}},
    {.kind = TR_EV_BREAK,
     .u.broken = {.from = 0x80000000, .to = ~UINT64_C(0), .count = 7}},
};

/* Values that are not in `struct item`. */
static void check_event(const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		if (event->u.trap.nruns)
			CHECK(event->u.trap.runs[0].slots == 70000 &&
			      event->u.trap.runs[1].class == 31);
		break;
	case TR_EV_MMIO_LOAD:
		CHECK(event->u.access.address == 0x10000005 &&
		      event->u.access.size == 1 && event->u.access.value == 0x60);
		break;
	case TR_EV_ATOMIC:
		CHECK(event->u.access.address == 1 && event->u.access.size == 8 &&
		      event->u.access.value == 1);
		break;
	case TR_EV_CSR_READ:
		CHECK(event->u.csr.number == 0xc01 && event->u.csr.value == ~UINT64_C(0));
		break;
	case TR_EV_DEVICE_WRITE:
		CHECK(event->u.write.address == ~UINT64_C(0) &&
		      event->u.write.size == 1 && event->u.write.data[0] == 0);
		break;
	case TR_EV_TRANSLATION:
		CHECK(event->u.translation.address == UINT64_C(0x80001008) &&
		      event->u.translation.store == 1);
		break;
	case TR_EV_REGISTERS:
		CHECK(event->u.registers.hash == UINT64_C(0xfedcba9876543210));
		break;
	case TR_EV_MEMORY:
		CHECK(event->u.write.address == 0x80000000 && event->u.write.size == 2 &&
		      memcmp(event->u.write.data, "ab", 2) == 0);
		break;
	case TR_EV_BREAK:
		CHECK(event->u.broken.from == 0x80000000 &&
		      event->u.broken.to == ~UINT64_C(0) && event->u.broken.count == 7);
		break;
	case TR_EV_STATE:
		CHECK(event->u.state.back == 1 && event->u.state.size == 5 &&
		      memcmp(event->u.state.text, "pc=0\n", 5) == 0);
		break;
	default:
		break;
	}
}

static struct item event_item(const struct tr_event *event, uint64_t time,
			      const struct tr_context *context)
{
	bool is_trap = event->kind == TR_EV_TRAP;
	return (struct item){.event = event->kind,
			     .time = time,
			     .context = *context,
			     .nruns = is_trap ? event->u.trap.nruns : 0};
}

static void step_event(struct tr_writer *w, struct machine *m, unsigned hart)
{
	const struct tr_event *event = &EVENTS[rnd(sizeof(EVENTS) / sizeof(*EVENTS))];
	CHECK(tr_writer_event(w, hart, event) == TR_OK);
	tr_context_apply(&m->context, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		m->time += event->cycles;
	note(&expected, hart, event_item(event, m->time, &m->context));
}

static void step_token(struct tr_writer *w, struct machine *m, unsigned hart)
{
	struct tr_run runs[2] = {{.slots = 3, .class = 4}, {.slots = 1, .class = 31}};
	unsigned bytes, nruns = rnd(50) ? 0 : 2;
	uint64_t bits = code_at(m->pc, &bytes);
	uint64_t cycles = (rnd(10) ? 1 : rnd(9)) + 2 * nruns;
	CHECK(tr_writer_token(w, hart, m->pc, bits, bytes, cycles, runs, nruns) == TR_OK);
	m->time += cycles;
	note(&expected, hart,
	     (struct item){m->pc, bits, cycles, m->time, m->context, bytes, 0, nruns});
	m->pc = rnd(6) ? m->pc + bytes : 0x80000000 + rnd(600) * 2;
}

static void write_stream(const char *path, int level, unsigned threads)
{
	struct tr_header *header = tr_header_new();
	tr_header_set(header, "xlen", "64");
	struct tr_writer_options options = {.level = level, .threads = threads};
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	struct tr_writer *w;
	CHECK(tr_writer_open(&w, fd, header, &options) == TR_OK);
	struct machine m[HARTS];
	seed = 1;
	memset(&expected, 0, sizeof(expected));
	for (unsigned h = 0; h < HARTS; h++) {
		m[h] = (struct machine){.pc = 0x80000000, .time = 5 + h};
		m[h].context.priv = TR_PRIV_S;
		CHECK(tr_writer_begin(w, h, m[h].time, &m[h].context) == TR_OK);
	}
	for (unsigned i = 0; i < STEPS; i++) {
		unsigned hart = (unsigned)rnd(HARTS);
		if (rnd(100) == 0)
			step_event(w, &m[hart], hart);
		else
			step_token(w, &m[hart], hart);
		if (i == STEPS / 2)
			CHECK(tr_writer_cut(w, 0) == TR_OK);
	}
	CHECK(tr_writer_end(w, NULL) == TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	close(fd);
}

/* Events inside a row, which are returned before it. */
static const struct tr_event *inside[TR_BLOCK_MAX_TOKENS * 8];
static unsigned ninside;

static void read_rows(struct tr_reader *r, const struct tr_hart_frame *hart,
		      struct tr_cursor *c, uint32_t first, uint32_t last)
{
	uint64_t time = c->cycle;
	unsigned next = 0;
	for (uint32_t i = first; i < last; i++) {
		struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
		const struct tr_block *block = tr_reader_block(r, hart->rows[i].block);
		tr_tokens(block, tr_reader_timing(r, hart->rows[i].timing), tokens);
		for (unsigned t = 0; t < block->tokens; t++) {
			const struct tr_token *k = &tokens[t];
			for (; next < ninside && inside[next]->token == t; next++)
				note(&found, hart->hart,
				     event_item(inside[next], time, &c->context));
			time += k->cycles;
			note(&found, hart->hart,
			     (struct item){k->pc, k->insn, k->cycles, time, c->context,
					   k->bytes, 0, k->nruns});
			if (k->nruns)
				CHECK(k->runs[1].class == 31 && k->runs[0].slots == 3);
		}
	}
	CHECK(next == ninside);
	ninside = 0;
}

static void read_hart(struct tr_reader *r, const struct tr_hart_frame *hart)
{
	struct tr_cursor c;
	uint32_t first, last;
	const struct tr_event *event;
	enum tr_step step;
	tr_cursor_init(&c, hart);
	while ((step = tr_cursor_next(&c, &first, &last, &event))) {
		if (step == TR_STEP_ROWS) {
			read_rows(r, hart, &c, first, last);
			continue;
		}
		check_event(event);
		if (event->token)
			inside[ninside++] = event;
		else
			note(&found, hart->hart,
			     event_item(event, c.next_cycle, &c.context));
	}
	CHECK(c.next_cycle == hart->end_cycle);
}

static bool same(const struct item *a, const struct item *b)
{
	return a->pc == b->pc && a->bits == b->bits && a->cycles == b->cycles &&
	       a->time == b->time && a->bytes == b->bytes && a->event == b->event &&
	       a->nruns == b->nruns && a->context.satp == b->context.satp &&
	       a->context.tp == b->context.tp && a->context.space == b->context.space &&
	       a->context.priv == b->context.priv && a->context.hgatp == b->context.hgatp;
}

static void read_stream(const char *path, unsigned threads)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	int status;
	memset(&found, 0, sizeof(found));
	CHECK(tr_reader_open(&r, path, threads) == TR_OK);
	while ((status = tr_reader_next(r, &frame)) == TR_OK)
		for (uint32_t i = 0; i < frame->nharts; i++)
			read_hart(r, &frame->harts[i]);
	CHECK(status == TR_END);
	if (status != TR_END)
		puts(tr_reader_message(r));
	CHECK(tr_reader_end(r) != NULL);
	tr_reader_close(r);
	for (unsigned h = 0; h < HARTS; h++) {
		CHECK(found.count[h] == expected.count[h]);
		bool all = true;
		for (unsigned i = 0; i < expected.count[h]; i++)
			all &= same(&expected.items[h][i], &found.items[h][i]);
		CHECK(all);
	}
}

static void pass_stream(const char *from, const char *to)
{
	struct tr_reader *r;
	struct tr_writer *w;
	const struct tr_frame *frame;
	struct tr_writer_options options = {.level = 1};
	CHECK(tr_reader_open(&r, from, 1) == TR_OK);
	int fd = open(to, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	CHECK(tr_writer_open(&w, fd, tr_reader_header(r), &options) == TR_OK);
	while (tr_reader_next(r, &frame) == TR_OK) {
		const struct tr_event *events[HARTS];
		uint32_t nevents[HARTS];
		for (uint32_t i = 0; i < frame->nharts; i++) {
			events[i] = frame->harts[i].events;
			nevents[i] = frame->harts[i].nevents;
		}
		struct tr_pass pass = {.payload = tr_reader_payload(r),
				       .events = events,
				       .nevents = nevents,
				       .nharts = frame->nharts};
		CHECK(tr_writer_pass(w, &pass) == TR_OK);
	}
	CHECK(tr_writer_end(w, NULL) == TR_OK);
	tr_writer_close(w);
	tr_reader_close(r);
	close(fd);
}

int main(void)
{
	char path[] = "/tmp/tr-stream-XXXXXX", copy[] = "/tmp/tr-stream-XXXXXX";
	close(mkstemp(path));
	close(mkstemp(copy));
	for (int level = 0; level < 4; level += 3)
		for (unsigned threads = 1; threads < 5; threads += 3) {
			write_stream(path, level, threads);
			read_stream(path, threads);
			pass_stream(path, copy);
			read_stream(copy, 1);
		}
	unlink(path);
	unlink(copy);
	return check_done();
}
