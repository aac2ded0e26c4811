/* SPDX-License-Identifier: Apache-2.0 */
/* Runs questions about DWARF in a child process. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "image/image_btf.h"
#include "image/image_child.h"
#include "image/image_query.h"
#include "image/image_query_state.h"
#include "image/image_unzstd.h"

enum { ANSWER_GOOD = 1, ANSWER_SPLIT, ANSWER_BAD, ANSWER_BAD_BTF };
enum { FLOAT_ABI = 0x6 };

/* A file for the child. */
struct file {
	const char *path;
	struct tr_image *image;
	struct image_elf elf, debug; /* debug: a file of its own with the DWARF */
	bool separate;
};

struct job {
	struct tr_query *query; /* and the others behind it */
	void (*work)(struct tr_query *query, void *context, struct tr_buffer *out);
	void *context;
};

__attribute__((format(printf, 4, 5))) static int
fail_query(char *message, size_t size, int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(message, size, format, args);
	va_end(args);
	return status;
}

/* Returns a section by its name, or NULL. */
static Elf_Scn *find_named_section(Elf *elf, const char *wanted)
{
	size_t names = 0;
	Elf_Scn *scn = NULL;
	GElf_Shdr section;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name = gelf_getshdr(scn, &section)
				       ? elf_strptr(elf, names, section.sh_name)
				       : NULL;
		if (name && section.sh_size && section.sh_type == SHT_PROGBITS &&
		    strcmp(name, wanted) == 0)
			return scn;
	}
	return NULL;
}

#define NO_DEBUG ": no debug information (DWARF or BTF)"

/* --- in the child */

static void put_problem(struct tr_buffer *out, uint8_t kind, const char *text)
{
	tr_buffer_add(out, &kind, 1);
	tr_buffer_add(out, text, strlen(text));
}

static bool has_symbol_table(const struct image_elf *elf)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (gelf_getshdr(elf_getscn(elf->elf, i), &section) &&
		    section.sh_type == SHT_SYMTAB)
			return true;
	}
	return false;
}

/* Returns whether the compilers' notes have clang, which changes the parameters of local
 * functions. */
static bool is_made_by_clang(Elf *elf)
{
	Elf_Scn *section = find_named_section(elf, ".comment");
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	return data && data->d_buf && memmem(data->d_buf, data->d_size, "clang", 5);
}

/* Makes DWARF of the BTF. Returns NULL, or why it cannot be read. */
static const char *convert_query_btf(struct tr_query *query, Elf **elf)
{
	Elf_Scn *section = find_named_section(query->whole, ".BTF");
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	struct tr_buffer symbols = {0};
	if (!data || !data->d_buf)
		return "no section";
	const size_t nsymbols = tr_query_btf_symbols(query, &symbols);
	const struct image_btf_source source = {
	    .data = data->d_buf,
	    .size = data->d_size,
	    .xlen = query->xlen,
	    .producer = is_made_by_clang(query->whole) ? "clang" : "",
	    .symbols = (struct image_btf_symbol *)(void *)symbols.data,
	    .nsymbols = nsymbols};
	const bool good =
	    !symbols.failed && tr_image_btf_convert(&source, &query->btf, query->problem,
						    sizeof(query->problem));
	tr_buffer_free(&symbols);
	if (!good)
		return query->problem[0] ? query->problem : "out of memory";
	*elf = elf_memory((char *)query->btf.data, query->btf.size);
	return *elf ? NULL : elf_errmsg(-1);
}

/* Returns NULL, or why the DWARF, or the BTF, cannot be read. */
static const char *open_query_dwarf(struct tr_query *query)
{
	Dwarf_Error error = NULL;
	size_t size = 0;
	query->whole = tr_image_elf_memory(query->map, query->elf->size);
	char *file = query->whole ? elf_rawfile(query->whole, &size) : NULL;
	if (query->is_module && file)
		tr_image_module_relocate(query->whole, file, size, query->elf->nsections);
	Elf *elf = query->whole;
	const char *problem = query->has_btf ? convert_query_btf(query, &elf) : NULL;
	if (problem)
		return problem;
	if (dwarf_elf_init_b(elf, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL,
			     &query->dbg, &error) != DW_DLV_OK)
		return error ? dwarf_errmsg(error) : "no DWARF";
	tr_query_index(query);
	return NULL;
}

