/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run, for tr-fold --serve. */
#include "cli/cli_serve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flame/picture.h"
#include "flame/tint.h"
#include "serve/serve.h"
#include "serve/serve_page.h"

enum {
	STATE_NS = 200000000,  /* between two states */
	GRAPH_NS = 1000000000, /* between two graphs */
	GRAPH_PART = 20,       /* a graph takes at most 1 part in this of the time */
	RATE_STATES = 16,      /* the rate is that of the time of so many states */
	LINGER_MS = 2000,
	NOW_SIZE = 256,
};

struct moment {
	uint64_t ns, cycles;
};

struct tr_cli_serve {
	const struct tr_cli *cli;
	const struct tr_reader *reader;
	struct tr_cli_serve_options options;
	struct tr_serve *server;
	struct moment moments[RATE_STATES]; /* of the last states, in a ring */
	uint64_t nstates, start_ns, state_ns, graph_ns, pause_ns;
	char now[NOW_SIZE]; /* what the harts run */
};

static uint64_t read_serve_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Writes the graph: the page with it if `is_page`. Returns a status. */
static int write_graph(const struct tr_cli_serve *s, const struct tr_profile *profile,
		       bool is_page, FILE *file)
{
	const struct tr_cli_serve_options *o = &s->options;
	struct tr_folded *folded = tr_folded_new();
	char subtitle[96];
	int status = folded ? TR_OK : TR_E_NOMEM;
	if (!status && o->classes)
		status = tr_folded_divide(folded, o->classes->count + 1);
	if (!status && profile)
		status = tr_profile_fold(profile, folded, tr_tint_of,
					 tr_reader_header(s->reader));
	if (!status) {
		tr_flame_total(subtitle, sizeof(subtitle),
			       tr_folded_sum(folded, o->instructions), o->unit, 0);
		const struct tr_flame flame = {.title = o->title,
					       .subtitle = subtitle,
					       .footer = "",
					       .unit = o->unit,
					       .other_unit = o->other_unit,
					       .which = o->instructions,
					       .classes = o->classes};
		status = is_page ? tr_serve_page(folded, &flame, file)
				 : tr_flame_model(folded, &flame, file);
	}
	tr_folded_free(folded);
	return status;
}

/* Returns the graph as text, for the caller to free. */
static char *graph_text(const struct tr_cli_serve *s, const struct tr_profile *profile,
			bool is_page, size_t *size)
{
	char *text = NULL;
	FILE *memory = open_memstream(&text, size);
	tr_cli_need(s->cli, memory);
	int status = write_graph(s, profile, is_page, memory);
	if (fclose(memory) != 0)
		status = TR_E_NOMEM;
	tr_cli_check(s->cli, status);
	return text;
}

struct tr_cli_serve *tr_cli_serve_start(const struct tr_cli *cli,
					const struct tr_reader *reader,
					const struct tr_cli_serve_options *options)
{
	struct tr_cli_serve *s = calloc(1, sizeof(*s));
	size_t size;
	tr_cli_need(cli, s);
	*s = (struct tr_cli_serve){.cli = cli,
				   .reader = reader,
				   .options = *options,
				   .start_ns = read_serve_clock()};
	char *page = graph_text(s, NULL, true, &size);
	int status = tr_serve_start(&s->server, options->port, page, size);
	free(page);
	if (status == TR_E_IO)
		tr_die(cli, "--serve %u: %s", options->port, strerror(errno));
	tr_cli_check(cli, status);
	tr_warn(cli, "serving http://127.0.0.1:%u/", tr_serve_port(s->server));
	return s;
}

/* Notes the threads of the last rows of a frame, such as "sh#3" or "hart 0: sort[19]". */
static void note_now(struct tr_cli_serve *s, const struct tr_profile *profile,
		     const struct tr_sframe *frame)
{
	size_t used = 0;
	for (uint32_t h = 0; h < frame->nharts; h++) {
		const struct tr_shart *hart = &frame->harts[h];
		if (!hart->nrows || used >= sizeof(s->now) - 1)
			continue;
		uint32_t id = hart->rows[hart->nrows - 1].thread;
		char place[24] = "";
		if (frame->nharts > 1)
			snprintf(place, sizeof(place), "hart %" PRIu32 ": ", hart->hart);
		used += (size_t)snprintf(s->now + used, sizeof(s->now) - used,
					 "%s%s%.60s", used ? ", " : "", place,
					 tr_profile_thread_label(profile, id));
	}
}

