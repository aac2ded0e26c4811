/* SPDX-License-Identifier: Apache-2.0 */
/* Position-independent, with musl as a shared library, which is also the loader. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"

enum { LINES = 150 };

static char lines[LINES][32];
static jmp_buf out;

KEEP static int by_text(const void *left, const void *right)
{
	return strcmp(left, right);
}

KEEP static double fill(void)
{
	double sum = 0;

	for (unsigned i = 0; i < LINES; i++) {
		double x = cbrt(spin(i + 5) % 10000);
		snprintf(lines[i], sizeof(lines[i]), "%.4f", x);
		sum += atof(lines[i]);
	}
	return sum;
}

KEEP static void *sort_lines(void *count)
{
	qsort(lines, LINES, sizeof(lines[0]), by_text);
	++*(unsigned *)count;
	return NULL;
}

/* Leaves by longjmp, unless there is nothing to leave. */
KEEP static void leave(unsigned depth)
{
	if (depth > 0)
		leave(depth - 1);
	else if (spin(1))
		longjmp(out, 1);
	spin(1);
}

int main(void)
{
	volatile unsigned jumps = 0;
	unsigned sorted = 0;
	pthread_t thread;
	double sum = fill();

	CHECK(pthread_create(&thread, NULL, sort_lines, &sorted) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	for (volatile unsigned i = 0; i < 5; i++) {
		if (setjmp(out) == 0)
			leave(i);
		else
			jumps++;
	}
	printf("musl: %.4f %s %u %u\n", sum, lines[0], sorted, jumps);
	return 0;
}
