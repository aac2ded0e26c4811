/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a flame graph, shared by flame*.c. */
#ifndef TR_FLAME_INTERNAL_H
#define TR_FLAME_INTERNAL_H

#include "flame/flame.h"

/* Pixels. */
enum {
	FLAME_WIDTH = 1200, /* of the still image: the script fits it to the window */
	FLAME_LEAST = 560,  /* of the window */
	FLAME_PAD = 10,
	FLAME_INNER = FLAME_WIDTH - 2 * FLAME_PAD,
	FLAME_TOP = 58,
	FLAME_ROW = 17,
	FLAME_BAR = 16, /* of a row, the rest is a gap */
	FLAME_FONT = 11,
	FLAME_LINE = 16, /* of notes */
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
/* Two lines. */
void flame_class_legend(FILE *file, const struct tr_classes *classes,
			const struct flame_layout *layout, unsigned y);
void flame_class_data(FILE *file, const struct tr_classes *classes,
		      const struct flame_layout *layout);

/* Text as XML or inside a script's "…": control characters become '?', what is
 * not UTF-8 becomes U+FFFD. */
void flame_xml(FILE *file, const char *text);
void flame_quoted(FILE *file, const char *text);
/* The first `bytes` of `text` as XML. */
void flame_xml_part(FILE *file, const char *text, size_t bytes);

/* Begins an SVG: up to the styles that all share; more of them and </style> follow. */
void flame_open(FILE *file, const char *title, unsigned height);

/* Bytes of `text` that fit in `room` thousandths of an em. `*whole` tells if
 * that is all; otherwise two dots fit behind them. */
size_t flame_fit(const char *text, unsigned room, bool *whole);
/* The widths that it uses, of ' ' to '~', in thousandths of an em. */
extern const uint16_t flame_widths[95];

/* Lines, the last one NULL. */
extern const char *const flame_script[];

#endif
