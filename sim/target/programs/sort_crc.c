/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts numbers, checks the order, and computes the CRC-32 of the result: sort_crc
 * [rounds [seed]]. */
#include "user.h"

enum { COUNT = 4096, SMALL = 12 };

static uint32_t numbers[COUNT];
static uint32_t crc_table[256];

KEEP static void fill(uint32_t seed)
{
	for (size_t i = 0; i < COUNT; i++)
		numbers[i] = random_next(&seed);
}

KEEP static void insertion_sort(uint32_t *first, uint32_t *end)
{
	for (uint32_t *next = first + 1; next < end; next++) {
		uint32_t value = *next, *at = next;
		for (; at > first && at[-1] > value; at--)
			*at = at[-1];
		*at = value;
	}
}

KEEP static uint32_t *partition(uint32_t *first, uint32_t *end)
{
	uint32_t pivot = first[(end - first) / 2];
	uint32_t *low = first - 1, *high = end;

	for (;;) {
		do
			low++;
		while (*low < pivot);
		do
			high--;
		while (*high > pivot);
		if (low >= high)
			return high + 1;
		uint32_t value = *low;
		*low = *high;
		*high = value;
	}
}

KEEP static void quicksort(uint32_t *first, uint32_t *end)
{
	if (end - first <= SMALL) {
		insertion_sort(first, end);
		return;
	}
	uint32_t *middle = partition(first, end);
	quicksort(first, middle);
	quicksort(middle, end);
}

KEEP static void crc_init(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
		crc_table[i] = crc;
	}
}

KEEP static uint32_t crc32(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ crc_table[(crc ^ bytes[i]) & 0xff];
	return ~crc;
}

KEEP static int in_order(void)
{
	for (size_t i = 1; i < COUNT; i++)
		if (numbers[i - 1] > numbers[i])
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	uint32_t rounds = argument(argc, argv, 1, 4);
	uint32_t seed = argument(argc, argv, 2, 1);
	uint32_t crc = 0;

	crc_init();
	if (crc32("123456789", 9) != 0xcbf43926)
		return 1;
	for (uint32_t round = 0; round < rounds; round++) {
		fill(seed + round);
		quicksort(numbers, numbers + COUNT);
		if (!in_order())
			return 1;
		crc ^= crc32(numbers, sizeof(numbers));
	}
	printf("sort_crc %lu: 0x%08lx\n", (unsigned long)seed, (unsigned long)crc);
	return 0;
}