/* Returns the share of the work done, below 0 if that is not known. */
static double estimate_progress(const struct tr_cli_serve *s, uint64_t cycles)
{
	uint64_t size = tr_reader_size(s->reader);
	double share = -1;
	if (s->options.expect)
		share = (double)cycles / (double)s->options.expect;
	else if (size)
		share = (double)tr_reader_offset(s->reader) / (double)size;
	return share > 1 ? 1 : share;
}

/* Returns cycles per second since some states ago, or since the start at the end. */
static double rate_of(struct tr_cli_serve *s, struct moment now, bool is_done)
{
	uint64_t oldest = s->nstates < RATE_STATES ? 0 : (s->nstates + 1) % RATE_STATES;
	struct moment from = s->moments[oldest];
	s->moments[s->nstates % RATE_STATES] = now;
	if (is_done || !s->nstates++)
		from = (struct moment){.ns = s->start_ns};
	if (now.ns <= from.ns)
		return 0;
	return (double)(now.cycles - from.cycles) * 1e9 / (double)(now.ns - from.ns);
}

static void publish_state(struct tr_cli_serve *s, const struct tr_profile *profile,
			  bool is_done)
{
	const struct tr_charge cycles = tr_profile_charge(profile, false);
	const struct tr_charge instructions = tr_profile_charge(profile, true);
	const struct moment now = {read_serve_clock(),
				   cycles.charged + cycles.before + cycles.after};
	double share = is_done ? 1 : estimate_progress(s, now.cycles);
	double seconds = (double)(now.ns - s->start_ns) / 1e9;
	double rate = rate_of(s, now, is_done);
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	tr_cli_need(s->cli, memory);
	fprintf(memory,
		"{\"cycles\":%" PRIu64 ",\"instructions\":%" PRIu64
		",\"rate\":%.0f,\"done\":%s,\"now\":",
		now.cycles,
		instructions.charged + instructions.before + instructions.after, rate,
		is_done ? "true" : "false");
	tr_flame_quoted(memory, is_done ? "" : s->now);
	if (share < 0)
		fputs(",\"share\":null,\"left\":null}", memory);
	else if (share == 0)
		fputs(",\"share\":0,\"left\":null}", memory);
	else
		fprintf(memory, ",\"share\":%.4f,\"left\":%.1f}", share,
			seconds * (1 - share) / share);
	tr_cli_check(s->cli,
		     fclose(memory) ? TR_E_NOMEM : tr_serve_state(s->server, text, size));
	free(text);
	s->state_ns = now.ns;
}

static void publish_graph(struct tr_cli_serve *s, const struct tr_profile *profile)
{
	size_t size;
	uint64_t start = read_serve_clock();
	char *text = graph_text(s, profile, false, &size);
	tr_cli_check(s->cli, tr_serve_graph(s->server, text, size));
	free(text);
	s->graph_ns = read_serve_clock();
	s->pause_ns = (s->graph_ns - start) * GRAPH_PART;
	if (s->pause_ns < GRAPH_NS)
		s->pause_ns = GRAPH_NS;
}

void tr_cli_serve_take(struct tr_cli_serve *s, const struct tr_profile *profile,
		       const struct tr_sframe *frame)
{
	if (!s)
		return;
	uint64_t now = read_serve_clock();
	note_now(s, profile, frame);
	if (now - s->state_ns >= STATE_NS)
		publish_state(s, profile, false);
	if (now - s->graph_ns >= s->pause_ns &&
	    (!s->graph_ns || tr_serve_wanted(s->server)))
		publish_graph(s, profile);
}

void tr_cli_serve_end(struct tr_cli_serve *s, const struct tr_profile *profile)
{
	if (!s)
		return;
	publish_state(s, profile, true);
	publish_graph(s, profile);
	tr_serve_linger(s->server, LINGER_MS);
	tr_serve_stop(s->server);
	free(s);
}
