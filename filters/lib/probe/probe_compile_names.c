/* SPDX-License-Identifier: Apache-2.0 */
/* What a name means: builtins, parameters, local and global variables, enumerators. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/probe_compile.h"

enum { TP = 4, SP = 2, A0 = 10 };

static void emit_register(struct compiler *compiler, enum probe_op op, unsigned reg)
{
	tr_compile_emit(compiler,
			&(struct probe_insn){.op = (uint8_t)op, .operand = reg});
	if (op == OP_X)
		tr_compile_extend(compiler, tr_type_word(compiler), false);
}

/* --- registers */

static const char *const register_names[] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char *const float_names[] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",	"ft5",	"ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",	"fa6",	"fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static int find_register(const char *name, char letter, const char *const *names)
{
	char number[8];
	for (int i = 0; i < 32; i++) {
		snprintf(number, sizeof(number), "%c%d", letter, i);
		if (strcmp(name, names[i]) == 0 || strcmp(name, number) == 0)
			return i;
	}
	return -1;
}

void tr_compile_register(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	const char *name = node->a->text;
	int x = find_register(strcmp(name, "fp") == 0 ? "s0" : name, 'x', register_names);
	int f = find_register(name, 'f', float_names);
	struct tr_near near;
	tr_value_set(value, tr_type_long(compiler, false));
	if (strcmp(name, "pc") == 0) {
		tr_compile_op(compiler, OP_PC);
	} else if (x >= 0) {
		emit_register(compiler, OP_X, (unsigned)x);
	} else if (f >= 0) {
		value->type = tr_type_integer(8, false);
		emit_register(compiler, OP_F, (unsigned)f);
	} else {
		tr_near_init(&near, name);
		for (int i = 0; i < 32; i++) {
			tr_near_offer(&near, register_names[i]);
			tr_near_offer(&near, float_names[i]);
		}
		tr_compile_fail(compiler, node, "no register %s%s", name,
				tr_compile_near(&near));
	}
}

/* --- builtins */

static bool is_number_of(const char *text, const char *prefix, unsigned *number)
{
	size_t length = strlen(prefix);
	if (strncmp(text, prefix, length) != 0 || text[length] < '0' ||
	    text[length] > '9' || text[length + 1])
		return false;
	*number = (unsigned)(text[length] - '0');
	return true;
}

static bool find_task(struct tr_query *query, uint64_t unit, struct value_type *type)
{
	uint64_t die;
	return tr_query_type_named(query, unit, "struct", "task_struct", &die) &&
	       tr_type_of_die(query, die, type) && !type->of.is_incomplete;
}

/* In a program of Linux, its type is that of the kernel. */
static void compile_current(struct compiler *compiler, const struct probe_node *node,
			    struct value *value)
{
	uint64_t unit = compiler->function ? compiler->function->die : 0;
	struct tr_query *query = compiler->query, *other;
	bool found = find_task(query, unit, &value->type);
	for (size_t i = 0; !found && (other = tr_query_other(query, i)) != NULL; i++)
		found = tr_query_is_usable(other) &&
			tr_query_xlen(other) == tr_query_xlen(query) &&
			find_task(other, 0, &value->type);
	if (!found) {
		tr_compile_fail(compiler, node,
				"no struct task_struct: %s is not a Linux kernel with "
				"debug information, nor is another program of the run",
				compiler->binary);
		return;
	}
	value->type.stars = 1;
	value->place = VALUE_READY;
	tr_compile_op(compiler, OP_TASK);
	tr_compile_extend(compiler, tr_type_word(compiler), false);
}

static bool compile_builtin(struct compiler *compiler, const struct probe_node *node,
			    struct value *value)
{
	static const struct {
		const char *name;
		uint8_t op, size; /* size 0: of a register */
		uint8_t reg;
	} known[] = {{"hart", OP_HART, 4, 0},	{"cpu", OP_HART, 4, 0},
		     {"cycle", OP_CYCLE, 8, 0}, {"satp", OP_SATP, 0, 0},
		     {"pc", OP_PC, 0, 0},	{"sp", OP_X, 0, SP},
		     {"tp", OP_X, 0, TP}};
	const char *name = node->text;
	unsigned i;
	if (strcmp(name, "current") == 0) {
		compile_current(compiler, node, value);
	} else if (strcmp(name, "retval") == 0) {
		tr_compile_result(compiler, node, value);
	} else if (strcmp(name, "entered") == 0) {
		tr_compile_entered(compiler, node, OP_CYCLE, value);
	} else if (strcmp(name, "entered_pc") == 0) {
		tr_compile_entered(compiler, node, OP_PC, value);
	} else if (is_number_of(name, "arg", &i) && i < 8 &&
		   compiler->kind != TR_PROBE_PLACE) {
		tr_compile_parameter(compiler, node, i, value);
	} else {
		for (i = 0; i < sizeof(known) / sizeof(*known); i++)
			if (strcmp(name, known[i].name) == 0)
				break;
		if (i == sizeof(known) / sizeof(*known))
			return false;
		tr_value_set(value, known[i].size ? tr_type_integer(known[i].size, false)
						  : tr_type_long(compiler, false));
		emit_register(compiler, known[i].op, known[i].reg);
	}
	return true;
}

