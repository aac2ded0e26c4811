/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tr-replay: parsing and consistency. */
#ifndef TR_REPLAY_OPTIONS_H
#define TR_REPLAY_OPTIONS_H

#include "cli/options.h"
#include "probe/probe.h"

struct tr_replay_options {
	struct tr_cli *cli;
	const char *trace;
	/* What the simulator was given: operands, and those of its options, or NULL. */
	char *const *programs;
	int nprograms;
	const char *dtb, *initrd;
	const char *resume; /* a checkpoint in place of them; NULL: none */
	/* Names of options that were given, or NULL */
	const char *has_at, *has_gdb, *has_mark_page;
	uint64_t cycle; /* --at */
	unsigned port;	/* --gdb */
	unsigned hart;	/* of --at and --gdb */
	const char *index;
	struct tr_texts expressions; /* --print */
	struct tr_probes *probes;    /* of all files and texts; NULL: none */
	struct tr_texts probe_files;
	bool streams;		   /* --stream */
	bool has_accesses;	   /* --accesses or --accesses-of */
	struct tr_texts functions; /* --accesses-of */
	uint64_t mark_page;	   /* a multiple of TR_MARK_PAGE */
};

/* Parses the command line and initialises `cli`; dies or exits as tr_options_parse()
 * does, or if a probe is not in the language. */
void tr_replay_options_take(struct tr_replay_options *o, struct tr_cli *cli, int argc,
			    char **argv);
/* Frees the probes, too. */
void tr_replay_options_release(struct tr_replay_options *o);

#endif
