/* SPDX-License-Identifier: Apache-2.0 */
/* Reads chunks: detects zstd, decompresses, verifies, and can read ahead. */
#include "stream/chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/buffer.h"
#include "base/fuzzed.h"
#include "base/little.h"
#include "stream/stream.h"

enum { INPUT_BYTES = 256 << 10 };

/* A chunk and the status of reading it. */
struct slot {
	struct tr_buffer bytes;
	struct tr_chunk chunk;
	int status;
	int error; /* errno */
	uint64_t offset;
	struct tr_place next;
	bool next_known; /* reading can begin there */
	char reason[160];
};

struct tr_chunk_reader {
	struct tr_link *link; /* NULL: there is a file */
	int fd;
	bool eof, zstd;
	ZSTD_DStream *dstream;
	bool in_zstd_frame;
	uint8_t *input;
	size_t in_size, in_used;
	uint64_t offset, size; /* in the file */
	uint64_t byte;	       /* in the plain stream */
	uint32_t record;

	/* With a thread, the two slots alternate: one is the caller's, one is being
	 * filled. */
	struct slot slots[2];
	unsigned current;
	bool threaded, stop, full[2];
	struct tr_place gone; /* where it was told to continue, */
	bool has_gone;	      /* unless it has read since */
	bool taken;	      /* slots[current] was returned to the caller */
	bool interrupted;     /* the caller was told so */
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

static int fail_slot(struct slot *slot, int status, const char *reason)
{
	snprintf(slot->reason, sizeof(slot->reason), "%s", reason);
	return status;
}

/* Reads more input. Returns TR_OK, TR_END at the end of the file, or TR_E_IO. */
static int refill_input(struct tr_chunk_reader *r, struct slot *slot)
{
	if (r->eof)
		return TR_END;
	size_t left = r->in_size - r->in_used;
	memmove(r->input, r->input + r->in_used, left);
	r->in_used = 0;
	r->in_size = left;
	ssize_t n;
	do
		n = read(r->fd, r->input + left, INPUT_BYTES - left);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		slot->error = errno;
		return fail_slot(slot, TR_E_IO, strerror(errno));
	}
	r->eof = n == 0;
	r->in_size += (size_t)n;
	r->offset += (uint64_t)n;
	return n ? TR_OK : TR_END;
}

static int take_plain(struct tr_chunk_reader *r, struct slot *slot, uint8_t *to,
		      size_t size, size_t *got)
{
	while (*got < size) {
		size_t n = r->in_size - r->in_used;
		if (n == 0) {
			int status = refill_input(r, slot);
			if (status)
				return status;
			continue;
		}
		if (n > size - *got)
			n = size - *got;
		memcpy(to + *got, r->input + r->in_used, n);
		r->in_used += n;
		*got += n;
	}
	return TR_OK;
}

/* Calls the decompressor once. Returns a status. */
static int decompress_input(struct tr_chunk_reader *r, struct slot *slot,
			    ZSTD_outBuffer *out)
{
	ZSTD_inBuffer in = {r->input, r->in_size, r->in_used};
	size_t code = ZSTD_decompressStream(r->dstream, out, &in);
	r->in_used = in.pos;
	if (ZSTD_isError(code)) {
		snprintf(slot->reason, sizeof(slot->reason), "zstd: %s",
			 ZSTD_getErrorName(code));
		return ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation
			   ? TR_E_NOMEM
			   : TR_E_CORRUPT;
	}
	r->in_zstd_frame = code != 0;
	return TR_OK;
}

static int take_zstd(struct tr_chunk_reader *r, struct slot *slot, uint8_t *to,
		     size_t size, size_t *got)
{
	ZSTD_outBuffer out = {to, size, *got};
	int status = TR_OK;
	while (!status && out.pos < size) {
		size_t before = out.pos, used = r->in_used;
		if (r->in_used < r->in_size || r->in_zstd_frame)
			status = decompress_input(r, slot, &out);
		if (!status && out.pos == before && r->in_used == used) {
			status = refill_input(r, slot);
			if (status == TR_END && r->in_zstd_frame)
				status = fail_slot(slot, TR_E_TRUNCATED, "truncated");
		}
	}
	*got = out.pos;
	return status;
}

/* Consumes the checksum and the end of the zstd frame that may follow the last byte of a
 * chunk, so that damage there is detected. Returns a status. */
