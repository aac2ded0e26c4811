/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions that only calls show. */
#include "called_functions.h"

#include <stdlib.h>

#include "insn.h"

enum { RA = 1 << 1 };

/* What is known of an address of code. */
enum code_mark {
	BEGINS = 1,	 /* an instruction does */
	LISTED = 2,	 /* a function of the list has it */
	BOUNDARY = 4,	 /* of ranges */
	CALLED = 8,	 /* it is called, and not listed */
	CONTINUED = 16,	 /* the instruction before it continues there */
	DOUBTFUL = 32,	 /* it makes its range inconsistent */
	CONSISTENT = 64, /* its range is */
	CONFIRMED = 128, /* it is called from a consistent range */
};

/* An instruction of the program. */
struct read_insn {
	uint64_t address;
	struct prof_insn insn;
	bool calls, has_target; /* a call through x1; its target, or that of a jump or
				   branch, is known */
	uint64_t target;
};

struct call_search {
	const struct prof_elf *elf;
	const struct prof_list *list;
	uint8_t *marks; /* of each 2 bytes of the file */
};

/* Returns the marks of an address, NULL if it is none of the program's own code. */
static uint8_t *find_marks(const struct call_search *search, uint64_t address)
{
	const struct prof_section *section = prof_code_at(search->elf, address);
	if (!section || !prof_section_is_own(section) || address % 2)
		return NULL;
	return &search->marks[(section->offset + (address - section->address)) / 2];
}

static void mark(const struct call_search *search, uint64_t address, unsigned bits)
{
	uint8_t *marks = find_marks(search, address);
	if (marks)
		*marks |= (uint8_t)bits;
}

static void mark_listed(const struct call_search *search)
{
	for (size_t i = 0; i < search->list->count; i++) {
		const struct prof_listed *f = &search->list->functions[i];
		for (uint64_t at = f->start; at < f->end; at += 2)
			mark(search, at, LISTED);
		mark(search, f->start, BOUNDARY);
		mark(search, f->end, BOUNDARY);
	}
}

/* Returns whether an instruction is the second one of a call by auipc ra and jalr ra. */
static bool ends_call(const struct read_insn *last, const struct read_insn *jump)
{
	return last->insn.kind == PROF_AUIPC && last->insn.writes == RA &&
	       last->address + 4 == jump->address && jump->insn.length == 4 &&
	       (jump->insn.bits & 0xfffff) == 0x080e7;
}

static struct read_insn read_insn_at(const struct prof_section *section,
				     const uint8_t *code, uint64_t address,
				     const struct read_insn *last)
{
	const uint64_t offset = address - section->address;
	struct read_insn read = {.address = address};
	read.insn = prof_decode_insn(code + offset, section->size - offset, address);
	read.calls = read.insn.kind == PROF_CALL && read.insn.writes == RA;
	read.has_target = read.insn.has_target;
	read.target = read.insn.target;
	if (ends_call(last, &read)) {
		const int64_t low = (int32_t)read.insn.bits >> 20;
		read.has_target = true;
		read.target = (last->insn.target + (uint64_t)low) & ~UINT64_C(1);
	}
	return read;
}

/* Calls `visit` for the instructions of a section, which are read anew from the begin of
 * each function of the list on; `next` is its first one. Returns the first one behind. */
static size_t read_section(const struct call_search *search,
			   const struct prof_section *section, size_t next,
			   void (*visit)(const struct call_search *search,
					 const struct read_insn *read))
{
	const struct prof_list *list = search->list;
	const uint8_t *code = search->elf->bytes + section->offset;
	const uint64_t end = section->address + section->size;
	struct read_insn read = {0};
	for (uint64_t at = section->address; at < end;) {
		if (next < list->count && at >= list->functions[next].start)
			at = list->functions[next++].start;
		read = read_insn_at(section, code, at, &read);
		visit(search, &read);
		at += read.insn.length ? read.insn.length : 2;
	}
	while (next < list->count && list->functions[next].start < end)
		next++;
	return next;
}

static void read_code(const struct call_search *search,
		      void (*visit)(const struct call_search *search,
				    const struct read_insn *read))
{
	size_t next = 0;
	for (size_t i = 0; i < search->elf->code_count; i++)
		if (prof_section_is_own(search->elf->code[i]))
			next = read_section(search, search->elf->code[i], next, visit);
}

/* Returns whether an instruction may continue at the next one; padding does if something
 * continues with it. A call may be of a function that does not return. */
