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
	const char *trace;
	int fd;		  /* of the trace, -1: none */
	const char **elf; /* those of the operands that are ELF files */
	size_t nelf;
	bool begins; /* an ELF file has its entry point where the machine starts */
	struct {
		const char *path;
		uint64_t entry;
	} first; /* the ELF file that is there */
};

static void parse_trigger(const struct tr_cli *cli, const char *option,
			  struct trigger *trigger)
{
	const char *why = trigger_parse(trigger, optarg);

	if (why)
		tr_die(cli, "%s: %s: %s", option, optarg, why);
}

static void parse_option(struct settings *s, int option)
{
	switch (option) {
	case OPT_RAM:
		s->ram_size = boot_ram(&s->cli, optarg);
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
		if (option >= SIMULATOR_FIRST_FREE)
			s->simulator->option(&s->cli, option, optarg);
		else
			tr_cli_option(&s->cli, option);
	}
}

static const struct option OPTIONS[] = {
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {"no-provenance", no_argument, NULL, TR_CLI_NO_PROVENANCE},
    {"ram", required_argument, NULL, OPT_RAM},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"start", required_argument, NULL, OPT_START},
    {"stop", required_argument, NULL, OPT_STOP},
    {"max-instructions", required_argument, NULL, OPT_MAX_INSTRUCTIONS},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"dtb", required_argument, NULL, OPT_DTB},
    {"initrd", required_argument, NULL, OPT_INITRD},
};
enum { SHARED = sizeof OPTIONS / sizeof OPTIONS[0], OWN_MAX = 16 };

/* The shared options and the simulator's own. */
static void parse_options(struct settings *s)
{
	const struct option *own = s->simulator->options;
	struct option all[SHARED + OWN_MAX + 1] = {{NULL, 0, NULL, 0}};
	int option;

	memcpy(all, OPTIONS, sizeof OPTIONS);
	for (unsigned i = 0; own && own[i].name && i < OWN_MAX; i++)
		all[SHARED + i] = own[i];
	while ((option = getopt_long(s->cli.argc, s->cli.argv, "hV", all, NULL)) != -1)
		parse_option(s, option);
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

/* What the machine does not have, told before the program meets it. */
static void warn_of_elf(const struct settings *s, const char *path, uint32_t flags)
{
	static const char *const floats[] = {NULL, "F", "D", "Q"};
	unsigned abi = (flags & EF_RISCV_FLOAT_ABI) >> 1;

	if (floats[abi])
		tr_warn(&s->cli,
			"warning: %s: compiled for the extension %s, which the machine "
			"does not have; compile with -march=rv64imac -mabi=lp64",
			path, floats[abi]);
	if (symbol_is_in(path, "tohost"))
		tr_warn(&s->cli,
			"warning: %s: it has a symbol tohost, which the machine does not "
			"watch: only a 32-bit store of 0x5555 to 0x100000 ends the run",
			path);
}

/* An ELF file: `first` gets the one that the machine begins in. */
static void load_elf(struct settings *s, struct soc_image *image, const char *path)
{
	bool before = soc_image_has(image, SOC_RESET_PC);

	if (!soc_image_load_elf(image, path))
		tr_die(&s->cli, "%s", image->message);
	s->elf[s->nelf++] = path;
	warn_of_elf(s, path, image->flags);
	if (image->entry == UINT64_MAX)
		return;
	if (image->entry == SOC_RESET_PC)
		s->begins = true;
	if (!before && soc_image_has(image, SOC_RESET_PC)) {
		s->first.path = path;
		s->first.entry = image->entry;
	}
}

/* An input is not written over. */
static void keep(const struct settings *s, const char *path)
{
	if (s->trace)
		tr_cli_apart(&s->cli, s->trace, path, "the output is the input");
	if (s->counting.path)
		tr_cli_apart(&s->cli, s->counting.path, path, "the output is the input");
}

static void keep_operand(const struct settings *s, const char *operand)
{
	char *path = NULL;
	uint64_t address;

	if (operand)
		keep(s, boot_split(&s->cli, operand, &path, &address) ? path : operand);
	free(path);
}

static void load(struct settings *s, struct soc_image *image, const char *operand)
{
	char *path = NULL;
	uint64_t address = 0;
	bool is_raw = boot_split(&s->cli, operand, &path, &address);

	keep(s, is_raw ? path : operand);
	if (!is_raw) /* without an address it is an ELF file */
		load_elf(s, image, operand);
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
			" is not where the machine starts, 0x%x",
			s->first.path, s->first.entry, SOC_RESET_PC);
}

static void load_all(struct settings *s, struct machine *machine)
{
	struct soc_image *image = machine->image;
	struct trigger *triggers[] = {&s->session.start, &s->session.stop};
	char message[512];

	s->elf = calloc((size_t)s->cli.argc, sizeof *s->elf);
	if (!s->elf)
		tr_die(&s->cli, "out of memory");
	for (int i = optind; i < s->cli.argc; i++)
		load(s, image, s->cli.argv[i]);
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

/* --trace, or the descriptor that tr-capture left for us. A stream on standard
 * output has it for itself: the UART goes to standard error. */
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

/* "NAME<tab>VERSION<tab>argv joined by blanks", as filters have it. */
static char *provenance(const struct tr_cli *cli)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		tr_die(cli, "out of memory");
	fprintf(out, "%s\t%s\t%s", cli->program, TR_VERSION, cli->program);
	for (int i = 1; i < cli->argc; i++)
		fprintf(out, " %s", cli->argv[i]);
	if (fclose(out) != 0)
		tr_die(cli, "out of memory");
	return text;
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
		options.argv = argv = provenance(&s->cli);
	trace = trace_new(machine, &options);
	free(argv);
	if (!trace)
		tr_die(&s->cli, "out of memory");
	return trace;
}

/* Whether all of the stream is where it should be. */
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
	static struct machine *machine; /* static: reachable when tr_die() ends us */
	int status;

	s.simulator = simulator;
	parse_args(&s, argc, argv);
	machine = simulator->create(s.ram_size);
	if (!machine)
		tr_die(&s.cli, "out of memory");
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
