/* SPDX-License-Identifier: Apache-2.0 */
/* Compares stacks, frame by frame. */
#include "score.h"

#include <inttypes.h>
#include <string.h>

enum verdict { EQUAL, DIFFER, EXCLUDED };

/* tr-unwind's frames, innermost first. */
struct path {
	const struct tr_func *funcs[WALK_DEPTH];
	unsigned count;
};

static void read_path(const struct tr_reader *reader, uint32_t id, struct path *path)
{
	path->count = 0;
	while (id && path->count < WALK_DEPTH) {
		const struct tr_node *node = tr_reader_node(reader, id);
		path->funcs[path->count++] = tr_reader_func(reader, node->func);
		id = node->parent;
	}
}

static bool is_same(const struct tr_func *func, const struct walk_frame *frame)
{
	return strcmp(func->name, frame->name) == 0 &&
	       strcmp(func->binary, frame->binary) == 0;
}

static bool is_trampoline(const struct walk *walk, unsigned k)
{
	return k + 1 < walk->count &&
	       strcmp(walk->frames[k].name, "__vdso_rt_sigreturn") == 0 &&
	       strcmp(walk->frames[k + 1].name, "[signal]") == 0;
}

/* A signal handler's trampoline commits a single instruction, too little to distinguish
 * it from others with the same bits; tr-unwind may leave it unnamed, or charge it to
 * [signal]. Sets the name. Returns whether one was missing. */
static bool name_trampolines(struct path *path, const struct walk *walk)
{
	static struct tr_func trampoline;
	bool is_missing = false;

	for (unsigned k = 0; k < walk->count && k <= path->count; k++) {
		if (k < path->count && is_same(path->funcs[k], &walk->frames[k]))
			continue;
		if (!is_trampoline(walk, k) || path->count == WALK_DEPTH)
			break;
		if (k == path->count || path->funcs[k]->kind != TR_FRAME_UNKNOWN)
			memmove(&path->funcs[k + 1], &path->funcs[k],
				(path->count++ - k) * sizeof(path->funcs[0]));
		trampoline.name = walk->frames[k].name;
		trampoline.binary = walk->frames[k].binary;
		path->funcs[k] = &trampoline;
		is_missing = true;
	}
	return is_missing;
}

/* Returns how many of the innermost frames agree. */
static unsigned agreeing(const struct path *path, const struct walk *walk)
{
	unsigned i = 0;

	while (i < path->count && i < walk->count &&
	       is_same(path->funcs[i], &walk->frames[i]))
		i++;
	return i;
}

/* Returns whether the frames below the innermost `same` ones are a subsequence of the
 * true ones. */
static bool is_part(const struct path *path, const struct walk *walk, unsigned same)
{
	unsigned k = same;

	for (unsigned i = same; i < path->count; i++) {
		const struct tr_func *func = path->funcs[i];
		if (func->kind == TR_FRAME_UNKNOWN || func->kind == TR_FRAME_GAP)
			continue;
		while (k < walk->count && !is_same(func, &walk->frames[k]))
			k++;
		if (k++ == walk->count)
			return false;
	}
	return true;
}

static enum verdict judge(const struct path *path, const struct walk *walk,
			  const struct score_part *part)
{
	unsigned same = agreeing(path, walk);

	if (part && !walk->lost)
		return same + part->open >= walk->count && is_part(path, walk, same)
			   ? EQUAL
			   : DIFFER;
	if (walk->lost)
		return same == walk->count ? EXCLUDED : DIFFER;
	return same == walk->count && same == path->count ? EQUAL : DIFFER;
}

/* A misaligned access with a page fault: the trap to the firmware is for misalignment,
 * and arrives in the supervisor as a page fault. */
static bool is_handed_on(const struct path *path, const struct walk *walk)
{
	if (walk->is_handed_on)
		return true;
	if (path->count != walk->count)
		return false;
	for (unsigned i = 0; i < path->count; i++)
		if (!is_same(path->funcs[i], &walk->frames[i]) &&
		    (strncmp(path->funcs[i]->name, "[misaligned ", 12) != 0 ||
		     strstr(walk->frames[i].name, " page fault]") == NULL))
			return false;
	return true;
}

static const char *explain(const struct path *path, const struct walk *walk)
{
	if (walk->is_new)
		return "thread before its first instruction";
	return is_handed_on(path, walk) ? "trap that the firmware hands on" : NULL;
}

/* Describes where the two stacks diverge, starting from the root. */
static struct score_class part(const struct path *path, const struct walk *walk)
{
	unsigned i = path->count, k = walk->count;
	struct score_class class = {
	    .below = "the root", .is = "the end", .has = "the end"};

