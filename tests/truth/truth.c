/* SPDX-License-Identifier: Apache-2.0 */
/* Holds tr-unwind's stacks against the machine's own registers and memory:
 * truth [--break] BINS STACKS IMAGE…
 */
#include <stdio.h>
#include <string.h>

#include "points.h"
#include "score.h"
#include "walk.h"

enum { EXIT_HOLDS = 0, EXIT_SHORT = 1, EXIT_TROUBLE = 2, BREAK_EVERY = 500 };

struct truth {
	struct machine machine;
	struct points points;
	struct tr_reader *reader;
	struct score score;
	struct walk walk;
	bool breaks;
};

/* A trap comes before the token: what stands on the stack now is what counts. */
static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct truth *t = user;

	(void)hart;
	(void)trap;
	walk_stack(&t->machine, &t->walk);
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

static void visit(struct truth *t, size_t i)
{
	const struct point *point = &t->points.points[i];

	if (i == 0 || point->token != point[-1].token) {
		const struct soc_hooks hooks = {.user = t, .trap = on_trap},
				       none = {NULL};
		while (soc_run(t->machine.soc, point->token, UINT64_MAX) ==
		       SOC_STOP_BREAK)
			walk_remember(&t->machine, &t->walk);
		walk_stack(&t->machine, &t->walk);
		if (soc_pc(t->machine.soc, 0) == t->machine.thread_exit)
			walk_remember(&t->machine, &t->walk);
		soc_set_hooks(t->machine.soc, &hooks);
		soc_step(t->machine.soc);
		soc_set_hooks(t->machine.soc, &none);
	}
	if (t->breaks && i % BREAK_EVERY == 0)
		lose_a_frame(&t->walk);
	score_point(&t->score, t->reader, point, &t->walk);
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

static int compare(struct truth *t, char **argv, int argc)
{
	if (!machine_open(&t->machine, argv[0]) ||
	    !machine_reset(&t->machine, argv + 2, argc - 2) ||
	    !points_choose(&t->points, &t->machine))
		return EXIT_TROUBLE;
	if (tr_reader_open(&t->reader, argv[1], 1) != TR_OK) {
		fprintf(stderr, "truth: %s\n", tr_reader_message(t->reader));
		return EXIT_TROUBLE;
	}
	if (!is_same_image(t) || !points_read(&t->points, t->reader) ||
	    !machine_reset(&t->machine, argv + 2, argc - 2))
		return EXIT_TROUBLE;
	soc_break_at_pc(t->machine.soc, t->machine.thread_exit);
	for (size_t i = 0; i < t->points.count; i++)
		visit(t, i);
	return score_print(&t->score, stdout) ? EXIT_HOLDS : EXIT_SHORT;
}

int main(int argc, char **argv)
{
	static struct truth truth;
	int first = 1, status;

	if (argc > 1 && strcmp(argv[1], "--break") == 0) {
		truth.breaks = true;
		first = 2;
	}
	if (argc - first < 3) {
		fprintf(stderr, "usage: truth [--break] BINS STACKS IMAGE…\n");
		return EXIT_TROUBLE;
	}
	status = compare(&truth, argv + first, argc - first);
	tr_reader_close(truth.reader);
	points_free(&truth.points);
	machine_close(&truth.machine);
	return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}
