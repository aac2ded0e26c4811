/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of every simulator: options, the trace, the run. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "console.h"
#include "simulator_state.h"

static void take_trigger(const struct tr_cli *cli, const struct tr_option *option,
			 const char *text, struct trigger *trigger)
{
	const char *why = trigger_parse(trigger, text);

	if (why)
		tr_die(cli, "--%s: %s: %s", option->name, text, why);
}

static void take_start(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	take_trigger(&s->cli, option, text, &s->session.start);
}

static void take_stop(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	take_trigger(&s->cli, option, text, &s->session.stop);
}

static void take_checkpoint_at(void *context, const struct tr_option *option,
			       const char *text)
{
	struct settings *s = context;

	take_trigger(&s->cli, option, text, &s->session.saving.at);
}

static void take_ram(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	(void)option;
	s->ram = text;
	s->ram_size = boot_ram(&s->cli, text);
}

static const char *const isas[] = {"rv64imac", "rv64gc", NULL};

static void take_isa(void *context, const struct tr_option *option, const char *isa)
{
	struct settings *s = context;

	(void)option;
	s->isa = isa;
	s->has_float = strcmp(isa, isas[1]) == 0;
	if (s->has_float && !s->simulator->can_float)
		tr_die(&s->cli, "--isa: %s: the machine is built without F and D", isa);
}

static void take_harts(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;
	uint64_t harts = tr_cli_u64(&s->cli, "--harts", text);
	unsigned most = s->simulator->max_harts;

	(void)option;
	if (harts == 0 || harts > most)
		tr_die(&s->cli, "--harts: %s: the machine can have 1 to %u", text, most);
	s->harts_text = text;
	s->harts = (unsigned)harts;
}

/* Combines the options of all simulators with those of this one. */
static void parse_options(struct settings *s)
{
	const struct tr_option all[] = {
	    {"ram", .argument = "SIZE", .take = take_ram,
	     .help = "bytes of memory, with k, M or G, powers of 1024 (128M)"},
	    {"isa", .choice = {.words = isas}, .take = take_isa,
	     .help = "rv64imac (the default), or rv64gc: with F and D"},
	    {"harts", .argument = "N", .take = take_harts, .help = "number of harts (1)"},
	    {"copy-unit", .flag = &s->has_copy,
	     .help = "add the copy unit: the instruction cpy"},
	    {"dtb", .argument = "FILE[@ADDRESS]", .text = &s->boot.dtb,
	     .help = "load a device tree; a1 has its address at reset"},
	    {"initrd", .argument = "FILE[@ADDRESS]", .text = &s->boot.initrd,
	     .help = "load an initial RAM disk; the device tree has its address range"},
	    {"resume", .argument = "FILE", .text = &s->resume,
	     .help = "start from a checkpoint, in place of programs"},
	    {"trace", .argument = "FILE", .text = &s->trace,
	     .help = "write the trace stream to FILE (-: standard output)"},
	    {"start", .argument = "SPEC", .take = take_start,
	     .help = "trace from the token that matches SPEC: cycle=N (1: the first), "
		     "pc=0xADDRESS, pc=[FILE:]SYMBOL, insn=HEX[/MASK], exec=FILE (the "
		     "start of a program) or exit"},
	    {"stop", .argument = "SPEC", .take = take_stop,
	     .help = "trace up to the token that matches SPEC"},
	    {"max-instructions", .argument = "N", .number = &s->session.max_instructions,
	     .help = "stop after N instructions"},
	    {"max-cycles", .argument = "N", .number = &s->session.max_cycles,
	     .help = "stop after cycle N"},
	    {0}};
	const struct tr_option save[] = {
	    {"checkpoint", .argument = "FILE", .text = &s->session.saving.path,
	     .help = "write a checkpoint where the run ends"},
	    {"checkpoint-at", .argument = "SPEC", .take = take_checkpoint_at,
	     .needs = "checkpoint",
	     .help = "write it before the token that matches SPEC, and end the run"},
	    {"checkpoint-continue", .flag = &s->session.saving.goes_on,
	     .needs = "checkpoint-at", .help = "do not end it"},
	    {0}};
	const struct tr_option count[] = {
	    {"counters", .argument = "LIST", .text = &s->counting.names,
	     .help = "sample these counters: a comma-separated list of names and shell "
		     "patterns, or all; list prints them"},
	    {"counters-every", .argument = "N", .text = &s->counting.every,
	     .needs = "counters", .help = "take a sample every N cycles (100k)"},
	    {"counters-csv", .argument = "FILE", .text = &s->counting.path,
	     .needs = "counters",
	     .help = "write samples to this CSV (-: standard output), not to the trace"},
	    {0}};
	struct tr_option_table tables[5] = {{all, s}};
	size_t n = 1;

	if (s->simulator->can_save)
		tables[n++] = (struct tr_option_table){save, s};
	if (s->simulator->can_count)
		tables[n++] = (struct tr_option_table){count, s};
	if (s->simulator->options)
		tables[n++] = (struct tr_option_table){s->simulator->options, &s->cli};
	tr_options_parse_tables(&s->cli, tables);
}

