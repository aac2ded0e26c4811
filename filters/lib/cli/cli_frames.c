/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a stream frame by frame, with a progress line. */
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum { INTERVAL_NS = 500000000 };

static uint64_t read_frames_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tr_progress_init(struct tr_progress *progress)
{
	struct stat st;
	bool in_pipe = fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode);
	*progress = (struct tr_progress){.on = isatty(STDERR_FILENO) == 1 && !in_pipe};
	if (progress->on)
		progress->start_ns = progress->last_ns = read_frames_clock();
}

static void show_share(double seconds, uint64_t offset, uint64_t size)
{
	double share = (double)offset / (double)size;
	if (share > 1)
		share = 1;
	fprintf(stderr, ", %.0f %%", 100 * share);
	if (share > 0)
		fprintf(stderr, ", %.0f s left", seconds * (1 - share) / share);
}

void tr_progress_show(struct tr_progress *progress, const struct tr_cli *cli,
		      uint64_t instructions, const struct tr_reader *reader)
{
	if (progress->on)
		tr_progress_show_at(progress, cli, instructions,
				    reader ? tr_reader_offset(reader) : 0,
				    reader ? tr_reader_size(reader) : 0);
}

void tr_progress_show_at(struct tr_progress *progress, const struct tr_cli *cli,
			 uint64_t instructions, uint64_t offset, uint64_t size)
{
	if (!progress->on)
		return;
	uint64_t now = read_frames_clock();
	if (now - progress->last_ns < INTERVAL_NS)
		return;
	progress->last_ns = now;
	double seconds = (double)(now - progress->start_ns) / 1e9;
	fprintf(stderr, "\r\033[K%s: %" PRIu64 " M instructions, %.0f M/s", cli->program,
		instructions / 1000000, (double)instructions / 1e6 / seconds);
	if (size)
		show_share(seconds, offset, size);
	fflush(stderr);
}

void tr_progress_done(struct tr_progress *progress)
{
	if (progress->on && progress->last_ns != progress->start_ns)
		fputs("\r\033[K", stderr);
	progress->on = false;
}

struct loop {
	struct tr_reader *reader;
	const struct tr_cli_frames *take;
	struct tr_progress progress;
	uint64_t instructions;
	bool is_stopped;
};

static int read_frame_rows(struct loop *loop)
{
	const struct tr_frame *frame;
	int status = tr_reader_next(loop->reader, &frame);
	if (status)
		return status;
	loop->is_stopped = !loop->take->rows(loop->take->context, frame);
	for (uint32_t i = 0; i < frame->nharts; i++)
		loop->instructions += frame->harts[i].tokens;
	return TR_OK;
}

static int take_stacks(struct loop *loop)
{
	const struct tr_sframe *frame;
	int status = tr_reader_next_stacks(loop->reader, &frame);
	if (status)
		return status;
	loop->is_stopped = !loop->take->stacks(loop->take->context, frame);
	for (uint32_t i = 0; loop->progress.on && i < frame->nharts; i++)
		for (uint32_t row = 0; row < frame->harts[i].nrows; row++)
			loop->instructions += frame->harts[i].rows[row].instructions;
	return TR_OK;
}

int tr_cli_each_frame(const struct tr_cli *cli, struct tr_reader *reader,
		      const struct tr_cli_frames *take)
{
	struct loop loop = {.reader = reader, .take = take};
	const bool has_stacks =
	    tr_header_content(tr_reader_header(reader)) == TR_CONTENT_STACKS;
	int status = TR_OK;
	if (take->is_ahead && !has_stacks)
		tr_reader_decode_ahead(reader);
	if (!take->is_silent)
		tr_progress_init(&loop.progress);
	while (!loop.is_stopped &&
	       !(status = has_stacks ? take_stacks(&loop) : read_frame_rows(&loop)))
		tr_progress_show(&loop.progress, cli, loop.instructions, reader);
	tr_progress_done(&loop.progress);
	return status;
}
