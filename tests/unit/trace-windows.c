/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of two windows: each part of the context that differs where the second one
 * opens is told by an event, so that a reader has the context of both. */
#include "run/trace.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static const struct tr_context contexts[] = {
    {.satp = 0, .tp = 0, .priv = TR_PRIV_M},
    {.satp = UINT64_C(8) << 60 | 0x80123,
     .hgatp = UINT64_C(8) << 60 | UINT64_C(1) << 44 | 0x80080,
     .tp = 0x1000,
     .priv = TR_PRIV_V | TR_PRIV_S},
};
enum { WINDOWS = 2 };

static void put_window(struct trace *t, unsigned number)
{
	const struct machine_state state = {
	    .cycle = 100 * number, .instret = 50 * number, .context = contexts[number]};
	const struct tr_commit token = {.pc = SOC_RAM_BASE, .bits = 0x13};
	const struct tr_batch batch = {.tokens = &token, .count = 1};

	trace_begin_window(t);
	trace_open(t, 0, &state);
	trace_tokens(t, 0, &batch, state.cycle + 1);
	trace_close(t, 0);
}

static void write_windows(const char *path, struct soc_image *image)
{
	const struct machine machine = {.image = image, .harts = 1};
	const struct simulator simulator = {.name = "test", .precision = "cycles"};
	const struct identity identity = {.image = image};
	FILE *out = fopen(path, "w");
	int error;

	if (!CHECK(out != NULL))
		return;
	const struct trace_options options = {
	    .simulator = &simulator, .fd = fileno(out), .identity = &identity};
	struct trace *t = trace_new(&machine, &options);
	for (unsigned i = 0; i < WINDOWS; i++)
		put_window(t, i);
	trace_end(t, &(struct trace_end){.how = "limit", .cycle = 100 * WINDOWS});
	CHECK_EQ(trace_status(t, &error), TR_OK);
	trace_free(t);
	CHECK(fclose(out) == 0);
}

static void check_context(const struct tr_context *is, const struct tr_context *want)
{
	CHECK_EQ(is->satp, want->satp);
	CHECK_EQ(is->hgatp, want->hgatp);
	CHECK_EQ(is->tp, want->tp);
	CHECK_EQ(is->priv, want->priv);
}

/* Compares the context of each row, of which a window has one. */
static void check_windows(const char *path)
{
	const struct tr_frame *frame;
	struct tr_reader *r;
	unsigned windows = 0;
	int status = tr_reader_open(&r, path, 1);

	while (!status && !(status = tr_reader_next(r, &frame))) {
		struct tr_cursor cursor;
		const struct tr_event *event;
		uint32_t first, last;
		enum tr_step step;

		tr_cursor_init(&cursor, &frame->harts[0]);
		while ((step = tr_cursor_next(&cursor, &first, &last, &event)))
			if (step == TR_STEP_ROWS && CHECK(windows < WINDOWS))
				check_context(&cursor.context, &contexts[windows++]);
	}
	CHECK_EQ(status, TR_END);
	CHECK_EQ(windows, WINDOWS);
	tr_reader_close(r);
}

int main(void)
{
	char path[] = "/tmp/trace-windows-XXXXXX";
	struct soc_image image;
	int fd = mkstemp(path);

	if (!CHECK(fd >= 0) || !CHECK(soc_image_init(&image, 1 << 20)))
		return check_done();
	close(fd);
	write_windows(path, &image);
	check_windows(path);
	soc_image_free(&image);
	unlink(path);
	return check_done();
}
