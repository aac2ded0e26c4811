/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the machine and opens and closes the windows of the trace. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cause.h"
#include "console.h"

enum { POLL_CYCLES = 1 << 16 };
struct session {
	const struct session_options *o;
	struct machine *machine;
	struct trace *trace;
	struct console console;
	struct tr_progress progress;
	bool met;	    /* a window has been open */
	bool foresees_exit; /* the machine does: --start exit needs no last token */
	bool on;	    /* a window is open */
	bool starting;	    /* it opens with the next token */
	bool stopping;	    /* it closes behind the next token */
	bool finished;	    /* the stop trigger has fired for the last time */
	uint64_t step;	    /* instret after the token in question */
	struct tr_context context; /* before that token */
	uint64_t cycle, instret;
	struct {
		uint64_t pc;
		uint8_t code[4];
		uint8_t bytes;
	} last; /* token, for --start exit */
	const char *end;
	int status;
};

static struct machine *running;
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
	running->ops->request_stop(running);
}

static void catch_signals(struct machine *machine)
{
	struct sigaction action = {.sa_handler = on_signal};

	running = machine;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static struct machine_state now(const struct session *s)
{
	struct machine_state state;

	s->machine->ops->state(s->machine, &state);
	return state;
}

static void note_state(struct session *s)
{
	struct machine_state state = now(s);

	s->cycle = state.cycle;
	s->instret = state.instret;
	s->context = state.context;
	if (s->o->sampler)
		sampler_note(s->o->sampler);
}

static void open_window(struct session *s)
{
	s->starting = false;
	s->on = s->met = true;
	if (s->trace)
		trace_open(s->trace, &s->context, s->cycle, s->instret);
	if (s->o->sampler)
		sampler_open(s->o->sampler, s->cycle);
}

static void close_window(struct session *s)
{
	s->on = false;
	if (s->o->sampler)
		sampler_close(s->o->sampler, now(s).cycle);
	if (s->trace)
		trace_close(s->trace);
}

static void keep_last(struct session *s, const struct soc_row *row)
{
	unsigned at = 0, next = 0;

	while (next < row->bytes) {
		at = next;
		next += tr_insn_length(row->code[at]);
	}
	s->last.pc = row->pc + at;
	s->last.bytes = (uint8_t)(row->bytes - at);
	memcpy(s->last.code, row->code + at, s->last.bytes);
}

static void on_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct session *s = user;

	(void)hart;
	if (s->starting)
		open_window(s);
	if (!s->on)
		keep_last(s, row);
	else if (s->trace)
		trace_row(s->trace, row);
}

static void on_tokens(void *user, unsigned hart, const struct machine_token *tokens,
		      unsigned count, const struct tr_run *runs)
{
	struct session *s = user;

	(void)hart;
	if (s->starting)
		open_window(s);
	if (s->on && s->trace)
		trace_tokens(s->trace, tokens, count, runs);
}

/* A trap in place of the token: a trigger that named the token must wait, one
 * that named the cycle takes the next. */
static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct session *s = user;

	(void)hart;
	if (s->on && s->trace)
		trace_trap(s->trace, trap);
	if (s->starting && s->o->start.kind == TRIGGER_CYCLE)
		note_state(s);
	else
		s->starting = false;
	if (s->o->stop.kind != TRIGGER_CYCLE)
		s->stopping = false;
}

static void on_xret(void *user, unsigned hart, unsigned priv)
{
	struct session *s = user;

	(void)hart;
	if (s->on && s->trace)
		trace_xret(s->trace, priv);
}

static void on_satp(void *user, unsigned hart, uint64_t satp)
{
	struct session *s = user;

	(void)hart;
	if (s->on && s->trace)
		trace_satp(s->trace, satp);
}

static void on_tp(void *user, unsigned hart, uint64_t value)
{
	struct session *s = user;

	(void)hart;
	if (s->on && s->trace)
		trace_tp(s->trace, value);
}

static void on_uart(void *user, uint8_t byte)
{
	struct session *s = user;

	console_put(&s->console, byte);
}

/* Does a token end the wait for it, or the window? Then it has been seen when it is asked
 * about, and the cycles before it are counted already. */
static bool waits_for_token(const struct trigger *trigger)
{
	return trigger->kind != TRIGGER_NONE && trigger->kind != TRIGGER_CYCLE;
}

/* Counts no cycle that cannot be in a window. */
static void set_counting(const struct session *s)
{
	bool by_token = waits_for_token(&s->o->start);
	enum machine_count how = MACHINE_COUNT;

	if (!s->o->sampler)
		return;
	if (!s->on && !s->starting && (s->finished || !by_token))
		how = MACHINE_COUNT_OFF;
	else if (by_token || waits_for_token(&s->o->stop))
		how = MACHINE_COUNT_AHEAD;
	sampler_count(s->o->sampler, how);
}

