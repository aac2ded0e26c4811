/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files as a profiler needs them: code bytes by address, and functions.
 *
 * Code comes from executable PT_LOAD segments, restricted to the executable sections if
 * there are section headers. Functions come from DWARF (subprograms and their ranges),
 * which a child process reads, since libdwarf can abort on a damaged file. ELF symbols
 * (STT_FUNC and NOTYPE) fill the gaps; mapping symbols ($x, $d) and local labels (.L…)
 * are ignored. C++ and Rust names are demangled. A symbol without a size extends to the
 * next symbol, or to where a call leads that has no symbol. Stubs of the procedure
 * linkage table are "sin@plt". Code that has no name is divided into functions by the
 * unwind tables (.eh_frame), and by where calls lead; these are named after the file and
 * the address, "libc.so.6+0x26b40".
 *
 * DWARF and symbols of a stripped file come from a file of its own with the same
 * build-id, if there is one: .build-id/NN/NNNN.debug in usr/lib/debug, below each folder
 * that contains the file (a sysroot is one of them) or of the machine; by the name and
 * CRC in .gnu_debuglink, in its folder, in .debug, or in usr/lib/debug; or in
 * debuginfod's cache.
 *
 * A compact index of the DWARF is cached in $XDG_CACHE_HOME/tr-profiler or
 * ~/.cache/tr-profiler under a hash of the file's content. A build-id would not do:
 * objcopy does not update it, and anyone can forge it; hashing 57 MB takes 15 ms. An
 * invalid cache file is replaced. The hash is not cryptographic: whoever constructs a
 * file with the hash of another can at worst make the names of one appear for the
 * other.
 *
 * Threads: an open image does not change, so any number of threads may ask it at once. */
#ifndef TR_IMAGE_H
#define TR_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

enum tr_role { TR_ROLE_ANY = 0, TR_ROLE_FIRMWARE, TR_ROLE_KERNEL, TR_ROLE_USER };

/* A contiguous range of code bytes. */
struct tr_code {
	const uint8_t *data; /* owned by the image */
	uint64_t address;    /* as linked */
	uint64_t size;	     /* bytes */
	int64_t load_delta;  /* p_paddr - p_vaddr of its segment */
};

/* An executable segment of the file. */
struct tr_segment {
	uint64_t address, size; /* as linked; bytes in memory */
	uint64_t offset;	/* in the file */
};

struct tr_function {
	const char *name; /* UTF-8 without ';' and control characters; "ns::f(int)", or "f
			   * (file.c:12)" if several functions are named f */
	uint64_t entry;
	uint64_t low, high; /* one range [low, high); a function may have several */
	bool is_entry;	    /* the range begins at the entry */
	bool from_dwarf;
	bool is_nameless;  /* only its bounds are known: "libc.so.6+0x26b40" */
	const char *place; /* place of the declaration, NULL if unknown */
};

struct tr_image;

struct tr_image_options {
	bool functions; /* read DWARF and symbols as well as code */
	bool calls;	/* inlined calls; needs `functions` */
	bool lines;	/* source lines; needs `functions` */
	bool scopes; /* functions, inlined calls and lines for profiles by address; needs
		      * `functions` */
	bool paths;  /* source lines with the paths of their files; needs `functions` */
	bool no_cache;
	/* Open a part of the file: "vdso", which a Linux kernel contains, a section of a
	 * kernel module, an overlay, or a file about JIT code
	 * (image/image_jit.h). NULL: the file, or .text of a module. */
	const char *part;
};

/* Opens an RV32 or RV64 executable, shared object or Linux kernel module, of which the
 * bits that relocations write are 0. Returns TR_OK, TR_E_NOMEM, TR_E_IO, TR_E_UNSUPPORTED
 * (not RISC-V, not ELF, big-endian, without that part) or TR_E_CORRUPT. On failure *image
 * is set (unless TR_E_NOMEM) so that tr_image_message() can be called; close it. */
