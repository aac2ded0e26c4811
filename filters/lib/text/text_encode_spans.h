/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about counts by address: definitions, and what they refer to. */
#ifndef TR_TEXT_ENCODE_SPANS_H
#define TR_TEXT_ENCODE_SPANS_H

#include "stream/spans.h"
#include "text/text_encode.h"

/* All zero, except for the first two, is empty. */
struct text_spans {
	struct tr_text_source *source;
	struct tr_writer *writer;
	struct tr_span *spans;
	size_t nspans, span_room;
	uint32_t nscopes, nspots;
};

/* Take the line of a record, given the number of functions or nodes so far; they fail as
 * tr_line_fail() does. */
void tr_text_take_scope(struct text_spans *spans);
void tr_text_take_span(struct text_spans *spans, uint32_t nfuncs);
void tr_text_take_count(struct text_spans *spans, uint32_t nnodes);
void tr_text_take_branch(struct text_spans *spans);
/* Takes site=pSPAN+INDEX of a line. Returns the spot, or TR_NO_SPOT. */
uint32_t tr_text_take_site(struct text_spans *spans);

#endif
