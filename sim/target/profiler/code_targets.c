/* SPDX-License-Identifier: Apache-2.0 */
/* The targets in a program's code: of branches, jumps and calls; and the addresses that
 * it computes, which are those of code or of jump tables.
 *
 * An address is an auipc or lui, whose register an addi adds the low part to. Other
 * instructions may be between them, also of other blocks. Of each register the last
 * upper parts within the function are therefore combined with each addi. An entry of a
 * jump table has 4 bytes, and is the distance of its target from the table. A table
 * ends before the first entry whose target is not in code. */
#include <string.h>

#include "base/little.h"
#include "insn.h"
#include "known_targets.h"

enum { UPPER_PARTS = 16, REGISTERS = 32, GP = 3 };
#define TABLE_ENTRIES_MAX (UINT64_C(1) << 26) /* of all tables */

struct address_search {
	const struct prof_elf *elf;
	struct prof_targets *targets;
	uint64_t global_pointer;
	uint64_t entries; /* read so far */
	/* The last upper parts of each register in this function. */
	uint64_t upper[REGISTERS][UPPER_PARTS];
	uint8_t upper_count[REGISTERS], upper_next[REGISTERS];
};

static void forget_upper(struct address_search *search)
{
	memset(search->upper_count, 0, sizeof(search->upper_count));
	memset(search->upper_next, 0, sizeof(search->upper_next));
	search->upper[GP][0] = search->global_pointer;
	search->upper_count[GP] = search->global_pointer != 0;
	search->upper_next[GP] = search->upper_count[GP];
}

static void add_upper(struct address_search *search, unsigned reg, uint64_t value)
{
	search->upper[reg][search->upper_next[reg]] = value;
	search->upper_next[reg] = (uint8_t)((search->upper_next[reg] + 1) % UPPER_PARTS);
	if (search->upper_count[reg] < UPPER_PARTS)
		search->upper_count[reg]++;
}

static int64_t sign_extend_bits(uint64_t value, unsigned bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* Returns the entry of a table, or 0 behind the program's bytes. */
static bool read_table_entry(const struct address_search *search, uint64_t address,
			     uint64_t *entry)
{
	const uint64_t offset = prof_file_offset(search->elf, address, 4);
	if (offset == UINT64_MAX)
		return false;
	*entry = (uint64_t)sign_extend_bits(tr_load32(search->elf->bytes + offset), 32);
	return true;
}

static void take_address(struct address_search *search, uint64_t address)
{
	uint64_t entry;
	if (prof_code_at(search->elf, address))
		prof_add_target(search->targets, address, true);
	if (address % 4)
		return;
	for (uint64_t at = address;
	     search->entries < TABLE_ENTRIES_MAX && read_table_entry(search, at, &entry);
	     at += 4) {
		search->entries++;
		if (entry % 2 || !prof_code_at(search->elf, address + entry))
			break;
		prof_add_target(search->targets, address + entry, true);
	}
}

/* Takes the upper part of an address, or combines the lower one with upper parts. */
static void take_constant(struct address_search *search, const struct prof_insn *insn)
{
	const uint32_t bits = insn->bits, rd = bits >> 7 & 31;
	const uint64_t short_low = (bits >> 2 & 31) | (bits >> 7 & 32);
	uint32_t base;
	int64_t low;
	if (insn->kind == PROF_AUIPC) {
		add_upper(search, rd, insn->target);
	} else if (insn->length == 4 && (bits & 0x7f) == 0x37) { /* lui */
		add_upper(search, rd, (uint64_t)(int64_t)(int32_t)(bits & 0xfffff000));
	} else if (insn->length == 2 && (bits & 0xe003) == 0x6001 && rd != 2) {
		/* c.lui */
		add_upper(search, rd, (uint64_t)sign_extend_bits(short_low, 6) << 12);
	} else {
		if (insn->length == 4 && (bits & 0x7077) == 0x13) { /* addi, addiw */
			base = bits >> 15 & 31;
			low = sign_extend_bits(bits >> 20, 12);
		} else if (insn->length == 2 && (bits & 0xc003) == 1) { /* c.addi(w) */
			base = rd;
			low = sign_extend_bits(short_low, 6);
		} else {
			return;
		}
		for (unsigned i = 0; i < search->upper_count[base]; i++)
			take_address(search, search->upper[base][i] + (uint64_t)low);
	}
}

static void search_section(struct address_search *search,
			   const struct prof_target_map *map,
			   const struct prof_listed *next, const struct prof_listed *end)
{
	while (next < end && next->start < map->address)
		next++;
	forget_upper(search);
	for (uint64_t at = map->address; at < map->address + map->size;) {
		if (next < end && at >= next->start) {
			/* Data may have been read as code up to here. */
			at = next->start;
			next++;
			forget_upper(search);
		}
		const uint64_t offset = at - map->address;
		const struct prof_insn insn =
		    prof_decode_insn(map->code + offset, map->size - offset, at);
		if (insn.has_target && insn.kind != PROF_AUIPC)
			prof_add_target(search->targets, insn.target, false);
		take_constant(search, &insn);
		at += insn.length ? insn.length : 2;
	}
}

bool prof_add_code_targets(const struct prof_elf *elf, const struct prof_list *list,
			   uint64_t global_pointer, struct prof_targets *targets,
			   struct prof_trouble *trouble)
{
	struct address_search search = {
	    .elf = elf, .targets = targets, .global_pointer = global_pointer};
	for (size_t i = 0; i < targets->count; i++)
		search_section(&search, &targets->maps[i], list->functions,
			       list->functions + list->count);
	if (search.entries < TABLE_ENTRIES_MAX)
		return true;
	*trouble = (struct prof_trouble){"jump tables have no end",
					 elf->code_count ? elf->code[0]->header : 0};
	return false;
}
