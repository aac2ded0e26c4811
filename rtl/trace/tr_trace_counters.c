/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of counters, and the names of what a stream has besides commits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/counters.h"
#include "trace_internal.h"

static int put_sample_event(struct tr_trace *t, unsigned hart)
{
	struct trace_lane *lane = t->lanes[hart];
	struct trace_sample *s = &lane->sample;
	const struct tr_event event = {
	    .kind = TR_EV_COUNTERS,
	    .cycles = s->cycle - lane->cycle,
	    .u.counters = {.values = s->values, .count = t->ncounters}};
	s->waits = false;
	s->has_written = true;
	s->written = s->cycle;
	return tr_trace_put(t, hart, &event);
}

/* A trap that waits for its mode takes its time first. */
int tr_trace_put_sample(struct tr_trace *t, unsigned hart, bool now)
{
	const struct trace_lane *lane = t->lanes[hart];
	const struct trace_sample *s = &lane->sample;
	const bool is_due =
	    now || !s->has_written || s->cycle - s->written >= t->options.counter_period;
	if (!s->waits || !is_due || lane->trapped || s->cycle < lane->cycle)
		return TR_TRACE_OK;
	return put_sample_event(t, hart);
}

int tr_trace_sample_counters(struct tr_trace *t, unsigned hart, uint64_t cycle,
			     const uint64_t *values)
{
	if (t->state >= TRACE_ENDED)
		return t->state == TRACE_ENDED ? TR_TRACE_STOPPED : TR_TRACE_FAILED;
	struct trace_lane *lane = tr_trace_find_lane(t, hart);
	if (!lane)
		return TR_TRACE_FAILED;
	struct trace_sample *s = &lane->sample;
	const size_t size = t->ncounters * sizeof(*values);
	if (!t->ncounters)
		return tr_trace_fail(t, "a sample of counters that have no names");
	if (cycle < s->cycle || (lane->begun && cycle < lane->cycle) ||
	    cycle - lane->cycle >= TR_MAX_CYCLES)
		return tr_trace_fail(t,
				     "counters of hart %u in cycle %" PRIu64
				     ", behind a commit or sample of cycle %" PRIu64,
				     hart, cycle,
				     s->cycle > lane->cycle ? s->cycle : lane->cycle);
	if (!s->values && !(s->values = malloc(size)))
		return tr_trace_fail(t, "out of memory");
	memcpy(s->values, values, size);
	s->cycle = cycle;
	s->waits = true;
	return lane->begun ? tr_trace_put_sample(t, hart, false) : TR_TRACE_OK;
}

static int name_counters(struct tr_trace *t, struct tr_header *header)
{
	struct tr_counters counters;
	int status = tr_header_set(header, "counters.0", t->options.counters);
	if (status)
		return tr_trace_fail(t, "out of memory");
	status = tr_counters_read(&counters, header);
	t->ncounters = counters.set[0].count;
	tr_counters_release(&counters);
	if (status == TR_E_NOMEM)
		return tr_trace_fail(t, "out of memory");
	if (status || !t->ncounters)
		return tr_trace_fail(t,
				     "counters \"%s\": not 1 to %d different names, "
				     "separated by commas, of at most %d bytes",
				     t->options.counters, TR_MAX_COUNTERS, TR_MAX_LABEL);
	return TR_TRACE_OK;
}

/* Adds a probe. Returns TR_TRACE_OK or TR_TRACE_FAILED. */
static int add_probe_keys(struct tr_trace *t, struct tr_header *header, unsigned number,
			  const char *name, const char *fields)
{
	char key[40];
	snprintf(key, sizeof(key), "probe.%u", number);
	int status = tr_header_set(header, key, name);
	snprintf(key, sizeof(key), "probe.%u.fields", number);
	if (!status)
		status = tr_header_set(header, key, fields);
	return status ? tr_trace_fail(t, "out of memory") : TR_TRACE_OK;
}

/* A flag is a probe without fields; a load, the probe after them, has two. */
static int name_flags(struct tr_trace *t, struct tr_header *header)
{
	struct tr_classes names = {0};
	int status = TR_OK;
	if (t->options.flags)
		status = tr_classes_parse(&names, t->options.flags);
	if (status == TR_E_NOMEM)
		return tr_trace_fail(t, "out of memory");
	if (status || (t->options.flags && !tr_name_good(t->options.flags))) {
		tr_classes_release(&names);
		return tr_trace_fail(t,
				     "flags \"%s\": not 1 to %d different names, "
				     "separated by commas",
				     t->options.flags, TR_MAX_CLASSES - 1);
	}
	t->nflags = names.count;
	for (unsigned i = 0; i < names.count && !status; i++)
		status = add_probe_keys(t, header, i, names.name[i + 1], "");
	tr_classes_release(&names);
	if (!status && t->options.tells_loads)
		status = add_probe_keys(t, header, t->nflags, "load", "address,cycles");
	return status;
}

int tr_trace_name_more(struct tr_trace *t, struct tr_header *header)
{
	if (t->options.counters && name_counters(t, header))
		return TR_TRACE_FAILED;
	return name_flags(t, header);
}
