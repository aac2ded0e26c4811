/* SPDX-License-Identifier: Apache-2.0 */
/* The targets in a program's code: of branches, jumps and calls; and the addresses that
 * it computes, which are those of code or of jump tables.
 *
 * An address is an auipc or lui, whose register an addi adds the low part to. If nothing
 * can jump to between them, they belong together. Else, unless something else is known to
 * be in the register, each of the last upper parts of that register within the function
 * may.
 *
 * An entry of a jump table has 4 bytes: the distance of its target from the table or, in
 * a program at a fixed address, the target. A table ends before the first entry whose
 * target is not in code, or where the next address begins that the code computes, which
 * is another table or variable. Tables of 8-byte addresses are found as words of data. */
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "insn.h"
#include "known_targets.h"

enum { JUMP_TARGETS_MAX = 1 << 22 };
enum { UPPER_PARTS = 16, REGISTERS = 32, RA = 1 << 1, GP = 3 };
#define CALL_WRITES	  UINT32_C(0xf003fce0) /* t0 to t6, a0 to a7 */
#define TABLE_ENTRIES_MAX (UINT64_C(1) << 26)  /* of all tables */

/* The code is searched three times, each for what the next one needs. */
enum search_step { FIND_BRANCHES, FIND_VARIABLES, FIND_TABLES, SEARCH_STEPS };

struct address_search {
	const struct prof_elf *elf;
	struct prof_targets *targets;
	enum search_step step;
	uint64_t global_pointer;
	uint8_t *variables; /* a bit for each 4 bytes of the file: its address is
			       computed */
	uint64_t entries;   /* of tables, read so far */
	uint64_t function;  /* the entry of the present one; 0: none */
	/* The last upper parts of each register in this function, the newest at
	 * upper_next - 1; the registers that certainly have the newest one; and those
	 * that certainly have something else. */
	uint64_t upper[REGISTERS][UPPER_PARTS];
	uint8_t upper_count[REGISTERS], upper_next[REGISTERS];
	uint32_t certain, other;
	struct prof_table_state tables;
	bool lacks_memory;
};

static void add_upper(struct address_search *search, unsigned reg, uint64_t value)
{
	search->upper[reg][search->upper_next[reg]] = value;
	search->upper_next[reg] = (uint8_t)((search->upper_next[reg] + 1) % UPPER_PARTS);
	if (search->upper_count[reg] < UPPER_PARTS)
		search->upper_count[reg]++;
	search->certain |= UINT32_C(1) << reg;
	search->other &= ~(UINT32_C(1) << reg);
}

/* At the beginning of a function. */
static void forget_upper(struct address_search *search)
{
	memset(search->upper_count, 0, sizeof(search->upper_count));
	memset(search->upper_next, 0, sizeof(search->upper_next));
	search->certain = 0;
	search->other = UINT32_MAX;
	prof_forget_tables(&search->tables);
	if (search->global_pointer)
		add_upper(search, GP, search->global_pointer);
}

/* Where something may jump to. */
static void forget_registers(struct address_search *search)
{
	search->certain &= 1U << GP;
	search->other = 0;
	prof_forget_tables(&search->tables);
}