/* Checks options that exclude one another. */
static void check_options(const struct settings *s)
{
	const struct trigger *start = &s->session.start, *stop = &s->session.stop;
	const struct saving_options *saving = &s->session.saving;

	if (start->kind == TRIGGER_CYCLE && stop->kind == TRIGGER_CYCLE &&
	    stop->value < start->value)
		tr_die(&s->cli,
		       "--stop cycle=%" PRIu64 " is before --start cycle=%" PRIu64,
		       stop->value + 1, start->value + 1);
	if (saving->at.kind == TRIGGER_EXIT)
		tr_die(&s->cli, "--checkpoint-at: exit is not known in advance");
	if (s->resume && (optind < s->cli.argc || s->boot.dtb || s->boot.initrd))
		tr_die(&s->cli, "--resume: %s: the checkpoint has the memory's contents",
		       optind < s->cli.argc ? s->cli.argv[optind]
		       : s->boot.dtb	    ? "--dtb"
					    : "--initrd");
	if (!s->resume && optind == s->cli.argc && !counting_lists(&s->counting))
		tr_die(&s->cli, "no program given; try --help");
}

static void parse_args(struct settings *s, int argc, char **argv)
{
	tr_cli_init(&s->cli, TR_CLI_SIMULATOR, s->simulator->name, s->simulator->usage,
		    argc, argv);
	s->cli.notes = "N may end in k, M or G, for powers of 1000.\n";
	s->session.cli = &s->cli;
	s->session.max_instructions = s->session.max_cycles = UINT64_MAX;
	s->ram_size = SOC_RAM_DEFAULT_SIZE;
	s->harts = 1;
	parse_options(s);
	check_options(s);
	counting_check(&s->counting, &s->cli, s->trace || getenv("TR_CAPTURE_FD"));
}

/* Opens the checkpoint, which determines the machine. */
static void open_checkpoint(struct settings *s)
{
	char message[CHECKPOINT_MESSAGE];
	const struct checkpoint *c = &s->from;

	if (!checkpoint_open(&s->from, s->resume, message))
		tr_die(&s->cli, "%s", message);
	if (s->ram && s->ram_size != c->ram_size)
		tr_die(&s->cli,
		       "%s: of a machine with %" PRIu64 " bytes of memory, not --ram %s",
		       s->resume, c->ram_size, s->ram);
	if (s->isa && s->has_float != c->has_float)
		tr_die(&s->cli, "%s: of a machine with --isa %s, not %s", s->resume,
		       c->has_float ? "rv64gc" : "rv64imac", s->isa);
	if (s->harts_text && s->harts != c->harts)
		tr_die(&s->cli, "%s: of a machine with --harts %u, not %s", s->resume,
		       c->harts, s->harts_text);
	if (c->harts > s->simulator->max_harts)
		tr_die(&s->cli,
		       "%s: of a machine with %u harts; this one can have 1 to %u",
		       s->resume, c->harts, s->simulator->max_harts);
	if (s->has_copy && !c->has_copy)
		tr_die(&s->cli, "%s: of a machine without --copy-unit", s->resume);
	if (c->has_float && !s->simulator->can_float)
		tr_die(&s->cli, "%s: the machine is built without F and D", s->resume);
	s->ram_size = c->ram_size;
	s->has_float = c->has_float;
	s->has_copy = c->has_copy;
	s->harts = c->harts;
}

/* Determines what a trace and a checkpoint say of the run. */
static void set_run_identity(struct settings *s, const struct machine *machine)
{
	if (!s->cli.no_provenance)
		s->argv = tr_cli_provenance(&s->cli);
	s->identity = (struct identity){.image = machine->image,
					.elf = s->elf,
					.nelf = s->nelf,
					.resumed = s->resume ? &s->from : NULL,
					.argv = s->argv};
}

/* Prepares the keys of the checkpoint, and checks early that it can be written. */
static void prepare_checkpoint(struct settings *s)
{
	struct saving_options *saving = &s->session.saving;
	char message[CHECKPOINT_MESSAGE];

	if (!saving->path)
		return;
	if (!checkpoint_may_write(saving->path, message))
		tr_die(&s->cli, "%s", message);
	s->keys = tr_header_new();
	if (!s->keys || identity_fill(s->keys, &s->identity) != TR_OK)
		tr_cli_need(&s->cli, NULL);
	saving->keys = s->keys;
}

