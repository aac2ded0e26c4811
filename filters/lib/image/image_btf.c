/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the types of a .BTF section as DWARF 4, in an ELF file in memory. */
#include "image/image_btf.h"

#include <elf.h>
#include <libdwarf/dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_btf_internal.h"

/* What a DIE is. Each has four abbreviations: with and without a name and a type, whose
 * attributes come before the others. */
enum tag {
	UNIT,
	NUMBER,
	POINTER,
	ARRAY,
	COUNT, /* of an array */
	OPEN,  /* an array without it */
	STRUCT,
	UNION,
	STRUCT_DECLARED,
	UNION_DECLARED,
	MEMBER,
	FIELD, /* a bit-field */
	ENUM,
	SIGNED, /* enumerators */
	UNSIGNED,
	TYPEDEF,
	QUALIFIED,
	ROUTINE,
	PARAMETER,
	ELLIPSIS,
	FUNCTION,
	PROTOTYPE,
	VARIABLE,
	TAGS
};
enum { NAMED = 1, TYPED = 2, VARIANTS = 4, MOST_MORE = 3 };

static const struct {
	uint8_t tag;
	bool has_children;
	uint8_t more[MOST_MORE][2]; /* attribute and form */
} tags[TAGS] = {
    [UNIT] = {DW_TAG_compile_unit,
	      true,
	      {{DW_AT_language, DW_FORM_data1}, {DW_AT_producer, DW_FORM_strp}}},
    [NUMBER] = {DW_TAG_base_type,
		false,
		{{DW_AT_encoding, DW_FORM_data1}, {DW_AT_byte_size, DW_FORM_data1}}},
    [POINTER] = {DW_TAG_pointer_type, false, {{DW_AT_byte_size, DW_FORM_data1}}},
    [ARRAY] = {DW_TAG_array_type, true, {{0}}},
    [COUNT] = {DW_TAG_subrange_type, false, {{DW_AT_count, DW_FORM_data4}}},
    [OPEN] = {DW_TAG_subrange_type, false, {{0}}},
    [STRUCT] = {DW_TAG_structure_type, true, {{DW_AT_byte_size, DW_FORM_data4}}},
    [UNION] = {DW_TAG_union_type, true, {{DW_AT_byte_size, DW_FORM_data4}}},
    [STRUCT_DECLARED] = {DW_TAG_structure_type,
			 false,
			 {{DW_AT_declaration, DW_FORM_flag_present}}},
    [UNION_DECLARED] = {DW_TAG_union_type,
			false,
			{{DW_AT_declaration, DW_FORM_flag_present}}},
    [MEMBER] = {DW_TAG_member, false, {{DW_AT_data_member_location, DW_FORM_data4}}},
    [FIELD] = {DW_TAG_member,
	       false,
	       {{DW_AT_bit_size, DW_FORM_data1}, {DW_AT_data_bit_offset, DW_FORM_data4}}},
    [ENUM] = {DW_TAG_enumeration_type, true, {{DW_AT_byte_size, DW_FORM_data1}}},
    [SIGNED] = {DW_TAG_enumerator, false, {{DW_AT_const_value, DW_FORM_sdata}}},
    [UNSIGNED] = {DW_TAG_enumerator, false, {{DW_AT_const_value, DW_FORM_udata}}},
    [TYPEDEF] = {DW_TAG_typedef, false, {{0}}},
    [QUALIFIED] = {DW_TAG_const_type, false, {{0}}},
    [ROUTINE] = {DW_TAG_subroutine_type, true, {{0}}},
    [PARAMETER] = {DW_TAG_formal_parameter, false, {{0}}},
    [ELLIPSIS] = {DW_TAG_unspecified_parameters, false, {{0}}},
    [FUNCTION] = {DW_TAG_subprogram,
		  true,
		  {{DW_AT_low_pc, DW_FORM_addr},
		   {DW_AT_high_pc, DW_FORM_data8},
		   {DW_AT_external, DW_FORM_flag}}},
    [PROTOTYPE] = {DW_TAG_subprogram, true, {{DW_AT_declaration, DW_FORM_flag_present}}},
    [VARIABLE] = {DW_TAG_variable, false, {{DW_AT_declaration, DW_FORM_flag_present}}},
};

static const char unknown[] = "[not in BTF]"; /* the name of a type */

