/* SPDX-License-Identifier: Apache-2.0 */
/* A mix of short programs, which take turns: quicksort, a hash table, a product of
 * matrices, and a CRC by table. Their data together are larger than the last cache. */
#include "../benchmarks/benchmark.h"

enum {
	TURNS = 17,
	KEYS = 40000,
	SLOTS = 1 << 17, /* of the hash table */
	SIDE = 72,
	BYTES = 600000
};

static uint32_t keys[KEYS], slots[SLOTS], table[256];
static uint64_t a[SIDE][SIDE], b[SIDE][SIDE], product[SIDE][SIDE];
static uint8_t bytes[BYTES];

KEEP static void fill(uint32_t seed)
{
	for (uint32_t i = 0; i < KEYS; i++)
		keys[i] = random_next(&seed);
	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		a[i / SIDE][i % SIDE] = random_next(&seed);
		b[i / SIDE][i % SIDE] = random_next(&seed);
	}
}

KEEP static uint32_t partition(uint32_t *list, uint32_t count)
{
	const uint32_t pivot = list[count / 2];
	uint32_t low = 0, high = count - 1;

	for (;;) {
		while (list[low] < pivot)
			low++;
		while (list[high] > pivot)
			high--;
		if (low >= high)
			return high + 1;
		const uint32_t value = list[low];
		list[low++] = list[high];
		list[high--] = value;
	}
}

KEEP static void insert(uint32_t *list, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t value = list[i];
		uint32_t at = i;

		for (; at > 0 && list[at - 1] > value; at--)
			list[at] = list[at - 1];
		list[at] = value;
	}
}

KEEP static void sort(uint32_t *list, uint32_t count)
{
	while (count > 12) {
		const uint32_t first = partition(list, count);

		sort(list, first);
		list += first;
		count -= first;
	}
	insert(list, count);
}

KEEP static uint32_t find_slot(uint32_t key)
{
	uint32_t slot = (key * 2654435761U) >> 15;

	while (slots[slot] && slots[slot] != key)
		slot = (slot + 1) % SLOTS;
	return slot;
}

KEEP static void clear(void)
{
	for (uint32_t i = 0; i < SLOTS; i++)
		slots[i] = 0;
}

/* Returns how many of the keys are found, of which the table has each second. */
KEEP static uint32_t hash(void)
{
	uint32_t found = 0;

	clear();
	for (uint32_t i = 0; i < KEYS; i += 2)
		slots[find_slot(keys[i])] = keys[i];
	for (uint32_t i = 0; i < KEYS; i++)
		found += slots[find_slot(keys[i])] != 0;
	return found;
}

KEEP static void multiply(void)
{
	for (uint32_t i = 0; i < SIDE; i++)
		for (uint32_t j = 0; j < SIDE; j++) {
			uint64_t sum = 0;

			for (uint32_t k = 0; k < SIDE; k++)
				sum += a[i][k] * b[k][j];
			product[i][j] = sum;
		}
}

/* A(Bv) = (AB)v, for v of ones. Returns in how many rows. */
KEEP static uint32_t agree(void)
{
	uint64_t sums[SIDE];
	uint32_t same = 0;

	for (uint32_t i = 0; i < SIDE; i++) {
		sums[i] = 0;
		for (uint32_t j = 0; j < SIDE; j++)
			sums[i] += b[i][j];
	}
	for (uint32_t i = 0; i < SIDE; i++) {
		uint64_t difference = 0;

		for (uint32_t j = 0; j < SIDE; j++)
			difference += a[i][j] * sums[j] - product[i][j];
		same += difference == 0;
	}
	return same;
}

KEEP static uint32_t crc(const uint8_t *at, uint32_t size)
{
	uint32_t value = 0xffffffff;

	while (size-- > 0)
		value = table[(value ^ *at++) & 0xff] ^ value >> 8;
	return ~value;
}

/* CRC-32, of Ethernet. */
KEEP static void make_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (0xedb88320 & -(table[i] & 1));
	}
}

void prepare(void)
{
	uint32_t seed = 9;

	make_table();
	for (uint32_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)random_next(&seed);
}

static uint64_t turn(uint32_t seed)
{
	uint64_t good = 0;

	fill(seed);
	good += hash() >= KEYS / 2;
	sort(keys, KEYS);
	for (uint32_t i = 1; i < KEYS; i++)
		good += keys[i - 1] <= keys[i];
	multiply();
	good += agree();
	bytes[seed]++;
	crc(bytes, BYTES);
	return good;
}

uint64_t benchmark(void)
{
	uint64_t good = 0;

	for (uint32_t i = 1; i <= TURNS; i++)
		good += turn(i);
	return good;
}

bool right(uint64_t good)
{
	return good == TURNS * (1 + KEYS - 1 + SIDE) &&
	       crc((const uint8_t *)"123456789", 9) == 0xcbf43926;
}
