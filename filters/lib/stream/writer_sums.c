/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of rows of stacks over 256 frames, 4096 and so on, for the index. All are exact: a
 * section that would be too large has none. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "stream/stacks_index.h"
#include "stream/writer_state.h"

enum {
	SUMS_LEVEL = 3,		/* of zstd */
	SUMS_MEMORY = 64 << 20, /* bytes of the cells of a level */
	SUMS_PART = 20,		/* they are smaller than this part of their frames */
};

/* The rows of a hart with the same stack, thread and context. */
struct sums_cell {
	uint64_t cycles, instructions;
	uint32_t node, thread, process;
	uint8_t priv, hart; /* hart: index in writer_stacks.harts */
};

void tr_writer_sums_open(struct tr_writer *w, const struct tr_header *header)
{
	const char *classes = tr_header_get(header, "classes");
	w->index.sums.columns = 1;
	for (; classes && *classes; classes = strchr(classes, ',')) {
		w->index.sums.columns++;
		classes += *classes == ',';
	}
}

/* Appends a flag to one for each function or node before. */
static void add_gap_flag(struct tr_writer *w, uint8_t **flags, size_t *room, size_t id,
			 bool is_gap)
{
	if (tr_grow(flags, room, id + 1, sizeof(**flags)))
		(*flags)[id] = is_gap;
	else
		tr_writer_status(w, TR_E_NOMEM);
}

void tr_writer_sums_func(struct tr_writer *w, const struct tr_func *func)
{
	struct writer_sums *s = &w->index.sums;
	add_gap_flag(w, &s->gap_funcs, &s->gap_func_room, s->nfuncs++,
		     func->kind == TR_FRAME_GAP);
}

void tr_writer_sums_node(struct tr_writer *w, uint32_t id, const struct tr_node *node)
{
	struct writer_sums *s = &w->index.sums;
	const bool is_gap = node->func < s->nfuncs && s->gap_funcs[node->func];
	add_gap_flag(w, &s->gap_nodes, &s->gap_node_room, id, is_gap);
}

static void empty_level(struct writer_sums_level *level)
{
	level->ncells = 0;
	tr_map_clear(&level->map);
}

static void free_level(struct writer_sums_level *level)
{
	free(level->cells);
	free(level->slots);
	tr_map_free(&level->map);
	level->cells = NULL;
	level->slots = NULL;
	level->room = level->slot_room = 0;
	level->ncells = 0;
}

static void leave_level_out(struct writer_sums_level *level)
{
	free_level(level);
	level->is_left_out = true;
}

static uint64_t key_of_cell(const struct sums_cell *cell)
{
	const uint64_t who = tr_pair_key(cell->process, cell->thread);
	const uint64_t where = (uint64_t)cell->hart << 40 | (uint64_t)cell->priv << 32;
	return tr_mix(who) ^ tr_mix(where | cell->node);
}

static bool is_same_cell(const struct sums_cell *a, const struct sums_cell *b)
{
	return a->node == b->node && a->thread == b->thread && a->process == b->process &&
	       a->priv == b->priv && a->hart == b->hart;
}

/* Finds or adds the cell of a row, without its sums. Returns its number, UINT32_MAX if
 * the level is left out or out of memory. */
static uint32_t find_sums_cell(struct tr_writer *w, struct writer_sums_level *level,
			       const struct sums_cell *of)
{
	const unsigned columns = w->index.sums.columns;
	const size_t bytes =
	    sizeof(*of) + columns * sizeof(uint64_t) + 2 * sizeof(struct tr_map_slot);
	uint64_t key = key_of_cell(of);
	uint32_t id;
	for (; (id = tr_map_get(&level->map, key)) != TR_MAP_NONE; key++)
		if (is_same_cell(&level->cells[id], of))
			return id;
	id = level->ncells;
	if ((id + 1) * bytes > SUMS_MEMORY) {
		leave_level_out(level);
		return UINT32_MAX;
	}
	if (!tr_grow(&level->cells, &level->room, id + 1UL, sizeof(*level->cells)) ||
	    !tr_grow(&level->slots, &level->slot_room, (id + 1UL) * columns,
		     sizeof(*level->slots)) ||
	    !tr_map_set(&level->map, key, id)) {
		w->index.body.failed = true;
		leave_level_out(level);
		return UINT32_MAX;
	}
	level->cells[id] = *of;
	level->cells[id].cycles = level->cells[id].instructions = 0;
	memset(&level->slots[(size_t)id * columns], 0, columns * sizeof(*level->slots));
	return level->ncells++;
}

