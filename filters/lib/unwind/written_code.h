/* SPDX-License-Identifier: Apache-2.0 */
/* Where processes have code that they wrote themselves: memory that is executable and of
 * no file, by the hits of the probe `executable` (linux.probes). Code there that is in no
 * binary was not loaded from a file, but made at run time. */
#ifndef TR_WRITTEN_CODE_H
#define TR_WRITTEN_CODE_H

#include "stream/reader.h"

struct tr_written_code;

/* Returns true if the probes tell of executable memory. */
bool tr_written_code_possible(const struct tr_probe_names *probes);
/* The names remain the caller's. Returns NULL when out of memory. */
struct tr_written_code *tr_written_code_new(const struct tr_probe_names *probes);
void tr_written_code_free(struct tr_written_code *written);

/* Takes the hits in a frame, before its rows are looked at. Returns TR_OK or TR_E_NOMEM.
 */
int tr_written_code_frame(struct tr_written_code *written, const struct tr_frame *frame);
/* Returns true if `pc` is in such memory of a life of an address space. */
bool tr_written_code_has(const struct tr_written_code *written, uint32_t space,
			 uint64_t pc);

#endif
