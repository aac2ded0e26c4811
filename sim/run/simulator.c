/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of every simulator: options, images, the trace, the run. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/output.h"
#include "boot.h"
#include "console.h"
#include "counting.h"
#include "session.h"
#include "simulator.h"
#include "symbol.h"

enum {
	OPT_RAM = TR_CLI_FIRST_FREE,
	OPT_ISA,
	OPT_TRACE,
	OPT_START,
	OPT_STOP,
	OPT_MAX_INSTRUCTIONS,
	OPT_MAX_CYCLES,
	OPT_DTB,
	OPT_INITRD,
};

struct settings {
	const struct simulator *simulator;
	struct tr_cli cli;
	struct session_options session;
	struct counting counting;
	struct boot boot;
	uint64_t ram_size;
	bool has_float; /* --isa rv64gc */
	const char *trace;
	int fd;		  /* of the trace; -1: none */
	const char **elf; /* operands that are ELF files */
	size_t nelf;
	bool begins; /* an ELF file has its entry point at the reset address */
	struct {
		const char *path;
		uint64_t entry;
	} first; /* the ELF file at the reset address */
};

static void parse_trigger(const struct tr_cli *cli, const char *option,
			  struct trigger *trigger)
{
	const char *why = trigger_parse(trigger, optarg);

	if (why)
		tr_die(cli, "%s: %s: %s", option, optarg, why);
}

static bool parse_isa(const struct settings *s, const char *isa)
{
	bool has_float = strcmp(isa, "rv64gc") == 0;

	if (!has_float && strcmp(isa, "rv64imac") != 0)
		tr_die(&s->cli, "--isa: %s: neither rv64imac nor rv64gc", isa);
	if (has_float && !s->simulator->can_float)
		tr_die(&s->cli, "--isa: %s: the machine is built without F and D", isa);
	return has_float;
}

/* Options of the counters and of one simulator. */
static void take_other_option(struct settings *s, int option)
{
	switch (option) {
	case SIMULATOR_COUNTERS:
		s->counting.names = optarg;
		break;
	case SIMULATOR_COUNTERS_EVERY:
		s->counting.every = optarg;
		break;
	case SIMULATOR_COUNTERS_CSV:
		s->counting.path = optarg;
		break;
	default:
		s->simulator->option(&s->cli, option, optarg);
	}
}

static void take_option(void *context, int option)
{
	struct settings *s = context;

	switch (option) {
	case OPT_RAM:
		s->ram_size = boot_ram(&s->cli, optarg);
		break;
	case OPT_ISA:
		s->has_float = parse_isa(s, optarg);
		break;
	case OPT_TRACE:
		s->trace = optarg;
		break;
	case OPT_START:
		parse_trigger(&s->cli, "--start", &s->session.start);
		break;
	case OPT_STOP:
		parse_trigger(&s->cli, "--stop", &s->session.stop);
		break;
	case OPT_MAX_INSTRUCTIONS:
		s->session.max_instructions =
		    tr_cli_u64(&s->cli, "--max-instructions", optarg);
		break;
	case OPT_MAX_CYCLES:
		s->session.max_cycles = tr_cli_u64(&s->cli, "--max-cycles", optarg);
		break;
	case OPT_DTB:
		s->boot.dtb = optarg;
		break;
	case OPT_INITRD:
		s->boot.initrd = optarg;
		break;
	default:
		take_other_option(s, option);
	}
}

static const struct option OPTIONS[] = {
    {"ram", required_argument, NULL, OPT_RAM},
    {"isa", required_argument, NULL, OPT_ISA},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"start", required_argument, NULL, OPT_START},
    {"stop", required_argument, NULL, OPT_STOP},
    {"max-instructions", required_argument, NULL, OPT_MAX_INSTRUCTIONS},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"dtb", required_argument, NULL, OPT_DTB},
    {"initrd", required_argument, NULL, OPT_INITRD},
};
enum { SHARED = sizeof OPTIONS / sizeof OPTIONS[0], OWN_MAX = 16 };

/* Combines the options common to all simulators with this one's own. */
static void parse_options(struct settings *s)
{
	const struct option *own = s->simulator->options;
	struct option all[SHARED + OWN_MAX + 1] = {{NULL, 0, NULL, 0}};

	memcpy(all, OPTIONS, sizeof OPTIONS);
	for (unsigned i = 0; own && own[i].name && i < OWN_MAX; i++)
		all[SHARED + i] = own[i];
	tr_cli_parse(&s->cli, all, take_option, s);
}

static void parse_args(struct settings *s, int argc, char **argv)
{
	tr_cli_init(&s->cli, TR_CLI_SIMULATOR, s->simulator->name, s->simulator->usage,
		    argc, argv);
	s->session.cli = &s->cli;
	s->session.max_instructions = s->session.max_cycles = UINT64_MAX;
	s->ram_size = SOC_RAM_DEFAULT_SIZE;
	parse_options(s);
	if (s->session.start.kind == TRIGGER_CYCLE &&
	    s->session.stop.kind == TRIGGER_CYCLE &&
	    s->session.stop.value < s->session.start.value)
		tr_die(&s->cli,
		       "--stop cycle=%" PRIu64 " is before --start cycle=%" PRIu64,
		       s->session.stop.value + 1, s->session.start.value + 1);
	counting_check(&s->counting, &s->cli, s->trace || getenv("TR_CAPTURE_FD"));
	if (optind == argc && !counting_lists(&s->counting))
		tr_die(&s->cli, "no program given; try --help");
}

