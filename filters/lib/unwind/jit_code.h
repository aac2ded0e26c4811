/* SPDX-License-Identifier: Apache-2.0 */
/* JIT code: what a process compiles at run time. It is in memory that is executable and
 * of no file, by the hits of the probe `executable` (linux.probes). Code there that is in
 * no binary was not loaded from a file, but made by the process. */
#ifndef TR_JIT_CODE_H
#define TR_JIT_CODE_H

#include "stream/reader.h"

struct tr_jit_code;

/* Returns true if the probes tell of executable memory. */
bool tr_jit_code_possible(const struct tr_probe_names *probes);
/* The names remain the caller's. Returns NULL when out of memory. */
struct tr_jit_code *tr_jit_code_new(const struct tr_probe_names *probes);
void tr_jit_code_free(struct tr_jit_code *jit);

/* Takes the hits in a frame, before its rows are looked at. Returns TR_OK or TR_E_NOMEM.
 */
int tr_jit_code_frame(struct tr_jit_code *jit, const struct tr_frame *frame);
/* Returns true if `pc` is in such memory of a life of an address space. */
bool tr_jit_code_has(const struct tr_jit_code *jit, uint32_t space, uint64_t pc);

#endif
