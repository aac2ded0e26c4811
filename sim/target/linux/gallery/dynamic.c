/* SPDX-License-Identifier: Apache-2.0 */
/* Position-independent, with glibc's shared libraries: calls bound lazily through the
 * PLT, libm, a callback from libc, threads.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"

enum { VALUES = 500, THREADS = 3, TURNS = 20 };

static double values[VALUES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static unsigned turn, compared;

KEEP static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	compared++;
	return (a > b) - (a < b);
}

KEEP static double waves(void)
{
	double sum = 0;

	for (unsigned i = 0; i < VALUES; i++) {
		double x = (double)(spin(i + 1) % 1000) / 100;
		values[i] = sin(x) + pow(x, 0.25) + exp(-x);
		sum += fma(values[i], 2, 1);
	}
	return sum;
}

KEEP static void sorted(void)
{
	double key;

	qsort(values, VALUES, sizeof(values[0]), by_value);
	key = values[VALUES / 3];
	CHECK(bsearch(&key, values, VALUES, sizeof(values[0]), by_value));
	for (unsigned i = 1; i < VALUES; i++)
		CHECK(values[i - 1] <= values[i]);
}

/* The threads take turns. */
KEEP static void *take_turns(void *argument)
{
	unsigned me = (unsigned)(uintptr_t)argument;
	double *sum = malloc(sizeof(*sum));

	CHECK(sum);
	*sum = 0;
	for (unsigned i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&lock);
		while (turn % THREADS != me)
			pthread_cond_wait(&turned, &lock);
		*sum += log1p(values[turn]) + spin(20) % 7;
		turn++;
		pthread_cond_broadcast(&turned);
		pthread_mutex_unlock(&lock);
	}
	return sum;
}

KEEP static double threads(void)
{
	pthread_t thread[THREADS];
	double sum = 0;

	for (unsigned i = 0; i < THREADS; i++)
		CHECK(pthread_create(&thread[i], NULL, take_turns,
				     (void *)(uintptr_t)i) == 0);
	for (unsigned i = 0; i < THREADS; i++) {
		void *result;
		CHECK(pthread_join(thread[i], &result) == 0);
		sum += *(double *)result;
		free(result);
	}
	return sum;
}

int main(void)
{
	double sum = waves();
	char text[80];

	sorted();
	sum += threads();
	snprintf(text, sizeof(text), "%.6f", sum);
	CHECK(strlen(text) > 6);
	printf("dynamic: %s %u\n", text, compared > VALUES);
	return 0;
}
