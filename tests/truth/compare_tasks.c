/* SPDX-License-Identifier: Apache-2.0 */
/* Compares who runs according to probes in a replay of a trace with the memory of the
 * machine, which runs again for this:
 *
 *	compare-tasks [--break] [--ram SIZE] [--dtb FILE] [--initrd FILE] BINS TRACE
 *IMAGE…
 *
 * The trace is that of soc-model, with one hart. The points are those of `truth --linux`,
 * in all modes. The replay and the probe's types come from the project's library;
 *offsets, page tables and registers here do not.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "linux/identity.h"
#include "points.h"
#include "probe/probe.h"
#include "replay/replay.h"
#include "replay/view.h"
#include "replay/watch.h"

enum { EXIT_HOLDS = 0, EXIT_SHORT = 1, EXIT_TROUBLE = 2 };
enum { BREAK_EVERY = 500, PRINTED = 10, POINTS_LEAST = 20000 };
/* The fields of the probe: numbers as in struct identity, and then comm. */
enum { COMM = IDENTITY_NUMBERS, FIELDS };

static const char expressions[] =
    "current->pid; current->tgid; current->real_parent->tgid; "
    "current->(__state|state); current->comm";
static const char *const names[FIELDS] = {"pid", "tgid", "ppid", "state", "comm"};

struct tasks {
	struct machine_parts parts;
	struct machine machine;
	struct soc *follower; /* of the replay */
	struct identity_layout layout;
	struct points points;
	struct tr_reader *reader;
	struct replay *replay;
	struct tr_probes *probes;
	size_t place, next; /* next: point */
	bool breaks;
	uint64_t compared[PRIV_M + 1], differ, nobody, missed;
	bool is_seen[UINT16_MAX + 1]; /* pids */
};

/* --- one point */

static bool is_missing(const struct tr_probe_value *value)
{
	return value->kind == TR_PROBE_MISSING;
}

static bool is_same_text(const struct tr_probe_value *value, const char *text)
{
	return value->kind == TR_PROBE_STRING && value->size == strlen(text) &&
	       memcmp(value->data, text, value->size) == 0;
}

/* Returns the first field that differs, or FIELDS. */
static int first_other(const struct identity *mine, const struct tr_probe_value *values)
{
	for (int i = 0; i < COMM; i++) {
		bool is_unknown = i == IDENTITY_PPID ? mine->is_orphan : mine->is_missing;

		if (is_unknown ? !is_missing(&values[i])
			       : is_missing(&values[i]) ||
				     (uint32_t)values[i].number != mine->numbers[i])
			return i;
	}
	if (mine->is_missing ? is_missing(&values[COMM])
			     : is_same_text(&values[COMM], mine->comm))
		return FIELDS;
	return COMM;
}

static void print_difference(const struct tasks *t, const struct identity *mine,
			     const struct tr_probe_value *values, int field)
{
	printf("tasks: instruction %" PRIu64 ", privilege %u, pid %" PRIu32
	       " (%s): %s is ",
	       t->points.points[t->next].token, soc_priv(t->machine.soc, 0),
	       mine->numbers[IDENTITY_PID], mine->comm, names[field]);
	tr_probe_value_print(&values[field], stdout);
	printf(" in the replay\n");
}

/* Before there is a task, the probe must say that its values are missing. */
static void compare(struct tasks *t, const struct tr_probe_value *values)
{
	const struct machine *m = &t->machine;
	struct identity mine;

	identity_read(m, &t->layout, task_current(m), &mine);
	t->compared[soc_priv(m->soc, 0)]++;
	t->nobody += mine.is_missing;
	if (!mine.is_missing)
		t->is_seen[mine.numbers[IDENTITY_PID] & UINT16_MAX] = true;
	if (t->breaks && t->next % BREAK_EVERY == 0)
		mine.numbers[IDENTITY_PPID]++;
	int field = first_other(&mine, values);
	if (field != FIELDS && t->differ++ < PRINTED)
		print_difference(t, &mine, values, field);
}

/* --- the replay */

/* An instruction takes at least one cycle, so the point is not before that cycle. */
static void await_point(struct tasks *t, uint64_t token, uint64_t cycle)
{
	const struct points *p = &t->points;

	if (t->next < p->count)
		replay_watch_cycle(t->replay, 0,
				   cycle + p->points[t->next].token - token);
}

static void take_points(struct tasks *t, const struct tr_probe_value *values,
			uint64_t token)
{
	const struct points *p = &t->points;

	while (t->next < p->count && p->points[t->next].token == token) {
		compare(t, values);
		t->next++;
	}
}

