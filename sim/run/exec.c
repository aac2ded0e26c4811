/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises the start of a program. */
#include "exec.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/load.h"

enum { PAGE = 4096, MAX_ARGS = 1 << 20, MAX_AUX = 64, NEAR = 1 << 24 };

struct exec {
	struct soc_file file;
	uint64_t entry;
	uint64_t headers; /* address of the program headers; UINT64_MAX: none */
	bool moves;	  /* position-independent */
	bool interpreted; /* has an interpreter: dynamically linked */
	Elf64_Phdr *parts;
	unsigned nparts;
};

static bool is_executable(const Elf64_Ehdr *e)
{
	return memcmp(e->e_ident, ELFMAG, SELFMAG) == 0 &&
	       e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_ident[EI_DATA] == ELFDATA2LSB &&
	       (e->e_type == ET_EXEC || e->e_type == ET_DYN) &&
	       e->e_machine == EM_RISCV && e->e_phentsize == sizeof(Elf64_Phdr) &&
	       e->e_entry != 0;
}

/* Copies the program headers. Returns false if the file is not a complete executable. */
static bool read_headers(struct exec *x)
{
	const struct soc_file *f = &x->file;
	Elf64_Ehdr e;

	if (f->size < sizeof(e))
		return false;
	memcpy(&e, f->data, sizeof(e));
	size_t size = (size_t)e.e_phnum * sizeof(Elf64_Phdr);
	if (!is_executable(&e) || e.e_phoff > f->size || size > f->size - e.e_phoff)
		return false;
	x->parts = malloc(size + 1);
	if (!x->parts)
		return false;
	memcpy(x->parts, f->data + e.e_phoff, size);
	x->nparts = e.e_phnum;
	x->entry = e.e_entry;
	x->moves = e.e_type == ET_DYN;
	x->headers = UINT64_MAX;
	for (unsigned i = 0; i < x->nparts; i++) {
		const Elf64_Phdr *p = &x->parts[i];

		if (p->p_offset > f->size || p->p_filesz > f->size - p->p_offset ||
		    p->p_vaddr > UINT64_MAX / 2)
			return false;
		if (p->p_type == PT_INTERP)
			x->interpreted = true;
		if (p->p_type == PT_LOAD && e.e_phoff >= p->p_offset &&
		    e.e_phoff - p->p_offset < p->p_filesz)
			x->headers = p->p_vaddr + (e.e_phoff - p->p_offset);
	}
	return true;
}

/* Returns the part whose bytes from the file include this address, or NULL. */
static const Elf64_Phdr *exec_part_of(const struct exec *x, uint64_t address)
{
	for (unsigned i = 0; i < x->nparts; i++) {
		const Elf64_Phdr *p = &x->parts[i];

		if (p->p_type == PT_LOAD && address >= p->p_vaddr &&
		    address - p->p_vaddr < p->p_filesz)
			return p;
	}
	return NULL;
}

struct exec *exec_open(const char *path, char *message, size_t size)
{
	struct soc_image messages = {.ram = NULL};
	struct exec *x = calloc(1, sizeof(*x));

	if (!x) {
		snprintf(message, size, "%s: out of memory", path);
		return NULL;
	}
	if (!soc_file_open(&messages, &x->file, path))
		snprintf(message, size, "%s", messages.message);
	else if (!read_headers(x) || !exec_part_of(x, x->entry))
		snprintf(message, size, "%s: not an RV64 executable, or a truncated one",
			 path);
	else
		return x;
	exec_close(x);
	return NULL;
}

void exec_close(struct exec *x)
{
	if (!x)
		return;
	if (x->file.data)
		soc_file_close(&x->file);
	free(x->parts);
	free(x);
}

/* Compares the file's bytes from this address to the end of the page with memory, where
 * the program is `bias` bytes above its addresses. Returns 1 if they are equal, 0 if they
 * differ, -1 if they are not mapped. */
static int compare_page(const struct exec *x, const struct exec_view *v,
			const Elf64_Phdr *p, uint64_t address, uint64_t bias)
{
	uint64_t offset = address - p->p_vaddr;
	uint8_t page[PAGE];
	size_t size = PAGE - (size_t)(address % PAGE);

	if (size > p->p_filesz - offset)
		size = (size_t)(p->p_filesz - offset);
	if (!v->read(v->user, address + bias, page, size))
		return -1;
	return memcmp(page, x->file.data + p->p_offset + offset, size) == 0;
}

