/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of rows that no writer produces, with valid checksums: each is refused for the
 * right reason. */
#include "stream-malformed.h"

enum { HEAD, BLOCKS, TIMINGS, ROWS, EVENTS, NOTES };

/* Two rows: a nop and a c.nop of 5 and 7 cycles, and a token without instruction bits. */
static const struct payload GOOD =
    {
	.parts =
	    {
		/* number, generation, harts; hart, start, cycles, tokens, rows, events,
		 * satp, tp, space, priv */
		[HEAD] = {0, 13, {0, 1, 1, 0, 100, 16, 3, 2, 2, 0, 0, 0, 3}},
		/* places; addresses and lengths (6 bytes); code */
		[BLOCKS] = {3,
			    16,
			    {2, 1, 1, 6, 0x2000, 2, 0x2000, 1, 7, 0x13, 0, 0, 0, 1, 0,
			     4}},
		/* stalls; their delays; the delays' definitions */
		[TIMINGS] = {5, 12, {2, 1, 0, 2, 0, 1, 5, 2, 2, 4, 1, 7}},
		/* codes; larger values; blocks; timings */
		[ROWS] = {7, 10, {2, 0, 0, 0, 2, 0, 0, 2, 0, 1}},
		/* a trap of 3 cycles; tp */
		[EVENTS] = {9, 16, {3, 1, 0, 3, 4, 4, 3, 7, 9, 11, 1, 0, 0, 2, 4, 0x77}},
		[NOTES] = {11, 8, {1, 0, 2, 0x40, 1, 1, 0, 0x40}},
	    },
	.nparts = 6,
};
static const char END[] = "instructions=3\ncycles=16\nframes=1\n";

#define HUGE	(UINT64_C(1) << 63)
#define LIMIT48 (UINT64_C(1) << 48)

