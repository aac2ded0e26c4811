/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of tr-replay. */
#include "cli/replay_options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/shared_files.h"
#include "stream/marks.h"

static const char usage[] =
    "usage: tr-replay [options] RUN.tr FILE.elf|FILE@ADDRESS...\n"
    "       tr-replay --resume CHECKPOINT RUN.tr\n"
    "Execute a trace again on the functional model, with the files that the simulator\n"
    "ran, and compare each instruction.\n";

/* Returns the probes, to which others are added; a status is an error of theirs. */
static struct tr_probes *get_probes(struct tr_replay_options *o)
{
	if (!o->probes)
		o->probes = tr_probes_new();
	tr_cli_need(o->cli, o->probes);
	return o->probes;
}

static void check_probes(const struct tr_replay_options *o, int status)
{
	if (status)
		tr_die(o->cli, "%s", tr_probes_message(o->probes));
}

static void take_probes(void *context, const struct tr_option *option, const char *file)
{
	struct tr_replay_options *o = context;
	char path[PATH_MAX];
	(void)option;
	tr_options_add_text(o->cli, &o->probe_files, file);
	if (!strchr(file, '/') && access(file, F_OK) != 0 && tr_shared_probes(file, path))
		file = path;
	check_probes(o, tr_probes_read(get_probes(o), file));
}

static void take_probe(void *context, const struct tr_option *option, const char *text)
{
	struct tr_replay_options *o = context;
	(void)option;
	check_probes(o, tr_probes_read_text(get_probes(o), "--probe", text));
}

static void take_stream(void *context, const struct tr_option *option,
			const char *argument)
{
	struct tr_replay_options *o = context;
	(void)option, (void)argument;
	o->streams = true;
	tr_cli_promise(o->cli);
}

static void take_mark_page(void *context, const struct tr_option *option,
			   const char *text)
{
	struct tr_replay_options *o = context;
	const char *end = tr_parse_address(text, &o->mark_page);
	char message[160];

	(void)option;
	if (!end || *end) {
		tr_address_trouble(text, message, sizeof(message));
		tr_die(o->cli, "--mark-page: %s", message);
	}
	if (o->mark_page % TR_MARK_PAGE)
		tr_die(o->cli, "--mark-page: %s is not where a page of %d bytes begins",
		       text, TR_MARK_PAGE);
}

static void parse_replay_options(struct tr_replay_options *o)
{
	const struct tr_option options[] = {
	    {"dtb", .argument = "FILE[@ADDRESS]", .text = &o->dtb,
	     .help = "as it was given to the simulator"},
	    {"initrd", .argument = "FILE[@ADDRESS]", .text = &o->initrd,
	     .help = "as it was given to the simulator"},
	    {"resume", .argument = "FILE", .text = &o->resume,
	     .help = "the trace begins at this checkpoint"},
	    {"at", .argument = "CYCLE", .number = &o->cycle, .seen = &o->has_at,
	     .excludes = "probes probe",
	     .help = "print where a hart is in this cycle, and its registers"},
	    {"gdb", .argument = "PORT", .range = {&o->port, 0, 65535},
	     .seen = &o->has_gdb, .excludes = "probes probe print",
	     .help = "serve gdb, forwards and backwards"},
	    {"hart", .argument = "N", .range = {&o->hart, 0, TR_MAX_HARTS - 1},
	     .needs = "at gdb", .help = "of this hart (0)"},
	    {"index", .argument = "FILE", .text = &o->index,
	     .help = "write an index of the trace; with --at or --gdb, use it"},
	    {"print", .argument = "EXPRESSION", .texts = &o->expressions,
	     .needs = "at gdb",
	     .help = "in place of the registers, print this there, as in "
		     "'current->comm'; may be repeated"},
	    {"probes", .argument = "FILE", .take = take_probes,
	     .help = "print a line for each hit of the probes in FILE"},
	    {"probe", .argument = "TEXT", .take = take_probe,
	     .help = "the same for probes in TEXT, as in "
		     "'exit: vmlinux:do_exit { pid = current->pid }'"},
	    {"accesses", .flag = &o->has_accesses, .needs = "stream",
	     .help = "with --stream, write the addresses of loads and stores, too"},
	    {"accesses-of", .argument = "FUNCTION", .texts = &o->functions,
	     .excludes = "accesses", .needs = "stream",
	     .help = "the same, but of the code of this function in a matched trace; may "
		     "be repeated"},
	    {"mark-page", .argument = "ADDRESS", .take = take_mark_page,
	     .seen = &o->has_mark_page, .excludes = "accesses accesses-of",
	     .needs = "stream",
	     .help = "with --stream, stores to this physical page are marks: at 0, 8 and "
		     "16 a point, begin and end with the number stored"},
	    {"stream", .take = take_stream,
	     .needs = "probes probe accesses accesses-of mark-page", .excludes = "at gdb",
	     .help = "write the trace with events at the hits, not lines"},
	    {"uncompressed", 'u', .flag = &o->cli->plain, .needs = "stream",
	     .help = "with --stream, do not compress a stream in a file"},
	    {"no-provenance", .flag = &o->cli->no_provenance, .needs = "stream",
	     .help = "with --stream, do not add this run to the header"},
	    {0}};
	tr_options_parse(o->cli, options, o);
	o->has_accesses |= o->functions.count != 0;
}

/* Takes the trace and the programs. */
static void take_operands(struct tr_replay_options *o)
{
	if (optind == o->cli->argc)
		tr_die(o->cli, "no trace given; try --help");
	o->trace = o->cli->argv[optind++];
	o->programs = o->cli->argv + optind;
	o->nprograms = o->cli->argc - optind;
	if ((o->index || o->has_gdb) && strcmp(o->trace, "-") == 0)
		tr_die(o->cli, "--index and --gdb: the trace must be a file");
	if (o->resume && (o->nprograms || o->dtb || o->initrd))
		tr_die(o->cli, "--resume: the checkpoint has the memory's contents");
	if (!o->resume && !o->nprograms)
		tr_die(o->cli,
		       "no programs given: name the files that the simulator ran, or "
		       "--resume CHECKPOINT");
}

void tr_replay_options_take(struct tr_replay_options *o, struct tr_cli *cli, int argc,
			    char **argv)
{
	*o = (struct tr_replay_options){.cli = cli};
	tr_cli_init(cli, TR_CLI_TEXT, "tr-replay", usage, argc, argv);
	parse_replay_options(o);
	take_operands(o);
}

void tr_replay_options_release(struct tr_replay_options *o)
{
	tr_probes_free(o->probes);
	free(o->probe_files.text);
	free(o->expressions.text);
	free(o->functions.text);
}
