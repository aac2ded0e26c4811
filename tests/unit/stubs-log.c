/* SPDX-License-Identifier: Apache-2.0 */
/* The log in the shared memory: where its words are, and that a copy is whole or said to
 * be torn, wherever its reader, or the writer, is stopped. */
#include "stubs/shared_log.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/little.h"
#include "check.h"

/* Each buffer is in several pages. */
enum { COUNT = 900, CAPACITY = 1000, PAGE = 4096, MOST_PAGES = 6 };

static struct tr_shared shared;
static uint8_t *bytes;
static size_t size;

/* All words of a span follow from its number. */
static uint64_t word_of(uint64_t number, uint32_t place)
{
	return (number * COUNT * 4 + place) * 0x9e3779b97f4a7c15;
}

static void write_number(uint64_t number)
{
	static struct tr_log_entry entries[COUNT];
	const struct tr_log_span span = {.sequence = 12345,
					 .time = number,
					 .span = word_of(number, 1),
					 .cycles = word_of(number, 2),
					 .period = word_of(number, 3),
					 .samples = word_of(number, 4),
					 .all_samples = word_of(number, 5),
					 .lost_samples = word_of(number, 6)};
	for (uint32_t i = 0; i < COUNT; i++)
		entries[i] = (struct tr_log_entry){
		    i, {word_of(number, 8 + 2 * i), word_of(number, 9 + 2 * i)}};
	tr_log_write(bytes, &shared, &span, entries, COUNT, false);
}

/* Reads the log; a whole copy must be of span `number`. */
static enum tr_log_result read_number(uint64_t number)
{
	static struct tr_log_counts counts[COUNT];
	struct tr_log_span span;
	unsigned wrong = 0;
	const enum tr_log_result result = tr_log_read(bytes, &shared, &span, counts);
	if (result != TR_LOG_WHOLE)
		return result;
	CHECK_EQ(span.sequence, 2 * number);
	CHECK_EQ(span.time, number);
	CHECK(span.span == word_of(number, 1) && span.cycles == word_of(number, 2) &&
	      span.period == word_of(number, 3) && span.samples == word_of(number, 4) &&
	      span.all_samples == word_of(number, 5) &&
	      span.lost_samples == word_of(number, 6));
	for (uint32_t i = 0; i < COUNT; i++)
		wrong += counts[i].calls != word_of(number, 8 + 2 * i) ||
			 counts[i].samples != word_of(number, 9 + 2 * i);
	CHECK_EQ(wrong, 0);
	return result;
}

static void make_log(void)
{
	static const char *names[COUNT];
	uint64_t at;
	for (unsigned i = 0; i < COUNT; i++)
		names[i] = "f";
	uint8_t *built =
	    tr_shared_build(names, COUNT, CAPACITY, true, "", NULL, 0, &size);
	if (bytes)
		munmap(bytes, size);
	bytes =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(bytes, built, size);
	free(built);
	CHECK_EQ(tr_shared_open(bytes, size, &shared, &at), TR_OK);
}

/* --- where the words are */

static void check_places(void)
{
	make_log();
	CHECK_EQ(read_number(0), TR_LOG_EMPTY);
	write_number(1);
	const uint8_t *second = bytes + shared.buffers + shared.buffer_size;
	CHECK_EQ(tr_load64(bytes + shared.index), 1);
	CHECK_EQ(tr_load64(second), 2);
	CHECK_EQ(tr_load64(second + 8), 1);
	for (uint32_t i = 1; i <= 6; i++)
		CHECK_EQ(tr_load64(second + 8 + 8 * i), word_of(1, i));
	for (uint32_t i = 0; i < COUNT; i++) {
		CHECK_EQ(tr_load64(second + 64 + 16 * i), word_of(1, 8 + 2 * i));
		CHECK_EQ(tr_load64(second + 72 + 16 * i), word_of(1, 9 + 2 * i));
	}
	for (uint64_t at = 64 + 16 * COUNT; at < shared.buffer_size; at += 8)
		CHECK_EQ(tr_load64(second + at), 0);
	for (uint64_t at = 0; at < shared.buffer_size; at += 8)
		CHECK_EQ(tr_load64(bytes + shared.buffers + at), 0);
	CHECK_EQ(read_number(1), TR_LOG_WHOLE);
	write_number(2);
	CHECK_EQ(tr_load64(bytes + shared.index), 0);
	for (uint64_t number = 2; number < 9; number++) {
		CHECK_EQ(read_number(number), TR_LOG_WHOLE);
		write_number(number + 1);
	}
}

/* Counts that are not written stay as the buffer has them, or become 0. */
static void check_some(void)
{
	static struct tr_log_counts counts[COUNT];
	const struct tr_log_entry entries[] = {{3, {1, 2}}, {COUNT - 1, {3, 4}}};
	struct tr_log_span span = {.time = 1};

	make_log();
	write_number(1);
	write_number(2);
	tr_log_write(bytes, &shared, &span, entries, 2, false);
	CHECK_EQ(tr_log_read(bytes, &shared, &span, counts), TR_LOG_WHOLE);
	CHECK(counts[3].calls == 1 && counts[3].samples == 2);
	CHECK(counts[COUNT - 1].calls == 3 && counts[COUNT - 1].samples == 4);
	CHECK_EQ(counts[4].calls, word_of(1, 8 + 2 * 4));
	tr_log_write(bytes, &shared, &span, entries, 1, true);
	CHECK_EQ(tr_log_read(bytes, &shared, &span, counts), TR_LOG_WHOLE);
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK(i == 3 ? counts[i].calls == 1 && counts[i].samples == 2
			     : counts[i].calls == 0 && counts[i].samples == 0);
	CHECK_EQ(span.sequence, 8);
}