/* As find_sums_cell(), of a row in the first level. */
static uint32_t find_row_cell(struct tr_writer *w, uint32_t hart,
			      const struct tr_srow *row)
{
	struct writer_sums *s = &w->index.sums;
	const struct tr_scontext *context = &w->stacks.harts[hart].context;
	const struct sums_cell of = {.node = row->node,
				     .thread = row->thread,
				     .process = context->process,
				     .priv = context->priv,
				     .hart = (uint8_t)hart};
	if (of.node >= s->last_room &&
	    !tr_grow(&s->last, &s->last_room, of.node + 1UL, sizeof(*s->last))) {
		w->index.body.failed = true;
		return UINT32_MAX;
	}
	while (s->nlast <= of.node)
		s->last[s->nlast++] = 0;
	return s->last[of.node] = find_sums_cell(w, &s->levels[0], &of);
}

/* Returns whether readers of all rows accept this one. */
static bool is_good_row(const struct writer_sums *s, uint32_t nnodes,
			const struct tr_srow *row, const struct tr_class_cycles *classes)
{
	for (unsigned c = 0; c < row->nclasses; c++)
		if (classes[c].class >= s->columns)
			return false;
	return row->node && row->node <= nnodes;
}

/* Most rows of a node are in the same cell as the one before. */
void tr_writer_sums_row(struct tr_writer *w, uint32_t hart, const struct tr_srow *row,
			const struct tr_class_cycles *classes)
{
	struct writer_sums *s = &w->index.sums;
	struct writer_sums_level *level = &s->levels[0];
	const struct tr_scontext *context = &w->stacks.harts[hart].context;
	uint32_t id = row->node < s->nlast ? s->last[row->node] : UINT32_MAX;
	if (!is_good_row(s, w->stacks.nnodes, row, classes))
		leave_level_out(level);
	if (level->is_left_out)
		return;
	const struct sums_cell *cell = id < level->ncells ? &level->cells[id] : NULL;
	if (!cell || cell->node != row->node || cell->thread != row->thread ||
	    cell->process != context->process || cell->priv != context->priv ||
	    cell->hart != hart)
		id = find_row_cell(w, hart, row);
	if (id == UINT32_MAX)
		return;
	level->cells[id].cycles += row->cycles;
	level->cells[id].instructions += row->instructions;
	for (unsigned c = 0; c < row->nclasses; c++)
		level->slots[(size_t)id * s->columns + classes[c].class] +=
		    classes[c].cycles;
}

/* Adds the sums of a level to those of the next one. */
static void add_level(struct tr_writer *w, const struct writer_sums_level *from,
		      struct writer_sums_level *to)
{
	const unsigned columns = w->index.sums.columns;
	if (from->is_left_out)
		leave_level_out(to);
	for (uint32_t i = 0; i < from->ncells && !to->is_left_out; i++) {
		const uint32_t id = find_sums_cell(w, to, &from->cells[i]);
		if (id == UINT32_MAX)
			return;
		to->cells[id].cycles += from->cells[i].cycles;
		to->cells[id].instructions += from->cells[i].instructions;
		for (unsigned c = 0; c < columns; c++)
			to->slots[(size_t)id * columns + c] +=
			    from->slots[(size_t)i * columns + c];
	}
}

struct sort {
	const struct sums_cell *cells;
	struct tr_map firsts; /* of a process: its first cell that is no gap */
};

/* A process gets its number in a profile, and its name, by its first row that is no gap.
 */