static bool moves_by(const struct exec *x, uint64_t bias)
{
	return x->moves ? bias % PAGE == 0 : bias == 0;
}

static bool begins_static(const struct exec *x, const struct exec_view *v)
{
	uint64_t bias = v->pc - x->entry;

	return moves_by(x, bias) &&
	       compare_page(x, v, exec_part_of(x, x->entry), x->entry, bias) == 1;
}

static bool read_word(const struct exec_view *v, uint64_t address, uint64_t *word)
{
	return v->read(v->user, address, word, sizeof(*word));
}

/* Returns the address behind the 0 that ends a list of pointers, or 0 if there is none.
 */
static uint64_t skip_list(const struct exec_view *v, uint64_t at)
{
	uint64_t word;

	for (unsigned i = 0; i < MAX_ARGS; i++, at += sizeof(word))
		if (!read_word(v, at, &word))
			return 0;
		else if (word == 0)
			return at + sizeof(word);
	return 0;
}

/* Reads the auxiliary vector behind argc, argv and envp, by type. Returns false if sp
 * points to something else. */
static bool read_auxiliary(const struct exec_view *v, uint64_t values[MAX_AUX])
{
	uint64_t argc, last, type;

	memset(values, 0, MAX_AUX * sizeof(*values));
	if (v->sp % 16 || !read_word(v, v->sp, &argc) || argc > MAX_ARGS)
		return false;
	uint64_t at = v->sp + 8 * (argc + 1);
	if (!read_word(v, at, &last) || last != 0)
		return false;
	at = skip_list(v, at + 8);
	for (unsigned i = 0; at && i < MAX_AUX; i++, at += 16) {
		if (!read_word(v, at, &type))
			return false;
		if (type == AT_NULL)
			return true;
		if (type < MAX_AUX && !read_word(v, at + 8, &values[type]))
			return false;
	}
	return false;
}

/* Returns whether all pages of the program that are in memory equal the file. */
static bool agrees_with_memory(const struct exec *x, const struct exec_view *v,
			       uint64_t bias)
{
	for (unsigned i = 0; i < x->nparts; i++) {
		const Elf64_Phdr *p = &x->parts[i];
		uint64_t end = p->p_vaddr + p->p_filesz;

		if (p->p_type != PT_LOAD)
			continue;
		for (uint64_t at = p->p_vaddr; at < end; at = (at | (PAGE - 1)) + 1)
			if (compare_page(x, v, p, at, bias) == 0)
				return false;
	}
	return true;
}

/* Returns whether pc is the entry point of the interpreter at `base`, as far as its
 * header is in memory. */
static bool is_interpreter(const struct exec_view *v, uint64_t base)
{
	Elf64_Ehdr e;
	uint16_t code;

	if (v->pc - base >= NEAR || !v->read(v->user, v->pc, &code, sizeof(code)))
		return false;
	if (!v->read(v->user, base, &e, sizeof(e)))
		return true;
	return memcmp(e.e_ident, ELFMAG, SELFMAG) == 0 && v->pc == base + e.e_entry;
}

static bool begins_dynamic(const struct exec *x, const struct exec_view *v)
{
	uint64_t aux[MAX_AUX], bias;

	if (!read_auxiliary(v, aux))
		return false;
	bias = aux[AT_ENTRY] - x->entry;
	return moves_by(x, bias) && aux[AT_PHNUM] == x->nparts &&
	       aux[AT_PHDR] == x->headers + bias && aux[AT_BASE] != 0 &&
	       is_interpreter(v, aux[AT_BASE]) && agrees_with_memory(x, v, bias);
}

bool exec_begins(const struct exec *x, const struct exec_view *v)
{
	return x->interpreted ? begins_dynamic(x, v) : begins_static(x, v);
}

bool exec_watch_add(struct exec_watch *watch, const struct exec *exec)
{
	if (watch->n == EXEC_WATCHES)
		return false;
	watch->execs[watch->n++] = exec;
	return true;
}

bool exec_watch_check(struct exec_watch *watch, const struct exec_view *view)
{
	bool any = false;

	for (unsigned i = 0; i < watch->n; i++) {
		watch->begins[i] = exec_begins(watch->execs[i], view);
		any |= watch->begins[i];
	}
	return any;
}

bool exec_watch_begins(const struct exec_watch *watch, const struct exec *exec)
{
	for (unsigned i = 0; i < watch->n; i++)
		if (watch->execs[i] == exec)
			return watch->begins[i];
	return false;
}
