/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all pictures: dimensions, text, styles, colours of classes. */
#ifndef TR_PICTURE_H
#define TR_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stream/classes.h"

/* Pixels. */
enum {
	FLAME_WIDTH = 1200, /* of the static image; a script may fit it to the window */
	FLAME_PAD = 10,
	FLAME_FONT = 11,
	FLAME_LINE = 16, /* height of a line of notes */
};

/* Begins an SVG with the common styles and those of `style`: lines, terminated by NULL.
 * More styles and </style> must follow. */
void tr_flame_open(FILE *file, const char *title, unsigned height,
		   const char *const *style);
void tr_flame_lines(FILE *file, const char *const *lines);

/* Writes the script that fits a figure to the window: what is right of `left` pixels is
 * stretched, up to `right` pixels before the end. Marks of the class "fixed" stay, those
 * of the class "middle" are in the middle. */
void tr_flame_fit_script(FILE *file, unsigned left, unsigned right);

/* Print text as XML, or inside a script's string literal: control characters become '?',
 * and invalid UTF-8 becomes U+FFFD. */
void tr_flame_xml(FILE *file, const char *text);
void tr_flame_quoted(FILE *file, const char *text);
/* Prints the first `bytes` of `text` as XML. */
void tr_flame_xml_part(FILE *file, const char *text, size_t bytes);

/* Draws text as notes, in as many lines as it needs. Returns the y of the next line. */
unsigned tr_flame_wrap(FILE *file, const char *text, unsigned y);
/* Returns the width of a note in pixels. */
unsigned tr_flame_text_width(const char *text);
/* Returns how many bytes of `text` fit in `room` thousandths of an em. `*whole` is set if
 * that is all; otherwise two dots fit after them. */
size_t tr_flame_fit(const char *text, unsigned room, bool *whole);
/* Widths assumed for ' ' to '~', in thousandths of an em. */
extern const uint16_t tr_flame_widths[95];

enum {
	FLAME_SHADES = 8,   /* of a colour */
	FLAME_PALEST = 92,  /* lightness of the palest shade; in grey: untraced time */
	FLAME_DARKEST = 30, /* the same on a dark ground */
};
/* As in hsl() of CSS: degrees and percent. */
struct flame_colour {
	unsigned hue, saturation, light;
};
/* Return the colour of a group of classes that lost all of a frame's cycles, and of
 * retiring. They are distinct for red-blind and green-blind viewers, too:
 * tests/unit/palette.c. */
struct flame_colour tr_flame_group_colour(const struct tr_classes *classes,
					  unsigned group);
struct flame_colour tr_flame_retiring_colour(void);
/* Returns the colour at a shade below FLAME_SHADES, from lightness `palest`; the last
 * shade is the colour itself. */
struct flame_colour tr_flame_shaded(struct flame_colour colour, unsigned shade,
				    unsigned palest);
/* Returns true if white text on this colour is easier to read than black text. */
bool tr_flame_needs_white(struct flame_colour colour);

#endif
