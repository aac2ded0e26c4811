/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of counters are read back as written, also through tr_writer_pass; samples that
 * do not match the header's counters are refused by writer and reader. */
#include "stream-events.h"

enum { COUNTERS = 3 };
static const uint32_t SETS[] = {0, 15};

/* The same for each call with the same number; counters also decrease and wrap. */
static void sample(unsigned number, struct tr_event *event, uint64_t values[COUNTERS])
{
	seed = number;
	for (unsigned i = 0; i < COUNTERS; i++)
		values[i] = rnd() >> rnd() % 64;
	*event = (struct tr_event){
	    .kind = TR_EV_COUNTERS,
	    .cycles = rnd() % 9,
	    .u.counters = {.values = values, .set = SETS[rnd() % 2], .count = COUNTERS}};
}

static struct tr_header *header_of(void)
{
	struct tr_header *header = tr_header_new();
	tr_header_set(header, "counters.0", "a,b,c");
	tr_header_set(header, "counters.15", "c,b,d");
	return header;
}

static int write_stream(void)
{
	int fd = memfd_create("stream", 0);
	struct tr_header *header = header_of();
	struct tr_writer *w = new_writer(fd, header);
	for (unsigned i = 0; i < EVENTS; i++) {
		struct tr_event event;
		uint64_t values[COUNTERS];
		sample(i, &event, values);
		CHECK_EQ(tr_writer_event(w, i % HARTS, &event), TR_OK);
		CHECK_EQ(tr_writer_token(w, i % HARTS, 0x1000 + 4 * (i % 9), 0x13, 4, 9,
					 NULL, 0),
			 TR_OK);
		if (i % 1000 == 500)
			CHECK_EQ(tr_writer_flush(w), TR_OK);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	return fd;
}

static void check_sample(const struct tr_event *is, unsigned number)
{
	struct tr_event was;
	uint64_t values[COUNTERS];
	sample(number, &was, values);
	CHECK_EQ(is->cycles, was.cycles);
	CHECK_EQ(is->u.counters.set, was.u.counters.set);
	CHECK_EQ(is->u.counters.count, COUNTERS);
	CHECK(memcmp(is->u.counters.values, values, sizeof(values)) == 0);
}

static void round_trip(void)
{
	int fd = write_stream();
	check_stream(pass_stream(fd), true, check_sample);
	check_stream(fd, false, check_sample);
}

static int try_event(const char *key, const char *labels, uint32_t set, uint32_t count)
{
	static const uint64_t VALUES[8];
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	const struct tr_writer_options options = {0};
	const struct tr_event event = {
	    .kind = TR_EV_COUNTERS,
	    .u.counters = {.values = VALUES, .set = set, .count = count}};
	int fd = memfd_create("refused", 0);
	tr_header_set(header, key, labels);
	int status = tr_writer_open(&w, fd, header, &options);
	if (!status)
		status = tr_writer_event(w, 0, &event);
	tr_writer_close(w);
	tr_header_free(header);
	close(fd);
	return status;
}

static void refusals(void)
{
	CHECK_EQ(try_event("counters.0", "a,b", 0, 2), TR_OK);
	CHECK_EQ(try_event("counters.15", "a", 15, 1), TR_OK);
	CHECK_EQ(try_event("counters.0", "a,b", 0, 1), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.0", "a,b", 0, 3), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.0", "a,b", 1, 2), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.0", "a,b", 1, 0), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.16", "a,b", 16, 2), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.0", "a,a", 0, 2), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.0", "a,a", 0, 1), TR_E_ARGUMENT);
	CHECK_EQ(try_event("counters.0", "", 0, 0), TR_E_ARGUMENT);
}

/* No rows, and a sample of set 1. */
static const struct payload ROWS = {
    .parts = {{0, 13, {0, 1, 1, 0, 100, 0, 0, 0, 1, 0, 0, 0, 3}},
	      {9, 9, {18, 0, 0, 7, 4, 1, 2, 3, 4}}},
    .nparts = 2,
};

/* Two harts without stacks, and samples of sets 1 and 2 on the first. */
static const struct payload STACKS = {
    .parts = {{0, 8, {0, 2, 0, 0, 0, 1, 50, 0}},
	      {22, 11, {2, 5, 1, 2, 3, 4, 0, 2, 1, 9, 0}}},
    .nparts = 2,
};

static const char TWO[] = "counters.1=a,b\ncounters.2=a\n";

static void check_event(unsigned number, uint64_t value, const char *header,
			const char *expected)
{
	check_part(TR_CHUNK_FRAME, &ROWS, number, value, header, expected);
}

static void malformed(void)
{
	check_event(0, 18, TWO, "");
	check_event(0, 19, TWO, ""); /* must be understood, and is */
	check_event(3, TR_FRAME_TOKENS, TWO, "");
	check_event(4, 3, TWO, "damaged event");
	check_event(4, 5, TWO, "damaged event");
	check_event(5, 0, TWO, "damaged event");
	check_event(5, 2, TWO, "damaged event");
	check_event(5, 16, TWO, "damaged event");
	check_event(6, 1, TWO, "damaged event");
	check_event(6, 3, TWO, "damaged event");
	check_event(6, 4097, TWO, "damaged event");
	check_event(8, 128, TWO, "damaged event");
	check_event(9, 0, TWO, "bytes after the events");
	struct payload two = ROWS;
	two.parts[0].numbers[8] = 2;
	memcpy(&two.parts[1].numbers[9], &ROWS.parts[1].numbers[0], 9 * sizeof(uint64_t));
	two.parts[1].count = 18;
	check_part(TR_CHUNK_FRAME, &two, 12, 7, TWO, "");
	check_part(TR_CHUNK_FRAME, &two, 12, 6, TWO, "samples of counters out of order");
	check_event(0, 18, "counters.1=a\n", "damaged event");
	check_event(0, 18, "counters.1=a,b,c\n", "damaged event");
	check_event(0, 18, "xlen=64\n", "damaged event");
	check_event(0, 18, "counters.1=a,a\n", "damaged header: labels of counters");
	check_event(0, 18, "counters.1=a,b\ncounters.0=,\n",
		    "damaged header: labels of counters");
}

