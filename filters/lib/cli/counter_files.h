/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the counters of runs, a file for each, for reports and figures. All functions die
 * on failure, with the name of the file. */
#ifndef TR_COUNTER_FILES_H
#define TR_COUNTER_FILES_H

#include "cli/cli.h"
#include "tma/tma_tables.h"

struct tr_counter_files {
	const struct tr_cli *cli;
	const char *prefix;  /* of the counters' labels; "" if they have none */
	bool needs_frontend; /* the counters and classes of the frontend */
	bool needs_slots;    /* classes, table 1, and the slots of dispatch */
	/* Set by tr_counter_files_read() */
	struct tr_tma_named *runs; /* all that have classes have the same */
	char **names;		   /* of the files */
	size_t count;
};

/* Reads the operands from optind on, at least one. Runs are named by file name, or all by
 * path if two names are equal. */
void tr_counter_files_read(struct tr_counter_files *);
void tr_counter_files_release(struct tr_counter_files *);

#endif
