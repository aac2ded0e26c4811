/* SPDX-License-Identifier: Apache-2.0 */
/* The filters that tr-profile runs, one after the other: from a simulator, a log or a
 * trace to pictures and tables in a folder. */
#ifndef TR_PROFILE_STAGES_H
#define TR_PROFILE_STAGES_H

#include "cli/linux_target.h"
#include "cli/options.h"

/* All that it points to remains the caller's. */
struct tr_profile_plan {
	const struct tr_profiled *profiled;
	const char *output;		/* the folder, which exists */
	const char *programs;		/* the folder of the programs; "": that of PATH */
	const struct tr_texts *probes;	/* files with probes, besides linux.probes */
	const struct tr_words *sample;	/* options of tr-sample; NULL: not sampled */
	struct tr_linux_target *target; /* NULL: not --linux */
	bool dry_run;			/* prints the commands instead */
	bool annotates;			/* also writes annotate.html */
	bool has_jit;			/* with a target: uses the maps of JIT code that
					 * programs write */
};

/* Runs them. What a filter says goes to standard error, and those behind a failure do not
 * run. Sets *has_results if there are results. Returns the worst exit status of the
 * filters, or else that of the program of --linux. Dies if a filter cannot be started,
 * and ends by the signal that ends one, unless that asked the simulator to end. */
int tr_profile_stages_run(const struct tr_cli *cli, const struct tr_profile_plan *plan,
			  bool *has_results);

#endif
