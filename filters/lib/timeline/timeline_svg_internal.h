/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a timeline's picture, shared by timeline_svg*.c. */
#ifndef TR_TIMELINE_SVG_INTERNAL_H
#define TR_TIMELINE_SVG_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "timeline/timeline_svg.h"

enum { COLUMNS = 1024, CELLS = 256, SHOWN_COUNTERS = 8 };

/* A picture has columns of equal length, which doubles when time exceeds them all. */

/* Sums of a few values in each column. */
struct bins {
	uint64_t *sums; /* [column][value] */
	uint64_t width; /* cycles of a column */
	unsigned values;
};

/* The cycles of a key in a column: a node of the profile, or a track. */
struct cell {
	uint64_t cycles;
	uint32_t key;
};

/* The cycles of each key in each column, at most CELLS of them: of nodes, the smaller
 * ones count as their parents; of tracks, as TR_TIMELINE_NONE. */
struct columns {
	struct {
		struct cell *cells;
		uint32_t count;
	} column[COLUMNS];
	uint64_t width;
	const struct tr_profile *nodes; /* NULL: the keys are tracks */
	uint16_t hints[1024];		/* where a key was in the newest column */
};

struct counter_row {
	struct bins bins;
	uint32_t set, counter;
	uint64_t sum;
};

struct hart_row {
	uint32_t number;
	uint32_t id; /* in the order of their first steps */
	struct columns *stacks, *threads;
	struct section *section; /* the current one of a coarse picture, or NULL */
	struct bins modes;
	struct counter_row counters[SHOWN_COUNTERS];
	unsigned ncounters;
	bool has_more_counters;
};

/* Of a track. */
struct thread {
	uint32_t number, group;
};

struct tr_timeline_picture {
	FILE *file;
	const struct tr_profile *profile;
	const struct tr_counters *counters;
	const struct tr_tasks *tasks; /* NULL: there are no rows of processes */
	struct columns *runs; /* of tasks and privileges, see timeline_svg_tree.c */
	const struct tr_header *header;
	struct tr_timeline_clock clock;
	const char *title;
	uint32_t max_depth;
	struct picture_marks *marks;
	struct thread *threads; /* of the tracks */
	size_t thread_capacity;
	/* A coarse picture numbers its tracks itself, from (group, thread). */
	bool is_coarse;
	uint32_t nthreads;
	struct tr_map thread_map;
	uint64_t section; /* number of the current one */
	struct hart_row *harts;
	size_t hart_capacity;
	uint32_t nharts;
	uint64_t from;	 /* the first cycle */
	uint64_t cycles; /* of all harts */
	uint64_t others; /* of stacks that are not drawn */
	uint64_t deep;	 /* of stacks deeper than what is drawn */
	bool has_begun;
};

/* timeline_svg_columns.c: adds `value` to sums[which], spread evenly over the cycles
 * [from, to). Returns false when out of memory. */
bool tr_timeline_bins_add(struct bins *bins, uint64_t from, uint64_t to, unsigned which,
			  uint64_t value);
/* Creates columns. Returns NULL when out of memory; tr_timeline_columns_free() accepts
 * NULL. */
struct columns *tr_timeline_columns_new(const struct tr_profile *nodes);
void tr_timeline_columns_free(struct columns *);
/* Adds the cycles [from, to) to a key. Returns false when out of memory. */
bool tr_timeline_columns_add(struct columns *, uint64_t from, uint64_t to, uint32_t key);
/* Adds `cycles`, spread evenly over the cycles [from, to), to a key. Returns false when
 * out of memory. */
bool tr_timeline_columns_spread(struct columns *, uint64_t from, uint64_t to,
				uint32_t key, uint64_t cycles);

/* timeline_svg_coarse.c: adds a step that is drawn from one cycle to another to the
 * section. Returns false when out of memory. */
bool tr_timeline_section_step(struct hart_row *hart, const struct tr_profile_step *step,
			      uint64_t from, uint64_t to);
/* Draws the sections of all harts, and begins others. Returns a status. */
int tr_timeline_end_sections(struct tr_timeline_picture *);
void tr_timeline_section_free(struct section *);

