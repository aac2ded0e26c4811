/* SPDX-License-Identifier: Apache-2.0 */
/* Runs questions about DWARF in a child process; single DIEs. */
#include "image/image_query.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/little.h"
#include "image/image_child.h"
#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { ANSWER_GOOD = 1, ANSWER_SPLIT, ANSWER_BAD };
enum { FLOAT_ABI = 0x6, ORIGINS_DEEP = 8 };

struct job {
	struct tr_query query;
	void (*work)(struct tr_query *query, void *context, struct tr_buffer *out);
	void *context;
};

static void put_problem(struct tr_buffer *out, uint8_t kind, const char *text)
{
	tr_buffer_add(out, &kind, 1);
	tr_buffer_add(out, text, strlen(text));
}

/* Runs in the child. */
static void answer(void *context, struct tr_buffer *out)
{
	struct job *job = context;
	struct tr_query *query = &job->query;
	Dwarf_Error error = NULL;
	uint8_t good = ANSWER_GOOD;
	query->whole = elf_memory(query->map, query->elf->size);
	if (query->is_module)
		tr_image_module_relocate(query->whole, query->map, query->elf->size,
					 query->elf->nsections);
	dwarf_set_de_alloc_flag(0);
	dwarf_set_reloc_application(0);
	if (dwarf_elf_init_b(query->whole, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL,
			     &query->dbg, &error) != DW_DLV_OK) {
		put_problem(out, ANSWER_BAD, error ? dwarf_errmsg(error) : "no DWARF");
		return;
	}
	tr_query_index(query);
	if (query->is_split) {
		put_problem(out, ANSWER_SPLIT, "");
		return;
	}
	tr_buffer_add(out, &good, 1);
	job->work(query, job->context, out);
	out->failed |= query->failed;
	tr_query_release(query);
}

static struct image_child_limits limits_for(size_t file_bytes)
{
	return (struct image_child_limits){
	    .cpu_seconds = 4 + (unsigned)(file_bytes >> 22),
	    .seconds = 300,
	    .memory = UINT64_C(4) << 30,
	    .most_bytes = UINT64_C(1) << 28,
	};
}

__attribute__((format(printf, 4, 5))) static int fail(char *message, size_t size,
						      int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(message, size, format, args);
	va_end(args);
	return status;
}

/* Copies the answer after its first byte. */
static int take(const char *path, const struct tr_buffer *got, struct tr_buffer *out,
		char *message, size_t size)
{
	uint8_t kind = got->size ? got->data[0] : 0;
	if (kind == ANSWER_SPLIT)
		return fail(message, size, TR_E_UNSUPPORTED,
			    "%s: its debug information is split (-gsplit-dwarf): it is "
			    "in .dwo files, which are not read",
			    path);
	if (kind != ANSWER_GOOD)
		return fail(message, size, TR_E_CORRUPT, "%s: damaged DWARF: %.*s", path,
			    got->size ? (int)(got->size - 1) : 0,
			    got->size ? (const char *)got->data + 1 : "");
	tr_buffer_add(out, got->data + 1, got->size - 1);
	return out->failed ? fail(message, size, TR_E_NOMEM, "out of memory") : TR_OK;
}

static int ask(struct job *job, const char *path, struct tr_buffer *out, char *message,
	       size_t size)
{
	const struct image_elf *elf = job->query.elf;
	const struct image_child_limits limits = limits_for(elf->size);
	struct image_child child;
	struct tr_buffer got = {0};
	job->query.map =
	    mmap(NULL, elf->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, elf->fd, 0);
	if (job->query.map == MAP_FAILED)
		return fail(message, size, TR_E_NOMEM, "%s: no memory for the file",
			    path);
	tr_image_child_start(&child, answer, job, &limits);
	bool whole = tr_image_child_finish(&child, &got);
	munmap(job->query.map, elf->size);
	int status = whole ? take(path, &got, out, message, size)
			   : fail(message, size, TR_E_CORRUPT, "%s: DWARF reader: %s",
				  path, child.problem);
	tr_buffer_free(&got);
	return status;
}

/* Opens the debug information, which may be in a file of its own. */
static int ask_elf(struct job *job, struct tr_image *image, struct image_elf *elf,
		   struct tr_buffer *out, char *message, size_t size)
{
	struct image_elf debug;
	bool separate = false, has_dwarf = elf->has_dwarf;
	job->query.is_module = tr_image_elf_is_module(elf);
	if (job->query.is_module) {
		has_dwarf = tr_image_module_has_dwarf(elf);
		if (!tr_image_module_spread(elf))
			return fail(message, size, TR_E_NOMEM, "out of memory");
	}
	if (!has_dwarf) {
		separate = tr_image_debug_open(&debug, image, elf);
		if (!separate)
			return fail(message, size, TR_E_UNSUPPORTED,
				    "%s: no debug information (DWARF)", image->path);
	}
	unsigned abi = (unsigned)elf->header.e_flags & FLOAT_ABI;
	job->query.elf = separate ? &debug : elf;
	job->query.xlen = elf->header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
	job->query.float_bytes = abi == 0x2 ? 4 : abi >= 0x4 ? 8 : 0;
	int status = ask(job, image->path, out, message, size);
	if (separate)
		tr_image_elf_release(&debug);
	return status;
}

int tr_query_run(const char *path,
		 void (*work)(struct tr_query *query, void *context,
			      struct tr_buffer *out),
		 void *context, struct tr_buffer *out, char *message, size_t size)
{
	struct job job = {.work = work, .context = context};
	struct tr_image *image = calloc(1, sizeof(*image));
	struct image_elf elf;
	if (!image || !(image->path = strdup(path))) {
		tr_image_close(image);
		return fail(message, size, TR_E_NOMEM, "out of memory");
	}
	int status = tr_image_elf_open(&elf, image);
	if (status == TR_OK)
		status = tr_image_code_load(image, &elf, NULL);
	if (status != TR_OK)
		fail(message, size, status, "%s", image->message);
	else
		status = ask_elf(&job, image, &elf, out, message, size);
	tr_image_elf_release(&elf);
	tr_image_close(image);
	return status;
}

