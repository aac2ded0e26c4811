/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/heap_forks.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/map.h"

enum { ABSENT = UINT32_MAX };
/* Spaces that no process has, for what children get. */
enum { FIRST_KEPT = 0x0f000000 };
enum { MOST_CHILDREN = 1024 }; /* that have not run yet; beyond, one is dropped */

/* Numbers of the fields of a probe; ABSENT if it has none. */
struct fork_fields {
	uint32_t task, child, tgid, next;
};

/* A child that has not run in user mode yet. */
struct child {
	uint64_t task;
	uint32_t parent; /* its space */
	uint32_t kept;	 /* the space with what was allocated */
};

/* What runs next in user mode on a hart. */
struct next_task {
	uint64_t task;
	uint32_t hart;
};

struct tr_heap_forks {
	struct tr_heap *heap;
	struct fork_fields *fields; /* by probe */
	uint32_t nprobes;
	struct child *children;
	size_t nchildren, child_room;
	uint32_t nkept;
	struct next_task next[TR_MAX_HARTS];
	uint32_t nharts;
	struct tr_map spaces; /* by satp: the last one */
};

struct tr_heap_forks *tr_heap_forks_new(const struct tr_probe_names *names,
					struct tr_heap *heap)
{
	struct tr_heap_forks *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->heap = heap;
	f->nprobes = names->count;
	f->fields = calloc(names->count + 1UL, sizeof(*f->fields));
	if (!f->fields) {
		free(f);
		return NULL;
	}
	for (uint32_t i = 0; i < names->count; i++)
		f->fields[i] = (struct fork_fields){
		    .task = tr_probe_names_field(names, i, "task"),
		    .child = tr_probe_names_field(names, i, "child"),
		    .tgid = tr_probe_names_field(names, i, "tgid"),
		    .next = tr_probe_names_field(names, i, "next_task")};
	return f;
}

void tr_heap_forks_free(struct tr_heap_forks *f)
{
	if (!f)
		return;
	free(f->fields);
	free(f->children);
	tr_map_free(&f->spaces);
	free(f);
}

static struct next_task *next_of_hart(struct tr_heap_forks *f, uint32_t hart)
{
	uint32_t i = 0;
	while (i < f->nharts && f->next[i].hart != hart)
		i++;
	if (i == f->nharts && i < TR_MAX_HARTS)
		f->next[f->nharts++] = (struct next_task){.hart = hart};
	return i < TR_MAX_HARTS ? &f->next[i] : NULL;
}

static void remove_child(struct tr_heap_forks *f, size_t i)
{
	tr_heap_drop(f->heap, f->children[i].kept);
	f->children[i] = f->children[--f->nchildren];
}

/* Keeps what the parent, which runs, has allocated. */
static int add_child(struct tr_heap_forks *f, uint32_t parent, uint64_t task)
{
	for (size_t i = f->nchildren; i-- > 0;)
		if (f->children[i].task == task)
			remove_child(f, i);
	if (f->nchildren == MOST_CHILDREN)
		remove_child(f, 0);
	if (!tr_grow(&f->children, &f->child_room, f->nchildren + 1,
		     sizeof(*f->children)))
		return TR_E_NOMEM;
	/* The lowest number that is free, so that they are used again. */
	uint32_t kept = FIRST_KEPT;
	for (size_t i = 0; i < f->nchildren; i++)
		if (f->children[i].kept == kept) {
			kept++;
			i = SIZE_MAX; /* the first one again */
		}
	f->children[f->nchildren++] = (struct child){task, parent, kept};
	return tr_heap_copy(f->heap, parent, kept);
}

int tr_heap_forks_hit(struct tr_heap_forks *f, uint32_t hart,
		      const struct tr_context *context, const struct tr_hit *hit)
{
	if (hit->probe >= f->nprobes)
		return TR_OK;
	const struct fork_fields *of = &f->fields[hit->probe];
	struct next_task *next = next_of_hart(f, hart);
	if (of->next != ABSENT && next)
		next->task = tr_hit_value(hit, of->next).number;
	if (of->task == ABSENT || of->child == ABSENT || of->tgid == ABSENT)
		return TR_OK;
	const struct tr_probe_value task = tr_hit_value(hit, of->task),
				    child = tr_hit_value(hit, of->child),
				    tgid = tr_hit_value(hit, of->tgid);
	/* A thread shares the memory. */
	if (!task.number || !child.number || child.number != tgid.number)
		return TR_OK;
	return add_child(f, context->space, task.number);
}

int tr_heap_forks_run(struct tr_heap_forks *f, uint32_t hart,
		      const struct tr_context *context)
{
	struct next_task *next = next_of_hart(f, hart);
	const uint32_t space = context->space,
		       last =
			   context->satp ? tr_map_get(&f->spaces, context->satp) : space;
	int status = TR_OK;
	if (last != space) {
		if (last != TR_MAP_NONE)
			tr_heap_drop(f->heap, last);
		if (!tr_map_set(&f->spaces, context->satp, space))
			return TR_E_NOMEM;
	}
	for (size_t i = 0; next && next->task && i < f->nchildren; i++) {
		const struct child *child = &f->children[i];
		if (child->task != next->task)
			continue;
		/* After vfork() it runs in the parent's memory. */
		if (child->parent != space)
			status = tr_heap_copy(f->heap, child->kept, space);
		remove_child(f, i);
		break;
	}
	return status;
}
