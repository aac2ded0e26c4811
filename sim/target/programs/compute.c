/* SPDX-License-Identifier: Apache-2.0 */
/* Integer work without output until the end, to measure the machine's speed: CRC,
 * quicksort, list, matrix, memcpy, division: compute [rounds]. A round has half a million
 * to a million instructions of each, and a hundred thousand of division. */
#include "user.h"

#include <string.h>

enum { WORDS = 2048, NODES = 1024, SIDE = 48 };

static uint32_t words[WORDS], copy[WORDS];
static uint32_t left[SIDE][SIDE], right[SIDE][SIDE], result[SIDE][SIDE];
static struct node {
	struct node *next;
	uint64_t value;
} nodes[NODES];

KEEP static uint32_t crc(const uint32_t *data, size_t count)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < count; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 32; bit++)
			crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
	}
	return ~crc;
}

KEEP static void quicksort(uint32_t *first, uint32_t *end)
{
	while (end - first > 1) {
		uint32_t pivot = first[(end - first) / 2];
		uint32_t *low = first, *high = end - 1;

		for (;;) {
			while (*low < pivot)
				low++;
			while (pivot < *high)
				high--;
			if (low >= high)
				break;
			uint32_t value = *low;
			*low++ = *high;
			*high-- = value;
		}
		quicksort(first, low);
		first = low > first ? low : first + 1;
	}
}

KEEP static void copy_words(unsigned times)
{
	while (times-- > 0) {
		memcpy(copy, words, sizeof(words));
		__asm__ volatile(""
				 :
				 :
				 : "memory"); /* otherwise the compiler copies
					       * once */
	}
}

KEEP static void make_list(void)
{
	for (size_t i = 0; i < NODES; i++) {
		nodes[i].next = &nodes[(i * 421 + 1) % NODES];
		nodes[i].value = i;
	}
}

KEEP static uint64_t walk(size_t steps)
{
	const struct node *node = nodes;
	uint64_t sum = 0;

	while (steps-- > 0) {
		sum = sum * 3 + node->value;
		node = node->next;
	}
	return sum;
}

KEEP static uint32_t multiply(uint32_t seed)
{
	for (size_t i = 0; i < SIDE; i++)
		for (size_t j = 0; j < SIDE; j++) {
			left[i][j] = random_next(&seed);
			right[i][j] = random_next(&seed);
		}
	for (size_t i = 0; i < SIDE; i++)
		for (size_t j = 0; j < SIDE; j++) {
			uint32_t sum = 0;
			for (size_t k = 0; k < SIDE; k++)
				sum += left[i][k] * right[k][j];
			result[i][j] = sum;
		}
	return crc(result[0], SIDE);
}

KEEP static uint64_t divide(uint64_t seed, uint32_t steps)
{
	uint64_t sum = 0;

	for (uint64_t i = 1; i <= steps; i++) {
		sum += seed / i + seed % (i + 1);
		seed = seed * 6364136223846793005 + 1442695040888963407;
	}
	return sum;
}

int main(int argc, char **argv)
{
	uint32_t rounds = argument(argc, argv, 1, 100);
	uint32_t seed = 1;
	uint64_t sum = 0;

	make_list();
	for (uint32_t round = 0; round < rounds; round++) {
		for (size_t i = 0; i < WORDS; i++)
			words[i] = random_next(&seed);
		sum += crc(words, WORDS);
		copy_words(256);
		for (int i = 0; i < 4; i++) {
			copy_words(1);
			quicksort(copy, copy + WORDS);
		}
		sum ^= walk(100000) + multiply(seed) + divide(seed, 10000) + copy[0];
	}
	printf("compute: 0x%016llx\n", (unsigned long long)sum);
	return 0;
}