/* Only those hooks that are needed now: the others cost speed. */
static void set_hooks(struct session *s)
{
	struct machine_hooks hooks = {.user = s, .uart = on_uart};
	bool tokens = s->on || s->starting ||
		      (s->o->start.kind == TRIGGER_EXIT && !s->foresees_exit);

	if (s->starting || s->stopping || (tokens && s->trace))
		hooks.trap = on_trap;
	if (tokens && s->trace) {
		hooks.row = on_row;
		hooks.tokens = on_tokens;
		hooks.xret = on_xret;
		hooks.satp = on_satp;
		hooks.tp = on_tp;
	}
	s->machine->ops->set_hooks(s->machine, &hooks);
	set_counting(s);
}

static void watch(struct session *s, const struct trigger *trigger)
{
	if (trigger->kind == TRIGGER_EXIT)
		s->foresees_exit = s->machine->ops->watch(s->machine, trigger);
	else if (trigger->kind == TRIGGER_PC || trigger->kind == TRIGGER_INSN)
		s->machine->ops->watch(s->machine, trigger);
}

static bool starts(const struct session *s, uint64_t cycle,
		   const struct machine_next *next)
{
	const struct trigger *start = &s->o->start;

	if (start->kind == TRIGGER_CYCLE || next->known)
		return trigger_meets(start, cycle, next->pc, next->insn) ||
		       (start->kind == TRIGGER_EXIT && next->exit);
	return false;
}

static bool stops(const struct session *s, uint64_t cycle,
		  const struct machine_next *next)
{
	const struct trigger *stop = &s->o->stop;

	return (stop->kind == TRIGGER_CYCLE || next->known) &&
	       trigger_meets(stop, cycle, next->pc, next->insn);
}

/* Before a token that may meet a trigger: it decides whether it does, and what
 * follows waits for the commit. */
static void consider(struct session *s)
{
	uint64_t cycle = now(s).cycle;
	bool noted = s->starting;
	struct machine_next next;

	s->machine->ops->next(s->machine, &next);
	if (!s->on && starts(s, cycle, &next))
		s->starting = true;
	if ((s->on || s->starting) && stops(s, cycle, &next))
		s->stopping = true;
	if (!s->starting && !s->stopping)
		return;
	if (!noted)
		note_state(s);
	s->step = s->instret + 1;
	set_hooks(s);
}

/* Can the start trigger fire once more? */
static bool restarts(const struct session *s)
{
	return s->o->start.kind == TRIGGER_PC || s->o->start.kind == TRIGGER_INSN;
}