static int finish_zstd_frame(struct tr_chunk_reader *r, struct slot *slot)
{
	uint8_t nothing;
	ZSTD_outBuffer out = {&nothing, 0, 0};
	while (r->in_zstd_frame) {
		size_t used = r->in_used;
		int status = decompress_input(r, slot, &out);
		if (status)
			return status;
		if (!r->in_zstd_frame || r->in_used != used)
			continue;
		if (r->in_used < r->in_size)
			return TR_OK; /* more chunks in this zstd frame */
		status = refill_input(r, slot);
		if (status == TR_END)
			return fail_slot(slot, TR_E_TRUNCATED, "truncated");
		if (status)
			return status;
	}
	return TR_OK;
}

static int take_stream_bytes(struct tr_chunk_reader *r, struct slot *slot, uint8_t *to,
			     size_t size, size_t *got)
{
	return r->zstd ? take_zstd(r, slot, to, size, got)
		       : take_plain(r, slot, to, size, got);
}

static bool is_excuse(const struct tr_chunk_reader *r)
{
	return r->in_size == sizeof(TR_EXCUSE) - 1 &&
	       memcmp(r->input, TR_EXCUSE, r->in_size) == 0;
}

/* Detects the format. A plain stream begins with the first chunk's "RVTH"; zstd frames,
 * including skippable ones, begin with their magic numbers (RFC 8878, 3.1). Returns a
 * status. */
static int detect_format(struct tr_chunk_reader *r, struct slot *slot)
{
	while (r->in_size < 4) {
		int status = refill_input(r, slot);
		if (status == TR_END)
			break;
		if (status)
			return status;
	}
	if (r->in_size == 0)
		return fail_slot(slot, TR_E_TRUNCATED, "empty input: no trace stream");
	if (is_excuse(r))
		return fail_slot(slot, TR_E_NO_SOURCE, tr_status_text(TR_E_NO_SOURCE));
	if (r->in_size >= 4) {
		uint32_t magic = tr_load32(r->input);
		r->zstd =
		    magic == ZSTD_MAGICNUMBER ||
		    (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
		if (r->zstd || memcmp(r->input, "RVTH", 4) == 0)
			return TR_OK;
	}
	return fail_slot(slot, TR_E_UNSUPPORTED, "not a trace stream");
}

static int check_chunk_head(struct slot *slot, const uint8_t *head, uint32_t record)
{
	if (memcmp(head, "RVT", 3) != 0)
		return fail_slot(slot, record ? TR_E_CORRUPT : TR_E_UNSUPPORTED,
				 record ? "no chunk begins here" : "not a trace stream");
	if (tr_load32(head + 12) != TR_CHUNK_FORMAT)
		return fail_slot(slot, TR_E_UNSUPPORTED,
				 "damaged, or of another version of the format");
	if (tr_load32(head + 4) > TR_CHUNK_MAX)
		return fail_slot(slot, TR_E_CORRUPT, "impossible chunk size");
	if (tr_load32(head + 8) != record)
		return fail_slot(slot, TR_E_CORRUPT, "chunk out of order");
	return TR_OK;
}

static uint64_t chunk_checksum(const uint8_t *chunk, size_t size)
{
	return XXH64(chunk + TR_CHUNK_HEAD, size, XXH64(chunk, 16, 0));
}

void tr_chunk_label(uint8_t *chunk, size_t size, uint8_t type, uint32_t record)
{
	memcpy(chunk, "RVT", 3);
	chunk[3] = type;
	tr_store32(chunk + 4, (uint32_t)size);
	tr_store32(chunk + 8, record);
	tr_store32(chunk + 12, TR_CHUNK_FORMAT);
}

void tr_chunk_seal(uint8_t *chunk, size_t size, uint8_t type, uint32_t record)
{
	tr_chunk_label(chunk, size, type, record);
	tr_store64(chunk + 16, chunk_checksum(chunk, size));
}

static int read_payload(struct tr_chunk_reader *r, struct slot *slot, size_t size)
{
	if (!tr_buffer_room(&slot->bytes, size))
		return fail_slot(slot, TR_E_NOMEM, "out of memory");
	size_t got = 0;
	int status =
	    take_stream_bytes(r, slot, slot->bytes.data + TR_CHUNK_HEAD, size, &got);
	if (status == TR_END)
		return fail_slot(slot, TR_E_TRUNCATED, "truncated inside a record");
	if (!status && !TR_IS_FUZZED &&
	    chunk_checksum(slot->bytes.data, size) != tr_load64(slot->bytes.data + 16))
		return fail_slot(slot, TR_E_CORRUPT, "wrong checksum");
	return status;
}

/* The slot has a chunk with a payload of this size. */
static void note_chunk(struct tr_chunk_reader *r, struct slot *slot, size_t size)
{
	slot->chunk.type = slot->bytes.data[3];
	slot->chunk.payload = slot->bytes.data + TR_CHUNK_HEAD;
	slot->chunk.size = size;
	r->byte += TR_CHUNK_HEAD + size;
	r->record++;
}

static int read_chunk(struct tr_chunk_reader *r, struct slot *slot)
{
	slot->chunk = (struct tr_chunk){.byte = r->byte, .record = r->record};
	slot->bytes.size = 0;
	int status = r->record ? TR_OK : detect_format(r, slot);
	if (status)
		return status;
	if (!tr_buffer_room(&slot->bytes, TR_CHUNK_HEAD))
		return fail_slot(slot, TR_E_NOMEM, "out of memory");
	size_t got = 0;
	status = take_stream_bytes(r, slot, slot->bytes.data, TR_CHUNK_HEAD, &got);
	if (status == TR_END && got)
		return fail_slot(slot, TR_E_TRUNCATED, "truncated inside a record");
	if (status == TR_END && r->record == 0)
		return fail_slot(slot, TR_E_TRUNCATED,
				 "empty zstd frames: no trace stream");
	if (!status)
		status = check_chunk_head(slot, slot->bytes.data, r->record);
	if (status)
		return status;
	size_t size = tr_load32(slot->bytes.data + 4);
	slot->bytes.size = TR_CHUNK_HEAD;
	status = read_payload(r, slot, size);
	if (!status && r->zstd)
		status = finish_zstd_frame(r, slot);
	note_chunk(r, slot, size);
	return status;
}

static int take_linked_chunk(struct tr_chunk_reader *r, struct slot *slot)
{
	slot->chunk = (struct tr_chunk){.byte = r->byte, .record = r->record};
	const int status = tr_link_take(r->link, &slot->bytes);
	if (status)
		return status;
	const size_t size = slot->bytes.size - TR_CHUNK_HEAD;
	note_chunk(r, slot, size);
	return TR_OK;
}

static void fill_slot(struct tr_chunk_reader *r, struct slot *slot)
{
	slot->status = r->link ? take_linked_chunk(r, slot) : read_chunk(r, slot);
	slot->offset = r->offset;
	slot->next = (struct tr_place){.offset = r->offset - (r->in_size - r->in_used),
				       .byte = r->byte,
				       .record = r->record};
	slot->next_known = slot->status == TR_OK && r->size && !r->in_zstd_frame;
}

static void *read_ahead(void *argument)
{
	struct tr_chunk_reader *r = argument;
	for (unsigned i = 0;; i ^= 1) {
		pthread_mutex_lock(&r->mutex);
		while (r->full[i] && !r->stop)
			pthread_cond_wait(&r->changed, &r->mutex);
		bool stop = r->stop;
		pthread_mutex_unlock(&r->mutex);
		if (stop)
			return NULL;
		fill_slot(r, &r->slots[i]);
		int status = r->slots[i].status;
		pthread_mutex_lock(&r->mutex);
		r->full[i] = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->mutex);
		if (status)
			return NULL;
	}
}

