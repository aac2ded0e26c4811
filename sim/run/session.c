/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the machine until something ends the run. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "console.h"
#include "model/cause.h"
#include "sampled.h"
#include "soc.h"
#include "unset.h"
#include "window.h"

enum { POLL_CYCLES = 1 << 16 };

struct session {
	const struct session_options *o;
	struct machine *machine;
	struct trace *trace;
	struct console console;
	struct tr_progress progress;
	struct windows windows;
	struct saving saving;
	const char *end;
	int status;
	struct soc_trap fault; /* that ended the run; cause 0: none did */
};

static struct machine *running;
static volatile sig_atomic_t interrupted;

static void stop_on_signal(int number)
{
	(void)number;
	interrupted = 1;
	running->ops->request_stop(running);
}

static void catch_stop_signals(struct machine *machine)
{
	running = machine;
	tr_interrupt_catch(stop_on_signal, false);
}

static struct machine_state session_now(const struct session *s)
{
	return machine_now(s->machine);
}

static uint64_t lower_limit(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the next cycle at which a trigger, the limit or the console must be checked. */
static uint64_t next_cycle(const struct session *s)
{
	uint64_t cycle = session_now(s).cycle, next = (cycle | (POLL_CYCLES - 1)) + 1;
	uint64_t most = lower_limit(s->o->max_cycles, saving_next_cycle(&s->saving));

	if (s->windows.step != UINT64_MAX)
		return most;
	next = lower_limit(next, windows_next_cycle(&s->windows));
	return lower_limit(next, most);
}

static void set_session_end(struct session *s, const char *end, int status)
{
	s->end = end;
	s->status = status;
}

static void handle_power_off(struct session *s)
{
	unsigned status;
	bool off = s->machine->ops->power(s->machine, &status) == SOC_POWERED_OFF;

	windows_power_off(&s->windows);
	set_session_end(s, off ? "power-off" : "reset", (int)status);
}

/* Handles a WFI that only input can end. */
static void handle_endless_wfi(struct session *s)
{
	bool could = s->console.open;
	struct machine_next next;

	if (console_poll(&s->console, true) || could)
		return;
	s->machine->ops->next(s->machine, &next);
	tr_warn(s->o->cli, "wfi at 0x%" PRIx64 " waits for an interrupt that cannot come",
		next.pc);
	set_session_end(s, "stuck", TR_EXIT_TROUBLE);
}

static void handle_trap_loop(struct session *s)
{
	struct soc_trap first, last;
	char text[256];

	s->machine->ops->chain(s->machine, &first, &last);
	cause_chain(&first, &last, text, sizeof(text));
	tr_warn(s->o->cli, "endless traps: %s", text);
	s->fault = first;
	set_session_end(s, "endless traps", TR_EXIT_TROUBLE);
}

static void store_in_image(void *user, uint64_t address, const uint8_t *data,
			   uint32_t size)
{
	struct soc_image *image = user;

	if (soc_image_in_ram(image, address, size))
		memmove(image->ram + (address - SOC_RAM_BASE), data, size);
}

/* Reports a page fault whose cause is a bit A or D that is still 0. Returns false if the
 * trap is another one. */
static bool tell_trap(const struct session *s, uint64_t satp, const struct soc_trap *trap)
{
	char text[256];
	bool was = unset_text(s->machine->image, satp, trap, text, sizeof(text));

	if (was)
		tr_warn(s->o->cli, "note: %s", text);
	return was;
}

/* Reports such a page fault: the trap that ended the run, the last page fault in the
 * trace, or one of those in the CSRs. The caches are written back to RAM, since nothing
 * runs any more. */
static void tell_unset(const struct session *s)
{
	const struct machine *m = s->machine;
	struct soc_state saved[SOC_HARTS_MAX];
	struct soc_state state = {.satp = session_now(s).context.satp};
	struct soc_trap traced;
	uint64_t satp;
	bool back = true;

	if (m->ops->changes)
		m->ops->changes(s->machine, m->image, store_in_image);
	if (m->ops->save(m, saved))
		state = saved[0];
	else if (!m->ops->snapshot(m, 0, &state, &back))
		state = (struct soc_state){.satp = session_now(s).context.satp};
	const struct soc_trap traps[] = {
	    s->fault,
	    {.cause = state.scause, .tval = state.stval, .epc = state.sepc},
	    {.cause = state.mcause, .tval = state.mtval, .epc = state.mepc}};
	if (s->trace && trace_page_fault(s->trace, &traced, &satp) &&
	    tell_trap(s, satp, &traced))
		return;
	for (size_t i = 0; i < sizeof(traps) / sizeof(*traps); i++)
		if (tell_trap(s, state.satp, &traps[i]))
			return;
}

/* Writes the checkpoint if its trigger is met. Returns whether the run ends with it. */
static bool save_if_due(struct session *s)
{
	if (!saving_poll(&s->saving))
		return false;
	set_session_end(s, "checkpoint", TR_EXIT_OK);
	return true;
}

static void handle_machine_fault(struct session *s)
{
	set_session_end(s, s->machine->ops->explain(s->machine, s->o->cli),
			TR_EXIT_TROUBLE);
}

static void after_limit(struct session *s)
{
	uint64_t cycle = session_now(s).cycle;

	if (session_now(s).instret >= s->o->max_instructions ||
	    cycle >= s->o->max_cycles) {
		set_session_end(s, "limit", TR_EXIT_OK);
		return;
	}
	if (!save_if_due(s))
		windows_poll(&s->windows);
}

static void handle_stop(struct session *s, enum machine_stop why)
{
	if (session_now(s).instret >= s->windows.step)
		windows_conclude(&s->windows);
	else if (session_now(s).instret >= s->windows.late)
		windows_snapshot(&s->windows);
	switch (why) {
	case MACHINE_POWER:
		handle_power_off(s);
		break;
	case MACHINE_LOOP:
		handle_trap_loop(s);
		break;
	case MACHINE_IDLE:
		handle_endless_wfi(s);
		break;
	case MACHINE_FAILED:
		handle_machine_fault(s);
		break;
	case MACHINE_BREAK:
		if (!save_if_due(s))
			windows_consider(&s->windows);
		break;
	case MACHINE_LIMIT:
		after_limit(s);
		break;
	default:
		break;
	}
	if (!s->end && s->windows.finished)
		set_session_end(s, "trigger", TR_EXIT_OK);
}

/* Checks for external reasons to end the run: a signal, or a failed output. */
static void check_end_requests(struct session *s)
{
	int error;

	if (!s->end && (interrupted || s->console.quit))
		set_session_end(s, "interrupted", TR_EXIT_TROUBLE);
	if (s->console.error) {
		if (s->console.error != EPIPE)
			tr_warn(s->o->cli, "<stdout>: %s", strerror(s->console.error));
		set_session_end(s, "interrupted", TR_EXIT_TROUBLE);
		s->console.error = 0;
	}
	if (s->trace && trace_status(s->trace, &error) != TR_OK && !s->end)
		set_session_end(s, "interrupted", TR_EXIT_TROUBLE);
	if (s->o->sampler && sampler_error(s->o->sampler) && !s->end)
		set_session_end(s, "interrupted", TR_EXIT_TROUBLE);
	tr_progress_show(&s->progress, s->o->cli, session_now(s).instret, NULL);
}

static void begin_session(struct session *s)
{
	console_init(&s->console, s->machine);
	if (!isatty(STDOUT_FILENO))
		tr_progress_init(&s->progress);
	catch_stop_signals(s->machine);
	saving_begin(&s->saving);
	windows_begin(&s->windows);
	save_if_due(s);
}

/* Adds the windows of a sampled run to the trace. */
static void tell_windows(struct session *s)
{
	const char *missing = sampled_tell(s->machine, s->trace);
	char warning[256];

	sampled_compare(s->machine, s->trace, warning, sizeof(warning));
	if (*warning)
		tr_warn(s->o->cli, "%s", warning);
	if (!missing)
		return;
	tr_warn(s->o->cli, "%s", missing);
	s->status = TR_EXIT_TROUBLE;
}

static void end(struct session *s)
{
	unsigned status;
	bool off = s->machine->ops->power(s->machine, &status) != SOC_POWER_ON;
	struct trace_end end = {.never = !s->windows.met};

	if (saving_end(&s->saving, off) != TR_EXIT_OK)
		s->status = TR_EXIT_TROUBLE;
	console_flush(&s->console);
	check_end_requests(s);
	console_restore();
	tr_progress_done(&s->progress);
	if (!s->windows.met)
		tr_warn(s->o->cli, "warning: the start trigger was never met%s",
			s->trace ? ": the trace is empty" : "");
	end.how = s->end;
	end.status = (unsigned)s->status;
	end.cycle = windows_end(&s->windows);
	if (s->machine->sample && s->trace && s->windows.met)
		tell_windows(s);
	tell_unset(s);
	if (s->trace)
		trace_end(s->trace, &end);
}

/* Runs until the next check. Samples taken on the way trigger no checks of their own, so
 * that sampling does not change the run. */
static enum machine_stop run_to_next_check(struct session *s)
{
	uint64_t next = lower_limit(s->windows.step, s->windows.late);
	uint64_t instret = lower_limit(next, s->o->max_instructions);
	uint64_t cycle = next_cycle(s);
	enum machine_stop why;

	do {
		uint64_t sample = UINT64_MAX;
		if (s->windows.on && s->o->sampler)
			sample = sampler_next(s->o->sampler, session_now(s).cycle);
		why =
		    s->machine->ops->run(s->machine, instret, lower_limit(cycle, sample));
		if (session_now(s).cycle >= sample)
			sampler_take(s->o->sampler, session_now(s).cycle);
	} while (why == MACHINE_LIMIT && session_now(s).cycle < cycle &&
		 session_now(s).instret < instret);
	return why;
}

int session_run(const struct session_options *options, struct machine *machine,
		struct trace *trace)
{
	struct session s = {
	    .o = options,
	    .machine = machine,
	    .trace = trace,
	    .saving = {.o = &options->saving, .cli = options->cli, .machine = machine},
	    .windows = {.machine = machine,
			.start = &options->start,
			.stop = &options->stop,
			.trace = trace,
			.sampler = options->sampler,
			.console = &s.console}};

	begin_session(&s);
	while (!s.end) {
		enum machine_stop why = run_to_next_check(&s);
		handle_stop(&s, why);
		console_poll(&s.console, false);
		console_pace(&s.console, session_now(&s).cycle);
		check_end_requests(&s);
	}
	end(&s);
	return s.status;
}
