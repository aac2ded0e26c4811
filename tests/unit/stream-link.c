/* SPDX-License-Identifier: Apache-2.0 */
/* A stream in memory has what a writer in another thread wrote, however many chunks that
 * are, and one that ends early is truncated. */
#include "stream/link.h"

#include <pthread.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "stream/chunk.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { FRAMES = 1000 };

struct linked {
	struct tr_link *link;
	int failed; /* calls of the writer */
};

static void *write_stacks(void *context)
{
	struct linked *of = context;
	const struct tr_writer_options options = {.link = of->link};
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	of->failed += tr_header_set(header, "content", "stacks") != TR_OK;
	of->failed += tr_writer_open(&w, -1, header, &options) != TR_OK;
	of->failed +=
	    tr_writer_func(w, &(struct tr_func){.name = "main", .binary = "a"}) != TR_OK;
	of->failed += tr_writer_node(w, &(struct tr_node){0}) != TR_OK;
	of->failed += tr_writer_thread(w, &(struct tr_thread){.name = "a"}) != TR_OK;
	for (uint64_t i = 0; i < FRAMES; i++) {
		const struct tr_srow row = {.node = 1, .cycles = i, .instructions = 1};
		of->failed += tr_writer_srow(w, 0, &row, NULL) != TR_OK;
		of->failed += tr_writer_stacks_flush(w) != TR_OK;
	}
	of->failed += tr_writer_end(w, NULL) != TR_OK;
	tr_link_end(of->link);
	tr_writer_close(w);
	tr_header_free(header);
	return NULL;
}

static void check_whole_stream(void)
{
	struct linked of = {.link = tr_link_new()};
	struct tr_reader *r;
	const struct tr_sframe *frame;
	pthread_t thread;
	uint64_t frames = 0;
	CHECK(pthread_create(&thread, NULL, write_stacks, &of) == 0);
	CHECK(tr_reader_open_link(&r, of.link, "linked") == TR_OK);
	CHECK(tr_reader_expect(r, TR_CONTENT_STACKS) == TR_OK);
	int status;
	for (; (status = tr_reader_next_stacks(r, &frame)) == TR_OK; frames++)
		CHECK_EQ(frame->harts[0].rows[0].cycles, frames);
	CHECK(status == TR_END);
	CHECK_EQ(frames, (uint64_t)FRAMES);
	CHECK_EQ(tr_header_get_u64(tr_reader_end(r), "cycles", 0),
		 (uint64_t)FRAMES * (FRAMES - 1) / 2);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_EQ((uint64_t)of.failed, 0);
	tr_reader_close(r);
	tr_link_free(of.link);
}

/* A link that ends without an end record. */
static void check_truncated_stream(void)
{
	struct tr_link *link = tr_link_new();
	struct tr_header *header = tr_header_new();
	const struct tr_writer_options options = {.link = link};
	const struct tr_sframe *frame;
	struct tr_writer *w;
	struct tr_reader *r;
	CHECK(tr_header_set(header, "content", "stacks") == TR_OK);
	CHECK(tr_writer_open(&w, -1, header, &options) == TR_OK);
	tr_link_end(link);
	CHECK(tr_reader_open_link(&r, link, "linked") == TR_OK);
	CHECK(tr_reader_next_stacks(r, &frame) == TR_E_TRUNCATED);
	CHECK(strcmp(tr_reader_message(r),
		     "linked: record 1, byte 39: truncated: no end record") == 0);
	tr_reader_close(r);
	tr_writer_close(w);
	tr_header_free(header);
	tr_link_free(link);
}

int main(void)
{
	check_whole_stream();
	check_truncated_stream();
	return check_done();
}
