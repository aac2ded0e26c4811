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
#include "feature_text.h"
#include "simulator_state.h"

#define DISK_CYCLES UINT64_C(1000000000000) /* most for a part of a request */

/* Checks options that exclude one another. */
static bool check_options(struct settings *s)
{
	const struct trigger *start = &s->session.start, *stop = &s->session.stop;
	const struct saving_options *saving = &s->session.saving;
	struct trouble *trouble = &s->trouble;

	if (start->kind == TRIGGER_CYCLE && stop->kind == TRIGGER_CYCLE &&
	    stop->value < start->value)
		return tell_trouble(
		    trouble, "--stop cycle=%" PRIu64 " is before --start cycle=%" PRIu64,
		    stop->value + 1, start->value + 1);
	if (saving->at.kind == TRIGGER_EXIT)
		return tell_trouble(trouble,
				    "--checkpoint-at: exit is not known in advance");
	if (saving->keeps_uses && s->harts > 1)
		return tell_trouble(trouble, "--checkpoint-warm needs --harts 1");
	if (s->resume && (optind < s->cli.argc || s->boot.dtb || s->boot.initrd))
		return tell_trouble(
		    trouble, "--resume: %s: the checkpoint has the memory's contents",
		    optind < s->cli.argc ? s->cli.argv[optind]
		    : s->boot.dtb	 ? "--dtb"
					 : "--initrd");
	if (!s->resume && optind == s->cli.argc && !counting_lists(&s->counting))
		return tell_trouble(trouble, "no program given; try --help");
	return true;
}

/* The options that this machine has are checked after all are parsed. */
static bool parse_args(struct settings *s, int argc, char **argv)
{
	tr_cli_init(&s->cli, TR_CLI_SIMULATOR, s->simulator->name, s->simulator->usage,
		    argc, argv);
	s->cli.notes = "N may end in k, M or G, for powers of 1000.\n";
	s->session.cli = &s->cli;
	s->session.max_instructions = s->session.max_cycles = UINT64_MAX;
	s->ram_size = SOC_RAM_DEFAULT_SIZE;
	s->harts = 1;
	s->disk_timing = (struct soc_disk_timing)SOC_DISK_TIMING;
	simulator_parse_options(s);
	return !s->trouble.text[0] && check_options(s) &&
	       counting_check(&s->counting, s->trace || getenv("TR_CAPTURE_FD"),
			      &s->trouble);
}

/* Opens the checkpoint, which determines the machine. */
static bool open_checkpoint(struct settings *s)
{
	char message[CHECKPOINT_MESSAGE];
	const struct checkpoint *c = &s->from;
	struct trouble *trouble = &s->trouble;

	if (!checkpoint_open(&s->from, s->resume, message))
		return tell_trouble(trouble, "%s", message);
	if (s->ram && s->ram_size != c->ram_size)
		return tell_trouble(trouble,
				    "%s: of a machine with %" PRIu64
				    " bytes of memory, not --ram %s",
				    s->resume, c->ram_size, s->ram);
	if (!features_match_saved(&s->features, s->isa, &c->features, s->resume, trouble))
		return false;
	if (s->harts_text && s->harts != c->harts)
		return tell_trouble(trouble, "%s: of a machine with --harts %u, not %s",
				    s->resume, c->harts, s->harts_text);
	if (s->session.saving.keeps_uses && c->harts > 1)
		return tell_trouble(trouble,
				    "%s: of a machine with %u harts; --checkpoint-warm "
				    "needs one of one",
				    s->resume, c->harts);
	if (c->harts > s->simulator->max_harts)
		return tell_trouble(
		    trouble, "%s: of a machine with %u harts; this one can have 1 to %u",
		    s->resume, c->harts, s->simulator->max_harts);
	const char *missing = features_find_missing(&c->features, &s->simulator->can);
	if (missing)
		return tell_trouble(trouble, "%s: the machine is built without %s",
				    s->resume, missing);
	if (c->features.disk && !s->disk_path)
		return tell_trouble(
		    trouble,
		    "%s: of a machine with a disk, whose file --disk must "
		    "name again",
		    s->resume);
	s->ram_size = c->ram_size;
	s->features = c->features;
	s->harts = c->harts;
	return true;
}

