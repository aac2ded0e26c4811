/* SPDX-License-Identifier: Apache-2.0 */
/* Reads counter samples, and checks that classes and slots add up. */
#include "tma/tma_counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma/autocounter.h"

const char *const tr_tma_event_names[TR_TMA_EVENTS] = {
    [TR_TMA_ISSUED] = "instructions_issued",
    [TR_TMA_RETIRED] = "instructions_retired",
    [TR_TMA_FETCH_STALL] = "fetch_stall",
    [TR_TMA_RECOVERY] = "recovery",
    [TR_TMA_BRANCH_MISS] = "branch_miss",
    [TR_TMA_FLUSH] = "flush",
    [TR_TMA_FENCE] = "fence",
    [TR_TMA_ICACHE_BLOCKED] = "icache_blocked",
    [TR_TMA_ICACHE_MISS] = "icache_miss",
    [TR_TMA_DCACHE_BLOCKED] = "dcache_blocked",
    [TR_TMA_LOAD_USE] = "load_use_interlock",
    [TR_TMA_CSR] = "csr_interlock",
    [TR_TMA_MUL_DIV] = "mul_div_interlock",
    [TR_TMA_FLOAT] = "fp_interlock",
    [TR_TMA_DISPATCHED] = "instructions_dispatched",
    [TR_TMA_BACKEND_STALL] = "backend_stall",
    [TR_TMA_RECOVERY_FETCH] = "recovery_fetch",
    [TR_TMA_FETCH_LATENCY] = "fetch_latency",
    [TR_TMA_REPLAY] = "replay",
    [TR_TMA_EXCEPTION] = "exception",
};

enum { RETIRES, FIRST_CLASS };

/* State of reading a file. `classes` lists the columns of class `none`, whose cycles
 * retire, then of the others. */
struct read {
	struct tr_tma_run *run;
	struct tr_autocounter file;
	const char *path, *prefix;
	uint32_t cycle; /* columns: local_cycle, */
	uint32_t events[TR_TMA_EVENTS];
	uint32_t classes[TR_MAX_CLASSES + 1];
	unsigned nclasses; /* including `none` */
	uint64_t *first, *last;
	char *message;
	size_t size;
};

static const char *counters_file_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

static int refuse_counters(const struct read *r, const char *reason)
{
	snprintf(r->message, r->size, "%s: %s", counters_file_name(r->path), reason);
	return TR_E_CORRUPT;
}

/* Returns the column of PREFIX NAME, or `count`. */
static uint32_t find_counter_column(const struct read *r, const char *name)
{
	size_t length = strlen(r->prefix);
	for (uint32_t i = 0; i < r->file.count; i++)
		if (strncmp(r->file.labels[i], r->prefix, length) == 0 &&
		    strcmp(r->file.labels[i] + length, name) == 0)
			return i;
	return r->file.count;
}

static int find_events(struct read *r)
{
	struct tr_tma_run *run = r->run;
	size_t length = 0;
	run->has_table1 = true;
	for (unsigned i = 0; i < TR_TMA_EVENTS; i++) {
		r->events[i] = find_counter_column(r, tr_tma_event_names[i]);
		run->has[i] = r->events[i] < r->file.count;
		if (run->has[i] && !r->file.is_sum[r->events[i]]) {
			char reason[128];
			snprintf(reason, sizeof(reason),
				 "%s: type Identity is not a count",
				 tr_tma_event_names[i]);
			return refuse_counters(r, reason);
		}
		if (i >= TR_TMA_TABLE1 || run->has[i])
			continue;
		run->has_table1 = false;
		length +=
		    (size_t)snprintf(run->missing + length, sizeof(run->missing) - length,
				     "%s%s", length ? ", " : "", tr_tma_event_names[i]);
	}
	return TR_OK;
}

/* Returns "memory.l2" for the column "class.memory.l2" after the prefix; NULL
 * for others. */
static const char *class_of(const struct read *r, uint32_t column)
{
	static const char word[] = "class.";
	const char *label = r->file.labels[column];
	size_t length = strlen(r->prefix);
	if (strncmp(label, r->prefix, length) != 0 ||
	    strncmp(label + length, word, sizeof(word) - 1) != 0)
		return NULL;
	return label + length + sizeof(word) - 1;
}

/* Returns the class names, separated by commas, for the caller to free; NULL when out of
 * memory. */
