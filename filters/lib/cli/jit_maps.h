/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of JIT code: --perf-map of tr-match. */
#ifndef TR_JIT_MAPS_H
#define TR_JIT_MAPS_H

#include "cli/options.h"
#include "match/match.h"

/* Entry of the table of options, for a struct tr_texts. */
#define TR_JIT_MAPS_OPTION(target)                                                       \
	{                                                                                \
		"perf-map",                                                              \
		    .argument = "FILE[:space=N|:satp=V]", .texts = (target),             \
		    .help = "functions that a program compiled at run time: its "        \
			    "/tmp/perf-PID.map, or jit-PID.dump; may be repeated"        \
	}

struct tr_jit_maps {
	struct tr_match_jit *maps;
	struct tr_image **images; /* ends with NULL */
	size_t count;
};

/* Opens the files of the option's arguments. Map I is bin.N of the header for N = `first`
 * + I, which it describes. Dies if a file cannot be used. */
void tr_jit_maps_open(const struct tr_cli *cli, const struct tr_texts *files,
		      size_t first, struct tr_header *header, struct tr_jit_maps *maps);
/* Dies if two processes have code where one of the maps has some. */
void tr_jit_maps_check(const struct tr_cli *cli, const struct tr_match *match);
void tr_jit_maps_release(struct tr_jit_maps *maps);

#endif
