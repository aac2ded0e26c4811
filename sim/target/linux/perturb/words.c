/* SPDX-License-Identifier: Apache-2.0 */
/* A program to be profiled: functions that are called often and are short, and others
 * that are called seldom and are long. Prints a sum of what it has computed.
 *
 *     words ROUNDS
 */
#include <stdint.h>
#include <string.h>

#include "../programs/check.h"

enum { WORDS = 500, LETTERS = 12, SIZE = 40, SLOTS = 1024, PRIMES = 40000 };

static char words[WORDS][LETTERS + 1];
static const char *sorted[WORDS];
static uint32_t counts[SLOTS];
static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];
static char composite[PRIMES];

KEEP static uint32_t draw(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

KEEP static uint32_t mix(uint32_t hash, char letter)
{
	return (hash ^ (uint8_t)letter) * 16777619;
}

KEEP static uint32_t hash_word(const char *word)
{
	uint32_t hash = 2166136261;

	while (*word)
		hash = mix(hash, *word++);
	return hash;
}

KEEP static void make_words(uint32_t seed)
{
	for (unsigned i = 0; i < WORDS; i++) {
		unsigned length = 1 + draw(&seed) % LETTERS;

		for (unsigned j = 0; j < length; j++)
			words[i][j] = (char)('a' + draw(&seed) % 26);
		words[i][length] = '\0';
		sorted[i] = words[i];
	}
}

KEEP static void count_words(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		counts[hash_word(words[i]) % SLOTS]++;
}

KEEP static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

KEEP static double multiply(unsigned round)
{
	double sum = 0;

	for (unsigned i = 0; i < SIZE; i++)
		for (unsigned j = 0; j < SIZE; j++) {
			left[i][j] = (double)((i + j + round) % 7);
			right[i][j] = (double)((i * j + round) % 5);
		}
	for (unsigned i = 0; i < SIZE; i++)
		for (unsigned j = 0; j < SIZE; j++) {
			product[i][j] = 0;
			for (unsigned k = 0; k < SIZE; k++)
				product[i][j] += left[i][k] * right[k][j];
			sum += product[i][j];
		}
	return sum;
}

KEEP static unsigned sieve(void)
{
	unsigned primes = 0;

	memset(composite, 0, sizeof(composite));
	for (unsigned i = 2; i < PRIMES; i++) {
		if (composite[i])
			continue;
		primes++;
		for (unsigned j = 2 * i; j < PRIMES; j += i)
			composite[j] = 1;
	}
	return primes;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	uint32_t sum = 0;

	for (unsigned round = 0; round < rounds; round++) {
		make_words(round);
		count_words();
		qsort(sorted, WORDS, sizeof(sorted[0]), by_text);
		sum = sum * 31 + hash_word(sorted[round % WORDS]);
		sum = sum * 31 + (uint32_t)multiply(round);
		sum += sieve() + spin(20000);
	}
	for (unsigned i = 0; i < SLOTS; i++)
		sum = sum * 31 + counts[i];
	printf("words: %u rounds, sum %u\n", rounds, (unsigned)sum);
	return 0;
}
