/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the definitions of one binary: functions, places, and the code of each. It
 * runs in a child process; the answer is text and numbers, which the parent checks. */
#include "probe/probe_compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "probe/probe_answer.h"

/* --- functions and places */

static const char *symbol_of(const struct tr_query_function *function, const char *name)
{
	return function->symbol ? function->symbol : name;
}

/* Removes functions of other files, and parts of functions, which are no entries. */
static size_t keep_wanted(const struct probe_function *wanted, struct tr_buffer *list,
			  bool *parts)
{
	struct tr_query_function *function =
	    (struct tr_query_function *)(void *)list->data;
	size_t count = list->size / sizeof(*function), kept = 0;
	const char *slash = wanted->file ? strrchr(wanted->file, '/') : NULL;
	const char *file = slash ? slash + 1 : wanted->file;
	for (size_t i = 0; i < count; i++) {
		const char *symbol = symbol_of(&function[i], "");
		bool part = strcmp(symbol, wanted->name) != 0 &&
			    (strstr(symbol, ".part.") || strstr(symbol, ".cold"));
		*parts |= part;
		if (part ||
		    (file && (!function[i].file || strcmp(file, function[i].file) != 0)))
			continue;
		function[kept++] = function[i];
	}
	list->size = kept * sizeof(*function);
	return kept;
}

/* Fails if functions of one name are declared at different places. */
static void check_same_place(struct answer *answer,
			     const struct probe_definition *definition,
			     const struct probe_function *wanted,
			     const struct tr_buffer *list)
{
	const struct tr_query_function *function =
	    (const struct tr_query_function *)(const void *)list->data;
	size_t count = list->size / sizeof(*function);
	char places[256] = "";
	size_t used = 0;
	bool differ = false, same_file = true;
	for (size_t i = 0; i < count; i++) {
		bool seen = false;
		same_file &= function[i].file && function[0].file &&
			     strcmp(function[i].file, function[0].file) == 0;
		for (size_t k = 0; k < i; k++)
			seen |= function[k].place == function[i].place;
		differ |= function[i].place != function[0].place;
		if (!seen && used + 60 < sizeof(places))
			used += (size_t)snprintf(
			    places + used, sizeof(places) - used, "%s%.40s:%" PRIu32,
			    used ? ", " : "", function[i].file ? function[i].file : "?",
			    function[i].line);
	}
	if (differ && same_file && function[0].symbol)
		tr_answer_fail(answer, definition,
			       "several functions are called %s (%s): choose one by its "
			       "symbol, as in %.100s",
			       wanted->name, places, function[0].symbol);
	else if (differ)
		tr_answer_fail(answer, definition,
			       "several functions are called %s (%s): choose one, as in "
			       "%s@%s",
			       wanted->name, places, wanted->name,
			       function[0].file ? function[0].file : "file.c");
}

static void note_function(struct answer *answer,
			  const struct probe_definition *definition,
			  const struct tr_query_function *function, const char *name)
{
	if (function->is_clone)
		tr_answer_note(
		    answer,
		    "%s: %s is a copy of %s in which the compiler may have changed the "
		    "parameters",
		    definition->name, symbol_of(function, name), name);
	if (function->inlined_too && definition->kind != TR_PROBE_PLACE)
		tr_answer_note(answer, "%s: calls of %s that were inlined are not seen",
			       definition->name, name);
}

static void add_line_places(struct making *making,
			    const struct tr_query_function *function)
{
	const struct probe_definition *definition = making->definition;
	struct tr_buffer addresses = {0};
	uint32_t below = 0, above = 0;
	char near[64] = "";
	size_t count =
	    tr_query_line(making->answer->query, function->die, definition->at_file,
			  definition->at_line, &addresses, &below, &above);
	const uint64_t *list = (const uint64_t *)(const void *)addresses.data;
	for (size_t i = 0; i < count && !making->answer->failed; i++)
		tr_answer_place(making, function, list[i]);
	if (below && above)
		snprintf(near, sizeof(near), " (near: %" PRIu32 ", %" PRIu32 ")", below,
			 above);
	else if (below || above)
		snprintf(near, sizeof(near), " (near: %" PRIu32 ")",
			 below ? below : above);
	if (count == 0 && tr_query_has_btf(making->answer->query))
		tr_answer_fail(making->answer, definition,
			       "line %s:%" PRIu32 ": BTF has no lines, only DWARF has",
			       definition->at_file, definition->at_line);
	else if (count == 0)
		tr_answer_fail(making->answer, definition,
			       "no code of line %s:%" PRIu32 " in the function%s",
			       definition->at_file, definition->at_line, near);
	tr_buffer_free(&addresses);
}

