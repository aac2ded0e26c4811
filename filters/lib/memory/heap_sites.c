/* SPDX-License-Identifier: Apache-2.0 */
/* Names of sites. Inlined calls are frames, too: their names and lines are those of the
 * binary's scopes. */
#include "memory/heap_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"

enum { NAME = 1024, LINE = 300, INLINED = 64 };

struct tr_heap_sites {
	struct tr_heap_sites_options o;
	struct tr_heap_site *sites;
	size_t count, room;
	struct tr_map by_name; /* probing key + 1, ... */
	struct tr_map by_call; /* of the stacks */
	struct tr_arena names;
	struct tr_buffer text;
};

struct tr_heap_sites *tr_heap_sites_new(const struct tr_heap_sites_options *options)
{
	struct tr_heap_sites *s = calloc(1, sizeof(*s));
	if (s)
		s->o = *options;
	return s;
}

void tr_heap_sites_free(struct tr_heap_sites *s)
{
	if (!s)
		return;
	free(s->sites);
	tr_map_free(&s->by_name);
	tr_map_free(&s->by_call);
	tr_arena_reset(&s->names);
	tr_buffer_free(&s->text);
	free(s);
}

const struct tr_heap_site *tr_heap_sites_get(const struct tr_heap_sites *s, uint32_t site)
{
	return &s->sites[site];
}

static uint64_t hash_name(const char *name, uint32_t binary)
{
	uint64_t hash = tr_mix(binary + 1ULL);
	for (; *name; name++)
		hash = tr_mix(hash + (uint8_t)*name);
	return hash;
}

/* Returns the number of the site of a name, or UINT32_MAX when out of memory. */
static uint32_t site_named(struct tr_heap_sites *s, const char *name, uint32_t binary)
{
	uint64_t key = hash_name(name, binary);
	uint32_t id;
	for (; (id = tr_map_get(&s->by_name, key)) != TR_MAP_NONE; key++)
		if (s->sites[id].binary == binary && strcmp(s->sites[id].name, name) == 0)
			return id;
	char *copy = tr_arena_take(&s->names, strlen(name) + 1);
	id = (uint32_t)s->count;
	if (!copy || !tr_grow(&s->sites, &s->room, s->count + 1, sizeof(*s->sites)) ||
	    !tr_map_set(&s->by_name, key, id))
		return UINT32_MAX;
	s->sites[s->count++] = (struct tr_heap_site){strcpy(copy, name), binary};
	return id;
}

/* ------------------------------------------------------------ frames */

/* A frame, which may be inlined. */
struct named_frame {
	char name[NAME], line[LINE]; /* "file.c:12", or empty */
	const char *binary;	     /* short name */
};

static bool is_hidden(const struct tr_heap_sites *s, const char *name, const char *binary)
{
	return tr_is_allocator(name, binary) ||
	       (s->o.hides && s->o.hides(s->o.user, name));
}

static void write_line(char *line, const char *path, int size, uint32_t number)
{
	char file[LINE];
	tr_image_name_copy(file, sizeof(file), path, size);
	const char *base = strrchr(file, '/');
	if (*file && number)
		snprintf(line, LINE, "%.280s:%" PRIu32, base ? base + 1 : file, number);
}

/* What walks over the frames of a stack, the innermost first. */
struct walk {
	struct tr_heap_sites *s;
	/* Returns true if it wants no more. */
	bool (*take)(struct walk *w, const struct named_frame *frame, bool is_last);
	uint32_t site;
	bool is_found;
};

/* Returns the image of a call, if its address is in its function. */
static const struct tr_image *image_of_call(const struct tr_heap_sites *s,
					    const struct tr_heap_call *call,
					    const struct tr_func *func)
{
	const bool is_known = func->kind == TR_FRAME_FUNCTION &&
			      call->binary < tr_symbols_count(s->o.symbols);
	const struct tr_image *image =
	    is_known ? tr_symbols_image(s->o.symbols, call->binary) : NULL;
	const struct tr_function *function =
	    image ? tr_image_function_at(image, call->address - 1) : NULL;
	return function && function->entry == func->address ? image : NULL;
}

/* Walks over the frame of a call, and what is inlined there. The address is that of a
 * return, behind the call. */
static bool walk_call(struct walk *w, const struct tr_heap_call *call)
{
	const struct tr_heap_sites *s = w->s;
	const struct tr_func *func = tr_heap_stacks_func(s->o.stacks, call->func);
	const struct tr_image *image = image_of_call(s, call, func);
	struct named_frame frame = {.binary = func->binary};
	uint32_t number = 0;
	if (image) {
		const struct tr_stretch line = tr_image_line_at(image, call->address - 1);
		const char *file =
		    line.item ? tr_image_line(image, line.item, &number) : NULL;
		if (file)
			write_line(frame.line, file, (int)strlen(file), number);
	}
	uint32_t item = image ? tr_image_scope_at(image, call->address - 1).item : 0;
	for (unsigned i = 0; item && i < INLINED; i++) {
		struct tr_scope_text text, around;
		tr_image_scope(image, item, &text);
		if (!text.around)
			break;
		tr_image_name_copy(frame.name, sizeof(frame.name), text.name,
				   text.name_size);
		if (w->take(w, &frame, false))
			return true;
		tr_image_scope(image, text.around, &around);
		*frame.line = '\0';
		write_line(frame.line, around.file, around.file_size, text.call_line);
		item = text.around;
	}
	snprintf(frame.name, sizeof(frame.name), "%s", func->name);
	return w->take(w, &frame, !call->caller);
}