struct writer {
	const struct btf *btf;
	const struct image_btf_source *source;
	struct tr_buffer *info;
	struct tr_buffer *names; /* those of the section, and then those of symbols */
	uint32_t *dies; /* of types, from a first pass, in which they are not known */
	uint32_t numbers[2][4]; /* unnamed, for enums: signed, log2 of the bytes */
	uint32_t byte;		/* the type of variables without one */
	size_t most;		/* bytes of `info` */
};

static void put_byte(struct writer *w, uint64_t value)
{
	const uint8_t byte = (uint8_t)value;
	tr_buffer_add(w->info, &byte, 1);
}

/* Writes an abbreviation, name and type, each unless it is 0. Returns its place. */
static uint32_t put_die(struct writer *w, enum tag tag, uint32_t name, uint32_t type)
{
	const uint32_t at = (uint32_t)w->info->size;
	const bool is_named = w->names->data[name] != '\0';
	put_byte(w, 1U + VARIANTS * (unsigned)tag + (is_named ? NAMED : 0) +
			(type ? TYPED : 0));
	if (is_named)
		tr_buffer_add32(w->info, name);
	if (type)
		tr_buffer_add32(w->info, type);
	return at;
}

/* As put_die(), with the number of a type of the section. */
static uint32_t put_typed(struct writer *w, enum tag tag, uint32_t name, uint32_t id)
{
	/* In the first pass any place will do. */
	return put_die(w, tag, name, id && !w->dies[id] ? 1 : w->dies[id]);
}

/* Each function repeats the parameters of its prototype, so a small section could make
 * any number of bytes. That of Linux makes about as many as it has itself. */
static bool is_full(const struct writer *w)
{
	return w->info->failed || w->info->size > w->most;
}

static size_t most_info(const struct image_btf_source *source)
{
	enum { LEAST = 1 << 20, TIMES = 32, SYMBOL_BYTES = 64 };
	const size_t most =
	    LEAST + TIMES * source->size + SYMBOL_BYTES * source->nsymbols;
	return most < INT32_MAX ? most : INT32_MAX;
}

static void put_end(struct writer *w)
{
	put_byte(w, 0);
}

static void put_signed(struct writer *w, int64_t value)
{
	for (bool is_last = false; !is_last; value >>= 7) {
		is_last = value >= -64 && value < 64;
		put_byte(w, ((uint64_t)value & 0x7f) | (is_last ? 0U : 0x80U));
	}
}

/* --- types */

static uint32_t put_number(struct writer *w, uint32_t name, unsigned encoding,
			   uint32_t bytes)
{
	const uint32_t at = put_die(w, NUMBER, name, 0);
	put_byte(w, encoding);
	put_byte(w, bytes);
	return at;
}

/* pahole has floating-point numbers as integers of these names by default. */
static bool is_float_name(const char *name)
{
	return strcmp(name, "float") == 0 || strcmp(name, "double") == 0 ||
	       strcmp(name, "long double") == 0;
}

static uint32_t put_integer(struct writer *w, const struct btf_type *type)
{
	enum { IS_SIGNED = 1, IS_BOOL = 4 };
	const uint32_t encoding = tr_btf_u32(type->rest, 0) >> 24 & 15;
	return put_number(w, type->name,
			  is_float_name(w->btf->strings + type->name) ? DW_ATE_float
			  : encoding & IS_BOOL			      ? DW_ATE_boolean
			  : encoding & IS_SIGNED		      ? DW_ATE_signed
								      : DW_ATE_unsigned,
			  type->number);
}

static uint32_t put_array(struct writer *w, const struct btf_type *type)
{
	const uint32_t at = put_typed(w, ARRAY, 0, tr_btf_u32(type->rest, 0));
	const uint32_t count = tr_btf_u32(type->rest, 2);
	put_die(w, count ? COUNT : OPEN, 0, 0);
	if (count)
		tr_buffer_add32(w->info, count);
	put_end(w);
	return at;
}

static uint32_t put_struct(struct writer *w, const struct btf_type *type)
{
	const uint32_t at =
	    put_die(w, type->kind == BTF_UNION ? UNION : STRUCT, type->name, 0);
	tr_buffer_add32(w->info, type->number);
	for (uint32_t i = 0; i < type->parts; i++) {
		const struct btf_member member = tr_btf_member(w->btf, type, i);
		put_typed(w, member.bits ? FIELD : MEMBER, member.name, member.type);
		if (member.bits)
			put_byte(w, member.bits);
		tr_buffer_add32(w->info, member.bits ? member.offset : member.offset / 8);
	}
	put_end(w);
	return at;
}

