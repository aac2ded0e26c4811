/* SPDX-License-Identifier: Apache-2.0 */
/* Writer and reader report the failure of each of their allocations. */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "no-memory.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { TOKENS = 4000 };

static char path[32];

static int write_tokens(struct tr_writer *w)
{
	static const struct tr_run LOST = {.slots = 2, .class = 3};
	const struct tr_event events[] = {
	    {.kind = TR_EV_MARK, .u.raw = {.data = (const uint8_t *)"x", .size = 1}},
	    {.kind = TR_EV_TRAP, .cycles = 2, .u.trap = {.runs = &LOST, .nruns = 1}}};
	int status = TR_OK;
	for (unsigned i = 0; i < TOKENS && !status; i++) {
		struct tr_run runs = {.slots = i, .class = 1};
		status = tr_writer_token(w, i / 5 % 20, 0x1000 + 4 * (i * i % 999), 0x13,
					 4, i % 7 ? 1 : i + 1, &runs, i % 7 ? 0 : 1);
		if (!status && i % 50 == 0)
			status = tr_writer_event(w, i / 5 % 20, &events[i / 50 % 2]);
	}
	return status ? status : tr_writer_end(w, NULL);
}

static int write_stream(int level)
{
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	int fd = memfd_create("stream", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!header)
		return TR_E_NOMEM;
	int status =
	    tr_writer_open(&w, fd, header, &(struct tr_writer_options){.level = level});
	if (!status)
		status = write_tokens(w);
	tr_writer_close(w);
	tr_header_free(header);
	return status;
}

static int read_stream(void)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	int status = tr_reader_open(&r, path, 1);
	while (!status)
		status = tr_reader_next(r, &frame);
	if (status != TR_END)
		CHECK(!r || tr_reader_message(r) != NULL);
	tr_reader_close(r);
	return status == TR_END ? TR_OK : status;
}

static void fail_writing(int level)
{
	unsigned long n = 1;
	for (memory_failed = true; memory_failed; n++) {
		memory_fail_at(n);
		int status = write_stream(level);
		memory_left = 0;
		if (!CHECK_EQ(status, memory_failed ? TR_E_NOMEM : TR_OK))
			fprintf(stderr, "written at level %d, allocation %lu\n", level,
				n);
		CHECK((read_stream() == TR_OK) == !memory_failed);
		close(atoi(path + strlen("/proc/self/fd/")));
	}
	CHECK(n > 30);
}

static void fail_reading(int level)
{
	unsigned long n = 1;
	CHECK_EQ(write_stream(level), TR_OK);
	for (memory_failed = true; memory_failed; n++) {
		memory_fail_at(n);
		int status = read_stream();
		memory_left = 0;
		if (!CHECK_EQ(status, memory_failed ? TR_E_NOMEM : TR_OK))
			fprintf(stderr, "read at level %d, allocation %lu\n", level, n);
	}
	CHECK(n > 30);
}

int main(void)
{
	fail_writing(0);
	fail_reading(0);
	fail_reading(3);
	return check_done();
}
