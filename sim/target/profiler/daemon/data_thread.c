/* SPDX-License-Identifier: Apache-2.0 */
/* Reads samples and updates logs, periodically. */
#include "data_thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 128 /* samples */ };
#define S UINT64_C(1000000000)

struct data_thread {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wanted;
	bool hurry, end; /* what is wanted of it */
	const struct daemon_config *config;
	const struct kernel_profiler *kernel;
	struct watched_processes *watched;
	struct prof_sample samples[BATCH];
};

/* Waits until a time, or less if it is wanted. Returns false if the thread has to end. */
static bool wait_until(struct data_thread *data, uint64_t time)
{
	struct timespec until = {.tv_sec = (time_t)(time / S),
				 .tv_nsec = (long)(time % S)};
	int status = 0;

	pthread_mutex_lock(&data->lock);
	while (!data->end && !data->hurry && status != ETIMEDOUT)
		status = pthread_cond_timedwait(&data->wanted, &data->lock, &until);
	bool end = data->end;

	data->hurry = false;
	pthread_mutex_unlock(&data->lock);
	return !end;
}

/* Returns the time up to which all samples were counted. */
static uint64_t take_samples(struct data_thread *data)
{
	uint64_t now = monotonic_time();
	size_t count;

	while ((count = read_samples(data->kernel, data->samples, BATCH)) > 0)
		count_samples(data->watched, data->samples, count);
	remove_ended_processes(data->watched, now);
	return now;
}

/* The first time after `now` that is `period` times a whole number after `last`: what was
 * missed, as while the daemon was stopped, is not made up for. */
static uint64_t next_time(uint64_t last, uint64_t period, uint64_t now)
{
	return now < last + period ? last + period
				   : last + ((now - last) / period + 1) * period;
}

static void *process_data(void *context)
{
	struct data_thread *data = context;
	const struct daemon_config *config = data->config;
	const uint64_t sample_period = S / data->kernel->rate;
	uint64_t wake = monotonic_time(), snapshot = wake;

	do {
		uint64_t now = take_samples(data);

		if (now >= snapshot) {
			update_logs(data->watched, sample_period);
			snapshot = next_time(snapshot, config->snapshot_period, now);
		}
		if (now >= wake)
			wake = next_time(wake, config->sampling_period, monotonic_time());
	} while (wait_until(data, wake));
	take_samples(data);
	update_logs(data->watched, sample_period);
	return NULL;
}

static int create_thread(struct data_thread *data)
{
	sigset_t all, before;
	pthread_condattr_t attributes;

	pthread_mutex_init(&data->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&data->wanted, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	/* A blocked signal of an instruction ends the process, whatever its handler. */
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = pthread_create(&data->thread, NULL, process_data, data);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

struct data_thread *start_data_thread(const struct daemon_config *config,
				      const struct kernel_profiler *kernel,
				      struct watched_processes *watched,
				      struct trouble *trouble)
{
	struct data_thread *data = calloc(1, sizeof(*data));

	if (!data) {
		tell_no_memory(trouble);
		return NULL;
	}
	data->config = config;
	data->kernel = kernel;
	data->watched = watched;
	int failed = create_thread(data);

	if (!failed)
		return data;
	tell_trouble(trouble, "%s", strerror(failed));
	free(data);
	return NULL;
}

void hurry_data_thread(struct data_thread *data)
{
	pthread_mutex_lock(&data->lock);
	data->hurry = true;
	pthread_cond_signal(&data->wanted);
	pthread_mutex_unlock(&data->lock);
}

void stop_data_thread(struct data_thread *data)
{
	pthread_mutex_lock(&data->lock);
	data->end = true;
	pthread_cond_signal(&data->wanted);
	pthread_mutex_unlock(&data->lock);
	pthread_join(data->thread, NULL);
	pthread_cond_destroy(&data->wanted);
	pthread_mutex_destroy(&data->lock);
	free(data);
}
