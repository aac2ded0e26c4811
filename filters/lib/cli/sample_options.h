/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tr-sample as keys, for programs that run it. */
#ifndef TR_SAMPLE_OPTIONS_H
#define TR_SAMPLE_OPTIONS_H

#include "base/words.h"
#include "cli/cli.h"

/* Adds to `words` the options of tr-sample for "KEY=N,...", the argument of --sample.
 * Dies if a key or a number is wrong, or two of the keys exclude each other. */
void tr_sample_options_take(const struct tr_cli *cli, struct tr_words *words,
			    const char *text);

#endif
