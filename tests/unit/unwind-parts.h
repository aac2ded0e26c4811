/* SPDX-License-Identifier: Apache-2.0 */
/* A sink for the tests of the unwinder's parts: it prints what is emitted to `emitted`.
 */
#ifndef UNWIND_PARTS_H
#define UNWIND_PARTS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "unwind/unwind.h"

static char emitted[1 << 14];

__attribute__((format(printf, 1, 2))) static int emit_text(const char *format, ...)
{
	const size_t length = strlen(emitted);
	va_list list;
	va_start(list, format);
	vsnprintf(emitted + length, sizeof(emitted) - length, format, list);
	va_end(list);
	return TR_OK;
}

/* Checks what was emitted since the last call. */
#define CHECK_EMITTED(want)                                                              \
	do {                                                                             \
		CHECK_STR(emitted, want);                                                \
		emitted[0] = '\0';                                                       \
	} while (0)

static int emit_func(void *user, const struct tr_func *func)
{
	(void)user;
	return emit_text("func %s %s %" PRIx64 " %u\n", func->name, func->binary,
			 func->address, func->kind);
}

static int emit_node(void *user, const struct tr_node *node)
{
	(void)user;
	return emit_text("node %u on %u\n", node->func, node->parent);
}

static int emit_site(void *user, uint32_t spot)
{
	(void)user;
	return emit_text("site %u\n", spot);
}

static int emit_thread(void *user, const struct tr_thread *thread)
{
	(void)user;
	return emit_text("thread %" PRIx64 " %" PRIx64 " '%s'\n", thread->tp,
			 thread->satp, thread->name);
}

static const struct tr_unwind_sink part_sink = {
    .func = emit_func, .node = emit_node, .site = emit_site, .thread = emit_thread};

static const char *const part_programs[] = {"prog", "lib", "kernel"};
static const bool part_libraries[] = {false, true, true};
static const uint8_t part_roles[] = {TR_UNWIND_USER, TR_UNWIND_ANY, TR_UNWIND_KERNEL};
static const uint64_t part_entries[] = {0x1000, 0, 0xffffffff80000000};
static const struct tr_unwind_options part_options = {.programs = part_programs,
						      .libraries = part_libraries,
						      .roles = part_roles,
						      .entries = part_entries,
						      .nprograms = 3,
						      .xlen = 64};

#endif
