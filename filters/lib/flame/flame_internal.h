/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a flame graph, shared by flame*.c. */
#ifndef TR_FLAME_INTERNAL_H
#define TR_FLAME_INTERNAL_H

#include "flame/flame.h"
#include "flame/picture.h"

/* Pixels. */
enum {
	FLAME_LEAST = 560, /* of the window */
	FLAME_INNER = FLAME_WIDTH - 2 * FLAME_PAD,
	FLAME_TOP = 58,
	FLAME_ROW = 17,
	FLAME_BAR = 16, /* of a row, the rest is a gap */
};

enum {
	FLAME_MAX_FRAMES = 20000,
	FLAME_MAX_DEPTH = 5000,
	FLAME_MAX_ROWS = 80, /* seen at once */
	FLAME_SPARE_ROWS = 8,
	FLAME_WINDOW_ROWS = 40,
	FLAME_SHADES = 8,
	FLAME_NEUTRAL = FLAME_SHADES, /* of a difference: blues, neutral, reds */
	FLAME_TONES = FLAME_SHADES * TR_TINTS,
};

struct flame_frame {
	uint64_t start; /* units left of it */
	uint64_t total;
	uint32_t id;
	uint32_t depth; /* 0 at the bottom */
	uint32_t name;	/* index into flame_layout.names */
	uint16_t tone;	/* colour: tint, change or group of classes, and its shade */
};

/* Frames to embed, each before those that stand on it, from left to right. */
struct flame_layout {
	struct flame_frame *frames;
	uint64_t *total, *other; /* of each node */
	uint64_t *lost;		 /* classes of each node, NULL: none */
	const char **names;	 /* each once; that of the first frame is 0 */
	uint64_t dropped_value;
	uint32_t count, nnames;
	uint32_t levels;  /* of the deepest stack */
	uint32_t rows;	  /* seen at once */
	uint32_t dropped; /* frames left out */
};

int flame_layout(struct flame_layout *layout, const struct tr_folded *folded,
		 const struct tr_flame *flame);
void flame_layout_free(struct flame_layout *layout);

/* A square of a colour and what it stands for; the place of the next. */
unsigned flame_key(FILE *file, unsigned x, unsigned y, unsigned tone, const char *label);

/* flame_classes.c. How many tones there are; that of a node; a tone as CSS. */
unsigned flame_class_tones(const struct tr_classes *classes);
uint16_t flame_class_tone(const struct tr_classes *classes,
			  const struct flame_layout *layout, uint32_t id);
void flame_class_colour(FILE *file, const struct tr_classes *classes, unsigned tone);
/* Two lines. */
void flame_class_legend(FILE *file, const struct tr_classes *classes,
			const struct flame_layout *layout, unsigned y);
void flame_class_data(FILE *file, const struct tr_classes *classes,
		      const struct flame_layout *layout);

#endif
