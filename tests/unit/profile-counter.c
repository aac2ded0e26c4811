/* SPDX-License-Identifier: Apache-2.0 */
/* Random stacks and samples: each stack's part of a counter equals a sum over single
 * cycles, to less than one, and all parts add up to the counter. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "profile/profile.h"
#include "stream/writer.h"

enum { HARTS = 2, NODES = 6, CYCLES = 20000, SAMPLES = 600, FRAMES = 7 };
enum { NODE_GAP = 5 }; /* the last one: untraced time */

struct hart {
	uint8_t node[CYCLES]; /* running in each cycle; 1 .. NODES-1 */
	uint64_t cycle[SAMPLES], value[SAMPLES];
	unsigned count;
};

static uint64_t seed;

static uint64_t rnd(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (seed >> 33) % below;
}

static int by_cycle(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

/* Makes runs of one node, and samples, some of them a cycle apart or at either end. */
static void make_hart(struct hart *h, uint64_t most)
{
	for (unsigned i = 0; i < CYCLES;) {
		uint8_t node = (uint8_t)(1 + rnd(NODES - 1));
		for (uint64_t n = 1 + rnd(60); n && i < CYCLES; n--)
			h->node[i++] = node;
	}
	h->count = 2 + (unsigned)rnd(SAMPLES - 2);
	for (unsigned i = 0; i < h->count; i++)
		h->cycle[i] = rnd(50) ? rnd(CYCLES + 1) : rnd(2) * CYCLES;
	qsort(h->cycle, h->count, sizeof(h->cycle[0]), by_cycle);
	h->value[0] = rnd(1000);
	for (unsigned i = 1; i < h->count; i++)
		h->value[i] = h->value[i - 1] + (rnd(3) ? rnd(most) : 0);
}

static void put_sample(struct tr_writer *w, uint32_t number, const struct hart *h,
		       unsigned i)
{
	const uint64_t values[2] = {rnd(9), h->value[i]};
	const struct tr_sample sample = {
	    .values = values, .cycle = h->cycle[i], .set = 3, .count = 2};
	CHECK_EQ(tr_writer_sample(w, number, &sample), TR_OK);
}

/* Writes rows up to cycle `to`; samples with them, and some early. */
static void put_rows(struct tr_writer *w, uint32_t number, const struct hart *h,
		     unsigned *from, unsigned to, unsigned *sample)
{
	while (*from < to) {
		unsigned end = *from + 1;
		while (end < to && h->node[end] == h->node[*from])
			end++;
		const struct tr_srow row = {.cycles = end - *from,
					    .instructions = 1,
					    .node = h->node[*from],
					    .thread = number};
		CHECK_EQ(tr_writer_srow(w, number, &row, NULL), TR_OK);
		*from = end;
	}
	uint64_t early = rnd(2) * rnd(3000);
	while (*sample < h->count && h->cycle[*sample] <= to + early)
		put_sample(w, number, h, (*sample)++);
}

static void define(struct tr_writer *w)
{
	char name[] = "n0";
	for (uint32_t i = 1; i < NODES; i++) {
		name[1] = (char)('0' + i);
		const struct tr_func func = {.name = i == NODE_GAP ? "[gap]" : name,
					     .binary = i < 3 ? "b" : "",
					     .kind = i == NODE_GAP ? TR_FRAME_GAP
								   : TR_FRAME_FUNCTION};
		CHECK_EQ(tr_writer_func(w, &func), TR_OK);
		CHECK_EQ(tr_writer_node(w, &(struct tr_node){.func = i - 1}), TR_OK);
	}
	for (uint32_t i = 0; i < HARTS; i++)
		CHECK_EQ(tr_writer_thread(w, &(struct tr_thread){.name = ""}), TR_OK);
}

static int write_stream(const struct hart harts[HARTS])
{
	const struct tr_writer_options options = {0};
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	unsigned from[HARTS] = {0}, sample[HARTS] = {0};
	int fd = memfd_create("stream", 0);
	tr_header_set(header, "content", "stacks");
	tr_header_set(header, "counters.3", "other,count");
	CHECK_EQ(tr_writer_open(&w, fd, header, &options), TR_OK);
	define(w);
	for (unsigned f = 1; f <= FRAMES; f++) {
		for (uint32_t h = 0; h < HARTS; h++)
			put_rows(w, h, &harts[h], &from[h], CYCLES * f / FRAMES,
				 &sample[h]);
		CHECK_EQ(tr_writer_stacks_flush(w), TR_OK);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	return fd;
}

/* Adds the share of cycles [from, to) in the increase from cycle `first` to sample i. */
static void expect_interval(const struct hart *h, unsigned i, uint64_t first,
			    uint64_t rise, uint64_t from, uint64_t to,
			    long double sums[NODES])
{
	uint64_t all = 0, gaps = 0;
	for (uint64_t c = first; c < h->cycle[i]; c++) {
		all++;
		gaps += h->node[c] == NODE_GAP;
	}
	bool is_gap = all == gaps;
	long double part = (long double)rise / (long double)(is_gap ? gaps : all - gaps);
	for (uint64_t c = first; c < h->cycle[i]; c++)
		if (c >= from && c < to && (h->node[c] == NODE_GAP) == is_gap)
			sums[h->node[c]] += part;
}

static void expect(const struct hart *h, uint64_t from, uint64_t to,
		   long double sums[NODES])
{
	uint64_t first = 0; /* of the cycles that get an increase in no time */
	uint64_t value = h->value[0];
	for (unsigned i = 1; i < h->count; i++) {
		if (h->cycle[i] > h->cycle[i - 1])
			first = h->cycle[i - 1];
		if (!h->cycle[i]) /* nothing has run: it goes to the next cycles */
			continue;
		expect_interval(h, i, first, h->value[i] - value, from, to, sums);
		value = h->value[i];
	}
}

static struct tr_profile *profile_of(int fd, const struct tr_profile_options *options)
{
	char path[32], message[128];
	struct tr_reader *r;
	const struct tr_sframe *frame;
	struct tr_profile *p = tr_profile_new(options);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	while (tr_reader_next_stacks(r, &frame) == TR_OK)
		CHECK_EQ(tr_profile_take(p, r, frame, message, sizeof(message)), TR_OK);
	CHECK_EQ(tr_profile_finish(p, false), TR_OK);
	CHECK(tr_reader_end(r) != NULL);
	tr_reader_close(r);
	return p;
}

static uint8_t no_tint(const void *argument, const struct tr_func *func)
{
	(void)argument;
	(void)func;
	return 0;
}

static void check_stacks(const struct tr_profile *p, const long double sums[NODES])
{
	struct tr_folded *folded = tr_folded_new();
	long double left[NODES];
	memcpy(left, sums, sizeof(left));
	CHECK_EQ(tr_profile_fold(p, folded, no_tint, NULL), TR_OK);
	for (uint32_t i = 1; i < tr_folded_count(folded); i++) {
		const struct tr_folded_node *node = tr_folded_node(folded, i);
		unsigned at =
		    node->name[0] == '[' ? NODE_GAP : (unsigned)node->name[1] - '0';
		left[at] -= (long double)node->self[0];
	}
	for (unsigned i = 1; i < NODES; i++)
		CHECK(left[i] < 1 && left[i] > -1);
	tr_folded_free(folded);
}

/* As a whole, and in three adjacent windows. */
static void check_windows(int fd, const struct hart harts[HARTS], enum tr_profile_by by)
{
	const uint64_t cuts[] = {0, 1 + rnd(5000), 6000 + rnd(9000), CYCLES};
	uint64_t total = 0, rise, sum = 0;
	for (unsigned h = 0; h < HARTS; h++)
		total += harts[h].value[harts[h].count - 1] - harts[h].value[0];
	for (unsigned i = 0; i < 4; i++) {
		const uint64_t from = i < 3 ? cuts[i] : 0;
		const uint64_t to = i < 3 ? cuts[i + 1] : UINT64_MAX;
		long double sums[NODES] = {0};
		const struct tr_profile_options options = {.by = by,
							   .counter = true,
							   .counter_id = {3, 1},
							   .from.cycle = from,
							   .to.cycle = to};
		struct tr_profile *p = profile_of(fd, &options);
		const struct tr_charge charge = tr_profile_counter_charge(p, &rise);
		for (unsigned h = 0; h < HARTS; h++)
			expect(&harts[h], from, to, sums);
		CHECK_EQ(rise, total);
		CHECK_EQ(charge.before + charge.charged + charge.after, total);
		if (by == TR_BY_JOINED)
			check_stacks(p, sums);
		sum += i < 3 ? charge.charged : 0;
		tr_profile_free(p);
	}
	CHECK(sum + 2 >= total && sum <= total + 2); /* each is rounded separately */
}

int main(void)
{
	static struct hart harts[HARTS];
	for (unsigned round = 0; round < 40; round++) {
		seed = round;
		/* The second counts very large increments. */
		make_hart(&harts[0], 1 + rnd(300));
		make_hart(&harts[1], UINT64_C(1) << (1 + rnd(30)));
		int fd = write_stream(harts);
		check_windows(fd, harts, round % 2 ? TR_BY_JOINED : TR_BY_THREAD);
		close(fd);
	}
	return check_done();
}
