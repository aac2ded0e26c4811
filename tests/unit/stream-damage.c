/* SPDX-License-Identifier: Apache-2.0 */
/* A stream truncated anywhere is refused as truncated; one with any bit flipped is
 * refused, or gives the same tokens. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "stream/reader.h"
#include "stream/writer.h"

static uint8_t bytes[1 << 16];
static size_t size;

static int memory_file(void)
{
	return memfd_create("stream", 0);
}

static void write_stream(int fd, int level, unsigned group)
{
	struct tr_header *header = tr_header_new();
	tr_header_set(header, "xlen", "64");
	tr_header_set(header, "source", "stream-damage");
	struct tr_writer *w;
	struct tr_event trap = {.kind = TR_EV_TRAP,
				.u.trap = {.cause = 8, .epc = 16, .priv = TR_PRIV_S}};
	tr_writer_open(&w, fd, header,
		       &(struct tr_writer_options){.level = level, .group = group});
	for (unsigned i = 0; i < 300; i++) {
		tr_writer_token(w, 0, 0x1000 + i % 50 * 4, 0x13 + (i % 50 << 20), 4,
				i % 7 ? 1 : i, NULL, 0);
		if (i % 100 == 99)
			tr_writer_event(w, 0, &trap);
		if (i % 100 == 50 && tr_writer_cut(w, 0) == TR_OK)
			tr_writer_flush(w);
	}
	tr_writer_end(w, NULL);
	tr_writer_close(w);
	tr_header_free(header);
	size = (size_t)pread(fd, bytes, sizeof(bytes), 0);
}

/* Returns a digest of everything a reader delivers; 0 if it refuses. */
static uint64_t digest(const uint8_t *data, size_t n, int *status)
{
	char path[32];
	int fd = memory_file();
	if (write(fd, data, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct tr_reader *r;
	const struct tr_frame *frame;
	uint64_t hash = 1;
	*status = tr_reader_open(&r, path, 1);
	while (*status == TR_OK && (*status = tr_reader_next(r, &frame)) == TR_OK)
		for (uint32_t i = 0; i < frame->harts[0].nrows; i++) {
			struct tr_token t[TR_BLOCK_MAX_TOKENS];
			const struct tr_row *row = &frame->harts[0].rows[i];
			const struct tr_block *block = tr_reader_block(r, row->block);
			tr_tokens(block, tr_reader_timing(r, row->timing), t);
			for (unsigned k = 0; k < block->tokens; k++)
				hash = (hash ^ t[k].pc ^ t[k].insn << 7 ^ t[k].cycles) *
				       UINT64_C(0x9e3779b97f4a7c15);
		}
	CHECK(*status == TR_END || strlen(tr_reader_message(r)) > 10);
	tr_reader_close(r);
	close(fd);
	return *status == TR_END ? hash : 0;
}

static void damage(int level, unsigned group)
{
	int fd = memory_file(), status;
	write_stream(fd, level, group);
	close(fd);
	CHECK(size > 100 && size < sizeof(bytes));
	uint64_t good = digest(bytes, size, &status);
	CHECK(status == TR_END);
	for (size_t n = 0; n < size; n++) {
		digest(bytes, n, &status);
		CHECK(status == TR_E_TRUNCATED || (n < 4 && status == TR_E_UNSUPPORTED));
	}
	unsigned refused = 0;
	for (size_t bit = 0; bit < size * 8; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
		uint64_t hash = digest(bytes, size, &status);
		CHECK(hash == 0 || hash == good);
		refused += hash == 0;
		bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
	}
	CHECK(refused > size * 7);
	memcpy(bytes + size, bytes, size);
	digest(bytes, size * 2, &status);
	CHECK(status == TR_E_CORRUPT);
}

int main(void)
{
	damage(0, 0);
	damage(3, 0);
	damage(19, 16); /* all frames in one zstd frame */
	return check_done();
}
