/* SPDX-License-Identifier: Apache-2.0 */
/* Timings at a commit width above 1: a token of no cycles costs a bit; timings survive
 * encoding, and damaged ones are refused. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stream/codec.h"

enum { WIDTH = 4, TIMINGS = 400, COLUMNS = TR_WIDE_TIMING_COLUMNS };

static struct tr_stall stalls[TIMINGS][TR_BLOCK_MAX_TOKENS];
static const struct tr_run RUNS[] = {{.slots = 3, .class = 1}, {.slots = 2, .class = 7}};

/* Fills a timing: tokens of no cycles, one of them with a class, among others. */
static struct tr_timing make_timing(unsigned number)
{
	const unsigned tokens = 1 + number * 37 % TR_BLOCK_MAX_TOKENS;
	struct tr_timing timing = {.stalls = stalls[number], .runs = RUNS, .nruns = 2};
	for (unsigned i = 0; i < tokens; i++) {
		const unsigned kind = (number * 7 + i * 11 + i * i) % 9;
		struct tr_stall stall = {.token = (uint16_t)i};
		if (kind == 0) {
			stall.cycles = 2 + number;
			stall.nruns = timing.nstalls % 3 ? 0 : 1;
		} else if (kind == 1 && number % 5 == 0) {
			stall.nruns = 1;
		} else if (kind > 5 && i != tokens - 1) {
			continue;
		}
		stalls[number][timing.nstalls++] = stall;
	}
	return timing;
}

/* Makes the body of a section of the columns. */
static void join_columns(struct tr_buffer *body, const struct tr_buffer *columns)
{
	body->size = 0;
	for (unsigned c = 0; c < COLUMNS; c++)
		tr_buffer_body(body, &columns[c]);
}

static int decode_body(struct tr_dictionary *d, const uint8_t *data, size_t size)
{
	struct tr_bytes in = {.at = data, .end = data + size};
	*d = (struct tr_dictionary){0};
	CHECK_EQ(tr_dictionary_reset(d), TR_OK);
	return tr_decode_wide_timings(&in, d, WIDTH);
}

static void check_same_stalls(const struct tr_timing *a, const struct tr_timing *b)
{
	CHECK_EQ(a->nstalls, b->nstalls);
	for (uint32_t i = 0; i < a->nstalls && i < b->nstalls; i++) {
		const struct tr_stall *x = &a->stalls[i], *y = &b->stalls[i];
		CHECK(x->token == y->token && x->cycles == y->cycles &&
		      x->nruns == y->nruns);
		for (unsigned k = 0; k < x->nruns && k < y->nruns; k++)
			CHECK_EQ(a->runs[x->first_run + k].slots,
				 b->runs[y->first_run + k].slots);
	}
}

static void encode_all(struct tr_buffer *body)
{
	struct tr_buffer columns[COLUMNS] = {{0}};
	struct tr_delays delays = {0};
	for (unsigned i = 0; i < TIMINGS; i++) {
		const struct tr_timing timing = make_timing(i);
		CHECK_EQ(tr_encode_wide_timing(columns, &delays, &timing), TR_OK);
	}
	join_columns(body, columns);
	tr_columns_free(columns, COLUMNS);
	tr_delays_free(&delays);
}

static void keeps_timings(const struct tr_buffer *body)
{
	struct tr_dictionary d;
	CHECK_EQ(decode_body(&d, body->data, body->size), TR_OK);
	CHECK_EQ(d.ntimings, TIMINGS + 1);
	for (unsigned i = 0; i < TIMINGS && i + 1 < d.ntimings; i++) {
		const struct tr_timing timing = make_timing(i);
		check_same_stalls(&timing, &d.timings[i + 1]);
	}
	tr_dictionary_free(&d);
}

/* 48 tokens of no cycles take 8 bytes, as many as 48 bits and two flags. */
static void costs_a_bit(void)
{
	struct tr_buffer columns[COLUMNS] = {{0}};
	struct tr_delays delays = {0};
	struct tr_timing timing = {.stalls = stalls[0], .nstalls = 48};
	for (unsigned i = 0; i < timing.nstalls; i++)
		stalls[0][i] = (struct tr_stall){.token = (uint16_t)i};
	CHECK_EQ(tr_encode_wide_timing(columns, &delays, &timing), TR_OK);
	CHECK_EQ(columns[0].size + columns[1].size + columns[2].size, 0);
	CHECK_EQ(columns[3].size, 8);
	tr_columns_free(columns, COLUMNS);
	tr_delays_free(&delays);
}

static void refuses_damage(void)
{
	/* Sizes of the columns before each. */
	static const struct {
		uint8_t size, bytes[40];
		int status;
	} bodies[] = {
	    {5, {0, 0, 0, 1, 4}, TR_OK},		    /* token 0 */
	    {5, {0, 0, 0, 1, 0}, TR_E_CORRUPT},		    /* nothing */
	    {5, {0, 0, 0, 1, 2}, TR_E_CORRUPT},		    /* no stall */
	    {5, {0, 0, 0, 1, 5}, TR_E_CORRUPT},		    /* no second value */
	    {9, {1, 0, 1, 0, 2, 1, 2, 1, 2}, TR_OK},	    /* a stall of token 0 */
	    {9, {1, 0, 1, 0, 2, 1, 2, 1, 6}, TR_E_CORRUPT}, /* of no cycles, too */
	    {9, {1, 0, 1, 0, 2, 1, 2, 1, 4}, TR_E_CORRUPT}, /* not announced */
	    /* Token 60 in the first value, and 255 and 256 in the fifth. */
	    {13,
	     {0, 0, 0, 9, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40},
	     TR_E_CORRUPT},
	    {11, {0, 0, 0, 7, 1, 1, 1, 1, 0x80, 0x80, 4}, TR_OK},
	    {11, {0, 0, 0, 7, 1, 1, 1, 1, 0x80, 0x80, 8}, TR_E_CORRUPT},
	    {9, {0, 0, 0, 5, 1, 1, 1, 1, 1}, TR_E_CORRUPT},
	};
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		struct tr_dictionary d;
		CHECK_EQ(decode_body(&d, bodies[i].bytes, bodies[i].size),
			 bodies[i].status);
		tr_dictionary_free(&d);
	}
}

/* Whatever the bytes are, they are decoded or refused. */
static void survives_flips(const struct tr_buffer *body)
{
	uint8_t *copy = malloc(body->size);
	CHECK(copy != NULL);
	for (size_t i = 0; copy && i < body->size; i += 3) {
		struct tr_dictionary d;
		memcpy(copy, body->data, body->size);
		copy[i] ^= (uint8_t)(1U << i % 8);
		int status = decode_body(&d, copy, body->size);
		CHECK(status == TR_OK || status == TR_E_CORRUPT);
		tr_dictionary_free(&d);
		CHECK_EQ(decode_body(&d, body->data, i), TR_E_CORRUPT);
		tr_dictionary_free(&d);
	}
	free(copy);
}

int main(void)
{
	struct tr_buffer body = {0};
	encode_all(&body);
	keeps_timings(&body);
	costs_a_bit();
	refuses_damage();
	body.size = 0;
	encode_all(&body);
	survives_flips(&body);
	tr_buffer_free(&body);
	return check_done();
}