static char *list_class_names(struct read *r)
{
	char *list = calloc(1, 1);
	size_t size = 1;
	r->nclasses = FIRST_CLASS;
	r->classes[RETIRES] = r->file.count;
	for (uint32_t i = 0; i < r->file.count && list; i++) {
		const char *class = class_of(r, i);
		if (!class)
			continue;
		if (strcmp(class, "none") == 0) {
			r->classes[RETIRES] = i;
			continue;
		}
		if (r->nclasses <= TR_MAX_CLASSES)
			r->classes[r->nclasses++] = i;
		char *longer = realloc(list, size + strlen(class) + 1);
		if (!longer) {
			free(list);
			return NULL;
		}
		list = longer;
		size +=
		    (size_t)sprintf(list + size - 1, "%s%s", size > 1 ? "," : "", class);
	}
	return list;
}

static int find_classes(struct read *r)
{
	char *list = list_class_names(r);
	int status = TR_E_NOMEM;
	if (list)
		status = tr_classes_parse(&r->run->classes, list);
	bool is_there = list && *list;
	free(list);
	if (!is_there && status == TR_E_ARGUMENT && r->classes[RETIRES] == r->file.count)
		return TR_OK;
	if (!status && r->run->classes.count != r->nclasses - FIRST_CLASS)
		status = TR_E_CORRUPT;
	if (status == TR_E_NOMEM)
		return refuse_counters(r, "out of memory"), TR_E_NOMEM;
	if (status)
		return refuse_counters(r,
				       "invalid names of classes in the labels class.*");
	if (r->classes[RETIRES] == r->file.count)
		return refuse_counters(
		    r, "there is no counter class.none beside the other class.*");
	for (unsigned i = 0; i < r->nclasses; i++)
		if (!r->file.is_sum[r->classes[i]])
			return refuse_counters(r,
					       "class.*: type Identity is not a count");
	r->run->has_classes = true;
	return TR_OK;
}

/* Returns the prefix of a counter with a known name in another part of the machine, or
 * NULL. */
static const char *other_prefix(const struct read *r)
{
	static const char name[] = "instructions_retired";
	for (uint32_t i = 0; i < r->file.count; i++) {
		const char *label = r->file.labels[i];
		size_t length = strlen(label);
		if (length >= sizeof(name) &&
		    strcmp(label + length - sizeof(name) + 1, name) == 0)
			return label;
	}
	return NULL;
}

static int find_columns(struct read *r)
{
	char reason[700];
	r->cycle = tr_autocounter_find(&r->file, "local_cycle");
	if (r->cycle == r->file.count || !r->file.is_sum[r->cycle])
		return refuse_counters(r, "there is no counter local_cycle");
	int status = find_events(r);
	if (!status)
		status = find_classes(r);
	if (status || r->run->has_table1 || r->run->has_classes)
		return status;
	const char *other = r->run->has[TR_TMA_RETIRED] ? NULL : other_prefix(r);
	size_t length = (size_t)snprintf(
	    reason, sizeof(reason),
	    "neither class.* nor all events of table 1: there is no %s", r->run->missing);
	if (other && length < sizeof(reason))
		snprintf(reason + length, sizeof(reason) - length,
			 " (there is %.120s: see --prefix)", other);
	return refuse_counters(r, reason);
}

/* Events of which a slot has one, where a cycle has several slots. */
static const enum tr_tma_event slot_events[] = {TR_TMA_DISPATCHED, TR_TMA_FETCH_STALL,
						TR_TMA_RECOVERY, TR_TMA_BACKEND_STALL};
enum { SLOT_EVENTS = sizeof(slot_events) / sizeof(*slot_events), MAX_WIDTH = 64 };

bool tr_tma_has_slots(const struct tr_tma_run *run)
{
	for (unsigned i = 0; i < SLOT_EVENTS; i++)
		if (!run->has[slot_events[i]])
			return false;
	return true;
}

/* Sets the number of slots in a cycle from the cycles since the previous sample, or
 * checks it. Returns a status. */
static int check_slots(const struct read *r)
{
	const uint64_t *values = r->file.values;
	uint64_t cycles = values[r->cycle] - r->last[r->cycle], sum = 0;
	for (unsigned i = 0; i < SLOT_EVENTS; i++) {
		uint32_t column = r->events[slot_events[i]];
		if (__builtin_add_overflow(sum, values[column] - r->last[column], &sum))
			return refuse_counters(r, "the sum of slots exceeds 64 bits");
	}
	if (!sum)
		return TR_OK;
	if (!r->run->width && cycles && sum / cycles <= MAX_WIDTH)
		r->run->width = (unsigned)(sum / cycles);
	if (r->run->width && sum / r->run->width == cycles && sum % r->run->width == 0)
		return TR_OK;
	snprintf(
	    r->message, r->size,
	    "%s: line %" PRIu64 ": %" PRIu64 " slots in %" PRIu64
	    " cycles: instructions_dispatched, fetch_stall, recovery and backend_stall "
	    "do not add up",
	    counters_file_name(r->path), r->file.line, sum, cycles);
	return TR_E_CORRUPT;
}

