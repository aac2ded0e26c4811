/* SPDX-License-Identifier: Apache-2.0 */
/* Static glibc: text, numbers with a fraction, the heap, jumps out of a recursion. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"

enum { WORDS = 400 };

struct word {
	struct word *next;
	double weight;
	char text[];
};

static jmp_buf out;

KEEP static struct word *word_new(unsigned i, struct word *next)
{
	char text[64];
	struct word *word;

	snprintf(text, sizeof(text), "%u:%.3f", i, (double)spin(i) / 1e6);
	word = malloc(sizeof(*word) + strlen(text) + 1);
	CHECK(word);
	word->next = next;
	strcpy(word->text, text);
	return word;
}

/* Leaves by longjmp from a recursion. */
KEEP static void word_find(const struct word *word, double least)
{
	if (strtod(strchr(word->text, ':') + 1, NULL) < least)
		longjmp(out, 1);
	if (word->next)
		word_find(word->next, least);
	spin(1);
}

KEEP static double words_sum(struct word *words)
{
	double sum = 0;

	for (struct word *word = words; word; word = word->next) {
		word->weight = strtod(strchr(word->text, ':') + 1, NULL);
		sum += word->weight * 0.5;
	}
	return sum;
}

KEEP static void words_free(struct word *words)
{
	while (words) {
		struct word *next = words->next;
		free(words);
		words = next;
	}
}

KEEP static unsigned words_jumps(const struct word *words)
{
	volatile unsigned jumps = 0;

	for (volatile unsigned i = 0; i < 10; i++) {
		if (setjmp(out) == 0)
			word_find(words, 30.0 * i);
		else
			jumps++;
	}
	return jumps;
}

int main(void)
{
	struct word *words = NULL;
	unsigned jumps;
	double sum;

	for (unsigned i = 1; i <= WORDS; i++)
		words = word_new(i, words);
	sum = words_sum(words);
	jumps = words_jumps(words);
	words_free(words);
	printf("static: %.3f %u\n", sum, jumps);
	return 0;
}
