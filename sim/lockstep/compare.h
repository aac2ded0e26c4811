/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the comparison share. */
#ifndef LOCKSTEP_COMPARE_H
#define LOCKSTEP_COMPARE_H

#include "history.h"
#include "lockstep.h"
#include "model/csr.h"

/* Bits of mip that devices set; SEIP can also be written. */
enum { MIP_SEIP = 1 << 9, MIP_LINES = 1 << 3 | 1 << 7 | MIP_SEIP | 1 << 11 };

/* What can differ. */
enum field {
	FIELD_KIND, /* one commits, the other traps */
	FIELD_PC,
	FIELD_INSN,
	FIELD_RD,
	FIELD_VALUE,
	FIELD_CAUSE,
	FIELD_TVAL,
	FIELD_PRIV,
	FIELD_NEXT_PRIV,
	FIELD_XRET,
	FIELD_SATP,
	FIELD_WROTE_SATP,
	FIELD_ACCESS, /* load, store, both, none */
	FIELD_DEVICE,
	FIELD_SIZE,
	FIELD_ADDRESS,
	FIELD_DATA,
	FIELD_CSR,
	FIELD_INTERRUPT, /* l->why tells */
	FIELDS
};

enum { CSRS = 39 };
struct csr_difference {
	const char *name;
	uint64_t core, model;
};

/* What is known of the interrupts. */
struct interrupts {
	uint64_t up;	 /* lines seen high, with no device access since */
	int must;	 /* this interrupt comes next; -1: none must */
	int waiting;	 /* due when last looked at, and not taken since; -1 */
	unsigned quiet;	 /* commits since the last write of a CSR, trap or xret */
	unsigned settle; /* commits until a device access has reached the lines */
};

struct lockstep {
	struct soc *model;
	struct lockstep_side core;
	struct history *history;
	const struct rtl_commit *now; /* in hand, for the model's hooks */
	struct soc_event event;	      /* the model's answer */
	struct interrupts interrupts;
	uint64_t satp, commits, traps;
	struct rtl_commit last[LOCKSTEP_LAST];
	uint32_t differs; /* a bit for each field */
	char why[160];
	struct csr_difference csrs[CSRS];
	unsigned ncsrs;
};

/* The model's CSR; 0 if it has none of that number. */
static inline uint64_t model_csr(const struct lockstep *l, unsigned csr)
{
	uint64_t value = 0;

	soc_csr(l->model, 0, csr, &value);
	return value;
}

/* csrs.c: fills l->csrs; true when none differs. */
bool csrs_agree(struct lockstep *l);

/* interrupts.c; false: l->why tells. The core's trap is an interrupt: may it be? */
bool interrupts_may_take(struct lockstep *l);
/* An instruction, or an exception, comes next: may it, before an interrupt? */
bool interrupts_may_wait(struct lockstep *l);
/* After each commit and trap; `look`: a CSR was written, a trap taken or left. */
bool interrupts_update(struct lockstep *l, bool look);

/* report.c: the name of a cause on the port, where bit 4 is that of interrupts. */
const char *port_cause_name(unsigned cause);

#endif
