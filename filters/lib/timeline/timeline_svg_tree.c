/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of processes: each below its parent, from its fork to its exit, with the time
 * that it ran, and its execs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame/flame.h"
#include "flame/picture.h"
#include "timeline/timeline_svg_internal.h"

enum { ROW = 16, LIFE = 13, INDENT = 6, MOST_INDENT = 5 * INDENT, MODES = 4 };
enum { MOST_ROWS = 400 };
/* In place of a task: the one that a hart ran before its first switch. */
#define FIRST_OF_HART UINT32_C(0x80000000)
/* What ran at all is at least this high; columns overlap, so that no ground is seen
 * between them. */
static const double LEAST = 2.5, OVER = 0.8;

struct tree {
	const struct tr_tasks *tasks;
	uint32_t *order, *depths;
	uint32_t count;
	uint32_t *row;			  /* of each process: its row, or TR_TASK_NONE */
	uint64_t *ran;			  /* of each process: its cycles */
	uint64_t (*sums)[COLUMNS][MODES]; /* of each row */
	uint32_t rows;
};

/* Taking steps */

static unsigned mode_of(const struct tr_profile_step *step)
{
	static const uint8_t modes[] = {
	    [TR_PRIV_U] = 0, [TR_PRIV_S] = 1, [TR_PRIV_M] = 2};
	return step->has_context && step->priv < sizeof(modes) && step->priv != 2
		   ? modes[step->priv]
		   : 3;
}

bool tr_timeline_tree_step(struct tr_timeline_picture *p, const struct hart_row *hart,
			   const struct tr_profile_step *step, uint64_t from, uint64_t to)
{
	const uint32_t task = tr_tasks_running(p->tasks, hart->number);
	const uint32_t who =
	    task == TR_TASK_NONE ? (FIRST_OF_HART >> 2) | hart->id : task;
	return tr_timeline_columns_add(p->runs, from, to, who << 2 | mode_of(step));
}

/* Preparing rows */

static void free_tree(struct tree *tree)
{
	free(tree->order);
	free(tree->depths);
	free(tree->row);
	free(tree->ran);
	free(tree->sums);
}

static int by_ran(const void *left, const void *right, void *argument)
{
	const struct tree *tree = argument;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint64_t at = tree->ran[a], other = tree->ran[b];
	return at != other ? (at < other) - (at > other) : (a > b) - (a < b);
}

/* Returns how many of a process and those above it in the tree have no row yet, or more
 * than MOST_ROWS. */
static uint32_t count_rowless(const struct tree *tree, uint32_t at)
{
	uint32_t count = 0;
	for (; at != TR_TASK_NONE && tree->row[at] == TR_TASK_NONE && count <= MOST_ROWS;
	     at = tr_tasks_at(tree->tasks, at)->parent)
		count++;
	return count;
}

/* Gives the processes that ran the longest a row, and those above them in the tree. */
static bool choose_rows(struct tree *tree)
{
	uint32_t *best = malloc((tree->count + 1UL) * sizeof(*best));
	if (!best)
		return false;
	memcpy(best, tree->order, tree->count * sizeof(*best));
	if (tree->count > MOST_ROWS)
		qsort_r(best, tree->count, sizeof(*best), by_ran, tree);
	for (uint32_t i = 0; i < tree->count && tree->rows < MOST_ROWS; i++) {
		uint32_t more = count_rowless(tree, best[i]), at = best[i];
		if (tree->rows + more > MOST_ROWS)
			continue;
		for (tree->rows += more; more; more--) {
			tree->row[at] = 0;
			at = tr_tasks_at(tree->tasks, at)->parent;
		}
	}
	uint32_t row = 0;
	for (uint32_t i = 0; i < tree->count; i++)
		if (tree->row[tree->order[i]] != TR_TASK_NONE)
			tree->row[tree->order[i]] = row++;
	free(best);
	return true;
}

/* Adds the cycles of the columns to the rows. */
static void fill_rows(struct tree *tree, const struct tr_timeline_picture *p)
{
	for (unsigned i = 0; i < COLUMNS; i++)
		for (uint32_t k = 0; k < p->runs->column[i].count; k++) {
			const struct cell *cell = &p->runs->column[i].cells[k];
			uint32_t task = cell->key >> 2;
			if (cell->key != TR_TIMELINE_NONE && task & FIRST_OF_HART >> 2)
				task = tr_tasks_first(p->tasks,
						      p->harts[task & 0xff].number);
			const uint32_t row =
			    cell->key == TR_TIMELINE_NONE || task == TR_TASK_NONE
				? TR_TASK_NONE
				: tree->row[tr_tasks_at(p->tasks, task)->process];
			if (row != TR_TASK_NONE)
				tree->sums[row][i][cell->key & 3] += cell->cycles;
		}
}

