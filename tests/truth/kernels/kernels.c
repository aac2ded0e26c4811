/* SPDX-License-Identifier: Apache-2.0 */
/* Compares tr-unwind's tasks and stacks with the machine's own at every instruction of a
 * bare-metal kernel. A cycle on another task or stack must be in doubt, and few others
 *may be. The kernel must have at least the given numbers of tasks and of nested traps:
 *
 *	truth-kernels [--break frames | --break tasks] [--harts N] [--float 1] [--tasks N]
 *	              [--traps N] [--unknown 1] [--middle 1] [--follow TRACE]
 *	              BINS STACKS IMAGE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

#include "../bare/unwound.h"
#include "../score.h"
#include "places.h"

enum { EXIT_HOLDS = 0, EXIT_SHORT = 1, EXIT_TROUBLE = 2, BREAK_EVERY = 20 };
enum {
	THREADS = 1024,
	MOST_INSTRUCTIONS = 20000000,
	BREAK_INSTRUCTIONS = 300000, /* a third of a run */
	SHOWN = 8
};

/* The cycles of a task on a thread: all, and those on another stack than the task's. */
struct together {
	uint64_t all, differ;
};

/* Cycles between the write of sp and the control transfer into the next task: they may be
 * on the thread of either task. */
struct between {
	const struct place_task *from, *to; /* to: NULL: not known yet */
	uint32_t thread;
	uint64_t cycles;
};

struct betweens {
	struct between *list;
	size_t count, room, open; /* open: the first one without `to` */
};

struct kernels {
	struct machine machine;
	struct machine_parts parts;
	struct unwound unwound;
	struct score score;
	struct place places[SOC_HARTS_MAX];
	struct together together[PLACE_TASKS][THREADS];
	struct betweens betweens[SOC_HARTS_MAX];
	uint64_t committed[SOC_HARTS_MAX]; /* cycle of the last instruction */
	uint64_t cycles, short_rows;
	unsigned traps;
	unsigned least_tasks, least_traps;
	bool has_ended;
	bool has_unknown; /* stacks that the comparison does not know */
	bool is_middle; /* the trace begins later than the run: only tasks are compared */
	enum { BREAK_NOTHING, BREAK_FRAMES, BREAK_TASKS } breaks;
};

struct sums {
	uint64_t task, stack; /* cycles on the wrong one */
};

static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct kernels *k = user;
	struct place *place = &k->places[hart];

	k->machine.hart = hart;
	place_inspect(&k->machine, place, trap);
	if (k->traps < place->walk.traps)
		k->traps = place->walk.traps;
}

static void lose_a_frame(struct walk *walk)
{
	memmove(&walk->frames[1], &walk->frames[2],
		(--walk->count - 1) * sizeof(walk->frames[0]));
}

static void add_between(struct betweens *b, const struct place *place, uint32_t thread,
			uint64_t cycles)
{
	struct between *last = b->count > b->open ? &b->list[b->count - 1] : NULL;

	if (last && last->thread == thread && last->from == place->task) {
		last->cycles += cycles;
		return;
	}
	if (!tr_grow(&b->list, &b->room, b->count + 1, sizeof(*b->list)))
		exit(EXIT_TROUBLE);
	b->list[b->count++] = (struct between){place->task, NULL, thread, cycles};
}

static void end_between(struct betweens *b, const struct place_task *to)
{
	while (b->open < b->count)
		b->list[b->open++].to = to;
}

/* Breaks tasks, to check that the comparison detects it: now and then, it is the reset.
 */
static unsigned task_of(const struct kernels *k, const struct place *place,
			uint64_t token)
{
	bool is_broken = k->breaks == BREAK_TASKS && token % BREAK_EVERY == 0;

	return is_broken ? 0 : place_index(place->task);
}

/* Code that runs at another address than the file's may be without a name. */
static void allow_unknown(const struct kernels *k, struct walk *walk, uint32_t id)
{
	const struct tr_image *image = k->machine.kernel->image;

	for (unsigned i = 0; i < walk->count && id; i++) {
		const struct tr_node *node = tr_reader_node(k->unwound.reader, id);
		const struct tr_func *func =
		    tr_reader_func(k->unwound.reader, node->func);
		struct walk_frame *frame = &walk->frames[i];
		if (func->kind == TR_FRAME_UNKNOWN && frame->pc &&
		    !tr_image_function_at(image, frame->pc)) {
			frame->name = func->name;
			frame->binary = func->binary;
		}
		id = node->parent;
	}
}

