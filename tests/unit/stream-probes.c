/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of probes are read back as written, also inside rows and through tr_writer_pass;
 * hits that do not match the header's probes are refused by writer and reader. */
#include "stream-events.h"
#include "stream/probes.h"

enum { FIELDS = 3 };

/* Any value, the same for each call with the same seed. */
static struct tr_probe_value any_value(uint8_t data[16])
{
	struct tr_probe_value value = {.kind = rnd() % (TR_PROBE_BYTES + 1)};
	switch (value.kind) {
	case TR_PROBE_MISSING:
		break;
	case TR_PROBE_BOOL:
		value.number = rnd() % 2;
		break;
	case TR_PROBE_FLOAT:
		value.real = (double)rnd() / 3;
		break;
	case TR_PROBE_STRING:
	case TR_PROBE_BYTES:
		value.is_cut = rnd() % 2;
		/* FALLTHROUGH */
	case TR_PROBE_ENUM:
		value.size = rnd() % 16;
		value.data = data;
		for (size_t i = 0; i < value.size; i++)
			data[i] = (uint8_t)(rnd() % 255 + 1);
		if (value.kind != TR_PROBE_ENUM)
			break;
		value.is_signed = rnd() % 2;
		/* FALLTHROUGH */
	default:
		value.number = rnd() >> rnd() % 64;
	}
	return value;
}

/* Hit number `number`: of probe 0, which has three fields, or 1, which has none. */
static void hit(unsigned number, struct tr_event *event, struct tr_buffer *values)
{
	uint8_t data[FIELDS][16];
	struct tr_probe_value list[FIELDS];
	seed = number;
	unsigned probe = rnd() % 4 == 0, count = probe ? 0 : FIELDS;
	for (unsigned i = 0; i < count; i++)
		list[i] = any_value(data[i]);
	values->size = 0;
	tr_hit_encode(values, list, count);
	*event = (struct tr_event){.kind = TR_EV_PROBE,
				   .u.probe = {.probe = probe,
					       .count = count,
					       .values = values->data,
					       .size = (uint32_t)values->size}};
}

static struct tr_header *header_of(void)
{
	struct tr_header *header = tr_header_new();
	tr_header_set(header, "probe.0", "p");
	tr_header_set(header, "probe.0.fields", "a,b,c");
	tr_header_set(header, "probe.1", "q");
	return header;
}

