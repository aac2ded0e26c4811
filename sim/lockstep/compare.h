/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the comparison. */
#ifndef LOCKSTEP_COMPARE_H
#define LOCKSTEP_COMPARE_H

#include "history.h"
#include "lockstep.h"
#include "model/csr.h"
#include "soc.h"

/* Bits of mip that devices set; SEIP can also be written. */
enum { MIP_SEIP = 1 << 9, MIP_LINES = 1 << 3 | 1 << 7 | MIP_SEIP | 1 << 11 };

/* Fields that can differ. */
enum field {
	FIELD_KIND, /* one side commits, the other traps */
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
	FIELD_FLOAT,	 /* a floating-point register or fcsr */
	FIELD_INTERRUPT, /* described by l->why */
	FIELD_COPY,	 /* the same */
	FIELDS
};

/* A line that the copy unit has written; a copy is within a page. */
enum { COPY_LINES = 64 };
struct copied {
	uint64_t line, mask;
	uint8_t data[64];
};

/* What the copy unit of one of several harts has read, or written, since the last commit:
 * bytes of one page. */
enum { COPY_PAGE = 4096 };
struct moved {
	uint64_t page;
	unsigned n; /* bytes */
	uint8_t data[COPY_PAGE];
	bool known[COPY_PAGE];
};

enum { CSRS = 40, FLOATS = 32 };
/* A difference between CSRs or floating-point registers. */
struct csr_difference {
	const char *name;
	uint64_t core, model;
};

/* State of the interrupts. */
struct interrupts {
	uint64_t up;	/* lines seen high since the last device access */
	int must;	/* this interrupt must be next; -1: none */
	int waiting;	/* due at the last check, and not taken since; -1: none */
	unsigned quiet; /* commits since the last write of a CSR, trap or xret */
	unsigned
	    settle; /* cycles with events until a device access has reached the lines */
	uint64_t cycle; /* of the last event */
};

struct lockstep {
	struct soc *model;
	unsigned hart;
	struct lockstep *first;		       /* of hart 0 */
	struct lockstep *harts[SOC_HARTS_MAX]; /* of the first: all; NULL: none */
	struct lockstep_side core;
	struct history *history;
	const struct rtl_commit *now; /* current, for the model's hooks */
	struct soc_event event;	      /* the model's result */
	struct interrupts interrupts;
	uint64_t satp, commits, traps;
	struct rtl_commit last[LOCKSTEP_LAST];
	uint32_t differs; /* one bit per field */
	char why[160];
	struct copied copied[COPY_LINES]; /* since the last commit */
	unsigned ncopied;
	struct moved read, written;
	uint64_t source; /* of the model's copy */
	bool miscopied;	 /* why is set */
	struct csr_difference csrs[CSRS + FLOATS + 1];
	unsigned ncsrs;
	unsigned
	    floats; /* events for which floating-point registers are to be compared */
};

/* The model has several harts. */
static inline bool is_shared(const struct lockstep *l)
{
	return l->first->harts[1] != NULL;
}

/* lockstep.c: every hart may have translated with what a store overwrites. */
void lockstep_note_store(struct lockstep *first, uint64_t physical);

/* Returns the model's CSR, or 0 if it has none of that number. */
static inline uint64_t model_csr(const struct lockstep *l, unsigned csr)
{
	uint64_t value = 0;

	soc_csr(l->model, l->hart, csr, &value);
	return value;
}

/* csrs.c: adds to l->csrs; returns whether all are equal. */
bool csrs_agree(struct lockstep *l);
/* float.c: the same for fcsr and the floating-point registers, after the event. */
bool floats_agree(struct lockstep *l);
extern const char *const float_names[FLOATS];

/* interrupts.c: these return false with l->why set. Returns whether the core may take
 * this interrupt. */
bool interrupts_may_take(struct lockstep *l);
/* Returns whether an instruction or an exception may be next, before any interrupt. */
bool interrupts_may_wait(struct lockstep *l);
/* Called after each commit and trap; `look`: a CSR was written, or a trap taken or
 * left. */
bool interrupts_update(struct lockstep *l, bool look);

/* copies.c: for soc_follow.copy(). */
bool copies_follow(struct lockstep *l, uint64_t source);
/* Called after each commit and trap of the model; returns false with l->why set. */
bool copies_agree(struct lockstep *l);

/* report.c: returns the name of a cause on the port, as in commit.h. */
const char *port_cause_name(unsigned cause);

#endif
