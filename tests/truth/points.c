/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses points of the run, the same each time. */
#include "points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

enum { SEED = 2 };

/* How far around an event, in tokens. */
static const struct {
	unsigned before, all;
} near[SETS] = {[SET_TRAP] = {4, 64}, [SET_SWITCH] = {4, 64}, [SET_SIGNAL] = {256, 1024}};
enum { CAUSE_ECALL_U = 8, RT_SIGRETURN = 139, SIGNALS = 64 }; /* of Linux */

struct tokens {
	uint64_t *list;
	size_t count, room;
};

struct survey {
	struct machine *m;
	struct tokens events[SETS];
	bool failed;
};

static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void add(struct survey *s, enum point_set set)
{
	struct tokens *t = &s->events[set];

	if (tr_grow(&t->list, &t->room, t->count + 1, sizeof(*t->list)))
		t->list[t->count++] = soc_instret(s->m->soc, 0);
	else
		s->failed = true;
}

static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct survey *s = user;

	(void)hart;
	add(s, SET_TRAP);
	if (trap->cause == CAUSE_ECALL_U && soc_x(s->m->soc, 0, A7) == RT_SIGRETURN)
		add(s, SET_SIGNAL);
}

/* Linux starts a handler: the number, and what it is told at sp. */
static void on_xret(void *user, unsigned hart, unsigned priv)
{
	struct survey *s = user;
	uint64_t number = soc_x(s->m->soc, 0, A0);

	(void)hart;
	if (priv == PRIV_U && number - 1 < SIGNALS &&
	    soc_x(s->m->soc, 0, A0 + 1) == soc_x(s->m->soc, 0, SP))
		add(s, SET_SIGNAL);
}

static void on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct survey *s = user;

	(void)hart;
	if (reg == TP && soc_priv(s->m->soc, 0) == PRIV_S && value >> 63)
		add(s, SET_SWITCH);
}

static int by_token(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->token != y->token)
		return x->token < y->token ? -1 : 1;
	return (x->set > y->set) - (x->set < y->set);
}

static uint64_t near_event(const struct points *p, const struct survey *s, int set,
			   uint64_t *state)
{
	const struct tokens *t = &s->events[set];
	uint64_t token = t->list[draw(state) % t->count];

	token += draw(state) % near[set].all;
	token -= token < near[set].before ? token : near[set].before;
	return token < p->tokens ? token : p->tokens - 1;
}

static void choose(struct points *p, const struct survey *s, const size_t most[SETS])
{
	uint64_t state = SEED;

	for (int set = 0; set < SETS; set++)
		for (size_t i = 0; i < most[set]; i++) {
			struct point *point = &p->points[p->count++];
			point->set = (enum point_set)set;
			if (set == SET_RUN)
				point->token = draw(&state) % p->tokens;
			else
				point->token = near_event(p, s, set, &state);
		}
	qsort(p->points, p->count, sizeof(*p->points), by_token);
}

static bool has_events(const struct survey *s, const size_t most[SETS])
{
	for (int set = SET_RUN + 1; set < SETS; set++)
		if (most[set] && !s->events[set].count)
			return false;
	return !s->failed;
}

bool points_choose(struct points *p, struct machine *m, const size_t most[SETS])
{
	struct survey s = {.m = m};
	const struct soc_hooks hooks = {
	    .user = &s, .trap = on_trap, .xret = on_xret, .reg = on_reg};
	enum soc_stop stop;
	size_t count = 0;
	bool ok;

	for (int set = 0; set < SETS; set++)
		count += most[set];
	*p = (struct points){.points = calloc(count, sizeof(*p->points))};
	soc_set_hooks(m->soc, &hooks);
	stop = soc_run(m->soc, UINT64_MAX, UINT64_MAX);
	p->tokens = soc_instret(m->soc, 0);
	ok = stop == SOC_STOP_POWER && p->points && has_events(&s, most);
	if (ok)
		choose(p, &s, most);
	else
		fprintf(stderr,
			"truth: the run does not end, or nothing happens in it\n");
	for (int set = 0; set < SETS; set++)
		free(s.events[set].list);
	return ok;
}

void points_free(struct points *p)
{
	free(p->points);
}

/* Who runs in row `i`; `context` is where the search goes on. */
static void read_context(struct point *point, const struct tr_shart *part, uint32_t i,
			 uint32_t *context)
{
	if (!part->ncontexts)
		return;
	while (*context + 1 < part->ncontexts &&
	       part->contexts[*context + 1].first_row <= i)
		++*context;
	point->process = part->contexts[*context].process;
	point->priv = part->contexts[*context].priv;
}

static size_t read_part(struct points *p, size_t next, const struct tr_shart *part,
			uint64_t *done)
{
	uint32_t context = 0;

	for (uint32_t i = 0; i < part->nrows; i++) {
		const struct tr_srow *row = &part->rows[i];
		*done += row->instructions;
		for (; next < p->count && p->points[next].token < *done; next++) {
			p->points[next].node = row->node;
			p->points[next].thread = row->thread;
			read_context(&p->points[next], part, i, &context);
		}
	}
	return next;
}

bool points_read(struct points *p, struct tr_reader *reader)
{
	const struct tr_sframe *frame;
	uint64_t done = 0;
	size_t next = 0;
	int status;

	while ((status = tr_reader_next_stacks(reader, &frame)) == TR_OK)
		for (uint32_t i = 0; i < frame->nharts; i++)
			next = read_part(p, next, &frame->harts[i], &done);
	if (status != TR_END)
		fprintf(stderr, "truth: %s\n", tr_reader_message(reader));
	else if (done != p->tokens)
		fprintf(stderr,
			"truth: the stacks have %" PRIu64
			" instructions, the run %" PRIu64 "\n",
			done, p->tokens);
	return status == TR_END && done == p->tokens;
}
