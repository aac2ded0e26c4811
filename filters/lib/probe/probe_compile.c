/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the definitions of one binary: functions, places, and the code of each. It runs
 * in a child process; the answer is text and numbers, which the parent checks. */
#include "probe/probe_compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"

enum { CODE_MAX = 4096 }; /* instructions of one value */

/* --- helpers of all parts */

__attribute__((format(printf, 3, 0))) static void
fail(struct compiler *compiler, const struct probe_node *node, const char *format,
     va_list args)
{
	const struct probe_definition *definition = compiler->definition;
	if (compiler->failed)
		return;
	compiler->failed = true;
	int used = snprintf(compiler->message, PROBE_MESSAGE,
			    "%.200s: line %u, column %u: ", definition->source,
			    node ? node->line : definition->line,
			    node ? node->column : definition->column);
	vsnprintf(compiler->message + used, PROBE_MESSAGE - (size_t)used, format, args);
}

void compile_fail(struct compiler *compiler, const struct probe_node *node,
		  const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fail(compiler, node, format, args);
	va_end(args);
}

void compile_drop(struct compiler *compiler, const struct probe_node *node,
		  const char *format, ...)
{
	va_list args;
	if (!compiler->failed)
		compiler->is_unavailable = true;
	va_start(args, format);
	fail(compiler, node, format, args);
	va_end(args);
}

const char *compile_near(const struct tr_near *near)
{
	static char text[OFFERS + 32];
	char names[OFFERS];
	tr_near_text(near, names, sizeof(names));
	snprintf(text, sizeof(text), *names ? " (near: %s)" : "%s", names);
	return text;
}

void compile_emit(struct compiler *compiler, const struct probe_insn *insn)
{
	if (compiler->failed)
		return;
	if (compiler->code.size >= CODE_MAX * sizeof(*insn))
		compile_fail(compiler, NULL, "an expression too long");
	tr_buffer_add(&compiler->code, insn, sizeof(*insn));
	compiler->failed |= compiler->code.failed;
}

void compile_op(struct compiler *compiler, enum probe_op op)
{
	compile_emit(compiler, &(struct probe_insn){.op = (uint8_t)op});
}

void compile_number(struct compiler *compiler, uint64_t number)
{
	compile_emit(compiler, &(struct probe_insn){.op = OP_NUMBER, .operand = number});
}

void compile_extend(struct compiler *compiler, uint64_t size, bool is_signed)
{
	if (size < 8)
		compile_emit(compiler, &(struct probe_insn){.op = OP_EXTEND,
							    .size = (uint8_t)size,
							    .is_signed = is_signed});
}

struct probe_insn *compile_keep(struct compiler *compiler, const struct probe_insn *insns,
				uint32_t count)
{
	struct probe_insn *copy =
	    tr_arena_take(&compiler->arena, (count + 1) * sizeof(*insns));
	if (copy)
		memcpy(copy, insns, count * sizeof(*insns));
	else
		compile_fail(compiler, NULL, "out of memory");
	return copy;
}

/* --- the answer */

static void put32(struct tr_buffer *out, uint64_t value)
{
	uint8_t bytes[4];
	tr_store32(bytes, (uint32_t)value);
	tr_buffer_add(out, bytes, sizeof(bytes));
}

static void put64(struct tr_buffer *out, uint64_t value)
{
	uint8_t bytes[8];
	tr_store64(bytes, value);
	tr_buffer_add(out, bytes, sizeof(bytes));
}

static void put_text(struct tr_buffer *out, const char *text)
{
	put32(out, strlen(text));
	tr_buffer_add(out, text, strlen(text));
}

static void put_code(struct tr_buffer *out, const struct probe_insn *insns, size_t count)
{
	put32(out, count);
	for (size_t i = 0; i < count; i++)
		probe_put(out, &insns[i]);
}

/* --- a definition */

/* What is written of a binary. */
struct answer {
	struct tr_query *query;
	const struct probe_job *job;
	struct tr_buffer texts, notes, definitions;
	uint32_t nnotes, ndefinitions;
	char message[PROBE_MESSAGE];
	bool failed;
};

/* The filter or a field over all places of a definition. */
struct column {
	struct tr_buffer bytes; /* its type */
	uint32_t known, dropped;
	char message[PROBE_MESSAGE]; /* of the first place where it was dropped */
};

/* A definition that is being compiled. */
struct making {
	struct answer *answer;
	const struct probe_definition *definition;
	struct column *columns; /* 0: the filter; then the fields that are shown */
	size_t ncolumns;
	struct tr_buffer places;
	uint32_t nplaces;
};

