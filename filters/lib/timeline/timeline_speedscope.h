/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline for speedscope: an evented profile for each track, in cycles.
 *
 * The first track is written at once, the events of others go through a temporary file.
 * The frames that all profiles share follow them. */
#ifndef TR_TIMELINE_SPEEDSCOPE_H
#define TR_TIMELINE_SPEEDSCOPE_H

#include "timeline/timeline_text.h"

extern const struct tr_timeline_writer tr_timeline_speedscope;

struct tr_speedscope;
/* Begins a file, which remains the caller's; `exporter` is the program that writes it.
 * Returns NULL when out of memory;
 * tr_speedscope_free() accepts NULL. */
struct tr_speedscope *tr_speedscope_new(FILE *file, const struct tr_profile *profile,
					const struct tr_timeline_clock *clock,
					const char *exporter, const char *title);
void tr_speedscope_free(struct tr_speedscope *);

#endif
