/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a tree of stacks as a flame graph: one self-contained SVG file.
 *
 * Without scripts it is a still image, 1200 pixels wide, of all frames of a tenth
 * of a pixel or wider. Its script fits it to the window and adds zoom, search,
 * tooltips and keys, over all embedded frames: the largest 20 000 of those that
 * take 1 part in 1 180 000 or more of the total, to a depth of 5000; at most 80
 * rows show at once. The footer counts the rest, whose cycles stay in the widths
 * of the frames below them.
 */
#ifndef TR_FLAME_H
#define TR_FLAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/folded.h"
#include "stream/classes.h"

struct tr_flame {
	const char *title, *subtitle;
	const char *footer;	/* a line, may be "" */
	const char *unit;	/* of the value that gives the width: "cycles" */
	const char *other_unit; /* of the other value, for the tooltip */
	unsigned which;		/* index of the value that gives the width */
	uint32_t top;		/* the node to stand at the bottom, 0 for all */
	/* The values are before [0] and after [1], in one unit: colour by the
	 * change of each frame's own value. `which` is 1. */
	bool difference;
	/* Or colour by what cycles were lost for: the tree's parts are the classes from
	 * 1 on, its values cycles [0] and instructions [1], each of which retires in
	 * a cycle. `which` is 0. NULL: colour by tint. */
	const struct tr_classes *classes;
};

/* Write errors stay in ferror(file). TR_OK, TR_E_NOMEM. */
int tr_flame_write(const struct tr_folded *folded, const struct tr_flame *flame,
		   FILE *file);

/* "41 233 112"; `text` has room for 28 characters. Returns text. */
char *tr_flame_number(uint64_t number, char text[28]);
/* "41.2 M cycles at 3.2 GHz = 12.9 ms"; clock_hz 0: without the time. */
void tr_flame_total(char *text, size_t size, uint64_t total, const char *unit,
		    uint64_t clock_hz);

#endif
