/* SPDX-License-Identifier: Apache-2.0 */
/* A line that tells how far a filter is, on a terminal only. */
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum { INTERVAL_NS = 500000000 };

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tr_progress_init(struct tr_progress *progress)
{
	*progress = (struct tr_progress){.on = isatty(STDERR_FILENO) == 1};
	if (progress->on)
		progress->start_ns = progress->last_ns = now_ns();
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
	if (!progress->on)
		return;
	uint64_t now = now_ns();
	if (now - progress->last_ns < INTERVAL_NS)
		return;
	progress->last_ns = now;
	double seconds = (double)(now - progress->start_ns) / 1e9;
	fprintf(stderr, "\r\033[K%s: %" PRIu64 " M instructions, %.0f M/s", cli->program,
		instructions / 1000000, (double)instructions / 1e6 / seconds);
	uint64_t size = reader ? tr_reader_size(reader) : 0;
	if (size)
		show_share(seconds, tr_reader_offset(reader), size);
	fflush(stderr);
}

void tr_progress_done(struct tr_progress *progress)
{
	if (progress->on && progress->last_ns != progress->start_ns)
		fputs("\r\033[K", stderr);
	progress->on = false;
}
