/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of tokens give the same stream as single ones, and are read back from it: with
 * code that changes in place, and over generations. Also checks where rows end. */
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

/* `isa` is XLEN, or a naming string. */
static struct tr_writer *open_writer(const char *isa)
{
	const bool is_rv32 = strcmp(isa, "32") == 0 || strncmp(isa, "rv32", 4) == 0;
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	if (fd >= 0)
		close(fd);
	fd = memfd_create("stream", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tr_header_set(header, "xlen", is_rv32 ? "32" : "64");
	if (*isa == 'r')
		tr_header_set(header, "isa", isa);
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	tr_header_free(header);
	return w;
}

/* Source of a test's tokens. */
struct source {
	uint64_t seed, pc, cycle;
	unsigned places; /* number of jump targets */
};

static uint64_t rnd(struct source *s, uint64_t below)
{
	s->seed = s->seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (s->seed >> 33) % below;
}

/* Returns mostly the first version of the code at an address. */
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

struct timed {
	struct tr_commit token;
	uint64_t cycles;
	struct tr_run runs[3];
	uint16_t nruns;
};

static struct timed next(struct source *s)
{
	struct timed t = {.token.pc = s->pc};
	t.nruns = (uint16_t)(rnd(s, 4) ? 0 : rnd(s, 4));
	for (unsigned i = 0; i < t.nruns; i++)
		t.runs[i] = (struct tr_run){.slots = 1 + (uint32_t)rnd(s, 3),
					    .class = (uint8_t)rnd(s, 3)};
	t.cycles = t.nruns * 3U + (rnd(s, 9) ? 1 : rnd(s, rnd(s, 50) ? 4 : 1 << 30));
	s->cycle += t.cycles;
	t.token.bits = code_at(s->pc, rnd(s, 30) ? 0 : rnd(s, 3));
	s->pc += tr_insn_length((unsigned)t.token.bits & 0xffff);
	if (rnd(s, 8) == 0)
		s->pc = 0x80000000 + rnd(s, s->places) * 2;
	return t;
}

static uint64_t low_bytes(uint64_t bits, unsigned bytes)
{
	return bytes < 8 ? bits & ((UINT64_C(1) << 8 * bytes) - 1) : bits;
}

static void write_singly(struct tr_writer *w, struct source s, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct timed t = next(&s);
		int status =
		    tr_writer_token(w, 0, t.token.pc, t.token.bits,
				    tr_insn_length((unsigned)t.token.bits & 0xffff),
				    t.cycles, t.nruns ? t.runs : NULL, t.nruns);
		if (!CHECK_EQ(status, TR_OK))
			break;
	}
	CHECK_EQ(tr_writer_cycles(w), s.cycle);
}

struct batch {
	struct tr_commit tokens[BATCH];
	struct tr_stall stalls[BATCH];
	struct tr_run runs[MAX_RUNS];
	struct tr_batch is;
};

/* Token numbers start anywhere; tokens of one cycle are among the stalls if they have
 * runs, as in a machine that commits several per cycle. */
static void add(struct batch *b, const struct timed *t, uint32_t *nruns)
{
	if (t->cycles != 1 || t->nruns) {
		b->stalls[b->is.nstalls++] =
		    (struct tr_stall){.cycles = t->cycles,
				      .first_run = *nruns,
				      .nruns = t->nruns,
				      .token = (uint16_t)(b->is.first + b->is.count)};
		memcpy(b->runs + *nruns, t->runs, t->nruns * sizeof(*t->runs));
		*nruns += t->nruns;
	}
	b->tokens[b->is.count++] = t->token;
}

/* With random bits above those of a compressed instruction. */
static void write_batches(struct tr_writer *w, struct source s, unsigned count)
{
	static struct batch b;
	struct source sizes = {.seed = 3};
	for (unsigned done = 0; done < count; done += b.is.count) {
		unsigned n = (unsigned)rnd(&sizes, rnd(&sizes, 2) ? 4 : BATCH);
		uint32_t nruns = 0;
		b.is = (struct tr_batch){.tokens = b.tokens,
					 .stalls = b.stalls,
					 .runs = b.runs,
					 .first = (uint16_t)rnd(&sizes, 1000)};
		while (b.is.count < n && done + b.is.count < count) {
			struct timed t = next(&s);
			if (tr_insn_length((unsigned)t.token.bits & 0xffff) < 8)
				t.token.bits |=
				    rnd(&sizes, 9) ? 0 : rnd(&sizes, 256) << 56;
			add(&b, &t, &nruns);
		}
		if (!CHECK_EQ(tr_writer_tokens(w, 0, &b.is), TR_OK))
			break;
	}
	CHECK_EQ(tr_writer_cycles(w), s.cycle);
}

