/* SPDX-License-Identifier: Apache-2.0 */
/* JIT code, by perf maps and jitdumps.
 *
 * A jitdump has the code: a block is of the pieces that equal it, where they are. A perf
 * map has only addresses: a block is of the pieces that cover it, and where code differs
 * from what ran there before (but for immediates, which a compiler patches), the next
 * piece in the order of compilation counts. A piece is proven once it is the only one
 * possible for a block; no earlier one can be where it is from then on. A block that may
 * be of several has the name of the first, with doubt.
 *
 * A note is valid for a whole frame. Blocks that are in two pieces, one of which follows
 * the other within a frame, therefore are in doubt in that frame. */
#include "match/match_jit.h"

#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "match/match_state.h"
#include "stream/insn.h"

enum { CLAIM_BYTES = 8 }; /* of code that equals a jitdump's, to tell whose it is */

/* A block in a map. */
struct jit_note {
	uint64_t frame, pc; /* frame: the last in which it may have run with this note */
	uint32_t space, block, jit, bytes;
	uint32_t piece; /* number */
	bool in_doubt;
	bool is_stale;	/* a later piece has been proven since */
	bool is_shared; /* it ran as a later piece, too, in this frame */
	bool is_lost;	/* ambiguous */
};

struct match_jit {
	const struct tr_match_jit *map;
	uint32_t space;	    /* whose code it is; 0: not known yet */
	bool *is_proven;    /* by number of the piece */
	bool *is_dead;	    /* a later one that overlaps it is proven */
	bool *is_overrun;   /* its code changed, and there is no later piece */
	struct tr_map seen; /* of a perf map: what ran at an address, in halves */
	struct tr_map when; /* the number of the piece that was there then */
};

struct match_jits {
	struct match_jit *jits;
	size_t count;
	struct jit_note *notes;
	size_t nnotes, note_room;
	struct tr_map ids; /* from (space, block) to note */
	struct tr_match_jit_conflict conflict;
};

/* What a block may be. */
struct jit_choice {
	const struct tr_jit_piece *piece; /* the first one possible; NULL: none */
	const struct tr_jit_piece *next;  /* the next one of another name */
	bool is_covered_whole;		  /* some piece covers it, possible or not */
	bool is_only; /* no other piece overlaps it, or all have one name */
};

struct match_jits *tr_jits_new(const struct tr_match_jit *maps, size_t count)
{
	struct match_jits *jits = calloc(1, sizeof(*jits));
	if (!jits)
		return NULL;
	jits->jits = calloc(count + 1, sizeof(*jits->jits));
	for (jits->count = 0; jits->jits && jits->count < count; jits->count++) {
		struct match_jit *jit = &jits->jits[jits->count];
		const size_t pieces = tr_jit_count(maps[jits->count].image);
		jit->map = &maps[jits->count];
		jit->space = jit->map->space;
		jit->is_proven = calloc(pieces + 1, sizeof(*jit->is_proven));
		jit->is_overrun = calloc(pieces + 1, sizeof(*jit->is_overrun));
		jit->is_dead = calloc(pieces + 1, sizeof(*jit->is_dead));
		if (!jit->is_proven || !jit->is_overrun || !jit->is_dead)
			break;
	}
	if (jits->count == count && jits->jits)
		return jits;
	jits->count += jits->jits && jits->count < count;
	tr_jits_free(jits);
	return NULL;
}

void tr_jits_free(struct match_jits *jits)
{
	if (!jits)
		return;
	for (size_t i = 0; i < jits->count; i++) {
		free(jits->jits[i].is_proven);
		free(jits->jits[i].is_overrun);
		free(jits->jits[i].is_dead);
		tr_map_free(&jits->jits[i].seen);
		tr_map_free(&jits->jits[i].when);
	}
	free(jits->jits);
	free(jits->notes);
	tr_map_free(&jits->ids);
	free(jits);
}

void tr_jits_forget(struct match_jits *jits)
{
	if (!jits)
		return;
	jits->nnotes = 0;
	tr_map_clear(&jits->ids);
}

const struct tr_match_jit_conflict *tr_jits_conflict(const struct match_jits *jits)
{
	return jits && jits->conflict.map ? &jits->conflict : NULL;
}

