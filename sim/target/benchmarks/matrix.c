/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices, as in CoreMark: sums, products with constants, vectors and each other. */
#include "benchmark.h"

enum { SIDE = 32, TURNS = 3 };

static uint32_t a[SIDE][SIDE], b[SIDE][SIDE], product[SIDE][SIDE];

KEEP static void fill(uint32_t m[SIDE][SIDE], uint32_t seed)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			m[i][j] = random_next(&seed);
}

KEEP static void add_constant(uint32_t m[SIDE][SIDE], uint32_t value)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			m[i][j] += value;
}

KEEP static void multiply_vector(uint32_t m[SIDE][SIDE], const uint32_t *in,
				 uint32_t *out)
{
	for (int i = 0; i < SIDE; i++) {
		out[i] = 0;
		for (int j = 0; j < SIDE; j++)
			out[i] += m[i][j] * in[j];
	}
}

KEEP static void multiply(void)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			uint32_t sum = 0;
			for (int k = 0; k < SIDE; k++)
				sum += a[i][k] * b[k][j];
			product[i][j] = sum;
		}
}

/* (AB)v = A(Bv), if AB is right. */
KEEP static uint64_t agree(uint32_t seed)
{
	uint32_t v[SIDE], bv[SIDE], abv[SIDE], pv[SIDE];
	uint64_t same = 0;

	for (int i = 0; i < SIDE; i++)
		v[i] = random_next(&seed);
	multiply_vector(b, v, bv);
	multiply_vector(a, bv, abv);
	multiply_vector(product, v, pv);
	for (int i = 0; i < SIDE; i++)
		same += abv[i] == pv[i];
	return same;
}

static uint64_t turn(uint32_t seed)
{
	add_constant(a, seed);
	add_constant(b, 3 * seed);
	multiply();
	return agree(seed);
}

void prepare(void)
{
	fill(a, 1);
	fill(b, 2);
	turn(99);
}

uint64_t benchmark(void)
{
	uint64_t same = 0;

	for (uint32_t seed = 1; seed <= TURNS; seed++)
		same += turn(seed);
	return same;
}

bool right(uint64_t same)
{
	return same == TURNS * SIDE;
}
