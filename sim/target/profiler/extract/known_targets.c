/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the addresses to which something may jump, from all parts of a program. */
#include "known_targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "unwind_tables.h"

enum {
	SYMBOL_OBJECT = 1,
	SYMBOL_SECTION = 3,
	SYMBOL_FILE = 4,
	SYMBOL_TLS = 6,
	RELOCATED_MAX = 8,
	WORD = 8
};

static struct prof_target_map *find_map(const struct prof_targets *targets,
					uint64_t address)
{
	size_t low = 0, high = targets->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		struct prof_target_map *map = &targets->maps[middle];
		if (address < map->address)
			high = middle;
		else if (address - map->address >= map->size)
			low = middle + 1;
		else
			return map;
	}
	return NULL;
}

/* Keeps the origin of an address that is asked for, if none is better. */
static void note_origin(struct prof_targets *targets, uint64_t address,
			const struct prof_origin *origin)
{
	size_t low = 0, high = targets->watched_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		struct prof_watched *watched = &targets->watched[middle];
		if (address < watched->address) {
			high = middle;
		} else if (address > watched->address) {
			low = middle + 1;
		} else {
			if (watched->origin.kind == PROF_BY_NOTHING ||
			    origin->kind < watched->origin.kind)
				watched->origin = *origin;
			return;
		}
	}
}

void prof_add_target(struct prof_targets *targets, uint64_t address,
		     struct prof_origin origin)
{
	const bool indirect = origin.kind != PROF_BY_BRANCH;
	struct prof_target_map *map = find_map(targets, address);
	if (!map || address % 2)
		return;
	const uint64_t bit = (address - map->address) / 2;
	(indirect ? map->indirect : map->direct)[bit / 8] |= (uint8_t)(1U << bit % 8);
	note_origin(targets, address, &origin);
}

bool prof_is_target(const struct prof_targets *targets, uint64_t address)
{
	const struct prof_target_map *map = find_map(targets, address);
	if (!map || address % 2)
		return false;
	const uint64_t bit = (address - map->address) / 2;
	return ((map->direct[bit / 8] | map->indirect[bit / 8]) & map->begins[bit / 8]) >>
		   bit % 8 &
	       1;
}

void prof_mark_repeated(struct prof_targets *targets, uint64_t entry)
{
	struct prof_target_map *map = find_map(targets, entry);
	if (!map)
		return;
	const uint64_t bit = (entry - map->address) / 2;
	map->repeated[bit / 8] |= (uint8_t)(1U << bit % 8);
}

bool prof_is_repeated(const struct prof_targets *targets, uint64_t entry)
{
	const struct prof_target_map *map = find_map(targets, entry);
	if (!map)
		return false;
	const uint64_t bit = (entry - map->address) / 2;
	return map->repeated[bit / 8] >> bit % 8 & 1;
}

static bool blame_memory(struct prof_trouble *trouble)
{
	*trouble = (struct prof_trouble){"out of memory", PROF_NO_BYTE};
	return false;
}

static bool make_maps(const struct prof_elf *elf, struct prof_targets *targets,
		      struct prof_trouble *trouble)
{
	targets->maps = calloc(elf->code_count, sizeof(*targets->maps));
	if (!targets->maps)
		return blame_memory(trouble);
	for (size_t i = 0; i < elf->code_count; i++) {
		const struct prof_section *s = elf->code[i];
		const size_t bytes = (size_t)(s->size / 16 + 1);
		struct prof_target_map *map = &targets->maps[targets->count++];
		*map = (struct prof_target_map){.address = s->address,
						.size = s->size,
						.code = elf->bytes + s->offset,
						.direct = calloc(bytes, 1),
						.indirect = calloc(bytes, 1),
						.begins = calloc(bytes, 1),
						.repeated = calloc(bytes, 1)};
		if (!map->direct || !map->indirect || !map->begins || !map->repeated)
			return blame_memory(trouble);
	}
	return true;
}

/* Adds the values of all symbols of a table, and finds that of gp. */
static bool add_symbols(const struct prof_elf *elf, const struct prof_section *section,
			struct prof_targets *targets, uint64_t *global_pointer,
			struct prof_trouble *trouble)
{
	struct prof_symbols symbols;
	struct prof_symbol symbol;
	if (!prof_symbols_open(elf, section, &symbols, trouble))
		return false;
	for (size_t i = 1; i < symbols.count; i++) {
		if (!prof_symbol_read(&symbols, i, &symbol))
			continue;
		const bool mark = symbol.name[0] == '$' &&
				  (symbol.name[1] == 'x' || symbol.name[1] == 'd');
		if (symbol.section == 0 || symbol.type == SYMBOL_OBJECT ||
		    symbol.type == SYMBOL_SECTION || symbol.type == SYMBOL_FILE ||
		    symbol.type == SYMBOL_TLS || mark)
			continue;
		prof_add_target(targets, symbol.value,
				(struct prof_origin){.kind = PROF_BY_SYMBOL});
		if (strcmp(symbol.name, "__global_pointer$") == 0)
			*global_pointer = symbol.value;
	}
	return true;
}