static const struct change CHANGES[] = {
    {HEAD, 0, 1, "frame out of order"},
    {HEAD, 1, 0, "a generation that did not begin"},
    {HEAD, 1, 2, "a generation that did not begin"},
    {HEAD, 2, 0, "damaged section"},
    {HEAD, 2, 65, "damaged frame head"},
    {HEAD, 3, UINT32_MAX, "damaged frame head"},
    {HEAD, 4, HUGE - 1, "damaged frame head"},
    {HEAD, 5, HUGE - 1, "damaged frame head"},
    {HEAD, 5, 15, "cycles of a hart do not add up"},
    {HEAD, 6, HUGE - 1, "damaged frame head"},
    {HEAD, 6, 2, "rows and their count of tokens differ"},
    {HEAD, 6, 4, "rows and their count of tokens differ"},
    {HEAD, 7, 1, "damaged rows"},
    {HEAD, 7, 3, "damaged rows"},
    {HEAD, 7, 1000, "more rows or events than a frame can have"},
    {HEAD, 7, UINT32_MAX, "damaged frame head"},
    {HEAD, 8, 1, "bytes after the events"},
    {HEAD, 8, 3, "damaged event"},
    {HEAD, 8, 0, "events without a hart"},
    {HEAD, 8, 1000, "more rows or events than a frame can have"},
    {HEAD, 8, UINT32_MAX, "damaged frame head"},
    {HEAD, 11, UINT32_MAX, "damaged frame head"},
    {HEAD, 12, 16, "damaged section"}, /* hgatp is missing */
    {HEAD, 12, 32, "damaged frame head"},
    {HEAD, 12, 15, ""},
    /* sizes of columns */
    {BLOCKS, 0, 1, "damaged block definition"},
    {BLOCKS, 0, 3, "damaged block definition"},
    {BLOCKS, 8, 6, "damaged block definition"},
    {BLOCKS, 8, 8, "damaged block definition"},
    {BLOCKS, 16, 0, "damaged block definition"},
    /* places */
    {BLOCKS, 1, 0, "damaged block definition"},
    {BLOCKS, 1, 3, "damaged block definition"},
    {BLOCKS, 2, 3, "damaged block definition"}, /* an address is left over */
    {BLOCKS, 2, 5, "damaged block definition"},
    /* tokens beyond the data, and beyond the limit of a block */
    {BLOCKS, 5, 20, "damaged block definition"},
    {BLOCKS, 5, 512, "damaged block definition"},
    {BLOCKS, 15, 0, "damaged block definition"},
    {BLOCKS, 15, 1, "damaged block definition"},
    {BLOCKS, 15, 3, "damaged block definition"},
    {BLOCKS, 15, 10, "damaged block definition"},
    {BLOCKS, 15, 2, ""},
    {BLOCKS, 15, 8, ""},
    {BLOCKS, 7, 0, "damaged block definition"},
    {BLOCKS, 7, 3, "damaged block definition"},
    {BLOCKS, 9, 0x1f, "damaged block definition"},
    {BLOCKS, 9, 0x7f, "damaged block definition"},
    {TIMINGS, 0, 1, "damaged timing definition"},
    {TIMINGS, 0, 3, "damaged timing definition"},
    {TIMINGS, 12, 0, "damaged timing definition"},
    {TIMINGS, 1, 0, "cycles of a hart do not add up"}, /* two timings */
    {TIMINGS, 1, 3, "damaged rows"},		       /* does not fit the block */
    {TIMINGS, 1, 511, "damaged timing definition"},
    {TIMINGS, 1, 512, "damaged timing definition"},
    {TIMINGS, 2, 1, "damaged timing definition"}, /* another stall follows */
    {TIMINGS, 4, 1, "damaged timing definition"},
    {TIMINGS, 5, 0, "damaged timing definition"}, /* a delay is left over */
    {TIMINGS, 5, 2, "damaged timing definition"},
    {TIMINGS, 7, 130, "damaged timing definition"},
    {TIMINGS, 7, 4, "damaged timing definition"},
    {TIMINGS, 8, 32, "damaged timing definition"},
    {TIMINGS, 8, 31, ""},
    {TIMINGS, 9, UINT32_MAX, "damaged timing definition"},
    {TIMINGS, 9, 3, "cycles of a hart do not add up"}, /* they are determined by the
							* slots */
    {TIMINGS, 11, 6, "cycles of a hart do not add up"},
    {TIMINGS, 11, LIMIT48, "damaged timing definition"},
    {ROWS, 0, 1, "damaged rows"},
    {ROWS, 0, 3, "damaged rows"},
    {ROWS, 10, 0, "damaged rows"},
    {ROWS, 1, 0x10, "damaged rows"},
    {ROWS, 1, 0x01, "damaged rows"},
    {ROWS, 1, 0x0f, "damaged rows"},
    {ROWS, 1, 0xf0, "damaged rows"},
    {ROWS, 5, 3, "damaged rows"},
    {ROWS, 9, 3, "damaged rows"},
    {ROWS, 9, 2, "damaged rows"}, /* timing 1 on one token */
    {EVENTS, 0, 0x10001, "damaged event"},
    {EVENTS, 0, 201, "an event that this version does not know"},
    {EVENTS, 0, 1, "an event that this version does not know"},
    {EVENTS, 1, 3, "an event at an impossible place"},
    {EVENTS, 1, UINT32_MAX, "damaged event"},
    {EVENTS, 2, 1, "an event at an impossible place"},
    {EVENTS, 2, 256, "damaged event"},
    {EVENTS, 3, LIMIT48, "damaged event"},
    {EVENTS, 3, 2, "cycles of a hart do not add up"},
    {EVENTS, 4, 3, "damaged event"},
    {EVENTS, 4, 5, "damaged event"},
    {EVENTS, 4, 100, "damaged event"},
    {EVENTS, 6, 16, "damaged event"},
    {EVENTS, 6, 15, ""},
    {EVENTS, 10, 2, "an event at an impossible place"},
    {EVENTS, 10, UINT32_MAX - 1, "damaged event"},
    {EVENTS, 11, 1, "an event at an impossible place"},
    {EVENTS, 12, 5, ""}, /* only traps and gaps own cycles */
    {EVENTS, 14, 32, "damaged event"},
    {EVENTS, 14, 31, ""},
    {EVENTS, 16, 0, "bytes after the events"},
    {NOTES, 0, UINT32_MAX, "damaged note"},
    {NOTES, 1, 2, "damaged note"},
    {NOTES, 1, UINT32_MAX, "damaged note"},
    {NOTES, 2, UINT32_MAX, "damaged note"},
    {NOTES, 5, 2, "damaged note"},
    {NOTES, 8, 0, "damaged note"},
};

static void changes(void)
{
	for (size_t i = 0; i < sizeof(CHANGES) / sizeof(CHANGES[0]); i++)
		check_change(TR_CHUNK_FRAME, &GOOD, END, &CHANGES[i]);
}

