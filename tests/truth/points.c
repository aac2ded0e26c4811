/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses points of the run, the same in every run of the test. */
#include "points.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "code.h"
#include "stream/insn.h"

enum { SEED = 2 };

/* Distance from an event, in tokens. */
static const struct {
	unsigned before, all;
} near[SETS] = {[SET_TRAP] = {4, 64}, [SET_SWITCH] = {4, 64}, [SET_SIGNAL] = {256, 1024},
		[SET_FIRST] = {0, 4}, [SET_INSIDE] = {0, 2},  [SET_ENTRY] = {64, 128}};
enum { CAUSE_ECALL_U = 8, RT_SIGRETURN = 139, SIGNALS = 64 }; /* of Linux */

struct tokens {
	uint64_t *list;
	size_t count, room;
};

struct survey {
	struct machine *m;
	struct tokens events[SETS];
	unsigned priv[SOC_HARTS_MAX]; /* of the next instruction */
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
		t->list[t->count++] = machine_instret(s->m);
	else
		s->failed = true;
}

static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct survey *s = user;

	s->priv[hart] = trap->priv;
	add(s, SET_TRAP);
	if (trap->priv == PRIV_S)
		add(s, SET_ENTRY);
	if (trap->cause == CAUSE_ECALL_U && soc_x(s->m->soc, hart, A7) == RT_SIGRETURN)
		add(s, SET_SIGNAL);
}

/* Linux starts a signal handler; gets the number, and the information at sp. */
static void on_xret(void *user, unsigned hart, unsigned priv)
{
	struct survey *s = user;
	uint64_t number = soc_x(s->m->soc, hart, A0);

	if (s->priv[hart] == PRIV_S)
		add(s, SET_ENTRY);
	s->priv[hart] = priv;
	if (priv == PRIV_U && number - 1 < SIGNALS &&
	    soc_x(s->m->soc, hart, A0 + 1) == soc_x(s->m->soc, hart, SP))
		add(s, SET_SIGNAL);
}

static void on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct survey *s = user;

	if (reg != TP || soc_priv(s->m->soc, hart) != PRIV_S || !(value >> 63))
		return;
	add(s, SET_SWITCH);
	add(s, SET_FIRST);
}

static bool is_inside(const struct binary *binary, const struct soc_commit *commit)
{
	const struct tr_function *function =
	    tr_image_function_at(binary->image, commit->pc);

	if (!function || binary_insn(binary, commit->pc) != commit->insn)
		return false;
	struct op op = code_at(binary, commit->pc);
	return op.kind == OP_CALL && op.target != function->entry &&
	       op.target - function->low < function->high - function->low;
}

/* Checks for a `jal` that links. */
static void on_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	struct survey *s = user;

	(void)hart;
	if (tr_insn_opcode(commit->insn) != TR_OPCODE_JAL || !commit->rd)
		return;
	for (size_t i = 0; i < s->m->nbinaries; i++)
		if (is_inside(&s->m->binaries[i], commit)) {
			add(s, SET_INSIDE);
			return;
		}
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

/* Chooses all points of a set if they are few enough, else some. */
static void choose_set(struct points *p, const struct survey *s, enum point_set set,
		       size_t most, uint64_t *state)
{
	const struct tokens *t = &s->events[set];
	bool is_all =
	    (set == SET_FIRST || set == SET_INSIDE) && t->count * near[set].all <= most;

	if (set != SET_RUN && !t->count)
		return;
	if (is_all)
		most = t->count * near[set].all;
	for (size_t i = 0; i < most; i++) {
		struct point *point = &p->points[p->count++];
		point->set = set;
		if (set == SET_RUN)
			point->token = draw(state) % p->tokens;
		else if (is_all)
			point->token = t->list[i / near[set].all] + i % near[set].all;
		else
			point->token = near_event(p, s, set, state);
		if (point->token >= p->tokens)
			point->token = p->tokens - 1;
	}
}

static bool choose_every(struct points *p)
{
	p->points = calloc(p->tokens, sizeof(*p->points));
	for (; p->points && p->count < p->tokens; p->count++)
		p->points[p->count].token = p->count;
	return p->points;
}

static bool choose(struct points *p, const struct survey *s, const size_t most[SETS])
{
	uint64_t state = SEED;
	size_t count = 0;

	if (most[SET_RUN] == POINTS_EVERY)
		return choose_every(p);
	for (int set = 0; set < SETS; set++)
		count += most[set];
	p->points = calloc(count, sizeof(*p->points));
	for (int set = 0; p->points && set < SETS; set++)
		choose_set(p, s, (enum point_set)set, most[set], &state);
	if (p->points)
		qsort(p->points, p->count, sizeof(*p->points), by_token);
	return p->points;
}

static bool has_events(const struct survey *s, const size_t most[SETS])
{
	for (int set = SET_RUN + 1; set < SETS; set++)
		if (most[set] && !s->events[set].count)
			return false;
	return true;
}

