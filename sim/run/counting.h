/* SPDX-License-Identifier: Apache-2.0 */
/* The options --counters, --counters-every and --counters-csv, and what they ask for. */
#ifndef RUN_COUNTING_H
#define RUN_COUNTING_H

#include "cli/cli.h"
#include "sampler.h"

enum { COUNTING_EVERY = 100000 }; /* cycles, unless said otherwise */

struct counting {
	const char *names; /* of --counters; NULL: count nothing */
	const char *path;  /* of --counters-csv; NULL: into the trace */
	const char *every; /* of --counters-every */
	const struct machine_counter *list;
	size_t *chosen, n; /* numbers in the list */
	uint64_t interval;
	int fd;
	struct csv *csv;
	struct sampler *sampler; /* NULL: count nothing */
};

/* Options that make no sense die, here and below. `traces`: there will be a trace. */
void counting_check(struct counting *c, const struct tr_cli *cli, bool traces);

/* Is it --counters list? */
bool counting_lists(const struct counting *c);
/* Prints it, and returns the exit status. */
int counting_list(const struct tr_cli *cli, const struct machine *machine);

/* Finds the counters; nothing is chosen without --counters. */
void counting_choose(struct counting *c, const struct tr_cli *cli,
		     const struct machine *machine);
/* Opens the CSV, and makes the sampler. */
void counting_begin(struct counting *c, const struct tr_cli *cli, struct machine *machine,
		    struct trace *trace);
/* Whether all of the CSV is where it should be: the exit status. */
int counting_end(struct counting *c, const struct tr_cli *cli);

#endif