/* Each kind of event with its last valid payload, and the next one. */
static void event_payloads(void)
{
	static const struct {
		unsigned kind, count;
		uint64_t good[2], bad[2];
	} KINDS[] = {
	    {TR_EV_XRET, 1, {15}, {16}},
	    {TR_EV_SATP, 2, {1, UINT32_MAX - 1}, {1, UINT32_MAX}},
	    {TR_EV_PRIV, 1, {15}, {16}},
	    {TR_EV_TRIGGER, 1, {1}, {2}},
	    {TR_EV_GAP, 2, {5, INT64_MAX - 1}, {6, 0}},
	    {TR_EV_GAP, 2, {0, 0}, {0, INT64_MAX}},
	    {TR_EV_SPACE, 1, {UINT32_MAX - 1}, {UINT32_MAX}},
	};
	char said[256];
	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		for (unsigned bad = 0; bad < 2; bad++) {
			struct payload payload = GOOD;
			const uint64_t *values = bad ? KINDS[i].bad : KINDS[i].good;
			struct tr_buffer body = {0};
			for (unsigned k = 0; k < KINDS[i].count; k++)
				tr_buffer_varint(&body, values[k]);
			struct part *part = &payload.parts[EVENTS];
			part->numbers[9] = KINDS[i].kind << 1 | 1;
			part->numbers[13] = body.size;
			part->count = 14;
			for (unsigned k = 0; k < KINDS[i].count; k++)
				part->numbers[part->count++] = values[k];
			read_frame(TR_CHUNK_FRAME, &payload, END, said);
			CHECK_STR(said, bad ? "damaged event" : "");
			tr_buffer_free(&body);
		}
}

/* Classes of the cycles of a trap, after its tval. */
static void trap_runs(void)
{
	static const struct {
		unsigned size, count;
		uint64_t numbers[5];
		const char *said;
	} TRAPS[] = {
	    {9, 5, {2, 5, 1, 31, 2}, ""},
	    {9, 5, {2, 5, 2, 31, 2}, "damaged event"}, /* 4 slots of 3 cycles */
	    {9, 5, {2, 5, 1, 32, 2}, "damaged event"},
	    {9, 5, {1, 5, 1, 31, 2}, "damaged event"},
	    {9, 5, {3, 5, 1, 31, 2}, "damaged event"},
	    {9, 5, {65, 5, 1, 31, 2}, "damaged event"},
	    {8, 5, {2, 5, 1, 31, 2}, "damaged event"},
	    {5, 1, {0}, "damaged event"},
	    {5, 1, {1}, "damaged event"},
	    {11, 3, {1, 5, UINT32_MAX}, "damaged event"},
	};
	char said[256];
	for (size_t i = 0; i < sizeof(TRAPS) / sizeof(TRAPS[0]); i++) {
		struct payload payload = GOOD;
		struct part *part = &payload.parts[EVENTS];
		unsigned more = TRAPS[i].count;
		part->numbers[4] = TRAPS[i].size;
		memmove(&part->numbers[9 + more], &part->numbers[9],
			(part->count - 9) * sizeof(part->numbers[0]));
		memcpy(&part->numbers[9], TRAPS[i].numbers, more * sizeof(uint64_t));
		part->count += more;
		read_frame(TR_CHUNK_FRAME, &payload, END, said);
		CHECK_STR(said, TRAPS[i].said);
	}
}