/* Warns of features that the program needs and the machine lacks. */
static void warn_of_elf(const struct settings *s, const struct machine *machine,
			const char *path)
{
	static const char *const floats[] = {NULL, "F", "D", "Q"};
	unsigned abi = (machine->image->flags & EF_RISCV_FLOAT_ABI) >> 1;
	unsigned has = machine->has_float ? 2 : 0;

	if (abi > has)
		tr_warn(&s->cli,
			"warning: %s: compiled for the extension %s, which the machine "
			"does not have; compile with -march=rv64imac -mabi=lp64, or run "
			"it with --isa rv64gc",
			path, floats[abi]);
	if (symbol_is_in(path, "tohost"))
		tr_warn(&s->cli,
			"warning: %s: it has a symbol tohost, which the machine does not "
			"watch: only a 32-bit store of 0x5555 to 0x100000 ends the run",
			path);
}

/* Loads an ELF file; `first` is set to the one that covers the reset address. */
static void load_elf(struct settings *s, struct machine *machine, const char *path)
{
	struct soc_image *image = machine->image;
	bool before = soc_image_has(image, SOC_RESET_PC);

	if (!soc_image_load_elf(image, path))
		tr_die(&s->cli, "%s", image->message);
	s->elf[s->nelf++] = path;
	warn_of_elf(s, machine, path);
	if (image->entry == UINT64_MAX)
		return;
	if (image->entry == SOC_RESET_PC)
		s->begins = true;
	if (!before && soc_image_has(image, SOC_RESET_PC)) {
		s->first.path = path;
		s->first.entry = image->entry;
	}
}

/* Refuses to overwrite an input. */
static void keep(const struct settings *s, const char *path)
{
	if (s->trace)
		tr_cli_keep(&s->cli, s->trace, path);
	if (s->counting.path)
		tr_cli_keep(&s->cli, s->counting.path, path);
}

static void keep_operand(const struct settings *s, const char *operand)
{
	char *path = NULL;
	uint64_t address;

	if (operand)
		keep(s, boot_split(&s->cli, operand, &path, &address) ? path : operand);
	free(path);
}

static void load(struct settings *s, struct machine *machine, const char *operand)
{
	struct soc_image *image = machine->image;
	char *path = NULL;
	uint64_t address = 0;
	bool is_raw = boot_split(&s->cli, operand, &path, &address);

	keep(s, is_raw ? path : operand);
	if (!is_raw) /* without an address it is an ELF file */
		load_elf(s, machine, operand);
	else if (!soc_image_load_raw(image, path, address))
		tr_die(&s->cli, "%s", image->message);
	free(path);
}

static void check_start(const struct settings *s, const struct soc_image *image)
{
	if (!soc_image_has(image, SOC_RESET_PC))
		tr_die(&s->cli, "nothing is loaded at the reset address 0x%x",
		       SOC_RESET_PC);
	if (!s->begins && s->first.path)
		tr_warn(&s->cli,
			"warning: %s: its entry point 0x%" PRIx64
			" is not the reset address, 0x%x",
			s->first.path, s->first.entry, SOC_RESET_PC);
}

static void load_all(struct settings *s, struct machine *machine)
{
	struct soc_image *image = machine->image;
	struct trigger *triggers[] = {&s->session.start, &s->session.stop};
	char message[512];

	s->elf = calloc((size_t)s->cli.argc, sizeof *s->elf);
	tr_cli_need(&s->cli, s->elf);
	for (int i = optind; i < s->cli.argc; i++)
		load(s, machine, s->cli.argv[i]);
	check_start(s, image);
	keep_operand(s, s->boot.dtb);
	keep_operand(s, s->boot.initrd);
	boot_load(&s->boot, &s->cli, image);
	machine->ops->set_a1(machine, image->tree);
	for (unsigned i = 0; i < 2; i++)
		if (!trigger_resolve(triggers[i], s->elf, s->nelf, message,
				     sizeof message))
			tr_die(&s->cli, "%s: %s", i ? "--stop" : "--start", message);
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
	    .simulator = s->simulator, .fd = s->fd, .elf = s->elf, .nelf = s->nelf};
	struct trace *trace;
	char *argv = NULL;

	if (s->fd < 0)
		return NULL;
	if (!s->counting.path) {
		options.counters = s->counting.list;
		options.chosen = s->counting.chosen;
		options.nchosen = s->counting.n;
	}
	options.triggers = s->session.start.kind || s->session.stop.kind;
	if (!s->cli.no_provenance)
		options.argv = argv = tr_cli_provenance(&s->cli);
	trace = trace_new(machine, &options);
	free(argv);
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

int simulator_main(const struct simulator *simulator, int argc, char **argv)
{
	static struct settings s;
	struct trace *trace;
	static struct machine *machine; /* static: reachable when tr_die() exits */
	int status;

	s.simulator = simulator;
	parse_args(&s, argc, argv);
	machine = simulator->create(s.ram_size, s.has_float);
	tr_cli_need(&s.cli, machine);
	if (counting_lists(&s.counting)) {
		status = counting_list(&s.cli, machine);
		simulator->destroy(machine);
		return status;
	}
	counting_choose(&s.counting, &s.cli, machine);
	if (s.counting.path && s.trace)
		tr_cli_apart(&s.cli, s.counting.path, s.trace, "the trace goes there");
	load_all(&s, machine);
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
	free(s.elf);
	return status;
}