/* timeline_svg_path.c: the frames that a column shows: from the root on, that with the
 * most cycles of those above the last one, until most cycles are in the frame itself. */
struct shown {
	uint32_t node;
	uint64_t cycles;
};
struct path {
	struct shown *shown; /* from the root on */
	uint32_t depth;
	uint64_t own; /* cycles of the stacks that consist of shown frames only */
	struct lane *lanes;
	uint32_t *ancestors;
	uint32_t max_depth;
};
/* Returns false when out of memory; release the path in any case. */
bool tr_timeline_path_init(struct path *path, uint32_t max_depth);
void tr_timeline_path_release(struct path *path);
void tr_timeline_path_find(struct path *path, const struct columns *columns,
			   uint32_t column);

/* Pixels. */
enum {
	PAGE_LEFT = 118,
	PAGE_RIGHT = 1190,
	PAGE_HEAD = 84, /* height of the title and the keys */
	PAGE_GAP = 6,
};

/* A page that is being drawn. */
struct page {
	const struct tr_timeline_picture *p;
	FILE *file;    /* the rows, which come before their height is known */
	uint64_t span; /* cycles */
	double scale;  /* pixels per cycle */
	unsigned y;    /* of the next row */
	uint64_t others;
	struct path path;
	struct bar *bars; /* of a stack's depth */
};

/* Returns the place of a cycle after the first one. */
static inline double page_x(const struct page *page, uint64_t cycle)
{
	return PAGE_LEFT + page->scale * (double)cycle;
}
/* Returns the end of a column. */
static inline uint64_t page_end(const struct page *page, uint64_t column, uint64_t width)
{
	return (column + 1) * width < page->span ? (column + 1) * width : page->span;
}
/* Returns true if the column has cycles of the picture. */
static inline bool page_has(const struct page *page, uint64_t column, uint64_t width)
{
	return column < COLUMNS && column * width < page->span;
}

/* A bar: a frame, a thread or a process in adjacent columns. Cycles are from the
 * beginning of the picture on. */
struct bar {
	uint64_t start, end;
	uint64_t cycles; /* of it in these columns */
	uint32_t what;	 /* node or track */
	uint32_t depth;
};

/* timeline_svg_rows.c: draws the rows of a hart. */
void tr_timeline_draw_hart(struct page *page, const struct hart_row *hart);
/* timeline_svg_parts.c: a label to the left of the rows; the background of a row; and a
 * bar with its name, as far as it fits, and a tooltip. */
void tr_timeline_label(const struct page *page, unsigned y, const char *text);
void tr_timeline_empty(const struct page *page, unsigned height);
void tr_timeline_bar(const struct page *page, const struct bar *bar, unsigned height,
		     const char *class, const char *name, const char *more);
/* Draws the shares of privileges, and the rate of a counter, whose full height is the
 * highest. */
void tr_timeline_modes(struct page *page, const struct hart_row *hart);
void tr_timeline_counter(struct page *page, const struct counter_row *row);
/* The classes of U-mode, S-mode and M-mode, and their names. */
extern const char *const tr_timeline_mode_keys[3][2];

/* timeline_svg_tree.c: takes a step that is drawn from one cycle to another. Returns
 * false when out of memory. */
bool tr_timeline_tree_step(struct tr_timeline_picture *, const struct hart_row *,
			   const struct tr_profile_step *, uint64_t from, uint64_t to);
/* Draws the rows of processes. Returns a status. */
int tr_timeline_draw_tree(struct page *page);

/* timeline_svg_marks.c: returns NULL when out of memory; tr_timeline_marks_free() accepts
 * NULL. */
struct picture_marks *tr_timeline_marks_new(void);
void tr_timeline_marks_free(struct picture_marks *);
int tr_timeline_svg_take_mark(void *state, const struct tr_mark_event *);
/* Draws the rows of marks, if there are any. */
void tr_timeline_draw_marks(struct page *page);

/* timeline_svg_draw.c: writes the file, up to the cycle `last`, and sets `others`.
 * Returns a status. */
int tr_timeline_draw(struct tr_timeline_picture *, uint64_t last);

#endif