static int64_t enumerator_at(const struct btf_type *type, uint32_t i, uint32_t *name)
{
	const bool is_wide = type->kind == BTF_ENUM64;
	const uint8_t *at = type->rest + (is_wide ? 12UL : 8UL) * i;
	*name = tr_btf_u32(at, 0);
	return is_wide ? (int64_t)(tr_btf_u32(at, 1) | (uint64_t)tr_btf_u32(at, 2) << 32)
		       : (int32_t)tr_btf_u32(at, 1);
}

/* Older encoders do not tell that an enum is signed; then a value below 0 does. */
static bool is_signed_enum(const struct btf_type *type)
{
	bool is = type->flag;
	uint32_t name;
	for (uint32_t i = 0; i < type->parts; i++)
		is |= type->kind == BTF_ENUM && enumerator_at(type, i, &name) < 0;
	return is;
}

static uint32_t put_enum(struct writer *w, const struct btf_type *type)
{
	const bool is_signed = is_signed_enum(type);
	unsigned log = 0;
	while (1U << log < type->number)
		log++;
	const uint32_t at = put_die(w, ENUM, type->name, w->numbers[is_signed][log]);
	put_byte(w, type->number);
	for (uint32_t i = 0; i < type->parts; i++) {
		uint32_t name;
		const int64_t value = enumerator_at(type, i, &name);
		put_die(w, is_signed ? SIGNED : UNSIGNED, name, 0);
		if (is_signed)
			put_signed(w, value);
		else
			tr_buffer_varint(w->info, type->kind == BTF_ENUM64
						      ? (uint64_t)value
						      : (uint32_t)value);
	}
	put_end(w);
	return at;
}

/* Parameters of a prototype; the last one without name and type stands for any. */
static void put_parameters(struct writer *w, const struct btf_type *prototype)
{
	for (uint32_t i = 0; i < prototype->parts; i++) {
		const uint8_t *at = prototype->rest + 8UL * i;
		const uint32_t name = tr_btf_u32(at, 0), type = tr_btf_u32(at, 1);
		if (!name && !type)
			put_die(w, ELLIPSIS, 0, 0);
		else
			put_typed(w, PARAMETER, name, type);
	}
	put_end(w);
}

static uint32_t put_routine(struct writer *w, const struct btf_type *type)
{
	const uint32_t at = put_typed(w, ROUTINE, 0, type->number);
	put_parameters(w, type);
	return at;
}

/* Writes a type. Returns its place, 0 for what is none. */
static uint32_t put_type(struct writer *w, const struct btf_type *type)
{
	switch (type->kind) {
	case BTF_INT:
		return put_integer(w, type);
	case BTF_FLOAT:
		return put_number(w, type->name, DW_ATE_float, type->number);
	case BTF_PTR: {
		const uint32_t at = put_typed(w, POINTER, 0, type->number);
		put_byte(w, w->btf->xlen / 8);
		return at;
	}
	case BTF_ARRAY:
		return put_array(w, type);
	case BTF_STRUCT:
	case BTF_UNION:
		return put_struct(w, type);
	case BTF_ENUM:
	case BTF_ENUM64:
		return put_enum(w, type);
	case BTF_FWD:
		return put_die(w, type->flag ? UNION_DECLARED : STRUCT_DECLARED,
			       type->name, 0);
	case BTF_TYPEDEF:
		return put_typed(w, TYPEDEF, type->name, type->number);
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
		return put_typed(w, QUALIFIED, 0, type->number);
	case BTF_FUNC_PROTO:
		return put_routine(w, type);
	default:
		return 0;
	}
}

/* --- functions and variables */

static int compare_symbols(const void *a, const void *b)
{
	const struct image_btf_symbol *left = a, *right = b;
	const int order = strcmp(left->name, right->name);
	return order
		   ? order
		   : (left->address > right->address) - (left->address < right->address);
}

