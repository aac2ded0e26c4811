/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the text form, and their inverse. */
#ifndef TR_TEXT_NAMES_H
#define TR_TEXT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { TR_NAME_ROOM = 24 };

/* Returns "U", "S", "M", "VS", "D", or a number. The string is in `room` or static. */
const char *tr_priv_name(unsigned priv, char room[TR_NAME_ROOM]);
/* Return the name, or NULL if the kind has none. */
const char *tr_event_name(unsigned kind);
const char *tr_gap_name(unsigned reason);
const char *tr_frame_kind_name(unsigned kind);
/* Returns the description of a trap cause, "" if the specification does not define it. */
const char *tr_cause_text(uint64_t cause);

/* Return false if there is no such name. */
bool tr_priv_from_name(const char *name, uint8_t *priv);
bool tr_event_from_name(const char *name, uint16_t *kind);
bool tr_gap_from_name(const char *name, uint8_t *reason);
bool tr_frame_kind_from_name(const char *name, uint8_t *kind);

#endif