/* Adds what a table of relocations refers to. What the dynamic linker changes in code is
 * taken as a target, so that it stays where it is. */
static bool add_relocations(const struct prof_elf *elf,
			    const struct prof_section *section,
			    struct prof_targets *targets, struct prof_trouble *trouble)
{
	struct prof_symbols symbols = {0};
	const struct prof_section *of =
	    section->link && section->link < elf->section_count
		? &elf->sections[section->link]
		: NULL;
	if (section->size % PROF_RELOCATION_SIZE) {
		*trouble =
		    (struct prof_trouble){"not a table of relocations", section->header};
		return false;
	}
	if (of && of->size && !prof_symbols_open(elf, of, &symbols, trouble))
		return false;
	const uint8_t *bytes = prof_section_bytes(elf, section, trouble);
	if (!bytes)
		return false;
	for (size_t i = 0; i < section->size / PROF_RELOCATION_SIZE; i++) {
		const struct prof_relocation r = prof_relocation_read(bytes, i);
		struct prof_symbol symbol = {0};
		if (r.symbol && r.symbol < symbols.count)
			prof_symbol_read(&symbols, r.symbol, &symbol);
		prof_add_target(
		    targets, symbol.value + (uint64_t)r.addend,
		    (struct prof_origin){.kind = PROF_BY_RELOCATION, .at = r.offset});
		for (uint64_t k = 0; section->flags & PROF_SECTION_ALLOC &&
				     k < RELOCATED_MAX && r.offset % 2 == 0;
		     k += 2)
			prof_add_target(
			    targets, r.offset + k,
			    (struct prof_origin){.kind = PROF_BY_CHANGE, .at = r.offset});
	}
	return true;
}

/* Adds the word at an address. */
static void add_word_at(const struct prof_elf *elf, uint64_t address,
			struct prof_targets *targets)
{
	const uint64_t offset = prof_file_offset(elf, address, WORD);
	if (offset != UINT64_MAX)
		prof_add_target(
		    targets, tr_load64(elf->bytes + offset),
		    (struct prof_origin){.kind = PROF_BY_WORD, .at = address});
}

/* Adds the words that a compact table of relocations (RELR) has the places of: an even
 * entry is an address, an odd one has a bit for each of the 63 words behind the last. */
static bool add_compact_relocations(const struct prof_elf *elf,
				    const struct prof_section *section,
				    struct prof_targets *targets,
				    struct prof_trouble *trouble)
{
	const uint8_t *bytes = prof_section_bytes(elf, section, trouble);
	uint64_t place = 0;
	if (!bytes)
		return false;
	for (uint64_t at = 0; at + WORD <= section->size; at += WORD) {
		const uint64_t entry = tr_load64(bytes + at);
		if (entry % 2 == 0) {
			add_word_at(elf, entry, targets);
			place = entry + WORD;
			continue;
		}
		for (unsigned bit = 1; bit < 64; bit++)
			if (entry >> bit & 1)
				add_word_at(elf, place + (bit - 1) * WORD, targets);
		place += UINT64_C(63) * WORD;
	}
	return true;
}

static bool add_tables(const struct prof_elf *elf, struct prof_targets *targets,
		       uint64_t *global_pointer, struct prof_trouble *trouble)
{
	for (size_t i = 1; i < elf->section_count; i++) {
		const struct prof_section *s = &elf->sections[i];
		bool good = true;
		if (s->type == PROF_TYPE_SYMBOLS || s->type == PROF_TYPE_DYNAMIC_SYMBOLS)
			good = add_symbols(elf, s, targets, global_pointer, trouble);
		else if (s->type == PROF_TYPE_ADDENDS)
			good = add_relocations(elf, s, targets, trouble);
		else if (s->type == PROF_TYPE_COMPACT)
			good = add_compact_relocations(elf, s, targets, trouble);
		if (!good)
			return false;
	}
	return true;
}

/* Returns whether a word is a number that is like an address of code, but odd. */
static bool is_odd_number(const struct prof_elf *elf, const uint8_t *word)
{
	const uint64_t value = tr_load64(word);
	return value % 2 && prof_code_at(elf, value);
}

/* Adds words of the loaded bytes that are addresses of code. Beside a word that is odd
 * they are numbers, such as those of characters. */