static void answer_dwarf_query(void *context, struct tr_buffer *out)
{
	struct job *job = context;
	struct tr_query *query = job->query;
	uint8_t good = ANSWER_GOOD;
	dwarf_set_de_alloc_flag(0);
	dwarf_set_reloc_application(0);
	const char *problem = open_query_dwarf(query);
	if (problem) {
		put_problem(out, query->has_btf ? ANSWER_BAD_BTF : ANSWER_BAD, problem);
		return;
	}
	if (query->is_split) {
		put_problem(out, ANSWER_SPLIT, "");
		return;
	}
	tr_buffer_add(out, &good, 1);
	job->work(query, job->context, out);
	out->failed |= query->failed;
	for (size_t i = 0; i < query->nothers; i++)
		out->failed |= query->others[i].failed;
	tr_query_release(query);
}

struct tr_query *tr_query_other(struct tr_query *query, size_t i)
{
	struct tr_query *other;
	if (i >= query->nothers)
		return NULL;
	other = &query->others[i];
	if (other->map && !other->was_begun)
		other->is_unusable = open_query_dwarf(other) || other->is_split;
	other->was_begun = true;
	return other;
}

bool tr_query_has_btf(const struct tr_query *query)
{
	return query->has_btf;
}

bool tr_query_is_usable(const struct tr_query *query)
{
	return query->map && !query->is_unusable;
}

/* --- in the parent */

static struct image_child_limits query_child_limits(size_t file_bytes)
{
	return (struct image_child_limits){
	    .cpu_seconds = 4 + (unsigned)(file_bytes >> 22),
	    .seconds = 300,
	    .memory = UINT64_C(4) << 30,
	    .most_bytes = UINT64_C(1) << 28,
	};
}

/* Copies the answer after its first byte. */
static int take_query_answer(const char *path, const struct tr_buffer *got,
			     struct tr_buffer *out, char *message, size_t size)
{
	uint8_t kind = got->size ? got->data[0] : 0;
	if (kind == ANSWER_SPLIT)
		return fail_query(
		    message, size, TR_E_UNSUPPORTED,
		    "%s: its debug information is split (-gsplit-dwarf): it is "
		    "in .dwo files, which are not read",
		    path);
	if (kind != ANSWER_GOOD)
		return fail_query(message, size, TR_E_CORRUPT, "%s: damaged %s: %.*s",
				  path, kind == ANSWER_BAD_BTF ? "BTF" : "DWARF",
				  got->size ? (int)(got->size - 1) : 0,
				  got->size ? (const char *)got->data + 1 : "");
	tr_buffer_add(out, got->data + 1, got->size - 1);
	return out->failed ? fail_query(message, size, TR_E_NOMEM, "out of memory")
			   : TR_OK;
}

static int ask_query_child(struct job *job, const char *path, struct tr_buffer *out,
			   char *message, size_t size)
{
	size_t bytes = job->query->elf->size;
	struct image_child child;
	struct tr_buffer got = {0};
	for (size_t i = 0; i < job->query->nothers; i++)
		if (job->query->others[i].map)
			bytes += job->query->others[i].elf->size;
	const struct image_child_limits limits = query_child_limits(bytes);
	tr_image_child_start(&child, answer_dwarf_query, job, &limits);
	bool whole = tr_image_child_finish(&child, &got);
	int status = whole ? take_query_answer(path, &got, out, message, size)
			   : fail_query(message, size, TR_E_CORRUPT,
					"%s: DWARF reader: %s", path, child.problem);
	tr_buffer_free(&got);
	return status;
}

