/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks of hits: the path of nodes has the functions, and the frames of the stacks have
 * the places of the calls. */
#include <stdlib.h>

#include "unwind/stacks.h"

enum { AHEAD = 8 }; /* calls that may be of no node of the path */

void tr_hits_release(struct tr_unwind *u)
{
	free(u->hit_stack.frames);
	free(u->hit_stack.calls);
}

static void add_call(struct tr_unwind *u, const struct hit_call *call)
{
	struct tr_hit_stack *t = &u->hit_stack;
	if (tr_unwind_reserve(status_of(u), (void **)&t->calls, &t->call_capacity,
			      t->ncalls + 1ULL, sizeof(*t->calls)))
		t->calls[t->ncalls++] = *call;
}

/* Collects the calls on the stacks of a hart, the innermost first. */
static void collect_calls(struct tr_unwind *u, const struct hart *h,
			  const struct pair *at)
{
	u->hit_stack.ncalls = 0;
	add_call(u, &(struct hit_call){hart_node(h), at->binary, at->address});
	for (const struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_depth(s); i-- > 1;) {
			const struct frame *f = stack_frame(s, i);
			if (frame_return_address(f) == NO_RETURN)
				continue;
			add_call(u, &(struct hit_call){
					.node = frame_node(stack_frame(s, i - 1)),
					.binary = frame_caller(f),
					.address = frame_linked_address(f)});
		}
}

/* Finds the call that a node makes, from *next on, which goes on behind it. Returns NULL
 * if it makes none. */
static const struct hit_call *call_of(const struct tr_hit_stack *t, uint32_t node,
				      uint32_t *next)
{
	uint32_t i = *next;
	while (i < t->ncalls && i < *next + AHEAD && t->calls[i].node != node)
		i++;
	if (i >= t->ncalls || t->calls[i].node != node)
		return NULL;
	for (*next = i; *next < t->ncalls && t->calls[*next].node == node;)
		++*next;
	return &t->calls[i];
}

void tr_hits_tell(struct tr_unwind *u, struct hart *h, const struct tr_hit *hit,
		  const struct pair *at)
{
	struct tr_hit_stack *t = &u->hit_stack;
	struct tr_nodes *nodes = nodes_of(u);
	uint32_t count = 0, next = 0, node = hart_node(h);
	collect_calls(u, h, at);
	if (tr_nodes_has_root(nodes, node))
		node = tr_nodes_final(nodes, node);
	for (; node; node = tr_nodes_parent(nodes, node)) {
		const uint32_t sym = tr_nodes_sym(nodes, node);
		if (sym == SYM_NONE || sym_is_site(sym))
			continue;
		if (!tr_unwind_reserve(status_of(u), (void **)&t->frames,
				       &t->frame_capacity, count + 1ULL,
				       sizeof(*t->frames)))
			return;
		const struct hit_call *call = call_of(t, node, &next);
		t->frames[count++] = (struct tr_unwind_frame_at){
		    .func = tr_names_func(names_of(u), sym),
		    .binary = call ? call->binary : TR_NOTE_UNKNOWN,
		    .address = call ? call->address : 0};
	}
	const struct tr_unwind_hit told = {
	    .hit = hit, .frames = t->frames, .count = count, .hart = hart_number(h)};
	unwind_fail(status_of(u), u->sink.hit(u->sink.user, &told));
}
