/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of every size and encoding at odd addresses, across lines and pages,
 * compared with byte accesses: misaligned [rounds]. */
#include "user.h"

#include <string.h>

/* misaligned_sp.S: compressed forms that are only relative to sp. */
uint64_t load_word_sp(const void *address);
uint64_t load_double_sp(const void *address);
void store_word_sp(void *address, uint64_t value);
void store_double_sp(void *address, uint64_t value);

static uint8_t memory[3 * 4096] __attribute__((aligned(4096)));

/* Compressed forms can use eight registers: a0 and a1 are among them. */
#define LOAD(name, insn)                                                                 \
	KEEP static uint64_t name(const void *address)                                   \
	{                                                                                \
		register uint64_t a0 __asm__("a0") = (uint64_t)address;                  \
		__asm__ volatile(".option push\n" insn "\n.option pop"                   \
				 : "+r"(a0)                                              \
				 :                                                       \
				 : "memory");                                            \
		return a0;                                                               \
	}
#define STORE(name, insn)                                                                \
	KEEP static void name(void *address, uint64_t value)                             \
	{                                                                                \
		register uint64_t a0 __asm__("a0") = (uint64_t)address;                  \
		register uint64_t a1 __asm__("a1") = value;                              \
		__asm__ volatile(".option push\n" insn "\n.option pop"                   \
				 :                                                       \
				 : "r"(a0), "r"(a1)                                      \
				 : "memory");                                            \
	}
LOAD(load_lh, ".option norvc\nlh a0, 0(a0)")
LOAD(load_lhu, ".option norvc\nlhu a0, 0(a0)")
LOAD(load_lw, ".option norvc\nlw a0, 0(a0)")
LOAD(load_lwu, ".option norvc\nlwu a0, 0(a0)")
LOAD(load_ld, ".option norvc\nld a0, 0(a0)")
LOAD(load_c_lw, "c.lw a0, 0(a0)")
LOAD(load_c_ld, "c.ld a0, 0(a0)")
STORE(store_sh, ".option norvc\nsh a1, 0(a0)")
STORE(store_sw, ".option norvc\nsw a1, 0(a0)")
STORE(store_sd, ".option norvc\nsd a1, 0(a0)")
STORE(store_c_sw, "c.sw a1, 0(a0)")
STORE(store_c_sd, "c.sd a1, 0(a0)")

static const struct load {
	uint64_t (*function)(const void *);
	unsigned size;
	int extend;
} loads[] = {
    {load_lh, 2, 1},   {load_lhu, 2, 0},     {load_lw, 4, 1},
    {load_lwu, 4, 0},  {load_ld, 8, 0},	     {load_c_lw, 4, 1},
    {load_c_ld, 8, 0}, {load_word_sp, 4, 1}, {load_double_sp, 8, 0},
};

static const struct store {
	void (*function)(void *, uint64_t);
	unsigned size;
} stores[] = {
    {store_sh, 2},   {store_sw, 4},	 {store_sd, 8},	       {store_c_sw, 4},
    {store_c_sd, 8}, {store_word_sp, 4}, {store_double_sp, 8},
};

KEEP static int check_load(const struct load *load, const uint8_t *at)
{
	unsigned unused = 64 - 8 * load->size;
	uint64_t value = 0;

	for (unsigned i = 0; i < load->size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	if (load->extend)
		value = (uint64_t)((int64_t)(value << unused) >> unused);
	return load->function(at) == value;
}

KEEP static int check_store(const struct store *store, uint8_t *at, uint64_t value)
{
	uint8_t expected[24];

	memcpy(expected, at - 8, sizeof(expected));
	for (unsigned i = 0; i < store->size; i++)
		expected[8 + i] = (uint8_t)(value >> 8 * i);
	store->function(at, value);
	return memcmp(expected, at - 8, sizeof(expected)) == 0;
}

KEEP static int check_at(uint8_t *at, uint32_t *seed)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		if (!check_load(&loads[i], at))
			return 0;
	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		uint64_t value = (uint64_t)random_next(seed) << 32 | random_next(seed);
		if (!check_store(&stores[i], at, value))
			return 0;
	}
	return 1;
}

/* The first access to the third page is misaligned and crosses into it. */
KEEP static int first_touch(void)
{
	store_sd(memory + 2 * 4096 - 3, 0x1122334455667788);
	return load_ld(memory + 2 * 4096 - 3) == 0x1122334455667788;
}

int main(int argc, char **argv)
{
	uint32_t rounds = argument(argc, argv, 1, 4);
	uint32_t seed = 1;

	if (!first_touch())
		return 1;
	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = (uint8_t)random_next(&seed);
	for (uint32_t round = 0; round < rounds; round++)
		for (size_t offset = 0; offset < 24; offset++)
			if (!check_at(memory + 4096 - 12 + offset, &seed))
				return 2;
	printf("misaligned: %lu rounds\n", (unsigned long)rounds);
	return 0;
}