static void add_words(const struct prof_elf *elf, const struct prof_segment *segment,
		      struct prof_targets *targets)
{
	const uint8_t *bytes = elf->bytes + segment->offset;
	for (uint64_t at = (0 - segment->address) % WORD; at + WORD <= segment->file_size;
	     at += WORD) {
		const uint8_t *word = bytes + at;
		const uint64_t value = tr_load64(word);
		if (!prof_code_at(elf, value) ||
		    (at >= WORD && is_odd_number(elf, word - WORD)) ||
		    (at + 2 * WORD <= segment->file_size &&
		     is_odd_number(elf, word + WORD)))
			continue;
		prof_add_target(targets, value,
				(struct prof_origin){.kind = PROF_BY_WORD,
						     .at = segment->address + at});
	}
}

/* Where landing pads are collected. */
struct pad_search {
	const struct prof_elf *elf;
	struct prof_targets *targets;
	uint64_t function;
};

static void add_landing_pad(void *context, uint64_t address)
{
	const struct pad_search *search = context;
	prof_add_target(
	    search->targets, address,
	    (struct prof_origin){.kind = PROF_BY_PAD, .at = search->function});
}

static bool add_landing_pads(void *context, const struct prof_unwind_entry *entry)
{
	struct pad_search *search = context;
	search->function = entry->start;
	if (entry->call_sites &&
	    !prof_visit_landing_pads(search->elf, entry, add_landing_pad, search))
		for (uint64_t k = 0; k < TR_STUBS_ENTRY_MAX; k += 2)
			prof_add_target(search->targets, entry->start + k,
					(struct prof_origin){.kind = PROF_BY_ANY_PAD,
							     .at = entry->start});
	return true;
}

/* Makes the sorted list of indirect targets. */
static bool list_indirect(struct prof_targets *targets, struct prof_trouble *trouble)
{
	size_t count = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < targets->count; i++) {
			const struct prof_target_map *map = &targets->maps[i];
			for (uint64_t bit = 0; bit < map->size / 2; bit++) {
				if (!(map->indirect[bit / 8] & map->begins[bit / 8] &
				      1U << bit % 8))
					continue;
				if (pass == 0)
					count++;
				else
					targets->indirect[targets->indirect_count++] =
					    map->address + 2 * bit;
			}
		}
		if (pass == 0) {
			targets->indirect = malloc((count + 1) * sizeof(uint64_t));
			if (!targets->indirect)
				return blame_memory(trouble);
		}
	}
	return true;
}

/* Collects the targets in `targets`, which may have addresses to watch. */
static bool collect_targets(const struct prof_elf *elf, const struct prof_list *list,
			    struct prof_targets *targets, struct prof_trouble *trouble)
{
	struct pad_search search = {.elf = elf, .targets = targets};
	uint64_t global_pointer = 0;
	if (!make_maps(elf, targets, trouble) ||
	    !add_tables(elf, targets, &global_pointer, trouble) ||
	    !prof_visit_unwind(elf, trouble, add_landing_pads, &search) ||
	    !prof_add_code_targets(elf, list, global_pointer, targets, trouble)) {
		prof_free_targets(targets);
		return false;
	}
	prof_add_target(targets, elf->entry, (struct prof_origin){.kind = PROF_BY_ENTRY});
	/* In others an address has a relocation, and numbers resemble addresses. */
	for (size_t i = 0; i < elf->segment_count && !elf->movable; i++)
		add_words(elf, &elf->segments[i], targets);
	if (list_indirect(targets, trouble))
		return true;
	prof_free_targets(targets);
	return false;
}

bool prof_find_targets(const struct prof_elf *elf, const struct prof_list *list,
		       struct prof_targets *targets, struct prof_trouble *trouble)
{
	*targets = (struct prof_targets){0};
	return collect_targets(elf, list, targets, trouble);
}

bool prof_find_origins(const struct prof_elf *elf, const struct prof_list *list,
		       struct prof_watched *watched, size_t count,
		       struct prof_trouble *trouble)
{
	struct prof_targets targets = {.watched = watched, .watched_count = count};
	if (!collect_targets(elf, list, &targets, trouble))
		return false;
	prof_free_targets(&targets);
	return true;
}

void prof_free_targets(struct prof_targets *targets)
{
	for (size_t i = 0; i < targets->count; i++) {
		free(targets->maps[i].direct);
		free(targets->maps[i].indirect);
		free(targets->maps[i].begins);
		free(targets->maps[i].repeated);
	}
	free(targets->maps);
	free(targets->indirect);
	free(targets->jumps);
	free(targets->table_targets);
	*targets = (struct prof_targets){0};
}
