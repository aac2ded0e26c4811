/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of functions from the code itself, for stripped files: a function begins where a
 * call, a pointer or a jump out of another function leads, and behind the end of a known
 * one. */
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "image/image_state.h"
#include "unwind/decode.h"

enum { ROUNDS = 8, RELATIVE = 3 /* R_RISCV_RELATIVE */, NOP = 0x0001 };
enum { OPCODE_MASK = 0x7f, AUIPC = 0x17, JALR = 0x67, ADDI = 0x13, RA = 1 };

/* Beginnings of functions; sorted between the steps. */
struct entries {
	uint64_t *list;
	size_t count, capacity;
};

static bool add(struct entries *entries, const struct tr_image *image, uint64_t address)
{
	if (address % 2 || !tr_image_bytes(image, address, 2))
		return true;
	if (!tr_grow(&entries->list, &entries->capacity, entries->count + 1,
		     sizeof(*entries->list)))
		return false;
	entries->list[entries->count++] = address;
	return true;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void sort(struct entries *entries)
{
	size_t kept = 0;
	if (entries->count)
		qsort(entries->list, entries->count, sizeof(*entries->list), compare);
	for (size_t i = 0; i < entries->count; i++)
		if (i == 0 || entries->list[i] != entries->list[i - 1])
			entries->list[kept++] = entries->list[i];
	entries->count = kept;
}

/* Returns how many entries are at or below the address. */
static size_t count_to(const struct entries *entries, uint64_t address)
{
	size_t low = 0, high = entries->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (entries->list[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Functions are aligned by no-operations. */
static uint64_t skip_padding(const struct tr_image *image, uint64_t address)
{
	const uint8_t *code;
	while ((code = tr_image_bytes(image, address, 2)) &&
	       (tr_load16(code) == NOP || tr_load16(code) == 0))
		address += 2;
	return address;
}

static bool add_known(struct entries *entries, const struct tr_image *image,
		      const struct image_candidates *known)
{
	bool good = add(entries, image, image->entry);
	for (size_t i = 0; i < known->count && good; i++)
		good = add(entries, image, known->list[i].low) &&
		       add(entries, image, skip_padding(image, known->list[i].high));
	return good;
}

/* Pointers to functions that the dynamic loader relocates. */
static bool add_pointers(struct entries *entries, const struct tr_image *image,
			 const struct image_elf *elf)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (image->xlen != 64 ||
		    !gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    section.sh_type != SHT_RELA)
			continue;
		const uint8_t *data =
		    tr_image_elf_bytes(elf, section.sh_offset, section.sh_size);
		for (uint64_t at = 0; data && section.sh_size - at >= sizeof(Elf64_Rela);
		     at += sizeof(Elf64_Rela))
			if (tr_load32(data + at + 8) == RELATIVE &&
			    !add(entries, image, tr_load64(data + at + 16)))
				return false;
	}
	return true;
}

static unsigned length_of(const uint8_t *code, uint64_t room)
{
	return (code[0] & 3) == 3 && room >= 4 ? 4 : 2;
}

/* Returns true for "auipc r" with "jalr ra, r" or "addi r, r" behind it, and where they
 * lead to. */
static bool is_far(const uint8_t *code, uint64_t room, uint64_t pc, uint64_t *target)
{
	if (room < 8 || (code[0] & OPCODE_MASK) != AUIPC)
		return false;
	uint32_t high = tr_load32(code), low = tr_load32(code + 4);
	uint32_t reg = high >> 7 & 31, rd = low >> 7 & 31;
	bool is_call = (low & OPCODE_MASK) == JALR && rd == RA;
	bool is_pointer = (low & OPCODE_MASK) == ADDI && rd == reg;
	*target = pc + (uint64_t)(int32_t)(high & ~UINT32_C(0xfff)) +
		  (uint64_t)((int32_t)low >> 20);
	return (is_call || is_pointer) && (low >> 12 & 7) == 0 && (low >> 15 & 31) == reg;
}

static bool add_calls(struct entries *entries, const struct tr_image *image,
		      const struct tr_code *code)
{
	uint64_t target;
	for (uint64_t at = 0; code->size - at >= 2;) {
		const uint8_t *data = code->data + at;
		uint64_t pc = code->address + at;
		unsigned length = length_of(data, code->size - at);
		bool leads = is_far(data, code->size - at, pc, &target) ||
			     (tr_decode_flow(data, length, image->xlen) == TR_FLOW_CALL &&
			      tr_decode_target(data, length, image->xlen, pc, &target));
		if (leads && !add(entries, image, target))
			return false;
		at += length;
	}
	return true;
}

/* Adds the targets of jumps from one function to another, between its entry and the next
 * one. */
static bool add_jumps(struct entries *entries, const struct tr_image *image,
		      const struct tr_code *code)
{
	const struct entries known = *entries; /* the sorted ones */
	uint64_t target;
	for (uint64_t at = 0; code->size - at >= 2;) {
		const uint8_t *data = code->data + at;
		uint64_t pc = code->address + at;
		unsigned length = length_of(data, code->size - at);
		at += length;
		if (tr_decode_flow(data, length, image->xlen) != TR_FLOW_JUMP ||
		    !tr_decode_target(data, length, image->xlen, pc, &target))
			continue;
		struct entries sorted = {entries->list, known.count, 0};
		size_t to = count_to(&sorted, target);
		if (to && entries->list[to - 1] != target &&
		    to != count_to(&sorted, pc) && !add(entries, image, target))
			return false;
	}
	return true;
}

static bool find_entries(struct entries *entries, const struct tr_image *image,
			 const struct image_elf *elf,
			 const struct image_candidates *known)
{
	bool good = add_known(entries, image, known) && add_pointers(entries, image, elf);
	for (size_t i = 0; i < image->ncode && good; i++)
		good = add_calls(entries, image, &image->code[i]);
	sort(entries);
	for (unsigned round = 0; round < ROUNDS && good; round++) {
		size_t before = entries->count;
		for (size_t i = 0; i < image->ncode && good; i++) {
			good = add_jumps(entries, image, &image->code[i]);
			sort(entries);
		}
		if (entries->count == before)
			break;
	}
	return good;
}

static int compare_low(const void *a, const void *b)
{
	const struct image_candidate *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

static uint64_t code_end(const struct tr_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->ncode; i++)
		if (address - image->code[i].address < image->code[i].size)
			return image->code[i].address + image->code[i].size;
	return address;
}

/* Adds the functions that no candidate covers. */
static bool take(struct tr_image *image, const struct entries *entries,
		 struct image_candidates *candidates)
{
	size_t nknown = candidates->count, next = 0;
	uint64_t covered = 0;
	if (nknown)
		qsort(candidates->list, nknown, sizeof(*candidates->list), compare_low);
	for (size_t i = 0; i < entries->count; i++) {
		uint64_t low = entries->list[i];
		uint64_t high = code_end(image, low);
		for (; next < nknown && candidates->list[next].low <= low; next++)
			if (candidates->list[next].high > covered)
				covered = candidates->list[next].high;
		if (i + 1 < entries->count && entries->list[i + 1] < high)
			high = entries->list[i + 1];
		if (low < covered || low >= high)
			continue;
		if (!tr_image_add_nameless(image, candidates, low, high, IMAGE_RANK_CALL))
			return false;
	}
	return true;
}

static bool has_symbols(const struct image_elf *elf)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (gelf_getshdr(elf_getscn(elf->elf, i), &section) &&
		    section.sh_type == SHT_SYMTAB)
			return true;
	}
	return false;
}

int tr_image_calls_load(struct tr_image *image, const struct image_elf *elf,
			struct image_candidates *candidates)
{
	struct entries entries = {NULL, 0, 0};
	if (elf->has_dwarf || has_symbols(elf))
		return TR_OK;
	bool good = find_entries(&entries, image, elf, candidates) &&
		    take(image, &entries, candidates);
	free(entries.list);
	return good ? TR_OK : TR_E_NOMEM;
}
