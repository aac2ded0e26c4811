/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of every simulator: options, images, the trace, the run. */
#ifndef RUN_SIMULATOR_H
#define RUN_SIMULATOR_H

#include "machine.h"

/* The text of --help: `what` is for example "a functional RV64 machine", `own` the lines
 * of further options. */
#define SIMULATOR_USAGE(name, what, own)                                                 \
	"usage: " name " [options] FILE.elf|FILE@ADDRESS...\n"                           \
	"       " name " [options] --resume FILE\n"                                      \
	"Runs programs on " what " until it powers off, a limit or a\n"                  \
	"trigger. The UART is on standard input and output.\n"                           \
	"\n"                                                                             \
	"      --ram SIZE             bytes of memory, with k, M or G (powers of "       \
	"1024;\n"                                                                        \
	"                             default 128M)\n"                                   \
	"      --isa ISA              rv64imac (default), or rv64gc: with F and D\n"     \
	"      --dtb FILE[@ADDRESS]   load a device tree; a1 has its address at reset\n" \
	"      --initrd FILE[@ADDRESS]\n"                                                \
	"                             load an initial RAM disk; the device tree has\n"   \
	"                             its address range\n"                               \
	"      --resume FILE          start from a checkpoint, in place of programs\n"   \
	"      --trace FILE           write the trace stream to FILE (-: standard "      \
	"output)\n"                                                                      \
	"      --start SPEC           trace from the token that matches SPEC: cycle=N\n" \
	"                             (1: the first), pc=0xADDRESS, pc=[FILE:]SYMBOL,\n" \
	"                             insn=HEX[/MASK], exec=FILE (the start of a\n"      \
	"                             program) or exit\n"                                \
	"      --stop SPEC            trace up to the token that matches SPEC\n"         \
	"      --max-instructions N   stop after N instructions\n"                       \
	"      --max-cycles N         stop after cycle N\n" own                          \
	"      --no-provenance        do not add this run to the header\n"               \
	"  -h, --help                 show this help and exit\n"                         \
	"  -V, --version              show the version and exit\n"                       \
	"N may end in k, M or G, for powers of 1000.\n"

struct simulator_config {
	uint64_t ram_size; /* bytes */
	bool has_float;	   /* F and D */
	bool has_copy;	   /* the copy unit */
	unsigned harts;
};

struct simulator {
	const char *name; /* "soc-model" */
	const char *usage;
	const char *precision; /* of the stream: "cycles" or "instructions" */
	bool can_float;	       /* there are machines with F and D: --isa rv64gc */
	unsigned max_harts;    /* of --harts */
	/* Names of classes of lost cycles, without and with F and D; NULL: none. */
	const char *classes[2];
	/* Further options, from SIMULATOR_FIRST_FREE, and their handler. */
	const struct option *options;
	void (*option)(const struct tr_cli *cli, int option, const char *argument);
	/* Returns a machine at reset; NULL if memory runs out. */
	struct machine *(*create)(const struct simulator_config *config);
	void (*destroy)(struct machine *m);
};

enum { SIMULATOR_FIRST_FREE = TR_CLI_FIRST_FREE + 0x100 };

/* Options of simulators whose machine can be saved. */
enum {
	SIMULATOR_CHECKPOINT = TR_CLI_FIRST_FREE + 0x40,
	SIMULATOR_CHECKPOINT_AT,
	SIMULATOR_CHECKPOINT_CONTINUE,
};
#define SIMULATOR_CHECKPOINT_OPTIONS                                                     \
	{"checkpoint", required_argument, NULL, SIMULATOR_CHECKPOINT},                   \
	    {"checkpoint-at", required_argument, NULL, SIMULATOR_CHECKPOINT_AT},         \
	{                                                                                \
		"checkpoint-continue", no_argument, NULL, SIMULATOR_CHECKPOINT_CONTINUE  \
	}
#define SIMULATOR_CHECKPOINT_USAGE                                                       \
	"      --checkpoint FILE      write a checkpoint where the run ends\n"           \
	"      --checkpoint-at SPEC   write it before the token that matches SPEC, "     \
	"and\n"                                                                          \
	"                             end the run\n"                                     \
	"      --checkpoint-continue  do not end it\n"

/* The option of simulators whose machine can have several harts. */
enum { SIMULATOR_HARTS = TR_CLI_FIRST_FREE + 0xc0 };
#define SIMULATOR_HARTS_OPTION                                                           \
	{                                                                                \
		"harts", required_argument, NULL, SIMULATOR_HARTS                        \
	}
#define SIMULATOR_HARTS_USAGE "      --harts N              number of harts (default 1)\n"

/* Options of simulators whose machine has counters. */
enum {
	SIMULATOR_COUNTERS = TR_CLI_FIRST_FREE + 0x80,
	SIMULATOR_COUNTERS_EVERY,
	SIMULATOR_COUNTERS_CSV,
};
#define SIMULATOR_COUNTER_OPTIONS                                                        \
	{"counters", required_argument, NULL, SIMULATOR_COUNTERS},                       \
	    {"counters-every", required_argument, NULL, SIMULATOR_COUNTERS_EVERY},       \
	{                                                                                \
		"counters-csv", required_argument, NULL, SIMULATOR_COUNTERS_CSV          \
	}
#define SIMULATOR_COUNTER_USAGE                                                          \
	"      --counters LIST        sample these counters: a comma-separated list "    \
	"of\n"                                                                           \
	"                             names and shell patterns, or all; list prints "    \
	"them\n"                                                                         \
	"      --counters-every N     take a sample every N cycles (default 100k)\n"     \
	"      --counters-csv FILE    write samples to this CSV (-: standard output), "  \
	"not\n"                                                                          \
	"                             to the trace\n"

/* Runs the simulator; returns the exit status. */
int simulator_main(const struct simulator *simulator, int argc, char **argv);

#endif
