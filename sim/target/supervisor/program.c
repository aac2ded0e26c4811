/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: ELF files inside this image, with demand paging. */
#include "supervisor.h"

#include <string.h>

#include "../csr.h"

/* The fields of the ELF structures that are read; layout by the ELF standard. */
struct elf_header {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, phoff, shoff;
	uint32_t flags;
	uint16_t ehsize, phentsize, phnum;
};
struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, paddr, filesz, memsz, align;
};
enum { PT_LOAD = 1, PF_X = 1, PF_W = 2, PF_R = 4 };

unsigned split_words(char *text, char **words, unsigned most)
{
	unsigned count = 0;

	while (count < most) {
		text += strspn(text, " \t");
		if (*text == '\0')
			break;
		words[count++] = text;
		text += strcspn(text, " \t");
		if (*text == '\0')
			break;
		*text++ = '\0';
	}
	return count;
}

const struct program *program_find(const char *name)
{
	for (const struct program *p = programs; p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static const struct elf_header *header_of(const struct program *program)
{
	return (const struct elf_header *)program->data;
}

uint64_t program_entry(const struct program *program)
{
	return header_of(program)->entry;
}

/* The linker script starts every segment on a new page. */
static const struct elf_segment *segment_at(const struct program *program,
					    uint64_t address)
{
	const struct elf_header *header = header_of(program);
	const struct elf_segment *segment = (const void *)(program->data + header->phoff);

	for (unsigned i = 0; i < header->phnum; i++, segment++)
		if (segment->type == PT_LOAD && address >= segment->vaddr &&
		    address < segment->vaddr + segment->memsz)
			return segment;
	return NULL;
}

static void fill(void *page, const struct program *program,
		 const struct elf_segment *segment, uint64_t offset)
{
	uint64_t size = PAGE_SIZE;

	if (offset >= segment->filesz)
		return;
	if (size > segment->filesz - offset)
		size = segment->filesz - offset;
	memcpy(page, program->data + segment->offset + offset, size);
}

static bool allowed(unsigned flags, uint64_t cause)
{
	if (cause == CAUSE_FETCH_PAGE)
		return flags & PTE_X;
	return flags & (cause == CAUSE_LOAD_PAGE ? PTE_R : PTE_W);
}

bool program_fault(struct thread *thread, uint64_t address, uint64_t cause)
{
	uint64_t base = address & ~(PAGE_SIZE - 1);
	const struct elf_segment *segment;
	unsigned flags = PTE_R | PTE_W;
	void *page;

	if (!thread->root || address >= USER_TOP)
		return false;
	segment = segment_at(thread->program, address);
	if (segment)
		flags = (segment->flags & PF_X ? PTE_X : 0U) |
			(segment->flags & PF_W ? PTE_W : 0U) |
			(segment->flags & PF_R ? PTE_R : 0U);
	else if (address < USER_TOP - USER_STACK_SIZE)
		return false;
	if (!allowed(flags, cause) || space_mapped(thread->root, base))
		return false;
	page = page_alloc();
	if (segment)
		fill(page, thread->program, segment, base - segment->vaddr);
	space_map(thread->root, base, page, flags);
	return true;
}

uint64_t program_arguments(struct thread *thread, char **words, unsigned count)
{
	uint8_t *page = page_alloc();
	uint64_t text = PAGE_SIZE - COMMAND_SIZE;
	uint64_t vector = text - 8 * (COMMAND_WORDS + 2);
	uint64_t *slots = (uint64_t *)(page + vector);

	slots[0] = count;
	for (unsigned i = 0; i < count; i++) {
		size_t size = strlen(words[i]) + 1;
		memcpy(page + text, words[i], size);
		slots[1 + i] = USER_TOP - PAGE_SIZE + text;
		text += size;
	}
	space_map(thread->root, USER_TOP - PAGE_SIZE, page, PTE_R | PTE_W);
	return USER_TOP - PAGE_SIZE + vector;
}
