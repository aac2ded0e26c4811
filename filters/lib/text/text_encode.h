/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the text encoder share. */
#ifndef TR_TEXT_ENCODE_H
#define TR_TEXT_ENCODE_H

#include "base/map.h"
#include "text/text_line.h"

/* Blocks by the names that the text gives them. */
struct text_block {
	char *name;
	struct tr_block block;
	uint32_t id; /* in the writer, while it has this generation */
	uint64_t generation;
};
struct text_blocks {
	struct text_block *blocks;
	size_t count, room;
	struct tr_map by_name; /* by hash, probing hash + 1, … */
	struct tr_arena arena;
};

/* Sums of a stream are kept below this: far from overflow. */
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
	struct text_hart *hart; /* that the lines are about; NULL at first */
	struct tr_header *end;
	struct tr_text_notes *notes;
	struct text_stalls *stalls; /* of the row being read; NULL at first */
	bool ended;
};

/* Takes the words of a block line; NULL on failure. Both are valid until the
 * next definition. */
struct text_block *tr_text_define_block(struct tr_text_source *source,
					struct text_blocks *blocks);
/* NULL, and a failure, when there is none. */
struct text_block *tr_text_find_block(struct tr_text_source *source,
				      struct text_blocks *blocks, const char *name);
void tr_text_blocks_release(struct text_blocks *blocks);
/* The block's id in the writer's present generation. */
uint32_t tr_text_block_id(struct text_encoder *encoder, struct text_block *block);

/* "00000297": bits and length; dots in place of the digits: no bits. */
void tr_text_insn(struct tr_text_source *source, const char *word, uint64_t *bits,
		  unsigned *bytes, bool *no_bits);
uint8_t tr_text_priv(struct tr_text_source *source, const char *name);

/* Takes the words of an event line, "trap" or another. False, without a failure,
 * when no event has that name. What the event points to is in `arena`. */
bool tr_text_event(struct tr_text_source *source, struct tr_arena *arena,
		   struct tr_event *event);

/* The set of a "counters" line, and its values behind a '|' as the header names
 * them, but no cycle. The values are in `arena`. */
void tr_text_take_sample(struct tr_text_source *source, struct tr_arena *arena,
			 struct tr_sample *sample);

/* "hart" lines, and the hart that the next lines are about. */
void tr_text_take_hart(struct text_encoder *encoder);
struct text_hart *tr_text_hart(struct text_encoder *encoder);
void tr_text_switch_hart(struct text_encoder *encoder, uint32_t number);
/* What a line says of its hart must be so. */
void tr_text_check_hart(struct text_encoder *encoder);
/* Time goes on: `times` times `cycles`. Sums stay far from overflow. */
void tr_text_add_cycles(struct text_encoder *encoder, uint64_t cycles, uint64_t times);

void tr_text_take_row(struct text_encoder *encoder);
void tr_text_take_token(struct text_encoder *encoder);

/* A line "end [KEY=VALUE]". */
void tr_text_end_line(struct tr_text_source *source, struct tr_header *end);
/* Compares totals that the text has with those of the writer. */
int tr_text_check_totals(struct tr_text_source *source, const struct tr_writer *writer,
			 const struct tr_header *end);

#endif