/* Returns false when out of memory; free the tree in any case. */
static bool make_tree(struct tree *tree, const struct tr_timeline_picture *p)
{
	const uint32_t tasks = tr_tasks_count(p->tasks);
	*tree = (struct tree){.tasks = p->tasks};
	tree->order = tr_tasks_tree(p->tasks, &tree->depths, &tree->count);
	tree->row = malloc((tasks + 1UL) * sizeof(*tree->row));
	tree->ran = calloc(tasks + 1UL, sizeof(*tree->ran));
	if (!tree->order || !tree->row || !tree->ran)
		return false;
	memset(tree->row, 0xff, tasks * sizeof(*tree->row));
	for (uint32_t i = 0; i < tasks; i++)
		tree->ran[tr_tasks_at(p->tasks, i)->process] +=
		    tr_tasks_at(p->tasks, i)->ran;
	if (!choose_rows(tree))
		return false;
	tree->sums = calloc(tree->rows + 1UL, sizeof(*tree->sums));
	if (!tree->sums)
		return false;
	fill_rows(tree, p);
	return true;
}

/* Drawing */

/* Returns the place of a cycle of the run, within the picture. */
static double x_of_cycle(const struct page *page, uint64_t cycle)
{
	const uint64_t from = page->p->from;
	const uint64_t at = cycle > from ? cycle - from : 0;
	return page_x(page, at < page->span ? at : page->span);
}

static void put_process_title(const struct page *page, const struct tree *tree,
			      const struct tr_task *task, uint32_t id)
{
	char label[TR_TASK_LABEL], number[3][28];
	fputs("<title>", page->file);
	tr_flame_xml(page->file, tr_task_label(task, label));
	if (task->parent != TR_TASK_NONE) {
		fputs(" of ", page->file);
		tr_flame_xml(
		    page->file,
		    tr_task_label(tr_tasks_at(tree->tasks, task->parent), label));
	}
	fprintf(page->file, "\nran %s cycles, from %s ",
		tr_flame_number(tree->ran[id], number[0]),
		tr_flame_number(task->start, number[1]));
	if (task->end == UINT64_MAX)
		fputs("on</title>\n", page->file);
	else
		fprintf(page->file, "to its exit at %s (0x%" PRIx64 ")</title>\n",
			tr_flame_number(task->end, number[2]), task->code);
}

/* Writes the name of a process, which is cut if it does not fit, and its number. */
static void put_label(const struct page *page, const struct tr_task *task, uint32_t depth)
{
	char number[16];
	const unsigned indent =
	    depth * INDENT < MOST_INDENT ? depth * INDENT : MOST_INDENT;
	bool whole;
	snprintf(number, sizeof(number), task->is_numbered ? "[%" PRId32 "]" : "",
		 task->pid);
	const unsigned room = PAGE_LEFT - FLAME_PAD - 4 - indent;
	const unsigned used = tr_flame_text_width(number);
	const size_t bytes = tr_flame_fit(
	    task->comm, room > used ? (room - used) * 1000 / FLAME_FONT : 0, &whole);
	fprintf(page->file, "<text class=\"note\" x=\"%u\" y=\"%u\">", FLAME_PAD + indent,
		page->y + LIFE - 3);
	tr_flame_xml_part(page->file, task->comm, bytes);
	fprintf(page->file, "%s%s</text>\n", whole ? "" : "..", number);
}

/* The parts of a column's row, in hundredths of a pixel, U-mode first. */
struct parts {
	int heights[MODES];
};

static struct parts parts_of(const struct page *page, const uint64_t sums[MODES],
			     unsigned column)
{
	const uint64_t width = page->p->runs->width;
	const double cycles = (double)(page_end(page, column, width) - column * width);
	struct parts parts = {{0}};
	double sum = 0;
	for (unsigned i = 0; i < MODES; i++)
		sum += (double)sums[i];
	if (sum <= 0)
		return parts;
	double height = LIFE * sum / cycles;
	height = height < LEAST ? LEAST : height > LIFE ? LIFE : height;
	for (unsigned i = 0; i < MODES; i++)
		parts.heights[i] = (int)(100 * height * (double)sums[i] / sum + 0.5);
	return parts;
}

