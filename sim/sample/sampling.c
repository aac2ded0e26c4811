/* SPDX-License-Identifier: Apache-2.0 */
#include "sampling.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "children.h"
#include "functional/model_machine.h"
#include "recording.h"
#include "stream/classes.h"

/* Windows between one and the place where its cycles are the model's time. It does not
 * depend on the number of children, so that the run does not. */
enum { LAG = 16 };
/* Instructions after which time passes: less than a tick of mtime at usual rates, so that
 * timers that end soon do not end together. */
enum { STEP = 2048 };
/* Intervals that can be executed before a window: so many windows at most are executed of
 * a run that ends before them. */
enum { MOST_INTERVALS = 8 };

struct sampling {
	struct machine_sample sample; /* must be first */
	struct sampling_options options;
	struct machine *model, *hardware;
	struct children children;
	uint64_t strata; /* intervals that have begun */
	uint64_t next;	 /* instructions before the next window */
	uint64_t point;	 /* instructions before its child begins */
	struct {
		uint64_t cycles, tokens; /* the ratio: cycles above 1 per instruction */
		uint64_t rest;	  /* of what has passed, in 1 / tokens of a cycle */
		uint64_t instret; /* instructions whose time has passed */
	} pace;
	unsigned idle_class;
	struct soc_held *held; /* what is in the last cache */
	/* At a sample point: */
	struct soc_state state;
	struct soc_line_uses uses;
	char message[256];
};

/* ------------------------------------------------------------ options */

static bool set_value(struct sampling_options *o, const char *key, uint64_t value)
{
	const struct {
		const char *key;
		uint64_t *value;
		uint64_t least, most;
	} keys[] = {{"windows", &o->windows, 1, 1000000},
		    {"interval", &o->interval, 1, UINT64_MAX / 2},
		    {"length", &o->length, 1, 1000000},
		    {"warm", &o->warm, 0, UINT64_MAX / 2},
		    {"seed", &o->seed, 0, UINT64_MAX},
		    {"undilated", &o->undilated, 0, 1}};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcmp(keys[i].key, key) != 0)
			continue;
		*keys[i].value = value;
		return value >= keys[i].least && value <= keys[i].most;
	}
	return false;
}