static void reached(void *user, const struct replay_reached *at)
{
	struct tasks *t = user;
	struct replay_view view = {t->follower, at->hart};
	const struct tr_probe_machine machine = replay_machine(&view, at->pc, at->cycle);
	const struct points *p = &t->points;
	uint64_t token = soc_instret(t->follower, at->hart);
	struct tr_probe_hit hit;

	if (p->points[t->next].token == token) {
		soc_run(t->machine.soc, token, UINT64_MAX);
		if (tr_probes_hit(t->probes, t->place, &machine, NULL, &hit))
			take_points(t, hit.values, token);
	}
	for (; t->next < p->count && p->points[t->next].token < token; t->next++)
		t->missed++;
	await_point(t, token, at->cycle);
}

static bool wants(void *user, uint64_t pc)
{
	(void)user, (void)pc;
	return false;
}

static bool follow(struct tasks *t)
{
	const struct replay_watch watch = {.user = t, .wants = wants, .reached = reached};
	const struct tr_frame *frame;
	int status;

	t->replay = replay_new(t->follower, t->reader);
	if (!t->replay)
		return false;
	replay_watch(t->replay, &watch);
	await_point(t, 0, 0);
	while ((status = tr_reader_next(t->reader, &frame)) == TR_OK &&
	       replay_frame(t->replay, frame))
		continue;
	if (status == TR_END && replay_end(t->replay))
		return true;
	fprintf(stderr, "tasks: %s\n",
		status == TR_OK || status == TR_END ? replay_message(t->replay)
						    : tr_reader_message(t->reader));
	return false;
}

/* --- preparation */

/* The machine runs twice: to choose the points, and for the comparison. */
static bool prepare(struct tasks *t, const char *bins, const char *trace)
{
	static const size_t most[SETS] = POINTS_LINUX;

	if (!machine_open(&t->machine, bins) ||
	    !identity_layout(&t->layout, t->machine.kernel))
		return false;
	machine_reset(&t->machine, &t->parts);
	if (!points_choose(&t->points, &t->machine, most, false))
		return false;
	machine_reset(&t->machine, &t->parts);
	t->follower = t->machine.soc;
	t->machine.soc = NULL;
	machine_reset(&t->machine, &t->parts);
	struct tr_image *kernel = t->machine.kernel->image;
	t->probes = tr_probes_new();
	if (!t->probes ||
	    tr_probes_expression(t->probes, expressions, "kernel", tr_image_path(kernel),
				 tr_image_code(kernel, 0)->address, &t->place) != TR_OK) {
		fprintf(stderr, "tasks: %s\n",
			t->probes ? tr_probes_message(t->probes) : "no memory");
		return false;
	}
	if (tr_reader_open(&t->reader, trace, 1) == TR_OK)
		return true;
	fprintf(stderr, "tasks: %s\n", tr_reader_message(t->reader));
	return false;
}

static bool read_options(struct tasks *t, int argc, char **argv)
{
	static const struct option options[] = {
	    {"break", no_argument, NULL, 'b'}, MACHINE_OPTIONS, {NULL, 0, NULL, 0}};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		t->breaks |= option == 'b';
		machine_option(&t->parts, option);
		if (option == '?')
			return false;
	}
	return machine_images(&t->parts, argc, argv);
}

static int print(const struct tasks *t)
{
	const uint64_t *n = t->compared;
	uint64_t points = n[PRIV_U] + n[PRIV_S] + n[PRIV_M];
	unsigned pids = 0;

	for (size_t i = 0; i <= UINT16_MAX; i++)
		pids += t->is_seen[i];
	printf("tasks: %" PRIu64 " points (%" PRIu64 " in user code, %" PRIu64
	       " in the kernel, %" PRIu64 " in the firmware), %u pids: %" PRIu64
	       " equal in pid, tgid, ppid, state and comm, %" PRIu64 " differ\n",
	       points, n[PRIV_U], n[PRIV_S], n[PRIV_M], pids, points - t->differ,
	       t->differ);
	printf("tasks: of these %" PRIu64 " before the first task, where both say so\n",
	       t->nobody);
	if (points < POINTS_LEAST || t->missed || points != t->points.count)
		printf("tasks: %" PRIu64 " of %zu points compared, %d are needed\n",
		       points, t->points.count, POINTS_LEAST);
	return t->differ || points < POINTS_LEAST || points != t->points.count
		   ? EXIT_SHORT
		   : EXIT_HOLDS;
}

int main(int argc, char **argv)
{
	static struct tasks t;
	int status = EXIT_TROUBLE;

	if (!read_options(&t, argc, argv)) {
		fprintf(stderr,
			"usage: compare-tasks [--break] [--ram SIZE] [--dtb FILE] "
			"[--initrd FILE] BINS TRACE IMAGE…\n");
		return EXIT_TROUBLE;
	}
	if (prepare(&t, argv[optind], argv[optind + 1]) && follow(&t))
		status = print(&t);
	replay_free(t.replay);
	tr_probes_free(t.probes);
	tr_reader_close(t.reader);
	points_free(&t.points);
	soc_free(t.follower);
	machine_close(&t.machine);
	return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}