static bool same(const struct tr_token *a, const struct timed *b)
{
	for (unsigned i = 0; i < b->nruns && i < a->nruns; i++)
		if (a->runs[i].slots != b->runs[i].slots ||
		    a->runs[i].class != b->runs[i].class)
			return false;
	return a->pc == b->token.pc && a->insn == low_bytes(b->token.bits, a->bytes) &&
	       a->cycles == b->cycles && a->nruns == b->nruns;
}

/* Compares with the tokens written. */
static void read_all(struct source s, unsigned count, uint64_t *generations)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
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
				struct timed timed = next(&s);
				good &= same(&tokens[t], &timed);
			}
		}
	}
	if (!CHECK_EQ(status, TR_END))
		fprintf(stderr, "%s\n", tr_reader_message(r));
	CHECK(good);
	CHECK_EQ(count, 0);
	tr_reader_close(r);
}

/* The stream written from the tokens; ended and closed here. */
struct stream {
	uint8_t *bytes;
	size_t size;
};

static void finish(struct tr_writer *w, unsigned count, struct stream *stream)
{
	struct stat st;
	CHECK_EQ(tr_writer_instructions(w), count);
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	fstat(fd, &st);
	stream->size = (size_t)st.st_size;
	stream->bytes = malloc(stream->size);
	CHECK_EQ(pread(fd, stream->bytes, stream->size, 0), st.st_size);
}

static void same_streams(const struct stream streams[2])
{
	CHECK_EQ(streams[0].size, streams[1].size);
	CHECK(streams[0].size == streams[1].size &&
	      memcmp(streams[0].bytes, streams[1].bytes, streams[0].size) == 0);
	free(streams[0].bytes);
	free(streams[1].bytes);
}

/* More addresses than a generation has blocks start new generations, on top of old
 * ones. */
static void random_tokens(unsigned places, unsigned count, uint64_t generations)
{
	struct source s = {.seed = places, .pc = 0x80000000, .places = places};
	struct stream streams[2];
	for (unsigned batches = 0; batches < 2; batches++) {
		struct tr_writer *w = open_writer("64");
		if (batches)
			write_batches(w, s, count);
		else
			write_singly(w, s, count);
		finish(w, count, &streams[batches]);
	}
	same_streams(streams);
	uint64_t seen = 0;
	read_all(s, count, &seen);
	CHECK_EQ(seen, generations);
}

enum { LOOP_BATCH = 1 << 16, LOOP_RUNS = 8 };
static struct {
	struct tr_commit tokens[LOOP_BATCH];
	struct tr_stall stalls[LOOP_BATCH];
	struct tr_run runs[LOOP_BATCH][LOOP_RUNS];
} lap;

/* Writes token `i` of the loop at index `at` of the batch. */
static void place_token(unsigned i, unsigned at)
{
	unsigned insn = (i + 2) % 3;
	lap.tokens[at] =
	    (struct tr_commit){.pc = 8 + insn * 2, .bits = insn == 2 ? 0xa001 : 1};
	lap.stalls[at] = (struct tr_stall){.cycles = (uint64_t)i * LOOP_RUNS + 9,
					   .first_run = at * LOOP_RUNS,
					   .nruns = LOOP_RUNS,
					   .token = (uint16_t)at};
	for (unsigned k = 0; k < LOOP_RUNS; k++)
		lap.runs[at][k] =
		    (struct tr_run){.slots = 1 + (i >> k & 1) * i, .class = (uint8_t)k};
}

static void write_loop(struct tr_writer *w, unsigned count, unsigned most, bool waits)
{
	for (unsigned done = 0, n; done < count; done += n) {
		n = count - done < most ? count - done : most;
		for (unsigned at = 0; at < n; at++)
			place_token(done + at, at);
		const struct tr_batch batch = {.tokens = lap.tokens,
					       .stalls = lap.stalls,
					       .runs = *lap.runs,
					       .count = n,
					       .nstalls = waits ? n : 0};
		if (!CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_OK))
			break;
	}
}

/* A loop over frames, of three instructions and entered at the last one, so that a row
 * ends where a frame does. If there are waits they are all different, so that definitions
 * fill the frames first. */
static void loop(unsigned count, bool waits, uint64_t frames)
{
	struct stream streams[2];
	for (unsigned batches = 0; batches < 2; batches++) {
		struct tr_writer *w = open_writer("64");
		write_loop(w, count, batches ? LOOP_BATCH : 1, waits);
		tr_writer_flush(w);
		CHECK_EQ(tr_writer_frames(w), frames);
		finish(w, count, &streams[batches]);
	}
	same_streams(streams);
}