/* Returns the caller's slot to the thread and waits for the other one. Returns NULL if
 * that is interrupted. */
static struct slot *next_slot(struct tr_chunk_reader *r)
{
	struct slot *slot = &r->slots[r->current];
	if (!r->threaded) {
		if (!slot->status)
			fill_slot(r, slot);
		return slot;
	}
	if (r->taken && slot->status)
		return slot;
	pthread_mutex_lock(&r->mutex);
	if (r->taken) {
		r->full[r->current] = false;
		r->current ^= 1;
		pthread_cond_signal(&r->changed);
	}
	r->taken = true;
	while (!r->full[r->current] && !r->stop)
		pthread_cond_wait(&r->changed, &r->mutex);
	r->interrupted = !r->full[r->current];
	pthread_mutex_unlock(&r->mutex);
	return r->interrupted ? NULL : &r->slots[r->current];
}

int tr_chunk_read(struct tr_chunk_reader *r, struct tr_chunk *chunk)
{
	struct slot *slot = next_slot(r);
	if (!slot)
		return TR_E_IO;
	r->has_gone = false;
	*chunk = slot->chunk;
	if (slot->error)
		errno = slot->error;
	return slot->status;
}

void tr_chunk_exchange(struct tr_chunk_reader *r, struct tr_buffer *bytes)
{
	struct tr_buffer *last = &r->slots[r->current].bytes, other = *bytes;
	*bytes = *last;
	*last = other;
}

static int open_chunk_input(const char *path)
{
	if (strcmp(path, "-") == 0)
		return STDIN_FILENO;
	return open(path, O_RDONLY | O_CLOEXEC);
}

