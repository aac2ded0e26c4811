/* SPDX-License-Identifier: Apache-2.0 */
/* A generation ends after 2^30 tokens: code that ran once is not kept for ever. */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { LONGEST = TR_BLOCK_MAX_TOKENS, RARE = 1000, FRAMES = 1 << 10 };

static uint8_t nops[2 * LONGEST];

static uint32_t define(struct tr_writer *w, uint64_t pc, uint16_t tokens)
{
	uint32_t id = 0;
	struct tr_block block = {
	    .pc = pc, .code = nops, .tokens = tokens, .bytes = (uint16_t)(2 * tokens)};
	CHECK_EQ(tr_writer_block(w, &block, &id), TR_OK);
	return id;
}

/* Writes rows of the longest block until there are `end` tokens. */
static void run_to(struct tr_writer *w, uint64_t end)
{
	uint32_t id = define(w, 0x1000, LONGEST);
	uint64_t generation = tr_writer_generation(w);
	while (tr_writer_instructions(w) < end && tr_writer_row(w, 0, id, 0) == TR_OK)
		if (generation != tr_writer_generation(w)) {
			generation = tr_writer_generation(w);
			id = define(w, 0x1000, LONGEST);
		}
}

static void write_stream(int fd)
{
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	for (unsigned i = 0; i < RARE; i++)
		tr_writer_row(w, 0, define(w, 0x2000 + 2 * i, 1), 0);
	run_to(w, UINT64_C(2) * FRAMES * TR_FRAME_TOKENS + 3 * LONGEST);
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
}

int main(void)
{
	int fd = memfd_create("stream", 0);
	const struct tr_frame *frame;
	struct tr_reader *r;
	char path[32];
	unsigned frames = 0;
	for (unsigned i = 0; i < LONGEST; i++)
		nops[2 * i] = 1;
	write_stream(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	for (; tr_reader_next(r, &frame) == TR_OK; frames++) {
		CHECK_EQ(frame->generation, frames / FRAMES);
		CHECK_EQ(tr_reader_block_count(r), frames < FRAMES ? RARE + 1 : 1);
	}
	CHECK(tr_reader_end(r) != NULL);
	CHECK_EQ(frames, 2 * FRAMES + 1);
	tr_reader_close(r);
	close(fd);
	return check_done();
}
