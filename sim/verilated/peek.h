/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a hart leaves behind between two tokens, for snapshots. The functions of
 * smp_peek.cc are those of one of several harts. */
#ifndef VERILATED_PEEK_H
#define VERILATED_PEEK_H

#include "rtl.h"

enum { RTL_L1D_LINES = 256 };

struct soc_state;

#ifdef __cplusplus
extern "C" {
#endif

/* Gets the registers and CSRs after the last token or trap, but for event counters; the
 * pc may be an earlier one. Returns false if floating-point values are still being
 * computed. */
bool rtl_save(const struct rtl *r, struct soc_state *s);
bool smp_save(const struct rtl *hart, struct soc_state *s);
/* Gets a line that the L1D has modified, below RTL_L1D_LINES, and its physical address.
 * Returns false if there is none with this number. */
bool rtl_l1d_modified(const struct rtl *r, unsigned number, uint64_t *address,
		      uint64_t words[8]);
bool smp_l1d_modified(const struct rtl *hart, unsigned number, uint64_t *address,
		      uint64_t words[8]);

#ifdef __cplusplus
}
#endif

#endif
