/* SPDX-License-Identifier: Apache-2.0 */
/* The main program of every simulator: options, images, the trace, the run. */
#ifndef RUN_SIMULATOR_H
#define RUN_SIMULATOR_H

#include "cli/options.h"
#include "machine.h"

/* The first lines of --help: `what` is for example "a functional RV64 machine". */
#define SIMULATOR_USAGE(name, what)                                                      \
	"usage: " name " [options] FILE.elf|FILE@ADDRESS...\n"                           \
	"       " name " [options] --resume FILE\n"                                      \
	"Runs programs on " what " until it powers off, a limit or a\n"                  \
	"trigger. The UART is on standard input and output.\n"

struct simulator_config {
	uint64_t ram_size; /* bytes */
	struct soc_features features;
	unsigned harts;
	struct soc_disk *disk; /* with features.disk; outlives the machine */
	struct soc_disk_timing disk_timing;
	bool records_uses; /* of RAM, for machine_ops.uses */
};

struct simulator {
	const char *name; /* "soc-model" */
	const char *usage;
	const char *precision;	 /* of the stream: "cycles" or "instructions" */
	struct soc_features can; /* there are machines with these */
	unsigned max_harts;	 /* of --harts */
	unsigned
	    commit_width; /* most instructions that a hart commits in a cycle; 0: 1 */
	/* Returns that of one hart; NULL: all have the former. */
	unsigned (*hart_width)(unsigned hart);
	/* Returns the names of classes of lost cycles; NULL: there are none. */
	const char *(*classes)(const struct soc_features *features);
	bool can_count;			 /* the machine has counters: --counters */
	bool can_save;			 /* the machine can be saved: --checkpoint */
	const struct tr_option *options; /* further ones; `take` is given the tr_cli */
	/* Returns a machine at reset; NULL if memory runs out. */
	struct machine *(*create)(const struct simulator_config *config);
	void (*destroy)(struct machine *m);
};

/* Runs the simulator; returns the exit status. */
int simulator_main(const struct simulator *simulator, int argc, char **argv);

#endif
