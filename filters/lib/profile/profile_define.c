/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, stacks and threads of a profile. Adjacent frames of a folded binary are one
 * node, whichever functions they are of. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "profile/profile_internal.h"
#include "stream/mode.h"

static const char *copy_profile_text(struct tr_profile *p, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&p->text, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

bool tr_profile_is_named(const struct tr_func *func, const char *name)
{
	size_t length = strlen(func->binary);
	if (tr_is_name_of(name, func->name))
		return true;
	return length && strncmp(name, func->binary, length) == 0 &&
	       name[length] == ':' && tr_is_name_of(name + length + 1, func->name);
}

static uint8_t flags_of(const struct tr_profile *p, const struct tr_func *func)
{
	const struct tr_profile_options *o = &p->options;
	unsigned flags = FUNC_CALLED, filter = tr_profile_filter_flags(p, func);
	if (!profile_is_call(func))
		return (uint8_t)filter;
	if (o->from.function && tr_profile_is_named(func, o->from.function))
		flags |= FUNC_FROM;
	if (o->to.function && tr_profile_is_named(func, o->to.function))
		flags |= FUNC_TO;
	if (o->histogram && tr_profile_is_named(func, o->histogram))
		flags |= FUNC_TIMED;
	for (unsigned i = 0; i < o->nslowest; i++)
		if (tr_profile_is_named(func, o->slowest[i]))
			flags |= FUNC_SLOWEST;
	if (flags & (FUNC_FROM | FUNC_TO | FUNC_TIMED | FUNC_SLOWEST))
		filter &= ~(unsigned)FUNC_HIDDEN;
	return (uint8_t)(flags | filter);
}

static uint8_t fold_of(const struct tr_profile *p, const struct tr_func *func)
{
	for (unsigned i = 0; i < p->options.nfold; i++)
		if (strcmp(func->binary, p->options.fold[i]) == 0)
			return (uint8_t)(i + 1);
	return 0;
}

static int add_profile_func(struct tr_profile *p, const struct tr_func *func)
{
	struct tr_func copy = *func;
	copy.name = copy_profile_text(p, func->name);
	copy.binary = copy_profile_text(p, func->binary);
	if (!copy.name || !copy.binary ||
	    !tr_grow(&p->funcs, &p->func_capacity, (size_t)p->nfuncs + 1,
		     sizeof(*p->funcs)) ||
	    !tr_grow(&p->marks, &p->mark_capacity, (size_t)p->nfuncs + 1,
		     sizeof(*p->marks)))
		return TR_E_NOMEM;
	p->marks[p->nfuncs] =
	    (struct profile_mark){.flags = flags_of(p, func), .fold = fold_of(p, func)};
	p->funcs[p->nfuncs++] = copy;
	return TR_OK;
}

int tr_profile_define_func(struct tr_profile *p, const struct tr_func *func)
{
	if (!tr_name_good(func->name) || !tr_name_good(func->binary))
		return TR_E_CORRUPT;
	return add_profile_func(p, func);
}

/* Adds a node. Returns TR_OK, TR_E_CORRUPT (too deep) or TR_E_NOMEM. */
static int add_profile_node(struct tr_profile *p, uint32_t parent, uint32_t func,
			    uint32_t *id)
{
	if (p->nodes[parent].depth == TR_PROFILE_DEPTH)
		return TR_E_CORRUPT;
	*id = p->joins_nodes ? tr_map_get(&p->node_map, tr_pair_key(parent, func))
			     : TR_MAP_NONE;
	if (*id != TR_MAP_NONE)
		return TR_OK;
	*id = p->nnodes;
	if (!tr_grow(&p->nodes, &p->node_capacity, (size_t)*id + 1, sizeof(*p->nodes)) ||
	    (p->joins_nodes && !tr_map_set(&p->node_map, tr_pair_key(parent, func), *id)))
		return TR_E_NOMEM;
	p->nodes[*id] = (struct profile_node){
	    .parent = parent,
	    .func = func,
	    .depth = p->nodes[parent].depth + 1,
	    .program = parent ? p->nodes[parent].program : func,
	    .priv = NO_PRIV,
	    .flags = p->marks[func].flags,
	};
	if (p->is_direct && !tr_profile_add_cell(p, profile_frame_group(p, *id, 0), *id))
		return TR_E_NOMEM;
	p->nnodes++;
	return TR_OK;
}

bool tr_profile_define_own(struct tr_profile *p)
{
	struct tr_func func = {.name = "[idle]", .binary = "", .kind = TR_FRAME_IDLE};
	struct tr_func left_out = {
	    .name = "[out of focus]", .binary = "", .kind = PROFILE_FRAME_LEFT_OUT};
	p->nodes[0] = (struct profile_node){.func = UINT32_MAX, .priv = NO_PRIV};
	p->raws[0] = (struct profile_raw){0};
	p->nnodes = p->nraws = 1;
	for (unsigned i = 0; i < p->options.nfold; i++) {
		const struct tr_func folded = {.name = p->options.fold[i],
					       .binary = p->options.fold[i]};
		if (add_profile_func(p, &folded))
			return false;
	}
	if (p->options.idle && (add_profile_func(p, &func) ||
				add_profile_node(p, 0, p->nfuncs - 1, &p->idle_node)))
		return false;
	if (p->options.nfocus &&
	    (add_profile_func(p, &left_out) ||
	     add_profile_node(p, 0, p->nfuncs - 1, &p->left_out_node)))
		return false;
	p->first_func = p->nfuncs;
	return true;
}

uint8_t tr_profile_charge_of(const struct tr_func *func)
{
	switch (func->kind) {
	case TR_FRAME_UNKNOWN:
		if (strstr(func->name, "+0x"))
			return CHARGE_NAMELESS; /* "libc.so.6+0x26b40" */
		return strcmp(func->name, "[ambiguous]") == 0 ? CHARGE_AMBIGUOUS
							      : CHARGE_UNKNOWN;
	case TR_FRAME_GAP:
		return strcmp(func->name, "[lost]") == 0 ? CHARGE_LOST : CHARGE_GAP;
	default:
		return CHARGE_CODE;
	}
}

/* Returns the first node that is not a trap: traps between two frames of a folded binary
 * are folded as well. */
static uint32_t below_traps(const struct tr_profile *p, uint32_t node)
{
	while (node && p->funcs[p->nodes[node].func].kind == TR_FRAME_TRAP)
		node = p->nodes[node].parent;
	return node;
}

/* Returns true if a frame of `func` on `parent` is a part of that one. A trap's frame has
 * no code of its own, so entering a hidden function on it enters the trap. */
static bool joins_parent(const struct tr_profile *p, const struct profile_raw *raw,
			 uint32_t parent, uint32_t func)
{
	if (!parent)
		return false;
	return raw->is_hidden ||
	       (p->options.merge_recursion && p->nodes[parent].func == func);
}

int tr_profile_define_node(struct tr_profile *p, const struct tr_node *node)
{
	uint32_t func = p->first_func + node->func;
	if (!tr_grow(&p->raws, &p->raw_capacity, (size_t)p->nraws + 1, sizeof(*p->raws)))
		return TR_E_NOMEM;
	struct profile_raw *raw = &p->raws[p->nraws];
	*raw = (struct profile_raw){.charge = tr_profile_charge_of(&p->funcs[func])};
	tr_profile_filter_raw(p, raw, node);
	if (p->sample && tr_profile_sample_node(p, node))
		return TR_E_NOMEM;
	uint32_t parent = p->raws[node->parent].node;
	if (p->marks[func].fold) {
		uint32_t below = below_traps(p, parent);
		func = p->marks[func].fold - 1U;
		raw->is_inside = below && p->nodes[below].func == func;
		raw->node = below;
	}
	if (!raw->is_inside && joins_parent(p, raw, parent, func)) {
		raw->node = parent;
		raw->is_inside = p->funcs[p->nodes[parent].func].kind != TR_FRAME_TRAP;
	} else if (!raw->is_inside) {
		int status = add_profile_node(p, parent, func, &raw->node);
		if (status)
			return status;
	}
	raw->is_left_out = p->left_out_node && !raw->is_in_focus &&
			   p->funcs[p->first_func + node->func].kind != TR_FRAME_GAP;
	p->nraws++;
	return TR_OK;
}

int tr_profile_define_thread(struct tr_profile *p, const struct tr_thread *thread)
{
	if (!tr_name_good(thread->name))
		return TR_E_CORRUPT;
	if (!tr_grow(&p->threads, &p->thread_capacity, (size_t)p->nthreads + 1,
		     sizeof(*p->threads)))
		return TR_E_NOMEM;
	struct profile_thread *made = &p->threads[p->nthreads];
	*made = (struct profile_thread){.is_task = thread->tp != 0,
					.group = GROUP_NONE,
					.task = GROUP_NONE,
					.process = GROUP_NONE};
	return tr_profile_name_init(
	    p, &made->name, *thread->name ? thread->name : "thread", p->nthreads++);
}

/* Grouping: the group of a row, and its name. */

/* Groups of processes are numbered in the order in which they first ran. Returns a
 * status. */
static int add_process(struct tr_profile *p, uint32_t process, const char *program)
{
	const uint32_t group = p->nprocesses;
	if (!tr_grow(&p->processes, &p->process_capacity, (size_t)group + 1,
		     sizeof(*p->processes)) ||
	    !tr_map_set(&p->process_map, process, group))
		return TR_E_NOMEM;
	int status =
	    tr_profile_name_init(p, &p->processes[p->nprocesses++], program, group);
	return status ? status : tr_profile_name_group(p, process, group);
}

/* Remembers the program of a row in user mode. */
static void learn_user_program(struct tr_profile *p, const struct profile_row *row,
			       uint32_t program)
{
	if (row->context.process && tr_mode_is_user(tr_mode_of(row->context.priv)) &&
	    p->funcs[program].kind != TR_FRAME_UNKNOWN)
		p->marks[program].flags |= FUNC_USER;
}

/* Returns true if a row without an address space is of the process of its thread's task:
 * that of a kernel without address spaces, or of a forked child, which runs in the kernel
 * on its parent's stack first. */
static bool is_of_task(const struct tr_profile *p, const struct profile_thread *thread,
		       uint32_t program)
{
	return thread->task != GROUP_NONE &&
	       (!thread->is_task || p->marks[program].flags & FUNC_USER);
}

/* The address spaces of one process are one group, if its task is known; so are all
 * kernel threads. A task of a kernel without address spaces is a process. Code that runs
 * before there are threads, and untraced time, is in none. Returns a status. */
static int process_group(struct tr_profile *p, const struct profile_row *row,
			 uint32_t *group)
{
	const uint32_t process = row->context.process;
	const uint32_t program = p->nodes[p->raws[row->srow->node].node].program;
	const struct profile_thread *thread = &p->threads[row->srow->thread];
	learn_user_program(p, row, program);
	if (!process && is_of_task(p, thread, program))
		return tr_profile_task_process(p, row->srow->thread,
					       p->funcs[program].name, group);
	if (!process) {
		*group = thread->is_task ? GROUP_KERNEL : GROUP_NONE;
		return TR_OK;
	}
	*group = tr_map_get(&p->process_map, process);
	if (*group != TR_MAP_NONE)
		return TR_OK;
	*group = tr_profile_task_group(p, process);
	if (*group != GROUP_NONE)
		return tr_map_set(&p->process_map, process, *group) ? TR_OK : TR_E_NOMEM;
	*group = p->nprocesses;
	return add_process(p, process, p->funcs[program].name);
}

uint32_t tr_profile_hart(struct tr_profile *p, uint32_t number)
{
	uint32_t i = 0;
	while (i < p->nharts && p->harts[i].number != number)
		i++;
	if (i < p->nharts)
		return i;
	struct profile_hart *hart = &p->harts[p->nharts++];
	hart->number = number;
	snprintf(hart->label, sizeof(hart->label), "hart %" PRIu32, number);
	return i;
}

uint32_t tr_profile_thread_group(const struct tr_profile *p, uint32_t thread)
{
	const uint32_t task = p->threads[thread].task;
	return task == GROUP_NONE ? thread : p->tasks[task].thread;
}

int tr_profile_row_group(struct tr_profile *p, const struct profile_row *row,
			 uint32_t *group)
{
	bool needs_context =
	    p->options.by == TR_BY_PROCESS || p->options.by == TR_BY_PRIVILEGE;
	const struct profile_raw *raw = &p->raws[row->srow->node];
	*group = GROUP_NONE;
	if (needs_context && !row->has_context)
		return p->options.may_lack_groups ? TR_OK : TR_E_ARGUMENT;
	if (needs_context && (raw->charge == CHARGE_GAP || raw->charge == CHARGE_LOST))
		return TR_OK;
	switch (p->options.by) {
	case TR_BY_PROGRAM:
		*group = p->nodes[raw->node].program;
		return TR_OK;
	case TR_BY_PROCESS:
		return process_group(p, row, group);
	case TR_BY_THREAD:
		*group = tr_profile_thread_group(p, row->srow->thread);
		return TR_OK;
	case TR_BY_PRIVILEGE:
		*group = row->context.priv;
		return TR_OK;
	case TR_BY_HART:
		*group = row->hart;
		return TR_OK;
	default:
		*group = 0;
		return TR_OK;
	}
}

const char *tr_profile_privilege(uint32_t priv)
{
	static const char *const names[] = {"U-mode",	   "S-mode",	  "privilege 2",
					    "M-mode",	   "VU-mode",	  "VS-mode",
					    "privilege 6", "privilege 7", "debug mode"};
	return priv < sizeof(names) / sizeof(names[0]) ? names[priv] : "debug mode";
}

const char *tr_profile_by_heading(enum tr_profile_by by)
{
	static const char *const headings[] = {"",	  "<program",	"<process",
					       "<thread", "<privilege", "<hart"};
	return headings[by];
}

const char *tr_profile_group_name(const struct tr_profile *p, uint32_t group)
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
		return p->processes[group].text;
	if (p->options.by == TR_BY_HART)
		return p->harts[group].label;
	return p->options.by == TR_BY_THREAD ? p->threads[group].name.text
					     : tr_profile_privilege(group);
}

