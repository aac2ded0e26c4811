/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files as a profiler needs them: code bytes by address, and functions.
 *
 * Code comes from executable PT_LOAD segments (executable sections, minus data,
 * when section headers are there). Functions come from DWARF (subprograms and
 * their ranges; read in a child process, since libdwarf can abort on a damaged
 * file), then ELF STT_FUNC and NOTYPE symbols fill the gaps; mapping symbols ($x,
 * $d) and local labels (.L…) never. Names of C++ and Rust are demangled. A symbol without
 * a size reaches to the next one. A compact index of the DWARF is cached by a hash of the
 * file's content in $XDG_CACHE_HOME/tr-profiler or ~/.cache/tr-profiler. By content,
 * since build-ids do not change when objcopy changes a file, and anybody can give a file
 * the build-id of another; hashing 57 MB takes 15 ms. A cache file that does not check is
 * made anew. The hash is no cryptographic one: who makes a file to have the hash of
 * another can at worst exchange their names.
 */
#ifndef TR_IMAGE_H
#define TR_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

enum tr_role { TR_ROLE_ANY = 0, TR_ROLE_FIRMWARE, TR_ROLE_KERNEL, TR_ROLE_USER };

/* A run of code bytes. */
struct tr_code {
	const uint8_t *data; /* owned by the image */
	uint64_t address;    /* as linked */
	uint64_t size;	     /* bytes */
	int64_t load_delta;  /* p_paddr - p_vaddr of its segment */
};

struct tr_function {
	const char *name; /* UTF-8 without ';' and control characters; "ns::f(int)", and
			   * "f (file.c:12)" if several functions are called f */
	uint64_t entry;
	uint64_t low, high; /* one range [low, high); a function may have several */
	bool is_entry;	    /* the range begins at the entry */
	bool from_dwarf;
	const char *place; /* of the declaration, NULL if not known */
};

struct tr_image;

struct tr_image_options {
	bool functions; /* read DWARF and symbols too; without, code only */
	bool calls;	/* inlined ones, with functions */
	bool lines;	/* of the source, with functions */
	bool no_cache;
};

/* Opens an RV32 or RV64 executable or shared object. On failure *image is set
 * (unless TR_E_NOMEM) and tr_image_message() has the line; close it.
 * TR_E_IO, TR_E_UNSUPPORTED (not RISC-V, not ELF, big-endian), TR_E_CORRUPT. */
int tr_image_open(struct tr_image **image, const char *path,
		  const struct tr_image_options *options);
void tr_image_close(struct tr_image *image);
/* "prog.elf: byte 64: section headers beyond the end" */
const char *tr_image_message(const struct tr_image *image);
/* A warning, "" if none: "prog.elf: no DWARF, names from symbols only". */
const char *tr_image_warning(const struct tr_image *image);

/* Whether reading of the calls or lines that were asked for failed: the warning has
 * why. */
bool tr_image_places_failed(const struct tr_image *image);
/* Whether there is DWARF, and whether it has lines that were asked for. */
bool tr_image_has_dwarf(const struct tr_image *image);
bool tr_image_has_lines(const struct tr_image *image);

const char *tr_image_path(const struct tr_image *image);
const char *tr_image_name(const struct tr_image *image);     /* last part, no .elf */
const char *tr_image_build_id(const struct tr_image *image); /* hex, "" if none */
unsigned tr_image_xlen(const struct tr_image *image);	     /* 32 or 64 */
/* XXH64 of all code and where it is: tells another build without a build-id. */
uint64_t tr_image_code_hash(const struct tr_image *image);
uint64_t tr_image_entry(const struct tr_image *image); /* e_entry */
bool tr_image_is_pie(const struct tr_image *image);    /* ET_DYN */

/* Code runs, ascending by address, not overlapping. */
size_t tr_image_code_count(const struct tr_image *image);
const struct tr_code *tr_image_code(const struct tr_image *image, size_t i);
/* Pointer to `size` bytes of code at `address`, NULL if not all are there. */
const uint8_t *tr_image_bytes(const struct tr_image *image, uint64_t address,
			      uint64_t size);

/* Function ranges, ascending by low, not overlapping. */
size_t tr_image_function_count(const struct tr_image *image);
const struct tr_function *tr_image_function(const struct tr_image *image, size_t i);
/* The range that holds `address`, NULL if none. */
const struct tr_function *tr_image_function_at(const struct tr_image *image,
					       uint64_t address);
/* A stretch of code in which one answer holds. */
struct tr_stretch {
	uint64_t low, high;
	uint32_t item; /* from 1; 0 is none */
};
/* The innermost inlined call at an address, with options.calls; and its function,
 * and the inlined call around it: a lower item, 0 if that is the function itself. */
struct tr_stretch tr_image_call_at(const struct tr_image *image, uint64_t address);
const char *tr_image_call(const struct tr_image *image, uint32_t item, uint32_t *around);
/* The line of the source, with options.lines; and the last part of its file's path,
 * with its number in it. */
struct tr_stretch tr_image_line_at(const struct tr_image *image, uint64_t address);
const char *tr_image_line(const struct tr_image *image, uint32_t item, uint32_t *line);

/* Address of a symbol (of data too) or function by exact name: TR_OK or TR_END
 * (none). Of several the global one, then the lowest. */
int tr_image_symbol(const struct tr_image *image, const char *name, uint64_t *address);

#endif
