/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions without end: a generation that no writer can have made is refused, before
 * it takes all memory. */
#include "check.h"
#include "stream/codec.h"

enum { AT_A_TIME = 1 << 12, SIZE = 4 };

typedef int decoder(struct tr_bytes *, struct tr_dictionary *);

static int decode_timings(struct tr_bytes *in, struct tr_dictionary *d)
{
	return tr_decode_timings(in, d, 1);
}

/* The same definition again and again, until it is refused. */
static int add(struct tr_dictionary *d, decoder *decode, const uint8_t one[SIZE])
{
	static uint8_t many[AT_A_TIME * SIZE];
	for (unsigned i = 0; i < AT_A_TIME; i++)
		memcpy(many + i * SIZE, one, SIZE);
	for (unsigned i = 0; i < 1000; i++) {
		struct tr_bytes in = {.at = many, .end = many + sizeof(many)};
		int status = decode(&in, d);
		if (status)
			return status;
	}
	return TR_OK;
}

int main(void)
{
	/* 2^18 and 2^19 begin a new generation, after two more frames at most. */
	static const size_t BLOCKS = (1 << 18) + (2 << 20),
			    TIMINGS = (1 << 19) + (2 << 20);
	const uint8_t nop[SIZE] = {0, 0, 1, 0}, stall[SIZE] = {1, 0, 2, 0};
	struct tr_dictionary d = {0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	CHECK_EQ(add(&d, tr_decode_blocks, nop), TR_E_CORRUPT);
	CHECK_EQ(d.nblocks, BLOCKS + 1);
	tr_dictionary_free(&d);
	d = (struct tr_dictionary){0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	CHECK_EQ(add(&d, decode_timings, stall), TR_E_CORRUPT);
	CHECK_EQ(d.ntimings, TIMINGS + 1);
	tr_dictionary_free(&d);
	return check_done();
}