/* Returns the tokens of row 0 when the first `n` tokens are `bits`, followed by nops. */
static unsigned first_row(const char *isa, uint64_t bits, unsigned n, unsigned nruns)
{
	static const struct tr_run RUNS[64];
	struct tr_commit tokens[400];
	struct tr_stall stalls[400];
	struct tr_writer *w = open_writer(isa);
	uint64_t pc = 0;
	for (unsigned i = 0; i < 400; i++) {
		uint64_t insn = i < n ? bits : 0x13;
		tokens[i] = (struct tr_commit){.pc = pc, .bits = insn};
		stalls[i] = (struct tr_stall){
		    .cycles = 1, .token = (uint16_t)i, .nruns = (uint16_t)nruns};
		pc += tr_insn_length((unsigned)insn & 0xffff);
	}
	struct tr_batch batch = {.tokens = tokens,
				 .stalls = stalls,
				 .runs = RUNS,
				 .count = 150,
				 .nstalls = nruns ? 150 : 0};
	CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_OK);
	tr_batch_skip(&batch, 150, batch.nstalls);
	batch.count = 250;
	batch.nstalls = nruns ? 250 : 0;
	CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_OK);
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
	    {0xa402, 0, 0},	/* c.fsdsp */ {0x8001, 0, 0},	     /* c.srli */
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

/* c.fsdsp that may be of Zcmp or Zcmt, and transfer control. */
static void ends_by_isa(void)
{
	static const struct {
		uint64_t bits;
		bool ends;
	} INSNS[] = {
	    {0xbe42, true},  /* cm.popret */ {0xbc42, true},  /* cm.popretz */
	    {0xa006, true},  /* cm.jt */ {0xa0fe, true},      /* cm.jalt */
	    {0xb842, false}, /* cm.push */ {0xba42, false},   /* cm.pop */
	    {0xac66, false}, /* cm.mva01s */ {0xaca2, false}, /* cm.mvsa01 */
	};
	for (unsigned i = 0; i < sizeof(INSNS) / sizeof(*INSNS); i++) {
		const uint64_t bits = INSNS[i].bits;
		const unsigned want = INSNS[i].ends ? 1 : 256;
		CHECK_EQ(first_row("32", bits, 1, 0), want); /* unknown */
		CHECK_EQ(first_row("rv32imac_zcmp", bits, 1, 0), want);
		CHECK_EQ(first_row("rv64imac_zcmt", bits, 1, 0), want);
		CHECK_EQ(first_row("64", bits, 1, 0), 256);
		CHECK_EQ(first_row("rv32gc", bits, 1, 0), 256);
		CHECK_EQ(first_row("rv64gc", bits, 1, 0), 256);
	}
}

static void refused(void)
{
	static const struct tr_run RUNS[65];
	static const struct {
		uint64_t bits, cycles;
		uint16_t nruns;
	} BAD[] = {{0x7f, 2, 0},
		   {0x13, 2, 65},
		   {0x13, UINT64_MAX, 0}, /* before the previous one */
		   {0x13, UINT64_C(1) << 48, 0}};
	for (unsigned i = 0; i < sizeof(BAD) / sizeof(*BAD); i++) {
		struct tr_writer *w = open_writer("64");
		const struct tr_commit tokens[] = {
		    {.bits = 0x13}, {.pc = 4, .bits = BAD[i].bits}, {.pc = 8}};
		const struct tr_stall stall = {
		    .cycles = BAD[i].cycles, .nruns = BAD[i].nruns, .token = 1};
		struct tr_batch batch = {.tokens = tokens,
					 .stalls = &stall,
					 .runs = RUNS,
					 .count = 3,
					 .nstalls = 1};
		CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_E_ARGUMENT);
		batch.count = 1;
		CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_E_ARGUMENT);
		CHECK_EQ(tr_writer_end(w, NULL), TR_E_ARGUMENT);
		tr_writer_close(w);
	}
}

/* A repeated block with an invalid stall is refused like a new one. */
static void refused_again(void)
{
	const struct tr_commit loop = {.pc = 8, .bits = 0xa001};
	struct tr_stall stall = {.cycles = 1};
	struct tr_batch batch = {
	    .tokens = &loop, .stalls = &stall, .count = 1, .nstalls = 1};
	struct tr_writer *w = open_writer("64");
	for (stall.cycles = 1; stall.cycles < 5; stall.cycles++)
		CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_OK);
	stall.cycles = UINT64_C(1) << 48;
	CHECK_EQ(tr_writer_tokens(w, 0, &batch), TR_E_ARGUMENT);
	tr_writer_close(w);
	w = open_writer("64");
	stall.cycles = UINT64_C(3) << 46;
	unsigned n = 0;
	while (n < 50000 && tr_writer_tokens(w, 0, &batch) == TR_OK)
		n++;
	CHECK_EQ(n, 43690); /* 2^63 cycles */
	tr_writer_close(w);
}

int main(void)
{
	random_tokens(400, 40000, 0);
	random_tokens(200000, 2500000, 1);
	loop(2500000, false, 3);
	loop(300000, true, 2);
	ends();
	ends_by_isa();
	refused();
	refused_again();
	close(fd);
	return check_done();
}
