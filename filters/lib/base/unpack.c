/* SPDX-License-Identifier: Apache-2.0 */
/* Reads compressed files. */
#include "base/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { INPUT_BYTES = 1 << 17, XZ_MEMORY = 256 << 20, ZSTD_WINDOW_LOG = 27 };

struct tr_unpack {
	const struct form *form; /* NULL: plain */
	uint8_t *data;		 /* compressed bytes [begin, end) */
	size_t begin, end;
	uint64_t offset, size;
	int fd;
	bool ended;  /* of the file */
	bool inside; /* a member has begun and not ended */
	z_stream gzip;
	lzma_stream xz;
	ZSTD_DStream *zstd;
};

/* A compression. step() decompresses some of the bytes at hand, and sets `inside`.
 * Returns the number of bytes written to `data`, or a status. */
struct form {
	const char *name;
	uint8_t magic[6], bytes;
	int (*start)(struct tr_unpack *u);
	ssize_t (*step)(struct tr_unpack *u, uint8_t *data, size_t size);
	void (*stop)(struct tr_unpack *u);
};

static int start_gzip(struct tr_unpack *u)
{
	/* 16: with a gzip header */
	return inflateInit2(&u->gzip, 16 + MAX_WBITS) == Z_OK ? TR_OK : TR_E_NOMEM;
}

static ssize_t step_gzip(struct tr_unpack *u, uint8_t *data, size_t size)
{
	z_stream *z = &u->gzip;
	/* Zeros behind a member are padding, as gzip(1) says. */
	while (!u->inside && u->begin < u->end && u->data[u->begin] == 0)
		u->begin++;
	if (!u->inside && u->begin == u->end)
		return 0;
	if (!u->inside)
		inflateReset(z);
	u->inside = true;
	z->next_in = u->data + u->begin;
	z->avail_in = (uInt)(u->end - u->begin);
	z->next_out = data;
	z->avail_out = (uInt)size;
	int result = inflate(z, Z_NO_FLUSH);
	u->begin = u->end - z->avail_in;
	if (result == Z_STREAM_END)
		u->inside = false;
	else if (result == Z_MEM_ERROR)
		return TR_E_NOMEM;
	else if (result != Z_OK && result != Z_BUF_ERROR)
		return TR_E_CORRUPT;
	return (ssize_t)(size - z->avail_out);
}

static void stop_gzip(struct tr_unpack *u)
{
	inflateEnd(&u->gzip);
}