static void add_offset(struct making *making, const struct tr_query_function *function,
		       size_t count)
{
	const struct probe_definition *definition = making->definition;
	uint64_t address = function->entry + definition->offset;
	if (count > 1)
		tr_answer_fail(making->answer, definition,
			       "an offset in a function that has %zu copies", count);
	else if (address & 1 ||
		 (function->die &&
		  !tr_query_has_code(making->answer->query, function->die, address)))
		tr_answer_fail(
		    making->answer, definition,
		    "no instruction of the function is at its offset 0x%" PRIx64,
		    definition->offset);
	else
		tr_answer_place(making, function, address);
}

static void add_definition_places(struct making *making,
				  const struct probe_function *wanted,
				  const struct tr_buffer *list)
{
	const struct probe_definition *definition = making->definition;
	const struct tr_query_function *function =
	    (const struct tr_query_function *)(const void *)list->data;
	size_t count = list->size / sizeof(*function);
	check_same_place(making->answer, definition, wanted, list);
	for (size_t i = 0; i < count && !making->answer->failed; i++) {
		note_function(making->answer, definition, &function[i], wanted->name);
		if (definition->at_file && !function[i].die)
			tr_answer_fail(making->answer, definition,
				       "the debug information does not tell the lines "
				       "of %s",
				       wanted->name);
		else if (definition->at_file)
			add_line_places(making, &function[i]);
		else if (definition->has_offset)
			add_offset(making, &function[i], count);
		else
			tr_answer_place(making, &function[i], function[i].entry);
	}
}

/* --- an expression at an address */

static void add_address(struct making *making)
{
	struct tr_query_function function;
	uint64_t address = making->definition->offset;
	bool known = tr_query_function_at(making->answer->query, address, &function);
	struct answer *answer = making->answer;
	answer->is_whole = !making->definition->is_parts &&
			   tr_answer_shape(answer, making->definition,
					   known ? &function : NULL, address);
	if (!answer->is_whole)
		tr_answer_place(making, known ? &function : NULL, address);
}

/* --- answers */

static size_t shown_fields(const struct probe_definition *definition)
{
	size_t count = 0;
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next)
		count += field->name[0] != '$';
	return count;
}

/* A value that no place has is an error; one that some have is a remark. */
static void judge_dropped(struct making *making)
{
	struct answer *answer = making->answer;
	for (size_t i = 0; i < making->ncolumns && !answer->failed; i++) {
		struct column *column = &making->columns[i];
		if (making->definition->is_parts) {
			if (column->known == 0)
				tr_answer_no_column(&column->bytes);
			continue;
		}
		if (column->dropped && column->known == 0) {
			memcpy(answer->message, column->message, sizeof(answer->message));
			answer->failed = true;
		} else if (column->dropped) {
			tr_answer_note(answer,
				       "%.400s (at %" PRIu32 " of %" PRIu32 " place%s)",
				       column->message, column->dropped, making->nplaces,
				       tr_plural(making->nplaces));
		}
	}
}

static void put_definition(struct making *making, uint32_t number)
{
	struct tr_buffer *out = &making->answer->definitions;
	tr_answer_put32(out, number);
	tr_answer_put32(out, making->ncolumns - 1);
	for (size_t i = 1; i < making->ncolumns; i++) {
		tr_buffer_add(out, making->columns[i].bytes.data,
			      making->columns[i].bytes.size);
		out->failed |= making->columns[i].bytes.failed;
	}
	tr_answer_put32(out, making->nplaces);
	tr_buffer_add(out, making->places.data, making->places.size);
	out->failed |= making->places.failed;
	making->answer->ndefinitions++;
}

