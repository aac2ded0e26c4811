/* SPDX-License-Identifier: Apache-2.0 */
/* The architectural state of a hart, and of the devices: read between two tokens, or set
 * before the first cycle. */
#ifndef VERILATED_PEEK_H
#define VERILATED_PEEK_H

#include "rtl.h"

enum { PEEK_L1D_LINES = 256 };

struct soc_state;

/* Returns a register as the last token or trap has left it; with peek_counted(), as the
 * last one that has been counted. */
uint64_t peek_x(const struct rtl_hart *hart, unsigned reg);
/* Returns whether the registers can be read between the tokens of a cycle. */
static inline bool peek_counted(const struct rtl_hart *hart)
{
	return probe_has_window(&hart->probe);
}
/* Returns the pc of the next instruction, or an earlier one. */
uint64_t peek_pc(const struct rtl_hart *hart);
/* Gets the bits of a floating-point register. Returns false if its value is still being
 * computed. */
bool peek_f(const struct rtl_hart *hart, unsigned reg, uint64_t *value);
/* Gets a CSR. Returns false if it holds no state, if flags for it are still being
 * computed, or if it includes what tokens that are not counted yet did.
 */
bool peek_csr(const struct rtl_hart *hart, unsigned csr, uint64_t *value);
/* Gets cause, tval, epc and the current privilege of the trap that the hart has entered
 * in this cycle, from the CSRs of the mode that handles it. */
void peek_trap(const struct rtl_hart *hart, uint64_t cycle, struct rtl_commit *c);
bool peek_asleep(const struct rtl_hart *hart); /* idle in WFI */
void peek_timer(const struct rtl *r, unsigned hart, uint64_t *mtime, uint64_t *mtimecmp);

/* Gets the registers and CSRs after the last token or trap, but for event counters; the
 * pc may be an earlier one. Returns false if floating-point values are still being
 * computed. */
bool peek_save(const struct rtl_hart *hart, struct soc_state *s);

/* Returns whether the next instruction is known, and has had no effect yet on memory, on
 * devices or on the reservation. */
bool peek_between(const struct rtl_hart *hart);
/* Gets the event counters. */
void peek_events(const struct rtl_hart *hart, struct soc_state *s);

/* Gets the 8 bytes at this physical address, a multiple of 8, from the L1D. Returns false
 * if memory has them. */
bool peek_l1d(const struct rtl_hart *hart, uint64_t address, uint64_t *bytes);
/* Gets a line that the L1D has modified, below PEEK_L1D_LINES, and its physical address.
 * Returns false if there is none with this number. */
bool peek_l1d_modified(const struct rtl_hart *hart, unsigned number, uint64_t *address,
		       uint64_t words[8]);
/* Gets the physical address of a line of which a part has been written back. peek_l1d()
 * gets the rest of it. Returns false if there is none. */
bool peek_l1d_leaving(const struct rtl_hart *hart, uint64_t *address);
/* Returns whether an entry of the data TLB is used with this ASID. */
bool peek_translates(const struct rtl_hart *hart, unsigned entry, unsigned asid);

/* Call before the first cycle: both. */
void poke_x(struct rtl_hart *hart, unsigned reg, uint64_t value);
/* Sets the state of all harts, one after the other, and of the devices, which is that in
 * the first; counts cycles and tokens on from theirs. */
void poke_state(struct rtl *r, const struct soc_state *states);

#endif