/* Checks that all slots since the previous sample have a class, or that tracing was off.
 * Returns a status. */
static int check_classes(const struct read *r)
{
	const uint64_t *values = r->file.values;
	uint64_t cycles = values[r->cycle] - r->last[r->cycle], sum = 0;
	for (unsigned i = 0; i < r->nclasses; i++)
		if (__builtin_add_overflow(
			sum, values[r->classes[i]] - r->last[r->classes[i]], &sum))
			return refuse_counters(r, "the sum of class.* exceeds 64 bits");
	/* Without the counters of dispatch only the classes tell the width. */
	if (!r->run->width && cycles && sum % cycles == 0 && sum / cycles <= MAX_WIDTH)
		r->run->width = (unsigned)(sum / cycles);
	const unsigned width = r->run->width ? r->run->width : 1;
	if (!sum || (sum / width == cycles && sum % width == 0))
		return TR_OK;
	snprintf(r->message, r->size,
		 "%s: line %" PRIu64 ": class.* counts %" PRIu64 " of %" PRIu64
		 " %s: one is missing, or wrong",
		 counters_file_name(r->path), r->file.line, sum, cycles * width,
		 tr_tma_unit(width));
	return TR_E_CORRUPT;
}

static int read_samples(struct read *r)
{
	struct tr_autocounter *file = &r->file;
	const size_t bytes = file->count * sizeof(*file->values);
	uint64_t samples = 0;
	int status;
	r->first = malloc(bytes);
	r->last = malloc(bytes);
	if (!r->first || !r->last)
		return refuse_counters(r, "out of memory"), TR_E_NOMEM;
	while (!(status = tr_autocounter_next(file, r->message, r->size))) {
		if (!samples++)
			memcpy(r->first, file->values, bytes);
		else if (tr_tma_has_slots(r->run))
			status = check_slots(r);
		if (samples > 1 && !status && r->run->has_classes)
			status = check_classes(r);
		if (status)
			return status;
		memcpy(r->last, file->values, bytes);
	}
	if (status != TR_END)
		return status;
	if (samples < 2)
		return refuse_counters(r, samples ? "one sample: a count needs two"
						  : "no samples after the header");
	if (r->first[r->cycle] == r->last[r->cycle])
		return refuse_counters(r,
				       "no cycle between the first sample and the last");
	return TR_OK;
}

static uint64_t counted_in_run(const struct read *r, uint32_t column)
{
	return r->last[column] - r->first[column];
}

static int sum_run(const struct read *r)
{
	struct tr_tma_run *run = r->run;
	run->cycles = counted_in_run(r, r->cycle);
	if (!run->width)
		run->width = 1;
	run->slots = run->cycles * run->width;
	for (unsigned i = 0; i < TR_TMA_EVENTS; i++)
		run->events[i] = run->has[i] ? counted_in_run(r, r->events[i]) : 0;
	if (!run->has_classes)
		return TR_OK;
	run->slots = run->sum.retiring = counted_in_run(r, r->classes[RETIRES]);
	run->sum.instructions = run->sum.retiring;
	for (unsigned c = FIRST_CLASS; c < r->nclasses; c++) {
		run->sum.lost[c] = counted_in_run(r, r->classes[c]);
		run->slots += run->sum.lost[c];
	}
	run->cycles = run->slots / run->width;
	run->sum.slots = run->slots;
	run->sum.width = run->width;
	return run->cycles ? TR_OK : refuse_counters(r, "class.* counts no cycle");
}

int tr_tma_run_read(struct tr_tma_run *run, const char *path, const char *prefix,
		    char *message, size_t size)
{
	struct read r = {
	    .run = run, .path = path, .prefix = prefix, .message = message, .size = size};
	*run = (struct tr_tma_run){0};
	int status = tr_autocounter_open(&r.file, path, message, size);
	if (!status)
		status = find_columns(&r);
	if (!status)
		status = read_samples(&r);
	if (!status)
		status = sum_run(&r);
	tr_autocounter_close(&r.file);
	free(r.first);
	free(r.last);
	return status;
}

void tr_tma_run_release(struct tr_tma_run *run)
{
	tr_classes_release(&run->classes);
}