__attribute__((format(printf, 2, 3))) static void note(struct answer *answer,
						       const char *format, ...)
{
	char text[PROBE_MESSAGE];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put_text(&answer->notes, text);
	answer->nnotes++;
}

__attribute__((format(printf, 3, 4))) static void
definition_fail(struct answer *answer, const struct probe_definition *definition,
		const char *format, ...)
{
	struct compiler compiler = {.definition = definition};
	va_list args;
	if (answer->failed)
		return;
	va_start(args, format);
	fail(&compiler, NULL, format, args);
	va_end(args);
	memcpy(answer->message, compiler.message, sizeof(answer->message));
	answer->failed = true;
}

struct listing {
	struct tr_buffer *out;
	uint32_t count;
};

static void take_enumerator(void *context, const char *name, uint64_t value)
{
	struct listing *listing = context;
	put_text(listing->out, name);
	put64(listing->out, value);
	listing->count++;
}

static void put_column(struct compiler *compiler, const struct value_type *type,
		       const struct probe_show *show, struct tr_buffer *out)
{
	struct tr_buffer names = {0};
	struct listing listing = {.out = &names};
	char text[128];
	type_text(compiler, type, text, sizeof(text));
	put_text(out, text);
	if (show->kind == TR_PROBE_ENUM)
		tr_query_enumerators(compiler->query, type->of.die, take_enumerator,
				     &listing);
	put32(out, listing.count);
	tr_buffer_add(out, names.data, names.size);
	out->failed |= names.failed;
	tr_buffer_free(&names);
}

/* Checks what was compiled as the parent will, so that the message tells the place. */
static void check(struct compiler *compiler, const struct probe_node *node,
		  bool is_string)
{
	struct probe_code code = {
	    .insns = (struct probe_insn *)(void *)compiler->code.data,
	    .count = (uint32_t)(compiler->code.size / sizeof(struct probe_insn))};
	if (!compiler->failed &&
	    !probe_verify(&code, compiler->saved.size / sizeof(struct saved_code),
			  compiler->texts->size, is_string))
		compile_fail(compiler, node, "an expression too deeply nested");
}

/* Puts the code of one value; of a dropped one, that it is missing. Returns false on
 * failure. */
static bool put_value(struct compiler *compiler, const struct probe_node *node,
		      bool is_string, struct column *column, struct tr_buffer *out)
{
	static const struct probe_insn missing = {.op = OP_MISSING};
	check(compiler, node, is_string);
	if (compiler->failed && !compiler->is_unavailable)
		return false;
	if (compiler->failed) {
		if (column->dropped++ == 0)
			memcpy(column->message, compiler->message,
			       sizeof(column->message));
		put_code(out, &missing, 1);
	} else {
		column->known++;
		put_code(out, (const struct probe_insn *)(void *)compiler->code.data,
			 compiler->code.size / sizeof(struct probe_insn));
	}
	compiler->failed = compiler->is_unavailable = false;
	compiler->code.size = 0;
	return true;
}

static bool compile_shown(struct compiler *compiler, const struct probe_field *field,
			  struct column *column, struct tr_buffer *out)
{
	struct value_type type = {.of = {.name = ""}};
	struct probe_show show = {0};
	uint8_t shown[2];
	compiler->scratch_end = field;
	compile_field(compiler, field->value, &type, &show);
	bool dropped = compiler->failed;
	if (!dropped && column->known == 0)
		put_column(compiler, &type, &show, &column->bytes);
	shown[0] = dropped ? TR_PROBE_MISSING : show.kind;
	shown[1] = show.is_signed;
	tr_buffer_add(out, shown, sizeof(shown));
	return put_value(compiler, field->value, type.is_string && !dropped, column, out);
}

/* Compiles filter and fields of a place. */
static bool compile_values(struct making *making, struct compiler *compiler,
			   struct tr_buffer *out)
{
	const struct probe_definition *definition = making->definition;
	struct column *column = making->columns;
	if (!definition->filter) {
		put_code(out, NULL, 0);
	} else {
		compile_filter(compiler, definition->filter);
		if (!put_value(compiler, definition->filter, false, column, out))
			return false;
	}
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next)
		if (field->name[0] != '$' &&
		    !compile_shown(compiler, field, ++column, out))
			return false;
	return true;
}

