/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the line table of a unit. */
#include "image/image_dwarf_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_YET UINT32_MAX

struct table {
	struct image_places *lines;
	const struct image_elf *elf;
	Dwarf_Debug dbg;
	Dwarf_Line_Context context;
	uint32_t *names; /* by file number; NOT_YET: not looked up */
	Dwarf_Unsigned nnames;
	struct image_claim open;  /* extends to the next row; item 0: none */
	bool with_discriminators; /* instead of files */
	bool with_folders;	  /* files are named by their paths */
	bool damaged;
};

/* Returns the path of a row's file, with the folder of its compilation unit. */
static uint32_t name_row_path(struct table *table, Dwarf_Line row)
{
	Dwarf_Error error = NULL;
	char *path = NULL;
	if (dwarf_linesrc(row, &path, &error) != DW_DLV_OK || !path)
		return tr_image_places_name(table->lines, "?");
	const uint32_t name = tr_image_places_name(table->lines, path);
	dwarf_dealloc(table->dbg, path, DW_DLA_STRING);
	return name;
}

static uint32_t name_table_file(struct table *table, Dwarf_Line row, Dwarf_Unsigned file)
{
	Dwarf_Error error = NULL;
	const char *name = NULL;
	Dwarf_Unsigned folder, time, size;
	Dwarf_Form_Data16 *sum = NULL;
	if (table->names[file] != NOT_YET)
		return table->names[file];
	if (table->with_folders)
		return table->names[file] = name_row_path(table, row);
	if (dwarf_srclines_files_data_b(table->context, (Dwarf_Signed)file, &name,
					&folder, &time, &size, &sum,
					&error) != DW_DLV_OK ||
	    !name)
		name = "?";
	const char *slash = strrchr(name, '/');
	table->names[file] = tr_image_places_name(table->lines, slash ? slash + 1 : name);
	return table->names[file];
}

/* Returns the name that tells a row's discriminator. */
static uint32_t discriminator_of(struct table *table, Dwarf_Line row)
{
	Dwarf_Error error = NULL;
	Dwarf_Bool ends_prologue, begins_epilogue;
	Dwarf_Unsigned isa, discriminator = 0;
	char text[16] = "";
	if (dwarf_prologue_end_etc(row, &ends_prologue, &begins_epilogue, &isa,
				   &discriminator, &error) == DW_DLV_OK &&
	    discriminator && discriminator < UINT32_MAX)
		snprintf(text, sizeof(text), "%" PRIu32, (uint32_t)discriminator);
	return tr_image_places_name(table->lines, text);
}

/* Returns the item of a row's file and line, 0 if it has none. */
static uint32_t item_of(struct table *table, Dwarf_Line row)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned line = 0, file = 0;
	if (dwarf_lineno(row, &line, &error) != DW_DLV_OK ||
	    dwarf_line_srcfileno(row, &file, &error) != DW_DLV_OK) {
		table->damaged = true;
		return 0;
	}
	if (line == 0 || line > UINT32_MAX || file >= table->nnames)
		return 0;
	if (table->with_discriminators)
		return tr_image_places_item(table->lines, discriminator_of(table, row),
					    (uint32_t)line);
	return tr_image_places_item(table->lines, name_table_file(table, row, file),
				    (uint32_t)line);
}

static void take_line_row(struct table *table, Dwarf_Line row)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr address = 0;
	Dwarf_Bool is_end = 0;
	struct image_claim *open = &table->open;
	if (dwarf_lineaddr(row, &address, &error) != DW_DLV_OK ||
	    dwarf_lineendsequence(row, &is_end, &error) != DW_DLV_OK) {
		table->damaged = true;
		return;
	}
	uint32_t item = is_end ? 0 : item_of(table, row);
	if (open->item && open->item == item && address >= open->low)
		return;
	open->high = address;
	if (open->item && open->low < open->high &&
	    tr_image_elf_is_code(table->elf, open->low, open->high))
		tr_image_places_claim(table->lines, open);
	*open = (struct image_claim){.low = address, .item = item};
}

static int take_line_rows(struct table *table)
{
	Dwarf_Error error = NULL;
	Dwarf_Line *rows = NULL;
	Dwarf_Signed nrows = 0, base = 0, count = 0, end = 0;
	int result =
	    dwarf_srclines_from_linecontext(table->context, &rows, &nrows, &error);
	if (result == DW_DLV_OK)
		result = dwarf_srclines_files_indexes(table->context, &base, &count, &end,
						      &error);
	if (result != DW_DLV_OK || end <= 0 || end > INT32_MAX)
		return result;
	table->nnames = (Dwarf_Unsigned)end;
	table->names = malloc(table->nnames * sizeof(*table->names));
	if (!table->names) {
		table->lines->failed = true;
		return DW_DLV_OK;
	}
	memset(table->names, 0xff, table->nnames * sizeof(*table->names));
	for (Dwarf_Signed i = 0; i < nrows && !table->lines->failed; i++)
		take_line_row(table, rows[i]);
	free(table->names);
	return DW_DLV_OK;
}

static bool take_line_table(struct table *table, Dwarf_Die unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned version = 0;
	Dwarf_Small count = 0;
	int result = dwarf_srclines_b(unit, &version, &count, &table->context, &error);
	if (result != DW_DLV_OK)
		return result == DW_DLV_NO_ENTRY;
	result = take_line_rows(table);
	dwarf_srclines_dealloc_b(table->context);
	return result != DW_DLV_ERROR && !table->damaged;
}

bool tr_image_dwarf_lines_take(struct image_places *lines, const struct image_elf *elf,
			       Dwarf_Die unit)
{
	return take_line_table(&(struct table){.lines = lines, .elf = elf}, unit);
}

bool tr_image_dwarf_spots_take(struct image_places *spots, const struct image_elf *elf,
			       Dwarf_Die unit)
{
	return take_line_table(
	    &(struct table){.lines = spots, .elf = elf, .with_discriminators = true},
	    unit);
}

bool tr_image_dwarf_paths_take(struct image_places *paths, const struct image_elf *elf,
			       Dwarf_Debug dbg, Dwarf_Die unit)
{
	return take_line_table(
	    &(struct table){.lines = paths, .elf = elf, .dbg = dbg, .with_folders = true},
	    unit);
}
