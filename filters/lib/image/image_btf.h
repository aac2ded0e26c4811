/* SPDX-License-Identifier: Apache-2.0 */
/* Types and prototypes of a Linux kernel from its .BTF section, as DWARF.
 *
 * BTF (Documentation/bpf/btf.rst of the kernel) has types, members and the parameters of
 * functions by name, but no addresses, no places of locals, no lines, and does not tell
 * which calls were inlined. The addresses are those of the symbols. A variable of which
 * only the symbol is known is an array of bytes.
 *
 * Everything that the section refers to is checked, so that the DWARF is well formed. */
#ifndef TR_IMAGE_BTF_H
#define TR_IMAGE_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* A symbol of code or data. */
struct image_btf_symbol {
	const char *name;
	uint64_t address, size;
	bool is_code, is_global;
};

struct image_btf_source {
	const uint8_t *data; /* the section */
	size_t size;
	unsigned xlen;
	const char *producer;		  /* of the code, as DW_AT_producer has it */
	struct image_btf_symbol *symbols; /* which are sorted by name */
	size_t nsymbols;
};

/* Appends an ELF file with the sections .debug_info, .debug_abbrev and .debug_str to
 * `elf`. Returns false if the section is damaged, which `problem` says in one line, as in
 * "type 7, byte 132: refers to type 9000 of 120", or when out of memory. */
bool tr_image_btf_convert(const struct image_btf_source *source, struct tr_buffer *elf,
			  char *problem, size_t size);

#endif
