/* SPDX-License-Identifier: Apache-2.0 */
/* Values of stacks, and their parts by address. */
#include "export/export_events.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static int add_event_profile(struct tr_export_events *events,
			     const struct tr_profile_options *options, const char *name)
{
	events->names[events->count] = name;
	events->profiles[events->count] = tr_profile_new(options);
	return events->profiles[events->count++] ? TR_OK : TR_E_NOMEM;
}

/* Adds a profile for each counter. */
static int add_counters(struct tr_export_events *events, const struct tr_export *export)
{
	struct tr_profile_options options = *tr_profile_options_of(export->profile);
	options.calls = options.instructions = false;
	options.histogram = NULL;
	options.classes = 0;
	options.counter = true;
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS; set++)
		for (uint32_t i = 0; i < events->counters.set[set].count; i++) {
			if (events->count == TR_EXPORT_EVENTS) {
				snprintf(export->message, export->size,
					 "more than %d counters",
					 TR_EXPORT_EVENTS - TR_EXPORT_INSTRUCTIONS - 1);
				return TR_E_ARGUMENT;
			}
			options.counter_id =
			    (struct tr_counter_id){.set = set, .counter = i};
			int status = add_event_profile(
			    events, &options, events->counters.set[set].label[i]);
			if (status)
				return status;
		}
	return TR_OK;
}

int tr_export_events_begin(struct tr_export_events *events,
			   const struct tr_export *export)
{
	struct tr_profile_options options = *tr_profile_options_of(export->profile);
	const bool is_counter = options.counter;
	options.counter = options.calls = false;
	events->is_split =
	    tr_header_get(export->header, "addresses") && tr_export_code_fits(export);
	events->names[TR_EXPORT_CYCLES] = "cycles";
	events->names[TR_EXPORT_INSTRUCTIONS] = "instructions";
	events->count = TR_EXPORT_INSTRUCTIONS + 1;
	if (is_counter &&
	    !(events->profiles[TR_EXPORT_CYCLES] = tr_profile_new(&options)))
		return TR_E_NOMEM;
	int status = tr_counters_read(&events->counters, export->header);
	return status ? status : add_counters(events, export);
}

int tr_export_events_take(struct tr_export_events *events, const struct tr_export *export,
			  const struct tr_reader *reader, const struct tr_sframe *frame)
{
	for (unsigned i = 0; i < events->count; i++) {
		int status = events->profiles[i]
				 ? tr_profile_take(events->profiles[i], reader, frame,
						   export->message, export->size)
				 : TR_OK;
		if (status)
			return status;
	}
	return tr_export_code_take(&events->code, export, reader, frame,
				   events->is_split);
}

int tr_export_events_end(struct tr_export_events *events, const struct tr_export *export)
{
	const char *end = tr_header_get(export->end, "end");
	const bool stopped = end && strcmp(end, "trigger") == 0;
	for (unsigned i = 0; i < events->count; i++) {
		int status = events->profiles[i]
				 ? tr_profile_finish(events->profiles[i], stopped)
				 : TR_OK;
		if (status)
			return status;
	}
	tr_export_code_sort(&events->code);
	return TR_OK;
}

bool tr_export_events_stack(const struct tr_export_events *events,
			    const struct tr_export *export, uint32_t i,
			    struct tr_profile_stack *stack, uint64_t *values)
{
	struct tr_profile_stack of;
	const struct tr_profile *own = events->profiles[TR_EXPORT_CYCLES];
	if (!tr_profile_stack(own ? own : export->profile, i, stack))
		return false;
	values[TR_EXPORT_CYCLES] = stack->value[0];
	values[TR_EXPORT_INSTRUCTIONS] = stack->value[1];
	for (unsigned k = TR_EXPORT_INSTRUCTIONS + 1; k < events->count; k++)
		values[k] =
		    tr_profile_stack(events->profiles[k], i, &of) ? of.value[0] : 0;
	return true;
}

void tr_export_events_release(struct tr_export_events *events)
{
	for (unsigned i = 0; i < events->count; i++)
		tr_profile_free(events->profiles[i]);
	tr_counters_release(&events->counters);
	tr_export_code_release(&events->code);
}

static bool is_on_function(const struct tr_func *func)
{
	return func->kind == TR_FRAME_INLINED || func->kind == TR_FRAME_LINE;
}

uint32_t tr_export_base(const struct tr_profile *profile, uint32_t node)
{
	uint32_t parent;
	while (is_on_function(tr_profile_frame(profile, node, &parent)) && parent)
		node = parent;
	return node;
}

/* --- parts */

struct division {
	const struct tr_export_events *events;
	int (*take)(void *context, const struct tr_export_part *part);
	void *context;
	struct tr_export_part part;
	const uint64_t *values; /* of the stack */
	uint64_t done[TR_EXPORT_EVENTS];
};