/* An event within a row must not change the context. */
static void event_places(void)
{
	static const struct {
		uint64_t kind, row, token, reg;
		const char *said;
	} PLACES[] = {
	    {TR_EV_REG, 0, 1, 3, ""},
	    {TR_EV_REG, 0, 1, 2, "an event at an impossible place"},
	    {TR_EV_REG, 0, 1, 4, "an event at an impossible place"},
	    {TR_EV_REG, 0, 2, 3, "an event at an impossible place"},
	    {TR_EV_REG, 1, 1, 3, "an event at an impossible place"},
	    {TR_EV_REG, 2, 1, 3, "an event at an impossible place"},
	    {TR_EV_MARK, 0, 1, 4, ""},
	    {TR_EV_SATP, 0, 1, 4, "an event at an impossible place"},
	    {TR_EV_HGATP, 0, 1, 4, "an event at an impossible place"},
	    {TR_EV_SPACE, 0, 1, 0, "damaged event"}, /* two numbers */
	    {TR_EV_CSR_READ, 0, 1, 0x7f, ""},
	    {TR_EV_CSR_READ, 0, 1, 0, ""},
	    {TR_EV_MMIO_LOAD, 0, 1, 0, "damaged event"}, /* two of three numbers */
	    {TR_EV_REGISTERS, 0, 1, 0, "damaged event"}, /* two bytes of eight */
	    {TR_EV_TRANSLATION, 0, 1, 0x7f, ""},
	    {TR_EV_DEVICE_WRITE, 0, 0, 7, ""}, /* no bytes */
	};
	char said[256];
	for (size_t i = 0; i < sizeof(PLACES) / sizeof(PLACES[0]); i++) {
		struct payload payload = GOOD;
		payload.parts[EVENTS] = (struct part){
		    9,
		    12,
		    {PLACES[i].kind << 1 | 1, PLACES[i].row, PLACES[i].token, 0, 2,
		     PLACES[i].reg, 0, TR_EV_GAP << 1 | 1, 2 - PLACES[i].row, 0, 3, 2}};
		payload.parts[EVENTS].numbers[12] = payload.parts[EVENTS].numbers[13] = 0;
		payload.parts[EVENTS].count = 14;
		if (PLACES[i].kind == TR_EV_HGATP) { /* one number */
			uint64_t *numbers = payload.parts[EVENTS].numbers;
			numbers[4] = 1;
			memmove(&numbers[6], &numbers[7], 7 * sizeof(*numbers));
			payload.parts[EVENTS].count--;
		}
		read_frame(TR_CHUNK_FRAME, &payload, END, said);
		CHECK_STR(said, PLACES[i].said);
	}
}

/* Sections in another order, missing, twice, and unknown. */
static void sections(void)
{
	char said[256];
	struct payload p = GOOD;
	p.parts[ROWS] = GOOD.parts[EVENTS];
	p.parts[EVENTS] = GOOD.parts[ROWS];
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "events before their rows");
	p = GOOD;
	p.parts[NOTES] = GOOD.parts[ROWS];
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "rows without a hart");
	p.parts[NOTES] = GOOD.parts[EVENTS];
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "events without a hart");
	p = GOOD;
	p.nparts = EVENTS;
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "a hart without its rows or events");
	p.nparts = ROWS;
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "a hart without its rows or events");
	p = GOOD;
	p.parts[NOTES].kind = 100;
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "");
	p.parts[NOTES].kind = 101;
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "a section that this version does not know");
	p.parts[NOTES].kind = 1 << 16;
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "damaged section");
	p.parts[NOTES] = (struct part){0, 2, {11, 5}}; /* five missing bytes */
	read_frame(TR_CHUNK_FRAME, &p, END, said);
	CHECK_STR(said, "damaged section");
}

static void totals(void)
{
	static const char SAID[] = "the totals differ from those of the frames";
	static const char *const ENDS[] = {"instructions=2\ncycles=16\nframes=1\n",
					   "instructions=3\ncycles=17\nframes=1\n",
					   "instructions=3\ncycles=16\nframes=0\n",
					   "cycles=16\nframes=1\n",
					   "instructions=3\nframes=1\n",
					   "instructions=3\ncycles=16\n"};
	char said[256];
	read_frame(TR_CHUNK_FRAME, &GOOD, END, said);
	CHECK_STR(said, "");
	for (size_t i = 0; i < sizeof(ENDS) / sizeof(ENDS[0]); i++) {
		read_frame(TR_CHUNK_FRAME, &GOOD, ENDS[i], said);
		CHECK_STR(said, SAID);
	}
	read_frame(TR_CHUNK_FRAME, &GOOD, "instructions=3\ncycles=16\nframes=1", said);
	CHECK_STR(said, "damaged end record");
	read_frame(TR_CHUNK_FRAME, &GOOD, "instructions=3\ncycles=16\nframes=1\na=\t",
		   said);
	CHECK_STR(said, "damaged end record");
	read_frame(TR_CHUNK_FRAME, &GOOD, "instructions\n", said);
	CHECK_STR(said, "damaged end record");
	read_frame(TR_CHUNK_FRAME, &GOOD, "In=1\n", said);
	CHECK_STR(said, "damaged end record");
}

