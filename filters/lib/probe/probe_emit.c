/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions and messages of the compiler. */
#include <stdio.h>
#include <string.h>

#include "probe/probe_compile.h"

enum { CODE_MAX = 4096 }; /* instructions of one value */

__attribute__((format(printf, 3, 0))) static void
record_compile_error(struct compiler *compiler, const struct probe_node *node,
		     const char *format, va_list args)
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

void tr_compile_fail(struct compiler *compiler, const struct probe_node *node,
		     const char *format, ...)
{
	va_list args;
	va_start(args, format);
	record_compile_error(compiler, node, format, args);
	va_end(args);
}

void tr_compile_drop(struct compiler *compiler, const struct probe_node *node,
		     const char *format, ...)
{
	va_list args;
	if (!compiler->failed)
		compiler->is_unavailable = true;
	va_start(args, format);
	record_compile_error(compiler, node, format, args);
	va_end(args);
}

const char *tr_compile_near(const struct tr_near *near)
{
	static char text[OFFERS + 32];
	char names[OFFERS];
	tr_near_text(near, names, sizeof(names));
	snprintf(text, sizeof(text), *names ? " (near: %s)" : "%s", names);
	return text;
}

void tr_compile_emit(struct compiler *compiler, const struct probe_insn *insn)
{
	if (compiler->failed)
		return;
	if (compiler->code.size >= CODE_MAX * sizeof(*insn))
		tr_compile_fail(compiler, NULL, "an expression too long");
	tr_buffer_add(&compiler->code, insn, sizeof(*insn));
	compiler->failed |= compiler->code.failed;
}

void tr_compile_op(struct compiler *compiler, enum probe_op op)
{
	tr_compile_emit(compiler, &(struct probe_insn){.op = (uint8_t)op});
}

void tr_compile_number(struct compiler *compiler, uint64_t number)
{
	tr_compile_emit(compiler,
			&(struct probe_insn){.op = OP_NUMBER, .operand = number});
}

void tr_compile_extend(struct compiler *compiler, uint64_t size, bool is_signed)
{
	if (size < 8)
		tr_compile_emit(compiler, &(struct probe_insn){.op = OP_EXTEND,
							       .size = (uint8_t)size,
							       .is_signed = is_signed});
}

struct probe_insn *tr_compile_copy(struct compiler *compiler,
				   const struct probe_insn *insns, uint32_t count)
{
	struct probe_insn *copy =
	    tr_arena_take(&compiler->arena, (count + 1) * sizeof(*insns));
	if (copy)
		memcpy(copy, insns, count * sizeof(*insns));
	else
		tr_compile_fail(compiler, NULL, "out of memory");
	return copy;
}