/* Makes a definition from functions, or, without them, from its address. */
static void make_definition(struct answer *answer,
			    const struct probe_definition *definition, uint32_t number,
			    const struct probe_function *wanted,
			    const struct tr_buffer *list)
{
	struct making making = {.answer = answer,
				.definition = definition,
				.ncolumns = shown_fields(definition) + 1};
	making.columns = calloc(making.ncolumns, sizeof(*making.columns));
	if (!making.columns) {
		answer->definitions.failed = true;
		return;
	}
	if (wanted)
		add_definition_places(&making, wanted, list);
	else if (definition->kind == TR_PROBE_MASKED)
		tr_answer_place(&making, NULL, 0);
	else
		add_address(&making);
	judge_dropped(&making);
	if (!answer->failed)
		put_definition(&making, number);
	for (size_t i = 0; i < making.ncolumns; i++)
		tr_buffer_free(&making.columns[i].bytes);
	tr_buffer_free(&making.places);
	free(making.columns);
}

/* Tells why none of the alternatives is there. */
static void fail_unknown(struct answer *answer, const struct probe_definition *definition,
			 bool inlined, bool parts, bool elsewhere)
{
	const char *name = definition->functions->name;
	struct tr_near near;
	if (elsewhere && tr_query_has_btf(answer->query)) {
		tr_answer_fail(answer, definition,
			       "%s@%s: BTF has no files, only DWARF has", name,
			       definition->functions->file);
	} else if (elsewhere) {
		tr_answer_fail(answer, definition, "%s is not declared in a file %s",
			       name, definition->functions->file);
	} else if (parts) {
		tr_answer_fail(answer, definition,
			       "%s: only a part of the function is out of line", name);
	} else if (inlined) {
		tr_answer_fail(answer, definition,
			       "%s was inlined into all its callers and has no code of "
			       "its own: probe a caller, or a line",
			       name);
	} else {
		tr_near_init(&near, name);
		tr_query_near_functions(answer->query, &near);
		tr_answer_fail(answer, definition, "no function %s in %s%s", name,
			       answer->job->binary, tr_compile_near(&near));
	}
}

/* Returns false if no alternative is there, and `last` tells to fail then. */
static bool try_definition(struct answer *answer,
			   const struct probe_definition *definition, uint32_t number,
			   bool last)
{
	struct tr_buffer list = {0};
	bool any_inlined = false, parts = false, found = false, elsewhere = false;
	if (definition->is_address || definition->kind == TR_PROBE_MASKED) {
		make_definition(answer, definition, number, NULL, NULL);
		return true;
	}
	for (const struct probe_function *wanted = definition->functions;
	     wanted && !found; wanted = wanted->next) {
		bool inlined = false;
		tr_query_functions(answer->query, wanted->name, &list, &inlined);
		any_inlined |= inlined;
		bool any = list.size != 0;
		found = keep_wanted(wanted, &list, &parts) > 0;
		elsewhere |= any && !parts && wanted == definition->functions;
		if (found)
			make_definition(answer, definition, number, wanted, &list);
	}
	if (!found && last)
		fail_unknown(answer, definition, any_inlined, parts, elsewhere);
	tr_buffer_free(&list);
	return found;
}

static bool is_same_probe(const struct probe_definition *a,
			  const struct probe_definition *b)
{
	return a->probe == b->probe && strcmp(a->binary, b->binary) == 0;
}

/* Returns the next alternative of a definition, or NULL. */
static const struct probe_definition *
next_alternative(const struct probe_definition *definition, uint32_t *number)
{
	const struct probe_definition *next = definition->next;
	for (++*number; next && !is_same_probe(next, definition); next = next->next)
		++*number;
	return next && !next->is_also ? next : NULL;
}

/* Tells the parent that an optional definition has no place, and why. */
static void put_absence(struct answer *answer, uint32_t number)
{
	tr_answer_put32(&answer->absences, number);
	tr_answer_put_text(&answer->absences, answer->message);
	answer->nabsences++;
	answer->failed = false;
}

