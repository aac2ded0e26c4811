/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-16 (CCITT) of text and of random bytes, bit by bit, as in CoreMark. */
#include "benchmark.h"

enum { SIZE = 2048, TURNS = 4 };

static uint8_t data[SIZE + 2];

KEEP static uint32_t crc(const uint8_t *bytes, uint32_t size)
{
	uint32_t crc = 0xffff;

	while (size-- > 0) {
		crc ^= (uint32_t)*bytes++ << 8;
		for (int bit = 0; bit < 8; bit++) {
			crc <<= 1;
			crc ^= 0x11021 & -(crc >> 16);
		}
	}
	return crc;
}

void prepare(void)
{
	uint32_t seed = 5;

	for (int i = 0; i < SIZE; i++)
		data[i] = (uint8_t)random_next(&seed);
	crc(data, SIZE);
}

/* The CRC of data followed by its own CRC is 0. */
uint64_t benchmark(void)
{
	uint64_t result = crc((const uint8_t *)"123456789", 9);

	for (int i = 0; i < TURNS; i++) {
		uint32_t value = crc(data, SIZE);
		data[SIZE] = (uint8_t)(value >> 8);
		data[SIZE + 1] = (uint8_t)value;
		result += crc(data, SIZE + 2);
		data[i]++;
	}
	return result;
}

bool right(uint64_t result)
{
	return result == 0x29b1;
}