static void check_stacks(unsigned number, uint64_t value, const char *expected)
{
	check_part(TR_CHUNK_STACKS, &STACKS, number, value, TWO, expected);
}

static void malformed_stacks(void)
{
	static const char DAMAGED[] = "damaged sample of counters";
	struct payload twice = STACKS;
	check_stacks(0, 2, "");
	check_stacks(0, 1, "bytes after the samples of counters");
	check_stacks(0, 3, DAMAGED);
	check_stacks(0, 1000, DAMAGED);
	check_stacks(1, INT64_MAX, "");
	check_stacks(1, (uint64_t)INT64_MAX + 1, DAMAGED);
	check_stacks(2, 0, DAMAGED);
	check_stacks(2, 2, DAMAGED);
	check_stacks(2, 16, DAMAGED);
	check_stacks(3, 1, DAMAGED);
	check_stacks(3, 0, DAMAGED);
	check_stacks(4, UINT64_MAX, "");
	check_stacks(8, 2, DAMAGED);
	check_stacks(10, 1, DAMAGED);
	check_stacks(11, 0, "bytes after the samples of counters");
	twice.parts[twice.nparts++] = STACKS.parts[1];
	check_part(TR_CHUNK_STACKS, &twice, 0, 2, TWO, "samples of counters twice");
	twice.parts[2].kind = 100; /* unknown, need not be understood */
	check_part(TR_CHUNK_STACKS, &twice, 0, 2, TWO, "");
}

/* Two samples of one hart, the second `later` cycles after the first. */
static void order(uint64_t later, int expected)
{
	static const uint64_t VALUES[3];
	struct tr_header *header = header_of();
	for (unsigned stacks = 0; stacks < 2; stacks++) {
		int fd = memfd_create("order", 0), status = TR_OK;
		struct tr_writer *w = new_writer(fd, header);
		const uint64_t cycles[2] = {1000, 1000 + later};
		for (unsigned i = 0; i < 2; i++) {
			struct tr_event event = {
			    .kind = TR_EV_COUNTERS,
			    .cycles = cycles[i],
			    .u.counters = {.values = VALUES, .count = COUNTERS}};
			event.u.counters.cycle = cycles[i];
			CHECK_EQ(status, TR_OK);
			status = stacks ? tr_writer_sample(w, 0, &event.u.counters)
					: tr_writer_event(w, 0, &event);
		}
		CHECK_EQ(status, expected);
		tr_writer_close(w);
		close(fd);
	}
	tr_header_free(header);
}

static uint64_t sum_samples(const struct tr_sample *samples, uint32_t count)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < samples[i].count; k++)
			sum += samples[i].values[k] + samples[i].cycle;
	return sum;
}

static uint64_t sum_event(const struct tr_event *event)
{
	return event->kind == TR_EV_COUNTERS ? sum_samples(&event->u.counters, 1) : 0;
}

static uint64_t sum_stacks(const struct tr_shart *hart)
{
	return sum_samples(hart->samples, hart->nsamples);
}

static const struct sums SUMS = {sum_event, sum_stacks};

/* A sample within a row, after a token of 5 cycles and a cycle of the next one: our
 * writer never does this. */
static void inside_row(void)
{
	static const struct payload INSIDE = {
	    .parts = {{0, 13, {0, 1, 1, 0, 100, 6, 2, 1, 1, 0, 0, 0, 3}},
		      {3, 12, {1, 1, 3, 0x2000, 2, 6, 0x13, 0, 0, 0, 1, 0}},
		      {5, 7, {1, 0, 1, 0, 2, 1, 5}},
		      {7, 7, {1, 0, 0, 1, 0, 1, 0}},
		      {9, 9, {18, 0, 1, 1, 4, 1, 2, 3, 4}}},
	    .nparts = 5,
	};
	static const char END[] = "instructions=2\ncycles=6\nframes=1\n";
	struct tr_buffer stream = {0};
	const struct tr_frame *frame;
	int fd = memfd_create("inside", 0);
	add_chunk(&stream, TR_CHUNK_HEADER, 0, TWO, strlen(TWO));
	add_payload(&stream, TR_CHUNK_FRAME, 1, &INSIDE);
	add_chunk(&stream, TR_CHUNK_END, 2, END, strlen(END));
	CHECK_EQ(write(fd, stream.data, stream.size), stream.size);
	struct tr_reader *r = open_reader(fd);
	CHECK_EQ(tr_reader_next(r, &frame), TR_OK);
	CHECK_EQ(frame->harts[0].events[0].u.counters.cycle, 106);
	CHECK_EQ(tr_reader_next(r, &frame), TR_END);
	tr_reader_close(r);
	tr_buffer_free(&stream);
	close(fd);
}

int main(void)
{
	inside_row();
	hostile(TR_CHUNK_FRAME, &ROWS, TWO, &SUMS);
	hostile(TR_CHUNK_STACKS, &STACKS, TWO, &SUMS);
	round_trip();
	refusals();
	malformed();
	malformed_stacks();
	order(0, TR_OK);
	order(1, TR_OK);
	order(UINT64_MAX, TR_E_ARGUMENT);
	return check_done();
}
