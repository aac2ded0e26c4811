/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens in batches make the stream that single ones make, and come back from it: with
 * code that changes in its place, and over generations. Where rows end. */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { BATCH = 600, MAX_RUNS = BATCH * 3 };

static char path[32];
static int fd = -1;

static struct tr_writer *open_writer(const char *xlen)
{
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	if (fd >= 0)
		close(fd);
	fd = memfd_create("stream", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tr_header_set(header, "xlen", xlen);
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	tr_header_free(header);
	return w;
}

/* Where the tokens of a test come from. */
struct source {
	uint64_t seed, pc, cycle;
	unsigned places; /* that it jumps to */
};

static uint64_t rnd(struct source *s, uint64_t below)
{
	s->seed = s->seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (s->seed >> 33) % below;
}

/* Mostly the first version of the code there is at an address. */
static uint64_t code_at(uint64_t pc, uint64_t version)
{
	static const uint64_t ODD[] = {0x9002, 0x8082, 0xa001, 0xdeadbeef001f,
				       0xfeedfeedfeedfe3f};
	uint64_t hash = (pc / 2 + version) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
	if (hash % 16 < 5)
		return ODD[hash % 16];
	if (hash % 3)
		return (hash & 0xfffc) | 1;
	return (hash << 7 & 0xffffffff) | (hash % 5 ? 0x13 : 0x63);
}

static struct tr_commit next(struct source *s, struct tr_run runs[3])
{
	struct tr_commit token = {.pc = s->pc};
	token.nruns = (uint16_t)(rnd(s, 4) ? 0 : rnd(s, 4));
	for (unsigned i = 0; i < token.nruns; i++)
		runs[i] = (struct tr_run){.slots = 1 + (uint32_t)rnd(s, 3),
					  .class = (uint8_t)rnd(s, 3)};
	s->cycle += token.nruns * 3U + (rnd(s, 9) ? 1 : rnd(s, rnd(s, 50) ? 4 : 1 << 30));
	token.cycle = s->cycle;
	token.bits = code_at(s->pc, rnd(s, 30) ? 0 : rnd(s, 3));
	s->pc += tr_insn_length((unsigned)token.bits & 0xffff);
	if (rnd(s, 8) == 0)
		s->pc = 0x80000000 + rnd(s, s->places) * 2;
	return token;
}

static uint64_t low_bytes(uint64_t bits, unsigned bytes)
{
	return bytes < 8 ? bits & ((UINT64_C(1) << 8 * bytes) - 1) : bits;
}

static void write_singly(struct tr_writer *w, struct source s, unsigned count)
{
	uint64_t cycle = s.cycle;
	for (unsigned i = 0; i < count; i++) {
		struct tr_run runs[3];
		struct tr_commit t = next(&s, runs);
		int status = tr_writer_token(
		    w, 0, t.pc, t.bits, tr_insn_length((unsigned)t.bits & 0xffff),
		    t.cycle - cycle, t.nruns ? runs : NULL, t.nruns);
		if (!CHECK_EQ(status, TR_OK))
			break;
		cycle = t.cycle;
	}
	CHECK_EQ(tr_writer_cycles(w), cycle);
}

/* With bits of no instruction above those of a short one. */
static void write_batches(struct tr_writer *w, struct source s, unsigned count)
{
	struct source sizes = {.seed = 3};
	for (unsigned done = 0, n; done < count; done += n) {
		struct tr_commit tokens[BATCH];
		struct tr_run runs[MAX_RUNS];
		unsigned nruns = 0;
		n = (unsigned)rnd(&sizes, rnd(&sizes, 2) ? 4 : BATCH);
		if (n > count - done)
			n = count - done;
		for (unsigned i = 0; i < n; i++) {
			struct tr_commit *t = &tokens[i];
			*t = next(&s, runs + nruns);
			if (tr_insn_length((unsigned)t->bits & 0xffff) < 8)
				t->bits |= rnd(&sizes, 256) << 56;
			t->first_run = (uint16_t)nruns;
			nruns += t->nruns;
		}
		if (!CHECK_EQ(tr_writer_tokens(w, 0, tokens, n, nruns ? runs : NULL),
			      TR_OK))
			break;
	}
	CHECK_EQ(tr_writer_cycles(w), s.cycle);
}

static bool same(const struct tr_token *a, uint64_t cycles, const struct tr_commit *b,
		 const struct tr_run *runs)
{
	for (unsigned i = 0; i < b->nruns && i < a->nruns; i++)
		if (a->runs[i].slots != runs[i].slots ||
		    a->runs[i].class != runs[i].class)
			return false;
	return a->pc == b->pc && a->insn == low_bytes(b->bits, a->bytes) &&
	       cycles == b->cycle && a->nruns == b->nruns;
}

/* Compares with what was written. */
static void read_all(struct source s, unsigned count, uint64_t *generations)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	uint64_t cycle = s.cycle;
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	int status;
	bool good = true;
	while ((status = tr_reader_next(r, &frame)) == TR_OK) {
		*generations = frame->generation;
		for (uint32_t i = 0; i < frame->harts->nrows; i++) {
			const struct tr_row *row = &frame->harts->rows[i];
			struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
			tr_tokens(tr_reader_block(r, row->block),
				  tr_reader_timing(r, row->timing), tokens);
			for (unsigned t = 0; t < row->tokens; t++, count--) {
				struct tr_run runs[3];
				struct tr_commit token = next(&s, runs);
				cycle += tokens[t].cycles;
				good &= same(&tokens[t], cycle, &token, runs);
			}
		}
	}
	if (!CHECK_EQ(status, TR_END))
		fprintf(stderr, "%s\n", tr_reader_message(r));
	CHECK(good);
	CHECK_EQ(count, 0);
	tr_reader_close(r);
}

