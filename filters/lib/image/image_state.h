/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the image library; only they include it. */
#ifndef TR_IMAGE_STATE_H
#define TR_IMAGE_STATE_H

#include <gelf.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/map.h"
#include "image/image.h"
#include "image/image_index.h"

enum {
	IMAGE_BUILD_ID_MAX = 64,
	IMAGE_NAME_MAX = 1024,
	IMAGE_PARTS_MAX = 16,
	IMAGE_NEEDS_MAX = 128
};

/* An address range [low, high). */
struct image_span {
	uint64_t low, high;
};

/* A named address. Symbols are sorted by name, one per name. */
struct image_symbol {
	const char *name;
	uint64_t address;
};

struct tr_image {
	char *path;
	const char *name;
	char message[512], warning[512];
	char build_id[2 * IMAGE_BUILD_ID_MAX + 1];
	struct tr_code *code;
	uint8_t *code_bytes; /* code[].data points into this */
	struct tr_segment segments[TR_IMAGE_SEGMENTS];
	size_t nsegments; /* may be more */
	struct tr_function *functions;
	struct image_symbol *symbols;
	struct image_symbol *marks; /* their names, ascending by address */
	uint8_t *mask; /* of the code: bits that the kernel leaves; NULL: all */
	const char *parts[IMAGE_PARTS_MAX];	     /* further sections of a module */
	struct image_span overlays[IMAGE_PARTS_MAX]; /* where code is loaded in turns */
	const char *needs[IMAGE_NEEDS_MAX];
	const char *soname;	    /* NULL: none */
	const char *interpreter;    /* path, NULL: none */
	const char *search_path[2]; /* DT_RUNPATH, DT_RPATH, or NULL */
	struct tr_buffer index_bytes[IMAGE_INDEX_KINDS]; /* except for functions */
	struct image_index index[IMAGE_INDEX_KINDS];
	struct tr_arena names;
	struct image_jit *jit; /* NULL: an ELF file */
	size_t ncode, nfunctions, nsymbols, nmarks;
	uint64_t entry;
	size_t nparts, nneeds, noverlays;
	unsigned xlen, isa;
	bool pie, interpreted, has_soname, module, has_dwarf;
	bool split;	/* some of the DWARF is in other files, which were not read */
	size_t section; /* of a module: that is open */
	bool program;	/* DF_1_PIE */
	bool failed[IMAGE_INDEX_KINDS]; /* kinds that could not be read */
};

/* An ELF file while it is loaded. */
struct image_elf {
	int fd;
	struct stat stat; /* at the time of opening */
	size_t size;
	Elf *elf;
	GElf_Ehdr header;
	size_t nsegments, nsections;   /* nsections is 0 without section headers */
	struct image_span *executable; /* sections, or else segments; ascending */
	size_t nexecutable;
	size_t module_section; /* of a module, or an overlay: what is opened of it;
				* otherwise 0 */
	size_t overlays[IMAGE_PARTS_MAX]; /* sections that are not in the image */
	size_t noverlays;
	bool has_dwarf;
};

/* Returns what an index has at an address; in overlays, whose addresses have several
 * meanings, nothing. */
struct tr_stretch tr_image_step(const struct tr_image *image, enum image_index_kind kind,
				uint64_t address);
