/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the fields of probes that report tasks, and reads hits. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "stream/kernel_tasks_internal.h"

enum { PREFIX = 64 };

/* --- probes */

/* The part before "task" in "next_task"; it is empty or ends with '_'. */
struct prefix {
	const char *text;
	size_t length;
};

static uint32_t find_field(const struct tr_probe_names *names, uint32_t probe,
			   struct prefix prefix, const char *name)
{
	char field[PREFIX + 16];
	snprintf(field, sizeof(field), "%.*s%s", (int)prefix.length, prefix.text, name);
	return tr_probe_names_field(names, probe, field);
}

/* Returns true if a field is called `name` after a prefix. */
static bool has_prefix(const char *field, const char *name, struct prefix *prefix)
{
	const size_t size = strlen(field), length = strlen(name);
	if (size < length || size - length >= PREFIX ||
	    strcmp(field + size - length, name) != 0)
		return false;
	*prefix = (struct prefix){field, size - length};
	return !prefix->length || field[prefix->length - 1] == '_';
}

static uint32_t find_either(const struct tr_probe_names *names, uint32_t probe,
			    struct prefix prefix, const char *name, const char *other)
{
	const uint32_t field = find_field(names, probe, prefix, name);
	return field == TASK_NONE ? find_field(names, probe, prefix, other) : field;
}

static struct task_fields find_task_fields(const struct tr_probe_names *names,
					   uint32_t probe, struct prefix prefix)
{
	struct task_fields f = {
	    .task = find_field(names, probe, prefix, "task"),
	    .tp = find_field(names, probe, prefix, "tp"),
	    .stack = find_field(names, probe, prefix, "stack"),
	    .stack_size = find_field(names, probe, prefix, "stack_size"),
	    .stack_top = find_field(names, probe, prefix, "stack_top"),
	    .pid = find_field(names, probe, prefix, "pid"),
	    .tgid = find_field(names, probe, prefix, "tgid"),
	    .comm = find_either(names, probe, prefix, "comm", "name")};
	if (f.pid == TASK_NONE && prefix.length) /* "next" goes with "next_task" */
		f.pid = find_field(names, probe,
				   (struct prefix){prefix.text, prefix.length - 1}, "");
	if (f.stack_size == TASK_NONE && f.stack_top == TASK_NONE)
		f.stack = TASK_NONE;
	return f;
}

/* Returns true if a probe with these fields reports a task: its place and its identity.
 */
static bool is_task(const struct task_fields *f)
{
	return (f->task != TASK_NONE || f->tp != TASK_NONE || f->stack != TASK_NONE) &&
	       (f->pid != TASK_NONE || f->comm != TASK_NONE);
}

static bool has_task_fields(const struct task_probe *found, const struct task_fields *f)
{
	for (unsigned i = 0; i < found->count; i++)
		if (memcmp(&found->tasks[i], f, sizeof(*f)) == 0)
			return true;
	return false;
}

struct task_probe tr_task_probe(const struct tr_probe_names *names, uint32_t probe)
{
	static const char *const places[] = {"task", "tp", "stack"};
	struct task_probe found = {.count = 0};
	for (uint32_t i = 0; i < names->probes[probe].count; i++) {
		const char *field = names->probes[probe].fields[i];
		struct prefix prefix;
		unsigned k = 0;
		while (k < 3 && !has_prefix(field, places[k], &prefix))
			k++;
		if (k == 3 || found.count == TASKS_OF_PROBE)
			continue;
		const struct task_fields f = find_task_fields(names, probe, prefix);
		if (is_task(&f) && !has_task_fields(&found, &f))
			found.tasks[found.count++] = f;
	}
	return found;
}

/* --- hits */

static bool get_field_number(const struct tr_hit *hit, uint32_t field, uint64_t limit,
			     uint64_t *number)
{
	const struct tr_probe_value value = tr_hit_value(hit, field);
	*number = value.number;
	return value.kind >= TR_PROBE_UNSIGNED && value.kind <= TR_PROBE_ADDRESS &&
	       value.number < limit;
}

/* Returns the number of a field, 0 if it is not there or was not read. */
static uint64_t field_number_or_zero(const struct tr_hit *hit, uint32_t field)
{
	uint64_t number;
	return field != TASK_NONE && get_field_number(hit, field, UINT64_MAX, &number)
		   ? number
		   : 0;
}

/* Copies a name as far as it fits, without what a name cannot have. */
static bool get_comm(const struct tr_hit *hit, uint32_t field, char comm[TASK_COMM])
{
	const struct tr_probe_value value = tr_hit_value(hit, field);
	if (value.kind != TR_PROBE_STRING)
		return false;
	tr_utf8_clean(comm, TASK_COMM - 1, (const char *)value.data, value.size, '?');
	return true;
}

/* Reads pid and tgid, as far as the probe has them. Returns false if one is no number. */
static bool get_pids(const struct task_fields *f, const struct tr_hit *hit,
		     struct report *report)
{
	uint64_t pid, tgid;
	report->pid = report->tgid = TR_TASK_NO_PID;
	if (f->pid == TASK_NONE)
		return true;
	if (!get_field_number(hit, f->pid, INT32_MAX, &pid))
		return false;
	tgid = pid;
	if (f->tgid != TASK_NONE && !get_field_number(hit, f->tgid, INT32_MAX, &tgid))
		return false;
	report->pid = (uint32_t)pid;
	report->tgid = (uint32_t)tgid;
	return true;
}

static void get_stack(const struct task_fields *f, const struct tr_hit *hit,
		      struct report *report)
{
	const uint64_t base = field_number_or_zero(hit, f->stack),
		       size = field_number_or_zero(hit, f->stack_size);
	const uint64_t top = size ? base + size : field_number_or_zero(hit, f->stack_top);
	if (!base || top <= base)
		return;
	report->stack = base;
	report->top = top;
	report->is_whole = size;
}

bool tr_task_read(const struct task_fields *f, const struct tr_hit *hit,
		  struct report *report)
{
	*report = (struct report){.cycle = hit->cycle,
				  .task = field_number_or_zero(hit, f->task),
				  .tp = field_number_or_zero(hit, f->tp)};
	get_stack(f, hit, report);
	if (!report->task && !report->tp && !report->stack)
		return false;
	report->has_comm = f->comm != TASK_NONE && get_comm(hit, f->comm, report->comm);
	return get_pids(f, hit, report) &&
	       (report->pid != TR_TASK_NO_PID || (report->has_comm && *report->comm));
}
