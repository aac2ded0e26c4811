/* SPDX-License-Identifier: Apache-2.0 */
/* Compares tr-unwind's stacks with the machine's own registers and memory:
 *
 *	truth [--break] [--verbose] [--linux | --gallery] [--every] [--float] [--ram SIZE]
 *	      [--harts N] [--dtb FILE] [--initrd FILE] [--follow TRACE] BINS STACKS IMAGE…
 *
 * The run is that of the model, or with --follow the one of the hardware, of one hart,
 *whose trace the stacks are from.
 *
 * --gallery is for Linux with programs of which nothing is known in advance: they need
 *not have signals, or unwind data everywhere.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "linux/go.h"
#include "linux/linux.h"
#include "points.h"
#include "score.h"
#include "supervisor.h"

enum { EXIT_HOLDS = 0, EXIT_SHORT = 1, EXIT_TROUBLE = 2, BREAK_EVERY = 500 };

struct truth {
	struct machine_parts parts;
	struct machine machine;
	struct points points;
	struct tr_reader *reader;
	struct score score;
	struct walk walk;
	const struct walk_system *system;
	bool breaks, is_linux, is_gallery, is_every, is_at_point;
};

/* A trap precedes the token: the stack at this time is compared. */
static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct truth *t = user;
	unsigned point = t->machine.hart;

	t->machine.hart = hart;
	if (t->system->trapped)
		t->system->trapped(&t->machine, trap->priv);
	if (t->is_at_point && hart == point)
		walk_stack(&t->machine, t->system, &t->walk);
	t->machine.hart = point;
}

static void on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct truth *t = user;
	unsigned point = t->machine.hart;

	t->machine.hart = hart;
	if (reg == TP && soc_priv(t->machine.soc, hart) == PRIV_S && value >> 63)
		t->system->switched(&t->machine);
	t->machine.hart = point;
}

/* Breaks a stack, to check that the comparison detects it. */
static void lose_a_frame(struct walk *walk)
{
	if (walk->count < 2)
		return;
	walk->count--;
	memmove(&walk->frames[1], &walk->frames[2],
		(walk->count - 1) * sizeof(walk->frames[0]));
}

/* Returns whether the next instruction is one where something must be recorded. */
static bool is_met(const struct truth *t)
{
	return t->is_linux
		   ? go_is_at(&t->machine)
		   : soc_pc(t->machine.soc, t->machine.hart) == supervisor_exit_pc();
}

static void record(const struct truth *t)
{
	if (t->is_linux)
		go_remember(&t->machine, t->system);
	else
		supervisor_remember(&t->machine);
}

/* Compares at the point's instruction, before it commits; traps come first. */
static void look(struct truth *t)
{
	walk_stack(&t->machine, t->system, &t->walk);
	if (is_met(t))
		record(t);
	t->is_at_point = true;
	machine_take_traps(&t->machine);
	t->is_at_point = false;
}

static void visit(struct truth *t, size_t i)
{
	const struct point *point = &t->points.points[i];

	if (i == 0 || point->token != point[-1].token) {
		while (machine_run(&t->machine, point->token) == SOC_STOP_BREAK) {
			t->machine.hart = soc_current(t->machine.soc);
			record(t);
		}
		t->machine.hart = point->hart;
		look(t);
	}
	if (t->breaks && i % BREAK_EVERY == 0)
		lose_a_frame(&t->walk);
	score_point(&t->score, t->reader, point, &t->walk);
	if (t->is_linux)
		linux_count(&t->machine, &t->walk, t->reader, point);
}

/* The stream must come from this very run. */
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

/* Returns the number of points per set. */
static const size_t *sets_of(const struct truth *t)
{
	static const size_t every[SETS] = {POINTS_EVERY};
	static const size_t most[SETS] = {20000, 4000, 4000};
	static const size_t gallery[SETS] = {40000, 4000, 4000, 3000, 4000, 0, 4000};
	static size_t most_linux[SETS] = POINTS_LINUX;

	if (t->is_every)
		return every;
	if (t->is_gallery)
		return gallery;
	if (!t->is_linux)
		return most;
	if (!linux_has_signals())
		most_linux[SET_SIGNAL] = 0;
	return most_linux;
}

