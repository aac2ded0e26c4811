/* SPDX-License-Identifier: Apache-2.0 */
/* What is between the unwinder and its files. A stream of stacks begins each hart where
 * its first frame does, and has the hits of the frames and the rows that were emitted. A
 * binary that cannot be opened when its code runs ends the search in all binaries. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "unwind/image_source.h"
#include "unwind/stacks_sink.h"

enum { HARTS = 2, FRAMES = 3, LATE = 1000 };

static struct tr_buffer value;

/* Emits a frame in which hart 1 comes from the second one on. */
static void emit_frame(struct tr_stacks_sink *sink, const struct tr_unwind_sink *calls,
		       unsigned number)
{
	const struct tr_event events[HARTS] = {
	    {.kind = TR_EV_PROBE,
	     .u.probe = {.cycle = LATE + 10 * number,
			 .count = 1,
			 .values = value.data,
			 .size = (uint32_t)value.size}},
	    {.kind = TR_EV_MARK}};
	const struct tr_hart_frame harts[HARTS] = {
	    {.start_cycle = LATE + 10 * number,
	     .hart = 0,
	     .events = events,
	     .nevents = HARTS},
	    {.start_cycle = 2 * LATE + number, .hart = 1}};
	const struct tr_frame frame = {.harts = harts, .nharts = number ? HARTS : 1};

	CHECK_EQ(tr_stacks_sink_begin(sink, &frame), TR_OK);
	if (number == 0) {
		CHECK_EQ(calls->func(sink, &(struct tr_func){.name = "f", .binary = "b"}),
			 TR_OK);
		CHECK_EQ(calls->node(sink, &(struct tr_node){0}), TR_OK);
		CHECK_EQ(calls->thread(sink, &(struct tr_thread){.name = "t"}), TR_OK);
	}
	for (uint32_t hart = 0; hart < frame.nharts; hart++)
		CHECK_EQ(calls->srow(sink, hart,
				     &(struct tr_srow){.cycles = hart ? 1 : 10,
						       .instructions = 1,
						       .node = 1},
				     NULL),
			 TR_OK);
	CHECK_EQ(tr_stacks_sink_end(sink, &frame), TR_OK);
}

static void check_emitted(int fd)
{
	struct tr_reader *reader;
	const struct tr_sframe *frame;
	char path[32];
	unsigned number = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_reader_open(&reader, path, 1), TR_OK);
	for (; tr_reader_next_stacks(reader, &frame) == TR_OK; number++) {
		CHECK_EQ(frame->nharts, number ? HARTS : 1);
		CHECK_EQ(frame->harts[0].start_cycle, LATE + 10 * number);
		CHECK_EQ(frame->harts[0].nrows, 1);
		CHECK_EQ(frame->harts[0].nhits, 1);
		CHECK_EQ(frame->harts[0].hits[0].cycle, LATE + 10 * number);
		if (number)
			CHECK_EQ(frame->harts[1].start_cycle, 2 * LATE + number);
	}
	CHECK_EQ(number, FRAMES);
	CHECK(tr_reader_end(reader) != NULL);
	tr_reader_close(reader);
}

static void emits(void)
{
	const struct tr_probe_value one = {.kind = TR_PROBE_UNSIGNED, .number = 1};
	struct tr_header *header = tr_header_new();
	int fd = memfd_create("stacks", 0);
	struct tr_probe_names probes;
	struct tr_writer *writer;

	tr_header_set(header, "content", "stacks");
	tr_header_set(header, "probe.0", "hit");
	tr_header_set(header, "probe.0.fields", "n");
	CHECK_EQ(tr_probe_names_read(&probes, header), TR_OK);
	CHECK_EQ(
	    tr_writer_open(&writer, fd, header, &(struct tr_writer_options){.level = 0}),
	    TR_OK);
	tr_hit_encode(&value, &one, 1);
	struct tr_stacks_sink *sink = tr_stacks_sink_new(&probes, writer);
	const struct tr_unwind_sink calls = tr_stacks_sink_calls(sink);
	CHECK(calls.where == NULL); /* no probe tells of tasks */
	for (unsigned i = 0; i < FRAMES; i++)
		emit_frame(sink, &calls, i);
	CHECK_EQ(tr_writer_end(writer, NULL), TR_OK);
	tr_writer_close(writer);
	check_emitted(fd);
	tr_stacks_sink_free(sink);
	tr_stacks_sink_free(NULL);
	tr_probe_names_release(&probes);
	tr_header_free(header);
	tr_buffer_free(&value);
	close(fd);
}

static void never_opened(void *user, const struct tr_image *image)
{
	(void)user, (void)image;
	CHECK(!"a binary was opened");
}

static void misses_a_binary(void)
{
	struct tr_header *header = tr_header_new();
	const struct tr_image_options options = {.functions = true};
	struct tr_folders folders = {0};
	struct tr_symbols *symbols;
	struct tr_function function;
	struct tr_source_place place;

	for (unsigned i = 0; i < 2; i++) {
		char key[32];

		snprintf(key, sizeof(key), "bin.%u", i);
		tr_header_set(header, key, i ? "/no/such/file" : "/none/either");
		snprintf(key, sizeof(key), "bin.%u.name", i);
		tr_header_set(header, key, "file");
		snprintf(key, sizeof(key), "bin.%u.sysroot", i);
		tr_header_set(header, key, "/no/such");
	}
	CHECK_EQ(tr_symbols_open(&symbols, header, &options, &folders), TR_OK);
	struct tr_image_source source = {
	    .symbols = symbols, .has_places = true, .opened = never_opened};
	const struct tr_unwind_source calls = tr_image_source_calls(&source);
	CHECK(!calls.function(&source, 1, 0x1000, &function));
	CHECK(source.status != TR_OK);
	int status = source.status;
	CHECK_STR(tr_symbols_message(symbols),
		  "/no/such/file: No such file or directory");
	for (uint32_t i = 0; i < 2; i++) {
		CHECK(!calls.function(&source, i, 0x1000, &function));
		CHECK(calls.code(&source, i, 0x1000, 4) == NULL);
		CHECK_EQ(calls.isa(&source, i), 0);
		calls.place(&source, i, 0x1000, &place);
		CHECK(place.low == 0 && place.high == UINT64_MAX && !place.call &&
		      !place.line);
	}
	CHECK_EQ(source.status, status);
	CHECK_STR(tr_symbols_message(symbols),
		  "/no/such/file: No such file or directory");
	source.has_places = false;
	CHECK(tr_image_source_calls(&source).place == NULL);
	tr_symbols_close(symbols);
	tr_header_free(header);
}

int main(void)
{
	emits();
	misses_a_binary();
	return check_done();
}
