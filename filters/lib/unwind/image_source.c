/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/image_source.h"

#include "stream/frame.h"

static const struct tr_block *get_block(void *user, uint32_t id)
{
	const struct tr_image_source *s = user;
	return s->frame ? tr_frame_block(s->frame, id) : tr_reader_block(s->reader, id);
}

static const struct tr_timing *get_timing(void *user, uint32_t id)
{
	const struct tr_image_source *s = user;
	return s->frame ? tr_frame_timing(s->frame, id) : tr_reader_timing(s->reader, id);
}

/* Opens a binary when its code first runs, if it is of a sysroot. Returns NULL after a
 * failure. */
static const struct tr_image *image_of(struct tr_image_source *s, uint32_t binary)
{
	const struct tr_image *image = tr_symbols_image(s->symbols, binary);
	if (s->status)
		return NULL;
	if (image)
		return image;
	s->status = tr_symbols_need(s->symbols, binary);
	if (s->status)
		return NULL;
	image = tr_symbols_image(s->symbols, binary);
	if (image)
		s->opened(s->user, image);
	return image;
}

static bool get_function(void *user, uint32_t binary, uint64_t address,
			 struct tr_function *function)
{
	const struct tr_image *image = image_of(user, binary);
	const struct tr_function *found =
	    image ? tr_image_function_at(image, address) : NULL;
	if (found)
		*function = *found;
	return found;
}

static bool get_origin(void *user, uint32_t *binary, uint64_t *address, bool *is_direct)
{
	const struct tr_image_source *s = user;
	return tr_symbols_origin(s->symbols, binary, address, is_direct);
}

static bool may_inject(void *user, uint64_t pc)
{
	const struct tr_image_source *s = user;
	return tr_symbols_may_inject(s->symbols, pc);
}

static bool is_jit_memory(void *user, uint32_t space, uint64_t pc)
{
	const struct tr_image_source *s = user;
	return tr_jit_code_has(s->jit_code, space, pc);
}

static unsigned get_isa(void *user, uint32_t binary)
{
	const struct tr_image *image = image_of(user, binary);
	return image ? tr_image_isa(image) : 0;
}

static const uint8_t *get_code(void *user, uint32_t binary, uint64_t address,
			       unsigned bytes)
{
	const struct tr_image *image = image_of(user, binary);
	return image ? tr_image_bytes(image, address, bytes) : NULL;
}

static const char *get_mark(void *user, uint32_t binary, uint64_t address)
{
	const struct tr_image *image = image_of(user, binary);
	return image ? tr_image_mark_at(image, address) : NULL;
}

static void narrow_source_place(struct tr_source_place *place,
				const struct tr_stretch *stretch)
{
	if (stretch->low > place->low)
		place->low = stretch->low;
	if (stretch->high < place->high)
		place->high = stretch->high;
}

static void get_place(void *user, uint32_t binary, uint64_t address,
		      struct tr_source_place *place)
{
	const struct tr_image *image = image_of(user, binary);
	*place = (struct tr_source_place){.high = UINT64_MAX};
	if (!image)
		return;
	struct tr_stretch call = tr_image_call_at(image, address);
	struct tr_stretch line = tr_image_line_at(image, address);
	place->call = call.item;
	place->line = line.item;
	narrow_source_place(place, &call);
	narrow_source_place(place, &line);
}

/* Items come only of binaries that are open. */
static const char *get_call(void *user, uint32_t binary, uint32_t call, uint32_t *around)
{
	const struct tr_image_source *s = user;
	return tr_image_call(tr_symbols_image(s->symbols, binary), call, around);
}

static const char *get_line(void *user, uint32_t binary, uint32_t line, uint32_t *number)
{
	const struct tr_image_source *s = user;
	return tr_image_line(tr_symbols_image(s->symbols, binary), line, number);
}

static void get_source(void *user, uint32_t binary, uint64_t address,
		       struct tr_source_spot *spot)
{
	const struct tr_image *image = image_of(user, binary);
	*spot = (struct tr_source_spot){.high = UINT64_MAX};
	if (!image)
		return;
	struct tr_stretch scope = tr_image_scope_at(image, address);
	struct tr_stretch line = tr_image_spot_at(image, address);
	*spot = (struct tr_source_spot){
	    .low = scope.low > line.low ? scope.low : line.low,
	    .high = scope.high < line.high ? scope.high : line.high,
	    .scope = scope.item};
	if (line.item)
		spot->line = tr_image_spot(image, line.item, &spot->discriminator);
}

static void get_scope(void *user, uint32_t binary, uint32_t item, struct tr_scope *scope,
		      char text[3][TR_SCOPE_NAME], uint32_t *around)
{
	const struct tr_image_source *s = user;
	struct tr_scope_text of;
	tr_image_scope(tr_symbols_image(s->symbols, binary), item, &of);
	tr_image_name_copy(text[0], TR_SCOPE_NAME, of.name, of.name_size);
	tr_image_name_copy(text[1], TR_SCOPE_NAME, of.linkage, of.linkage_size);
	tr_image_name_copy(text[2], TR_SCOPE_NAME, of.file, of.file_size);
	scope->line = of.line;
	scope->call_line = of.call_line;
	scope->call_discriminator = of.call_discriminator;
	*around = of.around;
}

struct tr_unwind_source tr_image_source_calls(struct tr_image_source *source)
{
	const bool has_stubs = tr_symbols_any_stubs(source->symbols);
	return (struct tr_unwind_source){.user = source,
					 .block = get_block,
					 .timing = get_timing,
					 .function = get_function,
					 .origin = has_stubs ? get_origin : NULL,
					 .injects = has_stubs ? may_inject : NULL,
					 .is_jit =
					     source->jit_code ? is_jit_memory : NULL,
					 .isa = get_isa,
					 .code = get_code,
					 .place = source->has_places ? get_place : NULL,
					 .call = get_call,
					 .line = get_line,
					 .mark = get_mark,
					 .source = get_source,
					 .scope = get_scope};
}
