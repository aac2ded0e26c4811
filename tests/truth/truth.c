/* SPDX-License-Identifier: Apache-2.0 */
/* Holds tr-unwind's stacks against the machine's own registers and memory:
 * truth [--break] [--verbose] [--linux] [--every] BINS STACKS IMAGE…
 */
#include <stdio.h>
#include <string.h>

#include "linux/linux.h"
#include "points.h"
#include "score.h"
#include "supervisor.h"

enum { EXIT_HOLDS = 0, EXIT_SHORT = 1, EXIT_TROUBLE = 2, BREAK_EVERY = 500 };

struct truth {
	struct machine machine;
	struct points points;
	struct tr_reader *reader;
	struct score score;
	struct walk walk;
	const struct walk_system *system;
	bool breaks, is_linux, is_every, is_at_point;
};

/* A trap comes before the token: what stands on the stack now is what counts. */
static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct truth *t = user;

	(void)hart;
	if (t->system->trapped)
		t->system->trapped(&t->machine, trap->priv);
	if (t->is_at_point)
		walk_stack(&t->machine, t->system, &t->walk);
}

static void on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct truth *t = user;

	(void)hart;
	if (reg == TP && soc_priv(t->machine.soc, 0) == PRIV_S && value >> 63)
		t->system->switched(&t->machine);
}

/* On purpose, to see that the comparison sees it. */
static void lose_a_frame(struct walk *walk)
{
	if (walk->count < 2)
		return;
	walk->count--;
	memmove(&walk->frames[1], &walk->frames[2],
		(walk->count - 1) * sizeof(walk->frames[0]));
}

/* The machine stands before the point's instruction; traps come first. */
static void look(struct truth *t)
{
	struct soc *soc = t->machine.soc;

	walk_stack(&t->machine, t->system, &t->walk);
	if (!t->is_linux && soc_pc(soc, 0) == supervisor_exit_pc())
		supervisor_remember(&t->machine);
	t->is_at_point = true;
	soc_step(soc);
	t->is_at_point = false;
}

static void visit(struct truth *t, size_t i)
{
	const struct point *point = &t->points.points[i];

	if (i == 0 || point->token != point[-1].token) {
		while (soc_run(t->machine.soc, point->token, UINT64_MAX) ==
		       SOC_STOP_BREAK)
			supervisor_remember(&t->machine);
		look(t);
	}
	if (t->breaks && i % BREAK_EVERY == 0)
		lose_a_frame(&t->walk);
	score_point(&t->score, t->reader, point, &t->walk);
	if (t->is_linux)
		linux_count(&t->machine, &t->walk, t->reader, point);
}

/* The stream must be of this very run. */
static bool is_same_image(const struct truth *t)
{
	const char *hash = tr_header_get(tr_reader_header(t->reader), "image_hash");
	char mine[20];

	snprintf(mine, sizeof(mine), "%016llx",
		 (unsigned long long)soc_image_hash(t->machine.soc));
	if (hash && strcmp(hash, mine) == 0)
		return true;
	fprintf(stderr, "truth: the stacks are of other images\n");
	return false;
}

/* The machine at reset, and what tr-unwind says of each point. */
static bool prepare(struct truth *t, char **argv, int argc)
{
	static const size_t most[SETS] = {20000, 4000, 4000};
	static const size_t most_linux[SETS] = {10000, 4000, 3000, 3000, 40000, 40000};
	static const size_t every[SETS] = {POINTS_EVERY};
	const size_t *chosen = t->is_linux ? most_linux : most;
	uint64_t ram = t->is_linux ? LINUX_RAM : 0;

	if (!machine_open(&t->machine, argv[0]) ||
	    !(t->is_linux ? linux_init(&t->machine) : supervisor_init(&t->machine)) ||
	    !machine_reset(&t->machine, ram, argv + 2, argc - 2) ||
	    !points_choose(&t->points, &t->machine, t->is_every ? every : chosen))
		return false;
	if (tr_reader_open(&t->reader, argv[1], 1) != TR_OK) {
		fprintf(stderr, "truth: %s\n", tr_reader_message(t->reader));
		return false;
	}
	return is_same_image(t) && points_read(&t->points, t->reader) &&
	       machine_reset(&t->machine, ram, argv + 2, argc - 2);
}

static int compare(struct truth *t, char **argv, int argc)
{
	const struct soc_hooks hooks = {
	    .user = t, .trap = on_trap, .reg = t->system->switched ? on_reg : NULL};

	if (!prepare(t, argv, argc))
		return EXIT_TROUBLE;
	soc_set_hooks(t->machine.soc, &hooks);
	if (!t->is_linux)
		soc_break_at_pc(t->machine.soc, supervisor_exit_pc());
	for (size_t i = 0; i < t->points.count; i++)
		visit(t, i);
	if (t->is_linux)
		linux_print(stdout);
	return score_print(&t->score, t->system, stdout) ? EXIT_HOLDS : EXIT_SHORT;
}

int main(int argc, char **argv)
{
	static struct truth t = {.system = &supervisor_system, .score.sets = 1};
	int first = 1, status;

	for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
		t.breaks |= strcmp(argv[first], "--break") == 0;
		t.score.verbose |= strcmp(argv[first], "--verbose") == 0;
		t.is_linux |= strcmp(argv[first], "--linux") == 0;
		t.is_every |= strcmp(argv[first], "--every") == 0;
	}
	if (argc - first < 3) {
		fprintf(stderr, "usage: truth [--break] [--verbose] [--linux] [--every] "
				"BINS STACKS IMAGE…\n");
		return EXIT_TROUBLE;
	}
	if (t.is_linux) {
		t.system = &linux_system;
		t.score.sets = SETS;
		t.score.is_strict = true;
	}
	status = compare(&t, argv + first, argc - first);
	tr_reader_close(t.reader);
	points_free(&t.points);
	machine_close(&t.machine);
	return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}