/* Returns the number of the first symbol whose name is not before `name`. */
static size_t find_symbols(const struct writer *w, const char *name)
{
	size_t low = 0, high = w->source->nsymbols;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strcmp(w->source->symbols[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_symbol(const struct writer *w, size_t i, const char *name)
{
	return i < w->source->nsymbols && strcmp(w->source->symbols[i].name, name) == 0;
}

/* A function for each symbol of the name that has a size, and its prototype for one in
 * assembly. */
static void put_function(struct writer *w, const struct btf_type *function)
{
	const struct btf_type prototype = tr_btf_type(w->btf, function->number);
	const char *name = w->btf->strings + function->name;
	for (size_t i = find_symbols(w, name); is_symbol(w, i, name) && !is_full(w);
	     i++) {
		const struct image_btf_symbol *symbol = &w->source->symbols[i];
		if (!symbol->is_code || !symbol->size)
			continue;
		put_typed(w, FUNCTION, function->name, prototype.number);
		tr_buffer_add64(w->info, symbol->address);
		tr_buffer_add64(w->info, symbol->size);
		put_byte(w, symbol->is_global);
		put_parameters(w, &prototype);
	}
	put_typed(w, PROTOTYPE, function->name, prototype.number);
	put_parameters(w, &prototype);
}

/* Returns whether a symbol is one of data, and the only one of its name. */
static bool is_data_symbol(const struct writer *w, size_t i)
{
	const struct image_btf_symbol *symbol = &w->source->symbols[i];
	return !symbol->is_code && symbol->size && symbol->size <= INT32_MAX &&
	       (!i || strcmp(symbol[-1].name, symbol->name) != 0) &&
	       !is_symbol(w, i + 1, symbol->name);
}

/* Symbols of data, of whose types nothing is known. */
static void put_data_symbols(struct writer *w)
{
	uint32_t name = w->btf->strings_size + (uint32_t)sizeof(unknown) +
			(uint32_t)strlen(w->source->producer) + 1;
	for (size_t i = 0; i < w->source->nsymbols; i++) {
		const struct image_btf_symbol *symbol = &w->source->symbols[i];
		if (!is_data_symbol(w, i))
			continue;
		const uint32_t type = put_die(w, ARRAY, 0, w->byte);
		put_die(w, COUNT, 0, 0);
		tr_buffer_add32(w->info, (uint32_t)symbol->size);
		put_end(w);
		put_die(w, VARIABLE, name, type);
		name += (uint32_t)strlen(symbol->name) + 1;
	}
}

static void put_unit(struct writer *w)
{
	enum { VERSION = 4, ADDRESS_BYTES = 8, HEADER_BYTES = 11 };
	const uint32_t length = (uint32_t)(w->info->size - 4); /* of the first pass */
	w->info->size = 0;
	tr_buffer_add32(w->info, length);
	put_byte(w, VERSION);
	put_byte(w, 0);
	tr_buffer_add32(w->info, 0);
	put_byte(w, ADDRESS_BYTES);
	put_die(w, UNIT, 0, 0);
	put_byte(w, DW_LANG_C11);
	tr_buffer_add32(w->info, w->btf->strings_size + (uint32_t)sizeof(unknown));
	for (unsigned log = 0; log < 4; log++) {
		w->numbers[0][log] = put_number(w, 0, DW_ATE_unsigned, 1U << log);
		w->numbers[1][log] = put_number(w, 0, DW_ATE_signed, 1U << log);
	}
	/* Of no kind that an expression can use, but its size is known. */
	w->byte = put_number(w, w->btf->strings_size, DW_ATE_lo_user, 1);
	for (uint32_t id = 1; id <= w->btf->count && !is_full(w); id++) {
		const struct btf_type type = tr_btf_type(w->btf, id);
		w->dies[id] = put_type(w, &type);
		if (type.kind == BTF_FUNC)
			put_function(w, &type);
		else if (type.kind == BTF_VAR)
			put_typed(w, VARIABLE, type.name, type.number);
	}
	put_data_symbols(w);
	put_end(w);
}

static void put_abbreviations(struct tr_buffer *out)
{
	for (unsigned i = 0; i < TAGS * VARIANTS; i++) {
		const unsigned tag = i / VARIANTS;
		tr_buffer_varint(out, i + 1);
		tr_buffer_varint(out, tags[tag].tag);
		tr_buffer_varint(out, tags[tag].has_children);
		if (i & NAMED)
			tr_buffer_add(out, (uint8_t[]){DW_AT_name, DW_FORM_strp}, 2);
		if (i & TYPED)
			tr_buffer_add(out, (uint8_t[]){DW_AT_type, DW_FORM_ref4}, 2);
		for (unsigned k = 0; k < MOST_MORE && tags[tag].more[k][0]; k++) {
			tr_buffer_varint(out, tags[tag].more[k][0]);
			tr_buffer_varint(out, tags[tag].more[k][1]);
		}
		tr_buffer_add(out, (uint8_t[]){0, 0}, 2);
	}
	tr_buffer_varint(out, 0);
}

/* --- the file */

enum { SECTIONS = 5, INFO = 1, ABBREV, STR, SECTION_NAMES };
static const char section_names[] = "\0.debug_info\0.debug_abbrev\0.debug_str\0.shstrtab";
static const uint32_t section_name_at[SECTIONS] = {0, 1, 13, 27, 38};

static void put_elf(struct tr_buffer *elf, const struct tr_buffer *const *contents)
{
	Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT},
			     .e_type = ET_EXEC,
			     .e_machine = EM_RISCV,
			     .e_version = EV_CURRENT,
			     .e_ehsize = sizeof(Elf64_Ehdr),
			     .e_shoff = sizeof(Elf64_Ehdr),
			     .e_shentsize = sizeof(Elf64_Shdr),
			     .e_shnum = SECTIONS,
			     .e_shstrndx = SECTION_NAMES};
	Elf64_Shdr sections[SECTIONS] = {{0}};
	uint64_t at = sizeof(header) + sizeof(sections);
	for (unsigned i = 1; i < SECTIONS; i++) {
		sections[i] = (Elf64_Shdr){.sh_name = section_name_at[i],
					   .sh_type = i == SECTION_NAMES ? SHT_STRTAB
									 : SHT_PROGBITS,
					   .sh_offset = at,
					   .sh_size = contents[i]->size,
					   .sh_addralign = 1};
		at += contents[i]->size;
	}
	tr_buffer_add(elf, &header, sizeof(header));
	tr_buffer_add(elf, sections, sizeof(sections));
	for (unsigned i = 1; i < SECTIONS; i++) {
		tr_buffer_add(elf, contents[i]->data, contents[i]->size);
		elf->failed |= contents[i]->failed;
	}
}

/* The names of the section, of the unknown type, and of the data symbols in their order.
 */
static void put_names(const struct writer *w)
{
	tr_buffer_add(w->names, w->btf->strings, w->btf->strings_size);
	tr_buffer_add(w->names, unknown, sizeof(unknown));
	tr_buffer_add(w->names, w->source->producer, strlen(w->source->producer) + 1);
	for (size_t i = 0; i < w->source->nsymbols; i++) {
		const struct image_btf_symbol *symbol = &w->source->symbols[i];
		if (is_data_symbol(w, i))
			tr_buffer_add(w->names, symbol->name, strlen(symbol->name) + 1);
	}
}

bool tr_image_btf_convert(const struct image_btf_source *source, struct tr_buffer *elf,
			  char *problem, size_t size)
{
	struct btf btf = {.xlen = source->xlen, .problem = problem, .problem_size = size};
	struct tr_buffer info = {0}, abbreviations = {0}, names = {0}, text = {0};
	const struct tr_buffer *const contents[] = {NULL, &info, &abbreviations, &names,
						    &text};
	bool good = tr_btf_open(&btf, source);
	struct writer w = {.btf = &btf,
			   .source = source,
			   .info = &info,
			   .names = &names,
			   .most = most_info(source),
			   .dies = calloc(btf.count + 1UL, sizeof(*w.dies))};
	if (good && w.dies) {
		if (source->nsymbols)
			qsort(source->symbols, source->nsymbols, sizeof(*source->symbols),
			      compare_symbols);
		put_names(&w);
		for (unsigned pass = 0; pass < 2 && !names.failed && !is_full(&w); pass++)
			put_unit(&w);
		put_abbreviations(&abbreviations);
		tr_buffer_add(&text, section_names, sizeof(section_names));
		put_elf(elf, contents);
	}
	if (good && (!w.dies || elf->failed || names.failed)) {
		snprintf(problem, size, "out of memory");
		good = false;
	} else if (good && is_full(&w)) {
		snprintf(problem, size, "more than %zu bytes of DWARF", w.most);
		good = false;
	}
	free(w.dies);
	tr_buffer_free(&info);
	tr_buffer_free(&abbreviations);
	tr_buffer_free(&names);
	tr_buffer_free(&text);
	tr_btf_close(&btf);
	return good;
}
