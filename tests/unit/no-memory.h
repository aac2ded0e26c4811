/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that fail on request: the n-th from now, once. */
#ifndef NO_MEMORY_H
#define NO_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The allocator behind the functions below, which run before a sanitizer has initialised
 * itself. */
#ifdef __SANITIZE_ADDRESS__
#define BEHIND(name) __interceptor_##name
#else
#define BEHIND(name) __libc_##name
#endif
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

void *BEHIND(malloc)(size_t size);
void *BEHIND(calloc)(size_t count, size_t size);
void *BEHIND(realloc)(void *old, size_t size);

static unsigned long memory_left; /* allocations until one fails; 0: none does */
static bool memory_failed;

UNCHECKED static bool memory_fails(void)
{
	if (memory_left == 0 || --memory_left != 0)
		return false;
	memory_failed = true;
	return true;
}

UNCHECKED void *malloc(size_t size)
{
	return memory_fails() ? NULL : BEHIND(malloc)(size);
}

UNCHECKED void *calloc(size_t count, size_t size)
{
	return memory_fails() ? NULL : BEHIND(calloc)(count, size);
}

UNCHECKED void *realloc(void *old, size_t size)
{
	return memory_fails() ? NULL : BEHIND(realloc)(old, size);
}

/* A sanitizer's own would not call malloc() above. */
UNCHECKED char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}

static inline void memory_fail_at(unsigned long n)
{
	memory_left = n;
	memory_failed = false;
}

#endif
