/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions that allocate for others. */
#include <stdbool.h>
#include <string.h>

#include "memory/heap_sites.h"

/* Short names of libraries begin with these. */
static const char *const binaries[] = {"libc.so",     "libc-",	      "libc.musl",
				       "ld-musl",     "ld-linux",     "libstdc++.so",
				       "libc++.so",   "libc++abi.so", "libjemalloc.so",
				       "libtcmalloc", "libmimalloc",  "libasan.so"};

/* What an allocator's function is called, without underscores before it, "kv", "k", "x",
 * "_r" and the like. */
static const char *const allocations[] = {"malloc",
					  "calloc",
					  "realloc",
					  "reallocarray",
					  "zalloc",
					  "memalign",
					  "aligned_alloc",
					  "posix_memalign",
					  "valloc",
					  "pvalloc",
					  "malloc_array",
					  "realloc_array",
					  "strdup",
					  "strndup",
					  "wcsdup",
					  "asprintf",
					  "vasprintf",
					  "memdup",
					  "memdup2",
					  "malloc0",
					  "malloc_n",
					  "malloc0_n",
					  "realloc_n",
					  "slice_alloc",
					  "slice_alloc0",
					  "mem_cache_alloc",
					  "mem_cache_alloc_node",
					  "mem_cache_alloc_lru",
					  "mem_cache_zalloc",
					  "malloc_node",
					  "malloc_trace",
					  "zalloc_node",
					  "memdup_user",
					  "malloc_impl",
					  "strconcat",
					  "strjoin"};

/* Before such a name, after underscores. */
static const char *const prefixes[] = {"",   "libc_",  "int_",	"default_",
				       "kv", "k",      "x",	"x_",
				       "g_", "g_try_", "safe_", "minimal_"};
static const char *const suffixes[] = {"", "_r", "_noprof", "_tls"};

static bool is_one_of(const char *name, size_t length, const char *const *list,
		      size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i]) == length && memcmp(list[i], name, length) == 0)
			return true;
	return false;
}

/* Takes such a name apart: prefix, allocation, suffix. */
static bool is_allocation(const char *name, size_t length)
{
	while (length && *name == '_') {
		name++;
		length--;
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		const size_t before = strlen(prefixes[i]);
		if (length < before || memcmp(name, prefixes[i], before) != 0)
			continue;
		for (size_t k = 0; k < sizeof(suffixes) / sizeof(*suffixes); k++) {
			const size_t after = strlen(suffixes[k]);
			if (length - before >= after &&
			    memcmp(name + length - after, suffixes[k], after) == 0 &&
			    is_one_of(name + before, length - before - after, allocations,
				      sizeof(allocations) / sizeof(*allocations)))
				return true;
		}
	}
	return false;
}

/* Returns where the qualified name of a demangled function begins, behind the type that
 * an instance of a template returns. */
static const char *qualified_name(const char *function)
{
	const char *begin = function;
	unsigned depth = 0;
	for (const char *at = function; *at && (depth || *at != '('); at++) {
		depth += *at == '<';
		depth -= depth && *at == '>';
		if (*at == ' ' && !depth)
			begin = at + 1;
	}
	return begin;
}

static bool begins_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool tr_is_allocator(const char *function, const char *binary)
{
	const char *name = qualified_name(function);
	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (begins_with(binary, binaries[i]))
			return true;
	return is_allocation(function, strcspn(function, " (.")) ||
	       begins_with(function, "operator new") || begins_with(name, "std::") ||
	       begins_with(name, "__gnu_cxx::");
}
