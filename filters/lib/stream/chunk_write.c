/* SPDX-License-Identifier: Apache-2.0 */
/* Writes chunks, plain, each as one zstd frame, or several frames' chunks in one; threads
 * compress, and the output is in order. */
#include "stream/chunk.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/buffer.h"

enum {
	CUT_BYTES = 8,	 /* maximum cost of a cut */
	MIN_PART = 1024, /* smaller parts do not repay a zstd block of their own */
	/* Rows repeat in long runs, and encoding a short match in them costs more than
	 * the bytes themselves: no level may use shorter matches. */
	MIN_MATCH = 6,
	MAX_MATCH_LEVEL = 12, /* above this level zstd makes that decision itself */
	/* A zstd frame gets no more chunks from so many bytes on, so that the window that
	 * it needs stays below what readers accept. */
	GROUP_BYTES = 32 << 20,
};

enum job_state { JOB_FREE, JOB_READY, JOB_BUSY, JOB_DONE };

/* The chunks of a zstd frame. */
struct job {
	struct tr_buffer in, out;
	unsigned chunks;
	size_t cuts[TR_MAX_GROUP * TR_MAX_CUTS]; /* offsets in `in` */
	unsigned ncuts;
	bool is_marked;
	ZSTD_CCtx *cctx;
	enum job_state state;
	int status;
};

struct tr_chunk_writer {
	struct tr_link *link; /* NULL: there is a file */
	int fd, level;
	unsigned group; /* chunks of frames in a zstd frame */
	uint32_t record;
	uint64_t byte;	 /* in the plain stream */
	uint64_t offset; /* of the next zstd frame, in the file */
	int status;	 /* sticky: the first error */
	bool marks_next; /* the next chunk's zstd frame */
	uint64_t *marks; /* offsets of zstd frames */
	size_t nmarks, mark_room;

	/* A ring: jobs finish in any order and are written in order. */
	struct job jobs[TR_MAX_COMPRESSORS + 1];
	pthread_t workers[TR_MAX_COMPRESSORS];
	unsigned njobs, nworkers;
	unsigned next; /* the job to fill next, which is also the oldest */
	bool stop;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

static int write_chunk_bytes(int fd, const uint8_t *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return TR_E_IO;
		data += n;
		size -= (size_t)n;
	}
	return TR_OK;
}

static bool compress_part(struct job *job, size_t begin, size_t end, size_t bound)
{
	bool last = end == job->in.size;
	ZSTD_inBuffer in = {.src = job->in.data + begin, .size = end - begin};
	ZSTD_outBuffer out = {.dst = job->out.data, .size = bound, .pos = job->out.size};
	size_t left =
	    ZSTD_compressStream2(job->cctx, &out, &in, last ? ZSTD_e_end : ZSTD_e_flush);
	job->out.size = out.pos;
	return left == 0;
}

/* Ends a zstd block at each cut, since each kind of data has its own statistics. A cut at
 * the end is skipped: it would end the zstd frame and add an empty one. Returns false on
 * failure. */
static bool compress_parts(struct job *job, size_t bound)
{
	size_t begin = 0;
	for (unsigned i = 0; i < job->ncuts; i++) {
		size_t cut = job->cuts[i];
		if (cut - begin < MIN_PART || cut == job->in.size)
			continue;
		if (!compress_part(job, begin, cut, bound))
			return false;
		begin = cut;
	}
	return compress_part(job, begin, job->in.size, bound);
}