/* Resets the machine, and reads tr-unwind's result for each point. */
static bool prepare(struct truth *t, const char *bins, const char *stacks)
{
	if (!machine_open(&t->machine, bins) ||
	    !(t->is_linux ? linux_init(&t->machine) : supervisor_init(&t->machine)))
		return false;
	machine_reset(&t->machine, &t->parts);
	if (!points_choose(&t->points, &t->machine, sets_of(t), !t->is_gallery))
		return false;
	if (tr_reader_open(&t->reader, stacks, 1) != TR_OK) {
		fprintf(stderr, "truth: %s\n", tr_reader_message(t->reader));
		return false;
	}
	machine_reset(&t->machine, &t->parts);
	points_locate(&t->points, &t->machine);
	if (!is_same_image(t) || !points_read(&t->points, t->reader))
		return false;
	machine_reset(&t->machine, &t->parts);
	return true;
}

static int compare(struct truth *t, const char *bins, const char *stacks)
{
	const struct soc_hooks hooks = {
	    .user = t, .trap = on_trap, .reg = t->system->switched ? on_reg : NULL};

	if (!prepare(t, bins, stacks))
		return EXIT_TROUBLE;
	machine_set_hooks(&t->machine, &hooks);
	if (t->is_linux)
		go_init(&t->machine);
	else
		machine_break_at_pc(&t->machine, supervisor_exit_pc());
	for (size_t i = 0; i < t->points.count; i++)
		visit(t, i);
	if (t->is_linux)
		linux_print(stdout);
	return score_print(&t->score, t->system, stdout) ? EXIT_HOLDS : EXIT_SHORT;
}

static bool read_options(struct truth *t, int argc, char **argv)
{
	static const struct option options[] = {{"break", no_argument, NULL, 'b'},
						{"verbose", no_argument, NULL, 'v'},
						{"linux", no_argument, NULL, 'l'},
						{"gallery", no_argument, NULL, 'g'},
						{"float", no_argument, NULL, 'f'},
						{"every", no_argument, NULL, 'e'},
						{"harts", required_argument, NULL, 'h'},
						{"follow", required_argument, NULL, 't'},
						MACHINE_OPTIONS,
						{NULL, 0, NULL, 0}};
	const struct tr_cli cli = {.program = "truth"};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		t->breaks |= option == 'b';
		t->score.verbose |= option == 'v';
		t->is_linux |= option == 'l' || option == 'g';
		t->is_gallery |= option == 'g';
		t->parts.features.fpu |= option == 'f';
		t->is_every |= option == 'e';
		machine_option(&t->parts, option);
		if (option == 'h')
			t->parts.harts = (unsigned)tr_cli_u64(&cli, "--harts", optarg);
		else if (option == 't')
			t->parts.trace = optarg;
		else if (option == '?')
			return false;
	}
	return machine_images(&t->parts, argc, argv);
}

int main(int argc, char **argv)
{
	static struct truth t = {.system = &supervisor_system, .score.sets = 1};

	if (!read_options(&t, argc, argv)) {
		fprintf(stderr,
			"usage: truth [--break] [--verbose] [--linux | --gallery] "
			"[--every] [--float] [--ram SIZE] [--harts N] [--dtb FILE] "
			"[--initrd FILE] [--follow TRACE] "
			"BINS STACKS IMAGE…\n");
		return EXIT_TROUBLE;
	}
	if (t.is_linux) {
		t.system = &linux_system;
		t.score.sets = SETS;
		t.score.is_strict = !t.is_gallery;
		t.score.may_exclude = t.is_gallery;
	}
	int status = compare(&t, argv[optind], argv[optind + 1]);
	tr_reader_close(t.reader);
	points_free(&t.points);
	machine_close(&t.machine);
	return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}
