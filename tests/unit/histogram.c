/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets of durations: each value is in one bucket, and modes 30 % apart stay
 * separate. */
#include "flame/histogram.h"

#include <stdlib.h>

#include "check.h"
#include "base/status.h"

static void edges(void)
{
	for (unsigned bits = 3; bits <= 12; bits++) {
		uint64_t end = 0;
		for (uint64_t bucket = 0; bucket < 40U << bits; bucket++) {
			uint64_t low = tr_histogram_lowest(bucket, bits);
			CHECK(low == end);
			end = tr_histogram_lowest(bucket + 1, bits);
			CHECK(tr_histogram_bucket(low, bits) == bucket);
			CHECK(tr_histogram_bucket(end - 1, bits) == bucket);
			CHECK((end - low) << bits <= low || end - low == 1);
		}
	}
	CHECK_EQ(tr_histogram_bucket(7, 3), 7);
	CHECK_EQ(tr_histogram_bucket(15, 3), 15);
	CHECK_EQ(tr_histogram_bucket(16, 3), 16);
	CHECK_EQ(tr_histogram_bucket(17, 3), 16);
	CHECK_EQ(tr_histogram_bucket(18, 3), 17);
	CHECK_EQ(tr_histogram_bucket(UINT64_MAX >> 1, 3), 59 * 8 + 15);
}

static void add(struct tr_durations *d, uint64_t value, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		CHECK(tr_durations_add(d, value));
}

/* For any other range of values. */
static void two_modes(uint64_t at, uint64_t least, uint64_t most)
{
	struct tr_durations d = {0};
	struct tr_histogram h;
	add(&d, least, 1);
	add(&d, at, 10);
	add(&d, at * 13 / 10 + 1, 10);
	add(&d, most, 1);
	CHECK_EQ(tr_histogram_init(&h, &d), TR_OK);
	uint64_t low = tr_histogram_bucket(at, h.bits) - h.first;
	uint64_t high = tr_histogram_bucket(at * 13 / 10 + 1, h.bits) - h.first;
	CHECK(h.counts[low] >= 10 && h.counts[high] >= 10);
	CHECK(high >= low + 2);
	CHECK(h.counts[low + 1] == 0);
	CHECK_EQ(h.count, 22);
	CHECK_EQ(h.counts[0] > 0, 1);
	CHECK_EQ(h.counts[h.rows - 1] > 0, 1);
	tr_histogram_release(&h);
	tr_durations_free(&d);
}

/* A narrow range has one bucket per value, a wide one has few. */
static void bits(void)
{
	struct tr_durations d = {0};
	struct tr_histogram h;
	for (uint64_t i = 0; i < 48; i++)
		add(&d, 1000000 + i, 1);
	CHECK_EQ(tr_histogram_init(&h, &d), TR_OK);
	CHECK_EQ(h.rows, 48);
	CHECK_EQ(h.most, 1);
	tr_histogram_release(&h);
	add(&d, 1000048, 1);
	CHECK_EQ(tr_histogram_init(&h, &d), TR_OK);
	CHECK_EQ(h.rows, 25);
	CHECK_EQ(h.most, 2);
	tr_histogram_release(&h);
	add(&d, UINT64_C(1) << 40, 1);
	CHECK_EQ(tr_histogram_init(&h, &d), TR_OK);
	CHECK_EQ(h.bits, TR_HISTOGRAM_BITS);
	tr_histogram_release(&h);
	tr_durations_free(&d);
}

/* Rounded durations keep their counts, and stay in the buckets of the exact ones. */
static void rounded(void)
{
	struct tr_durations d = {0};
	struct tr_histogram h;
	uint64_t sum = 0;
	for (uint64_t i = 0; i < 20000; i++)
		add(&d, 5000 + 7 * i, 1);
	CHECK(d.bits != 0);
	CHECK_EQ(tr_histogram_init(&h, &d), TR_OK);
	CHECK(h.rounded);
	for (uint32_t i = 0; i < h.rows; i++) {
		uint64_t low = tr_histogram_lowest(h.first + i, h.bits);
		uint64_t high = tr_histogram_lowest(h.first + i + 1, h.bits);
		uint64_t exact = 0;
		for (uint64_t k = 0; k < 20000; k++)
			exact += 5000 + 7 * k >= low && 5000 + 7 * k < high;
		CHECK_EQ(h.counts[i], exact);
		sum += h.counts[i];
	}
	CHECK_EQ(sum, 20000);
	tr_histogram_release(&h);
	tr_durations_free(&d);
}

/* Nearest-rank method: of 1 to 200, p90 is 180. */
static void quantiles(void)
{
	struct tr_durations d = {0};
	uint64_t value;
	CHECK(tr_durations_quantile(&d, 50, &value));
	CHECK_EQ(value, 0);
	for (uint64_t i = 1; i <= 200; i++)
		add(&d, i, 1);
	static const struct {
		unsigned percent;
		uint64_t value;
	} ranks[] = {{1, 2}, {50, 100}, {90, 180}, {99, 198}, {100, 200}};
	for (unsigned i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		CHECK(tr_durations_quantile(&d, ranks[i].percent, &value));
		CHECK_EQ(value, ranks[i].value);
	}
	add(&d, 1000, 1);
	CHECK(tr_durations_quantile(&d, 50, &value));
	CHECK_EQ(value, 101);
	CHECK(tr_durations_quantile(&d, 99, &value));
	CHECK_EQ(value, 199);
	tr_durations_free(&d);
}

int main(void)
{
	edges();
	two_modes(100, 90, 140);
	two_modes(1000, 1, 1U << 30);
	two_modes(1024, 3, 100000);
	two_modes(2047, 3, 100000);
	for (uint64_t at = 64; at < 1000; at++)
		two_modes(at, 1, UINT64_C(1) << 40);
	bits();
	rounded();
	quantiles();
	return check_done();
}
