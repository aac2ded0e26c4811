/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes lines about counts by address. */
#include "text/text_encode_spans.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t take_id_value(struct tr_text_source *source, const char *key,
			      const char *prefix, uint32_t limit)
{
	const char *text = tr_line_value(source, key);
	if (!text) {
		tr_line_fail(source, "%s= is missing", key);
		return 0;
	}
	uint64_t id = tr_line_number(source, text, prefix, UINT32_MAX - 1);
	if (id >= limit)
		tr_line_fail(source, "no %.60s so far", text);
	return (uint32_t)id;
}

static const char *take_name_value(struct tr_text_source *source, const char *key)
{
	const char *text = tr_line_value(source, key);
	if (text && !tr_name_good(text))
		tr_line_fail(source, "a control character or a semicolon in a name");
	return text ? text : "";
}

static void take_own(struct tr_text_source *source, const char *prefix, uint32_t next)
{
	const char *word = tr_line_want(source, "the number");
	if (tr_line_number(source, word, prefix, UINT32_MAX - 1) != next)
		tr_line_fail(source, "%.60s where %s%" PRIu32 " is next", word, prefix,
			     next);
}

/* Reads a number at *text, up to one of `ends` or the end of the text. */
static uint32_t take_number_part(struct tr_text_source *source, const char **text,
				 const char *ends)
{
	char *end;
	unsigned long value = strtoul(*text, &end, 10);
	if (**text < '0' || **text > '9' || value >= UINT32_MAX ||
	    (*end && !strchr(ends, *end))) {
		tr_line_fail(source, "not a number: \"%.60s\"", *text);
		*text = "";
		return 0;
	}
	*text = *end ? end + 1 : end;
	return (uint32_t)value;
}

void tr_text_take_scope(struct text_spans *s)
{
	struct tr_text_source *source = s->source;
	struct tr_scope scope = {0};
	take_own(source, "o", s->nscopes + 1);
	const char *call = tr_line_value(source, "call");
	if (call) {
		scope.around = take_id_value(source, "around", "o", s->nscopes + 1);
		scope.call_line = take_number_part(source, &call, ".");
		scope.call_discriminator = take_number_part(source, &call, "");
	}
	scope.line = (uint32_t)tr_line_u64(source, "line", UINT32_MAX - 1, 0);
	scope.name = take_name_value(source, "name");
	scope.linkage = take_name_value(source, "linkage");
	scope.file = take_name_value(source, "file");
	if (tr_line_done(source))
		return;
	tr_line_status(source, tr_writer_scope(s->writer, &scope));
	s->nscopes++;
}

/* Parses "@SCOPE:LINE.DISCRIMINATOR/444@…/2" into spots. Returns their number. */
static uint32_t take_code_spots(struct text_spans *s, const char *text,
				struct tr_spot *spots)
{
	struct tr_spot spot = {0};
	uint32_t count = 0;
	while (*text && count < TR_BLOCK_MAX_TOKENS && !s->source->status) {
		if (*text == '@') {
			text++;
			spot.scope = take_number_part(s->source, &text, ":");
			spot.line = take_number_part(s->source, &text, ".");
			spot.discriminator = take_number_part(s->source, &text, "/");
			continue;
		}
		spot.bytes = (uint8_t)(*text++ - '0');
		spots[count++] = spot;
	}
	if (*text)
		tr_line_fail(s->source, "too many instructions");
	return count;
}

void tr_text_take_span(struct text_spans *s, uint32_t nfuncs)
{
	struct tr_text_source *source = s->source;
	struct tr_spot spots[TR_BLOCK_MAX_TOKENS];
	struct tr_span span = {.first = s->nspots};
	take_own(source, "p", (uint32_t)s->nspans);
	span.func = take_id_value(source, "func", "f", nfuncs);
	span.binary = (uint32_t)tr_line_u64(source, "binary", UINT32_MAX - 1, 0);
	span.address = tr_line_address(source, tr_line_value(source, "address"));
	const char *code = tr_line_value(source, "code");
	span.count = take_code_spots(s, code ? code : "", spots);
	if (tr_line_done(source))
		return;
	if (!tr_grow(&s->spans, &s->span_room, s->nspans + 1, sizeof(*s->spans))) {
		tr_line_status(source, TR_E_NOMEM);
		return;
	}
	int status = tr_writer_span(s->writer, &span, spots);
	if (status == TR_E_ARGUMENT)
		tr_line_fail(source, "no such instructions, or scopes");
	tr_line_status(source, status);
	s->spans[s->nspans++] = span;
	s->nspots += span.count;
}