static void put_parts(const struct page *page, const struct parts *parts, bool is_idle,
		      uint64_t from, uint64_t to)
{
	static const char *const classes[MODES] = {"U", "S", "M", "V"};
	const double x = page_x(page, from), width = page_x(page, to) - x + OVER;
	double y = page->y + LIFE;
	for (unsigned i = 0; i < MODES; i++) {
		const double height = parts->heights[i] / 100.0;
		y -= height;
		if (parts->heights[i])
			fprintf(page->file,
				"<path class=\"%s\" d=\"M%.2f %.2fh%.2fv%.2fH%.2fz\"/>\n",
				is_idle ? "idle" : classes[i], x, y, width, height, x);
	}
}

/* Draws when the process ran; equal columns that meet are one. */
static void put_process_runs(const struct page *page, const uint64_t (*sums)[MODES],
			     bool is_idle)
{
	const uint64_t width = page->p->runs->width;
	struct parts parts = {{0}}, next;
	uint64_t from = 0;
	for (unsigned i = 0; page_has(page, i, width); i++) {
		next = parts_of(page, sums[i], i);
		if (memcmp(&next, &parts, sizeof(parts)) == 0)
			continue;
		put_parts(page, &parts, is_idle, from, i * width);
		from = i * width;
		parts = next;
	}
	const uint64_t end = COLUMNS * width;
	put_parts(page, &parts, is_idle, from, end < page->span ? end : page->span);
}

/* Draws a mark for each exec in the picture, and the name that the process has from then
 * on, as far as it fits. */
static void put_execs(const struct page *page, const struct tree *tree,
		      const struct tr_task *task)
{
	const struct tr_task_name *name;
	for (uint32_t i = task->first_name; i != TR_TASK_NONE; i = name->next) {
		name = tr_tasks_name(tree->tasks, i);
		if (!name->program || name->cycle < page->p->from ||
		    name->cycle > page->p->from + page->span)
			continue;
		const double x = x_of_cycle(page, name->cycle);
		fprintf(page->file,
			"<path class=\"exec\" d=\"M%.2f %uh6l-3 5z\"><title>exec ", x - 3,
			page->y);
		tr_flame_xml(page->file, name->program);
		fputs(": ", page->file);
		tr_flame_xml(page->file, name->arguments);
		fputs("</title></path>\n", page->file);
	}
}

static void put_process(struct page *page, const struct tree *tree, uint32_t id,
			uint32_t depth, const unsigned *ys)
{
	const struct tr_task *task = tr_tasks_at(tree->tasks, id);
	const double x = x_of_cycle(page, task->start), end = x_of_cycle(page, task->end);
	put_label(page, task, depth);
	if (task->parent != TR_TASK_NONE && task->start >= page->p->from)
		fprintf(page->file, "<path class=\"fork\" d=\"M%.2f %uV%.1f\"/>\n", x,
			ys[tree->row[task->parent]] + LIFE, page->y + LIFE / 2.0);
	fputs("<g class=\"row\">", page->file);
	put_process_title(page, tree, task, id);
	fprintf(
	    page->file,
	    "<rect class=\"life\" x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\"/>\n",
	    x, page->y, end - x < 1 ? 1 : end - x, LIFE);
	put_process_runs(page, (const uint64_t(*)[MODES])tree->sums[tree->row[id]],
			 !task->pid);
	put_execs(page, tree, task);
	fputs("</g>\n", page->file);
}

/* Draws the rows. Returns false when out of memory. */
static bool put_process_rows(struct page *page, const struct tree *tree)
{
	unsigned *ys = calloc(tree->rows + 1UL, sizeof(*ys));
	if (!ys)
		return false;
	for (uint32_t i = 0; i < tree->count; i++) {
		const uint32_t row = tree->row[tree->order[i]];
		if (row == TR_TASK_NONE)
			continue;
		ys[row] = page->y;
		put_process(page, tree, tree->order[i], tree->depths[i], ys);
		page->y += ROW;
	}
	free(ys);
	return true;
}

int tr_timeline_draw_tree(struct page *page)
{
	struct tree tree;
	char number[28];
	bool good = make_tree(&tree, page->p);
	if (good) {
		fprintf(page->file,
			"<text x=\"%d\" y=\"%u\">processes</text><text class=\"note\" "
			"x=\"%d\" y=\"%u\">below their parents, from fork to exit; the "
			"higher, the more of the time a process ran; grey is the idle "
			"task; triangles are execs",
			FLAME_PAD, page->y + 8, PAGE_LEFT, page->y + 8);
		if (tree.rows < tree.count)
			fprintf(page->file, "; %s more processes are not drawn",
				tr_flame_number(tree.count - tree.rows, number));
		fputs("</text>\n", page->file);
		page->y += 2 * PAGE_GAP + 4;
		good = put_process_rows(page, &tree);
		page->y += 2 * PAGE_GAP;
	}
	free_tree(&tree);
	return good ? TR_OK : TR_E_NOMEM;
}
