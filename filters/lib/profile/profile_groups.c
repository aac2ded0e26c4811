/* SPDX-License-Identifier: Apache-2.0 */
/* What is summed apart: the group of a row, and its name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/profile_internal.h"

/* Processes are numbered in the order in which they first ran. */
static int add_process(struct tr_profile *p, uint32_t process, const char *program)
{
	size_t size = strlen(program) + 24;
	char *label = tr_arena_take(&p->text, size);
	if (!label ||
	    !tr_grow(&p->processes, &p->process_capacity, (size_t)p->nprocesses + 1,
		     sizeof(*p->processes)) ||
	    !tr_map_set(&p->process_map, process, p->nprocesses))
		return TR_E_NOMEM;
	snprintf(label, size, "%s#%" PRIu32, program, p->nprocesses);
	p->processes[p->nprocesses++] = label;
	return TR_OK;
}

/* The kernel's own threads are one group; what runs before there are threads, and
 * what was not traced, is in none. */
static int process_group(struct tr_profile *p, const struct profile_row *row,
			 uint32_t *group)
{
	const uint32_t process = row->context.process;
	const uint32_t node = p->raws[row->srow->node].node;
	if (!process) {
		*group =
		    p->threads[row->srow->thread].is_task ? GROUP_KERNEL : GROUP_NONE;
		return TR_OK;
	}
	*group = tr_map_get(&p->process_map, process);
	if (*group != TR_MAP_NONE)
		return TR_OK;
	*group = p->nprocesses;
	return add_process(p, process, p->funcs[p->nodes[node].program].name);
}

int profile_row_group(struct tr_profile *p, const struct profile_row *row,
		      uint32_t *group)
{
	bool needs_context =
	    p->options.by == TR_BY_PROCESS || p->options.by == TR_BY_PRIVILEGE;
	const struct profile_raw *raw = &p->raws[row->srow->node];
	*group = GROUP_NONE;
	if (needs_context && !row->has_context)
		return TR_E_ARGUMENT;
	if (needs_context && (raw->charge == CHARGE_GAP || raw->charge == CHARGE_LOST))
		return TR_OK;
	switch (p->options.by) {
	case TR_BY_PROGRAM:
		*group = p->nodes[raw->node].program;
		return TR_OK;
	case TR_BY_PROCESS:
		return process_group(p, row, group);
	case TR_BY_THREAD:
		*group = row->srow->thread;
		return TR_OK;
	case TR_BY_PRIVILEGE:
		*group = row->context.priv;
		return TR_OK;
	default:
		*group = 0;
		return TR_OK;
	}
}

/* "U-mode". */
static const char *privilege_name(uint32_t priv)
{
	static const char *const names[] = {"U-mode",	   "S-mode",	  "privilege 2",
					    "M-mode",	   "VU-mode",	  "VS-mode",
					    "privilege 6", "privilege 7", "debug mode"};
	return priv < sizeof(names) / sizeof(names[0]) ? names[priv] : "debug mode";
}

const char *profile_by_heading(enum tr_profile_by by)
{
	static const char *const headings[] = {"", "<program", "<process", "<thread",
					       "<privilege"};
	return headings[by];
}

const char *profile_group_name(const struct tr_profile *p, uint32_t group)
{
	if (p->options.by == TR_BY_JOINED)
		return "";
	if (p->options.by == TR_BY_PROGRAM)
		return p->funcs[group].name;
	if (group == GROUP_NONE)
		return "-";
	if (group == GROUP_KERNEL)
		return "[kernel threads]";
	if (p->options.by == TR_BY_PROCESS)
		return p->processes[group];
	return p->options.by == TR_BY_THREAD ? p->threads[group].label
					     : privilege_name(group);
}

bool profile_group_has_frame(const struct tr_profile *p, uint32_t group)
{
	return p->options.by > TR_BY_PROGRAM && group != GROUP_NONE;
}