static void compare_stack(struct kernels *k, struct place *place,
			  const struct unwound_row *row, uint64_t cycles)
{
	const struct score_row *run = &k->score.rows[ROW_RUN];
	uint64_t equal = run->equal + run->excluded;
	struct point point = {.token = run->points,
			      .node = row->node,
			      .thread = row->thread,
			      .priv = (uint8_t)place->walk.priv};
	struct together *together =
	    &k->together[task_of(k, place, point.token)][row->thread];

	if (k->breaks == BREAK_FRAMES && point.token % BREAK_EVERY == 0 &&
	    place->walk.count > 2)
		lose_a_frame(&place->walk);
	place->task->has_run |= place->walk.traps == 0;
	allow_unknown(k, &place->walk, row->node);
	together->all += cycles;
	if (k->is_middle)
		return;
	score_point(&k->score, k->unwound.reader, &point, &place->walk);
	if (run->equal + run->excluded == equal)
		together->differ += cycles;
}

static void compare(struct kernels *k, unsigned hart, uint64_t cycles)
{
	struct place *place = &k->places[hart];
	const struct unwound_row *row = unwound_next(&k->unwound, hart);

	if (!row || row->thread >= THREADS) {
		k->short_rows++;
		return;
	}
	k->cycles += cycles;
	if (place->is_leaving) {
		add_between(&k->betweens[hart], place, row->thread, cycles);
		return;
	}
	end_between(&k->betweens[hart], place->task);
	compare_stack(k, place, row, cycles);
}

static void on_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	struct kernels *k = user;
	uint64_t before = k->committed[hart];

	k->committed[hart] = commit->cycle;
	if (before >= k->unwound.start_cycle)
		compare(k, hart, commit->cycle - before);
	k->machine.hart = hart;
	place_inspect(&k->machine, &k->places[hart], NULL);
}

static void run(struct kernels *k)
{
	const struct soc *soc = k->machine.soc;
	const struct soc_hooks hooks = {.user = k, .trap = on_trap, .commit = on_commit};

	machine_set_hooks(&k->machine, &hooks);
	for (unsigned i = 0; i < soc_harts(soc); i++) {
		k->machine.hart = i;
		place_inspect(&k->machine, &k->places[i], NULL);
	}
	k->has_ended =
	    machine_run(&k->machine, k->breaks ? BREAK_INSTRUCTIONS
					       : MOST_INSTRUCTIONS) == SOC_STOP_POWER;
}

/* Returns whether the task has most of the thread's cycles, and the thread most of the
 * task's. A task that never got beyond the trap before its first instruction cannot be
 * told from the next one on its stack. */
static bool belong_together(const struct kernels *k, unsigned task, unsigned thread)
{
	uint64_t all = k->together[task][thread].all;

	if (!place_task(task)->has_run)
		return true;
	for (unsigned i = 0; i < places_tasks(); i++)
		if (k->together[i][thread].all > all)
			return false;
	for (unsigned i = 0; i < THREADS; i++)
		if (k->together[task][i].all > all)
			return false;
	return all > 0;
}

static uint64_t sum_up_between(const struct kernels *k, const struct betweens *b)
{
	uint64_t wrong = 0;

	for (size_t i = 0; i < b->open; i++) {
		const struct between *between = &b->list[i];
		if (!belong_together(k, place_index(between->from), between->thread) &&
		    !belong_together(k, place_index(between->to), between->thread))
			wrong += between->cycles;
	}
	return wrong;
}

static struct sums sum_up(const struct kernels *k)
{
	struct sums sums = {0, 0};

	for (unsigned task = 0; task < places_tasks(); task++)
		for (unsigned thread = 0; thread < THREADS; thread++) {
			const struct together *t = &k->together[task][thread];
			if (!t->all)
				continue;
			if (belong_together(k, task, thread))
				sums.stack += t->differ;
			else
				sums.task += t->all;
		}
	for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
		sums.task += sum_up_between(k, &k->betweens[i]);
	return sums;
}

/* Returns the task with most of the thread's cycles. */
static unsigned main_task(const struct kernels *k, unsigned thread)
{
	unsigned most = 0;

	for (unsigned i = 0; i < places_tasks(); i++)
		if (k->together[i][thread].all > k->together[most][thread].all)
			most = i;
	return most;
}

/* Gets the task and thread with the most cycles that are wrong and fewer than `below`.
 * Returns the cycles, 0 if there are none. */
