/* SPDX-License-Identifier: Apache-2.0 */
/* The options --counters, --counters-every and --counters-csv, and sampling by them. */
#ifndef RUN_COUNTING_H
#define RUN_COUNTING_H

#include "cli/cli.h"
#include "sampler.h"

enum { COUNTING_EVERY = 100000 }; /* cycles; the default */

struct counting {
	const char *names; /* operand of --counters; NULL: no counters */
	const char *path;  /* operand of --counters-csv; NULL: samples go to the trace */
	const char *every; /* operand of --counters-every */
	const struct machine_counter *list;
	size_t *chosen, n; /* indices into the list */
	uint64_t interval;
	int fd;
	struct csv *csv;
	struct sampler *sampler; /* NULL: no counters */
};

/* Checks the options. `traces`: a trace will be written. Here and below, invalid options
 * end the program. */
void counting_check(struct counting *c, const struct tr_cli *cli, bool traces);

/* Returns whether --counters is "list". */
bool counting_lists(const struct counting *c);
/* Prints the list of counters; returns the exit status. */
int counting_list(const struct tr_cli *cli, const struct machine *machine);

/* Selects the counters; none without --counters. */
void counting_choose(struct counting *c, const struct tr_cli *cli,
		     const struct machine *machine);
/* Opens the CSV and creates the sampler. */
void counting_begin(struct counting *c, const struct tr_cli *cli, struct machine *machine,
		    struct trace *trace);
/* Returns the exit status: whether the CSV was written completely. */
int counting_end(struct counting *c, const struct tr_cli *cli);

#endif
