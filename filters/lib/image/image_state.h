/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the image library share; only they include it. */
#ifndef TR_IMAGE_STATE_H
#define TR_IMAGE_STATE_H

#include <gelf.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/map.h"
#include "image/image.h"
#include "image/image_index.h"

enum { IMAGE_BUILD_ID_MAX = 64, IMAGE_NAME_MAX = 1024 };

/* Addresses [low, high). */
struct image_span {
	uint64_t low, high;
};

/* A named address; sorted by name, one for each name. */
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
	uint8_t *code_bytes; /* what code[].data points into */
	struct tr_function *functions;
	struct image_symbol *symbols;
	struct tr_buffer index_bytes[IMAGE_INDEX_KINDS]; /* but those of functions */
	struct image_index index[IMAGE_INDEX_KINDS];
	struct tr_arena names;
	size_t ncode, nfunctions, nsymbols;
	uint64_t entry;
	unsigned xlen;
	bool pie, has_dwarf;
	bool failed[IMAGE_INDEX_KINDS]; /* what could not be read */
};

/* The file while it is being taken in. */
struct image_elf {
	int fd;
	struct stat stat; /* when it was opened */
	size_t size;
	Elf *elf;
	GElf_Ehdr header;
	size_t nsegments, nsections;   /* 0 sections: none, or headers stripped */
	struct image_span *executable; /* sections, or segments; ascending */
	size_t nexecutable;
	bool has_dwarf;
};

/* Sets the message and returns `status`. */
int image_fail(struct tr_image *image, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds to the warning. */
void image_warn(struct tr_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* image_file.c: opens the file and checks what the headers say of it, so that
 * later parts need not. Release in either case. */
int image_elf_open(struct image_elf *elf, struct tr_image *image);
/* Copies bytes of the file; false if they are not there (any more). */
bool image_elf_read(const struct image_elf *elf, uint64_t offset, void *to, size_t size);
/* Bytes of the file, which live as long as `elf`; NULL as above. */
const void *image_elf_bytes(const struct image_elf *elf, uint64_t offset, size_t size);
/* Whether nobody has written to the file since it was opened. */
bool image_elf_same(const struct image_elf *elf);
void image_elf_release(struct image_elf *elf);

/* image_code.c: copies the code, and the build-id, out of the file. */
int image_code_load(struct tr_image *image, struct image_elf *elf);
/* Whether code lies at all of [low, high). Functions that the linker dropped stay
 * behind at 0 or so. */
bool image_elf_is_code(const struct image_elf *elf, uint64_t low, uint64_t high);

/* A range that may become part of the function table. */
struct image_candidate {
	const char *name;
	const char *place; /* "file.c:12"; NULL if not known */
	uint64_t entry, low, high;
	uint32_t rank; /* lower wins; IMAGE_RANK_… */
	bool open;     /* as far as the next symbol: high is not known yet */
};
/* Source of a name, and below that the binding of a symbol. */
enum {
	IMAGE_RANK_DWARF = 0,
	IMAGE_RANK_FUNC = 16,  /* STT_FUNC with a size */
	IMAGE_RANK_OPEN = 32,  /* without one, and global labels of assembly */
	IMAGE_RANK_LABEL = 48, /* local labels of assembly */
};

/* One of the above, without the binding. */
static inline uint32_t image_rank_source(uint32_t rank)
{
	return rank & ~UINT32_C(15);
}

struct image_candidates {
	struct image_candidate *list;
	size_t count, capacity;
};

/* image_symbols.c: adds the function symbols, and fills image->symbols. */
int image_symbols_load(struct tr_image *image, const struct image_elf *elf,
		       struct image_candidates *candidates);

/* Mangled names of symbols by address. Zero-initialised is empty. */
struct image_mangled {
	struct tr_map offsets; /* into names */
	struct tr_buffer names;
};
/* image_symbols.c: collects those of functions, without what a compiler appends to
 * the names of clones. False when out of memory. */
bool image_symbols_mangled(const struct image_elf *elf, struct image_mangled *mangled);

/* image_dwarf.c: adds the functions of the DWARF, from the cache or through a
 * child process, and takes calls and lines if asked. What goes wrong there is a
 * warning. TR_OK, TR_E_NOMEM or TR_E_IO. */
int image_dwarf_load(struct tr_image *image, const struct image_elf *elf,
		     const struct tr_image_options *options,
		     struct image_candidates *candidates);

/* image_ranges.c: makes image->functions of the candidates, which it sorts. */
int image_ranges_make(struct tr_image *image, struct image_candidates *candidates);

/* image_namesakes.c: adds to the names that several functions have where they are
 * declared, "f (file.c:12)", or, when that does not tell them apart, their entry,
 * "f (0x80001234)". TR_OK or TR_E_NOMEM. */
int image_namesakes_tell_apart(struct tr_image *image);

/* image_names.c: a copy of at most `size` bytes of `text`, kept with the image,
 * that is good in any output: valid UTF-8, no control characters, no ';', not
 * longer than IMAGE_NAME_MAX. NULL when out of memory. */
const char *image_name_keep(struct tr_image *image, const char *text, size_t size);
/* The same of "name (place)", of which the name is cut if it is too long. */
const char *image_name_with_place(struct tr_image *image, const char *name,
				  const char *place);
/* Makes a name that good in place. */
void image_name_clean(char *name);
/* Negative, 0, positive: which of two names for one place is better. */
int image_name_compare(const char *a, const char *b);

#endif
