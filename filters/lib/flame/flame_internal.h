/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a flame graph, shared by flame*.c. */
#ifndef TR_FLAME_INTERNAL_H
#define TR_FLAME_INTERNAL_H

#include "flame/flame.h"
#include "flame/picture.h"

/* Pixels. */
enum {
	FLAME_INNER = FLAME_WIDTH - 2 * FLAME_PAD,
	FLAME_TOP = 58,
	FLAME_ROW = 17,
	FLAME_BAR = 16, /* height of a frame; the rest of the row is a gap */
};

enum {
	FLAME_MAX_FRAMES = 100000,
	FLAME_MAX_DEPTH = 5000,
	FLAME_MAX_ROWS = 80, /* visible at once */
	FLAME_SPARE_ROWS = 8,
	FLAME_WINDOW_ROWS = 40,
	FLAME_NEUTRAL = FLAME_SHADES, /* of a difference: blues, neutral, reds */
	FLAME_MAX_TONES = 512,
	FLAME_HUES = 7, /* binaries with a colour of their own */
};

/* What the colours show. A tone is a colour with its shade; each mode has its own. */
enum flame_mode {
	FLAME_ROLE, /* enum tr_tint */
	FLAME_BINARY,
	FLAME_PRIVILEGE,
	FLAME_CLASS,
	FLAME_DIFFERENCE,
	FLAME_MODES
};
#define FLAME_FUNCTION_MODES FLAME_CLASS /* the tone is that of the function */

struct flame_frame {
	uint64_t start; /* units to the left of it */
	uint64_t total;
	uint32_t id;
	uint32_t depth;	   /* 0 at the bottom */
	uint32_t function; /* index into flame_layout.functions */
	uint16_t tone;	   /* of FLAME_CLASS or FLAME_DIFFERENCE */
};

struct flame_function {
	const char *name;
	const struct tr_func *func; /* NULL: only the name is known */
	uint64_t self;
	uint32_t next;	 /* function of the same name, or 0 */
	uint32_t binary; /* index into flame_layout.binaries, or FLAME_NO_BINARY */
	uint8_t tint, priv;
};
#define FLAME_NO_BINARY UINT32_MAX

/* Embedded frames in depth-first order, from left to right. */
struct flame_layout {
	struct flame_frame *frames;
	uint64_t *total, *other; /* by node */
	uint64_t *lost;		 /* cycles by class of each node, then those without
				  * one; NULL: none */
	struct flame_function *functions; /* that of the first frame is 0 */
	const char **binaries;		  /* the one with the most cycles first */
	uint64_t dropped_value;
	uint32_t count, nfunctions, nbinaries;
	uint32_t levels;	  /* of the deepest stack */
	uint32_t rows;		  /* visible at once */
	uint32_t dropped;	  /* omitted frames */
	enum flame_mode mode;	  /* of the static picture */
	bool offers[FLAME_MODES]; /* there is data for this mode */
};

/* Computes the layout. Returns TR_OK or TR_E_NOMEM. */
int tr_flame_layout(struct flame_layout *layout, const struct tr_folded *folded,
		    const struct tr_flame *flame);
void tr_flame_layout_free(struct flame_layout *layout);

/* flame_functions.c: lists the functions of the frames, and their binaries. Returns false
 * when out of memory. */
bool tr_flame_functions(struct flame_layout *layout, const struct tr_folded *folded,
			const struct tr_flame *flame);

/* flame_colours.c. Returns the tone of a frame in a mode that the layout offers. */
unsigned tr_flame_tone(const struct flame_layout *layout, enum flame_mode mode,
		       const struct flame_frame *frame);
/* Returns the tone of a function in a mode below FLAME_FUNCTION_MODES. */
unsigned tr_flame_function_tone(const struct flame_function *function,
				enum flame_mode mode);
/* Return the letter that begins the style class of a tone, and the name of the mode. */
char tr_flame_mode_letter(enum flame_mode mode);
const char *tr_flame_mode_name(enum flame_mode mode);
/* Writes the styles of all tones in use. */
void tr_flame_tones(const struct flame_layout *layout, const struct tr_flame *flame,
		    FILE *file);

/* The legend of a mode. */
struct flame_keys {
	struct {
		unsigned tone;
		char label[80];
	} key[TR_MAX_CLASSES + 4];
	unsigned count;
	const char *note; /* NULL: none */
};
void tr_flame_keys(const struct flame_layout *layout, const struct tr_flame *flame,
		   enum flame_mode mode, struct flame_keys *keys);

/* Lines below the legend. */
struct flame_notes {
	char line[5][1000];
	unsigned count;
};
void tr_flame_notes(const struct flame_layout *layout, const struct tr_flame *flame,
		    struct flame_notes *notes);

/* Returns true if a frame's value rests on too few windows. */
static inline bool flame_is_doubtful(const struct tr_flame *flame,
				     const struct flame_frame *frame)
{
	const struct tr_bar *bar = flame->bars ? &flame->bars[frame->id] : NULL;
	return bar && bar->value > 0 && bar->windows < TR_ESTIMATE_FEW;
}

/* flame_classes.c: the tone of a node, its colour, and the legend. */
uint16_t tr_flame_class_tone(const struct tr_classes *classes,
			     const struct flame_layout *layout, uint32_t id);
struct flame_colour tr_flame_class_colour(const struct tr_classes *classes, unsigned tone,
					  bool is_dark);
void tr_flame_class_keys(const struct tr_flame *flame, const struct flame_layout *layout,
			 struct flame_keys *keys);
/* Writes two members of the model: the names of the classes, and for each frame the
 * number of its classes and pairs of class and cycles. */
void tr_flame_class_data(FILE *file, const struct tr_classes *classes,
			 const struct flame_layout *layout);

/* flame_model.c: writes what the script draws, as a JSON object without its last brace.
 */
void tr_flame_layout_model(const struct flame_layout *layout,
			   const struct tr_folded *folded, const struct tr_flame *flame,
			   FILE *file);

#endif