static bool add_place(struct making *making, const struct tr_query_function *function,
		      uint64_t address)
{
	struct answer *answer = making->answer;
	struct tr_buffer values = {0};
	struct compiler compiler = {.query = answer->query,
				    .definition = making->definition,
				    .function = function,
				    .binary = answer->job->binary,
				    .kind = making->definition->kind,
				    .pc = address,
				    .texts = &answer->texts};
	bool good = compile_values(making, &compiler, &values);
	const struct saved_code *saved =
	    (const struct saved_code *)(const void *)compiler.saved.data;
	size_t nsaved = compiler.saved.size / sizeof(*saved);
	if (good) {
		put64(&making->places, address);
		put32(&making->places, nsaved);
		for (size_t i = 0; i < nsaved; i++)
			put_code(&making->places, saved[i].insns, saved[i].count);
		tr_buffer_add(&making->places, values.data, values.size);
		making->places.failed |= values.failed;
		making->nplaces++;
	} else {
		memcpy(answer->message, compiler.message, sizeof(answer->message));
		answer->failed = true;
	}
	tr_buffer_free(&values);
	tr_buffer_free(&compiler.code);
	tr_buffer_free(&compiler.saved);
	tr_arena_reset(&compiler.arena);
	return good;
}

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
		if (part || (file && (!function[i].file ||
				      strcmp(file, function[i].file) != 0)))
			continue;
		function[kept++] = function[i];
	}
	list->size = kept * sizeof(*function);
	return kept;
}