static bool piece_has_block(const struct tr_jit_piece *piece,
			    const struct tr_block *block)
{
	const uint64_t into = block->pc - piece->address;
	return block->pc >= piece->address && block->bytes <= piece->size &&
	       into <= piece->size - block->bytes &&
	       (!piece->code ||
		memcmp(piece->code + into, block->code, block->bytes) == 0);
}

/* Finds the pieces that a block may be of: those that are not dead, and behind `after`,
 * or with `all`, all. */
static struct jit_choice choose_piece(const struct match_jit *jit,
				      const struct tr_block *block,
				      const struct tr_jit_piece *after, bool all)
{
	const struct tr_image *image = jit->map->image;
	const uint64_t high = block->pc + block->bytes;
	struct jit_choice choice = {.is_only = true};
	for (uint32_t layer = 0; layer < tr_jit_layers(image); layer++) {
		const struct tr_jit_piece *piece =
		    tr_jit_overlap(image, layer, block->pc, high);
		if (!piece)
			continue;
		choice.is_only &= !piece->is_covered && !layer;
		if (!piece_has_block(piece, block))
			continue;
		choice.is_covered_whole = true;
		if ((jit->is_dead[piece->number] && !all) ||
		    (after && piece->number <= after->number))
			continue;
		if (!choice.piece)
			choice.piece = piece;
		else if (!choice.next && strcmp(piece->name, choice.piece->name) != 0)
			choice.next = piece;
	}
	return choice;
}

/* Returns an instruction without its immediates. */
static uint32_t shape_of(const uint8_t *code, unsigned length)
{
	enum { RD = 0xfff, RD_RS1 = 0xfffff, RS1_RS2 = 0x1fff07f };
	if (length == 2) {
		const uint32_t insn = tr_load16(code);
		/* c.j has nothing but an immediate. */
		return (insn & 0xe003) == 0xa001 ? 0xa001 : insn & 0xef83;
	}
	const uint32_t insn = tr_load32(code);
	switch (tr_insn_opcode(insn)) {
	case TR_OPCODE_LUI:
	case TR_OPCODE_AUIPC:
	case TR_OPCODE_JAL:
		return insn & RD;
	case TR_OPCODE_LOAD:
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_OP_IMM:
	case TR_OPCODE_OP_IMM_32:
	case TR_OPCODE_JALR:
		return insn & RD_RS1;
	case TR_OPCODE_STORE:
	case TR_OPCODE_STORE_FP:
	case TR_OPCODE_BRANCH:
		return insn & RS1_RS2;
	default:
		return insn == TR_MAP_NONE ? 0 : insn;
	}
}

/* Compares what runs with what ran there before, while the piece was there; or remembers
 * it. Returns true if it differs, of which nothing is remembered. */
static bool compare_shapes(struct tr_match *match, struct match_jit *jit,
			   const struct tr_jit_piece *piece, const struct tr_block *block,
			   bool remember)
{
	const uint8_t *code = block->code;
	uint64_t pc = block->pc;
	for (unsigned i = 0; i < block->tokens; i++) {
		const unsigned length = tr_insn_length(tr_load16(code));
		const uint64_t key = pc >> 1;
		const uint32_t shape = shape_of(code, length);
		if (!remember && tr_map_get(&jit->when, key) == piece->number &&
		    tr_map_get(&jit->seen, key) != shape)
			return true;
		if (remember && (!tr_map_set(&jit->seen, key, shape) ||
				 !tr_map_set(&jit->when, key, piece->number)))
			tr_match_fail(match, TR_E_NOMEM);
		code += length;
		pc += length;
	}
	return false;
}

/* --- notes */

static const struct tr_jit_piece *piece_of_note(const struct match_jits *jits,
						const struct jit_note *note)
{
	return tr_jit_piece(jits->jits[note->jit].map->image, note->piece);
}

static struct tr_candidate place_of_note(const struct match_jits *jits,
					 const struct jit_note *note)
{
	const uint64_t address = tr_jit_address(piece_of_note(jits, note), note->pc) +
				 (note->in_doubt ? TR_JIT_DOUBT : 0);
	return (struct tr_candidate){.bias = note->pc - address,
				     .binary = note->is_lost
						   ? TR_NOTE_AMBIGUOUS
						   : jits->jits[note->jit].map->number};
}

