/* SPDX-License-Identifier: Apache-2.0 */
/* Position of each hart while text is read. */
#include <inttypes.h>

#include "text/text_encode.h"

/* Returns the state of a hart; a new one begins in M-mode at cycle 0. */
static struct text_hart *find_text_hart(struct text_encoder *e, uint32_t number,
					bool *is_new)
{
	*is_new = false;
	for (unsigned i = 0; i < e->nharts; i++)
		if (e->harts[i].number == number)
			return &e->harts[i];
	if (e->nharts == TR_MAX_HARTS) {
		tr_line_fail(e->source, "more than %d harts", TR_MAX_HARTS);
		return &e->harts[0];
	}
	*is_new = true;
	e->harts[e->nharts] =
	    (struct text_hart){.number = number, .context.priv = TR_PRIV_M};
	return &e->harts[e->nharts++];
}

void tr_text_switch_hart(struct text_encoder *e, uint32_t number)
{
	bool is_new;
	e->hart = find_text_hart(e, number, &is_new);
}

struct text_hart *tr_text_hart(struct text_encoder *e)
{
	if (!e->hart)
		tr_text_switch_hart(e, 0);
	return e->hart;
}

static void check_value(struct text_encoder *e, const char *key, uint64_t is)
{
	uint64_t said = tr_line_u64(e->source, key, UINT64_MAX, is);
	if (said != is)
		tr_line_fail(e->source,
			     "%s is 0x%" PRIx64 " (%" PRIu64 ") here on hart %" PRIu32,
			     key, is, is, e->hart->number);
}

void tr_text_check_hart(struct text_encoder *e)
{
	const struct text_hart *hart = e->hart;
	const char *priv = tr_line_value(e->source, "priv");
	if (priv && tr_text_priv(e->source, priv) != hart->context.priv)
		tr_line_fail(e->source,
			     "priv is not %.60s here on hart %" PRIu32
			     ": trap, xret and priv lines change it",
			     priv, hart->number);
	check_value(e, "cycle", hart->cycle);
	check_value(e, "satp", hart->context.satp);
	check_value(e, "hgatp", hart->context.hgatp);
	check_value(e, "tp", hart->context.tp);
	check_value(e, "space", hart->context.space);
	tr_line_done(e->source);
}

static void begin_text_hart(struct text_encoder *e)
{
	struct text_hart *hart = e->hart;
	struct tr_context *context = &hart->context;
	const char *priv = tr_line_value(e->source, "priv");
	if (priv)
		context->priv = tr_text_priv(e->source, priv);
	hart->cycle = tr_line_u64(e->source, "cycle", TR_MAX_SUM, 0);
	context->satp = tr_line_u64(e->source, "satp", UINT64_MAX, 0);
	context->hgatp = tr_line_u64(e->source, "hgatp", UINT64_MAX, 0);
	context->tp = tr_line_u64(e->source, "tp", UINT64_MAX, 0);
	context->space = (uint32_t)tr_line_u64(e->source, "space", UINT32_MAX - 1, 0);
	if (tr_line_done(e->source) == TR_OK)
		tr_line_status(e->source, tr_writer_begin(e->writer, hart->number,
							  hart->cycle, context));
}

void tr_text_take_hart(struct text_encoder *e)
{
	bool is_new;
	const char *word = tr_line_want(e->source, "the number of the hart");
	uint64_t number = tr_line_number(e->source, word, "", UINT32_MAX - 1);
	e->hart = find_text_hart(e, (uint32_t)number, &is_new);
	if (is_new)
		begin_text_hart(e);
	else
		tr_text_check_hart(e);
}

void tr_text_add_cycles(struct text_encoder *e, uint64_t cycles, uint64_t times)
{
	struct text_hart *hart = tr_text_hart(e);
	if (times && cycles > (TR_MAX_SUM - hart->cycle) / times)
		tr_line_fail(e->source, "too many cycles");
	else
		hart->cycle += cycles * times;
}