int tr_image_open(struct tr_image **image, const char *path,
		  const struct tr_image_options *options);
void tr_image_close(struct tr_image *image);
/* Returns the message of a failed tr_image_open(), as in "prog.elf: byte 64: section
 * headers beyond the end". */
const char *tr_image_message(const struct tr_image *image);
/* Returns a warning, as in "prog.elf: no DWARF, names from symbols only", or "". */
const char *tr_image_warning(const struct tr_image *image);
/* Returns true if the warning is just this one. */
bool tr_image_only_lacks_dwarf(const struct tr_image *image);

/* Returns true if reading the requested calls or lines failed; the warning says why. */
bool tr_image_places_failed(const struct tr_image *image);
/* Return true if there is DWARF, or source lines that were requested. */
bool tr_image_has_dwarf(const struct tr_image *image);
bool tr_image_has_lines(const struct tr_image *image);

const char *tr_image_path(const struct tr_image *image);
const char *tr_image_name(const struct tr_image *image);     /* file name without .elf */
const char *tr_image_build_id(const struct tr_image *image); /* hex, "" if none */
unsigned tr_image_xlen(const struct tr_image *image);	     /* 32 or 64 */
/* Returns the file's ISA as far as it is known (stream/isa.h): by Tag_RISCV_arch in its
 * attributes; without attributes, an ABI with doubles in registers needs D. */
unsigned tr_image_isa(const struct tr_image *image);
/* Returns the XXH64 of all code and its addresses, which distinguishes builds that have
 * no build-id; of a perf map or jitdump, that of the whole file. */
uint64_t tr_image_code_hash(const struct tr_image *image);
uint64_t tr_image_entry(const struct tr_image *image); /* e_entry */
bool tr_image_is_pie(const struct tr_image *image);    /* ET_DYN */
/* Returns true for a shared object that is no program: one with a name for the dynamic
 * loader (DT_SONAME), as libc and the loader itself, or without an entry point, or linked
 * as no program (DF_1_PIE), as musl, which is both. */
bool tr_image_is_library(const struct tr_image *image);
/* Returns the name of a library that the file needs (DT_NEEDED), or of its dynamic
 * loader; NULL from the number of them on. */
const char *tr_image_need(const struct tr_image *image, size_t i);
/* Returns the path of its dynamic loader (PT_INTERP), or NULL. */
const char *tr_image_interpreter(const struct tr_image *image);
/* Returns the folders in which the dynamic loader looks for what the file needs
 * (DT_RUNPATH, else DT_RPATH), with ':' between them; NULL if there are none. Those of
 * DT_RPATH are inherited: they apply to what its libraries need, too. */
const char *tr_image_search_path(const struct tr_image *image, bool *is_inherited);
/* Returns the name by which others need the file: DT_SONAME, or that of the file. */
const char *tr_image_soname(const struct tr_image *image);
/* Returns true if the file, or this part of it, has overlays. Their functions have the
 * names of symbols; there are no source lines and inlined calls. */
bool tr_image_has_overlays(const struct tr_image *image);
/* Returns true if code at the address is of an overlay. */
bool tr_image_is_overlaid(const struct tr_image *image, uint64_t address);
/* Returns true for a section of a kernel module. */
bool tr_image_is_module(const struct tr_image *image);
/* Returns the number of the section that is open of a module, 0 of another file. */
size_t tr_image_section(const struct tr_image *image);
/* Returns the name of another section of a module with code, or of an overlay: a section
 * with code at the address of an earlier one, which is loaded in turns with it. NULL from
 * the number of them on. */
const char *tr_image_part(const struct tr_image *image, size_t i);
/* Returns true if a dynamic loader begins the program (PT_INTERP). */
bool tr_image_has_interpreter(const struct tr_image *image);