bool points_choose(struct points *p, struct machine *m, const size_t most[SETS],
		   bool needs_all)
{
	struct survey s = {.m = m, .priv = {PRIV_M, PRIV_M, PRIV_M, PRIV_M}};
	const struct soc_hooks hooks = {.user = &s,
					.trap = on_trap,
					.xret = on_xret,
					.reg = on_reg,
					.commit = most[SET_INSIDE] ? on_commit : NULL};

	*p = (struct points){.points = NULL};
	machine_set_hooks(m, &hooks);
	enum soc_stop stop = machine_run(m, UINT64_MAX);
	p->tokens = machine_instret(m);
	bool ok = stop == SOC_STOP_POWER && !s.failed &&
		  (!needs_all || has_events(&s, most)) && choose(p, &s, most);
	if (!ok)
		fprintf(stderr,
			"truth: the run does not end, or nothing happens in it\n");
	for (int set = 0; set < SETS; set++)
		free(s.events[set].list);
	return ok;
}

/* Another name of a thread, the newest first. */
struct point_name {
	struct point_name *next;
	uint32_t thread;
	char name[];
};

void points_free(struct points *p)
{
	for (struct point_name *n = p->names, *next; n; n = next) {
		next = n->next;
		free(n);
	}
	free(p->points);
}

static bool take_names(struct points *p, const struct tr_sframe *frame)
{
	for (uint32_t i = 0; i < frame->nnames; i++) {
		const size_t size = strlen(frame->names[i].name) + 1;
		struct point_name *n = malloc(sizeof(*n) + size);

		if (!n)
			return false;
		n->thread = frame->names[i].thread;
		memcpy(n->name, frame->names[i].name, size);
		n->next = p->names;
		p->names = n;
	}
	return true;
}

static const char *name_of_thread(const struct points *p, const struct tr_reader *reader,
				  uint32_t thread)
{
	for (const struct point_name *n = p->names; n; n = n->next)
		if (n->thread == thread)
			return n->name;
	return tr_reader_thread(reader, thread)->name;
}

/* Reads who runs in row `i`; the search continues at `context`. */
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

/* Returns the hart of the next token, whose state is still that before it. */
static unsigned step(struct machine *m, uint64_t *own)
{
	uint64_t before[SOC_HARTS_MAX];
	unsigned hart = 0;

	for (unsigned i = 0; i < soc_harts(m->soc); i++)
		before[i] = soc_instret(m->soc, i);
	soc_step(m->soc);
	while (hart + 1 < soc_harts(m->soc) && soc_instret(m->soc, hart) == before[hart])
		hart++;
	*own = before[hart];
	return hart;
}

void points_locate(struct points *p, struct machine *m)
{
	for (size_t i = 0; i < p->count; i++) {
		struct point *point = &p->points[i];

		point->own = point->token;
		if (soc_harts(m->soc) == 1)
			continue;
		if (i && point->token == point[-1].token) {
			point->own = point[-1].own;
			point->hart = point[-1].hart;
			continue;
		}
		soc_run(m->soc, point->token, UINT64_MAX);
		point->hart = step(m, &point->own);
	}
}

/* Position in the stacks of a hart. */
struct lane {
	uint64_t done; /* tokens */
	size_t next;   /* point */
};

static void read_part(struct points *p, const struct tr_reader *reader, struct lane *lane,
		      const struct tr_shart *part)
{
	uint32_t context = 0;

	for (uint32_t i = 0; i < part->nrows; i++) {
		const struct tr_srow *row = &part->rows[i];
		lane->done += row->instructions;
		for (; lane->next < p->count; lane->next++) {
			struct point *point = &p->points[lane->next];
			if (point->hart != part->hart)
				continue;
			if (point->own >= lane->done)
				break;
			point->node = row->node;
			point->thread = row->thread;
			point->name = name_of_thread(p, reader, row->thread);
			read_context(point, part, i, &context);
		}
	}
}

bool points_read(struct points *p, struct tr_reader *reader)
{
	struct lane lanes[SOC_HARTS_MAX] = {{0}};
	const struct tr_sframe *frame;
	uint64_t done = 0;
	int status;

	while ((status = tr_reader_next_stacks(reader, &frame)) == TR_OK &&
	       take_names(p, frame))
		for (uint32_t i = 0; i < frame->nharts; i++)
			if (frame->harts[i].hart < SOC_HARTS_MAX)
				read_part(p, reader, &lanes[frame->harts[i].hart],
					  &frame->harts[i]);
	for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
		done += lanes[i].done;
	if (status != TR_END)
		fprintf(stderr, "truth: %s\n",
			status ? tr_reader_message(reader) : "no memory");
	else if (done != p->tokens)
		fprintf(stderr,
			"truth: the stacks have %" PRIu64
			" instructions, the run %" PRIu64 "\n",
			done, p->tokens);
	return status == TR_END && done == p->tokens;
}
