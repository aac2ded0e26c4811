/* SPDX-License-Identifier: Apache-2.0 */
/* Compares tr-unwind's stacks and threads with the machine's own at every instruction of
 * a bare-metal program, which must have at least the given numbers of tasks and of nested
 * traps:
 *
 *	truth-bare [--break] [--windows FILE] [--follow TRACE] [--tasks N] [--traps N]
 *	           BINS STACKS IMAGE
 *
 * With --follow the run is that of the hardware whose trace the stacks are from.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../names.h"
#include "../score.h"
#include "system.h"
#include "unwound.h"

enum {
	EXIT_HOLDS = 0,
	EXIT_SHORT = 1,
	EXIT_TROUBLE = 2,
	BREAK_EVERY = 500,
	BREAK_UP_TO = 100000
};
enum { TASKS = 64, THREADS = 256, LEFTS = 4 };

struct task {
	struct bare_task key;
	unsigned open; /* frames missing from the trace */
};

struct bare {
	struct machine machine;
	struct machine_parts parts;
	struct walk walk, called; /* called: at the call of the unwinder */
	struct bare_task task, caller;
	struct leaver {
		struct walk walk;
		struct bare_task task;
	} left[LEFTS]; /* code that leaves its stack for another one, by active traps */
	struct unwound unwound;
	struct score score;
	struct score_part part;
	struct task tasks[TASKS];
	uint64_t together[TASKS][THREADS]; /* instructions with this task and thread */
	unsigned ntasks, traps;
	unsigned least_tasks, least_traps;
	bool breaks, has_ended;
};

/* Returns whether the function overwrites the slots where it has saved its caller's
 * registers. */
static bool is_unwinder(const char *name)
{
	return strcmp(name, "_Unwind_RaiseException") == 0 ||
	       strcmp(name, "_Unwind_Resume") == 0 ||
	       strcmp(name, "_Unwind_Resume_or_Rethrow") == 0;
}

/* Below the unwinder, the frames are those at its call. */
static void put_below_unwinder(struct bare *b, uint64_t pc)
{
	struct walk *walk = &b->walk;
	unsigned i = 0;

	while (i < walk->count && !is_unwinder(walk->frames[i].name))
		i++;
	if (i == walk->count)
		return;
	if (i == 0 && bare_is_entry(&b->machine, pc)) {
		b->called = *walk;
		b->caller = b->task;
		return;
	}
	walk->count = i;
	for (unsigned k = 0; k < b->called.count && walk->count < WALK_DEPTH; k++)
		walk->frames[walk->count++] = b->called.frames[k];
	walk->lost = b->called.lost;
	b->task = b->caller;
}

/* Code that leaves its stack belongs to the task that it leaves until it transfers
 * control. Returns false, and does nothing, if the instruction at pc is other code. */
static bool stay(struct bare *b, uint64_t pc)
{
	if (!b->walk.count || !bare_is_leaving(&b->machine, pc, b->walk.frames[0].pc))
		return false;
	b->walk.frames[0].pc = pc;
	if (b->walk.traps < LEFTS) {
		b->left[b->walk.traps].walk = b->walk;
		b->left[b->walk.traps].task = b->task;
	}
	return true;
}

/* The same holds if a trap interrupts that code, up to the end of both: then the frames
 * from it on are those before the trap. */
static void put_below_left(struct bare *b, const struct leaver *left)
{
	struct walk *walk = &b->walk;
	unsigned i = 0;

	while (i < walk->count && walk->frames[i].pc != left->walk.frames[0].pc)
		i++;
	if (i == walk->count || !left->walk.count)
		return;
	walk->count = i;
	for (unsigned k = 0; k < left->walk.count && walk->count < WALK_DEPTH; k++)
		walk->frames[walk->count++] = left->walk.frames[k];
	walk->lost = left->walk.lost;
	b->task = left->task;
}

static void look(struct bare *b)
{
	uint64_t pc = soc_pc(b->machine.soc, 0);

	if (stay(b, pc))
		return;
	walk_stack(&b->machine, &bare_system, &b->walk);
	b->task = bare_task();
	put_below_unwinder(b, pc);
	for (unsigned i = LEFTS; i-- > 0;)
		put_below_left(b, &b->left[i]);
}

/* A trap precedes the instruction: the stack at this time is compared. */
static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	(void)hart;
	stay(user, trap->epc);
	look(user);
}

static unsigned task_number(struct bare *b, struct bare_task task)
{
	unsigned i = 0;

	while (i < b->ntasks && (b->tasks[i].key.bottom != task.bottom ||
				 strcmp(b->tasks[i].key.root, task.root) != 0))
		i++;
	if (i == b->ntasks && i < TASKS - 1)
		b->tasks[b->ntasks++] = (struct task){task, WALK_DEPTH};
	return i;
}

static void lose_a_frame(struct walk *walk)
{
	memmove(&walk->frames[1], &walk->frames[2],
		(--walk->count - 1) * sizeof(walk->frames[0]));
}

/* Marks frames older than the trace, or before a gap, as missing. */
static void forget(struct bare *b)
{
	for (unsigned i = 0; i < b->ntasks; i++)
		b->tasks[i].open = WALK_DEPTH;
}

