/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a tree of stacks as a flame graph: a self-contained SVG file.
 *
 * Without scripts it is a static image, 1200 pixels wide, of all frames at least a tenth
 * of a pixel wide. Its script fits it to the window and adds zoom, search, tooltips, a
 * choice of colours and keyboard control over all embedded frames: the largest 100 000 of
 * those that take 1 part in 1 180 000 or more of the total, to a depth of 5000; at most
 * 80 rows are visible at once. The footer counts the others, whose cycles remain in the
 * widths of the frames below them. */
#ifndef TR_FLAME_H
#define TR_FLAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/folded.h"
#include "sample/estimate.h"
#include "stream/classes.h"

struct tr_flame {
	const char *title, *subtitle;
	const char *footer;	/* a line, may be "" */
	const char *unit;	/* of the value that determines the width: "cycles" */
	const char *other_unit; /* of the other value, for the tooltip */
	unsigned which;		/* index of the value that determines the width */
	uint32_t top;		/* root of the graph, 0 for all */
	/* The values are before [0] and after [1], in one unit: colours show the change
	 * of each frame's own value. `which` is 1. */
	bool difference;
	/* If not NULL, colours show lost slots, or cycles if each has one: the tree's
	 * parts are the classes from 1 on, its values slots [0] and instructions [1],
	 * each of which retires in a slot. `which` is 0. If NULL, colours show tints. */
	const struct tr_classes *classes;
	/* If not NULL, the values are estimates of a sampled run: their errors by node,
	 * in cycles of `bar_units` units each; `windows` is the number of all windows.
	 * What rests on fewer than TR_ESTIMATE_FEW windows is hatched. */
	const struct tr_bar *bars;
	unsigned bar_units;
	uint32_t windows;
	/* If not NULL, the page of tr-annotate --all that functions are links to. */
	const char *annotated;
};

/* Writes the file. Returns TR_OK or TR_E_NOMEM; write errors are left in ferror(file). */
int tr_flame_write(const struct tr_folded *folded, const struct tr_flame *flame,
		   FILE *file);

/* Writes what the script of such a file draws, as JSON: the function `update` of its svg
 * element, called with that as an object and its member `styles`, shows it instead.
 * Returns and leaves errors like tr_flame_write(). */
int tr_flame_model(const struct tr_folded *folded, const struct tr_flame *flame,
		   FILE *file);

/* Formats "41 233 112"; `text` has room for 28 characters. Returns text. */
char *tr_flame_number(uint64_t number, char text[28]);
/* Formats "41.2 M cycles at 3.2 GHz = 12.9 ms"; clock_hz 0 omits the time. */
void tr_flame_total(char *text, size_t size, uint64_t total, const char *unit,
		    uint64_t clock_hz);

#endif
