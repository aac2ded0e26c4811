/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that are passed through, followed by tokens in one stream; and reads after the
 * end. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "stream/chunk.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { TOKENS = 3 };

static const struct tr_context CONTEXT = {.priv = TR_PRIV_S, .satp = 5};

static struct tr_writer *open_writer(char path[32])
{
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	int fd = memfd_create("stream", 0);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	tr_header_free(header);
	return w;
}

static void run_tokens(struct tr_writer *w)
{
	for (uint32_t hart = 0; hart < 2; hart++)
		for (unsigned i = 0; i < TOKENS; i++)
			CHECK_EQ(
			    tr_writer_token(w, hart, 0x1000 + 4 * i, 0x13, 4, 2, NULL, 0),
			    TR_OK);
}

static void write_first(char path[32])
{
	struct tr_writer *w = open_writer(path);
	for (uint32_t hart = 0; hart < 2; hart++)
		CHECK_EQ(tr_writer_begin(w, hart, 10, &CONTEXT), TR_OK);
	run_tokens(w);
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
}

static void pass_frames(struct tr_writer *w, const char *path)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	while (tr_reader_next(r, &frame) == TR_OK) {
		const struct tr_event *events[2] = {0};
		const uint32_t nevents[2] = {0};
		const struct tr_pass pass = {.payload = tr_reader_payload(r),
					     .events = events,
					     .nevents = nevents,
					     .nharts = frame->nharts};
		CHECK_EQ(tr_writer_pass(w, &pass), TR_OK);
	}
	tr_reader_close(r);
}

/* A hart continues with the cycle and the context at the end of the passed frame. */
static void tokens_after_passing(void)
{
	char first[32], second[32];
	struct tr_reader *r;
	const struct tr_frame *frame;
	write_first(first);
	struct tr_writer *w = open_writer(second);
	pass_frames(w, first);
	run_tokens(w);
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	CHECK_EQ(tr_reader_open(&r, second, 1), TR_OK);
	for (unsigned i = 0; i < 2; i++) {
		if (!CHECK_EQ(tr_reader_next(r, &frame), TR_OK))
			break;
		CHECK_EQ(frame->nharts, 2);
		for (uint32_t h = 0; h < 2; h++) {
			CHECK_EQ(frame->harts[h].start.satp, 5);
			CHECK_EQ(frame->harts[h].start.priv, TR_PRIV_S);
			CHECK_EQ(frame->harts[h].start_cycle, 10 + i * 2 * TOKENS);
			CHECK_EQ(frame->harts[h].tokens, TOKENS);
		}
	}
	CHECK_EQ(tr_reader_next(r, &frame), TR_END);
	CHECK_EQ(tr_reader_next(r, &frame), TR_END);
	tr_reader_close(r);
}

static void passing_after_tokens(void)
{
	static const struct tr_event NO_EVENTS[1];
	char first[32], second[32];
	struct tr_reader *r;
	const struct tr_frame *frame;
	write_first(first);
	for (unsigned cut = 0; cut < 2; cut++) {
		struct tr_writer *w = open_writer(second);
		CHECK_EQ(tr_reader_open(&r, first, 1), TR_OK);
		CHECK_EQ(tr_reader_next(r, &frame), TR_OK);
		const struct tr_event *events[2] = {NO_EVENTS, NO_EVENTS};
		const struct tr_pass pass = {.payload = tr_reader_payload(r),
					     .events = events,
					     .nevents = (const uint32_t[2]){0},
					     .nharts = 2};
		run_tokens(w);
		if (cut)
			CHECK_EQ(tr_writer_cut(w, 1), TR_OK);
		CHECK_EQ(tr_writer_pass(w, &pass), TR_E_ARGUMENT);
		tr_reader_close(r);
		tr_writer_close(w);
	}
}

static unsigned count_threads(void)
{
	unsigned n = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (const struct dirent *e; tasks && (e = readdir(tasks));)
		n += *e->d_name != '.';
	closedir(tasks);
	return n;
}

/* The end is final, also for a thread that reads ahead. */
static void read_after_the_end(void)
{
	char path[32];
	write_first(path);
	for (unsigned threads = 1; threads < 3; threads++) {
		struct tr_chunk_reader *r;
		struct tr_chunk chunk;
		unsigned chunks = 0;
		unsigned before = count_threads();
		CHECK_EQ(tr_chunk_reader_open(&r, path, threads), TR_OK);
		CHECK_EQ(count_threads(), before + threads - 1);
		while (tr_chunk_read(r, &chunk) == TR_OK)
			CHECK_EQ(chunk.record, chunks++);
		CHECK_EQ(chunks, 3);
		CHECK_EQ(tr_chunk_read(r, &chunk), TR_END);
		CHECK_EQ(tr_chunk_reader_offset(r), tr_chunk_reader_size(r));
		tr_chunk_reader_close(r);
	}
}

/* A frame holds a limited number of events; more start another frame. */
static void many_events(void)
{
	enum { EVENTS = 1 << 16 };
	static uint8_t text[256];
	char path[32];
	struct tr_reader *r;
	const struct tr_frame *frame;
	uint32_t events = 0, frames = 0;
	const struct tr_event mark = {.kind = TR_EV_MARK,
				      .u.raw = {.data = text, .size = sizeof(text)}};
	struct tr_writer *w = open_writer(path);
	for (unsigned i = 0; i < EVENTS; i++)
		if (!CHECK_EQ(tr_writer_event(w, 0, &mark), TR_OK))
			break;
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	for (; tr_reader_next(r, &frame) == TR_OK; frames++)
		events += frame->harts[0].nevents;
	CHECK_EQ(events, EVENTS);
	CHECK(frames > 1);
	tr_reader_close(r);
}

int main(void)
{
	tokens_after_passing();
	passing_after_tokens();
	read_after_the_end();
	many_events();
	return check_done();
}
