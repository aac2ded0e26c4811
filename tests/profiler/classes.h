/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of random functions: what is in the first bytes, and what jumps there. */
#ifndef PROFILER_CLASSES_H
#define PROFILER_CLASSES_H

#include "body.h"

/* Writes a function, whose kind depends on its number. */
void class_write(struct body *b, unsigned number);

/* Each instruction of forms.c is the first, the second and the third of some. */
void write_plain(struct body *b);
/* The kinds in classes_jumps.c and classes_refused.c. */
void write_entry_loop(struct body *b);
void write_branch(struct body *b);
void write_dead_branch(struct body *b);
void write_jump(struct body *b);
void write_auipc(struct body *b);
void write_table(struct body *b);
void write_table_loop(struct body *b);
void write_target(struct body *b);
void write_symbol(struct body *b);
void write_outside(struct body *b);
void write_frame(struct body *b, unsigned kind);
void write_tail(struct body *b);
void write_away(struct body *b);
void write_through(struct body *b);
void write_live(struct body *b);
void write_stop(struct body *b);
void write_small(struct body *b);
void write_unknown(struct body *b);
void write_foreign(struct body *b);
void write_full_registers(struct body *b);
void write_overlap(struct body *b);

#endif