static int by_first_row(const void *left, const void *right, void *argument)
{
	const struct sort *sort = argument;
	const uint32_t id = *(const uint32_t *)left, other = *(const uint32_t *)right;
	const struct sums_cell *a = &sort->cells[id], *b = &sort->cells[other];
	const uint32_t first = tr_map_get(&sort->firsts, a->process);
	const uint32_t next = tr_map_get(&sort->firsts, b->process);
	const uint32_t of[] = {a->hart, first,	   id != first, a->process,
			       a->priv, a->thread, a->node};
	const uint32_t to[] = {b->hart, next,	   other != next, b->process,
			       b->priv, b->thread, b->node};
	for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (of[i] != to[i])
			return of[i] < to[i] ? -1 : 1;
	return 0;
}

/* Returns the numbers of the cells in the order in which they are written, which the
 * caller frees; NULL when out of memory. */
static uint32_t *order_cells(const struct writer_sums *s,
			     const struct writer_sums_level *level)
{
	struct sort sort = {.cells = level->cells};
	uint32_t *order = calloc(level->ncells + 1UL, sizeof(*order));
	bool failed = !order;
	for (uint32_t i = 0; i < level->ncells && !failed; i++) {
		const struct sums_cell *cell = &level->cells[i];
		order[i] = i;
		if (!s->gap_nodes[cell->node] &&
		    tr_map_get(&sort.firsts, cell->process) == TR_MAP_NONE)
			failed = !tr_map_set(&sort.firsts, cell->process, i);
	}
	if (!failed)
		qsort_r(order, level->ncells, sizeof(*order), by_first_row, &sort);
	tr_map_free(&sort.firsts);
	if (!failed)
		return order;
	free(order);
	return NULL;
}

/* The columns of a hart's sums. */
struct sums_columns {
	struct tr_buffer column[TR_SUMS_COLUMNS];
	uint64_t who; /* context of the last row */
	uint32_t thread, node;
	uint32_t contexts, threads; /* rows with them */
	uint32_t count;
};

static void end_run_of(struct tr_buffer *out, uint32_t *rows, uint64_t value)
{
	if (*rows) {
		tr_buffer_varint(out, *rows);
		tr_buffer_varint(out, value);
	}
	*rows = 0;
}

/* Appends the numbers and slots of the classes. */
static void put_classes(struct tr_buffer *out, const uint64_t *slots, unsigned columns)
{
	unsigned count = 0;
	for (unsigned c = 0; c < columns; c++)
		count += slots[c] != 0;
	tr_buffer_varint(out, count);
	for (unsigned c = 0; c < columns; c++)
		if (slots[c]) {
			tr_buffer_varint(out, c);
			tr_buffer_varint(out, slots[c]);
		}
}

static void put_cell(struct sums_columns *to, const struct sums_cell *cell)
{
	const uint64_t who = (uint64_t)cell->process << SCONTEXT_PROCESS | cell->priv;
	if (who != to->who)
		end_run_of(&to->column[TR_SUMS_CONTEXTS], &to->contexts, to->who);
	if (cell->thread != to->thread)
		end_run_of(&to->column[TR_SUMS_THREADS], &to->threads, to->thread);
	to->who = who;
	to->thread = cell->thread;
	to->contexts++;
	to->threads++;
	tr_buffer_varint(&to->column[TR_SUMS_NODES],
			 tr_zigzag((uint64_t)cell->node - to->node));
	to->node = cell->node;
	tr_buffer_varint(&to->column[TR_SUMS_INSTRUCTIONS], cell->instructions);
	tr_buffer_varint(&to->column[TR_SUMS_CYCLES],
			 tr_zigzag(cell->cycles - cell->instructions));
	to->count++;
}

