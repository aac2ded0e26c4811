/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of the log, which is stopped at any point, against a writer at full speed:
 * each copy that is said to be whole is of one span, which its words prove. The argument
 * is the number of copies, or more, until enough were torn. Also a program of the target,
 * with the threads on two harts (tests/profiler/log.mk). */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>

#include "check.h"
#include "stubs/shared_log.h"

enum {
	COUNT = 24,
	COPIES = 1000000,
	LONGEST = 300,
	STOP_EVERY_US = 100,
	STOP_STEPS = 1000
};

struct race {
	struct tr_shared shared;
	uint8_t *bytes;
	atomic_bool done;
};

static uint64_t word_of(uint64_t number, uint32_t place)
{
	return (number << 8 | place) * 0x9e3779b97f4a7c15;
}

/* Moves this thread to the first or the last of the process's processors. */
static void choose_processor(bool last)
{
	cpu_set_t all, one;
	int chosen = -1;
	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &all) && (last || chosen < 0))
			chosen = i;
	CPU_ZERO(&one);
	CPU_SET((size_t)chosen, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* Stops the reader at any point, for some spans. */
static void stop_reader(int number)
{
	static unsigned stops;
	(void)number;
	for (volatile unsigned i = stops++ % 4 * STOP_STEPS; i; i = i - 1)
		;
}

/* Only this thread, which began the others with the signal blocked, is stopped. */
static void begin_stops(const sigset_t *alarm)
{
	const struct itimerval timer = {{0, STOP_EVERY_US}, {0, STOP_EVERY_US}};
	signal(SIGALRM, stop_reader);
	pthread_sigmask(SIG_UNBLOCK, alarm, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* At full speed a copy takes longer than two spans, and nearly all are torn; a quarter of
 * the time there are pauses of all lengths, so that others are whole, or torn at their
 * end. */
static void pause_writer(uint64_t number)
{
	if (number & 0x3000)
		return;
	for (volatile uint64_t i = 0; i < number % 256; i = i + 1)
		;
}

static void *write_spans(void *context)
{
	struct race *race = context;
	choose_processor(true);
	for (uint64_t n = 1; !atomic_load(&race->done); n++) {
		struct tr_log_entry entries[COUNT];
		const struct tr_log_span span = {.time = word_of(n, 0),
						 .span = word_of(n, 1),
						 .cycles = word_of(n, 2),
						 .period = word_of(n, 3),
						 .samples = word_of(n, 4),
						 .all_samples = word_of(n, 5),
						 .lost_samples = word_of(n, 6)};
		for (uint32_t i = 0; i < COUNT; i++)
			entries[i] = (struct tr_log_entry){
			    i, {word_of(n, 8 + 2 * i), word_of(n, 9 + 2 * i)}};
		tr_log_write(race->bytes, &race->shared, &span, entries, COUNT, false);
		pause_writer(n);
	}
	return NULL;
}

static bool is_one_span(const struct tr_log_span *span,
			const struct tr_log_counts counts[COUNT])
{
	const uint64_t n = span->sequence / 2;
	bool one = span->sequence % 2 == 0 && span->time == word_of(n, 0) &&
		   span->span == word_of(n, 1) && span->cycles == word_of(n, 2) &&
		   span->period == word_of(n, 3) && span->samples == word_of(n, 4) &&
		   span->all_samples == word_of(n, 5) &&
		   span->lost_samples == word_of(n, 6);
	for (uint32_t i = 0; one && i < COUNT; i++)
		one = counts[i].calls == word_of(n, 8 + 2 * i) &&
		      counts[i].samples == word_of(n, 9 + 2 * i);
	return one;
}

/* Of `done` copies. */
struct results {
	uint64_t done, whole, torn, spans, mixtures;
};

/* Returns whether there are enough of each kind. */
static bool is_enough(const struct results *r, uint64_t copies)
{
	const uint64_t least = copies / 10000;
	return r->done >= copies && r->whole > least && r->torn > least &&
	       r->spans > least;
}

static void read_spans(struct race *race, uint64_t copies)
{
	struct results r = {0};
	uint64_t last = 0;
	for (; !is_enough(&r, copies) && r.done < LONGEST * copies; r.done++) {
		struct tr_log_span span;
		struct tr_log_counts counts[COUNT];
		const enum tr_log_result result =
		    tr_log_read(race->bytes, &race->shared, &span, counts);
		CHECK(result != TR_LOG_DAMAGED);
		r.torn += result == TR_LOG_TORN;
		if (result != TR_LOG_WHOLE)
			continue;
		r.whole++;
		r.mixtures += !is_one_span(&span, counts);
		r.spans += span.sequence != last;
		last = span.sequence;
	}
	CHECK_EQ(r.mixtures, 0);
	CHECK(is_enough(&r, copies));
	printf("%" PRIu64 " copies, %" PRIu64 " whole of %" PRIu64 " spans, %" PRIu64
	       " torn, %" PRIu64 " mixtures\n",
	       r.done, r.whole, r.spans, r.torn, r.mixtures);
}

int main(int argc, char **argv)
{
	static const char *names[COUNT];
	static struct race race;
	const uint64_t copies = argc > 1 ? strtoull(argv[1], NULL, 10) : COPIES;
	pthread_t writer;
	sigset_t alarm;
	size_t size;
	uint64_t at;
	for (unsigned i = 0; i < COUNT; i++)
		names[i] = "f";
	race.bytes = tr_shared_build(names, COUNT, COUNT, false, "", NULL, 0, &size);
	CHECK_EQ(tr_shared_open(race.bytes, size, &race.shared, &at), TR_OK);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	if (CHECK(pthread_create(&writer, NULL, write_spans, &race) == 0)) {
		choose_processor(false);
		begin_stops(&alarm);
		read_spans(&race, copies);
		atomic_store(&race.done, true);
		pthread_join(writer, NULL);
	}
	free(race.bytes);
	return check_done();
}