static void write_note(struct tr_match *match, struct match_held *held,
		       const struct jit_note *note)
{
	if (!held)
		return;
	const struct tr_candidate place = place_of_note(match->jits, note);
	tr_match_note(match, held, note->space, note->block, note->pc, &place);
}

static struct jit_note *find_note(const struct match_jits *jits, uint32_t space,
				  uint32_t block)
{
	const uint32_t i = tr_map_get(&jits->ids, tr_pair_key(space, block));
	return i == TR_MAP_NONE ? NULL : &jits->notes[i];
}

static struct jit_note *make_note(struct tr_match *match, uint32_t space, uint32_t block)
{
	struct match_jits *jits = match->jits;
	struct jit_note *note = find_note(jits, space, block);
	if (note)
		return note;
	if (!tr_grow(&jits->notes, &jits->note_room, jits->nnotes + 1,
		     sizeof(*jits->notes)) ||
	    !tr_map_set(&jits->ids, tr_pair_key(space, block), (uint32_t)jits->nnotes)) {
		tr_match_fail(match, TR_E_NOMEM);
		return NULL;
	}
	return &jits->notes[jits->nnotes++];
}

/* Returns true if all pieces of another name that may follow the note's have been proven,
 * so that nothing of them is in what it stands for. */
static bool has_seen_all(const struct match_jits *jits, const struct jit_note *note,
			 const struct tr_block *block)
{
	const struct match_jit *jit = &jits->jits[note->jit];
	const char *name = piece_of_note(jits, note)->name;
	for (uint32_t layer = 0; layer < tr_jit_layers(jit->map->image); layer++) {
		const struct tr_jit_piece *piece = tr_jit_overlap(
		    jit->map->image, layer, block->pc, block->pc + block->bytes);
		if (piece && piece->number > note->piece &&
		    piece_has_block(piece, block) && strcmp(piece->name, name) != 0 &&
		    !jit->is_proven[piece->number])
			return false;
	}
	return true;
}

/* Updates the note on a block now that a piece has been proven. */
static void update_note(struct tr_match *match, struct jit_note *note,
			const struct tr_jit_piece *proven)
{
	const struct match_jits *jits = match->jits;
	const struct tr_block *block = tr_reader_block(match->reader, note->block);
	const bool is_dump = proven->code;
	const bool was_in_doubt = note->in_doubt;
	const bool is_dead = jits->jits[note->jit].is_dead[note->piece];
	if (note->is_lost || (note->piece != proven->number && !is_dead))
		return;
	if (note->piece == proven->number)
		note->in_doubt &= !is_dump;
	else if (is_dump && piece_has_block(proven, block))
		note->in_doubt |=
		    strcmp(piece_of_note(jits, note)->name, proven->name) != 0;
	else if (!is_dump && note->frame == match->frames && !note->is_shared)
		note->in_doubt &= !has_seen_all(jits, note, block);
	if (note->in_doubt != was_in_doubt)
		write_note(match, match->newest, note);
	if (!is_dead)
		return;
	note->is_stale = true;
	note->frame = match->frames;
	match->last[note->block] = LAST_NONE;
}

/* Earlier pieces that overlap a proven one are no more. */
static void kill_earlier(struct match_jit *jit, const struct tr_jit_piece *proven)
{
	const uint64_t high = proven->address + proven->size;
	for (uint32_t layer = 0; layer < proven->layer; layer++) {
		const struct tr_jit_piece *piece;
		for (uint64_t low = proven->address;
		     low < high &&
		     (piece = tr_jit_overlap(jit->map->image, layer, low, high));
		     low = piece->address + piece->size)
			if (piece->number < proven->number)
				jit->is_dead[piece->number] = true;
	}
}