/* --- variables */

/* Compiles a variable at a known DIE. */
static void compile_variable(struct compiler *compiler, const struct probe_node *node,
			     uint64_t die, struct value *value)
{
	bool is_list = false;
	uint64_t constant = 0;
	if (!tr_type_of_die(compiler->query, tr_query_type_of(compiler->query, die),
			    &value->type)) {
		tr_compile_fail(compiler, node, "damaged DWARF: the type of %s",
				node->text);
		return;
	}
	enum tr_query_found found =
	    tr_compile_location(compiler, die, compiler->pc, value, &is_list);
	if (found == TR_FOUND)
		return;
	if (found == TR_FOUND_DAMAGE) {
		tr_compile_fail(compiler, node, "damaged DWARF: the location of %s",
				node->text);
	} else if (found == TR_FOUND_NOTHING && tr_type_is_scalar(&value->type) &&
		   tr_query_constant(compiler->query, die, &constant)) {
		tr_value_set(value, value->type);
		tr_compile_number(compiler, constant);
		tr_compile_extend(compiler, tr_type_size(compiler, &value->type),
				  tr_type_is_signed(&value->type));
	} else if (tr_query_has_btf(compiler->query)) {
		tr_compile_drop(compiler, node,
				"%s: BTF tells no places, so it is known only at the "
				"entry and the return",
				node->text);
	} else {
		tr_compile_drop(compiler, node, "%s: the compiler dropped it here",
				node->text);
	}
}

/* A variable of each hart has its address in a section of its own. */
static bool compile_global(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	uint64_t unit = compiler->function ? compiler->function->die : 0, die;
	unsigned count = tr_query_global(compiler->query, unit, node->text, &die);
	if (count == 0)
		return false;
	if (count > 1) {
		tr_compile_fail(compiler, node,
				"several variables of the program are called %s: probe a "
				"function of the same source file",
				node->text);
		return true;
	}
	compile_variable(compiler, node, die, value);
	const struct probe_insn *last =
	    (const struct probe_insn *)(void *)(compiler->code.data +
						compiler->code.size);
	if (!compiler->failed && value->place == VALUE_MEMORY &&
	    compiler->code.size >= 3 * sizeof(*last) && last[-3].op == OP_NUMBER &&
	    tr_query_in_section(compiler->query, last[-3].operand, ".data..percpu"))
		tr_compile_fail(
		    compiler, node,
		    "%s is a variable of each hart, whose address is not known",
		    node->text);
	return true;
}

/* A variable that the linker defines, as Linux's jiffies. */
static bool compile_extern(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	uint64_t die, address;
	if (!tr_query_extern(compiler->query, node->text, &die, &address)) {
		if (die)
			tr_compile_drop(compiler, node,
					"%s: the compiler dropped this variable, or "
					"each thread has one of its own",
					node->text);
		return die != 0;
	}
	if (!tr_type_of_die(compiler->query, tr_query_type_of(compiler->query, die),
			    &value->type)) {
		tr_compile_fail(compiler, node, "damaged DWARF: the type of %s",
				node->text);
		return true;
	}
	tr_compile_number(compiler, address);
	tr_compile_op(compiler, OP_BIAS);
	tr_compile_op(compiler, OP_ADD);
	value->place = VALUE_MEMORY;
	return true;
}

static bool compile_enumerator(struct compiler *compiler, const struct probe_node *node,
			       struct value *value)
{
	uint64_t unit = compiler->function ? compiler->function->die : 0, number, type;
	if (!tr_query_enumerator(compiler->query, unit, node->text, &number, &type) ||
	    !tr_type_of_die(compiler->query, type, &value->type))
		return false;
	tr_value_set(value, value->type);
	tr_compile_number(compiler, number);
	tr_compile_extend(compiler, tr_type_size(compiler, &value->type),
			  tr_type_is_signed(&value->type));
	return true;
}

