/* SPDX-License-Identifier: Apache-2.0 */
/* Block definitions of the text form. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "text/text_encode.h"
#include "text/text_names.h"

uint8_t tr_text_priv(struct tr_text_source *source, const char *name)
{
	uint8_t priv = 0;
	if (!tr_priv_from_name(name, &priv))
		tr_line_fail(source, "no such privilege: \"%.60s\"", name);
	return priv;
}

void tr_text_insn(struct tr_text_source *source, const char *word, uint64_t *bits,
		  unsigned *bytes, bool *no_bits)
{
	size_t digits = strlen(word);
	*no_bits = word[0] == '.';
	*bytes = (unsigned)digits / 2;
	*bits = *no_bits ? 0 : strtoull(word, NULL, 16);
	const char *allowed = *no_bits ? "." : "0123456789abcdefABCDEF";
	if (digits == 0 || digits > 2 * TR_INSN_MAX_BYTES || digits % 4 != 0 ||
	    word[strspn(word, allowed)])
		tr_line_fail(source,
			     "not an instruction of 4, 8, 12 or 16 digits: \"%.60s\"",
			     word);
	else if (!*no_bits && tr_insn_length((unsigned)(*bits & 0xffff)) != *bytes)
		tr_line_fail(source,
			     "an instruction with these low bits is %u bytes long: "
			     "\"%.60s\"",
			     tr_insn_length((unsigned)(*bits & 0xffff)), word);
}

static struct text_block *look_up_block(const struct text_blocks *blocks,
					const char *name, uint64_t *key)
{
	*key = XXH64(name, strlen(name), 0);
	for (;; ++*key) {
		uint32_t index = tr_map_get(&blocks->by_name, *key);
		if (index == TR_MAP_NONE)
			return NULL;
		if (strcmp(blocks->blocks[index].name, name) == 0)
			return &blocks->blocks[index];
	}
}

struct text_block *tr_text_find_block(struct tr_text_source *source,
				      struct text_blocks *blocks, const char *name)
{
	uint64_t key;
	struct text_block *found = look_up_block(blocks, name, &key);
	if (!found)
		tr_line_fail(source, "no block \"%.60s\" so far", name);
	return found;
}

/* Returns the entry of that name, new or to be redefined; NULL when out of memory. */
static struct text_block *entry_for(struct text_blocks *blocks, const char *name)
{
	uint64_t key;
	struct text_block *block = look_up_block(blocks, name, &key);
	if (block)
		return block;
	size_t size = strlen(name) + 1;
	char *copy = tr_arena_take(&blocks->arena, size);
	if (!copy ||
	    !tr_grow(&blocks->blocks, &blocks->room, blocks->count + 1,
		     sizeof(*blocks->blocks)) ||
	    !tr_map_set(&blocks->by_name, key, (uint32_t)blocks->count))
		return NULL;
	memcpy(copy, name, size);
	block = &blocks->blocks[blocks->count++];
	*block = (struct text_block){.name = copy};
	return block;
}

/* Appends one instruction to `code`, which has sufficient room. */
static void append_block_insn(struct tr_text_source *source, const char *word,
			      uint8_t *code, struct tr_block *block)
{
	uint64_t bits;
	unsigned bytes;
	bool no_bits;
	tr_text_insn(source, word, &bits, &bytes, &no_bits);
	if (block->tokens == TR_BLOCK_MAX_TOKENS)
		tr_line_fail(source, "more than %d instructions", TR_BLOCK_MAX_TOKENS);
	else if (block->tokens && block->no_bits != no_bits)
		tr_line_fail(source, "some instructions have bits and some have not");
	if (source->status)
		return;
	if (no_bits)
		code[block->tokens] = (uint8_t)bytes;
	for (unsigned i = 0; i < bytes && !no_bits; i++)
		code[block->bytes + i] = (uint8_t)(bits >> 8 * i);
	block->no_bits = no_bits;
	block->tokens++;
	block->bytes = (uint16_t)(block->bytes + bytes);
}

struct text_block *tr_text_define_block(struct tr_text_source *source,
					struct text_blocks *blocks)
{
	uint8_t code[TR_BLOCK_MAX_TOKENS * TR_INSN_MAX_BYTES];
	const char *name = tr_line_want(source, "the name of the block");
	struct tr_block block = {0};
	const char *word = tr_line_value(source, "pc");
	if (!word)
		tr_line_fail(source, "pc= is missing");
	block.pc = tr_line_address(source, word);
	while (!source->status && (word = tr_line_word(source)))
		append_block_insn(source, word, code, &block);
	if (block.tokens == 0)
		tr_line_fail(source, "a block without instructions");
	if (tr_line_done(source))
		return NULL;
	struct text_block *entry = entry_for(blocks, name);
	size_t size = block.no_bits ? block.tokens : block.bytes;
	uint8_t *copy = entry ? tr_arena_take(&blocks->arena, size) : NULL;
	if (!copy) {
		tr_line_status(source, TR_E_NOMEM);
		return NULL;
	}
	memcpy(copy, code, size);
	entry->block = block;
	entry->block.code = copy;
	entry->generation = UINT64_MAX;
	return entry;
}

void tr_text_blocks_release(struct text_blocks *blocks)
{
	free(blocks->blocks);
	tr_map_free(&blocks->by_name);
	tr_arena_reset(&blocks->arena);
}
