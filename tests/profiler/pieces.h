/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of random functions. */
#ifndef PROFILER_PIECES_H
#define PROFILER_PIECES_H

#include "body.h"

/* Begins a group: the functions so far are too far away for branches, or tables. */
void open_group(unsigned group);
/* Adds the function to those that others of the group may call: kind 0 reads no register
 * of the caller's which a call clobbers, kind 1 also t2 to t6. */
void add_callee(const struct body *b, unsigned kind);
/* Returns whether there is a function to call, with its number. */
bool pick_callee(struct body *b, unsigned kind, unsigned *number);
void append_some(struct body *b, unsigned low, unsigned high);
void append_return(struct body *b);
/* Appends a branch to a label; short ones reach 256 bytes. */
void append_branch(struct body *b, unsigned label, bool allow_short);
/* Appends a branch over some instructions. */
void append_skip(struct body *b, unsigned low, unsigned high);
void append_rest(struct body *b);
/* Lets the function read what its caller passes in some of t2 to t6. */
void read_scratch(struct body *b);
/* Appends `addi a7, a7, -1` and a jump to the entry if a7 is still positive. */
void append_loop(struct body *b);
/* A switch like gcc's: offsets from the table, after a check of the index. */
void append_switch(struct body *b, unsigned cases, const unsigned *labels);
/* Returns the group, whose function away<group> is almost 1 MiB away. */
unsigned current_group(void);

#endif
