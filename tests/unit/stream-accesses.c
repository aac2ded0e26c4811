/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of accesses are decoded as they were encoded, with their physical pages;
 * addresses that contradict the code are refused, and so is damage. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stream/accesses.h"
#include "stream/codec.h"

enum { ROWS = 600, LIMIT = 4096 };

/* addi sp,sp,-32; sd ra,24(sp); ld a0,0(a1); addi a1,a1,8; ld a2,0(a1); lw a3,4(a0);
 * auipc a4,0; sw a3,8(a4); amoadd.w a5,a3,(a4); c.addi16sp 32; c.ldsp ra,8(sp); ret */
static const uint8_t leading[] = {
    0x13, 0x01, 0x01, 0xfe, 0x23, 0x3c, 0x11, 0x00, 0x03, 0xb5, 0x05, 0x00, 0xa1,
    0x05, 0x90, 0x61, 0x83, 0x26, 0x45, 0x00, 0x17, 0x07, 0x00, 0x00, 0x23, 0x24,
    0xd7, 0x00, 0xaf, 0x27, 0xd7, 0x00, 0x05, 0x61, 0xa2, 0x60, 0x82, 0x80};
/* c.lw a2,4(a5); c.sd a2,8(a4); c.swsp a2,12(sp); lr.d a6,(a5); sc.d a7,a6,(a5); j . */
static const uint8_t plain[] = {0xd0, 0x43, 0x10, 0xe7, 0x32, 0xc6, 0x2f, 0xb8,
				0x07, 0x10, 0xaf, 0xb8, 0x07, 0x19, 0x01, 0xa0};
/* li a0,0; ret */
static const uint8_t none[] = {0x01, 0x45, 0x82, 0x80};

static const struct tr_block blocks[] = {
    {.pc = 0x10000, .code = leading, .tokens = 12, .bytes = sizeof(leading)},
    {.pc = 0x20000, .code = plain, .tokens = 6, .bytes = sizeof(plain)},
    {.pc = 0x30000, .code = none, .tokens = 2, .bytes = sizeof(none)}};

static struct tr_row rows[2][ROWS];
static struct tr_accessed wanted[2][ROWS * 8];
static bool known[2][ROWS];
static unsigned first[2][ROWS + 1];
static uint32_t seed = 1;