/* Fails if functions of one name are declared at different places. */
static void check_same(struct answer *answer, const struct probe_definition *definition,
		       const struct probe_function *wanted, const struct tr_buffer *list)
{
	const struct tr_query_function *function =
	    (const struct tr_query_function *)(const void *)list->data;
	size_t count = list->size / sizeof(*function);
	char places[256] = "";
	size_t used = 0;
	bool differ = false;
	for (size_t i = 0; i < count; i++) {
		bool seen = false;
		for (size_t k = 0; k < i; k++)
			seen |= function[k].place == function[i].place;
		differ |= function[i].place != function[0].place;
		if (!seen && used + 60 < sizeof(places))
			used += (size_t)snprintf(
			    places + used, sizeof(places) - used, "%s%.40s:%" PRIu32,
			    used ? ", " : "", function[i].file ? function[i].file : "?",
			    function[i].line);
	}
	if (differ)
		definition_fail(answer, definition,
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
		note(answer,
		     "%s: %s is a copy of %s in which the compiler may have changed the "
		     "parameters",
		     definition->name, symbol_of(function, name), name);
	if (function->inlined_too && definition->kind != TR_PROBE_PLACE)
		note(answer, "%s: calls of %s that were inlined are not seen",
		     definition->name, name);
}

static void add_lines(struct making *making, const struct tr_query_function *function)
{
	const struct probe_definition *definition = making->definition;
	struct tr_buffer addresses = {0};
	uint32_t below = 0, above = 0;
	char near[64] = "";
	size_t count = tr_query_line(making->answer->query, function->die,
				     definition->at_file, definition->at_line, &addresses,
				     &below, &above);
	const uint64_t *list = (const uint64_t *)(const void *)addresses.data;
	for (size_t i = 0; i < count && !making->answer->failed; i++)
		add_place(making, function, list[i]);
	if (below && above)
		snprintf(near, sizeof(near), " (near: %" PRIu32 ", %" PRIu32 ")", below,
			 above);
	else if (below || above)
		snprintf(near, sizeof(near), " (near: %" PRIu32 ")",
			 below ? below : above);
	if (count == 0)
		definition_fail(making->answer, definition,
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
		definition_fail(making->answer, definition,
				"an offset in a function that has %zu copies", count);
	else if (address & 1 || (function->die &&
				 !tr_query_has_code(making->answer->query, function->die,
						    address)))
		definition_fail(making->answer, definition,
				"no instruction of the function is at its offset 0x%" PRIx64,
				definition->offset);
	else
		add_place(making, function, address);
}

static void add_places(struct making *making, const struct probe_function *wanted,
		       const struct tr_buffer *list)
{
	const struct probe_definition *definition = making->definition;
	const struct tr_query_function *function =
	    (const struct tr_query_function *)(const void *)list->data;
	size_t count = list->size / sizeof(*function);
	check_same(making->answer, definition, wanted, list);
	for (size_t i = 0; i < count && !making->answer->failed; i++) {
		note_function(making->answer, definition, &function[i], wanted->name);
		if (definition->at_file && !function[i].die)
			definition_fail(making->answer, definition,
					"the debug information does not tell the lines "
					"of %s",
					wanted->name);
		else if (definition->at_file)
			add_lines(making, &function[i]);
		else if (definition->has_offset)
			add_offset(making, &function[i], count);
		else
			add_place(making, &function[i], function[i].entry);
	}
}

/* --- an expression at an address */

static void add_address(struct making *making)
{
	struct tr_query_function function;
	uint64_t address = making->definition->offset;
	bool known = tr_query_function_at(making->answer->query, address, &function);
	add_place(making, known ? &function : NULL, address);
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
		const struct column *column = &making->columns[i];
		if (column->dropped && column->known == 0) {
			memcpy(answer->message, column->message,
			       sizeof(answer->message));
			answer->failed = true;
		} else if (column->dropped) {
			note(answer, "%.400s (at %" PRIu32 " of %" PRIu32 " places)",
			     column->message, column->dropped, making->nplaces);
		}
	}
}

static void put_definition(struct making *making, uint32_t number)
{
	struct tr_buffer *out = &making->answer->definitions;
	put32(out, number);
	put32(out, making->ncolumns - 1);
	for (size_t i = 1; i < making->ncolumns; i++) {
		tr_buffer_add(out, making->columns[i].bytes.data,
			      making->columns[i].bytes.size);
		out->failed |= making->columns[i].bytes.failed;
	}
	put32(out, making->nplaces);
	tr_buffer_add(out, making->places.data, making->places.size);
	out->failed |= making->places.failed;
	making->answer->ndefinitions++;
}

/* Makes a definition from functions, or, without them, from its address. */
static void make(struct answer *answer, const struct probe_definition *definition,
		 uint32_t number, const struct probe_function *wanted,
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
		add_places(&making, wanted, list);
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
			 bool inlined, bool parts)
{
	const char *name = definition->functions->name;
	struct tr_near near;
	if (parts) {
		definition_fail(answer, definition,
				"%s: only a part of the function is out of line", name);
	} else if (inlined) {
		definition_fail(answer, definition,
				"%s was inlined into all its callers and has no code of "
				"its own: probe a caller, or a line",
				name);
	} else {
		tr_near_init(&near, name);
		tr_query_near_functions(answer->query, &near);
		definition_fail(answer, definition, "no function %s in %s%s", name,
				answer->job->binary, compile_near(&near));
	}
}

/* Returns false if no alternative is there, and `last` tells to fail then. */
static bool try(struct answer *answer, const struct probe_definition *definition,
		uint32_t number, bool last)
{
	struct tr_buffer list = {0};
	bool any_inlined = false, parts = false, found = false;
	if (definition->is_address) {
		make(answer, definition, number, NULL, NULL);
		return true;
	}
	for (const struct probe_function *wanted = definition->functions;
	     wanted && !found; wanted = wanted->next) {
		bool inlined = false;
		tr_query_functions(answer->query, wanted->name, &list, &inlined);
		any_inlined |= inlined;
		found = keep_wanted(wanted, &list, &parts) > 0;
		if (found)
			make(answer, definition, number, wanted, &list);
	}
	if (!found && last)
		fail_unknown(answer, definition, any_inlined, parts);
	tr_buffer_free(&list);
	return found;
}

static bool is_same(const struct probe_definition *a, const struct probe_definition *b)
{
	return a->probe == b->probe && strcmp(a->binary, b->binary) == 0;
}

/* Of several definitions of a name, the first one whose function is there counts. */
static void compile_all(struct answer *answer)
{
	const struct probe_definition *first = answer->job->definitions;
	uint32_t number = 0;
	for (const struct probe_definition *one = first; one && !answer->failed;
	     one = one->next, number++) {
		const struct probe_definition *other = first, *last = one;
		uint32_t n = number;
		if (strcmp(one->binary, answer->job->binary) != 0)
			continue;
		while (other != one && !is_same(other, one))
			other = other->next;
		if (other != one)
			continue;
		for (other = one->next; other; other = other->next)
			if (is_same(other, one))
				last = other;
		for (other = one; other; other = other->next, n++)
			if (is_same(other, one) &&
			    (try(answer, other, n, other == last) || answer->failed))
				break;
	}
}

void probe_compile(struct tr_query *query, void *context, struct tr_buffer *out)
{
	struct answer answer = {.query = query, .job = context};
	compile_all(&answer);
	uint8_t failed = answer.failed;
	tr_buffer_add(out, &failed, 1);
	if (answer.failed) {
		put_text(out, answer.message);
		return;
	}
	put32(out, tr_query_xlen(query));
	put32(out, answer.texts.size);
	tr_buffer_add(out, answer.texts.data, answer.texts.size);
	put32(out, answer.nnotes);
	tr_buffer_add(out, answer.notes.data, answer.notes.size);
	put32(out, answer.ndefinitions);
	tr_buffer_add(out, answer.definitions.data, answer.definitions.size);
	out->failed |=
	    answer.texts.failed || answer.notes.failed || answer.definitions.failed;
	tr_buffer_free(&answer.texts);
	tr_buffer_free(&answer.notes);
	tr_buffer_free(&answer.definitions);
}