/* Each hit is before a token of 2 cycles; every ninth token ends a block. */
static int write_stream(void)
{
	int fd = memfd_create("stream", 0);
	struct tr_header *header = header_of();
	struct tr_writer *w = new_writer(fd, header);
	struct tr_buffer values = {0};
	for (unsigned i = 0; i < EVENTS; i++) {
		struct tr_event event;
		hit(i, &event, &values);
		CHECK_EQ(tr_writer_event(w, i % HARTS, &event), TR_OK);
		memset(values.data, 0xff, values.size); /* it was copied */
		CHECK_EQ(tr_writer_token(w, i % HARTS, 0x1000 + 4 * (i / HARTS % 9), 0x13,
					 4, 2, NULL, 0),
			 TR_OK);
		if (i % 1000 == 500) {
			for (uint32_t h = 0; h < HARTS; h++)
				tr_writer_cut(w, h);
			CHECK_EQ(tr_writer_flush(w), TR_OK);
		}
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	tr_buffer_free(&values);
	return fd;
}

static unsigned inside; /* hits that are inside a row */

static void check_hit(const struct tr_event *event, unsigned number)
{
	const struct tr_hit *is = &event->u.probe;
	struct tr_event was;
	struct tr_buffer values = {0};
	uint8_t data[16];
	hit(number, &was, &values);
	inside += event->token > 0;
	CHECK_EQ(is->probe, was.u.probe.probe);
	CHECK_EQ(is->count, was.u.probe.count);
	CHECK_EQ(is->cycle, 2 * (number / HARTS + 1));
	CHECK_EQ(is->size, values.size);
	CHECK(!is->size || memcmp(is->values, values.data, values.size) == 0);
	seed = number;
	rnd();
	for (uint32_t i = 0; i < is->count; i++) {
		struct tr_probe_value from = any_value(data), to = tr_hit_value(is, i);
		CHECK_EQ(to.kind, from.kind);
		CHECK_EQ(to.number, from.number);
		CHECK_EQ(to.is_signed, from.is_signed);
		CHECK_EQ(to.is_cut, from.is_cut);
		CHECK(memcmp(&to.real, &from.real, sizeof(to.real)) == 0);
		CHECK_EQ(to.size, from.size);
		CHECK(!to.size || memcmp(to.data, data, to.size) == 0);
	}
	tr_buffer_free(&values);
}

static void round_trip(void)
{
	int fd = write_stream();
	check_stream(pass_stream(fd), true, check_hit);
	CHECK(inside > EVENTS / 2);
	inside = 0;
	check_stream(fd, false, check_hit);
	CHECK(inside > EVENTS / 2);
}

/* Writes a hit of `count` missing values to rows or stacks. */
static int try_hit(bool is_stacks, uint32_t probe, uint32_t count, uint32_t size)
{
	static const uint8_t MISSING[8];
	struct tr_header *header = header_of();
	int fd = memfd_create("refused", 0);
	struct tr_writer *w = new_writer(fd, header);
	const struct tr_event event = {.kind = TR_EV_PROBE,
				       .u.probe = {3, probe, count, MISSING, size}};
	int status = is_stacks ? tr_writer_hit(w, 0, &event.u.probe)
			       : tr_writer_event(w, 0, &event);
	tr_writer_close(w);
	tr_header_free(header);
	close(fd);
	return status;
}

static void refusals(void)
{
	for (unsigned is_stacks = 0; is_stacks < 2; is_stacks++) {
		CHECK_EQ(try_hit(is_stacks, 0, 3, 3), TR_OK);
		CHECK_EQ(try_hit(is_stacks, 1, 0, 0), TR_OK);
		CHECK_EQ(try_hit(is_stacks, 2, 0, 0), TR_E_ARGUMENT);
		CHECK_EQ(try_hit(is_stacks, 0, 2, 2), TR_E_ARGUMENT);
		CHECK_EQ(try_hit(is_stacks, 0, 4, 4), TR_E_ARGUMENT);
		CHECK_EQ(try_hit(is_stacks, 0, 3, 2), TR_E_ARGUMENT);
		CHECK_EQ(try_hit(is_stacks, 0, 3, 4), TR_E_ARGUMENT);
		CHECK_EQ(try_hit(is_stacks, 1, 0, 1), TR_E_ARGUMENT);
		/* A mark, which no header names. */
		CHECK_EQ(try_hit(is_stacks, TR_PROBE_MARK, 3, 3), TR_OK);
		CHECK_EQ(try_hit(is_stacks, TR_PROBE_MARK, 2, 2), TR_E_ARGUMENT);
		CHECK_EQ(try_hit(is_stacks, TR_PROBE_MARK + 1, 3, 3), TR_E_ARGUMENT);
	}
}

/* No rows, and a hit with an enum, a bool, a string, a float and a missing value. */
static const struct payload ROWS = {
    .parts = {{0, 13, {0, 1, 1, 0, 100, 0, 0, 0, 1, 0, 0, 0, 3}},
	      {9, 28, {32, 0, 0, 7,   23, 1, 5, 6, 1, 3, 2 << 1, 'U', 'V', 4,
		       1,  7, 3, 's', 5,  1, 2, 3, 4, 5, 6,	 7,   8,   0}}},
    .nparts = 2,
};

/* Two harts without stacks, and hits on both. */
static const struct payload STACKS = {
    .parts = {{0, 8, {0, 2, 0, 0, 0, 1, 50, 0}},
	      {34, 16, {2, 5, 4, 0, 1, 2, 9, 0, 2, 1, 0, 1, 7, 2, 1, 0}}},
    .nparts = 2,
};

static const char FIVE[] = "probe.0=a\nprobe.1=b\nprobe.1.fields=a,b,c,d,e\n";
static const char TWO[] =
    "probe.0=a\nprobe.0.fields=a\nprobe.1=b\nprobe.2=c\nprobe.2.fields=a,b\n";

static void check_event(unsigned number, uint64_t value, const char *header,
			const char *expected)
{
	check_part(TR_CHUNK_FRAME, &ROWS, number, value, header, expected);
}

static void malformed(void)
{
	static const char DAMAGED[] = "damaged event";
	check_event(0, 32, FIVE, "");
	check_event(0, 33, FIVE, ""); /* must be understood, and is */
	check_event(4, 22, FIVE, DAMAGED);
	check_event(4, 24, FIVE, DAMAGED);
	check_event(5, 0, FIVE, DAMAGED); /* a probe with no fields */
	check_event(5, 2, FIVE, DAMAGED);
	check_event(6, 4, FIVE, DAMAGED);
	check_event(6, 6, FIVE, DAMAGED);
	check_event(6, 257, FIVE, DAMAGED);
	check_event(7, 9, FIVE, DAMAGED); /* no such kind */
	check_event(8, 2, FIVE, DAMAGED); /* neither signed nor not */
	check_event(9, 127, FIVE, "");
	check_event(10, 8 << 1, FIVE, DAMAGED);
	check_event(11, 0, FIVE, DAMAGED); /* a zero byte in a name */
	check_event(14, 2, FIVE, DAMAGED);
	check_event(16, 2, FIVE, "");
	check_event(16, 127, FIVE, DAMAGED);
	check_event(17, 0, FIVE, DAMAGED);
	check_event(27, 1, FIVE, DAMAGED);
	check_event(28, 0, FIVE, "bytes after the events");
	check_event(0, 32, "xlen=64\n", DAMAGED);
	check_event(0, 32, "probe.0=a\nprobe.2=b\nprobe.2.fields=a,b,c,d,e\n", DAMAGED);
	check_event(0, 32, "probe.0=a\nprobe.0.fields=a,a\n",
		    "damaged header: names of probes");
	check_event(0, 32, "probe.0=\n", "damaged header: names of probes");
}

static void check_stacks(unsigned number, uint64_t value, const char *expected)
{
	check_part(TR_CHUNK_STACKS, &STACKS, number, value, TWO, expected);
}

static void malformed_stacks(void)
{
	static const char DAMAGED[] = "damaged hit of a probe";
	struct payload twice = STACKS;
	check_stacks(0, 2, "");
	check_stacks(0, 1, "bytes after the hits of probes");
	check_stacks(0, 3, DAMAGED);
	check_stacks(0, 1000, DAMAGED);
	check_stacks(1, INT64_MAX, "");
	check_stacks(1, (uint64_t)INT64_MAX + 1, DAMAGED);
	check_stacks(2, 3, DAMAGED);
	check_stacks(2, 5, DAMAGED);
	check_stacks(2, UINT64_MAX, DAMAGED);
	check_stacks(3, 1, DAMAGED);
	check_stacks(3, 3, DAMAGED);
	check_stacks(4, 0, DAMAGED);
	check_stacks(8, 1, DAMAGED);
	check_stacks(11, 0, "bytes after the hits of probes");
	check_stacks(11, 2, DAMAGED);
	check_stacks(16, 0, "bytes after the hits of probes");
	twice.parts[twice.nparts++] = STACKS.parts[1];
	check_part(TR_CHUNK_STACKS, &twice, 0, 2, TWO, "hits of probes twice");
	twice.parts[2].kind = 100; /* unknown, need not be understood */
	check_part(TR_CHUNK_STACKS, &twice, 0, 2, TWO, "");
}

static uint64_t sum_hits(const struct tr_hit *hits, uint32_t count)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < hits[i].count; k++) {
			struct tr_probe_value value = tr_hit_value(&hits[i], k);
			sum += value.number + hits[i].cycle;
			for (size_t n = 0; n < value.size; n++)
				sum += value.data[n];
		}
	return sum;
}

static uint64_t sum_event(const struct tr_event *event)
{
	return event->kind == TR_EV_PROBE ? sum_hits(&event->u.probe, 1) : 0;
}

static uint64_t sum_stacks(const struct tr_shart *hart)
{
	return sum_hits(hart->hits, hart->nhits);
}

static const struct sums SUMS = {sum_event, sum_stacks};

/* Two hits of one hart in stacks, the second `later` cycles after the first. */
static void order(uint64_t later, int expected)
{
	struct tr_header *header = header_of();
	int fd = memfd_create("order", 0);
	struct tr_writer *w = new_writer(fd, header);
	CHECK_EQ(tr_writer_hit(w, 0, &(struct tr_hit){.cycle = 1000, .probe = 1}), TR_OK);
	CHECK_EQ(tr_writer_hit(w, 0, &(struct tr_hit){.cycle = 1000 + later, .probe = 1}),
		 expected);
	tr_writer_close(w);
	close(fd);
	tr_header_free(header);
}

int main(void)
{
	hostile(TR_CHUNK_FRAME, &ROWS, FIVE, &SUMS);
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