/* Chunks: types, numbers and the data after the last one. */
static void chunks(void)
{
	static const struct {
		uint8_t first, second, third;
		uint32_t number;
		const char *said;
	} STREAMS[] = {
	    {'H', 'F', 'E', 2, ""},
	    {'F', 'F', 'E', 2, "not a trace stream"},
	    {'H', 'S', 'E', 2, "holds call stacks, not instructions: tr-unwind has run"},
	    {'H', 'X', 'E', 2, "unknown type of record"},
	    {'H', 'H', 'E', 2, "unknown type of record"},
	    {'H', 'F', 'E', 3, "chunk out of order"},
	    {'H', 'F', 'E', 1, "chunk out of order"},
	};
	char said[256];
	for (size_t i = 0; i < sizeof(STREAMS) / sizeof(STREAMS[0]); i++) {
		struct tr_buffer stream = {0};
		add_chunk(&stream, STREAMS[i].first, 0, "xlen=64\n", 8);
		add_payload(&stream, STREAMS[i].second, 1, &GOOD);
		add_chunk(&stream, STREAMS[i].third, STREAMS[i].number, END, strlen(END));
		read_all(&stream, TR_CHUNK_FRAME, said);
		const char *tail = strlen(said) < strlen(STREAMS[i].said)
				       ? said
				       : said + strlen(said) - strlen(STREAMS[i].said);
		CHECK_STR(*STREAMS[i].said ? tail : said, STREAMS[i].said);
		tr_buffer_free(&stream);
	}
}

/* Nothing may follow the end record, complete or not. */
static void behind_the_end(void)
{
	static const size_t SIZES[] = {1, TR_CHUNK_HEAD, TR_CHUNK_HEAD + 1,
				       TR_CHUNK_HEAD + 8};
	for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
		char said[256];
		struct tr_buffer stream = {0};
		add_chunk(&stream, TR_CHUNK_HEADER, 0, "xlen=64\n", 8);
		add_payload(&stream, TR_CHUNK_FRAME, 1, &GOOD);
		add_chunk(&stream, TR_CHUNK_END, 2, END, strlen(END));
		size_t end = stream.size;
		add_chunk(&stream, TR_CHUNK_HEADER, 3, "xlen=64\n", 8);
		stream.size = end + SIZES[i];
		read_all(&stream, TR_CHUNK_FRAME, said);
		CHECK_STR(said, "bytes after the end record");
		tr_buffer_free(&stream);
	}
}

/* Frames that follow a valid one. */
static void second_frame(void)
{
	static const struct {
		unsigned number;
		uint64_t value;
		const char *said;
	} SECOND[] = {
	    {0, 1, ""},
	    {1, 3, "a generation that begins twice"}, /* the first is 1 here */
	    {1, 1, "a generation that begins twice"},
	    {1, 2 << 1, "a generation that did not begin"},
	    {4, 115, "a hart does not continue where it ended"},
	    {9, 1, "a hart does not continue where it ended"},
	    {10, 0, "a hart does not continue where it ended"},
	    {11, 1, "a hart does not continue where it ended"},
	    {12, 1, "a hart does not continue where it ended"},
	    {13, 1, "a hart does not continue where it ended"}, /* hgatp */
	};
	for (size_t i = 0; i < sizeof(SECOND) / sizeof(SECOND[0]); i++) {
		char said[256];
		struct payload p = GOOD;
		struct tr_buffer stream = {0};
		static const char BOTH[] = "instructions=6\ncycles=32\nframes=2\n";
		add_chunk(&stream, TR_CHUNK_HEADER, 0, "xlen=64\n", 8);
		p.parts[HEAD].numbers[1] = 3;
		add_payload(&stream, TR_CHUNK_FRAME, 1, &p);
		p.parts[HEAD].numbers[0] = 1;
		p.parts[HEAD].numbers[1] = 5;
		p.parts[HEAD].numbers[4] = 116;
		p.parts[HEAD].numbers[10] = 0x77;
		if (SECOND[i].number == 13) {
			p.parts[HEAD].numbers[12] |= 16;
			p.parts[HEAD].count++;
		}
		p.parts[HEAD].numbers[SECOND[i].number] = SECOND[i].value;
		add_payload(&stream, TR_CHUNK_FRAME, 2, &p);
		add_chunk(&stream, TR_CHUNK_END, 3, BOTH, strlen(BOTH));
		read_all(&stream, TR_CHUNK_FRAME, said);
		CHECK_STR(said, SECOND[i].said);
		tr_buffer_free(&stream);
	}
}

int main(void)
{
	totals();
	changes();
	event_payloads();
	trap_runs();
	event_places();
	sections();
	chunks();
	behind_the_end();
	second_frame();
	return check_done();
}