/* Passes a part with `cycles` and `instructions`, and its share of the counters. */
static int pass_event_part(struct division *d, uint32_t spot, uint64_t cycles,
			   uint64_t instructions)
{
	struct tr_export_part *part = &d->part;
	uint64_t *values = part->values, before = d->done[TR_EXPORT_CYCLES];
	const uint64_t all = d->values[TR_EXPORT_CYCLES];
	bool any = cycles || instructions;
	part->spot = spot;
	values[TR_EXPORT_CYCLES] = cycles;
	values[TR_EXPORT_INSTRUCTIONS] = instructions;
	if (cycles > all - before || instructions > d->values[TR_EXPORT_INSTRUCTIONS] -
							d->done[TR_EXPORT_INSTRUCTIONS])
		return TR_E_CORRUPT;
	d->done[TR_EXPORT_CYCLES] += cycles;
	d->done[TR_EXPORT_INSTRUCTIONS] += instructions;
	for (unsigned k = TR_EXPORT_INSTRUCTIONS + 1; k < d->events->count; k++) {
		uint64_t to = d->done[k];
		if (spot == TR_NO_SPOT)
			to = d->values[k];
		else if (all)
			to = (uint64_t)((wide)d->values[k] * (before + cycles) / all);
		values[k] = to - d->done[k];
		d->done[k] = to;
		any |= values[k] != 0;
	}
	return any ? d->take(d->context, part) : TR_OK;
}

/* Passes the parts of a count: instructions of one place in the source. */
static int pass_count(struct division *d, const struct tr_export_count *count)
{
	const struct tr_export_code *code = &d->events->code;
	const struct tr_span *span = tr_reader_span(code->reader, count->span);
	int status = TR_OK;
	for (uint32_t i = 0, next; i < span->count && !status; i = next) {
		const struct tr_spot *spot = tr_reader_spot(code->reader, span->first);
		uint64_t cycles = 0, instructions;
		for (next = i; next < span->count && spot[next].scope == spot[i].scope &&
			       spot[next].line == spot[i].line;
		     next++)
			if (__builtin_add_overflow(
				cycles, code->cycles[count->first + next], &cycles))
				return TR_E_CORRUPT;
		if (__builtin_mul_overflow(count->executions, next - i, &instructions))
			return TR_E_CORRUPT;
		status = pass_event_part(d, span->first + i, cycles, instructions);
	}
	return status;
}

/* Passes the parts of a stack. */
static int divide_stack(struct division *d, const uint64_t *values, uint32_t node,
			size_t *next)
{
	const struct tr_export_code *code = &d->events->code;
	int status = TR_OK;
	d->part.node = node;
	d->values = values;
	memset(d->done, 0, sizeof(d->done));
	for (; *next < code->ncounts && code->counts[*next].node <= node && !status;
	     ++*next)
		status = pass_count(d, &code->counts[*next]);
	if (status)
		return status;
	return pass_event_part(
	    d, TR_NO_SPOT, values[TR_EXPORT_CYCLES] - d->done[TR_EXPORT_CYCLES],
	    values[TR_EXPORT_INSTRUCTIONS] - d->done[TR_EXPORT_INSTRUCTIONS]);
}

/* Without counts by address, the parts are the stacks. */
static int pass_stacks(struct division *d, const struct tr_export *export)
{
	uint64_t values[TR_EXPORT_EVENTS];
	struct tr_profile_stack stack;
	size_t next = SIZE_MAX;
	int status = TR_OK;
	for (uint32_t i = 0;
	     !status && tr_export_events_stack(d->events, export, i, &stack, values);
	     i++) {
		d->part.group = stack.group;
		status = divide_stack(d, values, stack.node, &next);
	}
	return status;
}

/* The counts of a function include what is on inlined calls and lines on top of it. */
static int pass_split(struct division *d, const struct tr_export *export)
{
	const unsigned n = d->events->count;
	const uint32_t nodes = tr_profile_node_count(export->profile);
	uint64_t *sums = calloc((size_t)nodes * n, sizeof(*sums));
	uint64_t values[TR_EXPORT_EVENTS];
	struct tr_profile_stack stack;
	int status = sums ? TR_OK : TR_E_NOMEM;
	size_t next = 0;
	for (uint32_t i = 0;
	     !status && tr_export_events_stack(d->events, export, i, &stack, values);
	     i++) {
		uint32_t base =
		    stack.node ? tr_export_base(export->profile, stack.node) : 0;
		for (unsigned k = 0; k < n; k++)
			sums[(size_t)base * n + k] += values[k];
	}
	for (uint32_t node = 1; node < nodes && !status; node++)
		status = divide_stack(d, &sums[(size_t)node * n], node, &next);
	free(sums);
	return status;
}

int tr_export_events_parts(const struct tr_export_events *events,
			   const struct tr_export *export,
			   int (*take)(void *context, const struct tr_export_part *part),
			   void *context)
{
	struct division division = {.events = events, .take = take, .context = context};
	int status = events->is_split && events->code.ncounts
			 ? pass_split(&division, export)
			 : pass_stacks(&division, export);
	if (status == TR_E_CORRUPT && !*export->message)
		snprintf(export->message, export->size,
			 "more is counted by address than by stack");
	return status;
}