/* Sets the message. Returns `status`. */
int tr_image_fail(struct tr_image *image, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the index of the first symbol whose name is not before `name`; nsymbols if
 * there is none. */
size_t tr_image_symbols_find(const struct tr_image *image, const char *name);
/* Appends to the warning. */
void tr_image_warn(struct tr_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* image_file.c: opens the file and checks its headers, so that later code need not.
 * Returns a status. Call tr_image_elf_release() in either case. */
int tr_image_elf_open(struct image_elf *elf, struct tr_image *image);
/* Does so with an open file, which it takes; -1 is a failure, with errno set. */
int tr_image_elf_open_fd(struct image_elf *elf, struct tr_image *image, int fd);
/* Does so with a file of debug information, whose segments are not in the file. */
int tr_image_elf_open_debug(struct image_elf *elf, struct tr_image *image);
/* Copies bytes of the file. Returns false if they are missing, as in a file that was
 * truncated since. */
bool tr_image_elf_read(const struct image_elf *elf, uint64_t offset, void *to,
		       size_t size);
/* Returns bytes of the file, which are valid as long as `elf`, or NULL if they are
 * missing. */
const void *tr_image_elf_bytes(const struct image_elf *elf, uint64_t offset, size_t size);
/* Returns the offset in the file of `size` bytes at an address, UINT64_MAX if a segment
 * does not hold all of them. */
uint64_t tr_image_elf_offset(const struct image_elf *elf, uint64_t address,
			     uint64_t size);
/* Returns true if the file was not modified since it was opened. */
bool tr_image_elf_same(const struct image_elf *elf);
void tr_image_elf_release(struct image_elf *elf);

/* image_isa.c: reads the ISA of a file whose headers were checked. */
void tr_image_isa_load(struct tr_image *image, const struct image_elf *elf);

/* image_dynamic.c: reads the dynamic section, or the name of the dynamic loader, from a
 * segment within the file. */
void tr_image_dynamic_load(struct tr_image *image, const struct image_elf *elf,
			   const GElf_Phdr *segment);

/* image_vdso.c: replaces the open file of a kernel by the vdso in it. Returns a status.
 * Call tr_image_elf_release() in either case. */
int tr_image_elf_enter_vdso(struct image_elf *elf, struct tr_image *image);

/* image_debug.c: finds and opens the file that has the debug information stripped from
 * `elf`, for the DWARF and the symbols only. One that does not belong to it is a warning.
 * Returns true if it is open; call tr_image_elf_release() then. */
bool tr_image_debug_open(struct image_elf *debug, struct tr_image *image,
			 const struct image_elf *elf);

/* image_module.c: returns true for a relocatable object that is a kernel module. */
bool tr_image_elf_is_module(const struct image_elf *elf);
/* Loads the section `part` of a module, NULL for .text, and the names of the others.
 * Returns a status. */
int tr_image_module_load(struct tr_image *image, struct image_elf *elf, const char *part);

/* image_relocate.c: for image_query, each section with code of a module at
 * tr_query_section_base(). Returns false when out of memory. */
bool tr_image_module_spread(struct image_elf *elf);
/* Returns true if the module itself has debug information. */
bool tr_image_module_has_dwarf(const struct image_elf *elf);
/* Relocates what is not loaded of a module, the mapped file `whole`, accordingly. */
void tr_image_module_relocate(Elf *whole, char *map, size_t size, size_t nsections);

/* image_code.c: copies the code and the build-id out of the file, or a module's section
 * `part`. Returns a status. */
int tr_image_code_load(struct tr_image *image, struct image_elf *elf, const char *part);
/* Remembers the name of another part. Returns a status. */
int tr_image_add_part(struct tr_image *image, const char *name);
/* Reads the build-id alone. */
void tr_image_build_id_load(struct tr_image *image, const struct image_elf *elf);
/* Returns true if all of [low, high) is code. Functions discarded by the linker remain in
 * the DWARF near address 0. */
bool tr_image_elf_is_code(const struct image_elf *elf, uint64_t low, uint64_t high);

/* A candidate range for the function table. */
struct image_candidate {
	const char *name;
	const char *place; /* "file.c:12"; NULL if unknown */
	uint64_t entry, low, high;
	uint32_t rank; /* lower wins; IMAGE_RANK_… */
	bool open;     /* it extends to the next symbol: high is not known yet */
};
/* Source of a name; the low bits hold the binding of a symbol. */
enum {
	IMAGE_RANK_DWARF = 0,
	IMAGE_RANK_FUNC = 16,  /* STT_FUNC with a size */
	IMAGE_RANK_OPEN = 32,  /* without a size, and global labels in assembly */
	IMAGE_RANK_LABEL = 48, /* local labels in assembly */
	IMAGE_RANK_STUB = 64,  /* of the procedure linkage table */
	IMAGE_RANK_TABLE = 80, /* unwind tables, which have no names */
	IMAGE_RANK_CALL = 96,  /* found in the code, without a name */
};
/* Behind the name of a function, it is that of a stub. */
#define IMAGE_STUB "@plt"

/* Returns the rank without the binding. */
static inline uint32_t image_rank_source(uint32_t rank)
{
	return rank & ~UINT32_C(15);
}

struct image_candidates {
	struct image_candidate *list;
	size_t count, capacity;
};

/* image_tables.c: adds the ranges of the unwind tables. Damage is a warning. Returns
 * TR_OK or TR_E_NOMEM. */
int tr_image_tables_load(struct tr_image *image, const struct image_elf *elf,
			 struct image_candidates *candidates);

/* image_symbols.c: adds the function symbols of `named` or else `elf`, which may be the
 * same, and fills image->symbols. The candidates from `first` on end symbols without a
 * size. Returns a status. */
int tr_image_symbols_load(struct tr_image *image, const struct image_elf *named,
			  const struct image_elf *elf,
			  struct image_candidates *candidates, size_t first);

/* image_marks.c: reads the names of marks of a file whose headers were checked. A damaged
 * section is a warning. Returns TR_OK or TR_E_NOMEM. */
int tr_image_marks_load(struct tr_image *image, const struct image_elf *elf);

/* Mangled symbol names by address. All zero is empty. */
struct image_mangled {
	struct tr_map offsets; /* into names */
	struct tr_buffer names;
};
/* image_symbols.c: collects the mangled function names, without the suffixes that
 * compilers append to clones. Returns false when out of memory. */
bool tr_image_symbols_mangled(const struct image_elf *elf, struct image_mangled *mangled);

/* image_stubs.c: adds the stubs of the procedure linkage table. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_image_stubs_load(struct tr_image *image, const struct image_elf *elf,
			struct image_candidates *candidates);
/* image_calls.c: adds functions found in the code that no candidate covers, without
 * names, and ends symbols without a size there. Sorts the candidates. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_image_calls_load(struct tr_image *image, const struct image_elf *elf,
			struct image_candidates *candidates);

/* image_ranges.c: adds a candidate, or one without a name, which is named after the file
 * and its address. Returns false when out of memory. */
bool tr_image_add(struct image_candidates *candidates,
		  const struct image_candidate *candidate);
bool tr_image_add_nameless(struct tr_image *image, struct image_candidates *candidates,
			   uint64_t low, uint64_t high, uint32_t rank);

/* image_dwarf.c: adds the functions of the DWARF, from the cache or by a child process,
 * and reads calls and lines if requested. Failures in the child are warnings. Returns
 * TR_OK, TR_E_NOMEM or TR_E_IO. */
int tr_image_dwarf_load(struct tr_image *image, const struct image_elf *elf,
			const struct tr_image_options *options,
			struct image_candidates *candidates);

/* image_ranges.c: builds image->functions from the candidates, which it sorts. Returns a
 * status. */
int tr_image_ranges_make(struct tr_image *image, struct image_candidates *candidates);

/* image_namesakes.c: makes names of several functions unique by the place of the
 * declaration, "f (file.c:12)"; if that is not enough, by the symbol of a part or variant
 * that the compiler made of a function, "f.part.0"; or else by the entry, "f
 * (0x80001234)". Returns TR_OK or TR_E_NOMEM. */
int tr_image_namesakes_tell_apart(struct tr_image *image);

/* image_names.c: returns a copy of at most `size` bytes of `text`, owned by the image and
 * safe in any output: valid UTF-8, no control characters, no ';', at most IMAGE_NAME_MAX
 * long. Returns NULL when out of memory. */
const char *tr_image_name_store(struct tr_image *image, const char *text, size_t size);
/* Returns such a copy of "name (place)"; if that is too long, `name` is truncated.
 * Returns NULL when out of memory. */
const char *tr_image_name_with_place(struct tr_image *image, const char *name,
				     const char *place);
/* Makes a name safe in place. */
void tr_image_name_clean(char *name);
/* Compares two names of the same code. Returns a negative number if `a` is the better
 * one, a positive number if `b` is, else 0. */
int tr_image_name_compare(const char *a, const char *b);

#endif
