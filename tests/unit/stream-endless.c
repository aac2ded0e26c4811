/* SPDX-License-Identifier: Apache-2.0 */
/* Endless definitions and rows: a generation larger than any writer makes is refused
 * before it exhausts memory. */
#include "check.h"
#include "stream/codec.h"

enum { AT_A_TIME = 1 << 12, COLUMNS = 3 };

typedef int decoder(struct tr_bytes *, struct tr_dictionary *);

static int decode_timings(struct tr_bytes *in, struct tr_dictionary *d)
{
	return tr_decode_timings(in, d, 1);
}

/* Contents of each column for one definition. */
struct one {
	unsigned sizes[COLUMNS];
	uint8_t bytes[COLUMNS][4];
};

/* Adds the same definition until it is refused. */
static int add(struct tr_dictionary *d, decoder *decode, const struct one *one)
{
	struct tr_buffer body = {0};
	int status = TR_OK;
	for (unsigned c = 0; c < COLUMNS; c++) {
		tr_buffer_varint(&body, (uint64_t)one->sizes[c] * AT_A_TIME);
		for (unsigned i = 0; i < AT_A_TIME; i++)
			tr_buffer_add(&body, one->bytes[c], one->sizes[c]);
	}
	for (unsigned i = 0; i < 1000 && !status; i++) {
		struct tr_bytes in = {.at = body.data, .end = body.data + body.size};
		status = decode(&in, d);
	}
	tr_buffer_free(&body);
	return status;
}

/* A nop at an unpredicted address; a stall of the first delay. */
static const struct one NOP = {{1, 2, 2}, {{1}, {0, 0}, {1, 0}}},
			STALL = {{1, 1, 0}, {{0}, {0}, {0}}};

/* Adds a batch of timings of one stall, each with its own delay; delays may be equal. */
static int add_batch_of_delays(struct tr_dictionary *d)
{
	struct tr_buffer tokens = {0}, delays = {0}, cycles = {0}, body = {0};
	for (unsigned i = 0; i < AT_A_TIME; i++) {
		tr_buffer_varint(&tokens, 0);
		tr_buffer_varint(&delays, d->delays.count + i);
		tr_buffer_add(&cycles, "\1\2", 2); /* no runs, 2 cycles */
	}
	const struct tr_buffer *const columns[] = {&tokens, &delays, &cycles};
	for (unsigned c = 0; c < COLUMNS; c++)
		tr_buffer_body(&body, columns[c]);
	struct tr_bytes in = {.at = body.data, .end = body.data + body.size};
	int status = tr_decode_timings(&in, d, 1);
	tr_buffer_free(&tokens);
	tr_buffer_free(&delays);
	tr_buffer_free(&cycles);
	tr_buffer_free(&body);
	return status;
}

static int add_delays(struct tr_dictionary *d)
{
	int status = TR_OK;
	while (!status && d->delays.count < 3 << 20) {
		size_t timings = d->ntimings;
		status = add_batch_of_delays(d);
		if (!status)
			d->ntimings = timings; /* not because of their number */
	}
	return status;
}

/* A block of one token followed by itself, and its single timing: new each time. */
static int add_row(struct tr_dictionary *d, struct tr_row_state *state, uint32_t *owner)
{
	const struct tr_list *timings = &d->history[1].rhythms;
	struct tr_buffer body = {0}, beyond = {0};
	struct tr_row row;
	uint64_t tokens = 0, cycles = 0;
	unsigned follower = d->history[*owner].followers.count, rhythm = timings->count;
	if (follower >= 15)
		tr_buffer_varint(&beyond, follower - 15);
	if (rhythm >= 15)
		tr_buffer_varint(&beyond, rhythm - 15);
	tr_buffer_varint(&body, 1);
	uint8_t code =
	    (uint8_t)((follower < 15 ? follower : 15) << 4 | (rhythm < 15 ? rhythm : 15));
	tr_buffer_add(&body, &code, 1);
	tr_buffer_body(&body, &beyond);
	tr_buffer_add(&body, "\1\1\1\1", 4); /* id 0, of the block and of the timing */
	struct tr_bytes in = {.at = body.data, .end = body.data + body.size};
	int status = tr_decode_rows(&in, d, state, owner, &row, 1, &tokens, &cycles);
	tr_buffer_free(&body);
	tr_buffer_free(&beyond);
	return status;
}

static int add_rows(struct tr_dictionary *d)
{
	struct tr_row_state state = {.new_timing = 1};
	uint32_t owner = 0;
	int status = tr_dictionary_add_block(
	    d,
	    &(struct tr_block){.code = (const uint8_t *)"\1", .tokens = 1, .bytes = 2});
	while (!status && d->nedges < 8 << 20)
		status = add_row(d, &state, &owner);
	return status;
}

int main(void)
{
	/* 2^18, 2^19 and 2^21 start a new generation, after at most two more frames. */
	static const size_t BLOCKS = (1 << 18) + (2 << 20),
			    TIMINGS = (1 << 19) + (2 << 20),
			    EDGES = (1 << 21) + (4 << 20);
	struct tr_dictionary d = {0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	CHECK_EQ(add(&d, tr_decode_blocks, &NOP), TR_E_CORRUPT);
	CHECK_EQ(d.nblocks, BLOCKS + 1);
	tr_dictionary_free(&d);
	d = (struct tr_dictionary){0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	CHECK_EQ(tr_delays_add(&d.delays, &(struct tr_delay){.cycles = 2}), TR_OK);
	CHECK_EQ(add(&d, decode_timings, &STALL), TR_E_CORRUPT);
	CHECK_EQ(d.ntimings, TIMINGS + 1);
	tr_dictionary_free(&d);
	d = (struct tr_dictionary){0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	CHECK_EQ(add_delays(&d), TR_E_CORRUPT);
	CHECK_EQ(d.delays.count, TIMINGS + 1);
	tr_dictionary_free(&d);
	d = (struct tr_dictionary){0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	CHECK_EQ(add_rows(&d), TR_E_CORRUPT);
	CHECK_EQ(d.nedges, EDGES + 2);
	tr_dictionary_free(&d);
	return check_done();
}
