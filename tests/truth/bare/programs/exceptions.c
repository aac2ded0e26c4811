/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the compiler and its unwinder, for a toolchain without a C++
 * library: handlers catch any exception. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { ROOM = 16384, ENCODING_OMIT = 0xff, ENCODING_FIXED4 = 0x03, MOST_CAUGHT = 8 };
enum { REG_EXCEPTION = 10, REG_SELECTOR = 11 };

extern char eh_frame_start[];
void __register_frame(void *begin);

/* Weak symbols in C++; only their addresses matter. */
void *_ZTVN10__cxxabiv117__class_type_infoE[4];

static struct _Unwind_Exception *caught[MOST_CAUGHT];
static unsigned ncaught;

/* Functions that the unwinder needs, since the C library's assembly has no frame
 * information. */
void *memset(void *to, int value, size_t size)
{
	for (unsigned char *at = to; size--; at++)
		*at = (unsigned char)value;
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	const unsigned char *source = from;

	for (unsigned char *at = to; size--; at++)
		*at = *source++;
	return to;
}

size_t strlen(const char *text)
{
	const char *end = text;

	while (*end)
		end++;
	return (size_t)(end - text);
}

/* Memory is never freed. */
static _Alignas(16) char room[ROOM];
static size_t used;

void *malloc(size_t size)
{
	void *piece = &room[used];

	size = (size + 15) & ~(size_t)15;
	if (size > ROOM - used)
		return NULL;
	used += size;
	return piece;
}

void free(void *piece)
{
	(void)piece;
}

void abort(void)
{
	for (;;)
		continue;
}

void exceptions_begin(void);
void exceptions_begin(void)
{
	__register_frame(eh_frame_start);
}

static uint64_t read_leb(const uint8_t **at)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = *(*at)++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static uint64_t read_encoded(const uint8_t **at, uint8_t encoding)
{
	uint64_t value = 0;

	if (encoding != ENCODING_FIXED4)
		return read_leb(at);
	for (unsigned i = 0; i < 4; i++)
		value |= (uint64_t) * (*at)++ << 8 * i;
	return value;
}

struct site {
	uint64_t pad; /* address of the handler; 0: none */
	uint64_t action;
	const uint8_t *actions;
};

static struct site find_site(const uint8_t *at, uint64_t offset)
{
	struct site site = {.pad = 0};
	const uint8_t *end;
	uint64_t size;
	uint8_t encoding;

	if (*at++ != ENCODING_OMIT)
		abort();
	if (*at++ != ENCODING_OMIT)
		read_leb(&at);
	encoding = *at++;
	size = read_leb(&at);
	end = at + size;
	while (at < end) {
		uint64_t start = read_encoded(&at, encoding), pad, action;
		size = read_encoded(&at, encoding);
		pad = read_encoded(&at, encoding);
		action = read_leb(&at);
		if (offset - start < size)
			site = (struct site){pad, action, end};
	}
	return site;
}

/* Filters have one byte; the first one that is not a cleanup handles the exception. */
static int filter_of(const struct site *site)
{
	const uint8_t *at = site->actions + site->action - 1;

	if (!site->action || at[0] & 0x40)
		return 0;
	return at[0];
}

_Unwind_Reason_Code __gxx_personality_v0(int version, _Unwind_Action actions,
					 uint64_t class,
					 struct _Unwind_Exception *exception,
					 struct _Unwind_Context *context);
_Unwind_Reason_Code __gxx_personality_v0(int version, _Unwind_Action actions,
					 uint64_t class,
					 struct _Unwind_Exception *exception,
					 struct _Unwind_Context *context)
{
	const uint8_t *data = (const uint8_t *)_Unwind_GetLanguageSpecificData(context);
	uint64_t start = _Unwind_GetRegionStart(context);
	struct site site;
	int filter;

	(void)version;
	(void)class;
	if (!data)
		return _URC_CONTINUE_UNWIND;
	site = find_site(data, _Unwind_GetIP(context) - 1 - start);
	if (!site.pad)
		return _URC_CONTINUE_UNWIND;
	filter = filter_of(&site);
	if (actions & _UA_SEARCH_PHASE)
		return filter ? _URC_HANDLER_FOUND : _URC_CONTINUE_UNWIND;
	_Unwind_SetGR(context, REG_EXCEPTION, (uint64_t)exception);
	_Unwind_SetGR(context, REG_SELECTOR, (uint64_t)filter);
	_Unwind_SetIP(context, start + site.pad);
	return _URC_INSTALL_CONTEXT;
}

void *__cxa_allocate_exception(size_t size);
void *__cxa_allocate_exception(size_t size)
{
	struct _Unwind_Exception *exception = malloc(sizeof(*exception) + size);

	if (!exception)
		abort();
	memset(exception, 0, sizeof(*exception));
	return exception + 1;
}

void __cxa_throw(void *object, void *type, void (*destroy)(void *));
void __cxa_throw(void *object, void *type, void (*destroy)(void *))
{
	(void)type;
	(void)destroy;
	_Unwind_RaiseException((struct _Unwind_Exception *)object - 1);
	abort();
}

void *__cxa_begin_catch(void *exception);
void *__cxa_begin_catch(void *exception)
{
	caught[ncaught++] = exception;
	return (struct _Unwind_Exception *)exception + 1;
}

void __cxa_end_catch(void);
void __cxa_end_catch(void)
{
	ncaught--;
}

void __cxa_rethrow(void);
void __cxa_rethrow(void)
{
	_Unwind_Resume_or_Rethrow(caught[ncaught - 1]);
	abort();
}
