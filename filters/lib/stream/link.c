/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/link.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/status.h"

struct tr_link {
	pthread_mutex_t mutex; /* of all that follows */
	/* At most one side waits: the writer for room, or the reader for a chunk. */
	pthread_cond_t changed;
	struct tr_buffer chunks[LINK_CHUNKS]; /* a ring */
	unsigned first, count;
	int is_ended;
};

struct tr_link *tr_link_new(void)
{
	struct tr_link *link = calloc(1, sizeof(*link));
	if (!link)
		return NULL;
	pthread_mutex_init(&link->mutex, NULL);
	pthread_cond_init(&link->changed, NULL);
	return link;
}

void tr_link_free(struct tr_link *link)
{
	if (!link)
		return;
	for (unsigned i = 0; i < LINK_CHUNKS; i++)
		tr_buffer_free(&link->chunks[i]);
	pthread_cond_destroy(&link->changed);
	pthread_mutex_destroy(&link->mutex);
	free(link);
}

int tr_link_put(struct tr_link *link, const uint8_t *chunk, size_t size)
{
	pthread_mutex_lock(&link->mutex);
	while (link->count == LINK_CHUNKS)
		pthread_cond_wait(&link->changed, &link->mutex);
	struct tr_buffer *bytes =
	    &link->chunks[(link->first + link->count) % LINK_CHUNKS];
	pthread_mutex_unlock(&link->mutex);
	/* The reader takes other chunks meanwhile. */
	bytes->size = 0;
	tr_buffer_add(bytes, chunk, size);
	if (bytes->failed)
		return TR_E_NOMEM;
	pthread_mutex_lock(&link->mutex);
	link->count++;
	pthread_cond_signal(&link->changed);
	pthread_mutex_unlock(&link->mutex);
	return TR_OK;
}

int tr_link_take(struct tr_link *link, struct tr_buffer *bytes)
{
	pthread_mutex_lock(&link->mutex);
	while (!link->count && !link->is_ended)
		pthread_cond_wait(&link->changed, &link->mutex);
	const int status = link->count ? TR_OK : TR_END;
	if (link->count) {
		const struct tr_buffer taken = link->chunks[link->first];
		link->chunks[link->first] = *bytes;
		*bytes = taken;
		link->first = (link->first + 1) % LINK_CHUNKS;
		link->count--;
		pthread_cond_signal(&link->changed);
	}
	pthread_mutex_unlock(&link->mutex);
	return status;
}

void tr_link_end(struct tr_link *link)
{
	pthread_mutex_lock(&link->mutex);
	link->is_ended = 1;
	pthread_cond_signal(&link->changed);
	pthread_mutex_unlock(&link->mutex);
}
