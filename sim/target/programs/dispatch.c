/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are hard to follow: function pointers, tail calls, comparison functions
 * called by the library, setjmp and longjmp: dispatch [rounds]. */
#include "user.h"

#include <setjmp.h>
#include <stdlib.h>

/* An accumulator machine that calls each operation by pointer. */
KEEP static uint32_t op_add(uint32_t a, uint32_t b)
{
	return a + b;
}

KEEP static uint32_t op_xor(uint32_t a, uint32_t b)
{
	return a ^ (b << 3);
}

KEEP static uint32_t op_rotate(uint32_t a, uint32_t b)
{
	return a << (b & 31) | a >> (-b & 31);
}

KEEP static uint32_t op_multiply(uint32_t a, uint32_t b)
{
	return a * (b | 1);
}

static uint32_t (*volatile operations[])(uint32_t, uint32_t) = {
    op_add,
    op_xor,
    op_rotate,
    op_multiply,
};

KEEP static uint32_t interpret(uint32_t seed, uint32_t steps)
{
	uint32_t value = seed;

	for (uint32_t i = 0; i < steps; i++)
		value = operations[value >> 7 & 3](value, i);
	return value;
}

/* States that end by jumping to the next one, directly or by pointer. */
struct walk {
	uint32_t left;
	uint32_t sum;
};
typedef uint32_t state(struct walk *walk);
static state state_odd, state_even, state_third;
static state *volatile const states[] = {state_even, state_odd, state_third};

KEEP static uint32_t state_even(struct walk *walk)
{
	walk->sum += 2;
	if (walk->left == 0)
		return walk->sum;
	walk->left--;
	return state_odd(walk);
}

KEEP static uint32_t state_odd(struct walk *walk)
{
	walk->sum = walk->sum * 5 + 1;
	if (walk->left == 0)
		return walk->sum;
	walk->left--;
	return states[walk->sum % 3](walk);
}

KEEP static uint32_t state_third(struct walk *walk)
{
	walk->sum ^= walk->sum >> 3;
	if (walk->left == 0)
		return walk->sum;
	walk->left--;
	return states[(walk->sum >> 1) % 3](walk);
}

/* Errors that unwind several frames at once. */
static jmp_buf on_error;

KEEP static uint32_t parse_digit(const char *text)
{
	if (*text < '0' || *text > '9')
		longjmp(on_error, 1);
	return (uint32_t)(*text - '0');
}

KEEP static uint32_t parse_number(const char *text)
{
	uint32_t value = 0;

	for (; *text; text++)
		value = value * 10 + parse_digit(text);
	return value;
}

KEEP static uint32_t parse_all(const char *const *texts, size_t count)
{
	volatile uint32_t sum = 0;
	volatile size_t i = 0;

	if (setjmp(on_error) != 0)
		sum += 1000000;
	while (i < count)
		sum += parse_number(texts[i++]);
	return sum;
}

KEEP static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

KEEP static uint32_t library_sort(uint32_t seed)
{
	uint32_t values[100];

	for (size_t i = 0; i < 100; i++)
		values[i] = random_next(&seed);
	qsort(values, 100, sizeof(values[0]), compare);
	return values[50];
}

int main(int argc, char **argv)
{
	static const char *const texts[] = {"12", "3x4", "56", "y", "789"};
	uint32_t rounds = argument(argc, argv, 1, 20);
	uint32_t sum = 0;

	for (uint32_t round = 1; round <= rounds; round++) {
		struct walk walk = {.left = 1000, .sum = round};
		sum += interpret(round, 2000);
		sum ^= state_even(&walk);
		if (parse_all(texts, 5) != 2000857)
			return 1;
		sum += library_sort(round);
	}
	printf("dispatch: 0x%08lx\n", (unsigned long)sum);
	return 0;
}