/* Maps the debug information, which may be in a file of its own. */
static int map_file(struct file *file, struct tr_query *query, char *message, size_t size)
{
	bool has_dwarf = file->elf.has_dwarf;
	query->is_module = tr_image_elf_is_module(&file->elf);
	if (query->is_module) {
		has_dwarf = tr_image_module_has_dwarf(&file->elf);
		if (!tr_image_module_spread(&file->elf))
			return fail_query(message, size, TR_E_NOMEM, "out of memory");
	}
	if (!has_dwarf) {
		file->separate =
		    tr_image_debug_open(&file->debug, file->image, &file->elf);
		/* That of a module needs the kernel's. */
		query->has_btf = !file->separate && !query->is_module &&
				 find_named_section(file->elf.elf, ".BTF");
		if (!file->separate && !query->has_btf)
			return fail_query(message, size, TR_E_UNSUPPORTED, "%s" NO_DEBUG,
					  file->path);
		if (query->has_btf && !has_symbol_table(&file->elf))
			return fail_query(message, size, TR_E_UNSUPPORTED,
					  "%s: BTF without symbols, which have the "
					  "addresses of functions",
					  file->path);
	}
	unsigned abi = (unsigned)file->elf.header.e_flags & FLOAT_ABI;
	const struct image_elf *elf = query->elf =
	    file->separate ? &file->debug : &file->elf;
	query->xlen = file->elf.header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
	query->float_bytes = abi == 0x2 ? 4 : abi >= 0x4 ? 8 : 0;
	query->map =
	    mmap(NULL, elf->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, elf->fd, 0);
	if (query->map != MAP_FAILED)
		return TR_OK;
	query->map = NULL;
	return fail_query(message, size, TR_E_NOMEM, "%s: no memory for the file",
			  file->path);
}

/* Opens a file; unless TR_OK, query->map is NULL. */
static int open_query_file(struct file *file, const char *path, struct tr_query *query,
			   char *message, size_t size)
{
	file->path = path;
	file->image = calloc(1, sizeof(*file->image));
	if (!file->image || !(file->image->path = strdup(path)))
		return fail_query(message, size, TR_E_NOMEM, "out of memory");
	int status = tr_image_elf_open(&file->elf, file->image);
	if (status == TR_OK)
		status = tr_image_code_load(file->image, &file->elf, NULL);
	if (status != TR_OK)
		return fail_query(message, size, status, "%s", file->image->message);
	return map_file(file, query, message, size);
}

static void close_file(struct file *file, struct tr_query *query)
{
	if (query->map)
		munmap(query->map, query->elf->size);
	if (file->separate)
		tr_image_elf_release(&file->debug);
	if (file->image && file->image->path)
		tr_image_elf_release(&file->elf);
	tr_image_close(file->image);
}

bool tr_query_has_none(int status, const char *message)
{
	const size_t length = strlen(message), end = strlen(NO_DEBUG);
	return status == TR_E_UNSUPPORTED && length >= end &&
	       strcmp(message + length - end, NO_DEBUG) == 0;
}

int tr_query_run(const char *path, const char *const *others, size_t nothers,
		 void (*work)(struct tr_query *query, void *context,
			      struct tr_buffer *out),
		 void *context, struct tr_buffer *out, char *message, size_t size)
{
	struct file *files = calloc(nothers + 1, sizeof(*files));
	struct tr_query *queries = calloc(nothers + 1, sizeof(*queries));
	struct job job = {.query = queries, .work = work, .context = context};
	int status = TR_E_NOMEM;
	char unused[512];
	if (!files || !queries) {
		fail_query(message, size, status, "out of memory");
		goto out;
	}
	queries->others = queries + 1;
	queries->nothers = nothers;
	status = open_query_file(&files[0], path, &queries[0], message, size);
	for (size_t i = 0; i < nothers && status == TR_OK; i++)
		open_query_file(&files[i + 1], others[i], &queries[i + 1], unused,
				sizeof(unused));
	if (status == TR_OK)
		status = ask_query_child(&job, path, out, message, size);
	for (size_t i = 0; i <= nothers; i++)
		close_file(&files[i], &queries[i]);
out:
	free(files);
	free(queries);
	return status;
}
