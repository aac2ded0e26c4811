/* SPDX-License-Identifier: Apache-2.0 */
/* Ordered text key/value pairs: the header and the end record of a stream. */
#include "stream/header.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/status.h"
#include "stream/isa.h"
#include "stream/stream.h"

struct entry {
	char *key, *value;
};

struct tr_header {
	struct entry *entries;
	size_t count, capacity;
	struct tr_map index; /* from the hash of a key to its first entry */
};

struct tr_header *tr_header_new(void)
{
	return calloc(1, sizeof(struct tr_header));
}

void tr_header_free(struct tr_header *header)
{
	if (!header)
		return;
	for (size_t i = 0; i < header->count; i++) {
		free(header->entries[i].key);
		free(header->entries[i].value);
	}
	free(header->entries);
	tr_map_free(&header->index);
	free(header);
}

struct tr_header *tr_header_copy(const struct tr_header *from)
{
	struct tr_header *copy = tr_header_new();
	for (size_t i = 0; copy && i < from->count; i++)
		if (tr_header_add(copy, from->entries[i].key, from->entries[i].value)) {
			tr_header_free(copy);
			return NULL;
		}
	return copy;
}

static bool is_header_key(const char *key)
{
	return *key && !key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_.")];
}

static char *clean_value(const char *value)
{
	char *copy = strdup(value);
	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c < 0x20 && *c != '\t')
			*c = '?';
	return copy;
}

/* Returns the first entry of `key`, or NULL with *hash set to the free place in the index
 * where it belongs. */
static struct entry *find_header_entry(const struct tr_header *header, const char *key,
				       uint64_t *hash)
{
	*hash = XXH64(key, strlen(key), 0);
	for (;; ++*hash) {
		uint32_t i = tr_map_get(&header->index, *hash);
		if (i == TR_MAP_NONE)
			return NULL;
		if (strcmp(header->entries[i].key, key) == 0)
			return &header->entries[i];
	}
}

/* Indexes entry `i` unless an earlier one has its key. Returns a status. */
static int add_to_index(struct tr_header *header, size_t i)
{
	uint64_t hash;
	if (find_header_entry(header, header->entries[i].key, &hash) ||
	    tr_map_set(&header->index, hash, (uint32_t)i))
		return TR_OK;
	return TR_E_NOMEM;
}

int tr_header_add(struct tr_header *header, const char *key, const char *value)
{
	if (!is_header_key(key))
		return TR_E_ARGUMENT;
	if (!tr_grow(&header->entries, &header->capacity, header->count + 1,
		     sizeof(*header->entries)))
		return TR_E_NOMEM;
	struct entry entry = {strdup(key), clean_value(value)};
	if (!entry.key || !entry.value) {
		free(entry.key);
		free(entry.value);
		return TR_E_NOMEM;
	}
	header->entries[header->count++] = entry;
	return add_to_index(header, header->count - 1);
}

int tr_header_set(struct tr_header *header, const char *key, const char *value)
{
	uint64_t hash;
	struct entry *entry = find_header_entry(header, key, &hash);
	if (!entry)
		return tr_header_add(header, key, value);
	char *copy = clean_value(value);
	if (!copy)
		return TR_E_NOMEM;
	free(entry->value);
	entry->value = copy;
	return TR_OK;
}

int tr_header_set_u64(struct tr_header *header, const char *key, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return tr_header_set(header, key, text);
}

void tr_header_remove(struct tr_header *header, const char *prefix)
{
	size_t kept = 0;
	for (size_t i = 0; i < header->count; i++) {
		struct entry *entry = &header->entries[i];
		if (strncmp(entry->key, prefix, strlen(prefix)) != 0) {
			header->entries[kept++] = *entry;
			continue;
		}
		free(entry->key);
		free(entry->value);
	}
	header->count = kept;
	/* There were as many before, so the map does not grow. */
	tr_map_clear(&header->index);
	for (size_t i = 0; i < kept; i++)
		add_to_index(header, i);
}

const char *tr_header_get(const struct tr_header *header, const char *key)
{
	uint64_t hash;
	const struct entry *entry = find_header_entry(header, key, &hash);
	return entry ? entry->value : NULL;
}

uint64_t tr_header_get_u64(const struct tr_header *header, const char *key,
			   uint64_t fallback)
{
	const char *text = tr_header_get(header, key);
	if (!text || !*text || text[strspn(text, "0123456789")])
		return fallback;
	errno = 0;
	uint64_t value = strtoull(text, NULL, 10);
	return errno ? fallback : value;
}

const char *tr_header_bin(const struct tr_header *header, uint32_t n, const char *below)
{
	char key[64];
	snprintf(key, sizeof(key), "bin.%" PRIu32 "%s", n, below);
	return tr_header_get(header, key);
}