/* Compiles the first of some alternatives whose function is there. An optional one for
 * which the kernel lacks anything else is not there either. */
static void compile_alternatives(struct answer *answer,
				 const struct probe_definition *definition,
				 uint32_t number)
{
	const bool is_any = strcmp(definition->binary, PROBE_ANY) == 0;
	while (definition) {
		uint32_t n = number;
		const struct probe_definition *next = next_alternative(definition, &n);
		const bool found =
		    try_definition(answer, definition, number, !next && !is_any);
		if (found && !answer->failed)
			return;
		if (answer->failed && !definition->is_optional)
			return;
		if (answer->failed && !next)
			put_absence(answer, number);
		answer->failed = false;
		definition = next;
		number = n;
	}
}

/* Compiles the definitions of the binary. */
static void compile_all(struct answer *answer)
{
	const struct probe_definition *first = answer->job->definitions;
	uint32_t number = 0;
	for (const struct probe_definition *one = first; one && !answer->failed;
	     one = one->next, number++) {
		const struct probe_definition *other = first;
		while (other != one && !is_same_probe(other, one))
			other = other->next;
		if (probe_is_of(one, answer->job->binary) &&
		    (other == one || one->is_also))
			compile_alternatives(answer, one, number);
	}
}

static void put_symbols(const struct answer *answer, struct tr_buffer *out)
{
	struct tr_buffer list = {0};
	const size_t count =
	    answer->has_symbols ? tr_query_labels(answer->query, &list) : 0;
	const struct tr_query_label *labels =
	    (const struct tr_query_label *)(const void *)list.data;
	tr_answer_put32(out, count);
	for (size_t i = 0; i < count; i++) {
		tr_buffer_add64(out, labels[i].address);
		tr_buffer_add64(out, labels[i].end);
		tr_answer_put_text(out, labels[i].name);
	}
	out->failed |= list.failed;
	tr_buffer_free(&list);
}

static void put_answer(const struct answer *answer, struct tr_buffer *out)
{
	tr_answer_put32(out, tr_query_xlen(answer->query));
	tr_answer_put32(out, answer->texts.size);
	tr_buffer_add(out, answer->texts.data, answer->texts.size);
	put_symbols(answer, out);
	tr_answer_put32(out, answer->nnotes);
	tr_buffer_add(out, answer->notes.data, answer->notes.size);
	tr_answer_put32(out, answer->ndefinitions);
	tr_buffer_add(out, answer->definitions.data, answer->definitions.size);
	tr_answer_put32(out, answer->nabsences);
	tr_buffer_add(out, answer->absences.data, answer->absences.size);
	out->failed |= answer->texts.failed || answer->notes.failed ||
		       answer->definitions.failed || answer->absences.failed;
}

void tr_probe_compile(struct tr_query *query, void *context, struct tr_buffer *out)
{
	struct answer answer = {.query = query, .job = context};
	if (tr_query_has_btf(query))
		tr_answer_note(&answer,
			       "%s has BTF, but no DWARF: calls that were "
			       "inlined are not seen",
			       answer.job->binary);
	compile_all(&answer);
	uint8_t kind = answer.failed	 ? PROBE_ANSWER_FAILED
		       : answer.is_whole ? PROBE_ANSWER_WHOLE
					 : PROBE_ANSWER_GOOD;
	tr_buffer_add(out, &kind, 1);
	if (kind == PROBE_ANSWER_FAILED)
		tr_answer_put_text(out, answer.message);
	else if (kind == PROBE_ANSWER_GOOD)
		put_answer(&answer, out);
	else if (!answer.parts.failed && !answer.shape.failed) {
		tr_answer_put_text(out, (const char *)answer.parts.data);
		tr_answer_put_text(out, (const char *)answer.shape.data);
	}
	out->failed |= answer.parts.failed || answer.shape.failed;
	tr_buffer_free(&answer.parts);
	tr_buffer_free(&answer.shape);
	tr_buffer_free(&answer.texts);
	tr_buffer_free(&answer.notes);
	tr_buffer_free(&answer.definitions);
	tr_buffer_free(&answer.absences);
}
