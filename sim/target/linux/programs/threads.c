/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: a mutex that all want, a queue with conditions, a barrier, thread-local
 * variables, some that come and go, and one that is cancelled.
 *
 *     threads [TURNS]
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "check.h"

enum { WORKERS = 4, QUEUE = 4, ITEMS = 40 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static unsigned turns = 40, counter;
static _Thread_local unsigned own;

/* Yields while holding the lock, so that others contend for it. */
KEEP static void critical(unsigned turn)
{
	pthread_mutex_lock(&lock);
	counter++;
	spin(50);
	if (turn % 4 == 0)
		sched_yield();
	pthread_mutex_unlock(&lock);
}

static void *worker(void *argument)
{
	unsigned mine = *(const unsigned *)argument;

	pthread_barrier_wait(&barrier);
	for (unsigned i = 0; i < turns; i++) {
		critical(i + mine);
		own += mine;
		spin(100);
	}
	CHECK(own == mine * turns);
	return NULL;
}

KEEP static void contend(void)
{
	pthread_t threads[WORKERS];
	unsigned numbers[WORKERS];

	pthread_barrier_init(&barrier, NULL, WORKERS);
	for (unsigned i = 0; i < WORKERS; i++) {
		numbers[i] = i;
		CHECK(pthread_create(&threads[i], NULL, worker, &numbers[i]) == 0);
	}
	for (unsigned i = 0; i < WORKERS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	CHECK(counter == WORKERS * turns);
}

static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	unsigned items[QUEUE], first, count;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
	   .filled = PTHREAD_COND_INITIALIZER,
	   .emptied = PTHREAD_COND_INITIALIZER};

KEEP static void put(unsigned item)
{
	pthread_mutex_lock(&queue.lock);
	while (queue.count == QUEUE)
		pthread_cond_wait(&queue.emptied, &queue.lock);
	queue.items[(queue.first + queue.count++) % QUEUE] = item;
	pthread_cond_signal(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
}

KEEP static unsigned get(void)
{
	unsigned item;

	pthread_mutex_lock(&queue.lock);
	while (queue.count == 0)
		pthread_cond_wait(&queue.filled, &queue.lock);
	item = queue.items[queue.first++ % QUEUE];
	queue.count--;
	pthread_cond_signal(&queue.emptied);
	pthread_mutex_unlock(&queue.lock);
	return item;
}

static void *producer(void *argument)
{
	for (unsigned i = 1; i <= ITEMS; i++)
		put(i);
	return argument;
}

KEEP static void queued(void)
{
	pthread_t thread;
	unsigned sum = 0;

	CHECK(pthread_create(&thread, NULL, producer, NULL) == 0);
	for (unsigned i = 0; i < ITEMS; i++)
		sum += get();
	CHECK(sum == ITEMS * (ITEMS + 1) / 2);
	pthread_join(thread, NULL);
}

static void *brief(void *argument)
{
	spin(300);
	return argument;
}

static void *endless(void *argument)
{
	for (;;)
		pause();
	return argument;
}

KEEP static void come_and_go(void)
{
	pthread_t thread;
	void *result;

	for (int i = 0; i < 5; i++) {
		CHECK(pthread_create(&thread, NULL, brief, &barrier) == 0);
		CHECK(pthread_join(thread, &result) == 0 && result == &barrier);
	}
	CHECK(pthread_create(&thread, NULL, endless, NULL) == 0);
	CHECK(pthread_cancel(thread) == 0);
	CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		turns = (unsigned)atoi(argv[1]);
	contend();
	queued();
	come_and_go();
	return 0;
}