static uint8_t *contents(size_t *size)
{
	struct stat st;
	fstat(fd, &st);
	*size = (size_t)st.st_size;
	uint8_t *copy = malloc(*size);
	CHECK_EQ(pread(fd, copy, *size, 0), st.st_size);
	return copy;
}

/* More places than a generation has blocks begin others, on top of old ones. */
static void random_tokens(unsigned places, unsigned count, uint64_t generations)
{
	struct source s = {.seed = places, .pc = 0x80000000, .places = places};
	uint8_t *bytes[2];
	size_t size[2];
	for (unsigned batches = 0; batches < 2; batches++) {
		struct tr_writer *w = open_writer("64");
		if (batches)
			write_batches(w, s, count);
		else
			write_singly(w, s, count);
		CHECK_EQ(tr_writer_instructions(w), count);
		CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
		tr_writer_close(w);
		bytes[batches] = contents(&size[batches]);
	}
	CHECK_EQ(size[0], size[1]);
	CHECK(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0);
	free(bytes[0]);
	free(bytes[1]);
	uint64_t seen = 0;
	read_all(s, count, &seen);
	CHECK_EQ(seen, generations);
}

/* Tokens of row 0 when the first `n` tokens are `bits`, then nops. */
static unsigned first_row(const char *xlen, uint64_t bits, unsigned n, unsigned nruns)
{
	static const struct tr_run RUNS[64];
	struct tr_commit tokens[400];
	struct tr_writer *w = open_writer(xlen);
	uint64_t pc = 0;
	for (unsigned i = 0; i < 400; i++) {
		uint64_t insn = i < n ? bits : 0x13;
		tokens[i] = (struct tr_commit){
		    .pc = pc, .cycle = i + 1, .bits = insn, .nruns = (uint16_t)nruns};
		pc += tr_insn_length((unsigned)insn & 0xffff);
	}
	CHECK_EQ(tr_writer_tokens(w, 0, tokens, 150, RUNS), TR_OK);
	CHECK_EQ(tr_writer_tokens(w, 0, tokens + 150, 250, RUNS), TR_OK);
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	struct tr_reader *r;
	const struct tr_frame *frame;
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	CHECK_EQ(tr_reader_next(r, &frame), TR_OK);
	unsigned first = frame->harts->rows[0].tokens;
	tr_reader_close(r);
	return first;
}

static void ends(void)
{
	static const struct {
		uint64_t bits;
		unsigned rv64, rv32; /* 1: ends the row */
	} INSNS[] = {
	    {0x00000063, 1, 1}, /* beq */ {0x00007067, 1, 1},	     /* jalr */
	    {0x0000006f, 1, 1}, /* jal */ {0x00000073, 0, 0},	     /* ecall */
	    {0x30200073, 0, 0}, /* mret */ {0xa001, 1, 1},	     /* c.j */
	    {0xc101, 1, 1},	/* c.beqz */ {0xe101, 1, 1},	     /* c.bnez */
	    {0x2505, 0, 1},	/* c.addiw, c.jal */ {0x8082, 1, 1}, /* c.jr */
	    {0x9082, 1, 1},	/* c.jalr */ {0x9002, 0, 0},	     /* c.ebreak */
	    {0x8086, 0, 0},	/* c.mv */ {0x9086, 0, 0},	     /* c.add */
	    {0xa002, 0, 0},	/* c.fsdsp */ {0x8001, 0, 0},	     /* c.srli */
	    {0x6f001f, 0, 0},	/* 6 bytes */ {0x63003f, 0, 0},	     /* 8 bytes */
	};
	for (unsigned i = 0; i < sizeof(INSNS) / sizeof(*INSNS); i++) {
		unsigned rv64 = first_row("64", INSNS[i].bits, 1, 0);
		unsigned rv32 = first_row("32", INSNS[i].bits, 1, 0);
		if (!CHECK_EQ(rv64, INSNS[i].rv64 ? 1 : 256) ||
		    !CHECK_EQ(rv32, INSNS[i].rv32 ? 1 : 256))
			fprintf(stderr, "instruction 0x%" PRIx64 "\n", INSNS[i].bits);
	}
	CHECK_EQ(first_row("64", 0x13, 0, 64), 16); /* 1024 runs */
	CHECK_EQ(first_row("64", 0x13, 0, 5), 204);
}

static void refused(void)
{
	static const struct tr_run RUNS[65];
	const struct tr_commit bad[] = {
	    {.pc = 4, .cycle = 2, .bits = 0x7f},
	    {.pc = 4, .cycle = 2, .bits = 0x13, .nruns = 65},
	    {.pc = 4, .cycle = 0, .bits = 0x13}, /* before the one before it */
	    {.pc = 4, .cycle = 1 + (UINT64_C(1) << 48), .bits = 0x13},
	};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct tr_writer *w = open_writer("64");
		const struct tr_commit tokens[] = {
		    {.cycle = 1, .bits = 0x13}, bad[i], {.pc = 8, .cycle = 3}};
		CHECK_EQ(tr_writer_tokens(w, 0, tokens, 3, RUNS), TR_E_ARGUMENT);
		CHECK_EQ(tr_writer_tokens(w, 0, tokens, 1, RUNS), TR_E_ARGUMENT);
		CHECK_EQ(tr_writer_end(w, NULL), TR_E_ARGUMENT);
		tr_writer_close(w);
	}
}

int main(void)
{
	random_tokens(400, 40000, 0);
	random_tokens(200000, 2500000, 1);
	ends();
	refused();
	close(fd);
	return check_done();
}