/* Appends the sums of a hart, the cells from number *at on of the order. */
static void put_hart_sums(const struct tr_writer *w,
			  const struct writer_sums_level *level, const uint32_t *order,
			  uint32_t *at, uint32_t hart, struct tr_buffer *out)
{
	const unsigned columns = w->index.sums.columns;
	struct sums_columns to = {.count = 0};
	for (; *at < level->ncells && level->cells[order[*at]].hart == hart; ++*at) {
		const uint32_t id = order[*at];
		put_cell(&to, &level->cells[id]);
		if (columns > 1)
			put_classes(&to.column[TR_SUMS_CLASSES],
				    &level->slots[(size_t)id * columns], columns);
	}
	end_run_of(&to.column[TR_SUMS_THREADS], &to.threads, to.thread);
	end_run_of(&to.column[TR_SUMS_CONTEXTS], &to.contexts, to.who);
	if (!w->stacks.harts[hart].has_context)
		to.column[TR_SUMS_CONTEXTS].size = 0;
	tr_buffer_varint(out, to.count);
	for (unsigned i = 0; i < TR_SUMS_COLUMNS; i++) {
		if (to.count)
			tr_buffer_body(out, &to.column[i]);
		tr_buffer_free(&to.column[i]);
	}
}

/* Gets the sums of a level. Returns false when out of memory. */
static bool gather_sums(const struct tr_writer *w, const struct writer_sums_level *level,
			struct tr_buffer *out)
{
	uint32_t *order = order_cells(&w->index.sums, level), at = 0;
	if (!order)
		return false;
	tr_buffer_varint(out, w->stacks.nharts);
	for (uint32_t h = 0; h < w->stacks.nharts; h++)
		put_hart_sums(w, level, order, &at, h, out);
	free(order);
	return !out->failed;
}

/* Writes the sums of a level, of `frames` frames, and their entry of the index, unless
 * they are too large. Returns a status. */
static int write_level(struct tr_writer *w, const struct writer_sums_level *level,
		       uint64_t frames)
{
	struct writer_index *x = &w->index;
	struct tr_buffer plain = {0}, packed = {0}, entry = {0};
	const uint64_t *marks;
	size_t count;
	const uint64_t here = tr_chunk_writer_marks(w->chunks, &marks, &count);
	int status = gather_sums(w, level, &plain) ? TR_OK : TR_E_NOMEM;
	if (!status && plain.size <= TR_SUMS_MAX)
		status = tr_index_wrap(&plain, SUMS_LEVEL, &packed);
	if (!status && packed.size && packed.size < (here - level->offset) / SUMS_PART) {
		tr_buffer_varint(&entry, frames);
		tr_buffer_varint(&entry, here);
		tr_buffer_varint(&entry, packed.size);
		tr_buffer_varint(&x->body, TR_INDEX_SUMS);
		tr_buffer_body(&x->body, &entry);
		x->has_sums = true;
		status = tr_chunk_writer_skippable(w->chunks, &packed);
	}
	tr_buffer_free(&plain);
	tr_buffer_free(&packed);
	tr_buffer_free(&entry);
	return status;
}

void tr_writer_sums_frame(struct tr_writer *w)
{
	struct writer_sums *s = &w->index.sums;
	const uint64_t *marks;
	size_t count;
	uint64_t frames = TR_SUMS_FRAMES;
	unsigned ended = 0;
	if (!w->index.is_on || w->frames % frames)
		return;
	tr_writer_status(w, tr_chunk_writer_flush(w->chunks));
	for (; ended < TR_SUMS_LEVELS && w->frames % frames == 0; ended++) {
		struct writer_sums_level *level = &s->levels[ended];
		if (!level->is_left_out && !w->status)
			tr_writer_status(w, write_level(w, level, frames));
		if (ended + 1 < TR_SUMS_LEVELS)
			add_level(w, level, level + 1);
		frames *= TR_SUMS_TIMES;
	}
	for (unsigned i = 0; i < ended; i++) {
		empty_level(&s->levels[i]);
		s->levels[i].is_left_out = false;
		s->levels[i].offset = tr_chunk_writer_marks(w->chunks, &marks, &count);
	}
}

void tr_writer_sums_close(struct tr_writer *w)
{
	for (unsigned i = 0; i < TR_SUMS_LEVELS; i++)
		free_level(&w->index.sums.levels[i]);
	free(w->index.sums.last);
	free(w->index.sums.gap_funcs);
	free(w->index.sums.gap_nodes);
}