	while (i > 0 && k > 0 && is_same(path->funcs[i - 1], &walk->frames[k - 1])) {
		class.below = path->funcs[--i]->name;
		k--;
	}
	if (k > 0)
		class.is = walk->frames[k - 1].name;
	if (i > 0)
		class.has = path->funcs[i - 1]->name;
	return class;
}

static void show(const struct point *point, const struct path *path,
		 const struct walk *walk)
{
	fprintf(stderr, "truth: token %" PRIu64 ", pc 0x%" PRIx64 "%s%s: is",
		point->token, walk->count ? walk->frames[0].pc : 0,
		walk->lost ? ", lost: " : "", walk->lost ? walk->lost : "");
	for (unsigned i = walk->count; i-- > 0;)
		fprintf(stderr, "%c%s", i + 1 == walk->count ? ' ' : ';',
			walk->frames[i].name);
	fprintf(stderr, ", tr-unwind has");
	for (unsigned i = path->count; i-- > 0;)
		fprintf(stderr, "%c%s", i + 1 == path->count ? ' ' : ';',
			path->funcs[i]->name);
	fprintf(stderr, "\n");
}

static bool is_same_class(const struct score_class *a, const struct score_class *b)
{
	if (a->is_excluded != b->is_excluded || !a->reason != !b->reason)
		return false;
	if (a->reason)
		return strcmp(a->reason, b->reason) == 0;
	return strcmp(a->below, b->below) == 0 && strcmp(a->is, b->is) == 0 &&
	       strcmp(a->has, b->has) == 0;
}

/* Returns whether the class is new; the last one counts the rest when there are too
 * many. */
static bool count_class(struct score *score, enum point_set set,
			const struct score_class *class)
{
	unsigned i = 0;

	while (i < score->nclasses && !is_same_class(&score->classes[i], class))
		i++;
	bool is_new = i == score->nclasses;
	if (i == SCORE_CLASSES) {
		is_new = false;
		i--;
	} else if (is_new) {
		score->classes[score->nclasses++] = *class;
	}
	score->classes[i].points[set]++;
	return is_new;
}

static void classify(struct score *score, const struct point *point,
		     const struct path *path, const struct walk *walk, bool is_excluded)
{
	struct score_class class = part(path, walk);

	class.is_excluded = is_excluded;
	class.reason = is_excluded ? walk->lost : explain(path, walk);
	if (count_class(score, point->set, &class) && (!class.reason || score->verbose))
		show(point, path, walk);
}
static void count(struct score_row *row, const struct score_row *one)
{
	row->points += one->points;
	row->equal += one->equal;
	row->excluded += one->excluded;
	row->threads += one->threads;
	row->privileges += one->privileges;
	row->users += one->users;
	row->processes += one->processes;
}

static void count_rows(struct score *score, const struct point *point,
		       const struct walk *walk, const struct score_row *one)
{
	if (point->set != SET_RUN) {
		count(&score->rows[ROW_SETS + point->set - 1], one);
		return;
	}
	count(&score->rows[ROW_RUN], one);
	count(&score->rows[walk->place], one);
	if (walk->traps)
		count(&score->rows[ROW_TRAP_STACK], one);
	if (walk->has_tailcall)
		count(&score->rows[ROW_TAIL_STACK], one);
}

/* A coroutine is a thread with a name of its own. */
static bool is_of_program(const struct score *score, const struct path *path,
			  const struct point *point, const struct walk *walk)
{
	const char *program = walk->program->name;

	return strcmp(point->name, program) == 0 ||
	       (score->may_exclude && path->count &&
		strcmp(path->funcs[path->count - 1]->name, program) == 0);
}

void score_point(struct score *score, struct tr_reader *reader, const struct point *point,
		 const struct walk *walk)
{
	static struct path path;
	const struct tr_thread *thread = tr_reader_thread(reader, point->thread);
	struct score_row one = {.points = 1};

	read_path(reader, point->node, &path);
	bool is_unnamed = name_trampolines(&path, walk);
	enum verdict verdict = judge(&path, walk, score->part);
	score->unnamed[point->set] += is_unnamed && verdict == EQUAL;
	one.equal = verdict == EQUAL;
	one.excluded = verdict == EXCLUDED;
	one.threads = thread->tp == walk->thread;
	one.privileges = point->priv == walk->priv;
	one.users = walk->program && !walk->is_new;
	one.processes = one.users && is_of_program(score, &path, point, walk);
	count_rows(score, point, walk, &one);
	if (verdict != EQUAL)
		classify(score, point, &path, walk, verdict == EXCLUDED);
}
