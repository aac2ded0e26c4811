/* SPDX-License-Identifier: Apache-2.0 */
/* Code that a hart executes, and translations that it uses, although memory has others:
 * legal until its next fence. Only old_code.c uses what is in the state; a lane contains
 * it, and it owns the history. Rows are indices in the lane's view, `instret` counts
 * instructions of the hart. */
#ifndef REPLAY_OLD_CODE_H
#define REPLAY_OLD_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct history;
struct lane;
struct replay;
struct soc_follow;
struct soc_translation;

struct old_code {
	struct history *history;
	bool incomplete; /* the history: the hart began in the middle of a run */
	/* The row that was looked up for the last fetch, and the instructions before it.
	 */
	uint32_t row;
	uint64_t instret;
};

/* Adds the hooks of the model for old code and translations. */
void old_code_set_hooks(struct soc_follow *follow);

/* Sets the state of a lane, which is all zero. Returns false if memory runs out.
 * old_code_free() frees the history, if there is one. */
bool old_code_create(struct lane *l);
void old_code_free(struct lane *l);

/* The view begins with other rows than before: counts from its first row on. */
void old_code_start(struct lane *l);
/* The hart begins in the middle of a run: what memory held before is not known. */
void old_code_begin_within(struct lane *l);

/* A device is about to write, for all harts. */
void old_code_note(struct replay *r, uint64_t address, uint64_t bytes);
/* The hart has replaced this satp by another one. */
void old_code_note_satp(struct lane *l, uint64_t satp);

/* Returns whether the hart may have this translation, as far as that is known. */
bool old_code_may_translate(const struct lane *l, struct soc_translation *t);

/* Calls `each` for what memory held since the hart's last fence, and adds one value, at
 * an address that is a multiple of 8. */
void old_code_each(const struct lane *l,
		   void (*each)(void *user, uint64_t address, uint64_t value),
		   void *user);
void old_code_add(struct lane *l, uint64_t address, uint64_t value);

#endif