static bool do_overlap(const struct tr_jit_piece *a, const struct tr_jit_piece *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* The piece is where it is from now on. */
static void prove_piece(struct tr_match *match, struct match_jit *jit, uint32_t space,
			const struct tr_jit_piece *piece)
{
	const struct match_jits *jits = match->jits;
	if (jit->is_proven[piece->number] || (!piece->is_covered && !piece->layer))
		return;
	jit->is_proven[piece->number] = true;
	kill_earlier(jit, piece);
	for (size_t i = 0; i < jits->nnotes; i++) {
		struct jit_note *note = &jits->notes[i];
		if (note->space == space && &jits->jits[note->jit] == jit &&
		    do_overlap(piece_of_note(jits, note), piece))
			update_note(match, note, piece);
	}
}

/* The code of a piece has changed, and there is no later one: nothing is known of what
 * runs there from now on. */
static void overrun_piece(struct tr_match *match, struct match_jit *jit, uint32_t space,
			  const struct tr_jit_piece *piece)
{
	struct match_jits *jits = match->jits;
	if (jit->is_overrun[piece->number])
		return;
	jit->is_overrun[piece->number] = true;
	for (size_t i = 0; i < jits->nnotes; i++) {
		struct jit_note *note = &jits->notes[i];
		if (note->space != space || &jits->jits[note->jit] != jit ||
		    note->piece != piece->number)
			continue;
		note->is_stale = true;
		note->frame = match->frames;
		match->last[note->block] = LAST_NONE;
	}
}

/* --- decisions */

/* Chooses among the pieces of a jitdump. Returns false if the block equals none. */
static bool decide_by_code(struct tr_match *match, struct match_jit *jit,
			   const struct tr_block *block, struct jit_note *note)
{
	const struct jit_choice choice = choose_piece(jit, block, NULL, false);
	if (!choice.piece)
		return false;
	note->piece = choice.piece->number;
	note->in_doubt = choice.next && !jit->is_proven[note->piece];
	if (!choice.next)
		prove_piece(match, jit, note->space, choice.piece);
	return true;
}

/* Chooses among the pieces of a perf map. Returns false if none covers the block. */
static bool decide_by_place(struct tr_match *match, struct match_jit *jit,
			    const struct tr_block *block, struct jit_note *note)
{
	struct jit_choice choice = choose_piece(jit, block, NULL, false);
	if (!choice.is_covered_whole)
		return false;
	note->is_lost = !choice.piece;
	note->in_doubt = false;
	if (choice.piece)
		note->piece = choice.piece->number;
	if (choice.is_only || note->is_lost || !choose_piece(jit, block, NULL, true).next)
		return true;
	if (compare_shapes(match, jit, choice.piece, block, false)) {
		const struct tr_jit_piece *before = choice.piece;
		choice = choose_piece(jit, block, before, false);
		if (choice.piece) {
			prove_piece(match, jit, note->space, choice.piece);
		} else {
			choice.piece = before;
			overrun_piece(match, jit, note->space, before);
		}
	}
	compare_shapes(match, jit, choice.piece, block, true);
	note->piece = choice.piece->number;
	note->in_doubt = choice.next;
	note->is_lost = jit->is_overrun[note->piece];
	return true;
}

/* Decides a block by one map. Returns false if it is not in it. */
static bool decide_by_map(struct tr_match *match, struct match_jit *jit,
			  const struct tr_block *block, struct jit_note *note)
{
	return block->no_bits ? false
	       : tr_jit_has_code(jit->map->image)
		   ? decide_by_code(match, jit, block, note)
		   : decide_by_place(match, jit, block, note);
}

/* Returns true if the map may tell of a space's block: it is the space's, or nobody's
 * yet, and the block shows that it is the space's, which has the map's satp. */
static bool may_ask(struct match_jits *jits, struct match_jit *jit,
		    const struct match_space *space, const struct tr_block *block,
		    bool is_unknown)
{
	const struct tr_image *image = jit->map->image;
	const bool has_code = tr_jit_has_code(image);
	if (jit->space == space->id)
		return true;
	if (jit->map->space || block->no_bits ||
	    (jit->map->satp && space->identity.satp != jit->map->satp) ||
	    (has_code ? block->bytes < CLAIM_BYTES : !is_unknown))
		return false;
	const struct jit_choice choice = choose_piece(jit, block, NULL, true);
	if (!choice.piece)
		return false;
	if (jit->space && !jits->conflict.map)
		jits->conflict = (struct tr_match_jit_conflict){
		    .map = jit->map, .spaces = {jit->space, space->id}, .pc = block->pc};
	return !jit->space;
}

/* Makes a note on a block that had none. Returns false if it is not in the map. */
static bool begin_note(struct tr_match *match, struct match_jit *jit, uint32_t space,
		       uint32_t id, const struct tr_block *block, struct jit_note *note)
{
	*note = (struct jit_note){.frame = match->frames,
				  .pc = block->pc,
				  .space = space,
				  .block = id,
				  .jit = (uint32_t)(jit - match->jits->jits),
				  .bytes = block->bytes};
	return decide_by_map(match, jit, block, note);
}

/* Blocks of the space that are in no other binary, and that ran before it was known whose
 * map this is. */
static void settle_waiting_blocks(struct tr_match *match, struct match_space *space,
				  struct match_jit *jit)
{
	struct match_floating *floating = &space->floating;
	size_t kept = 0;
	for (size_t i = 0; i < floating->nwaiting; i++) {
		struct match_waiting *waiting = &floating->waiting[i];
		const struct tr_block *block = tr_match_waiting_block(match, waiting);
		struct jit_note made;
		if (!block ||
		    !begin_note(match, jit, space->id, waiting->block, block, &made) ||
		    made.is_lost) {
			floating->waiting[kept++] = *waiting;
			continue;
		}
		struct jit_note *note = make_note(match, space->id, waiting->block);
		const struct tr_candidate place = place_of_note(match->jits, &made);
		tr_match_settle_waiting(match, space, waiting, &place);
		if (note)
			*note = made;
	}
	floating->nwaiting = kept;
	tr_guess_recount(floating);
}

bool tr_jits_decide(struct tr_match *match, struct match_space *space, uint32_t pair,
		    const struct tr_block *block, bool is_unknown)
{
	struct match_jits *jits = match->jits;
	const uint32_t id = match->pairs[pair].block;
	for (size_t i = 0; jits && i < jits->count; i++) {
		struct match_jit *jit = &jits->jits[i];
		struct jit_note made;
		if (!may_ask(jits, jit, space, block, is_unknown))
			continue;
		if (!jit->space) {
			jit->space = space->id;
			settle_waiting_blocks(match, space, jit);
		}
		if (!begin_note(match, jit, space->id, id, block, &made))
			continue;
		struct jit_note *note = make_note(match, space->id, id);
		if (!note)
			return true;
		*note = made;
		write_note(match, match->newest, note);
		match->pairs[pair].state = made.is_lost ? PAIR_AMBIGUOUS : PAIR_MATCHED;
		match->report.jit_doubts += made.in_doubt;
		return true;
	}
	return false;
}

bool tr_jits_again(struct tr_match *match, const struct match_space *space, uint32_t pair,
		   const struct tr_block *block)
{
	struct match_jits *jits = match->jits;
	struct jit_note *note = find_note(jits, space->id, match->pairs[pair].block);
	if (!note || !note->is_stale)
		return true;
	struct jit_note now = *note;
	const bool is_there = decide_by_map(match, &jits->jits[note->jit], block, &now);
	now.is_lost |= !is_there;
	now.is_stale = now.is_shared = false;
	note = find_note(jits, space->id, match->pairs[pair].block);
	const bool is_same = !now.is_lost && strcmp(piece_of_note(jits, &now)->name,
						    piece_of_note(jits, note)->name) == 0;
	if (!is_same && note->frame == match->frames) {
		/* It had the note's name in this frame, and has another one in the next.
		 */
		if (note->is_lost || (!now.is_lost && note->in_doubt))
			return false;
		note->is_lost = now.is_lost;
		note->in_doubt = note->is_shared = !now.is_lost;
		match->report.jit_doubts += note->in_doubt;
		write_note(match, match->newest, note);
		match->pairs[pair].state = note->is_lost ? PAIR_AMBIGUOUS : PAIR_MATCHED;
		return false;
	}
	now.frame = match->frames;
	*note = now;
	write_note(match, match->newest, note);
	match->pairs[pair].state = now.is_lost ? PAIR_AMBIGUOUS : PAIR_MATCHED;
	return true;
}