unsigned tr_query_xlen(const struct tr_query *query)
{
	return query->xlen;
}

unsigned tr_query_float_bytes(const struct tr_query *query)
{
	return query->float_bytes;
}

bool tr_query_in_section(const struct tr_query *query, uint64_t address, const char *name)
{
	const struct image_elf *elf = query->elf;
	size_t names = 0;
	if (!elf->nsections || elf_getshdrstrndx(query->whole, &names) != 0)
		return false;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(query->whole, i), &section))
			continue;
		if (query->is_module)
			section.sh_addr = tr_query_section_base(i);
		if (address - section.sh_addr >= section.sh_size)
			continue;
		const char *own = elf_strptr(query->whole, names, section.sh_name);
		if (own && strcmp(own, name) == 0)
			return true;
	}
	return false;
}

/* --- single DIEs */

Dwarf_Die tr_query_die(const struct tr_query *query, uint64_t offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	if (offset == 0 ||
	    dwarf_offdie_b(query->dbg, offset, 1, &die, &error) != DW_DLV_OK)
		return NULL;
	return die;
}

Dwarf_Half tr_query_tag(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;
	return dwarf_tag(die, &tag, &error) == DW_DLV_OK ? tag : 0;
}

Dwarf_Die tr_query_child(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;
	return dwarf_child(die, &child, &error) == DW_DLV_OK ? child : NULL;
}

Dwarf_Die tr_query_next(const struct tr_query *query, Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Die next = NULL;
	uint64_t at = tr_image_dwarf_offset(die);
	if (dwarf_siblingof_b(query->dbg, die, 1, &next, &error) != DW_DLV_OK)
		next = NULL;
	dwarf_dealloc_die(die);
	if (next && tr_image_dwarf_offset(next) <= at) {
		dwarf_dealloc_die(next);
		next = NULL;
	}
	return next;
}

bool tr_query_flag(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Bool set = 0;
	if (dwarf_attr(die, attribute, &found, &error) != DW_DLV_OK)
		return false;
	if (dwarf_formflag(found, &set, &error) != DW_DLV_OK)
		set = 0;
	dwarf_dealloc_attribute(found);
	return set;
}

bool tr_query_number(Dwarf_Die die, Dwarf_Half attribute, uint64_t *value)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Unsigned number = 0;
	Dwarf_Signed constant = 0;
	*value = 0;
	if (dwarf_attr(die, attribute, &found, &error) != DW_DLV_OK)
		return false;
	bool good = true;
	if (dwarf_formudata(found, &number, &error) == DW_DLV_OK)
		*value = number;
	else if (dwarf_formsdata(found, &constant, &error) == DW_DLV_OK)
		*value = (uint64_t)constant;
	else
		good = false;
	dwarf_dealloc_attribute(found);
	return good;
}

uint64_t tr_query_origin(const struct tr_query *query, uint64_t offset)
{
	uint64_t to = 0;
	Dwarf_Die die = tr_query_die(query, offset);
	if (!die)
		return 0;
	if (tr_image_dwarf_reference(die, DW_AT_abstract_origin, &to) != DW_DLV_OK &&
	    tr_image_dwarf_reference(die, DW_AT_specification, &to) != DW_DLV_OK)
		to = 0;
	dwarf_dealloc_die(die);
	return to;
}

const char *tr_query_name(const struct tr_query *query, uint64_t offset)
{
	for (unsigned i = 0; i < ORIGINS_DEEP && offset; i++) {
		Dwarf_Die die = tr_query_die(query, offset);
		const char *name = die ? tr_image_dwarf_text(die, DW_AT_name) : NULL;
		if (die)
			dwarf_dealloc_die(die);
		if (name)
			return name;
		offset = tr_query_origin(query, offset);
	}
	return NULL;
}

uint64_t tr_query_unit(const struct tr_query *query, uint64_t offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Off unit = 0;
	Dwarf_Die die = tr_query_die(query, offset);
	if (!die)
		return 0;
	if (dwarf_CU_dieoffset_given_die(die, &unit, &error) != DW_DLV_OK)
		unit = 0;
	dwarf_dealloc_die(die);
	return unit;
}

bool tr_query_covers(const struct tr_query *query, Dwarf_Die die, uint64_t pc)
{
	Dwarf_Error error = NULL;
	struct image_dwarf_unit unit = {.dbg = query->dbg};
	struct tr_buffer ranges = {0};
	Dwarf_Half offset_size = 0;
	uint32_t count = 0;
	uint64_t first = 0;
	bool covers = false;
	Dwarf_Die top =
	    tr_query_die(query, tr_query_unit(query, tr_image_dwarf_offset(die)));
	if (!top ||
	    dwarf_get_version_of_die(die, &unit.version, &offset_size) != DW_DLV_OK)
		return false;
	if (dwarf_lowpc(top, &unit.base, &error) != DW_DLV_OK)
		unit.base = 0;
	dwarf_dealloc_die(top);
	tr_image_dwarf_ranges(&unit, die, &ranges, &count, &first);
	for (size_t i = 0; i < count && !ranges.failed; i++) {
		const uint8_t *range = ranges.data + i * IMAGE_INDEX_RANGE_BYTES;
		covers |= pc >= tr_load64(range) && pc < tr_load64(range + 8);
	}
	tr_buffer_free(&ranges);
	return covers;
}