static int start_xz(struct tr_unpack *u)
{
	u->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(&u->xz, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK
		   ? TR_OK
		   : TR_E_NOMEM;
}

static ssize_t step_xz(struct tr_unpack *u, uint8_t *data, size_t size)
{
	lzma_stream *x = &u->xz;
	u->inside = true;
	x->next_in = u->data + u->begin;
	x->avail_in = u->end - u->begin;
	x->next_out = data;
	x->avail_out = size;
	lzma_ret result = lzma_code(x, u->ended ? LZMA_FINISH : LZMA_RUN);
	u->begin = u->end - x->avail_in;
	if (result == LZMA_STREAM_END)
		u->inside = false;
	else if (result == LZMA_MEM_ERROR)
		return TR_E_NOMEM;
	else if (result == LZMA_MEMLIMIT_ERROR)
		return TR_E_UNSUPPORTED;
	else if (result != LZMA_OK && result != LZMA_BUF_ERROR)
		return TR_E_CORRUPT;
	return (ssize_t)(size - x->avail_out);
}

static void stop_xz(struct tr_unpack *u)
{
	lzma_end(&u->xz);
}

static int start_zstd(struct tr_unpack *u)
{
	u->zstd = ZSTD_createDStream();
	if (!u->zstd)
		return TR_E_NOMEM;
	ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
	return TR_OK;
}

static ssize_t step_zstd(struct tr_unpack *u, uint8_t *data, size_t size)
{
	ZSTD_inBuffer in = {u->data + u->begin, u->end - u->begin, 0};
	ZSTD_outBuffer out = {data, size, 0};
	size_t result = ZSTD_decompressStream(u->zstd, &out, &in);
	u->begin += in.pos;
	u->inside = result != 0;
	if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
		return TR_E_UNSUPPORTED;
	if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
		return TR_E_NOMEM;
	return ZSTD_isError(result) ? TR_E_CORRUPT : (ssize_t)out.pos;
}

static void stop_zstd(struct tr_unpack *u)
{
	ZSTD_freeDStream(u->zstd);
}

static const struct form forms[] = {
    {"gzip", {0x1f, 0x8b}, 2, start_gzip, step_gzip, stop_gzip},
    {"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, start_xz, step_xz, stop_xz},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, start_zstd, step_zstd, stop_zstd},
};

/* Reads more of the file behind what is at hand. Returns a status. */
static int fill_unpack_input(struct tr_unpack *u)
{
	if (u->begin == u->end)
		u->begin = u->end = 0;
	ssize_t n;
	do
		n = read(u->fd, u->data + u->end, INPUT_BYTES - u->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return TR_E_IO;
	u->ended = n == 0;
	u->end += (size_t)n;
	u->offset += (uint64_t)n;
	return TR_OK;
}

static int find_form(struct tr_unpack *u)
{
	int status = TR_OK;
	while (!status && u->end < sizeof(forms->magic) && !u->ended)
		status = fill_unpack_input(u);
	for (unsigned i = 0; i < sizeof(forms) / sizeof(*forms) && !status; i++)
		if (u->end >= forms[i].bytes &&
		    memcmp(u->data, forms[i].magic, forms[i].bytes) == 0) {
			u->form = &forms[i];
			status = u->form->start(u);
		}
	return status;
}

int tr_unpack_open(struct tr_unpack **unpack, const char *path)
{
	struct tr_unpack *u = *unpack = calloc(1, sizeof(*u));
	if (!u)
		return TR_E_NOMEM;
	struct stat st;
	u->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	u->data = malloc(INPUT_BYTES);
	int status = !u->data ? TR_E_NOMEM : u->fd < 0 ? TR_E_IO : find_form(u);
	if (status) {
		int error = errno;
		tr_unpack_close(u);
		*unpack = NULL;
		errno = error;
	} else if (fstat(u->fd, &st) == 0 && S_ISREG(st.st_mode)) {
		u->size = (uint64_t)st.st_size;
	}
	return status;
}

static ssize_t read_plain(struct tr_unpack *u, void *data, size_t size)
{
	size_t n = u->end - u->begin;
	if (n > size)
		n = size;
	memcpy(data, u->data + u->begin, n);
	u->begin += n;
	return (ssize_t)n;
}

ssize_t tr_unpack_read(struct tr_unpack *u, void *data, size_t size)
{
	for (;;) {
		if (u->begin == u->end && !u->ended) {
			int status = fill_unpack_input(u);
			if (status)
				return status;
		}
		if (!u->form)
			return read_plain(u, data, size);
		if (u->begin == u->end && u->ended && !u->inside)
			return 0;
		bool starved = u->begin == u->end;
		ssize_t n = u->form->step(u, data, size);
		if (n)
			return n;
		if (starved && u->ended && u->inside)
			return TR_E_TRUNCATED;
	}
}

uint64_t tr_unpack_memory(const struct tr_unpack *u)
{
	return u->form && u->form->start == start_xz ? XZ_MEMORY : 1U << ZSTD_WINDOW_LOG;
}

const char *tr_unpack_form(const struct tr_unpack *u)
{
	return u->form ? u->form->name : NULL;
}

uint64_t tr_unpack_offset(const struct tr_unpack *u)
{
	return u->offset;
}

uint64_t tr_unpack_size(const struct tr_unpack *u)
{
	return u->size;
}

void tr_unpack_close(struct tr_unpack *u)
{
	if (!u)
		return;
	if (u->form)
		u->form->stop(u);
	if (u->fd > STDIN_FILENO)
		close(u->fd);
	free(u->data);
	free(u);
}