static void compare(struct bare *b, const struct unwound_row *row, uint64_t token)
{
	unsigned task = task_number(b, b->task);
	struct point point = {
	    .token = token, .node = row->node, .thread = row->thread, .priv = PRIV_M};

	if (b->breaks && token % BREAK_EVERY == 0 && b->walk.count > 2)
		lose_a_frame(&b->walk);
	if (b->traps < b->walk.traps)
		b->traps = b->walk.traps;
	if (row->thread < THREADS)
		b->together[task][row->thread]++;
	if (b->tasks[task].open > b->walk.count - 1)
		b->tasks[task].open = b->walk.count - 1;
	b->part.open = b->unwound.is_cut ? b->tasks[task].open : 0;
	score_point(&b->score, b->unwound.reader, &point, &b->walk);
}

/* Compares every instruction from the first traced one on. */
static void run(struct bare *b)
{
	const struct soc *soc = b->machine.soc;
	const struct soc_hooks hooks = {.user = b, .trap = on_trap};
	uint64_t token = 0, end = unwound_tokens(&b->unwound);

	if (b->breaks && end > BREAK_UP_TO)
		end = BREAK_UP_TO;
	while (soc_cycle(soc, 0) < b->unwound.start_cycle)
		machine_take_traps(&b->machine);
	machine_set_hooks(&b->machine, &hooks);
	while (token < end) {
		bool is_first;
		const struct unwound_row *row = unwound_at(&b->unwound, token, &is_first);
		if (b->machine.follow)
			machine_run(&b->machine, token);
		look(b);
		machine_take_traps(&b->machine);
		if (is_first)
			forget(b);
		if (row)
			compare(b, row, token);
		token++;
	}
	b->has_ended = b->machine.follow
			   ? machine_run(&b->machine, UINT64_MAX) == SOC_STOP_POWER
			   : soc_power_state(soc) == SOC_POWERED_OFF;
}

/* Returns the instructions on a thread most of which belongs to another task. */
static uint64_t count_foreign(const struct bare *b)
{
	uint64_t foreign = 0;

	for (unsigned i = 0; i < THREADS; i++) {
		uint64_t most = 0, all = 0;
		for (unsigned task = 0; task < b->ntasks; task++) {
			all += b->together[task][i];
			if (b->together[task][i] > most)
				most = b->together[task][i];
		}
		foreign += all - most;
	}
	return foreign;
}

/* Returns the instructions of a task that are not on its main thread. In a partially
 * traced run, the trace may not show that two threads are one task. */
static uint64_t count_parted(const struct bare *b)
{
	uint64_t parted = 0;

	for (unsigned task = 0; task < b->ntasks && !b->unwound.is_cut; task++) {
		uint64_t most = 0;
		for (unsigned i = 0; i < THREADS; i++) {
			parted += b->together[task][i];
			if (b->together[task][i] > most)
				most = b->together[task][i];
		}
		parted -= most;
	}
	return parted;
}

static bool report(const struct bare *b, const char *path)
{
	const struct score_row *all = &b->score.rows[ROW_RUN];
	const char *name = strrchr(path, '/');
	uint64_t wrong = count_foreign(b) + count_parted(b);

	printf("truth: %s: %" PRIu64
	       " instructions of %u tasks with up to %u traps, %" PRIu64
	       " on the wrong task, %" PRIu64 " stacks differ, %" PRIu64 " not known\n",
	       name ? name + 1 : path, all->points, b->ntasks, b->traps, wrong,
	       all->points - all->equal - all->excluded, all->excluded);
	if (!b->unwound.is_cut && !b->breaks && !b->has_ended) {
		printf("truth: %s: the run does not end\n", path);
		return false;
	}
	const bool are_named = names_print(stdout);
	return all->points && all->equal == all->points && wrong == 0 && are_named &&
	       b->ntasks >= b->least_tasks && b->traps >= b->least_traps;
}

static bool prepare(struct bare *b, char **argv, const char *windows)
{
	b->parts.images = argv + 2;
	b->parts.count = 1;
	if (!machine_open(&b->machine, argv[0]))
		return false;
	machine_reset(&b->machine, &b->parts);
	return bare_init(&b->machine) && unwound_open(&b->unwound, argv[1], windows,
						      soc_image_hash(b->machine.soc));
}

static bool read_option(struct bare *b, const char *name, const char *value,
			const char **windows)
{
	if (strcmp(name, "--windows") == 0)
		*windows = value;
	else if (strcmp(name, "--follow") == 0)
		b->parts.trace = value;
	else if (strcmp(name, "--tasks") == 0)
		b->least_tasks = (unsigned)strtoul(value, NULL, 10);
	else if (strcmp(name, "--traps") == 0)
		b->least_traps = (unsigned)strtoul(value, NULL, 10);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	static struct bare b;
	const char *windows = NULL;
	int first = 1, status = EXIT_TROUBLE;

	b.score.part = &b.part;
	if (first < argc && strcmp(argv[first], "--break") == 0)
		b.breaks = first++;
	while (first + 1 < argc &&
	       read_option(&b, argv[first], argv[first + 1], &windows))
		first += 2;
	if (argc - first != 3) {
		fprintf(stderr, "usage: truth-bare [--break] [--windows FILE] "
				"[--follow TRACE] [--tasks N] [--traps N] "
				"BINS STACKS IMAGE\n");
		return EXIT_TROUBLE;
	}
	if (prepare(&b, argv + first, windows)) {
		run(&b);
		status = report(&b, argv[first + 1]) ? EXIT_HOLDS : EXIT_SHORT;
	}
	unwound_close(&b.unwound);
	machine_close(&b.machine);
	return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}
