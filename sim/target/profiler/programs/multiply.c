/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function that does next to nothing, over and over: what counting costs a call
 * at worst. Without optimisation, so that each call stays.
 *
 *     multiply [ROUNDS]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 500, TURNS = 1000 };

static uint32_t multiply_pair(uint32_t a, uint32_t b)
{
	return a * b;
}

static uint32_t square_number(uint32_t a)
{
	return multiply_pair(a, a);
}

/* One step of x * x + c, modulo 2^32. */
static uint32_t next_value(uint32_t value, uint32_t constant)
{
	return square_number(value) + constant;
}

static uint32_t run_round(uint32_t value, uint32_t constant)
{
	for (unsigned i = 0; i < TURNS; i++)
		value = next_value(value, constant);
	return value;
}

/* The same without calls. */
static uint32_t expected_value(unsigned rounds)
{
	uint32_t value = 1;

	for (unsigned i = 0; i < rounds; i++)
		for (unsigned j = 0; j < TURNS; j++)
			value = value * value + (2 * i + 1);
	return value;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : ROUNDS;
	uint32_t value = 1;

	for (unsigned i = 0; i < rounds; i++)
		value = run_round(value, 2 * i + 1);
	printf("multiply: %u rounds, %08x\n", rounds, (unsigned)value);
	return value == expected_value(rounds) ? 0 : 1;
}
