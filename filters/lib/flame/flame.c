/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the frames of a flame graph and computes their positions. */
#include "flame/flame.h"

#include <stdlib.h>
#include <string.h>

#include "flame/flame_internal.h"

/* Input of the layout. */
struct plan {
	const struct tr_folded *folded;
	const struct tr_flame *flame;
	uint32_t *order; /* nodes sorted by parent, then by name */
	uint32_t *first; /* by node: index of its first child in `order` */
	uint8_t *inside; /* by node: it is below `top` */
	uint64_t floor;	 /* frames of at most this are omitted */
	uint64_t change; /* largest change of a frame's own value */
};

static int by_parent_and_name(const void *left, const void *right, void *context)
{
	const struct tr_folded *folded = context;
	const struct tr_folded_node *a = tr_folded_node(folded, *(const uint32_t *)left);
	const struct tr_folded_node *b = tr_folded_node(folded, *(const uint32_t *)right);
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void sort_children(struct plan *plan)
{
	uint32_t count = tr_folded_count(plan->folded), at = 0;
	for (uint32_t i = 1; i < count; i++)
		plan->order[i - 1] = i;
	qsort_r(plan->order, count - 1, sizeof(*plan->order), by_parent_and_name,
		(void *)(uintptr_t)plan->folded);
	for (uint32_t parent = 0; parent < count; parent++) {
		plan->first[parent] = at;
		while (at < count - 1 &&
		       tr_folded_node(plan->folded, plan->order[at])->parent == parent)
			at++;
	}
	plan->first[count] = at;
}

static int compare_descending(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a < b) - (a > b);
}

/* Marks the nodes below `top`, and counts those with a value in `dropped`. Returns false
 * when out of memory. */
static bool mark_nodes_below(struct plan *plan, struct flame_layout *layout)
{
	uint32_t count = tr_folded_count(plan->folded), top = plan->flame->top;
	uint64_t *totals = calloc(count, sizeof(*totals));
	if (!totals)
		return false;
	for (uint32_t i = top; i < count; i++) {
		const struct tr_folded_node *node = tr_folded_node(plan->folded, i);
		plan->inside[i] = i == top || (i && plan->inside[node->parent]);
		if (!plan->inside[i] || !layout->total[i])
			continue;
		totals[layout->dropped++] = layout->total[i];
		uint64_t change = node->self[0] < node->self[1]
				      ? node->self[1] - node->self[0]
				      : node->self[0] - node->self[1];
		if (change > plan->change)
			plan->change = change;
	}
	qsort(totals, layout->dropped, sizeof(*totals), compare_descending);
	plan->floor = layout->total[top] / (FLAME_INNER * UINT64_C(1000));
	if (plan->floor)
		plan->floor--;
	if (layout->dropped > FLAME_MAX_FRAMES && totals[FLAME_MAX_FRAMES] > plan->floor)
		plan->floor = totals[FLAME_MAX_FRAMES];
	free(totals);
	return true;
}

/* Levels grow with the square root, so that small changes are visible. */
static unsigned change_level(uint64_t change, uint64_t most)
{
	double ratio = most ? (double)change / (double)most : 0;
	unsigned level = 0;
	while (level < FLAME_SHADES &&
	       ratio > (double)level * level / (FLAME_SHADES * FLAME_SHADES))
		level++;
	return level;
}

static uint16_t choose_node_tone(const struct plan *plan,
				 const struct flame_layout *layout, uint32_t id)
{
	const struct tr_folded_node *node = tr_folded_node(plan->folded, id);
	const uint64_t before = node->self[0], after = node->self[1];
	if (plan->flame->classes)
		return tr_flame_class_tone(plan->flame->classes, layout, id);
	if (!plan->flame->difference)
		return 0;
	if (before > after)
		return (uint16_t)(FLAME_NEUTRAL -
				  change_level(before - after, plan->change));
	return (uint16_t)(FLAME_NEUTRAL + change_level(after - before, plan->change));
}

/* Pushes the children of a frame that are kept, the leftmost last. Returns the
 * new depth. */
static uint32_t push_children(const struct plan *plan, struct flame_layout *layout,
			      const struct flame_frame *frame, struct flame_frame *stack,
			      uint32_t depth)
{
	uint32_t from = plan->first[frame->id], to = plan->first[frame->id + 1];
	uint64_t edge = frame->start;
	for (uint32_t i = from; i < to; i++)
		edge += layout->total[plan->order[i]];
	for (uint32_t i = to; i-- > from;) {
		uint32_t id = plan->order[i];
		uint64_t total = layout->total[id];
		edge -= total;
		if (total > plan->floor && frame->depth + 1 < FLAME_MAX_DEPTH)
			stack[depth++] = (struct flame_frame){.id = id,
							      .start = edge,
							      .total = total,
							      .depth = frame->depth + 1};
		else
			layout->dropped_value += total;
	}
	return depth;
}