static int compress_job(struct job *job, int level)
{
	if (!job->cctx && !(job->cctx = ZSTD_createCCtx()))
		return TR_E_NOMEM;
	ZSTD_CCtx_reset(job->cctx, ZSTD_reset_session_only);
	ZSTD_CCtx_setParameter(job->cctx, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(job->cctx, ZSTD_c_checksumFlag, 1);
	if (level <= MAX_MATCH_LEVEL)
		ZSTD_CCtx_setParameter(job->cctx, ZSTD_c_minMatch, MIN_MATCH);
	ZSTD_CCtx_setPledgedSrcSize(job->cctx, job->in.size);
	job->out.size = 0;
	size_t bound = ZSTD_compressBound(job->in.size) + job->ncuts * CUT_BYTES;
	if (!tr_buffer_room(&job->out, bound) || !compress_parts(job, bound))
		return TR_E_NOMEM;
	return TR_OK;
}

static struct job *ready_job(struct tr_chunk_writer *w)
{
	for (unsigned i = 0; i < w->njobs; i++) {
		struct job *job = &w->jobs[(w->next + i) % w->njobs];
		if (job->state == JOB_READY)
			return job;
	}
	return NULL;
}

static void *run_worker(void *argument)
{
	struct tr_chunk_writer *w = argument;
	pthread_mutex_lock(&w->mutex);
	for (;;) {
		struct job *job = ready_job(w);
		if (!job && w->stop)
			break;
		if (!job) {
			pthread_cond_wait(&w->changed, &w->mutex);
			continue;
		}
		job->state = JOB_BUSY;
		pthread_mutex_unlock(&w->mutex);
		int status = compress_job(job, w->level);
		pthread_mutex_lock(&w->mutex);
		job->status = status;
		job->state = JOB_DONE;
		pthread_cond_broadcast(&w->changed);
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

int tr_chunk_writer_open(struct tr_chunk_writer **writer, int fd, int level,
			 unsigned group, unsigned threads)
{
	struct tr_chunk_writer *w = *writer = calloc(1, sizeof(*w));
	if (!w)
		return TR_E_NOMEM;
	w->fd = fd;
	w->level = level;
	w->group = group > TR_MAX_GROUP ? TR_MAX_GROUP : group;
	w->njobs = 1;
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->changed, NULL);
	if (threads > TR_MAX_COMPRESSORS)
		threads = TR_MAX_COMPRESSORS;
	/* Workers wait until njobs is known. */
	pthread_mutex_lock(&w->mutex);
	while (level && threads > 1 && w->nworkers < threads &&
	       pthread_create(&w->workers[w->nworkers], NULL, run_worker, w) == 0)
		w->nworkers++;
	if (w->nworkers)
		w->njobs = w->nworkers + 1;
	pthread_mutex_unlock(&w->mutex);
	return TR_OK;
}

int tr_chunk_writer_open_link(struct tr_chunk_writer **writer, struct tr_link *link)
{
	const int status = tr_chunk_writer_open(writer, -1, 0, 0, 1);
	if (!status)
		(*writer)->link = link;
	return status;
}

/* Waits for the job and writes its output. Returns a status. */
static int retire_job(struct tr_chunk_writer *w, struct job *job)
{
	pthread_mutex_lock(&w->mutex);
	while (job->state == JOB_READY || job->state == JOB_BUSY)
		pthread_cond_wait(&w->changed, &w->mutex);
	bool done = job->state == JOB_DONE;
	job->state = JOB_FREE;
	pthread_mutex_unlock(&w->mutex);
	if (!done || w->status)
		return w->status;
	w->status = job->status;
	if (!w->status && job->is_marked) {
		if (tr_grow(&w->marks, &w->mark_room, w->nmarks + 1, sizeof(*w->marks)))
			w->marks[w->nmarks++] = w->offset;
		else
			w->status = TR_E_NOMEM;
	}
	if (!w->status)
		w->status = write_chunk_bytes(w->fd, job->out.data, job->out.size);
	w->offset += job->out.size;
	return w->status;
}

/* Compresses the chunks that the next job holds, if there are any. */
static int submit_job(struct tr_chunk_writer *w)
{
	struct job *job = &w->jobs[w->next];
	if (w->status || !job->chunks)
		return w->status;
	job->chunks = 0;
	pthread_mutex_lock(&w->mutex);
	job->state = JOB_READY;
	w->next = (w->next + 1) % w->njobs;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	if (w->nworkers)
		return TR_OK;
	job->status = compress_job(job, w->level);
	job->state = JOB_DONE;
	return retire_job(w, job);
}

static int add_chunk(struct tr_chunk_writer *w, const uint8_t *chunk, size_t size,
		     const struct tr_cuts *cuts)
{
	struct job *job = &w->jobs[w->next];
	if (!job->chunks) {
		int status = retire_job(w, job);
		if (status)
			return status;
		job->in.size = 0;
		job->ncuts = 0;
		job->is_marked = w->marks_next;
		w->marks_next = false;
	}
	for (unsigned i = 0; i < cuts->count; i++)
		job->cuts[job->ncuts++] = job->in.size + TR_CHUNK_HEAD + cuts->at[i];
	job->chunks++;
	tr_buffer_add(&job->in, chunk, size);
	return job->in.failed ? w->status = TR_E_NOMEM : TR_OK;
}

/* Header and end record have zstd frames of their own. */
static int compress_chunk(struct tr_chunk_writer *w, enum tr_chunk_type type,
			  const uint8_t *chunk, size_t size, const struct tr_cuts *cuts)
{
	const bool is_frame = type == TR_CHUNK_FRAME || type == TR_CHUNK_STACKS;
	int status = is_frame ? w->status : submit_job(w);
	if (!status)
		status = add_chunk(w, chunk, size, cuts);
	const struct job *job = &w->jobs[w->next];
	if (!status &&
	    (!is_frame || job->chunks >= w->group || job->in.size >= GROUP_BYTES))
		status = submit_job(w);
	return status;
}

int tr_chunk_write(struct tr_chunk_writer *w, enum tr_chunk_type type, uint8_t *chunk,
		   size_t size, const struct tr_cuts *cuts)
{
	if (w->status)
		return w->status;
	if (size > TR_CHUNK_MAX)
		return w->status = TR_E_ARGUMENT;
	if (w->link)
		tr_chunk_label(chunk, size, (uint8_t)type, w->record++);
	else
		tr_chunk_seal(chunk, size, (uint8_t)type, w->record++);
	w->byte += TR_CHUNK_HEAD + size;
	if (w->link)
		return w->status = tr_link_put(w->link, chunk, TR_CHUNK_HEAD + size);
	if (w->level)
		return compress_chunk(w, type, chunk, TR_CHUNK_HEAD + size, cuts);
	return w->status = write_chunk_bytes(w->fd, chunk, TR_CHUNK_HEAD + size);
}

int tr_chunk_writer_flush(struct tr_chunk_writer *w)
{
	submit_job(w);
	for (unsigned i = 0; i < w->njobs; i++)
		retire_job(w, &w->jobs[(w->next + i) % w->njobs]);
	return w->status;
}

int tr_chunk_writer_mark(struct tr_chunk_writer *w, struct tr_place *place)
{
	*place = (struct tr_place){.byte = w->byte, .record = w->record};
	const int status = submit_job(w);
	w->marks_next = true;
	return status;
}

uint64_t tr_chunk_writer_marks(const struct tr_chunk_writer *w, const uint64_t **offsets,
			       size_t *count)
{
	*offsets = w->marks;
	*count = w->nmarks;
	return w->offset;
}

int tr_chunk_writer_skippable(struct tr_chunk_writer *w, const struct tr_buffer *bytes)
{
	if (!w->status)
		w->status = write_chunk_bytes(w->fd, bytes->data, bytes->size);
	w->offset += bytes->size;
	return w->status;
}

void tr_chunk_writer_close(struct tr_chunk_writer *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->mutex);
	w->stop = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	for (unsigned i = 0; i < w->nworkers; i++)
		pthread_join(w->workers[i], NULL);
	for (unsigned i = 0; i < w->njobs; i++) {
		tr_buffer_free(&w->jobs[i].in);
		tr_buffer_free(&w->jobs[i].out);
		ZSTD_freeCCtx(w->jobs[i].cctx);
	}
	free(w->marks);
	free(w);
}
