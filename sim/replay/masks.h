/* SPDX-License-Identifier: Apache-2.0 */
/* When a hart takes no interrupts, by what its instructions do to mstatus: probes of kind
 * TR_PROBE_MASKED are hit where it takes them again.
 *
 * It is followed for M and for S, in the code of these modes: by writes of mstatus and
 * sstatus, by the first instruction of a trap handler, and by MRET and SRET. Waiting for
 * an interrupt (WFI) ends it, as an interrupt does not wait meanwhile, and what follows
 * begins anew. What began before the trace is not known, and not hit. */
#ifndef REPLAY_MASKS_H
#define REPLAY_MASKS_H

#include "../soc.h"
#include "probing.h"

enum { MASKS_LEVELS = 2 };

struct masks {
	const struct probing_options *o; /* NULL: there are no such probes */
	size_t nplaces, *places;	 /* numbers of places */
	uint64_t *biases;		 /* of their binaries */
	size_t stride;			 /* bytes that are saved of each place */
	uint8_t *saved;			 /* by hart, level and place */
	bool is_masked[SOC_HARTS_MAX][MASKS_LEVELS];
	uint64_t since[SOC_HARTS_MAX][MASKS_LEVELS]; /* cycle, if it is masked */
	uint64_t longest;		    /* cycles, of those that have ended */
	uint64_t behind_wfi[SOC_HARTS_MAX]; /* the address after a WFI; 0: none */
};

/* Sets the state. Returns false if memory runs out. */
bool masks_create(struct masks *m, const struct probing_options *options);
void masks_free(struct masks *m);
/* Return whether an instruction may change what is followed, by its address or code. */
bool masks_want_pc(const struct masks *m, uint64_t pc);
bool masks_want_insn(void *user, const uint8_t *code, unsigned size);
/* A binary is at this bias. */
void masks_found_binary(struct masks *m, uint32_t number, uint64_t bias);
/* The model is before an instruction. Calls the hit of the options. */
void masks_reach(struct masks *m, const struct replay_reached *at,
		 struct tr_probe_machine *machine);
/* Returns whether a hart takes no interrupts at the end of the trace, since longer than
 * any other time, which no hit tells: the hart, and the cycles from and to. */
bool masks_open(const struct masks *m, unsigned *hart, uint64_t *from, uint64_t *to);

#endif
