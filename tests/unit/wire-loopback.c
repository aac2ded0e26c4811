/* SPDX-License-Identifier: Apache-2.0 */
/* A wire that returns its frames: when, in which order, and every byte. */
#include "verilated/wire.h"

#include <stdlib.h>

#include "check.h"

enum { LATENCY = 100, FRAMES = 5 };

struct bench {
	struct wire *wire;
	uint64_t cycle;
	struct wire_pins pins;
	/* Frames that came back: cycles of the first and the last word, and bytes. */
	unsigned count, size[FRAMES];
	uint64_t first[FRAMES], last[FRAMES];
	uint8_t bytes[FRAMES][64];
};

static void take(struct bench *b, const struct wire_word *word)
{
	unsigned n = b->count;

	if (b->size[n] == 0)
		b->first[n] = b->cycle;
	memcpy(b->bytes[n] + b->size[n], &word->data, word->bytes);
	b->size[n] += word->bytes;
	b->last[n] = b->cycle;
	b->count += word->last;
}

static void step(struct bench *b)
{
	b->cycle++;
	if (wire_next(b->wire) <= b->cycle)
		wire_drive(b->wire, b->cycle, &b->pins);
	CHECK(b->pins.up && b->pins.ready);
	if (b->pins.valid)
		take(b, &b->pins.word);
}

/* Sends a frame of whose words `gap` cycles are apart. Returns the cycle of the first. */
static uint64_t send(struct bench *b, unsigned size, uint8_t value, unsigned gap)
{
	uint64_t at = b->cycle + 1;

	for (unsigned done = 0; done < size; done += 8) {
		unsigned left = size - done;
		const struct wire_word word = {
		    .last = left <= 8,
		    .bytes = left < 8 ? left : 8,
		    .data = UINT64_C(0x0101010101010101) * value + done};

		step(b);
		wire_send(b->wire, b->cycle, &word);
		for (unsigned i = 0; i < gap; i++)
			step(b);
	}
	return at;
}

int main(void)
{
	struct bench b = {.wire = wire_new(NULL, LATENCY, NULL, NULL)};
	uint64_t at[FRAMES];

	at[0] = send(&b, 20, 1, 0);
	at[1] = send(&b, 64, 2, 0);
	at[2] = send(&b, 8, 3, 0);
	for (unsigned i = 0; i < 3 * LATENCY; i++)
		step(&b);
	/* Its words are so far apart that it ends after the latency. */
	at[3] = send(&b, 24, 4, LATENCY);
	for (unsigned i = 0; i < 3 * LATENCY; i++)
		step(&b);
	CHECK_EQ(b.count, 4);
	CHECK_EQ(b.first[0], at[0] + LATENCY);
	CHECK_EQ(b.last[0], at[0] + LATENCY + 2);
	CHECK_EQ(b.first[1], at[1] + LATENCY);
	CHECK_EQ(b.last[1], at[1] + LATENCY + 7);
	CHECK_EQ(b.first[2], b.last[2]);
	CHECK_EQ(b.first[2], at[2] + LATENCY);
	CHECK_EQ(b.first[3], at[3] + 2 * (LATENCY + 1) + 1);
	CHECK_EQ(b.last[3], b.first[3] + 2);
	CHECK_EQ(b.size[0], 20);
	CHECK_EQ(b.size[1], 64);
	CHECK_EQ(b.bytes[0][0], 1);
	CHECK_EQ(b.bytes[0][16], 17);
	CHECK_EQ(b.bytes[1][56], 58);
	CHECK_EQ(b.bytes[3][23], 4);
	CHECK_EQ(wire_next(b.wire), UINT64_MAX);
	CHECK(!wire_fault(b.wire));
	wire_free(b.wire);
	return check_done();
}
