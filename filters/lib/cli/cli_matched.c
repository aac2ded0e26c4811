/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_matched.h"

#include "cli/cli_threads.h"

enum { AHEAD = 2 };

struct matched {
	struct tr_cli_match *match;
	const struct tr_cli_frames *take;
	const struct tr_frame *current; /* the taker's */
	int status;			/* of the end */
	/* With a thread */
	pthread_mutex_t mutex;		     /* of all that follows */
	pthread_cond_t changed;		     /* at most one side waits */
	const struct tr_frame *queue[AHEAD]; /* a ring */
	unsigned first, count;
	bool is_ended;
};

static void take_frame(struct matched *m, const struct tr_frame *frame)
{
	const struct tr_frame *before = m->current;
	m->current = frame;
	m->take->rows(m->take->context, frame);
	tr_match_release_frame(before);
}

static int take_at_once(void *context, const struct tr_frame *frame)
{
	take_frame(context, frame);
	return TR_OK;
}

static int queue_frame(void *context, const struct tr_frame *frame)
{
	struct matched *m = context;
	pthread_mutex_lock(&m->mutex);
	while (m->count == AHEAD)
		pthread_cond_wait(&m->changed, &m->mutex);
	m->queue[(m->first + m->count++) % AHEAD] = frame;
	pthread_cond_signal(&m->changed);
	pthread_mutex_unlock(&m->mutex);
	return TR_OK;
}

/* Returns NULL after the last frame. */
static const struct tr_frame *dequeue_frame(struct matched *m)
{
	const struct tr_frame *frame = NULL;
	pthread_mutex_lock(&m->mutex);
	while (!m->count && !m->is_ended)
		pthread_cond_wait(&m->changed, &m->mutex);
	if (m->count) {
		frame = m->queue[m->first];
		m->first = (m->first + 1) % AHEAD;
		m->count--;
		pthread_cond_signal(&m->changed);
	}
	pthread_mutex_unlock(&m->mutex);
	return frame;
}

static bool match_next_frame(void *context, const struct tr_frame *frame)
{
	const struct matched *m = context;
	tr_cli_check(m->match->cli, tr_cli_match_frame(m->match, frame));
	return true;
}

/* Matches all frames. */
static void *match_all(void *context)
{
	struct matched *m = context;
	struct tr_cli_frames match = *m->take;
	match.rows = match_next_frame;
	match.context = m;
	m->status = tr_cli_each_frame(m->match->cli, m->match->reader, &match);
	tr_cli_check(m->match->cli, tr_cli_match_finish(m->match));
	return NULL;
}

static void *match_ahead(void *context)
{
	struct matched *m = context;
	match_all(m);
	pthread_mutex_lock(&m->mutex);
	m->is_ended = true;
	pthread_cond_signal(&m->changed);
	pthread_mutex_unlock(&m->mutex);
	return NULL;
}

int tr_cli_each_matched(struct tr_cli_match *match, const struct tr_cli_frames *take,
			const struct tr_frame **last)
{
	struct matched m = {.match = match,
			    .take = take,
			    .mutex = PTHREAD_MUTEX_INITIALIZER,
			    .changed = PTHREAD_COND_INITIALIZER};
	const bool has_thread = match->cli->threads > 1;
	tr_cli_match_start(match, NULL);
	tr_match_take(match->match, has_thread ? queue_frame : take_at_once, &m);
	if (has_thread) {
		pthread_t thread;
		const struct tr_frame *frame;
		tr_cli_start_thread(match->cli, &thread, match_ahead, &m);
		while ((frame = dequeue_frame(&m)))
			take_frame(&m, frame);
		pthread_join(thread, NULL);
	} else {
		match_all(&m);
	}
	*last = m.current;
	return m.status;
}
