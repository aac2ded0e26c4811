/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the log: a sequence lock for each of two buffers. */
#include "stubs/shared_log.h"

#include <endian.h>
#include <stdatomic.h>

enum {
	LOG_SEQUENCE = 0,
	LOG_TIME = 8,
	LOG_SPAN = 16,
	LOG_CYCLES = 24,
	LOG_PERIOD = 32,
	LOG_SAMPLES = 40,
	LOG_ALL_SAMPLES = 48,
	LOG_LOST_SAMPLES = 56,

	RECORD_CALLS = 0,
	RECORD_SAMPLES = 8,
};

/* All words are atomic, so that a copy that is not whole has words of several spans, but
 * no word of two. */
static void store_log(uint8_t *p, uint64_t value, memory_order order)
{
	atomic_store_explicit((_Atomic uint64_t *)__builtin_assume_aligned(p, 8),
			      htole64(value), order);
}

static uint64_t load_log(const uint8_t *p, memory_order order)
{
	return le64toh(atomic_load_explicit(
	    (const _Atomic uint64_t *)__builtin_assume_aligned(p, 8), order));
}

static void store_span(uint8_t *buffer, const struct tr_log_span *span)
{
	store_log(buffer + LOG_TIME, span->time, memory_order_relaxed);
	store_log(buffer + LOG_SPAN, span->span, memory_order_relaxed);
	store_log(buffer + LOG_CYCLES, span->cycles, memory_order_relaxed);
	store_log(buffer + LOG_PERIOD, span->period, memory_order_relaxed);
	store_log(buffer + LOG_SAMPLES, span->samples, memory_order_relaxed);
	store_log(buffer + LOG_ALL_SAMPLES, span->all_samples, memory_order_relaxed);
	store_log(buffer + LOG_LOST_SAMPLES, span->lost_samples, memory_order_relaxed);
}

static void load_span(const uint8_t *buffer, struct tr_log_span *span)
{
	span->time = load_log(buffer + LOG_TIME, memory_order_relaxed);
	span->span = load_log(buffer + LOG_SPAN, memory_order_relaxed);
	span->cycles = load_log(buffer + LOG_CYCLES, memory_order_relaxed);
	span->period = load_log(buffer + LOG_PERIOD, memory_order_relaxed);
	span->samples = load_log(buffer + LOG_SAMPLES, memory_order_relaxed);
	span->all_samples = load_log(buffer + LOG_ALL_SAMPLES, memory_order_relaxed);
	span->lost_samples = load_log(buffer + LOG_LOST_SAMPLES, memory_order_relaxed);
}

/* Returns the number of the next span, which neither buffer has had, also if a writer was
 * killed after it made a number odd. */
static uint64_t next_sequence(const uint8_t *first, const uint8_t *second)
{
	const uint64_t a = load_log(first + LOG_SEQUENCE, memory_order_relaxed);
	const uint64_t b = load_log(second + LOG_SEQUENCE, memory_order_relaxed);
	const uint64_t next = (((a > b ? a : b) + 1) & ~UINT64_C(1)) + 2;
	return next ? next : 2;
}

void tr_log_claim(uint8_t *bytes, const struct tr_shared *shared)
{
	const uint8_t *first = bytes + shared->buffers;
	uint8_t *second = bytes + shared->buffers + shared->buffer_size;

	if (!load_log(first + LOG_SEQUENCE, memory_order_relaxed) &&
	    !load_log(second + LOG_SEQUENCE, memory_order_relaxed))
		store_log(second + LOG_SEQUENCE, 1, memory_order_relaxed);
}

/* A write to the buffer that is not current. */
struct log_write {
	uint64_t target; /* its number */
	uint64_t sequence;
	uint8_t *buffer;
};

static struct log_write begin_write(uint8_t *bytes, const struct tr_shared *shared,
				    const struct tr_log_span *span)
{
	uint8_t *buffers = bytes + shared->buffers;
	const uint64_t target =
	    !(load_log(bytes + shared->index, memory_order_relaxed) & 1);
	const struct log_write write = {
	    target, next_sequence(buffers, buffers + shared->buffer_size),
	    buffers + target * shared->buffer_size};

	/* Who sees any of the words that follow sees the odd number. */
	store_log(write.buffer + LOG_SEQUENCE, write.sequence - 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	store_span(write.buffer, span);
	return write;
}

static void store_counts(uint8_t *buffer, uint32_t index,
			 const struct tr_log_counts *counts)
{
	uint8_t *record =
	    buffer + TR_SHARED_BUFFER_HEADER + (uint64_t)index * TR_SHARED_BUFFER_RECORD;

	store_log(record + RECORD_CALLS, counts->calls, memory_order_relaxed);
	store_log(record + RECORD_SAMPLES, counts->samples, memory_order_relaxed);
}

/* Who sees the even number, or the index, sees all that was written. */
static void end_write(uint8_t *bytes, const struct tr_shared *shared,
		      const struct log_write *write)
{
	store_log(write->buffer + LOG_SEQUENCE, write->sequence, memory_order_release);
	store_log(bytes + shared->index, write->target, memory_order_release);
}

void tr_log_write(uint8_t *bytes, const struct tr_shared *shared,
		  const struct tr_log_span *span, const struct tr_log_entry *entries,
		  uint32_t count, bool clear)
{
	static const struct tr_log_counts none;
	const struct log_write write = begin_write(bytes, shared, span);

	for (uint32_t i = 0; clear && i < shared->functions; i++)
		store_counts(write.buffer, i, &none);
	for (uint32_t i = 0; i < count; i++)
		store_counts(write.buffer, entries[i].index, &entries[i].counts);
	end_write(bytes, shared, &write);
}

enum tr_log_result tr_log_read(const uint8_t *bytes, const struct tr_shared *shared,
			       struct tr_log_span *span, struct tr_log_counts *counts)
{
	const uint64_t current = load_log(bytes + shared->index, memory_order_acquire);
	if (current > 1)
		return TR_LOG_DAMAGED;
	const uint8_t *buffer = bytes + shared->buffers + current * shared->buffer_size;
	const uint8_t *record = buffer + TR_SHARED_BUFFER_HEADER;

	span->sequence = load_log(buffer + LOG_SEQUENCE, memory_order_acquire);
	if (span->sequence == 0)
		return TR_LOG_EMPTY;
	load_span(buffer, span);
	for (uint32_t i = 0; i < shared->functions;
	     i++, record += TR_SHARED_BUFFER_RECORD) {
		counts[i].calls = load_log(record + RECORD_CALLS, memory_order_relaxed);
		counts[i].samples =
		    load_log(record + RECORD_SAMPLES, memory_order_relaxed);
	}
	/* If one of these words was of a later span, so is the number now. */
	atomic_thread_fence(memory_order_acquire);
	if (span->sequence % 2 == 0 &&
	    load_log(buffer + LOG_SEQUENCE, memory_order_relaxed) == span->sequence)
		return TR_LOG_WHOLE;
	return TR_LOG_TORN;
}
