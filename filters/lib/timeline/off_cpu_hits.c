/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the hits of probes that tell why threads wait. */
#include <string.h>

#include "timeline/off_cpu_internal.h"

/* Returns the first probe of that name, UINT32_MAX if there is none, or the kernel has no
 * place for it: after two runs of tr-replay, each hit may be there twice. */
static uint32_t find_first_probe(const struct tr_probe_names *names, const char *name)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (strcmp(names->probes[i].name, name) == 0)
			return names->probes[i].absence ? UINT32_MAX : i;
	return UINT32_MAX;
}

/* Returns the first of these fields, `count` of them, that the probe has, or UINT32_MAX;
 * also if there is no probe. */
static uint32_t find_first_field(const struct tr_probe_names *names, uint32_t probe,
				 const char *const *fields, unsigned count)
{
	uint32_t field = UINT32_MAX;
	for (unsigned i = 0; probe != UINT32_MAX && i < count && field == UINT32_MAX; i++)
		field = tr_probe_names_field(names, probe, fields[i]);
	return field;
}

/* Sets the fields that tell of the tasks of switches: numbers, or else places. */
static void find_task_fields(struct tr_off_cpu *o, const struct tr_probe_names *names)
{
	enum { NUMBERS = 2, PLACES = 3 };
	static const char *const prevs[] = {"prev", "prev_pid", "prev_task", "prev_tp",
					    "prev_stack"};
	static const char *const nexts[] = {"next", "next_pid", "next_task", "next_tp",
					    "next_stack"};
	static const char *const wakes[] = {"pid", "task", "tp", "stack"};
	o->is_numbered =
	    find_first_field(names, o->switch_probe, prevs, NUMBERS) != UINT32_MAX ||
	    find_first_field(names, o->switch_probe, nexts, NUMBERS) != UINT32_MAX;
	const unsigned from = o->is_numbered ? 0 : NUMBERS;
	const unsigned count = o->is_numbered ? NUMBERS : PLACES;
	o->prev = find_first_field(names, o->switch_probe, prevs + from, count);
	o->next = find_first_field(names, o->switch_probe, nexts + from, count);
	o->start = find_first_field(names, o->start_probe, nexts + from, count);
	o->woken = find_first_field(names, o->wakeup_probe, wakes + !o->is_numbered,
				    o->is_numbered ? 1 : PLACES);
	if (o->blocks_probe != UINT32_MAX && !o->is_numbered)
		o->left = tr_probe_names_field(names, o->blocks_probe, "left");
}

void tr_off_cpu_find_probes(struct tr_off_cpu *o, const struct tr_probe_names *names)
{
	o->switch_probe = find_first_probe(names, "switch");
	o->start_probe = find_first_probe(names, "start");
	o->blocks_probe = find_first_probe(names, "blocks");
	o->wakeup_probe = find_first_probe(names, "wakeup");
	o->has_forks = find_first_probe(names, "fork") != UINT32_MAX;
	o->left = o->state = UINT32_MAX;
	find_task_fields(o, names);
	if (o->switch_probe != UINT32_MAX)
		o->state = tr_probe_names_field(names, o->switch_probe, "prev_state");
	if (o->prev == UINT32_MAX)
		o->state = UINT32_MAX;
	if (o->state == UINT32_MAX &&
	    (o->blocks_probe == UINT32_MAX || o->next == UINT32_MAX))
		o->switch_probe = UINT32_MAX;
	/* A state tells the same, and more. */
	if (o->state != UINT32_MAX || o->switch_probe == UINT32_MAX)
		o->blocks_probe = UINT32_MAX;
	if (o->start == UINT32_MAX)
		o->start_probe = UINT32_MAX;
	if (o->wakeup_probe != UINT32_MAX) {
		o->began = tr_probe_names_field(names, o->wakeup_probe, "began");
		if (o->woken == UINT32_MAX || o->began == UINT32_MAX)
			o->wakeup_probe = UINT32_MAX;
	}
}

static bool read_value(const struct tr_hit *hit, uint32_t field, uint64_t *number)
{
	const struct tr_probe_value value = tr_hit_value(hit, field);
	*number = value.number;
	return value.kind >= TR_PROBE_UNSIGNED && value.kind <= TR_PROBE_ENUM &&
	       value.kind != TR_PROBE_FLOAT;
}

/* Reads the number or place of a task, unless there is no such field. Returns false if it
 * is missing, or cannot be. */
static bool read_task(const struct tr_off_cpu *o, const struct tr_hit *hit,
		      uint32_t field, uint64_t *task)
{
	return field == UINT32_MAX ||
	       (read_value(hit, field, task) && (!o->is_numbered || *task <= INT32_MAX));
}

/* Reads the numbers of a hit. Returns false if there is none, or one that cannot be. */
static bool read_numbers(const struct tr_off_cpu *o, const struct tr_hit *hit,
			 struct off_cpu_hit *to)
{
	if (hit->probe == o->start_probe)
		return read_task(o, hit, o->start, &to->next);
	if (to->kind == OFF_CPU_BLOCKS)
		return read_task(o, hit, o->left, &to->task);
	if (to->kind == OFF_CPU_WAKEUP)
		return read_task(o, hit, o->woken, &to->task) &&
		       read_value(hit, o->began, &to->value) && to->value <= hit->cycle;
	return read_task(o, hit, o->prev, &to->task) &&
	       (o->state == UINT32_MAX || read_value(hit, o->state, &to->value)) &&
	       read_task(o, hit, o->next, &to->next);
}

bool tr_off_cpu_read(struct tr_off_cpu *o, const struct tr_hit *hit,
		     struct off_cpu_hit *to)
{
	*to = (struct off_cpu_hit){.cycle = hit->cycle};
	if (hit->probe == o->switch_probe || hit->probe == o->start_probe)
		to->kind = OFF_CPU_SWITCH;
	else if (hit->probe == o->blocks_probe)
		to->kind = OFF_CPU_BLOCKS;
	else if (hit->probe == o->wakeup_probe)
		to->kind = OFF_CPU_WAKEUP;
	else
		return false;
	const bool is_good = read_numbers(o, hit, to);
	o->sums.incomplete += !is_good;
	return is_good;
}
