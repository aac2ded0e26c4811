/* SPDX-License-Identifier: Apache-2.0 */
/* Structures and arrays as a whole: the expressions of their members and elements, and
 * how these are printed together. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "probe/probe_answer.h"

enum {
	PARTS = 1000,	/* values that are shown */
	ELEMENTS = 16,	/* of an array that are shown */
	DEEP = 8,	/* structures and arrays in others */
	PART_TEXT = 512 /* characters of an expression */
};

struct shaping {
	struct tr_buffer *shape, *parts;
	unsigned nparts, deep;
};

static void put_shape_text(struct tr_buffer *out, const char *text)
{
	tr_buffer_add(out, text, strlen(text));
}

static bool is_value(const struct value_type *type)
{
	return tr_type_is_scalar(type) || type->is_string ||
	       (!type->stars && type->of.kind == TR_KIND_FLOAT);
}

static bool is_shown_whole(const struct value_type *type)
{
	const struct value value = {.type = *type};
	return !is_value(type) && !tr_value_is_text(&value) &&
	       (type->of.kind == TR_KIND_STRUCT || type->of.kind == TR_KIND_ARRAY);
}

static void put_shape_part(struct shaping *s, const char *expression)
{
	s->nparts++;
	put_shape_text(s->shape, PROBE_PART);
	put_shape_text(s->parts, expression);
	put_shape_text(s->parts, ";\n");
}

static void put_whole(struct shaping *s, const struct value_type *type,
		      const char *expression);

/* What cannot be shown is "...". */
static void put_type(struct shaping *s, const struct value_type *type,
		     const char *expression)
{
	const struct value value = {.type = *type};
	if (s->nparts == PARTS || s->deep == DEEP)
		put_shape_text(s->shape, "...");
	else if (is_value(type) || tr_value_is_text(&value))
		put_shape_part(s, expression);
	else if (is_shown_whole(type))
		put_whole(s, type, expression);
	else
		put_shape_text(s->shape, "...");
}

static void put_elements(struct shaping *s, const struct value_type *type,
			 const char *expression)
{
	struct value_type element;
	char text[PART_TEXT];
	uint64_t count = type->of.count;
	if (count == UINT64_MAX || !tr_type_target(type, &element)) {
		put_shape_text(s->shape, "...");
		return;
	}
	for (uint64_t i = 0; i < count && i <= ELEMENTS; i++) {
		int size =
		    snprintf(text, sizeof(text), "%s[%u]", expression, (unsigned)i);
		put_shape_text(s->shape, i ? ", " : "");
		if (i == ELEMENTS || size >= PART_TEXT)
			put_shape_text(s->shape, "...");
		else
			put_type(s, &element, text);
	}
}

static bool is_printable(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!isgraph((unsigned char)*c) || *c == '`')
			return false;
	return *name != '\0';
}

/* Of a structure: what has its members, also those of its unnamed members and bases. */
struct outer {
	struct tr_query *query;
	uint64_t die;
	const char *expression;
};

/* A member is found by its name, unless another one hides it. */
static void put_member(struct shaping *s, const struct outer *outer,
		       const struct tr_query_member *member, uint64_t offset)
{
	struct tr_query_member found;
	struct value_type type;
	char text[PART_TEXT];
	put_shape_text(s->shape, member->name);
	put_shape_text(s->shape, " = ");
	int size =
	    snprintf(text, sizeof(text), "%s.`%s`", outer->expression, member->name);
	if (size >= PART_TEXT ||
	    !tr_query_member(outer->query, outer->die, member->name, NULL, &found) ||
	    found.offset != offset || found.bit != member->bit ||
	    !tr_type_of_die(outer->query, member->type, &type))
		put_shape_text(s->shape, "...");
	else
		put_type(s, &type, text);
}

static void put_members(struct shaping *s, const struct outer *outer, uint64_t structure,
			uint64_t base)
{
	struct tr_query_member member;
	for (unsigned i = 0; tr_query_member_at(outer->query, structure, i, &member);
	     i++) {
		struct value_type type;
		uint64_t offset = base + member.offset;
		put_shape_text(s->shape, i ? ", " : "");
		if (member.name && is_printable(member.name)) {
			put_member(s, outer, &member, offset);
		} else if (member.name || s->deep == DEEP ||
			   !tr_type_of_die(outer->query, member.type, &type) ||
			   type.of.kind != TR_KIND_STRUCT || type.of.is_incomplete) {
			put_shape_text(s->shape, "...");
		} else {
			s->deep++;
			put_shape_text(s->shape, "{");
			put_members(s, outer, type.of.die, offset);
			put_shape_text(s->shape, "}");
			s->deep--;
		}
	}
}

static void put_whole(struct shaping *s, const struct value_type *type,
		      const char *expression)
{
	const struct outer outer = {type->of.query, type->of.die, expression};
	s->deep++;
	put_shape_text(s->shape, "{");
	if (type->of.kind == TR_KIND_ARRAY)
		put_elements(s, type, expression);
	else if (type->of.is_incomplete)
		put_shape_text(s->shape, "...");
	else
		put_members(s, &outer, type->of.die, 0);
	put_shape_text(s->shape, "}");
	s->deep--;
}

/* Finds the type of a field. Returns false if it does not compile. */
static bool find_type(struct answer *answer, const struct probe_definition *definition,
		      const struct tr_query_function *function, uint64_t address,
		      const struct probe_field *field, struct value_type *type)
{
	struct compiler compiler = {.query = answer->query,
				    .definition = definition,
				    .function = function,
				    .binary = answer->job->binary,
				    .kind = definition->kind,
				    .pc = address,
				    .texts = &answer->texts,
				    .scratch_end = field};
	struct value value = {0};
	tr_compile_expression(&compiler, field->value, &value);
	*type = value.type;
	tr_buffer_free(&compiler.code);
	tr_buffer_free(&compiler.saved);
	tr_arena_reset(&compiler.arena);
	return !compiler.failed;
}

bool tr_answer_shape(struct answer *answer, const struct probe_definition *definition,
		     const struct tr_query_function *function, uint64_t address)
{
	struct shaping s = {.shape = &answer->shape, .parts = &answer->parts};
	bool any = false;
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next) {
		struct value_type type;
		char text[PART_TEXT];
		if (!find_type(answer, definition, function, address, field, &type))
			return false;
		int size = snprintf(text, sizeof(text), "(%s)", field->name);
		put_shape_text(s.shape, field->name);
		put_shape_text(s.shape, " = ");
		if (is_shown_whole(&type) && size < PART_TEXT) {
			any = true;
			put_type(&s, &type, text);
		} else {
			put_shape_part(&s, field->name);
		}
		put_shape_text(s.shape, "\n");
	}
	tr_buffer_add(s.shape, "", 1);
	tr_buffer_add(s.parts, "", 1);
	return any && s.nparts;
}