static int64_t sign_extend_bits(uint64_t value, unsigned bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* Reads the entry of a jump table at `at`. Returns false behind the table's end. */
static bool read_entry(const struct address_search *search, uint64_t table, uint64_t at,
		       uint64_t base, uint64_t *target)
{
	const struct prof_elf *elf = search->elf;
	const uint64_t offset = prof_file_offset(elf, at, 4);
	if (offset == UINT64_MAX || offset < elf->contents ||
	    (at > table && search->variables[offset / 32] >> offset / 4 % 8 & 1))
		return false;
	*target = base + (uint64_t)sign_extend_bits(tr_load32(elf->bytes + offset), 32);
	return *target % 2 == 0 && prof_code_at(elf, *target);
}

/* Adds the targets of a jump table whose entries are distances from `base`. */
static void take_table(struct address_search *search, uint64_t table, uint64_t base)
{
	uint64_t target;
	for (uint64_t at = table; search->entries < TABLE_ENTRIES_MAX &&
				  read_entry(search, table, at, base, &target);
	     at += 4) {
		prof_add_target(
		    search->targets, target,
		    (struct prof_origin){.kind = PROF_BY_TABLE, .at = at, .base = base});
		if (target == search->function)
			prof_mark_repeated(search->targets, target);
		search->entries++;
	}
}

/* Makes room for another element of an array. */
static void *reserve_element(struct address_search *search, void *array, size_t count,
			     size_t *capacity, size_t size)
{
	if (count < *capacity)
		return array;
	const size_t larger = 2 * *capacity + 256;
	void *more = realloc(array, larger * size);
	search->lacks_memory |= !more;
	if (more)
		*capacity = larger;
	return more ? more : array;
}

/* Adds an indirect jump with the targets in its table. */
static void add_table_jump(struct address_search *search, uint64_t address,
			   uint64_t table, uint64_t base)
{
	struct prof_targets *t = search->targets;
	struct prof_table_jump jump = {address, t->table_target_count, 0};
	uint64_t target;
	for (uint64_t at = table; t->table_target_count < JUMP_TARGETS_MAX &&
				  read_entry(search, table, at, base, &target);
	     at += 4, jump.count++) {
		t->table_targets =
		    reserve_element(search, t->table_targets, t->table_target_count,
				    &t->table_target_capacity, sizeof(*t->table_targets));
		if (search->lacks_memory)
			return;
		t->table_targets[t->table_target_count++] = target;
	}
	t->jumps = reserve_element(search, t->jumps, t->jump_count, &t->jump_capacity,
				   sizeof(*t->jumps));
	if (jump.count && t->table_target_count < JUMP_TARGETS_MAX &&
	    !search->lacks_memory)
		t->jumps[t->jump_count++] = jump;
}

/* Takes an address that the instruction at `at` completes. */
static void take_address(struct address_search *search, uint64_t address, bool is_certain,
			 uint64_t at)
{
	if (search->step == FIND_VARIABLES) {
		const uint64_t offset = prof_file_offset(search->elf, address, 4);
		if (is_certain && offset != UINT64_MAX)
			search->variables[offset / 32] |= (uint8_t)(1U << offset / 4 % 8);
		return;
	}
	prof_add_target(search->targets, address,
			(struct prof_origin){.kind = PROF_BY_CODE, .at = at});
	if (address % 4)
		return;
	take_table(search, address, address);
	if (!search->elf->movable)
		take_table(search, address, 0);
}

/* Returns whether an instruction adds a constant to a register, with the register in
 * *base and the constant in *low. */
static bool is_lower_part(const struct prof_insn *insn, uint32_t *base, int64_t *low)
{
	const uint32_t bits = insn->bits;
	if (insn->length == 4 && (bits & 0x707f) == 0x13) { /* addi */
		*base = bits >> 15 & 31;
		*low = sign_extend_bits(bits >> 20, 12);
		return true;
	}
	if (insn->length == 2 && (bits & 0xe003) == 1) { /* c.addi */
		*base = bits >> 7 & 31;
		*low = sign_extend_bits((bits >> 2 & 31) | (bits >> 7 & 32), 6);
		return true;
	}
	return false;
}

/* Returns whether an instruction is the upper part of an address. */
static bool is_upper_part(const struct prof_insn *insn, uint64_t *value)
{
	const uint32_t bits = insn->bits;
	if (insn->kind == PROF_AUIPC) {
		*value = insn->target;
		return true;
	}
	if (insn->length == 4 && (bits & 0x7f) == 0x37) { /* lui */
		*value = (uint64_t)(int64_t)(int32_t)(bits & 0xfffff000);
		return true;
	}
	if (insn->length == 2 && (bits & 0xe003) == 0x6001 && (bits >> 7 & 31) != 2) {
		const uint64_t page = (bits >> 2 & 31) | (bits >> 7 & 32); /* c.lui */
		*value = (uint64_t)sign_extend_bits(page, 6) << 12;
		return true;
	}
	return false;
}

/* Takes the addresses that an instruction completes. */
static void take_constant(struct address_search *search, const struct prof_insn *insn,
			  uint64_t at)
{
	uint32_t base;
	int64_t low;
	uint64_t upper, address = 0;
	bool completes = false;
	if (is_lower_part(insn, &base, &low)) {
		const bool certain = search->certain >> base & 1;
		const bool other = search->other >> base & 1;
		const unsigned count = certain ? 1
				       : other ? 0
					       : search->upper_count[base];
		for (unsigned i = 1; i <= count; i++) {
			const unsigned slot =
			    (search->upper_next[base] + UPPER_PARTS - i) % UPPER_PARTS;
			address = search->upper[base][slot] + (uint64_t)low;
			take_address(search, address, certain, at);
		}
		completes = certain;
	}
	prof_follow_table(&search->tables, insn, completes ? &address : NULL);
	const uint32_t writes =
	    insn->writes |
	    (insn->kind == PROF_CALL && insn->writes == RA ? CALL_WRITES : 0);
	search->certain &= ~writes;
	search->other |= writes;
	if (is_upper_part(insn, &upper))
		add_upper(search, insn->bits >> 7 & 31, upper);
	if (prof_never_continues(insn))
		forget_registers(search);
}

/* Takes an indirect jump whose table is known. */
static void take_jump(struct address_search *search, const struct prof_insn *insn,
		      uint64_t address)
{
	uint64_t table;
	bool relative;
	if (prof_uses_table(&search->tables, insn, &table, &relative) &&
	    (relative || !search->elf->movable))
		add_table_jump(search, address, table, relative ? table : 0);
}

static void search_section(struct address_search *search,
			   const struct prof_target_map *map,
			   const struct prof_listed *next, const struct prof_listed *end)
{
	while (next < end && next->start < map->address)
		next++;
	forget_upper(search);
	search->function = 0;
	for (uint64_t at = map->address; at < map->address + map->size;) {
		if (next < end && at >= next->start) {
			/* Data may have been read as code up to here. */
			at = next->start;
			search->function = at;
			next++;
			forget_upper(search);
		}
		const uint64_t offset = at - map->address;
		const struct prof_insn insn =
		    prof_decode_insn(map->code + offset, map->size - offset, at);
		if (search->step != FIND_BRANCHES) {
			if (prof_is_target(search->targets, at))
				forget_registers(search);
			if (search->step == FIND_TABLES)
				take_jump(search, &insn, at);
			take_constant(search, &insn, at);
		} else {
			map->begins[offset / 16] |= (uint8_t)(1U << offset / 2 % 8);
			if (insn.has_target)
				prof_add_target(search->targets, insn.target,
						(struct prof_origin){
						    .kind = PROF_BY_BRANCH, .at = at});
		}
		at += insn.length ? insn.length : 2;
	}
}

bool prof_add_code_targets(const struct prof_elf *elf, const struct prof_list *list,
			   uint64_t global_pointer, struct prof_targets *targets,
			   struct prof_trouble *trouble)
{
	struct address_search search = {.elf = elf,
					.targets = targets,
					.global_pointer = global_pointer,
					.variables = calloc(elf->size / 32 + 1, 1)};
	if (!search.variables) {
		*trouble = (struct prof_trouble){"out of memory", PROF_NO_BYTE};
		return false;
	}
	for (unsigned step = 0; step < SEARCH_STEPS; step++) {
		search.step = (enum search_step)step;
		for (size_t i = 0; i < targets->count; i++)
			search_section(&search, &targets->maps[i], list->functions,
				       list->functions + list->count);
	}
	free(search.variables);
	if (search.lacks_memory) {
		*trouble = (struct prof_trouble){"out of memory", PROF_NO_BYTE};
		return false;
	}
	if (search.entries < TABLE_ENTRIES_MAX)
		return true;
	*trouble = (struct prof_trouble){"jump tables have no end", elf->code[0]->header};
	return false;
}