int tr_chunk_reader_open(struct tr_chunk_reader **reader, const char *path,
			 unsigned threads)
{
	struct tr_chunk_reader *r = *reader = calloc(1, sizeof(*r));
	if (!r)
		return TR_E_NOMEM;
	r->fd = open_chunk_input(path);
	struct stat st;
	if (r->fd < 0 || fstat(r->fd, &st) != 0 ||
	    (S_ISDIR(st.st_mode) && (errno = EISDIR))) {
		snprintf(r->slots[0].reason, sizeof(r->slots[0].reason), "%s",
			 strerror(errno));
		r->slots[0].status = TR_E_IO;
		return TR_E_IO;
	}
	r->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	r->input = malloc(INPUT_BYTES);
	r->dstream = ZSTD_createDStream();
	pthread_mutex_init(&r->mutex, NULL);
	pthread_cond_init(&r->changed, NULL);
	if (!r->input || !r->dstream)
		return TR_E_NOMEM;
	if (TR_IS_FUZZED)
		ZSTD_DCtx_setParameter(r->dstream, ZSTD_d_experimentalParam3,
				       1); /* ZSTD_d_forceIgnoreChecksum */
	if (threads > 1)
		r->threaded = pthread_create(&r->thread, NULL, read_ahead, r) == 0;
	return TR_OK;
}

int tr_chunk_reader_open_link(struct tr_chunk_reader **reader, struct tr_link *link)
{
	struct tr_chunk_reader *r = *reader = calloc(1, sizeof(*r));
	if (!r)
		return TR_E_NOMEM;
	r->link = link;
	r->fd = -1;
	return TR_OK;
}

bool tr_chunk_reader_place(const struct tr_chunk_reader *r, struct tr_place *place)
{
	*place = r->has_gone ? r->gone : r->slots[r->current].next;
	return r->has_gone || r->slots[r->current].next_known;
}

/* `cancel`: it may be waiting for input. */
static void stop_thread(struct tr_chunk_reader *r, bool cancel)
{
	if (!r->threaded)
		return;
	pthread_mutex_lock(&r->mutex);
	r->stop = true;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->mutex);
	if (cancel)
		pthread_cancel(r->thread);
	pthread_join(r->thread, NULL);
	r->threaded = false;
}

int tr_chunk_reader_go(struct tr_chunk_reader *r, const struct tr_place *place)
{
	bool threaded = r->threaded;

	stop_thread(r, false);
	for (unsigned i = 0; i < 2; i++) {
		r->slots[i].status = r->slots[i].error = 0;
		r->full[i] = false;
	}
	r->gone = *place;
	r->has_gone = true;
	r->current = 0;
	r->taken = r->stop = r->eof = r->in_zstd_frame = false;
	r->in_size = r->in_used = 0;
	ZSTD_initDStream(r->dstream);
	r->offset = place->offset;
	r->byte = place->byte;
	r->record = place->record;
	if (lseek(r->fd, (off_t)place->offset, SEEK_SET) < 0) {
		r->slots[0].status = TR_E_IO;
		return fail_slot(&r->slots[0], TR_E_IO, strerror(errno));
	}
	if (threaded)
		r->threaded = pthread_create(&r->thread, NULL, read_ahead, r) == 0;
	return TR_OK;
}

int tr_chunk_reader_tail(const struct tr_chunk_reader *r, uint64_t size, uint64_t before,
			 struct tr_buffer *out)
{
	if (!r->zstd || before > r->size || size > r->size - before)
		return TR_END;
	uint8_t *to = tr_buffer_room(out, size);
	if (!to)
		return TR_E_NOMEM;
	for (uint64_t got = 0; got < size;) {
		const uint64_t at = r->size - before - size + got;
		ssize_t n = pread(r->fd, to + got, (size_t)(size - got), (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? TR_E_IO : TR_END;
		got += (uint64_t)n;
	}
	out->size += (size_t)size;
	return TR_OK;
}

bool tr_chunk_reader_has_thread(const struct tr_chunk_reader *r)
{
	return r->threaded;
}

void tr_chunk_reader_interrupt(struct tr_chunk_reader *r)
{
	pthread_mutex_lock(&r->mutex);
	r->stop = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->mutex);
}

void tr_chunk_reader_close(struct tr_chunk_reader *r)
{
	if (!r)
		return;
	stop_thread(r, true);
	for (unsigned i = 0; i < 2; i++)
		tr_buffer_free(&r->slots[i].bytes);
	ZSTD_freeDStream(r->dstream);
	free(r->input);
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	free(r);
}

const char *tr_chunk_reader_reason(const struct tr_chunk_reader *r)
{
	return r->interrupted ? "interrupted" : r->slots[r->current].reason;
}

uint64_t tr_chunk_reader_offset(const struct tr_chunk_reader *r)
{
	return r->slots[r->current].offset;
}

uint64_t tr_chunk_reader_size(const struct tr_chunk_reader *r)
{
	return r->size;
}