/* The token has committed, or a trap came in its place. */
static void conclude(struct session *s)
{
	const struct trigger *stop = &s->o->stop;

	if (s->starting)
		open_window(s);
	/* A WFI owns more cycles than the one that it was asked about. */
	if (stop->kind == TRIGGER_CYCLE && stop->value >= s->cycle &&
	    stop->value < now(s).cycle)
		s->stopping = true;
	if (s->stopping && s->on) {
		close_window(s);
		s->finished = !restarts(s);
	}
	s->starting = s->stopping = false;
	s->step = UINT64_MAX;
	set_hooks(s);
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The next cycle at which a trigger, the limit or the console wants a look. */
static uint64_t next_cycle(const struct session *s)
{
	uint64_t cycle = now(s).cycle, next = (cycle | (POLL_CYCLES - 1)) + 1;

	if (s->step != UINT64_MAX)
		return s->o->max_cycles;
	if (s->o->start.kind == TRIGGER_CYCLE && s->o->start.value > cycle)
		next = lower(next, s->o->start.value);
	if (s->o->stop.kind == TRIGGER_CYCLE && s->o->stop.value > cycle)
		next = lower(next, s->o->stop.value);
	return lower(next, s->o->max_cycles);
}

static void finish(struct session *s, const char *end, int status)
{
	s->end = end;
	s->status = status;
}

/* --start exit: the one token that switched the power off. */
static void trace_last(struct session *s)
{
	struct soc_row row = {
	    .pc = s->last.pc, .code = s->last.code, .count = 1, .bytes = s->last.bytes};

	note_state(s);
	s->cycle--;
	s->instret--;
	open_window(s);
	if (s->trace)
		trace_row(s->trace, &row);
}

static void power_off(struct session *s)
{
	unsigned status;
	bool off = s->machine->ops->power(s->machine, &status) == SOC_POWERED_OFF;

	if (s->o->start.kind == TRIGGER_EXIT && !s->met)
		trace_last(s);
	if (s->o->stop.kind == TRIGGER_EXIT && s->on)
		close_window(s);
	finish(s, off ? "power-off" : "reset", (int)status);
}

/* Nothing inside the machine will wake it: only input can. */
static void idle(struct session *s)
{
	bool could = s->console.open;
	struct machine_next next;

	if (console_poll(&s->console, true) || could)
		return;
	s->machine->ops->next(s->machine, &next);
	tr_warn(s->o->cli, "wfi at 0x%" PRIx64 " waits for an interrupt that cannot come",
		next.pc);
	finish(s, "stuck", TR_EXIT_TROUBLE);
}

static void looping(struct session *s)
{
	struct soc_trap first, last;
	char text[256];

	s->machine->ops->chain(s->machine, &first, &last);
	cause_chain(&first, &last, text, sizeof text);
	tr_warn(s->o->cli, "endless traps: %s", text);
	finish(s, "endless traps", TR_EXIT_TROUBLE);
}

static void failed(struct session *s)
{
	finish(s, s->machine->ops->explain(s->machine, s->o->cli), TR_EXIT_TROUBLE);
}

static void after_limit(struct session *s)
{
	uint64_t cycle = now(s).cycle;

	if (now(s).instret >= s->o->max_instructions || cycle >= s->o->max_cycles) {
		finish(s, "limit", TR_EXIT_OK);
		return;
	}
	if (s->step == UINT64_MAX && ((s->o->start.kind == TRIGGER_CYCLE && !s->on) ||
				      s->o->stop.kind == TRIGGER_CYCLE))
		consider(s);
}

static void handle(struct session *s, enum machine_stop why)
{
	if (now(s).instret >= s->step)
		conclude(s);
	switch (why) {
	case MACHINE_POWER:
		power_off(s);
		break;
	case MACHINE_LOOP:
		looping(s);
		break;
	case MACHINE_IDLE:
		idle(s);
		break;
	case MACHINE_FAILED:
		failed(s);
		break;
	case MACHINE_BREAK:
		consider(s);
		break;
	case MACHINE_LIMIT:
		after_limit(s);
		break;
	default:
		break;
	}
	if (!s->end && s->finished)
		finish(s, "trigger", TR_EXIT_OK);
}

/* What ends a run from outside: a signal, or an output that fails. */
static void look_around(struct session *s)
{
	int error;

	if (!s->end && (interrupted || s->console.quit))
		finish(s, "interrupted", TR_EXIT_TROUBLE);
	if (s->console.error) {
		if (s->console.error != EPIPE)
			tr_warn(s->o->cli, "<stdout>: %s", strerror(s->console.error));
		finish(s, "interrupted", TR_EXIT_TROUBLE);
		s->console.error = 0;
	}
	if (s->trace && trace_status(s->trace, &error) != TR_OK && !s->end)
		finish(s, "interrupted", TR_EXIT_TROUBLE);
	if (s->o->sampler && sampler_error(s->o->sampler) && !s->end)
		finish(s, "interrupted", TR_EXIT_TROUBLE);
	tr_progress_show(&s->progress, s->o->cli, now(s).instret, NULL);
}

static void begin(struct session *s)
{
	console_init(&s->console, s->machine);
	if (!isatty(STDOUT_FILENO))
		tr_progress_init(&s->progress);
	catch_signals(s->machine);
	watch(s, &s->o->start);
	watch(s, &s->o->stop);
	note_state(s);
	if (s->o->start.kind == TRIGGER_NONE)
		open_window(s);
	set_hooks(s);
	if (s->o->start.kind == TRIGGER_CYCLE || s->o->stop.kind == TRIGGER_CYCLE)
		consider(s);
}

static void end(struct session *s)
{
	struct trace_end end = {.never = !s->met};

	console_flush(&s->console);
	look_around(s);
	console_restore();
	tr_progress_done(&s->progress);
	if (!s->met)
		tr_warn(s->o->cli, "warning: the start trigger was never met%s",
			s->trace ? ": the trace is empty" : "");
	end.how = s->end;
	end.status = (unsigned)s->status;
	end.cycle = s->on ? now(s).cycle : 0;
	if (s->on && s->o->sampler)
		sampler_close(s->o->sampler, end.cycle);
	if (s->trace)
		trace_end(s->trace, &end);
}

/* Up to what is to be looked at. Samples are taken on the way: between them nothing is
 * looked at that is not without them, so that they change nothing. */
static enum machine_stop run(struct session *s)
{
	uint64_t instret = lower(s->step, s->o->max_instructions);
	uint64_t cycle = next_cycle(s), sample;
	enum machine_stop why;

	do {
		sample = UINT64_MAX;
		if (s->on && s->o->sampler)
			sample = sampler_next(s->o->sampler, now(s).cycle);
		why = s->machine->ops->run(s->machine, instret, lower(cycle, sample));
		if (now(s).cycle >= sample)
			sampler_take(s->o->sampler, now(s).cycle);
	} while (why == MACHINE_LIMIT && now(s).cycle < cycle &&
		 now(s).instret < instret);
	return why;
}

int session_run(const struct session_options *options, struct machine *machine,
		struct trace *trace)
{
	struct session s = {
	    .o = options, .machine = machine, .trace = trace, .step = UINT64_MAX};
	enum machine_stop why;

	begin(&s);
	while (!s.end) {
		why = run(&s);
		handle(&s, why);
		console_poll(&s.console, false);
		look_around(&s);
	}
	end(&s);
	return s.status;
}
