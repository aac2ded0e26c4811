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
enum { CSR_SATP = 0x180 };

struct session {
	const struct session_options *o;
	struct soc *soc;
	struct trace *trace;
	struct console console;
	struct tr_progress progress;
	bool met;		   /* a window has been open */
	bool on;		   /* a window is open */
	bool starting;		   /* it opens with the next token */
	bool stopping;		   /* it closes behind the next token */
	bool finished;		   /* the stop trigger has fired for the last time */
	uint64_t step;		   /* instret after the token in question */
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

static struct soc *running;
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
	soc_request_stop(running);
}

static void catch_signals(struct soc *soc)
{
	struct sigaction action = {.sa_handler = on_signal};

	running = soc;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void note_state(struct session *s)
{
	s->cycle = soc_cycle(s->soc, 0);
	s->instret = soc_instret(s->soc, 0);
	soc_csr(s->soc, 0, CSR_SATP, &s->context.satp);
	s->context.tp = soc_x(s->soc, 0, 4);
	s->context.priv = (uint8_t)soc_priv(s->soc, 0);
}

static void open_window(struct session *s)
{
	s->starting = false;
	s->on = s->met = true;
	if (s->trace)
		trace_open(s->trace, &s->context, s->cycle, s->instret);
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

/* Only those hooks that are needed now: the others cost speed. */
static void set_hooks(struct session *s)
{
	struct soc_hooks hooks = {.user = s, .uart = on_uart};
	bool rows = s->on || s->starting || s->o->start.kind == TRIGGER_EXIT;

	if (s->starting || s->stopping || (rows && s->trace))
		hooks.trap = on_trap;
	if (rows && s->trace) {
		hooks.row = on_row;
		hooks.xret = on_xret;
		hooks.satp = on_satp;
		hooks.tp = on_tp;
	}
	soc_set_hooks(s->soc, &hooks);
}

static void set_break(struct session *s, const struct trigger *trigger)
{
	if (trigger->kind == TRIGGER_PC)
		soc_break_at_pc(s->soc, trigger->value);
	if (trigger->kind == TRIGGER_INSN)
		soc_break_at_insn(s->soc, (uint32_t)trigger->value, trigger->mask);
}

/* Before a token that may meet a trigger: it decides whether it does, and what
 * follows waits for the commit. */
static void consider(struct session *s)
{
	uint64_t pc = soc_pc(s->soc, 0), cycle = soc_cycle(s->soc, 0);
	uint32_t insn = 0;

	if (!soc_read_virtual(s->soc, 0, pc, &insn, 4) &&
	    !soc_read_virtual(s->soc, 0, pc, &insn, 2))
		insn = 0;
	if ((insn & 3U) != 3U)
		insn &= 0xffff;
	if (!s->on && trigger_meets(&s->o->start, cycle, pc, insn))
		s->starting = true;
	if ((s->on || s->starting) && trigger_meets(&s->o->stop, cycle, pc, insn))
		s->stopping = true;
	if (!s->starting && !s->stopping)
		return;
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
	    stop->value < soc_cycle(s->soc, 0))
		s->stopping = true;
	if (s->stopping && s->on) {
		s->on = false;
		if (s->trace)
			trace_close(s->trace);
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
	uint64_t now = soc_cycle(s->soc, 0), next = (now | (POLL_CYCLES - 1)) + 1;

	if (s->step != UINT64_MAX)
		return s->o->max_cycles;
	if (s->o->start.kind == TRIGGER_CYCLE && s->o->start.value > now)
		next = lower(next, s->o->start.value);
	if (s->o->stop.kind == TRIGGER_CYCLE && s->o->stop.value > now)
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
	bool off = soc_power_state(s->soc) == SOC_POWERED_OFF;

	if (s->o->start.kind == TRIGGER_EXIT && !s->on)
		trace_last(s);
	if (s->o->stop.kind == TRIGGER_EXIT && s->on && s->trace)
		trace_close(s->trace);
	finish(s, off ? "power-off" : "reset", (int)soc_power_status(s->soc));
}

/* Nothing inside the machine will wake it: only input can. */
static void idle(struct session *s)
{
	bool could = s->console.open;

	if (console_poll(&s->console, true) || could)
		return;
	tr_warn(s->o->cli, "wfi at 0x%" PRIx64 " waits for an interrupt that cannot come",
		soc_pc(s->soc, 0));
	finish(s, "stuck", TR_EXIT_TROUBLE);
}

static void looping(struct session *s)
{
	struct soc_trap first, last;
	char text[256];

	soc_trap_chain(s->soc, 0, &first, &last);
	cause_chain(&first, &last, text, sizeof text);
	tr_warn(s->o->cli, "endless traps: %s", text);
	finish(s, "endless traps", TR_EXIT_TROUBLE);
}

static void after_limit(struct session *s)
{
	uint64_t cycle = soc_cycle(s->soc, 0);

	if (soc_instret(s->soc, 0) >= s->o->max_instructions ||
	    cycle >= s->o->max_cycles) {
		finish(s, "limit", TR_EXIT_OK);
		return;
	}
	if (s->step == UINT64_MAX && ((s->o->start.kind == TRIGGER_CYCLE && !s->on) ||
				      s->o->stop.kind == TRIGGER_CYCLE))
		consider(s);
}

static void handle(struct session *s, enum soc_stop why)
{
	if (soc_instret(s->soc, 0) >= s->step)
		conclude(s);
	switch (why) {
	case SOC_STOP_POWER:
		power_off(s);
		break;
	case SOC_STOP_LOOP:
		looping(s);
		break;
	case SOC_STOP_IDLE:
		idle(s);
		break;
	case SOC_STOP_BREAK:
		consider(s);
		break;
	case SOC_STOP_LIMIT:
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
	tr_progress_show(&s->progress, s->o->cli, soc_instret(s->soc, 0), NULL);
}

static void begin(struct session *s)
{
	console_init(&s->console, s->soc);
	if (!isatty(STDOUT_FILENO))
		tr_progress_init(&s->progress);
	catch_signals(s->soc);
	set_break(s, &s->o->start);
	set_break(s, &s->o->stop);
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
	end.cycle = s->on ? soc_cycle(s->soc, 0) : 0;
	if (s->trace)
		trace_end(s->trace, &end);
}

int session_run(const struct session_options *options, struct soc *soc,
		struct trace *trace)
{
	struct session s = {.o = options, .soc = soc, .trace = trace, .step = UINT64_MAX};
	enum soc_stop why;

	begin(&s);
	while (!s.end) {
		why = soc_run(soc, lower(s.step, options->max_instructions),
			      next_cycle(&s));
		handle(&s, why);
		console_poll(&s.console, false);
		look_around(&s);
	}
	end(&s);
	return s.status;
}
