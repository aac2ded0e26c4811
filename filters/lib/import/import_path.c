/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a program between points whose time is known. */
#include "import/import_path.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/little.h"
#include "stream/reader.h"

enum { MOST_PIECES = 1 << 20, ASID_BITS = 16 };

struct path_piece {
	const uint8_t *code;
	uint64_t pc;
	uint32_t count;
};

void tr_path_release(struct import_path *path)
{
	free(path->pieces);
}

const struct import_run *tr_path_run(struct tr_import *im, struct import_path *path)
{
	return path->known ? tr_import_code_run(im->code, &path->place, path->pc) : NULL;
}

static unsigned code_length_at(const uint8_t *code)
{
	return tr_insn_length(tr_load16(code));
}

uint32_t tr_path_before(const struct import_run *run, uint64_t pc)
{
	uint64_t at = run->pc;
	for (uint32_t i = 0; i < run->count; i++) {
		if (at == pc)
			return i;
		at += code_length_at(run->code + (at - run->pc));
	}
	return UINT32_MAX;
}

void tr_path_take(struct tr_import *im, struct import_path *path,
		  const struct import_run *run, uint32_t count)
{
	path->pc = count == run->count ? run->end : run->pc;
	for (uint32_t i = 0; count < run->count && i < count; i++)
		path->pc += code_length_at(run->code + (path->pc - run->pc));
	if (count == 0 || path->dry)
		return;
	if (!tr_grow(&path->pieces, &path->room, path->npieces + 1,
		     sizeof(*path->pieces))) {
		im->status = TR_E_NOMEM;
		return;
	}
	path->pieces[path->npieces++] = (struct path_piece){run->code, run->pc, count};
	path->count += count;
	if (path->npieces == MOST_PIECES)
		tr_path_pass(im, path, tr_import_cycle(im, path->hart) + path->count);
}

/* The division of cycles among instructions. */
struct share {
	uint64_t count, cycles, debt;
	uint64_t each, rest; /* of the cycles, for each instruction */
	bool evenly;
};

/* Returns the cycles of the next instruction: one, and what is left for the last one; or
 * its part of all. */
static uint64_t next_share(struct share *s, uint64_t left)
{
	if (!s->evenly)
		return left > 1 ? 1 : s->cycles - (s->count - 1);
	s->debt += s->rest;
	if (s->debt < s->count)
		return s->each;
	s->debt -= s->count;
	return s->each + 1;
}

static uint64_t load_instruction(const uint8_t *code, unsigned bytes)
{
	return bytes == 2   ? tr_load16(code)
	       : bytes == 4 ? tr_load32(code)
	       : bytes == 8 ? tr_load64(code)
			    : tr_load32(code) | (uint64_t)tr_load16(code + 4) << 32;
}

static void pass_piece(struct tr_import *im, const struct path_piece *piece,
		       struct share *share, struct import_token *token, uint64_t *left)
{
	const uint8_t *code = piece->code;
	for (uint32_t i = 0; i < piece->count && !im->status && !im->sink->limited; i++) {
		const unsigned bytes = code_length_at(code);
		token->pc = piece->pc + (uint64_t)(code - piece->code);
		token->bits = load_instruction(code, bytes);
		token->cycle += next_share(share, (*left)--);
		code += bytes;
		tr_import_token(im, token);
	}
}

/* Passes on what ran, with `cycles` cycles in all. */
static void pass_path_pieces(struct tr_import *im, struct import_path *path,
			     uint64_t cycle, uint64_t cycles)
{
	struct share share = {.count = path->count,
			      .cycles = cycles,
			      .each = cycles / path->count,
			      .rest = cycles % path->count,
			      .evenly = path->npieces > 1 || cycles < path->count};
	struct import_token token = {.hart = path->hart,
				     .cycle = cycle,
				     .has_bits = true,
				     .has_cycle = true,
				     .priv = path->place.priv};
	uint64_t left = path->count;
	for (size_t i = 0; i < path->npieces; i++)
		pass_piece(im, &path->pieces[i], &share, &token, &left);
	path->npieces = 0;
	path->count = 0;
}

void tr_path_pass(struct tr_import *im, struct import_path *path, uint64_t cycle)
{
	const uint64_t now = tr_import_cycle(im, path->hart);
	if (path->count)
		pass_path_pieces(im, path, now, cycle > now ? cycle - now : 0);
}

void tr_path_pass_before(struct tr_import *im, struct import_path *path, uint64_t cycle)
{
	const uint64_t now = tr_import_cycle(im, path->hart);
	const uint64_t passed = cycle > now ? cycle - now : 0;
	if (path->count)
		pass_path_pieces(im, path, now,
				 passed < path->count ? passed : path->count);
}

void tr_path_gap(struct tr_import *im, struct import_path *path, uint64_t cycle,
		 enum tr_gap_reason reason)
{
	tr_path_pass_before(im, path, cycle);
	const uint64_t now = tr_import_cycle(im, path->hart);
	if (cycle <= now || im->sink->limited)
		return;
	tr_import_gap(im, path->hart, cycle, path->place.priv, reason);
	if (reason == TR_GAP_LOST)
		path->lost += cycle - now;
}

uint64_t tr_path_satp(uint64_t context)
{
	if (!context || context >> ASID_BITS)
		return context;
	return UINT64_C(8) << 60 | context << 44;
}
