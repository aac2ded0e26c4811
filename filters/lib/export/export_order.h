/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of a profile as tables: functions and binaries that occur, stacks with their
 * callers, and for each group the stacks that it ran, in the order of a flame graph. */
#ifndef TR_EXPORT_ORDER_H
#define TR_EXPORT_ORDER_H

#include "export/export.h"

#define TR_EXPORT_NO_BINARY UINT32_MAX

struct tr_export_func {
	const struct tr_func *func;
	uint32_t binary; /* index in `binaries`, or TR_EXPORT_NO_BINARY */
};

struct tr_export_stack {
	uint32_t func; /* index in `funcs` */
	uint32_t
	    parent; /* index of the caller's stack, less than its own; 0 for a root */
	bool is_root;
};

/* Cycles of a stack in a group. */
struct tr_export_sample {
	uint64_t value; /* not 0 */
	const char *name;
	uint32_t stack, rank;
};

/* A group, or without groups a program. */
struct tr_export_thread {
	const char *name;
	uint64_t sum;
	uint32_t first, count; /* its samples */
};

/* All zero is empty. Names are the profile's. */
struct tr_export_order {
	struct tr_export_func *funcs;
	const char **binaries; /* in order of appearance */
	struct tr_export_stack *stacks;
	struct tr_export_sample *samples; /* by thread, then in order */
	struct tr_export_thread *threads; /* by name */
	uint32_t nfuncs, nbinaries, nstacks, nsamples, nthreads;
};

/* Makes the tables of all stacks of export->profile with a value in its unit. Returns
 * TR_OK or TR_E_NOMEM. Call tr_export_order_release() in any case. */
int tr_export_order_make(struct tr_export_order *order, const struct tr_export *export);
void tr_export_order_release(struct tr_export_order *order);

/* Returns tr_header_bin() for the binary of this name, or NULL. */
const char *tr_export_binary_value(const struct tr_header *header, const char *binary,
				   const char *below);

#endif