static void refuse_terminal(const struct settings *s)
{
	if (isatty(s->fd))
		tr_die(&s->cli, "%s: will not write binary to a terminal", s->trace);
}

/* Opens the operand of --trace, or the descriptor inherited from tr-capture. If the
 * stream goes to standard output, the UART moves to standard error. */
static void open_trace(struct settings *s)
{
	const char *passed = getenv("TR_CAPTURE_FD");

	s->fd = -1;
	if (!s->trace && passed) {
		s->trace = "<capture>";
		s->fd = (int)(tr_cli_u64(&s->cli, "TR_CAPTURE_FD", passed) & 0xffff);
		if (fcntl(s->fd, F_GETFD) < 0)
			tr_die(&s->cli, "TR_CAPTURE_FD: %s: %s", passed, strerror(errno));
	} else if (s->trace && strcmp(s->trace, "-") == 0) {
		s->trace = "<stdout>";
		s->fd = console_leave_stdout();
		if (s->fd < 0)
			tr_die(&s->cli, "<stdout>: %s", strerror(errno));
	} else if (s->trace) {
		s->fd = tr_output_open(s->trace);
		if (s->fd < 0)
			tr_die(&s->cli, "%s: %s", s->trace, tr_output_problem(errno));
	}
	if (s->fd >= 0)
		refuse_terminal(s);
}

static struct trace *begin_trace(const struct settings *s, const struct machine *machine)
{
	struct trace_options options = {
	    .simulator = s->simulator, .fd = s->fd, .identity = &s->identity};
	struct trace *trace;

	if (s->fd < 0)
		return NULL;
	if (!s->counting.path) {
		options.counters = s->counting.list;
		options.chosen = s->counting.chosen;
		options.nchosen = s->counting.n;
	}
	options.triggers = s->session.start.kind || s->session.stop.kind;
	trace = trace_new(machine, &options);
	tr_cli_need(&s->cli, trace);
	return trace;
}

/* Returns the exit status: whether the stream was written completely. */
static int check_trace(const struct settings *s, const struct trace *trace)
{
	int error, status = trace_status(trace, &error);

	if (status == TR_OK && close(s->fd) != 0) {
		error = errno;
		status = TR_E_IO;
	}
	if (status == TR_OK)
		return TR_EXIT_OK;
	tr_warn(&s->cli, "%s: %s", s->trace,
		status == TR_E_IO ? strerror(error) : tr_status_text(status));
	return TR_EXIT_TROUBLE;
}

static struct machine *create_machine(const struct settings *s)
{
	const struct simulator_config config = {.ram_size = s->ram_size,
						.has_float = s->has_float,
						.has_copy = s->has_copy,
						.harts = s->harts};
	struct machine *machine = s->simulator->create(&config);

	tr_cli_need(&s->cli, machine);
	machine->harts = s->harts;
	machine->has_copy = s->has_copy;
	return machine;
}

int simulator_main(const struct simulator *simulator, int argc, char **argv)
{
	static struct settings s;
	struct trace *trace;
	static struct machine *machine; /* static: reachable when tr_die() exits */
	int status;

	s.simulator = simulator;
	parse_args(&s, argc, argv);
	if (s.resume)
		open_checkpoint(&s);
	machine = create_machine(&s);
	if (counting_lists(&s.counting)) {
		status = counting_list(&s.cli, machine);
		simulator->destroy(machine);
		return status;
	}
	counting_choose(&s.counting, &s.cli, machine);
	if (s.counting.path && s.trace)
		tr_cli_apart(&s.cli, s.counting.path, s.trace, "the trace goes there");
	simulator_load(&s, machine);
	set_run_identity(&s, machine);
	prepare_checkpoint(&s);
	open_trace(&s);
	trace = begin_trace(&s, machine);
	counting_begin(&s.counting, &s.cli, machine, trace);
	s.session.sampler = s.counting.sampler;
	status = session_run(&s.session, machine, trace);
	if (counting_end(&s.counting, &s.cli) != TR_EXIT_OK)
		status = TR_EXIT_TROUBLE;
	if (trace && check_trace(&s, trace) != TR_EXIT_OK)
		status = TR_EXIT_TROUBLE;
	trace_free(trace);
	simulator->destroy(machine);
	trigger_release(&s.session.start);
	trigger_release(&s.session.stop);
	trigger_release(&s.session.saving.at);
	checkpoint_close(&s.from);
	tr_header_free(s.keys);
	free(s.argv);
	free(s.elf);
	return status;
}
