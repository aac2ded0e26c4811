/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether encodings of C.FSDSP are those of Zcmp and Zcmt, if neither the
 * header nor the file tells: what they did in a frame shows it. */
#include "unwind/unwind_isa.h"

#include <stdlib.h>

#include "base/little.h"
#include "stream/decode.h"
#include "stream/isa.h"
#include "stream/reader.h"

/* Executions that are few among others, and that are enough to rely on. */
enum { FEW = 8, ENOUGH = 64 };

/* The instructions of a block that may be of Zcmp or Zcmt. */
struct suspects {
	bool is_known;
	uint8_t last;	   /* enum tr_zcm of the block's last instruction */
	uint16_t going_on; /* others that would have transferred control */
};

struct tr_isa {
	const struct tr_unwind_source *source;
	struct unwind_status *status;
	uint32_t nbinaries, nblocks;
	bool has_traps;
	unsigned isa;	 /* of all code of files that do not have it */
	uint64_t looked; /* the number after that of the last frame that was looked at */
	const struct tr_frame *frame; /* that is being processed */
};

struct look {
	const struct tr_unwind_source *source;
	struct suspects *blocks;
	uint64_t elsewhere, going_on; /* executions, by what ran after them */
	bool writes_sp;
};

static const struct suspects *suspects_of(struct look *l, uint32_t id)
{
	struct suspects *s = &l->blocks[id];
	if (s->is_known)
		return s;
	const struct tr_block *block = l->source->block(l->source->user, id);
	const uint8_t *code = block->code;
	*s = (struct suspects){.is_known = true};
	for (unsigned i = 0; i < block->tokens && !block->no_bits; i++) {
		const unsigned length = tr_insn_length(tr_load16(code));
		s->going_on += tr_zcm_transfers(s->last);
		s->last = (uint8_t)tr_decode_zcm(code, length);
		code += length;
	}
	return s;
}

static bool moves_sp(enum tr_zcm zcm)
{
	return zcm == TR_ZCM_PUSH || zcm == TR_ZCM_POP || zcm == TR_ZCM_POPRET;
}

/* Passes the events after row `i`, of which *next is the first. Returns true if control
 * went on from its last instruction with none of them as the reason. */
static bool pass_events_after_row(struct look *l, const struct tr_hart_frame *part,
				  uint32_t i, uint32_t *next, enum tr_zcm last)
{
	bool goes_on = true;
	for (; *next < part->nevents && part->events[*next].row <= i + 1; ++*next) {
		const struct tr_event *event = &part->events[*next];
		if (event->row <= i || event->token)
			continue;
		l->writes_sp |= goes_on && moves_sp(last) && event->kind == TR_EV_REG &&
				event->u.reg.reg == TR_REG_SP;
		goes_on &= event->kind != TR_EV_TRAP && event->kind != TR_EV_GAP &&
			   event->kind != TR_EV_TRIGGER;
	}
	return goes_on;
}

/* Considers the instructions of row `i`. */
static void weigh_row_suspects(struct look *l, const struct tr_hart_frame *part,
			       uint32_t i, uint32_t *next)
{
	const struct tr_unwind_source *source = l->source;
	const struct suspects *s = suspects_of(l, part->rows[i].block);
	const bool goes_on = pass_events_after_row(l, part, i, next, s->last);
	l->going_on += s->going_on;
	if (!goes_on || i + 1 == part->nrows || !tr_zcm_transfers(s->last))
		return;
	const struct tr_block *from = source->block(source->user, part->rows[i].block);
	const struct tr_block *to = source->block(source->user, part->rows[i + 1].block);
	if (to->pc == from->pc + from->bytes)
		l->going_on++;
	else
		l->elsewhere++;
}

/* Returns the flag that the frame shows, 0 if it does not. A few go elsewhere from
 * C.FSDSP, in a damaged trace or by traps that are not reported; a few go on from cm.jt,
 * to the next function. */
static unsigned shown_by(const struct look *l, bool has_traps)
{
	const uint64_t few = has_traps ? l->going_on / FEW : l->going_on;
	if (l->writes_sp || l->elsewhere > few)
		return TR_ISA_ZCMP;
	return l->going_on >= ENOUGH && l->elsewhere <= l->going_on / FEW ? TR_ISA_ZCD
									  : 0;
}

struct tr_isa *tr_isa_new(const struct tr_unwind_source *source,
			  const struct tr_unwind_options *options,
			  struct unwind_status *status)
{
	struct tr_isa *isa = calloc(1, sizeof(*isa));
	if (!isa)
		return NULL;
	isa->source = source;
	isa->status = status;
	isa->nbinaries = options->nprograms;
	isa->has_traps = options->has_traps;
	isa->isa = options->isa ? options->isa : options->xlen;
	return isa;
}

void tr_isa_free(struct tr_isa *isa)
{
	free(isa);
}

void tr_isa_frame(struct tr_isa *isa, const struct tr_frame *frame, uint32_t nblocks)
{
	isa->frame = frame;
	isa->nblocks = nblocks;
}

bool tr_isa_look(struct tr_isa *isa)
{
	const struct tr_frame *frame = isa->frame;
	struct look l = {.source = isa->source};
	if (isa->looked > frame->number)
		return false;
	isa->looked = frame->number + 1;
	l.blocks = calloc(isa->nblocks, sizeof(*l.blocks));
	if (!l.blocks) {
		unwind_fail(isa->status, TR_E_NOMEM);
		return false;
	}
	for (uint32_t h = 0; h < frame->nharts; h++)
		for (uint32_t i = 0, next = 0; i < frame->harts[h].nrows; i++)
			weigh_row_suspects(&l, &frame->harts[h], i, &next);
	free(l.blocks);
	isa->isa |= shown_by(&l, isa->has_traps);
	return tr_isa_tells_zcm(isa->isa);
}

unsigned tr_isa_of(const struct tr_isa *isa, uint32_t binary)
{
	unsigned own = 0;
	if (isa->source->isa && binary < isa->nbinaries)
		own = isa->source->isa(isa->source->user, binary);
	return tr_isa_tells_zcm(own) ? own : isa->isa;
}