bool sampling_parse(struct sampling_options *options, char *text, const char **wrong)
{
	char *rest = NULL;
	uint64_t value;

	for (char *part = strtok_r(text, ",", &rest); part;
	     part = strtok_r(NULL, ",", &rest)) {
		char *equals = strchr(part, '=');

		*wrong = part;
		if (!equals || tr_cli_number(equals + 1, &value))
			return false;
		*equals = '\0';
		const bool good = set_value(options, part, value);
		*equals = '=';
		if (!good)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------ a child */

/* Executes a window and returns it. */
static _Noreturn void run_child(struct sampling *s, int fd)
{
	const struct machine_ops *ops = s->hardware->ops;
	struct tr_buffer packed = {0};
	struct recording r = {.machine = s->hardware,
			      .idle_class = s->idle_class,
			      .width = s->options.width};

	if (!ops->resume(s->hardware, &s->state))
		_exit(1);
	ops->fill_caches(s->hardware, &s->uses);
	ops->observe(s->hardware);
	enum machine_stop stop = ops->run(s->hardware, s->next, UINT64_MAX);
	r.open = machine_now(s->hardware);
	const struct machine_hooks hooks = recording_hooks(&r);
	ops->set_hooks(s->hardware, &hooks);
	if (stop == MACHINE_LIMIT)
		stop = ops->run(s->hardware, s->next + s->options.length, UINT64_MAX);
	if (stop == MACHINE_FAILED || !recording_pack(&r, &packed))
		_exit(1);
	children_leave(fd, &packed);
}

/* ------------------------------------------------------------ sample points */

/* splitmix64, by Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
 * (OOPSLA 2014). */
static uint64_t random_number(uint64_t seed)
{
	uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Determines the place of the next window, in the next interval. A window ends before the
 * interval does, as far as it fits. */
static void place_next(struct sampling *s)
{
	const uint64_t interval = s->sample.interval, length = s->options.length;
	const uint64_t room = interval > length ? interval - length : 1;
	const uint64_t number = random_number(s->options.seed) + s->strata;

	s->next = s->strata++ * interval + random_number(number) % room;
	s->point = s->next > s->options.warm ? s->next - s->options.warm : 0;
}

/* Lets the time pass that the instructions since the last call take. */
static void pass_time(struct sampling *s, uint64_t instret)
{
	const uint64_t done = instret - s->pace.instret;

	s->pace.instret = instret;
	if (!s->pace.tokens)
		return;
	s->pace.rest += done * s->pace.cycles;
	soc_pass_time(model_machine_soc(s->model), s->pace.rest / s->pace.tokens);
	s->pace.rest %= s->pace.tokens;
}

/* Determines the time that instructions take from here on, from a window before. Time
 * that has passed cannot be taken back: it is at least a cycle for each. That is also
 * what it is at first: programs that measure at their start how fast the machine is would
 * take the caches that fill for its speed. */
static void set_pace(struct sampling *s)
{
	const size_t n = s->children.n, from = n - LAG;

	if (n < LAG || s->options.undilated)
		return;
	children_wait(&s->children, from);
	if (s->children.results[from].failed)
		return;
	const struct recording_sums sums =
	    recording_sums(&s->children.results[from].bytes);
	const uint64_t busy = sums.cycles - sums.idle;

	s->pace.rest = 0;
	s->pace.tokens = busy > sums.tokens ? sums.tokens : 0;
	s->pace.cycles = busy - sums.tokens;
}

static void start_window(struct sampling *s)
{
	struct soc *soc = model_machine_soc(s->model);
	int fd;

	s->model->ops->save(s->model, &s->state);
	soc_held_update(s->held, soc);
	soc_held_uses(s->held, soc, &s->uses);
	const long started = children_start(&s->children, &fd);
	if (started == 0)
		run_child(s, fd);
	if (started < 0)
		snprintf(s->message, sizeof(s->message), "fork: %s", strerror(errno));
}

/* Lets time pass, and takes a sample at its point. Returns the instructions before the
 * next call. */
static uint64_t take_step(void *user)
{
	struct sampling *s = user;
	const uint64_t instret = machine_now(s->model).instret;

	pass_time(s, instret);
	if (instret >= s->point) {
		if (s->sample.on && !s->message[0])
			start_window(s);
		set_pace(s);
		place_next(s);
	}
	return s->pace.tokens && s->point > instret + STEP ? instret + STEP : s->point;
}

/* ------------------------------------------------------------ the run */

/* Executes the run in a child, to count its instructions. Returns 0 if that fails. */
static uint64_t count_instructions(struct sampling *s, uint64_t most)
{
	struct children c = {.most = 1};
	struct tr_buffer bytes = {0};
	uint64_t count = 0;
	int fd;
	const long started = children_start(&c, &fd);

	if (started == 0) {
		while (s->model->ops->run(s->model, most, UINT64_MAX) == MACHINE_BREAK)
			continue;
		count = machine_now(s->model).instret;
		tr_buffer_add(&bytes, &count, sizeof(count));
		children_leave(fd, &bytes);
	}
	if (started < 0)
		return 0;
	children_wait(&c, 0);
	if (!c.results[0].failed)
		memcpy(&count, c.results[0].bytes.data, sizeof(count));
	children_free(&c);
	return count;
}

static const char *begin_sampling(struct machine_sample *sample, uint64_t instret)
{
	struct sampling *s = (struct sampling *)sample;
	const uint64_t begun = machine_now(s->model).instret;

	if (!sample->interval) {
		const uint64_t end = count_instructions(s, instret);

		if (end <= begun)
			return "the instructions of the run could not be counted; give "
			       "interval=N";
		sample->interval = (end - begun) / s->options.windows + 1;
		if (sample->interval < s->options.warm / MOST_INTERVALS + 1)
			sample->interval = s->options.warm / MOST_INTERVALS + 1;
	}
	if (s->options.warm / MOST_INTERVALS > sample->interval) {
		snprintf(s->message, sizeof(s->message),
			 "warm=%" PRIu64 " is more than %d intervals of %" PRIu64
			 " instructions",
			 s->options.warm, MOST_INTERVALS, sample->interval);
		return s->message;
	}
	s->pace.instret = begun;
	s->strata = begun / sample->interval;
	place_next(s);
	while (s->next < begun)
		place_next(s);
	soc_hide_from_children(model_machine_soc(s->model), s->held);
	model_machine_pause(s->model, s->point > begun ? s->point : begun, take_step, s);
	return NULL;
}

static const char *
tell_windows(struct machine_sample *sample, unsigned hart, uint64_t cycle,
	     void (*open)(void *user, unsigned hart, const struct machine_state *state),
	     const struct machine_hooks *hooks)
{
	struct sampling *s = (struct sampling *)sample;
	size_t lost = 0;

	for (size_t i = 0; i < s->children.n; i++) {
		struct child_result *result = &s->children.results[i];

		children_wait(&s->children, i);
		if (result->failed) {
			lost++;
			continue;
		}
		/* The run had ended. */
		if (!recording_sums(&result->bytes).tokens)
			continue;
		cycle =
		    recording_replay(&result->bytes, s->model, hart, cycle, open, hooks);
		if (cycle == UINT64_MAX)
			return "out of memory";
		tr_buffer_free(&result->bytes);
	}
	if (lost && !s->message[0])
		snprintf(s->message, sizeof(s->message),
			 "%zu of %zu windows are missing: their processes failed", lost,
			 s->children.n);
	return s->message[0] ? s->message : NULL;
}

/* Returns the number of the class of WFI; 0 if there is none. */
static unsigned find_idle_class(const char *names)
{
	struct tr_classes classes = {0};
	unsigned found = 0;

	if (tr_classes_parse(&classes, names) == TR_OK)
		for (unsigned i = 1; i <= classes.count && !found; i++)
			if (strcmp(classes.group_name[classes.group[i]], "idle") == 0)
				found = i;
	tr_classes_release(&classes);
	return found;
}

struct sampling *sampling_new(const struct sampling_options *options,
			      struct machine *model, struct machine *hardware)
{
	static const struct machine_sample_ops ops = {.begin = begin_sampling,
						      .tell = tell_windows};
	struct sampling *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->held = soc_held_new(options->sets, options->ways);
	if (!s->held) {
		free(s);
		return NULL;
	}
	s->options = *options;
	s->model = model;
	s->hardware = hardware;
	s->idle_class = find_idle_class(options->classes);
	s->children.most = options->jobs < CHILDREN_MAX ? options->jobs : CHILDREN_MAX;
	s->sample = (struct machine_sample){.ops = &ops,
					    .interval = options->interval,
					    .length = options->length,
					    .warm = options->warm};
	model->sample = &s->sample;
	return s;
}

void sampling_free(struct sampling *s)
{
	if (!s)
		return;
	children_free(&s->children);
	soc_held_free(s->held);
	free(s);
}
