/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the answer of the compiler: types of fields, and the code of each place. */
#include "probe/probe_answer.h"

#include <stdio.h>
#include <string.h>

void tr_answer_put32(struct tr_buffer *out, uint64_t value)
{
	tr_buffer_add32(out, (uint32_t)value);
}

void tr_answer_put_text(struct tr_buffer *out, const char *text)
{
	tr_answer_put32(out, strlen(text));
	tr_buffer_add(out, text, strlen(text));
}

static void put_insns(struct tr_buffer *out, const struct probe_insn *insns, size_t count)
{
	tr_answer_put32(out, count);
	for (size_t i = 0; i < count; i++)
		tr_probe_put(out, &insns[i]);
}

/* --- a definition */

void tr_answer_note(struct answer *answer, const char *format, ...)
{
	char text[PROBE_MESSAGE];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tr_answer_put_text(&answer->notes, text);
	answer->nnotes++;
}

void tr_answer_fail(struct answer *answer, const struct probe_definition *definition,
		    const char *format, ...)
{
	struct compiler compiler = {.definition = definition};
	char text[PROBE_MESSAGE];
	va_list args;
	if (answer->failed)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tr_compile_fail(&compiler, NULL, "%s", text);
	memcpy(answer->message, compiler.message, sizeof(answer->message));
	answer->failed = true;
}

struct listing {
	struct tr_buffer *out;
	uint32_t count;
	const struct value_type *type;
};

/* Returns an enumerator as it is loaded: a compiler may write -1 of a byte as 255. */
static uint64_t as_loaded(uint64_t value, const struct value_type *type)
{
	unsigned above = type->of.size < 8 ? 64 - 8 * (unsigned)type->of.size : 0;
	value <<= above;
	return tr_type_is_signed(type) ? (uint64_t)((int64_t)value >> above)
				       : value >> above;
}

static void take_enumerator(void *context, const char *name, uint64_t value)
{
	struct listing *listing = context;
	tr_answer_put_text(listing->out, name);
	tr_buffer_add64(listing->out, as_loaded(value, listing->type));
	listing->count++;
}

static void put_column_type(struct compiler *compiler, const struct value_type *type,
			    const struct probe_show *show, struct tr_buffer *out)
{
	struct tr_buffer names = {0};
	struct listing listing = {.out = &names, .type = type};
	char text[128];
	tr_type_text(compiler, type, text, sizeof(text));
	tr_answer_put_text(out, text);
	if (show->kind == TR_PROBE_ENUM)
		tr_query_enumerators(type->of.query, type->of.die, take_enumerator,
				     &listing);
	tr_answer_put32(out, listing.count);
	tr_buffer_add(out, names.data, names.size);
	out->failed |= names.failed;
	tr_buffer_free(&names);
}

void tr_answer_no_column(struct tr_buffer *out)
{
	tr_answer_put_text(out, "");
	tr_answer_put32(out, 0);
}

/* Checks what was compiled as the parent will, so that the message tells the place. */
static void verify_compiled_code(struct compiler *compiler, const struct probe_node *node,
				 bool is_string)
{
	struct probe_code code = {
	    .insns = (struct probe_insn *)(void *)compiler->code.data,
	    .count = (uint32_t)(compiler->code.size / sizeof(struct probe_insn))};
	if (!compiler->failed &&
	    !tr_probe_verify(&code, compiler->saved.size / sizeof(struct saved_code),
			     compiler->texts->size, is_string))
		tr_compile_fail(compiler, node, "an expression too deeply nested");
}

/* Puts the code of one value; of a dropped one, that it is missing. Returns false on
 * failure. */
static bool put_value_code(struct compiler *compiler, const struct probe_node *node,
			   bool is_string, struct column *column, struct tr_buffer *out)
{
	static const struct probe_insn missing = {.op = OP_MISSING};
	verify_compiled_code(compiler, node, is_string);
	if (compiler->failed && !compiler->is_unavailable &&
	    !compiler->definition->is_parts)
		return false;
	if (compiler->failed) {
		if (column->dropped++ == 0)
			memcpy(column->message, compiler->message,
			       sizeof(column->message));
		put_insns(out, &missing, 1);
	} else {
		column->known++;
		put_insns(out, (const struct probe_insn *)(void *)compiler->code.data,
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
	tr_compile_field(compiler, field->value, &type, &show);
	bool dropped = compiler->failed;
	if (!dropped && column->known == 0)
		put_column_type(compiler, &type, &show, &column->bytes);
	shown[0] = dropped ? TR_PROBE_MISSING : show.kind;
	shown[1] = show.is_signed;
	tr_buffer_add(out, shown, sizeof(shown));
	return put_value_code(compiler, field->value, type.is_string && !dropped, column,
			      out);
}

/* Compiles filter and fields of a place. */
static bool compile_values(struct making *making, struct compiler *compiler,
			   struct tr_buffer *out)
{
	const struct probe_definition *definition = making->definition;
	struct column *column = making->columns;
	if (!definition->filter) {
		put_insns(out, NULL, 0);
	} else {
		tr_compile_filter(compiler, definition->filter);
		if (!put_value_code(compiler, definition->filter, false, column, out))
			return false;
	}
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next)
		if (field->name[0] != '$' &&
		    !compile_shown(compiler, field, ++column, out))
			return false;
	return true;
}

bool tr_answer_place(struct making *making, const struct tr_query_function *function,
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
				    .texts = &answer->texts,
				    .has_symbols = &answer->has_symbols};
	bool good = compile_values(making, &compiler, &values);
	const struct saved_code *saved =
	    (const struct saved_code *)(const void *)compiler.saved.data;
	size_t nsaved = compiler.saved.size / sizeof(*saved);
	if (good) {
		tr_buffer_add64(&making->places, address);
		tr_buffer_add64(&making->places,
				function && address == function->entry
				    ? tr_query_code_size(answer->query, function)
				    : 0);
		tr_answer_put32(&making->places, nsaved);
		for (size_t i = 0; i < nsaved; i++)
			put_insns(&making->places, saved[i].insns, saved[i].count);
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