static void check_damage(void)
{
	make_log();
	tr_store64(bytes + shared.index, 2);
	CHECK_EQ(read_number(0), TR_LOG_DAMAGED);
	tr_store64(bytes + shared.index, 1ULL << 63);
	CHECK_EQ(read_number(0), TR_LOG_DAMAGED);
	write_number(1); /* mends it */
	CHECK_EQ(read_number(1), TR_LOG_WHOLE);
	tr_store64(bytes + shared.buffers + shared.buffer_size, 7);
	CHECK_EQ(read_number(1), TR_LOG_TORN);
	write_number(5); /* the number after 7 that no buffer has had */
	CHECK_EQ(read_number(5), TR_LOG_WHOLE);
	tr_store64(bytes + shared.buffers, UINT64_MAX);
	tr_store64(bytes + shared.index, 1);
	write_number(1);
	CHECK_EQ(read_number(1), TR_LOG_WHOLE);
	tr_store64(bytes + shared.buffers, UINT64_MAX - 1);
	write_number(1);
	CHECK_EQ(read_number(1), TR_LOG_WHOLE);
}

/* --- a reader or a writer that is stopped, where it comes to a page */

static uint8_t *stop_page;
static void (*meanwhile)(void);
static unsigned stops;

static void continue_access(int number)
{
	(void)number;
	mprotect(stop_page, PAGE, PROT_READ | PROT_WRITE);
	stops++;
	meanwhile();
}

static void stop_at(uint8_t *page, void (*what)(void))
{
	stop_page = page;
	meanwhile = what;
	mprotect(page, PAGE, PROT_NONE);
}

/* The pages of a buffer but for those that have a sequence number. Returns their number.
 */
static unsigned later_pages(uint64_t buffer, uint8_t *pages[MOST_PAGES])
{
	const uint64_t first = shared.buffers + buffer * shared.buffer_size;
	const uint64_t last = first + TR_SHARED_BUFFER_HEADER + 16 * COUNT - 1;
	unsigned count = 0;
	for (uint64_t at = first / PAGE + 1; at <= last / PAGE; at++)
		if (at != (shared.buffers + shared.buffer_size) / PAGE)
			pages[count++] = bytes + at * PAGE;
	return count;
}

static uint64_t written;
static unsigned more;

static void write_more(void)
{
	for (unsigned i = 0; i < more; i++)
		write_number(++written);
}

static void check_stopped_reader(void)
{
	uint8_t *pages[MOST_PAGES];
	make_log();
	written = 0;
	for (unsigned round = 0; round < 14; round++) {
		write_number(++written);
		const uint64_t current = tr_load64(bytes + shared.index);
		const unsigned count = later_pages(current, pages);
		CHECK(count >= 2);
		more = round / 2; /* of both buffers */
		for (unsigned i = 0; i < count; i++) {
			const uint64_t before = written;
			const bool even = tr_load64(bytes + shared.index) == current;
			stops = 0;
			if (!even)
				write_number(++written);
			const uint64_t now = written;
			stop_at(pages[i], write_more);
			CHECK_EQ(read_number(now), more < 2 ? TR_LOG_WHOLE : TR_LOG_TORN);
			CHECK_EQ(stops, 1);
			CHECK_EQ(written, before + !even + more);
			CHECK_EQ(read_number(written), TR_LOG_WHOLE);
		}
	}
}

static void read_meanwhile(void)
{
	const uint64_t target = !tr_load64(bytes + shared.index);
	CHECK_EQ(tr_load64(bytes + shared.buffers + target * shared.buffer_size),
		 2 * written + 1);
	CHECK_EQ(read_number(written), written ? TR_LOG_WHOLE : TR_LOG_EMPTY);
}

/* While a span is written, the one before it is current. A writer that does not go on
 * leaves an odd number, and the next one begins with that buffer again. */
static void check_stopped_writer(void)
{
	uint8_t *pages[MOST_PAGES], *copy = malloc(size);
	make_log();
	for (written = 0; written < 6; written++) {
		const uint64_t target = !tr_load64(bytes + shared.index);
		const unsigned count = later_pages(target, pages);
		memcpy(copy, bytes, size);
		for (unsigned i = 0; i < count; i++) {
			memcpy(bytes, copy, size);
			stops = 0;
			stop_at(pages[i], read_meanwhile);
			write_number(written + 1);
			CHECK_EQ(stops, 1);
			CHECK_EQ(read_number(written + 1), TR_LOG_WHOLE);
		}
	}
	free(copy);
	const uint64_t target = !tr_load64(bytes + shared.index);
	uint8_t *buffer = bytes + shared.buffers + target * shared.buffer_size;
	tr_store64(buffer, 2 * (written + 1) - 1);
	memset(buffer + 8, 0x5a, shared.buffer_size / 2);
	CHECK_EQ(read_number(written), TR_LOG_WHOLE);
	written += 2;
	write_number(written);
	CHECK_EQ(read_number(written), TR_LOG_WHOLE);
}

int main(void)
{
	const struct sigaction action = {.sa_handler = continue_access};
	sigaction(SIGSEGV, &action, NULL);
	check_places();
	check_some();
	check_damage();
	check_stopped_reader();
	check_stopped_writer();
	return check_done();
}
