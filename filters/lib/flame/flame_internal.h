/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a flame graph, shared by flame*.c. */
#ifndef TR_FLAME_INTERNAL_H
#define TR_FLAME_INTERNAL_H

#include "flame/flame.h"
#include "flame/picture.h"

/* Pixels. */
enum {
	FLAME_LEAST = 560, /* minimum width of the window */
	FLAME_INNER = FLAME_WIDTH - 2 * FLAME_PAD,
	FLAME_TOP = 58,
	FLAME_ROW = 17,
	FLAME_BAR = 16, /* height of a frame; the rest of the row is a gap */
};

enum {
	FLAME_MAX_FRAMES = 20000,
	FLAME_MAX_DEPTH = 5000,
	FLAME_MAX_ROWS = 80, /* visible at once */
	FLAME_SPARE_ROWS = 8,
	FLAME_WINDOW_ROWS = 40,
	FLAME_NEUTRAL = FLAME_SHADES, /* of a difference: blues, neutral, reds */
	FLAME_TONES = FLAME_SHADES * TR_TINTS,
};

struct flame_frame {
	uint64_t start; /* units to the left of it */
	uint64_t total;
	uint32_t id;
	uint32_t depth; /* 0 at the bottom */
	uint32_t name;	/* index into flame_layout.names */
	uint16_t tone;	/* colour: tint, change or group of classes, with its shade */
};

/* Embedded frames in depth-first order, from left to right. */
struct flame_layout {
	struct flame_frame *frames;
	uint64_t *total, *other; /* by node */
	uint64_t *lost;		 /* cycles by class of each node; NULL: none */
	const char **names;	 /* distinct names; that of the first frame is 0 */
	uint64_t dropped_value;
	uint32_t count, nnames;
	uint32_t levels;  /* of the deepest stack */
	uint32_t rows;	  /* visible at once */
	uint32_t dropped; /* omitted frames */
};

/* Computes the layout. Returns TR_OK or TR_E_NOMEM. */
int tr_flame_layout(struct flame_layout *layout, const struct tr_folded *folded,
		    const struct tr_flame *flame);
void tr_flame_layout_free(struct flame_layout *layout);

/* Draws a coloured square and its label. Returns the position of the next one. */
unsigned tr_flame_key(FILE *file, unsigned x, unsigned y, unsigned tone,
		      const char *label);

/* flame_classes.c. tr_flame_class_tones(): returns the number of tones.
 * tr_flame_class_tone(): returns the tone of a node. tr_flame_class_colour(): prints a
 * tone as CSS. */
unsigned tr_flame_class_tones(const struct tr_classes *classes);
uint16_t tr_flame_class_tone(const struct tr_classes *classes,
			     const struct flame_layout *layout, uint32_t id);
void tr_flame_class_colour(FILE *file, const struct tr_classes *classes, unsigned tone);
/* Draws two lines. */
void tr_flame_class_legend(FILE *file, const struct tr_classes *classes,
			   const struct flame_layout *layout, unsigned y);
void tr_flame_class_data(FILE *file, const struct tr_classes *classes,
			 const struct flame_layout *layout);

#endif