static bool place_flame_frames(const struct plan *plan, struct flame_layout *layout)
{
	uint32_t top = plan->flame->top, depth = 1;
	size_t room =
	    layout->dropped < FLAME_MAX_FRAMES ? layout->dropped : FLAME_MAX_FRAMES;
	struct flame_frame *stack = calloc(room + 1, sizeof(*stack));
	layout->frames = calloc(room + 1, sizeof(*layout->frames));
	if (!stack || !layout->frames) {
		free(stack);
		return false;
	}
	stack[0] = (struct flame_frame){.id = top, .total = layout->total[top]};
	while (depth) {
		struct flame_frame *frame = &layout->frames[layout->count++];
		*frame = stack[--depth];
		frame->tone = choose_node_tone(plan, layout, frame->id);
		if (frame->depth >= layout->levels)
			layout->levels = frame->depth + 1;
		depth = push_children(plan, layout, frame, stack, depth);
	}
	layout->dropped -= layout->total[top] ? layout->count : 0;
	free(stack);
	return true;
}

/* Returns the totals per level, with `calls` only of frames whose function differs from
 * that of the frame below; NULL when out of memory. */
static uint64_t *level_totals(const struct flame_layout *layout,
			      const struct tr_folded *folded, bool calls)
{
	uint64_t *level = calloc((size_t)layout->levels + 1, sizeof(*level));
	for (uint32_t i = 0; level && i < layout->count; i++) {
		const struct flame_frame *frame = &layout->frames[i];
		const struct tr_folded_node *node = tr_folded_node(folded, frame->id);
		if (!calls || tr_folded_node(folded, node->parent)->name != node->name)
			level[frame->depth] += frame->total;
	}
	return level;
}

/* Shows rows up to a few above the last one with a hundredth of the total: thin towers
 * would leave the picture empty. Of a recursive function at most a window's height is
 * shown. Returns false when out of memory. */
static bool count_shown_rows(struct flame_layout *layout, const struct tr_folded *folded)
{
	uint64_t *all = level_totals(layout, folded, false);
	uint64_t *calls = level_totals(layout, folded, true);
	if (all && calls) {
		uint64_t least = layout->frames[0].total / 100;
		layout->rows = layout->levels;
		while (layout->rows > 1 && all[layout->rows - 1] < least)
			layout->rows--;
		layout->rows += FLAME_SPARE_ROWS;
		while (layout->rows > FLAME_WINDOW_ROWS &&
		       (layout->rows > layout->levels || calls[layout->rows - 1] < least))
			layout->rows--;
		if (layout->rows > layout->levels)
			layout->rows = layout->levels;
		if (layout->rows > FLAME_MAX_ROWS)
			layout->rows = FLAME_MAX_ROWS;
	}
	bool good = all && calls;
	free(all);
	free(calls);
	return good;
}

static bool sum_classes(struct flame_layout *layout, const struct tr_folded *folded,
			const struct tr_flame *flame)
{
	if (!flame->classes)
		return true;
	layout->lost =
	    calloc((size_t)tr_folded_count(folded) * ((size_t)flame->classes->count + 1),
		   sizeof(*layout->lost));
	if (layout->lost)
		tr_folded_part_totals(folded, layout->lost);
	return layout->lost != NULL;
}

/* Without a function of known origin, roles say nothing. */
static void find_modes(struct flame_layout *layout, const struct tr_flame *flame)
{
	bool *offers = layout->offers;
	offers[FLAME_CLASS] = flame->classes != NULL;
	offers[FLAME_DIFFERENCE] = flame->difference;
	offers[FLAME_BINARY] = layout->nbinaries > 0;
	for (uint32_t i = 0; i < layout->nfunctions; i++) {
		offers[FLAME_ROLE] |= layout->functions[i].func != NULL;
		offers[FLAME_PRIVILEGE] |= layout->functions[i].priv != TR_FOLDED_NO_PRIV;
	}
	layout->mode = flame->difference ? FLAME_DIFFERENCE
		       : flame->classes	 ? FLAME_CLASS
					 : FLAME_ROLE;
	offers[layout->mode] = true;
}

int tr_flame_layout(struct flame_layout *layout, const struct tr_folded *folded,
		    const struct tr_flame *flame)
{
	size_t count = tr_folded_count(folded);
	struct plan plan = {.folded = folded, .flame = flame};
	*layout = (struct flame_layout){0};
	plan.order = calloc(count, sizeof(*plan.order));
	plan.first = calloc(count + 1, sizeof(*plan.first));
	plan.inside = calloc(count, sizeof(*plan.inside));
	layout->total = calloc(count, sizeof(*layout->total));
	layout->other = calloc(count, sizeof(*layout->other));
	bool good =
	    plan.order && plan.first && plan.inside && layout->total && layout->other;
	if (good) {
		tr_folded_totals(folded, flame->which, layout->total);
		tr_folded_totals(folded, !flame->which, layout->other);
		sort_children(&plan);
		good = sum_classes(layout, folded, flame) &&
		       mark_nodes_below(&plan, layout) &&
		       place_flame_frames(&plan, layout) &&
		       count_shown_rows(layout, folded) &&
		       tr_flame_functions(layout, folded, flame);
	}
	if (good)
		find_modes(layout, flame);
	free(plan.order);
	free(plan.first);
	free(plan.inside);
	if (!good)
		tr_flame_layout_free(layout);
	return good ? TR_OK : TR_E_NOMEM;
}

void tr_flame_layout_free(struct flame_layout *layout)
{
	free(layout->frames);
	free(layout->total);
	free(layout->other);
	free(layout->lost);
	free(layout->functions);
	free(layout->binaries);
	*layout = (struct flame_layout){0};
}
