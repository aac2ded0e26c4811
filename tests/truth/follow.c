/* SPDX-License-Identifier: Apache-2.0 */
/* Stops of a replay, as those of a run of the model. */
#include "follow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "replay/replay.h"
#include "replay/watch.h"

static const struct tr_cli cli = {.program = "truth"}; /* for messages */

struct follow {
	const char *trace;
	struct soc *soc;
	struct tr_reader *reader;
	struct replay *replay;
	struct soc_hooks replayed; /* the replay's own hooks, which are called first */
	struct soc_hooks hooks;
	uint64_t breaks[SOC_MAX_BREAKS];
	unsigned nbreaks;
	uint64_t goal; /* instructions */
	enum soc_stop stop;
	bool has_ended; /* the last frame was followed */
};

/* ------------------------------------------------------------ hooks */

static void on_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct follow *f = user;

	f->replayed.row(f->replayed.user, hart, row);
}

static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct follow *f = user;

	f->replayed.trap(f->replayed.user, hart, trap);
	if (f->hooks.trap)
		f->hooks.trap(f->hooks.user, hart, trap);
}

static void on_xret(void *user, unsigned hart, unsigned priv)
{
	struct follow *f = user;

	f->replayed.xret(f->replayed.user, hart, priv);
	if (f->hooks.xret)
		f->hooks.xret(f->hooks.user, hart, priv);
}

static void on_satp(void *user, unsigned hart, uint64_t satp)
{
	struct follow *f = user;

	f->replayed.satp(f->replayed.user, hart, satp);
	if (f->hooks.satp)
		f->hooks.satp(f->hooks.user, hart, satp);
}

static void on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct follow *f = user;

	f->replayed.reg(f->replayed.user, hart, reg, value);
	if (f->hooks.reg)
		f->hooks.reg(f->hooks.user, hart, reg, value);
}

static void on_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	struct follow *f = user;

	f->hooks.commit(f->hooks.user, hart, commit);
}

void follow_set_hooks(struct follow *f, const struct soc_hooks *hooks)
{
	const struct soc_hooks all = {.user = f,
				      .row = on_row,
				      .trap = on_trap,
				      .xret = on_xret,
				      .satp = on_satp,
				      .reg = on_reg,
				      .commit = hooks->commit ? on_commit : NULL};

	f->hooks = *hooks;
	soc_set_hooks(f->soc, &all);
}

/* ------------------------------------------------------------ stops */

static bool is_break(void *user, uint64_t pc)
{
	const struct follow *f = user;

	for (unsigned i = 0; i < f->nbreaks; i++)
		if (f->breaks[i] == pc)
			return true;
	return false;
}

static void reached(void *user, const struct replay_reached *at)
{
	struct follow *f = user;

	if (soc_instret(f->soc, at->hart) >= f->goal)
		f->stop = SOC_STOP_LIMIT;
	else if (is_break(f, at->pc))
		f->stop = SOC_STOP_BREAK;
	else
		return;
	replay_pause(f->replay);
}

bool follow_break_at_pc(struct follow *f, uint64_t pc)
{
	if (f->nbreaks == SOC_MAX_BREAKS)
		return false;
	f->breaks[f->nbreaks++] = pc;
	return true;
}

/* Goes on to the next pause, or through one frame, or to the end of the trace. Returns
 * false if the replay does. */
static bool advance(struct follow *f)
{
	const struct tr_frame *frame;

	if (replay_is_paused(f->replay))
		return replay_resume(f->replay);
	int status = tr_reader_next(f->reader, &frame);
	if (status == TR_OK)
		return replay_frame(f->replay, frame);
	if (status != TR_END)
		tr_die(&cli, "%s", tr_reader_message(f->reader));
	f->has_ended = true;
	return replay_end(f->replay);
}

static enum soc_stop stop_at_end(const struct follow *f)
{
	const struct tr_header *end = tr_reader_end(f->reader);
	const char *how = end ? tr_header_get(end, "end") : NULL;

	return how && strcmp(how, "power-off") == 0 ? SOC_STOP_POWER : SOC_STOP_LIMIT;
}

enum soc_stop follow_run(struct follow *f, uint64_t instret)
{
	if (replay_is_paused(f->replay) && soc_instret(f->soc, 0) >= instret)
		return SOC_STOP_LIMIT;
	f->goal = instret;
	replay_watch_instruction(f->replay, 0, instret);
	while (!f->has_ended || replay_is_paused(f->replay)) {
		bool done = advance(f);
		if (replay_is_paused(f->replay))
			return f->stop;
		if (!done)
			tr_die(&cli, "%s: %s", f->trace, replay_message(f->replay));
	}
	return stop_at_end(f);
}

/* ------------------------------------------------------------ opening and closing */

/* The trace must be of these programs. */
static bool is_of_machine(const struct follow *f)
{
	const struct tr_header *header = tr_reader_header(f->reader);
	const char *hash = tr_header_get(header, "image_hash");
	char mine[20];

	snprintf(mine, sizeof(mine), "%016" PRIx64, soc_image_hash(f->soc));
	if (hash && strcmp(hash, mine) == 0 && soc_harts(f->soc) == 1 &&
	    tr_header_get_u64(header, "harts", 0) == 1)
		return true;
	fprintf(stderr, "truth: %s: of other images, or of several harts\n", f->trace);
	return false;
}

struct follow *follow_open(struct soc *soc, const char *trace)
{
	struct follow *f = calloc(1, sizeof(*f));
	const struct replay_watch watch = {
	    .user = f, .wants = is_break, .reached = reached};

	if (!f)
		tr_die(&cli, "no memory to follow the trace");
	f->trace = trace;
	f->soc = soc;
	if (tr_reader_open(&f->reader, trace, 1) != TR_OK) {
		fprintf(stderr, "truth: %s\n", tr_reader_message(f->reader));
		follow_close(f);
		return NULL;
	}
	if (!is_of_machine(f)) {
		follow_close(f);
		return NULL;
	}
	f->replay = replay_new(soc, f->reader);
	if (!f->replay)
		tr_die(&cli, "no memory to follow the trace");
	replay_watch(f->replay, &watch);
	f->replayed = *soc_get_hooks(soc);
	return f;
}

void follow_close(struct follow *f)
{
	if (!f)
		return;
	replay_free(f->replay);
	tr_reader_close(f->reader);
	free(f);
}
