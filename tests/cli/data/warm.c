// SPDX-License-Identifier: Apache-2.0
// Uses of memory that leave the caches in a known state at a mark, and the same uses
// again: l1 within the L1D, l2 within the L2, dram beyond it, dirty with lines to write
// back, code beyond the L1I, mixed at random, which has some of each, and none.
#include <stdint.h>
#include <tr-profiler/mark.h>

enum { LINE = 64 / sizeof(uint64_t) };

static volatile uint64_t data[4 << 17];

// Loads a word of each line of this many bytes, or adds to it.
static void walk(unsigned bytes, int stores)
{
	for (unsigned i = 0; i < bytes / sizeof(uint64_t); i += LINE) {
		if (stores)
			data[i]++;
		else
			(void)data[i];
	}
}

static void mix(unsigned n)
{
	static uint64_t seed = 1;

	for (unsigned i = 0; i < n; i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		uint64_t place = seed >> 33, size = seed >> 62 ? 8 << 10 : 512 << 10;
		volatile uint64_t *word = &data[place % size / 8];

		if (seed >> 60 & 1)
			*word = *word + i;
		else
			(void)*word;
	}
}

#define SOME __asm__ volatile(".rept 512\n\taddi t0, t0, 1\n\t.endr" ::: "t0");
#define EACH(X)                                                                          \
	X(0)                                                                             \
	X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define NAME(n) code##n,
#define CODE(n)                                                                          \
	__attribute__((noinline)) static void code##n(void)                              \
	{                                                                                \
		SOME                                                                     \
	}
EACH(CODE)

static void run_code(unsigned n)
{
	static void (*const all[])(void) = {EACH(NAME)};

	for (unsigned i = 0; i < n; i++)
		all[i]();
}

#define TWICE(number, use)                                                               \
	do {                                                                             \
		use;                                                                     \
		use;                                                                     \
		TR_BEGIN(number, #number);                                               \
		use;                                                                     \
		TR_END(number, #number);                                                 \
	} while (0)

int main(void)
{
	TWICE(1, walk(12 << 10, 0));
	TWICE(2, walk(256 << 10, 0));
	TWICE(3, walk(2 << 20, 0));
	TWICE(4, walk(64 << 10, 1));
	TWICE(5, run_code(4));
	TWICE(6, run_code(16));
	TWICE(7, mix(20000));
	TWICE(8, (void)0);
	return 0;
}

static uint64_t stack[512];

__attribute__((naked, section(".text.start"))) void _start(void)
{
	__asm__("la sp, %0\n\tli t0, 4096\n\tadd sp, sp, t0\n\tcall main\n\t"
		"li t0, 0x100000\n\tli t1, 0x5555\n\tsw t1, (t0)" ::"s"(stack));
}
