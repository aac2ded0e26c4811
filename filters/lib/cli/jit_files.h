/* SPDX-License-Identifier: Apache-2.0 */
/* Files that tell of JIT code, perf maps and jitdumps, from what tr-replay prints of the
 * hits of jit.probes. */
#ifndef TR_JIT_FILES_H
#define TR_JIT_FILES_H

#include "cli/options.h"

/* Reads the hits, and writes the files that they are of into `folder`: perf-N.map and
 * jit-N.dump, each of which is added to `maps`, which owns the texts and was empty, as
 * --perf-map takes it: with the satp with which it was written, if it was one. Other
 * files are left out. Dies if a file cannot be written, or bytes of one are not known. */
void tr_jit_files_take(const struct tr_cli *cli, const char *hits, const char *folder,
		       struct tr_texts *maps);
/* Removes such files, of an earlier run, from the folder. */
void tr_jit_files_remove(const char *folder);

#endif
