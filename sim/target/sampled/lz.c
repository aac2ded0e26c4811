/* SPDX-License-Identifier: Apache-2.0 */
/* LZ77 with chains of hashes, as in zlib, on text of which much is repeated; and back. */
#include "../benchmarks/benchmark.h"

enum {
	SIZE = 300000,
	TURNS = 7,
	WINDOW = 1 << 15,
	HASHES = 1 << 14,
	CHAIN = 24, /* candidates that are compared */
	LEAST = 4,
	MOST = 258,
	WORDS = 1500
};

static uint8_t text[SIZE], packed[2 * SIZE], again[SIZE];
static uint32_t head[HASHES], previous[WINDOW]; /* positions + 1; 0: none */

static uint32_t hash_at(const uint8_t *at)
{
	const uint32_t bytes =
	    at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;

	return (bytes * 2654435761U) >> 18;
}

/* Words of a vocabulary, of which few are frequent. */
KEEP static void write_text(uint32_t seed)
{
	uint32_t at = 0;

	while (at < SIZE) {
		const uint32_t place = random_next(&seed) % WORDS;
		uint32_t letters = (random_next(&seed) % (place + 1)) * 2246822519U + 1;

		for (uint32_t n = 2 + letters % 9; n > 0 && at < SIZE; n--)
			text[at++] = (uint8_t)('a' + random_next(&letters) % 26);
		if (at < SIZE)
			text[at++] = ' ';
	}
}

KEEP static uint32_t match_length(const uint8_t *a, const uint8_t *b, uint32_t most)
{
	uint32_t n = 0;

	while (n < most && a[n] == b[n])
		n++;
	return n;
}

KEEP static uint32_t longest_match(uint32_t at, uint32_t *distance)
{
	const uint32_t most = SIZE - at < MOST ? SIZE - at : MOST;
	uint32_t best = 0, from = head[hash_at(text + at)];

	for (int i = 0; i < CHAIN && from && at + 1 - from < WINDOW; i++) {
		const uint32_t length = match_length(text + at, text + from - 1, most);

		if (length > best) {
			best = length;
			*distance = at + 1 - from;
		}
		const uint32_t next = previous[(from - 1) % WINDOW];
		if (next >= from)
			break;
		from = next;
	}
	return best;
}

KEEP static void add_position(uint32_t at)
{
	uint32_t *first = &head[hash_at(text + at)];

	previous[at % WINDOW] = *first;
	*first = at + 1;
}

/* A literal is 0 and the byte, a match its length - LEAST + 1 and two bytes of distance.
 */
KEEP static uint32_t compress(void)
{
	uint32_t out = 0;

	for (uint32_t i = 0; i < HASHES; i++)
		head[i] = 0;
	for (uint32_t at = 0; at < SIZE;) {
		uint32_t distance = 0, length = 0;

		if (at + LEAST <= SIZE)
			length = longest_match(at, &distance);
		if (length < LEAST) {
			packed[out++] = 0;
			packed[out++] = text[at];
			length = 1;
		} else {
			packed[out++] = (uint8_t)(length - LEAST + 1);
			packed[out++] = (uint8_t)distance;
			packed[out++] = (uint8_t)(distance >> 8);
		}
		for (; length > 0; length--, at++)
			if (at + LEAST <= SIZE)
				add_position(at);
	}
	return out;
}

KEEP static uint32_t expand(uint32_t size)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < size;) {
		const uint32_t length = packed[i++];

		if (!length) {
			again[at++] = packed[i++];
			continue;
		}
		const uint32_t distance = packed[i] | (uint32_t)packed[i + 1] << 8;
		i += 2;
		for (uint32_t n = length + LEAST - 1; n > 0; n--, at++)
			again[at] = again[at - distance];
	}
	return at;
}

KEEP static bool is_same(void)
{
	for (uint32_t i = 0; i < SIZE; i++)
		if (text[i] != again[i])
			return false;
	return true;
}

void prepare(void)
{
}

uint64_t benchmark(void)
{
	uint64_t good = 0;

	for (uint32_t i = 1; i <= TURNS; i++) {
		write_text(i);
		const uint32_t size = compress();
		good += size < SIZE / 5 * 3 && expand(size) == SIZE && is_same();
	}
	return good;
}

bool right(uint64_t good)
{
	return good == TURNS;
}
