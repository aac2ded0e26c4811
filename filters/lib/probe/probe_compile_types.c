/* SPDX-License-Identifier: Apache-2.0 */
/* Types of values. */
#include <stdio.h>
#include <string.h>

#include "probe/probe_compile.h"

unsigned tr_type_word(const struct compiler *compiler)
{
	return tr_query_xlen(compiler->query) / 8;
}

struct value_type tr_type_integer(unsigned size, bool is_signed)
{
	return (struct value_type){.of = {.kind = TR_KIND_INTEGER,
					  .size = size,
					  .is_signed = is_signed,
					  .name = ""}};
}

struct value_type tr_type_long(const struct compiler *compiler, bool is_signed)
{
	return tr_type_integer(tr_type_word(compiler), is_signed);
}

bool tr_type_is_pointer(const struct value_type *type)
{
	return !type->is_string && (type->stars || type->of.kind == TR_KIND_POINTER);
}

bool tr_type_is_integer(const struct value_type *type)
{
	return !type->is_string && !type->stars &&
	       (type->of.kind == TR_KIND_INTEGER || type->of.kind == TR_KIND_ENUM);
}

bool tr_type_is_scalar(const struct value_type *type)
{
	return tr_type_is_pointer(type) || tr_type_is_integer(type);
}

uint64_t tr_type_size(const struct compiler *compiler, const struct value_type *type)
{
	return type->stars ? tr_type_word(compiler) : type->of.size;
}

bool tr_type_is_signed(const struct value_type *type)
{
	return !type->stars && type->of.is_signed;
}

bool tr_type_of_die(struct tr_query *query, uint64_t die, struct value_type *type)
{
	*type = (struct value_type){0};
	return tr_query_type(query, die, &type->of);
}

bool tr_type_target(const struct value_type *type, struct value_type *target)
{
	*target = *type;
	if (type->stars) {
		target->stars--;
		return true;
	}
	*target = (struct value_type){0};
	if (type->of.kind == TR_KIND_ARRAY)
		return tr_query_element(&type->of, &target->of);
	return type->of.kind == TR_KIND_POINTER &&
	       tr_query_type(type->of.query, type->of.target, &target->of);
}

static const char *integer_text(const struct compiler *compiler,
				const struct tr_query_type *type)
{
	if (*type->name)
		return type->name;
	switch (type->size) {
	case 1:
		return type->is_signed ? "signed char" : "unsigned char";
	case 2:
		return type->is_signed ? "short" : "unsigned short";
	case 4:
		return type->is_signed ? "int" : "unsigned int";
	default:
		if (tr_type_word(compiler) == 4)
			return type->is_signed ? "long long" : "unsigned long long";
		return type->is_signed ? "long" : "unsigned long";
	}
}

static void base_text(struct compiler *compiler, const struct tr_query_type *type,
		      char *text, size_t size)
{
	const char *name = *type->name ? type->name : "(unnamed)";
	switch (type->kind) {
	case TR_KIND_VOID:
		snprintf(text, size, "void");
		return;
	case TR_KIND_INTEGER:
		snprintf(text, size, "%s", integer_text(compiler, type));
		return;
	case TR_KIND_STRUCT:
		snprintf(text, size, "%s %s", type->is_union ? "union" : "struct", name);
		return;
	case TR_KIND_ENUM:
		snprintf(text, size, "enum %s", name);
		return;
	case TR_KIND_FUNCTION:
		snprintf(text, size, "function");
		return;
	case TR_KIND_ARRAY:
		snprintf(text, size, "array");
		return;
	default:
		snprintf(text, size, "%s", name);
	}
}

void tr_type_text(struct compiler *compiler, const struct value_type *type, char *text,
		  size_t size)
{
	struct value_type inner = *type;
	unsigned stars = 0;
	if (type->is_string) {
		snprintf(text, size, "%s", type->is_bytes ? "bytes" : "string");
		return;
	}
	while (tr_type_is_pointer(&inner) && stars < 8) {
		struct value_type outer = inner;
		stars++;
		if (!tr_type_target(&outer, &inner))
			break;
	}
	base_text(compiler, &inner.of, text, size);
	size_t used = strlen(text);
	if (stars && used + stars + 2 <= size) {
		text[used++] = ' ';
		memset(text + used, '*', stars);
		text[used + stars] = '\0';
	}
}

/* Finds a type of C that the DWARF need not have. */
static bool builtin_type(const struct compiler *compiler, const char *name,
			 struct value_type *type)
{
	static const struct {
		const char *name;
		unsigned size; /* 0: of a register */
		bool is_signed;
	} known[] = {{"char", 1, false},
		     {"signed char", 1, true},
		     {"unsigned char", 1, false},
		     {"short int", 2, true},
		     {"short unsigned int", 2, false},
		     {"int", 4, true},
		     {"unsigned int", 4, false},
		     {"long int", 0, true},
		     {"long unsigned int", 0, false},
		     {"long long int", 8, true},
		     {"long long unsigned int", 8, false}};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].name, name) == 0) {
			*type = tr_type_integer(known[i].size ? known[i].size
							      : tr_type_word(compiler),
						known[i].is_signed);
			return true;
		}
	if (strcmp(name, "_Bool") == 0 || strcmp(name, "bool") == 0) {
		*type = tr_type_integer(1, false);
		type->of.is_bool = true;
		return true;
	}
	return false;
}

/* Names what is there: the same name with a keyword, or near names. */
static void fail_no_type(struct compiler *compiler, const struct probe_node *node)
{
	static const char *const keywords[] = {"struct", "union", "enum", NULL};
	const struct probe_type *wanted = &node->type;
	struct tr_near near;
	uint64_t die;
	for (const char *const *keyword = keywords; *keyword; keyword++)
		if (tr_query_type_named(compiler->query, 0, *keyword, wanted->name,
					&die)) {
			tr_compile_fail(compiler, node, "no type %s%s%s: write %s %s",
					wanted->keyword, *wanted->keyword ? " " : "",
					wanted->name, *keyword, wanted->name);
			return;
		}
	tr_near_init(&near, wanted->name);
	tr_query_near_types(compiler->query, &near);
	tr_compile_fail(compiler, node, "no type %s%s%s%s", wanted->keyword,
			*wanted->keyword ? " " : "", wanted->name,
			tr_compile_near(&near));
}

bool tr_type_named(struct compiler *compiler, const struct probe_node *node,
		   struct value_type *type)
{
	const struct probe_type *wanted = &node->type;
	uint64_t unit = compiler->function ? compiler->function->die : 0, die = 0;
	*type = (struct value_type){.of = {.name = ""}};
	if (!*wanted->keyword && strcmp(wanted->name, "void") == 0) {
		type->stars = wanted->stars;
		return true;
	}
	if ((*wanted->keyword || !builtin_type(compiler, wanted->name, type)) &&
	    (!tr_query_type_named(compiler->query, unit, wanted->keyword, wanted->name,
				  &die) ||
	     !tr_query_type(compiler->query, die, &type->of))) {
		fail_no_type(compiler, node);
		return false;
	}
	type->stars = wanted->stars;
	return true;
}