static bool continues(const struct call_search *search, const struct read_insn *read)
{
	const uint32_t bits = read->insn.bits;
	if (bits == PROF_NOP || bits == PROF_COMPRESSED_NOP)
		return *find_marks(search, read->address) & CONTINUED;
	return read->insn.kind == PROF_OTHER || read->insn.kind == PROF_AUIPC ||
	       read->insn.kind == PROF_BRANCH;
}

/* First reading: where instructions begin, and what is called. */
static void find_calls(const struct call_search *search, const struct read_insn *read)
{
	mark(search, read->address, BEGINS);
	if (continues(search, read))
		mark(search, read->address + read->insn.length, CONTINUED);
	if (!read->calls || !read->has_target)
		return;
	const uint8_t *target = find_marks(search, read->target);
	if (target && !(*target & LISTED))
		mark(search, read->target, CALLED | BOUNDARY);
}

/* Second reading: what cannot be if all is code. A call of a weak function that does not
 * exist goes nowhere. */
static void find_doubts(const struct call_search *search, const struct read_insn *read)
{
	bool doubtful = read->insn.kind == PROF_UNKNOWN;
	if (read->has_target) {
		const uint8_t *target = find_marks(search, read->target);
		doubtful |=
		    read->insn.has_target && (!prof_code_at(search->elf, read->target));
		if (target && !(*target & BEGINS)) {
			doubtful = true;
			mark(search, read->target, DOUBTFUL);
		}
	}
	if (doubtful)
		mark(search, read->address, DOUBTFUL);
}

/* Marks a range as consistent if it is. */
static void judge_range(const struct call_search *search, uint64_t start, uint64_t end)
{
	bool consistent = *find_marks(search, start) & BEGINS;
	for (uint64_t at = start; at < end && consistent; at += 2)
		consistent = !(*find_marks(search, at) & DOUBTFUL);
	for (uint64_t at = start; at < end && consistent; at += 2)
		mark(search, at, CONSISTENT);
}

static void judge_section(const struct call_search *search,
			  const struct prof_section *section)
{
	const uint64_t end = section->address + section->size;
	uint64_t start = section->address;
	for (uint64_t at = start + 2; at < end; at += 2) {
		if (!(*find_marks(search, at) & BOUNDARY))
			continue;
		judge_range(search, start, at);
		start = at;
	}
	judge_range(search, start, end);
}

/* Third reading: calls from consistent ranges. */
static void confirm_calls(const struct call_search *search, const struct read_insn *read)
{
	if (read->calls && read->has_target &&
	    *find_marks(search, read->address) & CONSISTENT)
		mark(search, read->target, CONFIRMED);
}

static bool is_function(unsigned marks)
{
	const unsigned needed = CALLED | CONFIRMED | CONSISTENT;
	return (marks & (needed | CONTINUED)) == needed;
}

/* Takes the functions of a section. */
static bool take_functions(const struct call_search *search,
			   const struct prof_section *section,
			   bool (*take)(void *context, uint64_t start, uint64_t end),
			   void *context)
{
	const uint64_t end = section->address + section->size;
	bool good = true, found = false;
	uint64_t start = 0;
	for (uint64_t at = section->address; good && at < end; at += 2) {
		const uint8_t marks = *find_marks(search, at);
		if (!is_function(marks) && !(marks & LISTED))
			continue;
		if (found)
			good = take(context, start, at);
		found = is_function(marks);
		start = at;
	}
	return good && (!found || take(context, start, end));
}

bool prof_visit_called(const struct prof_elf *elf, const struct prof_list *list,
		       struct prof_trouble *trouble,
		       bool (*take)(void *context, uint64_t start, uint64_t end),
		       void *context)
{
	const struct call_search search = {
	    .elf = elf, .list = list, .marks = calloc(elf->size / 2 + 1, 1)};
	bool good = true;
	if (!search.marks) {
		*trouble = (struct prof_trouble){"out of memory", PROF_NO_BYTE};
		return false;
	}
	mark_listed(&search);
	read_code(&search, find_calls);
	read_code(&search, find_doubts);
	for (size_t i = 0; i < elf->code_count; i++)
		if (prof_section_is_own(elf->code[i]))
			judge_section(&search, elf->code[i]);
	read_code(&search, confirm_calls);
	for (size_t i = 0; i < elf->code_count && good; i++)
		if (prof_section_is_own(elf->code[i]))
			good = take_functions(&search, elf->code[i], take, context);
	free(search.marks);
	return good;
}
