/* SPDX-License-Identifier: Apache-2.0 */
/* Frames chosen by regular expressions: those hidden, and those in focus. */
#include "profile/profile_internal.h"

static bool matches_any(const regex_t *regexes, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (regexec(&regexes[i], name, 0, NULL, 0) == 0)
			return true;
	return false;
}

uint8_t tr_profile_filter_flags(const struct tr_profile *p, const struct tr_func *func)
{
	const struct tr_profile_options *o = &p->options;
	bool is_own = func->kind == TR_FRAME_GAP || func->kind == TR_FRAME_IDLE ||
		      func->kind == PROFILE_FRAME_LEFT_OUT;
	unsigned flags = 0;
	if (!is_own && matches_any(o->hide, o->nhide, func->name))
		flags |= FUNC_HIDDEN;
	if (matches_any(o->focus, o->nfocus, func->name))
		flags |= FUNC_FOCUS;
	return (uint8_t)flags;
}

/* A source line belongs to its function. A folded binary is a frame of its own name. */
void tr_profile_filter_raw(const struct tr_profile *p, struct profile_raw *raw,
			   const struct tr_node *node)
{
	const struct profile_raw *parent = &p->raws[node->parent];
	const uint32_t func = p->first_func + node->func;
	const struct profile_mark *mark = &p->marks[func];
	unsigned flags = mark->flags;
	if (mark->fold)
		flags |= p->marks[mark->fold - 1].flags;
	bool is_line = p->funcs[func].kind == TR_FRAME_LINE;
	raw->is_hidden = flags & FUNC_HIDDEN || (is_line && parent->is_hidden);
	raw->is_in_focus = flags & FUNC_FOCUS || parent->is_in_focus;
}

uint64_t tr_profile_out_of_focus(const struct tr_profile *p)
{
	struct tr_profile_stack stack;
	unsigned which = p->options.instructions && !p->counter;
	uint64_t sum = 0;
	for (uint32_t i = 0; p->left_out_node && tr_profile_stack(p, i, &stack); i++)
		if (stack.node == p->left_out_node)
			sum += stack.value[which];
	return sum;
}

bool tr_profile_matches(const struct tr_profile *p, const regex_t *regex)
{
	for (uint32_t i = 0; i < p->nfuncs; i++)
		if (i != p->nodes[p->left_out_node].func &&
		    regexec(regex, p->funcs[i].name, 0, NULL, 0) == 0)
			return true;
	return false;
}