/* Parses "pSPAN+INDEX". Returns the spot. */
static uint32_t spot_of(struct text_spans *s, const char *text)
{
	const char *plus = strchr(text, '+');
	if (*text != 'p' || !plus) {
		tr_line_fail(s->source, "no instruction of a span: \"%.60s\"", text);
		return 0;
	}
	const char *number = text + 1;
	uint32_t span = take_number_part(s->source, &number, "+");
	uint32_t index = take_number_part(s->source, &number, "");
	if (span < s->nspans && index < s->spans[span].count)
		return s->spans[span].first + index;
	tr_line_fail(s->source, "no %.60s so far", text);
	return 0;
}

uint32_t tr_text_take_site(struct text_spans *s)
{
	const char *text = tr_line_value(s->source, "site");
	return text ? spot_of(s, text) : TR_NO_SPOT;
}

/* Parses "INDEX*CYCLES,…". Returns the number of stalls. */
static uint32_t take_stall_list(struct text_spans *s, const struct tr_span_count *count,
				struct tr_span_stall *stalls)
{
	const char *text = tr_line_value(s->source, "cycles");
	uint32_t n = 0, next = 0;
	const uint32_t room = count->span < s->nspans ? s->spans[count->span].count : 0;
	while (text && *text && !s->source->status) {
		uint32_t index = take_number_part(s->source, &text, "*");
		char *end;
		uint64_t cycles = strtoull(text, &end, 10);
		if (index < next || index >= room || end == text || cycles > TR_MAX_SUM ||
		    (*end && *end != ',')) {
			tr_line_fail(s->source, "bad cycles: \"%.60s\"", text);
			break;
		}
		text = *end ? end + 1 : end;
		stalls[n++] = (struct tr_span_stall){.cycles = cycles - count->executions,
						     .index = index};
		next = index + 1;
	}
	return n;
}

void tr_text_take_count(struct text_spans *s, uint32_t nnodes)
{
	struct tr_text_source *source = s->source;
	struct tr_span_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_span_count count = {0};
	uint64_t node =
	    tr_line_number(source, tr_line_want(source, "the node"), "n", UINT32_MAX - 1);
	uint64_t span =
	    tr_line_number(source, tr_line_want(source, "the span"), "p", UINT32_MAX - 1);
	if (!node || node >= nnodes || span >= s->nspans)
		tr_line_fail(source, "no such node or span so far");
	count.node = (uint32_t)node;
	count.span = (uint32_t)span;
	count.executions = tr_line_u64(source, "executions", TR_MAX_SUM, 0);
	if (!count.executions)
		tr_line_fail(source, "executions= is missing, or 0");
	count.nstalls = take_stall_list(s, &count, stalls);
	if (!tr_line_done(source))
		tr_line_status(source, tr_writer_count(s->writer, &count, stalls));
}

void tr_text_take_branch(struct text_spans *s)
{
	struct tr_text_source *source = s->source;
	const char *from = tr_line_value(source, "from");
	const char *to = tr_line_value(source, "to");
	struct tr_branch branch = {.count = tr_line_u64(source, "count", TR_MAX_SUM, 0)};
	branch.from = spot_of(s, from ? from : "");
	branch.to = spot_of(s, to ? to : "");
	if (!branch.count)
		tr_line_fail(source, "count= is missing, or 0");
	if (!tr_line_done(source))
		tr_line_status(source, tr_writer_branch(s->writer, &branch));
}
