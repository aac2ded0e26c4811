/* SPDX-License-Identifier: Apache-2.0 */
/* Rows whose cycles add up to more than 63 bits are refused, also if the sum wraps to a
 * small number. */
#include "check.h"
#include "stream/codec.h"

enum { TOKENS = TR_BLOCK_MAX_TOKENS, MAX_ROWS = 400 };

/* The longest possible block and timing: a row takes 2^56 - 256 cycles. */
static void define(struct tr_dictionary *d)
{
	uint8_t lengths[TOKENS];
	struct tr_stall stalls[TOKENS];
	const struct tr_block block = {
	    .code = lengths, .tokens = TOKENS, .bytes = 2 * TOKENS, .no_bits = true};
	const struct tr_timing timing = {.stalls = stalls, .nstalls = TOKENS};
	for (uint16_t i = 0; i < TOKENS; i++) {
		lengths[i] = 2;
		stalls[i] = (struct tr_stall){.token = i, .cycles = TR_MAX_CYCLES - 1};
	}
	CHECK_EQ(tr_dictionary_reset(d), TR_OK);
	CHECK_EQ(tr_dictionary_add_block(d, &block), TR_OK);
	CHECK_EQ(tr_dictionary_add_timing(d, &timing), TR_OK);
}

static int decode(const struct tr_buffer *section, uint32_t count, uint64_t *cycles)
{
	static struct tr_row rows[MAX_ROWS];
	struct tr_dictionary d = {0};
	struct tr_row_state state = {.new_timing = 1};
	struct tr_bytes in = {.at = section->data, .end = section->data + section->size};
	struct tr_bytes body = {0};
	uint32_t owner = 0;
	uint64_t tokens = 0;
	unsigned kind;
	bool must;
	*cycles = 0;
	define(&d);
	CHECK(tr_decode_section(&in, &kind, &must, &body));
	int status =
	    tr_decode_rows(&body, &d, &state, &owner, rows, count, &tokens, cycles);
	tr_dictionary_free(&d);
	return status;
}

static int transfer(uint32_t count, uint64_t *cycles)
{
	struct tr_row_ids rows[MAX_ROWS];
	struct tr_dictionary d = {0};
	struct tr_row_state state = {.new_timing = 1};
	struct tr_buffer columns[TR_ROW_COLUMNS] = {0}, section = {0};
	uint32_t owner = 0;
	for (uint32_t i = 0; i < count; i++)
		rows[i] = (struct tr_row_ids){.block = 0, .timing = 1};
	define(&d);
	CHECK_EQ(tr_encode_rows(columns, &d, &state, &owner, rows, count), TR_OK);
	tr_encode_columns(&section, TR_SECTION_ROWS, columns, TR_ROW_COLUMNS);
	int status = decode(&section, count, cycles);
	tr_columns_free(columns, TR_ROW_COLUMNS);
	tr_buffer_free(&section);
	tr_dictionary_free(&d);
	return status;
}

int main(void)
{
	const uint64_t row = TOKENS * (TR_MAX_CYCLES - 1);
	uint64_t cycles;
	CHECK_EQ(transfer(128, &cycles), TR_OK);
	CHECK(cycles == 128 * row);
	CHECK_EQ(transfer(129, &cycles), TR_E_CORRUPT);
	CHECK_EQ(transfer(257, &cycles), TR_E_CORRUPT);
	CHECK_EQ(transfer(MAX_ROWS, &cycles), TR_E_CORRUPT);
	return check_done();
}
