/* SPDX-License-Identifier: Apache-2.0 */
/* Rows with code of chosen functions, by the notes of tr-match, for addresses.h. */
#ifndef REPLAY_CHOSEN_H
#define REPLAY_CHOSEN_H

#include "addresses.h"
#include "stream/header.h"

struct chosen;

/* The functions of these names, which stay the caller's: "memcpy", or "libc.so.6:memcpy"
 * in this binary. Returns NULL, with a line in `message`, if the header has no binaries
 * of tr-match, one of them cannot be opened, or memory runs out. */
enum { CHOSEN_MESSAGE = 512 };
struct chosen *chosen_new(const struct tr_header *header, const char *const *names,
			  size_t count, char message[CHOSEN_MESSAGE]);
void chosen_free(struct chosen *c);
/* Returns what asks for them. */
struct addresses_choice chosen_rows(struct chosen *c);
/* Returns the number of a name of which no code ran, or the number of names. */
size_t chosen_missing(const struct chosen *c);

#endif
