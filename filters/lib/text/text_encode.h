/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the text encoder. */
#ifndef TR_TEXT_ENCODE_H
#define TR_TEXT_ENCODE_H

#include "base/map.h"
#include "text/text_line.h"

/* Blocks by their names in the text. */
struct text_block {
	char *name;
	struct tr_block block;
	uint32_t id; /* of the writer, in this generation */
	uint64_t generation;
};
struct text_blocks {
	struct text_block *blocks;
	size_t count, room;
	struct tr_map by_name; /* by hash, probing hash + 1, … */
	struct tr_arena arena;
};

/* Limit of the sums of a stream, far below overflow. */
#define TR_MAX_SUM (INT64_MAX / 2)

struct text_hart {
	uint32_t number;
	uint64_t cycle;
	struct tr_context context;
};

struct text_encoder {
	struct tr_text_source *source;
	struct tr_writer *writer;
	struct text_blocks blocks;
	struct text_hart harts[TR_MAX_HARTS];
	unsigned nharts;
	struct text_hart *hart; /* subject of the following lines; NULL at first */
	struct tr_header *end;
	struct tr_text_notes *notes;
	struct text_stalls *stalls; /* scratch for one row; NULL at first */
	bool ended;
};

/* Parses a block line. Returns the block, valid until the next definition, or NULL on
 * failure. */
struct text_block *tr_text_define_block(struct tr_text_source *source,
					struct text_blocks *blocks);
/* Returns the block of that name, valid until the next definition; fails and returns NULL
 * if there is none. */
struct text_block *tr_text_find_block(struct tr_text_source *source,
				      struct text_blocks *blocks, const char *name);
void tr_text_blocks_release(struct text_blocks *blocks);
/* Returns the block's id in the writer's current generation. */
uint32_t tr_text_block_id(struct text_encoder *encoder, struct text_block *block);

/* Parses bits and length, as in "00000297"; dots instead of digits mean no bits. */
void tr_text_insn(struct tr_text_source *source, const char *word, uint64_t *bits,
		  unsigned *bytes, bool *no_bits);
/* Returns the privilege of that name; fails and returns 0 if there is none. */
uint8_t tr_text_priv(struct tr_text_source *source, const char *name);

/* Parses an event line, "trap" or another; data that the event points to is in `arena`.
 * Returns false, without a failure, if no event has that name. */
bool tr_text_event(struct tr_text_source *source, struct tr_arena *arena,
		   struct tr_event *event);

/* Parses the set of a "counters" line, and its values after '|' with the header's labels,
 * but not the cycle. The values are in `arena`. */
void tr_text_take_sample(struct tr_text_source *source, struct tr_arena *arena,
			 struct tr_sample *sample);

/* Parses the number of a "probe" line, and its values after '|', but not the cycle. The
 * values are in `arena`. */
void tr_text_take_hit(struct tr_text_source *source, struct tr_arena *arena,
		      struct tr_hit *hit);
/* Returns the index of the '|' word, 0 if there is none. The values behind it are parsed
 * first, since a label may look like a key. */
unsigned tr_text_bar(const struct tr_text_line *line);
/* Parses bytes of two digits each. Returns NULL on failure. */
uint8_t *tr_text_bytes(struct tr_text_source *source, struct tr_arena *arena,
		       const char *digits, uint32_t *size);

/* "hart" lines, and the current hart. */
void tr_text_take_hart(struct text_encoder *encoder);
/* Returns the current hart, hart 0 by default. */
struct text_hart *tr_text_hart(struct text_encoder *encoder);
void tr_text_switch_hart(struct text_encoder *encoder, uint32_t number);
/* Fails if the line contradicts the state of its hart. */
void tr_text_check_hart(struct text_encoder *encoder);
/* Advances time by `times` times `cycles`. Fails if sums approach overflow. */
void tr_text_add_cycles(struct text_encoder *encoder, uint64_t cycles, uint64_t times);

void tr_text_take_row(struct text_encoder *encoder);
void tr_text_take_token(struct text_encoder *encoder);

/* Parses a line "end [KEY=VALUE]". */
void tr_text_end_line(struct tr_text_source *source, struct tr_header *end);
/* Compares the totals in the text with those of the writer. Returns a status. */
int tr_text_check_totals(struct tr_text_source *source, const struct tr_writer *writer,
			 const struct tr_header *end);

#endif
