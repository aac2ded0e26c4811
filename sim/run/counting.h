/* SPDX-License-Identifier: Apache-2.0 */
/* The options --counters, --counters-every and --counters-csv, and sampling by them. */
#ifndef RUN_COUNTING_H
#define RUN_COUNTING_H

#include "cli/cli.h"
#include "sampler.h"
#include "trouble.h"

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

/* Checks the options. `traces`: a trace will be written. Here and below, false is a
 * failure with its trouble. */
bool counting_check(struct counting *c, bool traces, struct trouble *trouble);

/* Returns whether --counters is "list". */
bool counting_lists(const struct counting *c);
/* Prints the list of counters; returns the exit status. */
int counting_list(const struct tr_cli *cli, const struct machine *machine);

/* Selects the counters; none without --counters. */
bool counting_choose(struct counting *c, const struct machine *machine,
		     struct trouble *trouble);
/* Opens the CSV and creates the sampler. */
bool counting_begin(struct counting *c, struct machine *machine, struct trace *trace,
		    struct trouble *trouble);
/* Ends the CSV and frees what the functions above created, however far they came. Returns
 * the exit status: whether the CSV was written completely. */
int counting_end(struct counting *c, const struct tr_cli *cli);

#endif
