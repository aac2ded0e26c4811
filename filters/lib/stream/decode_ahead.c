/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes frames of rows in a thread, ahead of the reader's caller. */
#include "stream/decode_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "stream/reader_state.h"

struct tr_decode_ahead {
	struct tr_reader *reader;
	pthread_t thread;
	pthread_mutex_t mutex; /* of all that follows */
	/* At most one side waits: the caller for a frame, or the thread for room. */
	pthread_cond_t changed;
	struct frame_cell *queue[AHEAD_FRAMES]; /* a ring */
	unsigned first, count;
	int status; /* after the frames in the queue; TR_OK: more will come */
	bool stop;
};

/* Adds a frame, or the status behind the last one. Returns whether to go on. */
static bool deliver_frame(struct tr_decode_ahead *ahead, struct frame_cell *cell,
			  int status)
{
	pthread_mutex_lock(&ahead->mutex);
	while (!status && ahead->count == AHEAD_FRAMES && !ahead->stop)
		pthread_cond_wait(&ahead->changed, &ahead->mutex);
	bool goes_on = !status && !ahead->stop;
	ahead->status = status;
	if (goes_on)
		ahead->queue[(ahead->first + ahead->count++) % AHEAD_FRAMES] = cell;
	else if (!status)
		tr_frame_release(&cell->frame);
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->mutex);
	return goes_on;
}

static void *decode_ahead(void *argument)
{
	struct tr_decode_ahead *ahead = argument;
	struct frame_cell *cell;
	int status;
	do {
		cell = NULL;
		status = tr_reader_decode(ahead->reader, &cell);
	} while (deliver_frame(ahead, cell, status));
	return NULL;
}

struct tr_decode_ahead *tr_decode_ahead_start(struct tr_reader *reader)
{
	struct tr_decode_ahead *ahead = calloc(1, sizeof(*ahead));
	sigset_t all, former;
	if (!ahead)
		return NULL;
	ahead->reader = reader;
	pthread_mutex_init(&ahead->mutex, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	bool has_thread = pthread_create(&ahead->thread, NULL, decode_ahead, ahead) == 0;
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (has_thread)
		return ahead;
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->mutex);
	free(ahead);
	return NULL;
}

int tr_decode_ahead_next(struct tr_decode_ahead *ahead, struct frame_cell **cell)
{
	int status = TR_OK;
	pthread_mutex_lock(&ahead->mutex);
	while (!ahead->count && !ahead->status)
		pthread_cond_wait(&ahead->changed, &ahead->mutex);
	if (ahead->count) {
		*cell = ahead->queue[ahead->first];
		ahead->first = (ahead->first + 1) % AHEAD_FRAMES;
		if (ahead->count-- == AHEAD_FRAMES)
			pthread_cond_signal(&ahead->changed);
	} else {
		status = ahead->status;
	}
	pthread_mutex_unlock(&ahead->mutex);
	return status;
}

void tr_decode_ahead_stop(struct tr_decode_ahead *ahead)
{
	pthread_mutex_lock(&ahead->mutex);
	ahead->stop = true;
	pthread_cond_signal(&ahead->changed);
	bool reads = !ahead->status;
	pthread_mutex_unlock(&ahead->mutex);
	if (reads)
		tr_chunk_reader_interrupt(ahead->reader->chunks);
	pthread_join(ahead->thread, NULL);
	for (; ahead->count; ahead->count--) {
		tr_frame_release(&ahead->queue[ahead->first]->frame);
		ahead->first = (ahead->first + 1) % AHEAD_FRAMES;
	}
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->mutex);
	free(ahead);
}
