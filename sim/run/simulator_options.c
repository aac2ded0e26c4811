/* SPDX-License-Identifier: Apache-2.0 */
/* The options of every simulator. */
#include <string.h>

#include "feature_text.h"
#include "simulator_state.h"

/* Entries of the tables, with the last one. */
enum { COMMON = 13, SAVE = 5, COUNT = 4, DISK = 4 };

static void take_trigger(struct settings *s, const struct tr_option *option,
			 const char *text, struct trigger *trigger)
{
	const char *why = trigger_parse(trigger, text);

	if (why)
		tell_trouble(&s->trouble, "--%s: %s: %s", option->name, text, why);
}

static void take_start(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	take_trigger(s, option, text, &s->session.start);
}

static void take_stop(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	take_trigger(s, option, text, &s->session.stop);
}

static void take_checkpoint_at(void *context, const struct tr_option *option,
			       const char *text)
{
	struct settings *s = context;

	take_trigger(s, option, text, &s->session.saving.at);
}

static void take_ram(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	(void)option;
	s->ram = text;
	boot_ram(text, &s->ram_size, &s->trouble);
}

static void take_isa(void *context, const struct tr_option *option, const char *isa)
{
	struct settings *s = context;

	(void)option;
	s->isa = isa;
	features_set_isa(&s->features, isa);
	const char *missing = features_find_missing(&s->features, &s->simulator->can);
	if (missing)
		tell_trouble(&s->trouble, "--isa: %s: the machine is built without %s",
			     isa, missing);
}

static void take_harts(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;
	unsigned most = s->simulator->max_harts;
	uint64_t harts = 0;
	const char *why = tr_cli_number(text, &harts);

	(void)option;
	if (why)
		tell_trouble(&s->trouble, "--harts: %s: %s", why, text);
	else if (harts == 0 || harts > most)
		tell_trouble(&s->trouble, "--harts: %s: the machine can have 1 to %u",
			     text, most);
	s->harts_text = text;
	s->harts = (unsigned)harts;
}

static void take_disk(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;

	(void)option;
	s->disk_path = text;
	s->features.disk = s->boot.has_disk = true;
}

/* Lists the options of all machines. */
static void list_common_options(struct settings *s, struct tr_option list[COMMON])
{
	const struct tr_option options[COMMON] = {
	    {"ram", .argument = "SIZE", .take = take_ram,
	     .help = "bytes of memory, with k, M or G, powers of 1024 (128M)"},
	    {"isa", .choice = {.words = FEATURES_ISAS}, .take = take_isa,
	     .help = "rv64imac (the default), or rv64gc: with F and D"},
	    {"harts", .argument = "N", .take = take_harts, .help = "number of harts (1)"},
	    {"copy-unit", .flag = &s->features.copy,
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
		     "pc=0xADDRESS, pc=[FILE:]SYMBOL, insn=HEX[/MASK], mark=N, begin=N, "
		     "end=N, exec=FILE (the "
		     "start of a program) or exit"},
	    {"stop", .argument = "SPEC", .take = take_stop,
	     .help = "trace up to the token that matches SPEC"},
	    {"max-instructions", .argument = "N", .number = &s->session.max_instructions,
	     .help = "stop after N instructions"},
	    {"max-cycles", .argument = "N", .number = &s->session.max_cycles,
	     .help = "stop after cycle N"},
	    {0}};

	memcpy(list, options, sizeof(options));
}

/* Lists the options of those that write checkpoints. */
static void list_saving_options(struct settings *s, struct tr_option list[SAVE])
{
	const struct tr_option options[SAVE] = {
	    {"checkpoint", .argument = "FILE", .text = &s->session.saving.path,
	     .help = "write a checkpoint where the run ends"},
	    {"checkpoint-at", .argument = "SPEC", .take = take_checkpoint_at,
	     .needs = "checkpoint",
	     .help = "write it before the token that matches SPEC, and end the run"},
	    {"checkpoint-continue", .flag = &s->session.saving.goes_on,
	     .needs = "checkpoint-at", .help = "do not end it"},
	    {"checkpoint-warm", .flag = &s->session.saving.keeps_uses,
	     .needs = "checkpoint",
	     .help = "keep in it which lines of memory were used last, from which "
		     "soc-sim fills its caches"},
	    {0}};

	memcpy(list, options, sizeof(options));
}

/* Lists the options of those with counters. */
static void list_counting_options(struct settings *s, struct tr_option list[COUNT])
{
	const struct tr_option options[COUNT] = {
	    {"counters", .argument = "LIST", .text = &s->counting.names,
	     .help = "sample these counters: a comma-separated list of names and shell "
		     "patterns, or all; list prints them"},
	    {"counters-every", .argument = "N", .text = &s->counting.every,
	     .needs = "counters", .help = "take a sample every N cycles (100k)"},
	    {"counters-csv", .argument = "FILE", .text = &s->counting.path,
	     .needs = "counters",
	     .help = "write samples to this CSV (-: standard output), not to the trace"},
	    {0}};

	memcpy(list, options, sizeof(options));
}

/* Lists the options of those with a disk. */
static void list_disk_options(struct settings *s, struct tr_option list[DISK])
{
	const struct tr_option options[DISK] = {
	    {"disk", .argument = "FILE", .take = take_disk,
	     .help = "add a disk with the contents of FILE, which is never changed"},
	    {"disk-access", .argument = "N", .number = &s->disk_timing.access,
	     .needs = "disk", .help = "cycles that each request to it takes (32000)"},
	    {"disk-sector", .argument = "N", .number = &s->disk_timing.sector,
	     .needs = "disk", .help = "and for each of its sectors of 512 bytes (683)"},
	    {0}};

	memcpy(list, options, sizeof(options));
}

void simulator_parse_options(struct settings *s)
{
	struct tr_option common[COMMON], save[SAVE], count[COUNT], disk[DISK];
	struct tr_option_table tables[6] = {{common, s}};
	size_t n = 1;

	list_common_options(s, common);
	list_saving_options(s, save);
	list_counting_options(s, count);
	list_disk_options(s, disk);
	if (s->simulator->can.disk)
		tables[n++] = (struct tr_option_table){disk, s};
	if (s->simulator->can_save)
		tables[n++] = (struct tr_option_table){save, s};
	if (s->simulator->can_count)
		tables[n++] = (struct tr_option_table){count, s};
	if (s->simulator->options)
		tables[n++] = (struct tr_option_table){s->simulator->options, &s->cli};
	tr_options_parse_tables(&s->cli, tables);
}