static uint64_t next_wrong(const struct kernels *k, uint64_t below, unsigned *task,
			   unsigned *thread)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < places_tasks() * THREADS; i++) {
		uint64_t all = k->together[i / THREADS][i % THREADS].all;
		if (all <= most || all >= below ||
		    belong_together(k, i / THREADS, i % THREADS))
			continue;
		most = all;
		*task = i / THREADS;
		*thread = i % THREADS;
	}
	return most;
}

/* Prints the largest cases of a task's cycles on a wrong thread. */
static void show_wrong(const struct kernels *k)
{
	unsigned task, thread;
	uint64_t cycles = UINT64_MAX;

	for (unsigned n = 0; n < SHOWN; n++) {
		cycles = next_wrong(k, cycles, &task, &thread);
		if (!cycles)
			return;
		printf("truth: task %u: %" PRIu64
		       " cycles are on thread %u, which is mainly task %u\n",
		       task, cycles, thread, main_task(k, thread));
	}
}

static double percent(const struct kernels *k, uint64_t cycles)
{
	return 100.0 * (double)cycles / (double)k->cycles;
}

/* Doubt may exceed the wrong cycles by 2 % of all. */
static bool is_doubted(const struct kernels *k, const struct sums *sums)
{
	uint64_t wrong = sums->task + sums->stack, doubted = unwound_doubted(&k->unwound);

	return wrong <= doubted && doubted - wrong <= k->cycles / 50;
}

static bool report(const struct kernels *k, const char *path)
{
	const struct score_row *all = &k->score.rows[ROW_RUN];
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct sums sums = sum_up(k);

	printf("truth: %s: %" PRIu64 " cycles of %u tasks on %u harts with up to "
	       "%u traps, %.2f %% of the cycles on the wrong task, %.2f %% on the wrong "
	       "stack, %.2f %% in doubt, %" PRIu64 " not known\n",
	       name, k->cycles, places_tasks(), soc_harts(k->machine.soc), k->traps,
	       percent(k, sums.task), percent(k, sums.stack),
	       percent(k, unwound_doubted(&k->unwound)), all->excluded);
	/* Of a part of the run, nothing else may be the reason to fail. */
	if (k->breaks)
		return sums.task + sums.stack <= unwound_doubted(&k->unwound);
	show_wrong(k);
	if (k->short_rows || !k->has_ended) {
		printf("truth: %s: the run does not end, or not with the trace\n", name);
		return false;
	}
	return (all->excluded == 0 || k->has_unknown) && is_doubted(k, &sums) &&
	       places_tasks() >= k->least_tasks && k->traps >= k->least_traps;
}

static bool prepare(struct kernels *k, char **argv)
{
	if (!machine_open(&k->machine, argv[0]))
		return false;
	k->parts.images = argv + 2;
	k->parts.count = 1;
	machine_reset(&k->machine, &k->parts);
	return places_init(&k->machine) &&
	       unwound_open(&k->unwound, argv[1], NULL, soc_image_hash(k->machine.soc));
}

static bool read_option(struct kernels *k, const char *name, const char *value)
{
	unsigned number = (unsigned)strtoul(value, NULL, 10);

	if (strcmp(name, "--harts") == 0)
		k->parts.harts = number;
	else if (strcmp(name, "--follow") == 0)
		k->parts.trace = value;
	else if (strcmp(name, "--float") == 0)
		k->parts.features.fpu = number;
	else if (strcmp(name, "--tasks") == 0)
		k->least_tasks = number;
	else if (strcmp(name, "--traps") == 0)
		k->least_traps = number;
	else if (strcmp(name, "--unknown") == 0)
		k->has_unknown = number;
	else if (strcmp(name, "--middle") == 0)
		k->is_middle = number;
	else if (strcmp(name, "--break") == 0)
		k->breaks = strcmp(value, "tasks") == 0 ? BREAK_TASKS : BREAK_FRAMES;
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	static struct kernels k = {.score.verbose = true};
	int first = 1, status = EXIT_TROUBLE;

	while (first + 1 < argc && read_option(&k, argv[first], argv[first + 1]))
		first += 2;
	if (argc - first != 3) {
		fprintf(stderr, "usage: truth-kernels [--break frames | --break tasks] "
				"[--harts N] [--float 1] [--tasks N] [--traps N] "
				"[--unknown 1] [--middle 1] [--follow TRACE] "
				"BINS STACKS IMAGE\n");
		return EXIT_TROUBLE;
	}
	if (prepare(&k, argv + first)) {
		run(&k);
		status = report(&k, argv[first + 1]) ? EXIT_HOLDS : EXIT_SHORT;
	}
	for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
		free(k.betweens[i].list);
	places_free();
	unwound_close(&k.unwound);
	machine_close(&k.machine);
	return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}