bool tr_profile_group_has_frame(const struct tr_profile *p, uint32_t group)
{
	return p->options.by > TR_BY_PROGRAM && group != GROUP_NONE;
}

/* Requested names: whether they exist, and which ones are similar. */

bool tr_profile_has_function(const struct tr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->nfuncs; i++)
		if (profile_is_shown(p, i) && profile_is_call(&p->funcs[i]) &&
		    tr_profile_is_named(&p->funcs[i], name))
			return true;
	return false;
}

bool tr_profile_has_binary(const struct tr_profile *p, const char *name)
{
	for (uint32_t i = p->first_func; i < p->nfuncs; i++)
		if (strcmp(p->funcs[i].binary, name) == 0)
			return true;
	return false;
}

void tr_profile_near(const struct tr_profile *p, const char *name, char *text,
		     size_t size)
{
	struct tr_near near;
	/* BINARY:NAME, but not the colons of C++ */
	const char *colon = strchr(name, ':');
	tr_near_init(&near, colon && colon[1] != ':' ? colon + 1 : name);
	for (uint32_t i = p->first_func; i < p->nfuncs; i++)
		if (profile_is_call(&p->funcs[i]))
			tr_near_offer(&near, p->funcs[i].name);
	tr_near_text(&near, text, size);
}