static void walk_stack(struct walk *w, uint32_t call)
{
	while (call) {
		const struct tr_heap_call *at = tr_heap_stacks_call(w->s->o.stacks, call);
		if (walk_call(w, at))
			return;
		call = at->caller;
	}
}

/* ------------------------------------------------------------ sites */

/* Returns the number of the first binary of a short name. */
static uint32_t binary_named(const struct tr_heap_sites *s, const char *name)
{
	for (uint32_t i = 0; i < tr_symbols_count(s->o.symbols); i++)
		if (strcmp(tr_symbols_programs(s->o.symbols)[i], name) == 0)
			return i;
	return UINT32_MAX;
}

/* The first frame that is not hidden is the site. */
static bool take_innermost(struct walk *w, const struct named_frame *frame, bool is_last)
{
	char text[NAME + LINE + 16];
	(void)is_last;
	if (is_hidden(w->s, frame->name, frame->binary))
		return false;
	snprintf(text, sizeof(text), *frame->line ? "%s (%s)" : "%s", frame->name,
		 frame->line);
	w->site = site_named(w->s, text, binary_named(w->s, frame->binary));
	return w->is_found = true;
}

static bool take_whole(struct walk *w, const struct named_frame *frame, bool is_last)
{
	struct tr_buffer *text = &w->s->text;
	(void)is_last;
	if (w->s->o.hides && w->s->o.hides(w->s->o.user, frame->name))
		return false;
	if (text->size)
		tr_buffer_add(text, ";", 1);
	for (const char *at = frame->name; *at; at++)
		tr_buffer_add(text, *at == ';' ? ":" : at, 1);
	return false;
}

/* Turns "inner;outer" into "outer;inner". Returns false when out of memory. */
static bool reverse_frames(struct tr_buffer *text)
{
	const size_t size = text->size;
	if (!tr_buffer_grow(text, size + 1))
		return false;
	char *from = (char *)text->data, *to = from + size;
	size_t end = size, at = 0;
	while (end) {
		size_t begin = end;
		while (begin && from[begin - 1] != ';')
			begin--;
		memcpy(to + at, from + begin, end - begin);
		at += end - begin;
		end = begin ? begin - 1 : 0;
		if (begin)
			to[at++] = ';';
	}
	memmove(from, to, size);
	from[size] = '\0';
	return true;
}

static uint32_t whole_stack(struct tr_heap_sites *s, uint32_t call)
{
	struct walk w = {.s = s, .take = take_whole};
	s->text.size = 0;
	walk_stack(&w, call);
	if (!reverse_frames(&s->text) || s->text.failed)
		return UINT32_MAX;
	return site_named(s, s->text.size ? (char *)s->text.data : "[unknown]",
			  UINT32_MAX);
}

/* Returns the site of a stack; without a frame outside of the allocator it is the
 * innermost one. */
static uint32_t innermost(struct tr_heap_sites *s, uint32_t call)
{
	struct walk w = {.s = s, .take = take_innermost};
	walk_stack(&w, call);
	if (w.is_found)
		return w.site;
	const struct tr_heap_call *at = tr_heap_stacks_call(s->o.stacks, call);
	return site_named(s, tr_heap_stacks_func(s->o.stacks, at->func)->name,
			  UINT32_MAX);
}

static uint32_t site_of_call(struct tr_heap_sites *s, uint32_t call)
{
	uint32_t id = tr_map_get(&s->by_call, call);
	if (id != TR_MAP_NONE)
		return id;
	id = s->o.whole ? whole_stack(s, call) : innermost(s, call);
	return id != UINT32_MAX && tr_map_set(&s->by_call, call, id) ? id : UINT32_MAX;
}

uint32_t tr_heap_sites_of(struct tr_heap_sites *s, const struct tr_context *context,
			  uint64_t pc, const struct tr_hit *hit)
{
	const uint32_t call = s->o.stacks ? tr_heap_stacks_of(s->o.stacks, hit) : 0;
	char text[NAME];
	uint32_t binary;
	uint64_t address;
	if (call)
		return site_of_call(s, call);
	if (s->o.stacks || !tr_places_code(s->o.places, context, pc, &binary, &address))
		return site_named(s, "[unknown]", UINT32_MAX);
	tr_places_code_name(s->o.places, binary, address, text, sizeof(text));
	return site_named(s, text, binary);
}