static uint64_t draw(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* What a row accesses: its own mapping of pages, with devices. */
static void set_row(unsigned hart, unsigned row, uint64_t sp)
{
	const unsigned at = first[hart][row], block = rows[hart][row].block;
	struct tr_accessed *out = &wanted[hart][at];
	const uint64_t a1 = 0x4000 + 8 * draw(LIMIT), a0 = draw(1U << 31) & ~3ULL,
		       a5 = UINT64_MAX - 4096 * draw(50) - 15, a4 = 0x7000 + 16 * row;
	const uint64_t of_leading[] = {sp - 8,	a1,	 a1 + 8, a0 + 4,
				       0x1001c, 0x10014, sp + 8};
	const uint64_t of_plain[] = {a5 + 4, a4 + 8, sp + 12, a5, a5};
	const unsigned count = block == 0 ? 7 : block == 1 ? 5 : 0;

	for (unsigned i = 0; i < count; i++) {
		out[i].address = block == 0 ? of_leading[i] : of_plain[i];
		const uint64_t page = out[i].address & ~4095ULL;
		out[i].page =
		    row % 100 < 50 ? page : (page ^ 0x80000000 ^ row / 100 << 12);
		out[i].page |= block == 1 && i == 1;
	}
	first[hart][row + 1] = at + count;
}

static void make_rows(void)
{
	for (unsigned hart = 0; hart < 2; hart++)
		for (unsigned row = 0; row < ROWS; row++) {
			rows[hart][row].block = (uint32_t)draw(3);
			known[hart][row] = draw(10) != 0;
			set_row(hart, row, 0x90000 - 64 * draw(4));
		}
}

static const struct tr_accessed *give_row(void *user, uint32_t part, uint32_t row,
					  unsigned count)
{
	(void)user;
	CHECK(count == first[part][row + 1] - first[part][row]);
	return known[part][row] ? &wanted[part][first[part][row]] : NULL;
}

static const struct tr_hart_frame parts[] = {{.rows = rows[0], .nrows = ROWS, .hart = 0},
					     {.rows = rows[1], .nrows = ROWS, .hart = 5}};

/* Makes the payload of a frame with these sections. */
static struct tr_buffer make_payload(const struct tr_buffer *sections)
{
	struct tr_frame_head head = {.nharts = 2, .harts = {{.hart = 0}, {.hart = 5}}};
	struct tr_buffer payload = {0};

	tr_encode_frame_head(&payload, &head);
	tr_buffer_add(&payload, sections->data, sections->size);
	return payload;
}

static struct tr_frame frame_of(const struct tr_buffer *payload)
{
	return (struct tr_frame){.harts = parts,
				 .nharts = 2,
				 .view = {.blocks = blocks, .nblocks = 3},
				 .payload = {payload->data, payload->size}};
}

static void check_row(const struct tr_accesses *a, uint32_t part, uint32_t row)
{
	unsigned count;
	const struct tr_access *got = tr_accesses_row(a, part, row, &count);
	const struct tr_accessed *want = &wanted[part][first[part][row]];

	CHECK(count == (known[part][row] ? first[part][row + 1] - first[part][row] : 0));
	for (unsigned i = 0; i < count; i++) {
		CHECK(got[i].address == want[i].address);
		CHECK(got[i].physical ==
		      ((want[i].page & ~4095ULL) | (want[i].address & 4095)));
		CHECK(!(got[i].kind & TR_ACCESS_DEVICE) == !(want[i].page & 1));
	}
}

static void check_kinds(const struct tr_accesses *a)
{
	static const uint8_t token[] = {1, 2, 4, 5, 7, 8, 10},
			     size[] = {8, 8, 8, 4, 4, 4, 8};
	static const uint8_t kind[] = {2, 1, 1, 1, 2, 3, 1},
			     plain_kind[] = {1, 2, 2, 1, 6},
			     plain_size[] = {4, 8, 4, 8, 8};

	for (uint32_t row = 0; row < ROWS; row++) {
		unsigned count;
		const struct tr_access *got = tr_accesses_row(a, 0, row, &count);
		for (unsigned i = 0; i < count; i++) {
			const bool is_leading = rows[0][row].block == 0;
			CHECK((got[i].kind & 7) ==
			      (is_leading ? kind[i] : plain_kind[i]));
			CHECK(got[i].size == (is_leading ? size[i] : plain_size[i]));
			CHECK(got[i].token == (is_leading ? token[i] : i));
		}
	}
}

static void check_round_trip(struct tr_accesses *a, struct tr_buffer *sections)
{
	struct tr_frame frame = {
	    .harts = parts, .nharts = 2, .view = {.blocks = blocks, .nblocks = 3}};

	CHECK(tr_accesses_encode(a, &frame, give_row, NULL, sections) == TR_OK);
	struct tr_buffer payload = make_payload(sections);
	frame = frame_of(&payload);
	for (int again = 0; again < 2; again++) {
		CHECK(tr_accesses_frame(a, &frame) == TR_OK);
		for (uint32_t row = 0; row < ROWS; row++) {
			check_row(a, 0, row);
			check_row(a, 1, row);
		}
		const struct tr_accesses_sum sum = tr_accesses_sum(a);
		CHECK(sum.known + sum.unknown == first[0][ROWS] + first[1][ROWS]);
		CHECK(sum.unknown > 0);
	}
	check_kinds(a);
	tr_buffer_free(&payload);
}

static void check_contradiction(struct tr_accesses *a)
{
	struct tr_frame frame = {
	    .harts = parts, .nharts = 2, .view = {.blocks = blocks, .nblocks = 3}};
	struct tr_buffer out = {0};
	uint32_t row = 0;

	while (rows[0][row].block != 0 || !known[0][row])
		row++;
	wanted[0][first[0][row] + 2].address += 8;
	CHECK(tr_accesses_encode(a, &frame, give_row, NULL, &out) == TR_E_ARGUMENT);
	wanted[0][first[0][row] + 2].address -= 8;
	tr_buffer_free(&out);
}

/* Cut anywhere the sections are damaged; with a wrong byte they may be other ones. */
static void check_damage(struct tr_accesses *a, const struct tr_buffer *sections)
{
	struct tr_buffer payload = make_payload(sections);
	const size_t head = payload.size - sections->size;

	for (size_t size = head + 1; size < payload.size; size++) {
		struct tr_frame frame = frame_of(&payload);
		frame.payload.size = size;
		CHECK(tr_accesses_frame(a, &frame) == TR_E_CORRUPT);
	}
	unsigned refused = 0;
	for (size_t at = head; at < payload.size; at++) {
		struct tr_frame frame = frame_of(&payload);
		payload.data[at] ^= 0x40;
		refused += tr_accesses_frame(a, &frame) == TR_E_CORRUPT;
		payload.data[at] ^= 0x40;
	}
	CHECK(refused > 100);
	tr_buffer_free(&payload);
}

int main(void)
{
	struct tr_accesses *a = tr_accesses_new();
	struct tr_buffer sections = {0}, empty = {0};

	CHECK(a != NULL);
	make_rows();
	check_round_trip(a, &sections);
	check_contradiction(a);
	check_damage(a, &sections);

	/* A frame without sections has none. */
	struct tr_buffer payload = make_payload(&empty);
	struct tr_frame frame = frame_of(&payload);
	CHECK(tr_accesses_frame(a, &frame) == TR_OK);
	CHECK(tr_accesses_sum(a).known == 0);
	struct tr_accesses *fresh = tr_accesses_new();
	unsigned count = 1;
	CHECK(tr_accesses_frame(fresh, &frame) == TR_OK);
	CHECK(tr_accesses_row(fresh, 1, 0, &count) != NULL && count == 0);
	tr_accesses_free(fresh);
	tr_buffer_free(&payload);
	tr_buffer_free(&sections);
	tr_accesses_free(a);
	return check_done();
}
