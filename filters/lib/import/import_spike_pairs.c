/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the lines of instructions and of commits. */
#include "import/import_spike_pairs.h"

#include <stdlib.h>

#include "import/import_commit.h"
#include "import/import_parse.h"
#include "stream/insn.h"
#include "stream/xlen.h"

enum { LOOK_LINES = 1000, WAITING = 64, RESET_PC = 0x1000 };

/* Tokens of a hart whose privilege is not yet known. */
struct waiting {
	struct import_token tokens[WAITING];
	unsigned count;
	uint8_t priv; /* of the last commit; IMPORT_PRIV_UNKNOWN */
};

struct spike_pairs {
	struct import_token last; /* of the line before */
	bool has_last;
	uint64_t counted; /* executions of the last line's instruction */
	struct waiting harts[TR_MAX_HARTS];
};

/* What a line reports of the simulator. */
enum clue { CLUE_NONE, CLUE_INSN, CLUE_COMMIT, CLUE_SPIKE, CLUE_CVA6 };

static enum clue clue_of(struct import_line l)
{
	uint64_t hart, pc;
	const size_t size = (size_t)(l.end - l.at);
	if (tr_import_is_commit(&l))
		return CLUE_COMMIT;
	if (memmem(l.at, size, "DASM(", 5) || memmem(l.at, size, "exception @ ", 12) ||
	    memmem(l.at, size, "INTERRUPT", 9))
		return CLUE_CVA6;
	if (!import_text(&l, "core"))
		return CLUE_NONE;
	import_blanks(&l);
	if (!import_hart(&l, &hart) || !import_text(&l, ": "))
		return CLUE_NONE;
	if (!import_0x(&l, &pc))
		return CLUE_SPIKE;
	return pc == RESET_PC ? CLUE_SPIKE : CLUE_INSN;
}

/* Two lines of instructions without a commit between are of Spike as well. */
bool tr_import_is_spike_pair(const struct import_line *line)
{
	struct import_line l = *line;
	enum clue last = CLUE_NONE;
	for (unsigned i = 0; i < LOOK_LINES; i++) {
		const enum clue clue = clue_of(l);
		if (clue == CLUE_SPIKE || clue == CLUE_CVA6)
			return clue == CLUE_SPIKE;
		if (clue == CLUE_INSN && last == CLUE_INSN)
			return true;
		last = clue;
		if (*l.end != '\n')
			return false;
		l.start = l.at = l.end + 1;
		l.end += 1 + strcspn(l.at, "\n");
	}
	return false;
}

struct spike_pairs *tr_spike_pairs_new(void)
{
	struct spike_pairs *pairs = calloc(1, sizeof(*pairs));
	for (unsigned i = 0; pairs && i < TR_MAX_HARTS; i++)
		pairs->harts[i].priv = IMPORT_PRIV_UNKNOWN;
	return pairs;
}

void tr_spike_pairs_free(struct spike_pairs *pairs)
{
	free(pairs);
}

/* Passes on the tokens that wait, of which the last commit tells the privilege. */
static void pass_waiting_tokens(struct tr_import *im, struct waiting *w)
{
	for (unsigned i = 0; i < w->count; i++) {
		w->tokens[i].priv = w->priv;
		tr_import_token(im, &w->tokens[i]);
	}
	w->count = 0;
}

/* The last line's instruction committed. */
static void commit_last_token(struct tr_import *im, struct spike_pairs *pairs)
{
	struct import_token *last = &pairs->last;
	struct waiting *w = &pairs->harts[last->hart];
	if (!pairs->has_last)
		return;
	pairs->has_last = false;
	pairs->counted++;
	if (w->count == WAITING)
		pass_waiting_tokens(im, w);
	const bool returns = last->bits == TR_INSN_MRET || last->bits == TR_INSN_SRET;
	w->tokens[w->count++] = *last;
	if (returns && w->priv == IMPORT_PRIV_UNKNOWN)
		w->priv = last->bits == TR_INSN_MRET ? TR_PRIV_M : TR_PRIV_S;
	if (w->priv == IMPORT_PRIV_UNKNOWN)
		return;
	pass_waiting_tokens(im, w);
	if (returns)
		w->priv = IMPORT_PRIV_UNKNOWN;
}

void tr_spike_pairs_insn(struct tr_import *im, struct spike_pairs *pairs,
			 const struct import_token *token)
{
	commit_last_token(im, pairs);
	pairs->last = *token;
	pairs->has_last = true;
	pairs->counted = 0;
}

bool tr_spike_pairs_commit(struct tr_import *im, struct spike_pairs *pairs,
			   struct import_line *line)
{
	struct import_token token = {.hart = pairs->last.hart};
	if (!tr_import_commit_token(im, line, &token))
		return false;
	if (pairs->has_last &&
	    tr_xlen_wrap(im->xlen, pairs->last.pc) != tr_xlen_wrap(im->xlen, token.pc))
		commit_last_token(im, pairs);
	pairs->harts[token.hart].priv = token.priv;
	pairs->last = token;
	pairs->has_last = true;
	commit_last_token(im, pairs);
	tr_import_commit_writes(im, token.hart, line);
	return true;
}

void tr_spike_pairs_trap(struct tr_import *im, struct spike_pairs *pairs, uint32_t hart,
			 bool is_interrupt, uint64_t epc)
{
	struct waiting *w = &pairs->harts[hart];
	if (pairs->has_last && pairs->last.hart == hart && !is_interrupt &&
	    tr_xlen_wrap(im->xlen, pairs->last.pc) == tr_xlen_wrap(im->xlen, epc))
		pairs->has_last = !++pairs->counted;
	commit_last_token(im, pairs);
	pass_waiting_tokens(im, w);
	w->priv = IMPORT_PRIV_UNKNOWN;
}

void tr_spike_pairs_repeat(struct tr_import *im, struct spike_pairs *pairs, uint32_t hart,
			   uint64_t count)
{
	struct waiting *w = &pairs->harts[hart];
	commit_last_token(im, pairs);
	uint64_t more = count > pairs->counted ? count - pairs->counted : 0;
	if (w->count && w->count + more <= WAITING)
		for (; more; more--, w->count++)
			w->tokens[w->count] = w->tokens[w->count - 1];
	if (!more || pairs->last.hart != hart)
		return;
	pass_waiting_tokens(im, w);
	pairs->last.priv = IMPORT_PRIV_UNKNOWN; /* as before */
	for (; more && !im->status && !im->sink->limited; more--)
		tr_import_token(im, &pairs->last);
}

void tr_spike_pairs_end(struct tr_import *im, struct spike_pairs *pairs)
{
	commit_last_token(im, pairs);
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		pass_waiting_tokens(im, &pairs->harts[i]);
}