/* A function, of which there is one. */
static bool compile_function(struct compiler *compiler, const struct probe_node *node,
			     struct value *value)
{
	struct tr_buffer list = {0};
	bool inlined;
	size_t count = tr_query_functions(compiler->query, node->text, &list, &inlined);
	const struct tr_query_function *first =
	    (const struct tr_query_function *)(void *)list.data;
	if (count == 1) {
		*value = (struct value){.type.of = {.kind = TR_KIND_FUNCTION, .name = ""},
					.place = VALUE_MEMORY};
		tr_compile_number(compiler, first->entry);
		tr_compile_op(compiler, OP_BIAS);
		tr_compile_op(compiler, OP_ADD);
		tr_compile_extend(compiler, tr_type_word(compiler), false);
	}
	tr_buffer_free(&list);
	return count == 1;
}

static bool compile_scratch(struct compiler *compiler, const struct probe_node *node,
			    struct value *value)
{
	const struct probe_field *field = compiler->definition->fields;
	const struct probe_field *end = compiler->scratch_end;
	for (; field && field != end; field = field->next)
		if (strcmp(field->name, node->text) == 0) {
			compiler->scratch_end = field;
			tr_compile_expression(compiler, field->value, value);
			compiler->scratch_end = end;
			return true;
		}
	return false;
}

/* Returns whether the probe is at the first instruction of the function and the variable
 * a parameter of it, whose number is set. */
static bool is_parameter_at_entry(struct compiler *compiler, const char *name,
				  uint64_t variable, struct tr_near *near, unsigned *i)
{
	const struct tr_query_function *function = compiler->function;
	uint64_t die, type;
	return compiler->pc == function->entry &&
	       tr_query_parameter_named(compiler->query, function, name, near, i) &&
	       tr_query_parameter(compiler->query, function, *i, &die, &type) &&
	       die == variable;
}

/* The innermost one that is visible. */
static bool compile_local(struct compiler *compiler, const struct probe_node *node,
			  struct tr_near *near, struct value *value)
{
	const struct tr_query_function *function = compiler->function;
	uint64_t die;
	unsigned i;
	if (!function || !function->origin)
		return false;
	if (compiler->kind == TR_PROBE_PLACE) {
		if (!function->die ||
		    !tr_query_local(compiler->query, function->die, compiler->pc,
				    node->text, near, &die))
			return false;
		if (is_parameter_at_entry(compiler, node->text, die, near, &i))
			tr_compile_parameter(compiler, node, i, value);
		else
			compile_variable(compiler, node, die, value);
		return true;
	}
	if (!tr_query_parameter_named(compiler->query, function, node->text, near, &i))
		return false;
	tr_compile_parameter(compiler, node, i, value);
	return true;
}

void tr_compile_name(struct compiler *compiler, const struct probe_node *node,
		     struct value *value)
{
	struct tr_near near;
	static const char *const builtins[] = {"current",    "retval", "entered",
					       "entered_pc", "cycle",  "hart",
					       "satp",	     "arg0"};
	uint64_t type;
	unsigned i;
	if (node->text[0] == '$') {
		if (!compile_scratch(compiler, node, value))
			tr_compile_fail(compiler, node, "no %s before this field",
					node->text);
		return;
	}
	if (!node->is_quoted && compile_builtin(compiler, node, value))
		return;
	tr_near_init(&near, node->text);
	if (compile_local(compiler, node, &near, value) ||
	    compile_global(compiler, node, value) ||
	    compile_extern(compiler, node, value) ||
	    compile_enumerator(compiler, node, value) ||
	    compile_function(compiler, node, value))
		return;
	tr_query_near_globals(compiler->query, &near);
	for (i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		tr_near_offer(&near, builtins[i]);
	if (is_number_of(node->text, "arg", &i))
		tr_compile_fail(compiler, node, "%s: parameters are known by %s",
				node->text,
				i < 8 ? "their names only within a function"
				      : "arg0 to arg7, and by their names");
	else if (tr_query_type_named(compiler->query, 0, "", node->text, &type))
		tr_compile_fail(compiler, node,
				"%s is a type: what is cast to it needs parentheses, as "
				"in (%s)(-1)",
				node->text, node->text);
	else
		tr_compile_fail(compiler, node, "no variable %s%s%s", node->text,
				tr_compile_near(&near),
				tr_query_has_btf(compiler->query)
				    ? "; BTF has none of functions"
				    : "");
}
