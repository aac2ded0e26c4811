/* SPDX-License-Identifier: Apache-2.0 */
/* Calls libiberty's demangler. */
#include "image/image_demangle.h"

#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "image/image_child.h"

/* Longer names are truncated to IMAGE_NAME_MAX later. */
enum { DEMANGLED_MAX = 4 * IMAGE_NAME_MAX };

bool tr_image_is_mangled(const char *symbol)
{
	return symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

struct demangling {
	struct tr_buffer *out;
	size_t most; /* size of `out` at which demangling stops */
	jmp_buf full;
};

/* Receives output of the demangler. A short symbol can expand to a name of any length, so
 * demangling stops at the limit. */
static void take_demangled_text(const char *text, size_t size, void *context)
{
	struct demangling *d = context;
	size_t room = d->most - d->out->size;
	tr_buffer_add(d->out, text, size < room ? size : room);
	if (size >= room)
		longjmp(d->full, 1);
}

bool tr_image_demangle(const char *symbol, struct tr_buffer *out)
{
	const int options = DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP;
	const size_t before = out->size;
	struct demangling d = {.out = out, .most = before + DEMANGLED_MAX};
	if (!tr_image_is_mangled(symbol))
		return false;
	if (setjmp(d.full))
		return true;
	if (rust_demangle_callback(symbol, options, take_demangled_text, &d) ||
	    cplus_demangle_v3_callback(symbol, options, take_demangled_text, &d))
		return true;
	out->size = before;
	return false;
}

static bool is_wanted(const struct tr_function *function)
{
	return !function->from_dwarf && tr_image_is_mangled(function->name);
}

/* Returns false, and appends nothing, if this is no stub of a mangled function. */
static bool demangle_stub(const char *name, struct tr_buffer *out)
{
	char symbol[IMAGE_NAME_MAX];
	size_t length = strlen(name), suffix = strlen(IMAGE_STUB);
	if (length <= suffix || length >= sizeof(symbol) ||
	    strcmp(name + length - suffix, IMAGE_STUB) != 0)
		return false;
	memcpy(symbol, name, length - suffix);
	symbol[length - suffix] = '\0';
	if (!tr_image_demangle(symbol, out))
		return false;
	tr_buffer_add(out, IMAGE_STUB, suffix);
	return true;
}

/* Appends all names, each terminated by 0, unchanged if it cannot be demangled. */
static void demangle_all(void *context, struct tr_buffer *out)
{
	const struct tr_image *image = context;
	for (size_t i = 0; i < image->nfunctions; i++) {
		const char *name = image->functions[i].name;
		if (!is_wanted(&image->functions[i]))
			continue;
		if (!demangle_stub(name, out) && !tr_image_demangle(name, out))
			tr_buffer_add(out, name, strlen(name));
		tr_buffer_add(out, "", 1);
	}
}

static int take_demangled_names(struct tr_image *image, const struct tr_buffer *answer)
{
	const char *at = (const char *)answer->data, *end = at + answer->size;
	for (size_t i = 0; i < image->nfunctions; i++) {
		struct tr_function *function = &image->functions[i];
		if (!is_wanted(function) || at == end)
			continue;
		size_t length = strnlen(at, (size_t)(end - at));
		function->name = tr_image_name_store(image, at, length);
		if (!function->name)
			return TR_E_NOMEM;
		at += length < (size_t)(end - at) ? length + 1 : length;
	}
	return TR_OK;
}

int tr_image_demangle_functions(struct tr_image *image)
{
	const struct image_child_limits limits = {.cpu_seconds = 10,
						  .seconds = 60,
						  .memory = UINT64_C(1) << 30,
						  .most_bytes = UINT64_C(1) << 29};
	struct tr_buffer answer = {0};
	struct image_child child;
	size_t wanted = 0;
	int status = TR_OK;
	for (size_t i = 0; i < image->nfunctions; i++)
		wanted += is_wanted(&image->functions[i]);
	if (wanted == 0)
		return TR_OK;
	tr_image_child_start(&child, demangle_all, image, &limits);
	if (tr_image_child_finish(&child, &answer))
		status = take_demangled_names(image, &answer);
	else
		tr_image_warn(image, "demangler: %s; names as in the symbol table",
			      child.problem);
	tr_buffer_free(&answer);
	return status;
}
