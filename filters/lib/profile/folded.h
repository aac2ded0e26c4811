/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks as a tree of names with two values a node, and folded text.
 *
 * Folded text is a line a stack, root first: "main;foo;bar 123". The count is
 * what follows the last space, so names may hold spaces. What the two values
 * are is the caller's business: cycles and instructions, or before and after.
 */
#ifndef TR_FOLDED_H
#define TR_FOLDED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* What a frame is, for its colour. */
enum tr_tint {
	TR_TINT_USER = 0,
	TR_TINT_KERNEL,
	TR_TINT_FIRMWARE,
	TR_TINT_PROGRAM,
	TR_TINT_OTHER, /* traps, gaps, code without a name */
	TR_TINT_CODE,  /* of a binary without a role */
	TR_TINTS
};

struct tr_folded_node {
	const char *name; /* the same pointer for the same name */
	uint64_t self[2];
	uint32_t parent;  /* lower than the node's own id; node 0 is the root */
	uint32_t depth;	  /* 0 for the root */
	uint32_t name_id; /* 0, 1, 2 … in order of appearance */
	uint8_t tint;	  /* enum tr_tint */
};

struct tr_folded;

/* NULL when out of memory; tr_folded_free takes NULL. */
struct tr_folded *tr_folded_new(void);
/* Gives each node `count` parts: values beside its two, such as cycles by class.
 * Before the first child. TR_OK, TR_E_NOMEM. */
int tr_folded_divide(struct tr_folded *, unsigned count);
void tr_folded_free(struct tr_folded *);

/* The child of `parent` named `name`, made with `tint` when there is none.
 * TR_OK, TR_E_NOMEM. */
int tr_folded_child(struct tr_folded *, uint32_t parent, const char *name, size_t size,
		    uint8_t tint, uint32_t *id);
/* Adds to self[which] of a node. TR_OK; TR_E_CORRUPT when the sum of all nodes
 * leaves 64 bits. */
int tr_folded_add(struct tr_folded *, uint32_t id, unsigned which, uint64_t value);

/* The parts of a node; valid until the next tr_folded_child. */
uint64_t *tr_folded_parts(struct tr_folded *, uint32_t id);

uint32_t tr_folded_count(const struct tr_folded *);
uint32_t tr_folded_names(const struct tr_folded *);
/* Valid until the next tr_folded_child. */
const struct tr_folded_node *tr_folded_node(const struct tr_folded *, uint32_t id);
/* Sum of self[which] over all nodes. */
uint64_t tr_folded_sum(const struct tr_folded *, unsigned which);
/* total[id] = self of the node and all below it; room for tr_folded_count(). */
void tr_folded_totals(const struct tr_folded *, unsigned which, uint64_t *total);
/* The same of all parts: total[id * parts + part]. */
unsigned tr_folded_part_count(const struct tr_folded *);
void tr_folded_part_totals(const struct tr_folded *, uint64_t *total);

/* Scales self[0] of every node, each rounded on its own, so that the sum is that
 * of self[1]. Nothing happens when self[0] is 0 everywhere. */
void tr_folded_scale(struct tr_folded *);

/* Adds the lines of `path` ("-": standard input) to self[which]; control characters in
 * names become '?'. On failure
 * `message` is "run.folded: line 3: no count". TR_OK; TR_E_IO; TR_E_CORRUPT
 * (a bad line, a sum beyond 64 bits, or no stack at all); TR_E_NOMEM. */
int tr_folded_read(struct tr_folded *, const char *path, unsigned which, char *message,
		   size_t size);

/* Writes the nodes below `top` (0: all) whose self[which] is not zero, whole
 * stacks from the root, lines in the order of sort(1) in the C locale. Write
 * errors stay in ferror(file). TR_OK, TR_E_NOMEM. */
int tr_folded_write(const struct tr_folded *, uint32_t top, unsigned which, FILE *file);
/* One stack as text without its count, for the caller to free; NULL when out of
 * memory. */
char *tr_folded_text(const struct tr_folded *, uint32_t id);

#endif