unsigned tr_header_xlen(const struct tr_header *header)
{
	return tr_header_get_u64(header, "xlen", 64) == 32 ? 32 : 64;
}

unsigned tr_header_isa(const struct tr_header *header)
{
	const char *isa = tr_header_get(header, "isa");
	const unsigned xlen = tr_header_xlen(header);
	return isa ? tr_isa_parse(xlen, isa, strlen(isa)) : xlen;
}

uint32_t tr_header_commit_width(const struct tr_header *header)
{
	uint64_t width = tr_header_get_u64(header, "commit_width", 1);
	if (width == 0)
		return 1;
	return width < TR_MAX_COMMIT_WIDTH ? (uint32_t)width : TR_MAX_COMMIT_WIDTH;
}

uint32_t tr_header_hart_width(const struct tr_header *header, uint32_t hart)
{
	const uint32_t most = tr_header_commit_width(header);
	char key[32];
	snprintf(key, sizeof(key), "commit_width.%" PRIu32, hart);
	const uint64_t width = tr_header_get_u64(header, key, most);
	return width && most % width == 0 ? (uint32_t)width : most;
}

bool tr_header_lacks(const struct tr_header *header, const char *what)
{
	const char *at = tr_header_get(header, "cannot_supply");
	size_t size = strlen(what);
	while (at && *at) {
		size_t word = strcspn(at, ",");
		if (word == size && memcmp(at, what, size) == 0)
			return true;
		at += word + (at[word] == ',');
	}
	return false;
}

/* The key "watch" lists the registers whose writes are reported: "2,4". */
uint32_t tr_header_watched(const struct tr_header *header)
{
	const char *watch = tr_header_get(header, "watch");
	uint32_t registers = 0;
	while (watch) {
		unsigned long reg = strtoul(watch, NULL, 10);
		if (reg > 0 && reg < 32)
			registers |= UINT32_C(1) << reg;
		watch = strchr(watch, ',');
		if (watch)
			watch++;
	}
	if (tr_header_lacks(header, "tp"))
		registers &= ~(UINT32_C(1) << TR_REG_TP);
	return registers;
}

bool tr_header_watches_tp(const struct tr_header *header)
{
	return tr_header_watched(header) >> TR_REG_TP & 1;
}

bool tr_header_watches_sp(const struct tr_header *header)
{
	return (tr_header_watched(header) >> TR_REG_SP & 1) &&
	       !tr_header_lacks(header, "insn");
}

const char *tr_header_cut_off(const struct tr_header *header)
{
	static const char *const words[] = {
	    "interrupted", "killed by signal", "exited with status", "truncated",
	    "corrupt",	   "unsupported",      "input failed"};
	const char *end = tr_header_get(header, "end");
	for (size_t i = 0; end && i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(end, words[i], strlen(words[i])) == 0)
			return end;
	return NULL;
}

size_t tr_header_count(const struct tr_header *header)
{
	return header->count;
}

const char *tr_header_key(const struct tr_header *header, size_t i)
{
	return header->entries[i].key;
}

const char *tr_header_value(const struct tr_header *header, size_t i)
{
	return header->entries[i].value;
}

char *tr_header_format(const struct tr_header *header, size_t *size)
{
	struct tr_buffer text = {0};
	for (size_t i = 0; i < header->count; i++) {
		const struct entry *entry = &header->entries[i];
		tr_buffer_add(&text, entry->key, strlen(entry->key));
		tr_buffer_add(&text, "=", 1);
		tr_buffer_add(&text, entry->value, strlen(entry->value));
		tr_buffer_add(&text, "\n", 1);
	}
	*size = text.size;
	tr_buffer_add(&text, "", 1);
	if (text.failed)
		tr_buffer_free(&text);
	return (char *)text.data;
}

static int parse_header_line(struct tr_header *header, char *line)
{
	char *equals = strchr(line, '=');
	if (!equals)
		return TR_E_CORRUPT;
	*equals = '\0';
	int status = tr_header_add(header, line, equals + 1);
	return status == TR_E_ARGUMENT ? TR_E_CORRUPT : status;
}

int tr_header_parse(struct tr_header *header, const char *text, size_t size)
{
	if (memchr(text, '\0', size) || (size && text[size - 1] != '\n'))
		return TR_E_CORRUPT;
	char *copy = strndup(text, size);
	if (!copy)
		return TR_E_NOMEM;
	int status = TR_OK;
	for (char *line = copy, *end; !status && *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		status = parse_header_line(header, line);
	}
	free(copy);
	return status;
}

enum tr_content tr_header_content(const struct tr_header *header)
{
	const char *content = tr_header_get(header, "content");
	return content && strcmp(content, "stacks") == 0 ? TR_CONTENT_STACKS
							 : TR_CONTENT_ROWS;
}
