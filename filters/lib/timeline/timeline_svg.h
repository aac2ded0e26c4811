/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a timeline as a picture of one page: for each hart its privilege, its process,
 * its thread, the stacks (roots at the top), and its counters.
 *
 * A column of pixels shows the stack with the most cycles in it. Memory does not grow
 * with the length of the run. */
#ifndef TR_TIMELINE_SVG_H
#define TR_TIMELINE_SVG_H

#include "timeline/timeline_text.h"

extern const struct tr_timeline_writer tr_timeline_svg;

struct tr_timeline_svg_options {
	const char *title;  /* not copied */
	uint32_t max_depth; /* of the stacks, at least 1 */
	/* Each section of TR_SUMS_FRAMES frames is drawn as if all were spread evenly
	 * over it; the order of steps in it does not matter. */
	bool is_coarse;
};

struct tr_timeline_picture;
/* Begins a picture; it has rows of processes if `tasks`, which may be NULL, has probes of
 * forks and switches. Returns NULL when out of memory; tr_timeline_svg_free() accepts
 * NULL. */
struct tr_timeline_picture *
tr_timeline_svg_new(FILE *file, const struct tr_profile *profile,
		    const struct tr_counters *counters, const struct tr_tasks *tasks,
		    const struct tr_header *header, const struct tr_timeline_clock *clock,
		    const struct tr_timeline_svg_options *options);
void tr_timeline_svg_free(struct tr_timeline_picture *);
/* Of a coarse picture: steps of a frame follow. Returns a status. */
int tr_timeline_svg_frame(struct tr_timeline_picture *, const struct tr_sframe *frame);

#endif