/* Opens the disk, if there is one, which must be that of the checkpoint. */
static bool open_disk(struct settings *s)
{
	char message[CHECKPOINT_MESSAGE];

	_Static_assert((int)SOC_DISK_MESSAGE <= (int)CHECKPOINT_MESSAGE, "room");
	if (!s->disk_path)
		return true;
	if (s->disk_timing.access > DISK_CYCLES || s->disk_timing.sector > DISK_CYCLES)
		return tell_trouble(&s->trouble,
				    "--disk-access, --disk-sector: at most 1T cycles");
	s->disk = soc_disk_open(s->disk_path, message);
	if (!s->disk || (s->resume && !checkpoint_match_disk(&s->from, s->disk, message)))
		return tell_trouble(&s->trouble, "%s", message);
	return true;
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
static bool prepare_checkpoint(struct settings *s)
{
	struct saving_options *saving = &s->session.saving;
	char message[CHECKPOINT_MESSAGE];

	if (!saving->path)
		return true;
	if (!checkpoint_may_write(saving->path, message))
		return tell_trouble(&s->trouble, "%s", message);
	s->keys = tr_header_new();
	if (!s->keys || identity_fill(s->keys, &s->identity) != TR_OK)
		return tell_no_memory(&s->trouble);
	saving->keys = s->keys;
	return true;
}

/* Takes the descriptor inherited from tr-capture. */
static bool take_capture_fd(struct settings *s, const char *passed)
{
	uint64_t number;
	const char *why = tr_cli_number(passed, &number);

	s->trace = "<capture>";
	if (why)
		return tell_trouble(&s->trouble, "TR_CAPTURE_FD: %s: %s", why, passed);
	s->fd = (int)(number & 0xffff);
	return fcntl(s->fd, F_GETFD) >= 0 ||
	       tell_trouble(&s->trouble, "TR_CAPTURE_FD: %s: %s", passed,
			    strerror(errno));
}

/* Opens the operand of --trace, or the descriptor inherited from tr-capture. If the
 * stream goes to standard output, the UART moves to standard error. */
static bool open_trace(struct settings *s)
{
	const char *passed = getenv("TR_CAPTURE_FD");

	if (!s->trace && passed) {
		if (!take_capture_fd(s, passed))
			return false;
	} else if (s->trace && strcmp(s->trace, "-") == 0) {
		s->trace = "<stdout>";
		s->fd = console_leave_stdout();
		if (s->fd < 0)
			return tell_trouble(&s->trouble, "<stdout>: %s", strerror(errno));
	} else if (s->trace) {
		s->fd = tr_output_open(s->trace);
		if (s->fd < 0)
			return tell_trouble(&s->trouble, "%s: %s", s->trace,
					    tr_output_problem(errno));
	}
	if (s->fd >= 0 && isatty(s->fd))
		return tell_trouble(&s->trouble,
				    "%s: will not write binary to a terminal", s->trace);
	return true;
}

/* Begins the trace, if there is one. */
static bool begin_trace(struct settings *s, const struct machine *machine)
{
	struct trace_options options = {
	    .simulator = s->simulator, .fd = s->fd, .identity = &s->identity};

	if (s->fd < 0)
		return true;
	if (!s->counting.path) {
		options.counters = s->counting.list;
		options.chosen = s->counting.chosen;
		options.nchosen = s->counting.n;
	}
	options.triggers = s->session.start.kind || s->session.stop.kind;
	s->stream = trace_new(machine, &options);
	return s->stream || tell_no_memory(&s->trouble);
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

static struct machine *create_machine(struct settings *s)
{
	const struct simulator_config config = {.ram_size = s->ram_size,
						.features = s->features,
						.harts = s->harts,
						.disk = s->disk,
						.disk_timing = s->disk_timing,
						.records_uses =
						    s->session.saving.keeps_uses};
	struct machine *machine = s->simulator->create(&config);

	if (!machine) {
		tell_no_memory(&s->trouble);
		return NULL;
	}
	machine->harts = s->harts;
	machine->features = s->features;
	machine->disk = s->disk;
	return machine;
}

static bool begin_sample(struct settings *s, const struct machine *machine)
{
	const char *why =
	    machine->sample->ops->begin(machine->sample, s->session.max_instructions);

	return !why || tell_trouble(&s->trouble, "--sample: %s", why);
}

/* Loads what the run begins with, and opens its outputs. */
static bool prepare_run(struct settings *s, struct machine *machine)
{
	if (!counting_choose(&s->counting, machine, &s->trouble))
		return false;
	if (s->counting.path && s->trace &&
	    tr_cli_is_same_file(s->counting.path, s->trace))
		return tell_trouble(&s->trouble, "%s: the trace goes there",
				    tr_cli_output_name(s->counting.path));
	if (!simulator_load(s, machine))
		return false;
	set_run_identity(s, machine);
	if (machine->sample && !begin_sample(s, machine))
		return false;
	return prepare_checkpoint(s) && open_trace(s) && begin_trace(s, machine) &&
	       counting_begin(&s->counting, machine, s->stream, &s->trouble);
}

/* Runs the machine. Returns the exit status. */
static int run_machine(struct settings *s, struct machine *machine)
{
	int status;

	if (!prepare_run(s, machine)) {
		counting_end(&s->counting, &s->cli);
		return TR_EXIT_TROUBLE;
	}
	s->session.sampler = s->counting.sampler;
	status = session_run(&s->session, machine, s->stream);
	if (counting_end(&s->counting, &s->cli) != TR_EXIT_OK)
		status = TR_EXIT_TROUBLE;
	if (s->stream && check_trace(s, s->stream) != TR_EXIT_OK)
		status = TR_EXIT_TROUBLE;
	return status;
}

/* The target has seen an I/O error that is not the file's, as it was at the beginning.
 * Returns the exit status. */
static int check_disk(const struct settings *s, int status)
{
	uint64_t byte;
	const char *why = s->disk ? soc_disk_trouble(s->disk, &byte) : NULL;

	if (!why)
		return status;
	tr_warn(&s->cli, "%s: byte %" PRIu64 ": %s; the target was told of an error",
		s->disk_path, byte, why);
	return TR_EXIT_TROUBLE;
}

static void release_settings(struct settings *s)
{
	trigger_release(&s->session.start);
	trigger_release(&s->session.stop);
	trigger_release(&s->session.saving.at);
	checkpoint_close(&s->from);
	tr_header_free(s->keys);
	free(s->argv);
	free(s->elf);
}

int simulator_main(const struct simulator *simulator, int argc, char **argv)
{
	static struct settings s;
	struct machine *machine = NULL;
	int status = TR_EXIT_TROUBLE;

	s.simulator = simulator;
	s.fd = -1;
	if (parse_args(&s, argc, argv) && (!s.resume || open_checkpoint(&s)) &&
	    open_disk(&s))
		machine = create_machine(&s);
	if (machine)
		status = counting_lists(&s.counting) ? counting_list(&s.cli, machine)
						     : run_machine(&s, machine);
	status = check_disk(&s, status);
	if (s.trouble.text[0])
		tr_warn(&s.cli, "%s", s.trouble.text);
	trace_free(s.stream);
	if (machine)
		simulator->destroy(machine);
	soc_disk_close(s.disk);
	release_settings(&s);
	return status;
}
