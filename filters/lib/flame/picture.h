/* SPDX-License-Identifier: Apache-2.0 */
/* What all pictures share: measures, text, styles, the colours of classes. */
#ifndef TR_PICTURE_H
#define TR_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stream/classes.h"

/* Pixels. */
enum {
	FLAME_WIDTH = 1200, /* of the still image: a script may fit it to the window */
	FLAME_PAD = 10,
	FLAME_FONT = 11,
	FLAME_LINE = 16, /* of notes */
};

/* Begins an SVG, with the styles that all share and those of `style`: lines, the last
 * one NULL. More of them and </style> follow. */
void flame_open(FILE *file, const char *title, unsigned height, const char *const *style);
void flame_lines(FILE *file, const char *const *lines);

/* Text as XML or inside a script's "…": control characters become '?', what is
 * not UTF-8 becomes U+FFFD. */
void flame_xml(FILE *file, const char *text);
void flame_quoted(FILE *file, const char *text);
/* The first `bytes` of `text` as XML. */
void flame_xml_part(FILE *file, const char *text, size_t bytes);

/* Bytes of `text` that fit in `room` thousandths of an em. `*whole` tells if
 * that is all; otherwise two dots fit behind them. */
size_t flame_fit(const char *text, unsigned room, bool *whole);
/* The widths that it uses, of ' ' to '~', in thousandths of an em. */
extern const uint16_t flame_widths[95];

/* As in hsl() of CSS: degrees and percent. */
struct flame_colour {
	unsigned hue, saturation, light;
};
/* Of a group of classes that lost all of a frame's cycles, and of what retires. They are
 * far from one another also for who sees no red or no green: tests/unit/palette.c. */
struct flame_colour flame_group_colour(const struct tr_classes *classes, unsigned group);
struct flame_colour flame_retiring_colour(void);
/* The colour at a shade below FLAME_SHADES, the last of which is that above. */
struct flame_colour flame_shaded(struct flame_colour colour, unsigned shade);

#endif
