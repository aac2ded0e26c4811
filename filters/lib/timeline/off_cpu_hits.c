/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the hits of probes that tell why threads wait. */
#include <string.h>

#include "timeline/off_cpu_internal.h"

/* Returns the first probe of that name, UINT32_MAX if there is none: after two runs of
 * tr-replay, each hit may be there twice. */
static uint32_t find_first_probe(const struct tr_probe_names *names, const char *name)
{
	for (uint32_t i = 0; i < names->count; i++)
		if (strcmp(names->probes[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

void tr_off_cpu_find_probes(struct tr_off_cpu *o, const struct tr_probe_names *names)
{
	o->switch_probe = find_first_probe(names, "switch");
	o->wakeup_probe = find_first_probe(names, "wakeup");
	o->has_forks = find_first_probe(names, "fork") != UINT32_MAX;
	if (o->switch_probe != UINT32_MAX) {
		o->prev = tr_probe_names_field(names, o->switch_probe, "prev");
		if (o->prev == UINT32_MAX)
			o->prev =
			    tr_probe_names_field(names, o->switch_probe, "prev_pid");
		o->state = tr_probe_names_field(names, o->switch_probe, "prev_state");
		if (o->prev == UINT32_MAX || o->state == UINT32_MAX)
			o->switch_probe = UINT32_MAX;
	}
	if (o->wakeup_probe != UINT32_MAX) {
		o->pid = tr_probe_names_field(names, o->wakeup_probe, "pid");
		o->began = tr_probe_names_field(names, o->wakeup_probe, "began");
		if (o->pid == UINT32_MAX || o->began == UINT32_MAX)
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

/* Reads the numbers of a hit. Returns false if there is none, or one that cannot be. */
static bool read_numbers(const struct tr_off_cpu *o, const struct tr_hit *hit,
			 struct off_cpu_hit *to)
{
	const bool is_switch = to->kind == OFF_CPU_SWITCH;
	uint64_t pid;
	if (!read_value(hit, is_switch ? o->prev : o->pid, &pid) || pid > INT32_MAX ||
	    !read_value(hit, is_switch ? o->state : o->began, &to->value))
		return false;
	to->pid = (uint32_t)pid;
	return is_switch || to->value <= hit->cycle;
}

bool tr_off_cpu_read(struct tr_off_cpu *o, const struct tr_hit *hit,
		     struct off_cpu_hit *to)
{
	if (hit->probe != o->switch_probe && hit->probe != o->wakeup_probe)
		return false;
	*to = (struct off_cpu_hit){
	    .cycle = hit->cycle,
	    .kind = hit->probe == o->switch_probe ? OFF_CPU_SWITCH : OFF_CPU_WAKEUP};
	const bool is_good = read_numbers(o, hit, to);
	o->sums.incomplete += !is_good;
	return is_good;
}
