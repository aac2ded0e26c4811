/* SPDX-License-Identifier: Apache-2.0 */
/* Makes DWARF of a section of BTF: read-btf SECTION
 *
 * However damaged it is, it is refused with a message, or libdwarf reads what was made to
 * the end; otherwise the program aborts. */
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_btf.h"

/* Reads a DIE and those behind and in it. */
static void read_dies(Dwarf_Debug dbg, Dwarf_Die die)
{
	while (die) {
		Dwarf_Error error = NULL;
		Dwarf_Die child = NULL, next = NULL;
		Dwarf_Attribute *attributes = NULL;
		Dwarf_Signed count = 0;
		if (dwarf_attrlist(die, &attributes, &count, &error) == DW_DLV_ERROR ||
		    dwarf_child(die, &child, &error) == DW_DLV_ERROR ||
		    dwarf_siblingof_b(dbg, die, 1, &next, &error) == DW_DLV_ERROR)
			abort();
		if (child)
			read_dies(dbg, child);
		for (Dwarf_Signed i = 0; i < count; i++)
			dwarf_dealloc_attribute(attributes[i]);
		dwarf_dealloc(dbg, attributes, DW_DLA_LIST);
		dwarf_dealloc_die(die);
		die = next;
	}
}

static void read_dwarf(struct tr_buffer *file)
{
	Dwarf_Error error = NULL;
	Dwarf_Debug dbg = NULL;
	Dwarf_Die unit = NULL;
	Dwarf_Unsigned length, type, next = 0;
	Dwarf_Half version, address, offset, extension, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)file->data, file->size);
	if (dwarf_elf_init_b(elf, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, &dbg,
			     &error) != DW_DLV_OK ||
	    dwarf_next_cu_header_d(dbg, 1, &length, &version, &abbreviations, &address,
				   &offset, &extension, &signature, &type, &next, &kind,
				   &error) != DW_DLV_OK ||
	    dwarf_siblingof_b(dbg, NULL, 1, &unit, &error) != DW_DLV_OK)
		abort();
	read_dies(dbg, unit);
	dwarf_finish(dbg, &error);
	elf_end(elf);
}

int main(int argc, char **argv)
{
	enum { MOST = 1 << 20 };
	static uint8_t bytes[MOST];
	struct image_btf_symbol symbols[] = {{"scalars", 0x80000000, 16, true, true},
					     {"first", 0x80001000, 64, false, true}};
	struct tr_buffer elf = {0};
	char problem[192] = "";
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	if (!file)
		return 2;
	const size_t size = fread(bytes, 1, MOST, file);
	fclose(file);
	uint8_t *copy = malloc(size ? size : 1); /* a sanitizer knows its end */
	if (!copy)
		return 2;
	memcpy(copy, bytes, size);
	const struct image_btf_source source = {.data = copy,
						.size = size,
						.xlen = 64,
						.producer = "",
						.symbols = symbols,
						.nsymbols = 2};
	const bool good = tr_image_btf_convert(&source, &elf, problem, sizeof(problem));
	if (good == (*problem != '\0'))
		abort();
	if (good)
		read_dwarf(&elf);
	tr_buffer_free(&elf);
	free(copy);
	return !good;
}