/* Return the code ranges, ascending by address, without overlap. */
size_t tr_image_code_count(const struct tr_image *image);
const struct tr_code *tr_image_code(const struct tr_image *image, size_t i);
/* Returns an executable segment, in the order of the file; NULL from the number of them
 * on, and for a module. Of a file with more than TR_IMAGE_SEGMENTS none is returned. */
enum { TR_IMAGE_SEGMENTS = 16 };
const struct tr_segment *tr_image_segment(const struct tr_image *image, size_t i);
/* Returns a pointer to `size` bytes of code at `address`, or NULL if any of them is
 * missing. The image owns them. */
const uint8_t *tr_image_bytes(const struct tr_image *image, uint64_t address,
			      uint64_t size);

/* Returns the mask of code bytes that tr_image_bytes() returned: its bits are 0 where a
 * relocation writes. NULL: all are 1. */
const uint8_t *tr_image_mask(const struct tr_image *image, const uint8_t *bytes);

/* Return the function ranges, ascending by `low`, without overlap. */
size_t tr_image_function_count(const struct tr_image *image);
const struct tr_function *tr_image_function(const struct tr_image *image, size_t i);
/* Returns the range that contains `address`, or NULL. */
const struct tr_function *tr_image_function_at(const struct tr_image *image,
					       uint64_t address);
/* A range of code for which a query has one answer. */
struct tr_stretch {
	uint64_t low, high;
	uint32_t item; /* from 1; 0 is none */
};
/* Returns the innermost inlined call at an address, with options.calls. tr_image_call()
 * returns the name of the inlined function and sets *around to the enclosing inlined
 * call, a lower item, or 0 if the enclosing one is the function itself. */
struct tr_stretch tr_image_call_at(const struct tr_image *image, uint64_t address);
const char *tr_image_call(const struct tr_image *image, uint32_t item, uint32_t *around);
/* Returns the source line at an address, with options.lines. tr_image_line() returns the
 * file name without its folders and sets *line. */
struct tr_stretch tr_image_line_at(const struct tr_image *image, uint64_t address);
const char *tr_image_line(const struct tr_image *image, uint32_t item, uint32_t *line);

/* A function as in the source, or an inlined call of one. The strings are not terminated;
 * they live as long as the image. */
struct tr_scope_text {
	const char *name, *linkage, *file; /* linkage and file may be empty */
	int name_size, linkage_size, file_size;
	uint32_t line;	 /* of its declaration; 0: unknown */
	uint32_t around; /* item that it is inlined into; 0: none */
	uint32_t call_line, call_discriminator; /* of the call; 0: unknown */
};
/* Return the innermost scope, or the line with its discriminator, at an address, with
 * options.scopes; items as with calls. */
struct tr_stretch tr_image_scope_at(const struct tr_image *image, uint64_t address);
void tr_image_scope(const struct tr_image *image, uint32_t item,
		    struct tr_scope_text *scope);
/* Copies such a text, made safe as the names are; a long one is cut. */
void tr_image_name_copy(char *to, size_t room, const char *text, int size);
struct tr_stretch tr_image_spot_at(const struct tr_image *image, uint64_t address);
uint32_t tr_image_spot(const struct tr_image *image, uint32_t item,
		       uint32_t *discriminator);

/* The same as tr_image_line_at() and tr_image_line(), with options.paths: the file has
 * the path that it was compiled by. */
struct tr_stretch tr_image_path_at(const struct tr_image *image, uint64_t address);
const char *tr_image_path_line(const struct tr_image *image, uint32_t item,
			       uint32_t *line);

/* Returns the name that the file has for a mark at an address (tr-marks(5)), or NULL. It
 * is safe, as the names of functions are. */
const char *tr_image_mark_at(const struct tr_image *image, uint64_t address);

/* Finds the address of a symbol (also of data) or function by its exact name. Of several,
 * a global one is preferred, then the lowest. Returns TR_OK or TR_END (not found). */
int tr_image_symbol(const struct tr_image *image, const char *name, uint64_t *address);

#endif
