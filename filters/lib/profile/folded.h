/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks as a tree of names with two values per node, and folded text.
 *
 * Folded text has one line per stack, root first: "main;foo;bar 123". The count follows
 * the last space, so names may contain spaces. The caller defines the two values: cycles
 * and instructions, or before and after. */
#ifndef TR_FOLDED_H
#define TR_FOLDED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "stream/stream.h"

/* The kind of a frame, for its colour. */
enum tr_tint {
	TR_TINT_USER = 0,
	TR_TINT_KERNEL,
	TR_TINT_FIRMWARE,
	TR_TINT_PROGRAM,
	TR_TINT_OTHER, /* traps, gaps, unnamed code */
	TR_TINT_CODE,  /* in a binary without a role */
	TR_TINTS
};

enum { TR_FOLDED_NO_PRIV = 0xff };

struct tr_folded_node {
	const char *name; /* equal names share one pointer */
	/* The function, or NULL if only its name is known; of whoever described it. */
	const struct tr_func *func;
	uint64_t self[2];
	uint32_t parent;  /* less than the node's own id; node 0 is the root */
	uint32_t depth;	  /* 0 for the root */
	uint32_t name_id; /* 0, 1, 2, … in order of appearance */
	uint8_t tint;	  /* enum tr_tint */
	uint8_t priv;	  /* TR_PRIV_*, or TR_FOLDED_NO_PRIV */
};

struct tr_folded;

/* Creates an empty tree. Returns NULL when out of memory; tr_folded_free()
 * accepts NULL. */
struct tr_folded *tr_folded_new(void);
/* Gives each node `count` parts: values in addition to its two, such as cycles by class.
 * Call before adding children. Returns TR_OK or TR_E_NOMEM. */
int tr_folded_divide(struct tr_folded *, unsigned count);
void tr_folded_free(struct tr_folded *);

/* Finds the child of `parent` named `name`, or adds it with `tint`. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_folded_child(struct tr_folded *, uint32_t parent, const char *name, size_t size,
		    uint8_t tint, uint32_t *id);
/* Sets the function and the privilege of a node, unless it has a function. */
void tr_folded_describe(struct tr_folded *, uint32_t id, const struct tr_func *func,
			uint8_t priv);
/* Adds to self[which] of a node. Returns TR_OK, or TR_E_CORRUPT when the sum over all
 * nodes overflows 64 bits. */
int tr_folded_add(struct tr_folded *, uint32_t id, unsigned which, uint64_t value);

/* Returns the parts of a node, valid until the next tr_folded_child(). */
uint64_t *tr_folded_parts(struct tr_folded *, uint32_t id);

/* Returns the number of nodes, including the root. */
uint32_t tr_folded_count(const struct tr_folded *);
/* Returns the number of distinct names. */
uint32_t tr_folded_names(const struct tr_folded *);
/* Returns a node, valid until the next tr_folded_child(). */
const struct tr_folded_node *tr_folded_node(const struct tr_folded *, uint32_t id);
/* Returns the sum of self[which] over all nodes. */
uint64_t tr_folded_sum(const struct tr_folded *, unsigned which);
/* Sets total[id] to the sum of self over the node and its descendants; `total` has room
 * for tr_folded_count() values. */
void tr_folded_totals(const struct tr_folded *, unsigned which, uint64_t *total);
/* Sets total[id * parts + part] to the sum of each part over the node and its
 * descendants; there are tr_folded_part_count() parts. */
unsigned tr_folded_part_count(const struct tr_folded *);
void tr_folded_part_totals(const struct tr_folded *, uint64_t *total);

/* Scales self[0] of every node, each rounded on its own, so that its sum equals that of
 * self[1]. Does nothing when self[0] is 0 everywhere. */
void tr_folded_scale(struct tr_folded *);

/* Adds the lines of `path` ("-" is standard input) to self[which]; control characters in
 * names become '?'. Comments ("# ...") and a byte order mark are ignored. Returns TR_OK;
 * TR_E_IO; TR_E_CORRUPT (a malformed line, two counts on each line, a sum beyond 64 bits,
 * or no stack); or TR_E_NOMEM. On failure `message` is set, as in "run.folded:
 * line 3: no count". */
int tr_folded_read(struct tr_folded *, const char *path, unsigned which, char *message,
		   size_t size);

/* Lists the nodes below `top` (0: all) whose self[which] is not zero, or either value if
 * `which` is TR_FOLDED_EITHER, in the order of tr_folded_write(). *ids is malloc'd, and
 * NULL on failure. Returns TR_OK or TR_E_NOMEM. */
enum { TR_FOLDED_EITHER = 2 };
int tr_folded_sorted(const struct tr_folded *, uint32_t top, unsigned which,
		     uint32_t **ids, uint32_t *count);
/* Writes the nodes below `top` (0: all) whose self[which] is not zero, as complete stacks
 * from the root, sorted as by sort(1) in the C locale. Returns TR_OK or TR_E_NOMEM; write
 * errors are left in ferror(file). */
int tr_folded_write(const struct tr_folded *, uint32_t top, unsigned which, FILE *file);
/* Stacks that do not fit into a limit. */
struct tr_folded_left {
	uint64_t stacks, sum; /* their number, and of self[which] */
};
/* Makes a tree whose folded text of self[which] has at most `most` bytes. Callees with
 * the smallest totals are combined below their callers as TR_FOLDED_LEFT, so that all
 * sums remain; *left describes what was combined. Sets *limited to NULL if all stacks
 * fit. The functions of the nodes are not copied. Returns TR_OK or TR_E_NOMEM. */
#define TR_FOLDED_LEFT "[left out]"
int tr_folded_limit(const struct tr_folded *, unsigned which, uint64_t most,
		    struct tr_folded **limited, struct tr_folded_left *left);
/* Returns a stack as text without its count, for the caller to free, or NULL when out of
 * memory. */
char *tr_folded_text(const struct tr_folded *, uint32_t id);

#endif
