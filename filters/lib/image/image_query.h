/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the DWARF of one file: functions, variables, types, places; or about
 * its BTF, as a Linux kernel may have it without DWARF.
 *
 * libdwarf can crash on a damaged file, so questions are asked in a child process:
 * tr_query_run() opens the file and calls `work` there, and returns what `work` wrote.
 * All other functions are for `work`. A DIE is named by its offset in .debug_info, which
 * is never 0. Strings live until the child ends. */
#ifndef TR_IMAGE_QUERY_H
#define TR_IMAGE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/near.h"
#include "base/status.h"

struct tr_query;

/* Runs `work` in a child process on the DWARF of `path`, or of the file that holds its
 * debug information. `others` are files that may be asked as well; those that cannot be
 * read are left out. Appends to `out` what `work` wrote to its own. Returns a status;
 * unless TR_OK, `message` has one line, as in "prog.elf: no debug information (DWARF or
 * BTF)".
 */
int tr_query_run(const char *path, const char *const *others, size_t nothers,
		 void (*work)(struct tr_query *query, void *context,
			      struct tr_buffer *out),
		 void *context, struct tr_buffer *out, char *message, size_t size);

/* Returns true if tr_query_run() failed because the file has no debug information, and
 * not because it has some that cannot be read. */
bool tr_query_has_none(int status, const char *message);

/* Returns other file `i`, which is read when it is first asked for; NULL from the number
 * of them on. */
struct tr_query *tr_query_other(struct tr_query *query, size_t i);
/* Returns false if the other file cannot be read, so that nothing may be asked of it. */
bool tr_query_is_usable(const struct tr_query *other);

/* The sections of a kernel module have no addresses; here section `n` is at this one. */
enum { TR_QUERY_SECTION_SHIFT = 40 };
static inline uint64_t tr_query_section_base(uint64_t n)
{
	return n << TR_QUERY_SECTION_SHIFT;
}

/* Returns true if there is only BTF: lines and variables within functions are not known,
 * nor places of parameters but by the calling convention, nor which calls were inlined.
 */
bool tr_query_has_btf(const struct tr_query *query);
unsigned tr_query_xlen(const struct tr_query *query); /* 32 or 64 */
/* Returns the bytes of the floating-point registers that pass arguments: 0, 4, 8. */
unsigned tr_query_float_bytes(const struct tr_query *query);
/* Returns true if an address is in the section of that name. */
bool tr_query_in_section(const struct tr_query *query, uint64_t address,
			 const char *name);

/* --- functions and variables by name */

struct tr_query_function {
	uint64_t die;	 /* of the code; 0: known by its symbol only */
	uint64_t origin; /* has the parameters: the DIE itself, the abstract one, or a
			  * prototype of a function in assembly; 0: none */
	uint64_t entry, place; /* place: tells functions of one name apart, 0: unknown */
	const char *symbol;    /* at the entry, NULL if none; a clone's has a suffix */
	const char *file;      /* of the declaration, NULL if unknown */
	uint32_t line;
	bool is_clone;	    /* its parameters may not be those of the source */
	bool has_own_abi;   /* the compiler says so, or the language is not C's kin */
	bool is_local_llvm; /* LLVM changes parameters of local functions silently */
	bool inlined_too;   /* calls of it were inlined as well */
};
/* Appends each out-of-line function of the name (struct tr_query_function), ascending by
 * entry, to `list`. Sets *inlined if there is one that was only inlined. Returns their
 * number. */
size_t tr_query_functions(struct tr_query *query, const char *name,
			  struct tr_buffer *list, bool *inlined);
/* Returns how many bytes of code the function has from its entry on: by its symbol, if it
 * has no DIE; and without a size up to the next function. Of modules it may be 0. */
uint64_t tr_query_code_size(struct tr_query *query,
			    const struct tr_query_function *function);
/* Finds the function that contains `pc`. */
bool tr_query_function_at(struct tr_query *query, uint64_t pc,
			  struct tr_query_function *function);
void tr_query_near_functions(struct tr_query *query, struct tr_near *near);

struct tr_query_label {
	uint64_t address, end; /* from its size, or else up to the next one */
	const char *name;
};
/* Appends the symbols of code and data, one for each address, ascending, to `list`
 * (struct tr_query_label). Of several at an address that is one which is not weak, has a
 * type, is global, and short, in this order. Returns their number. */
size_t tr_query_labels(const struct tr_query *query, struct tr_buffer *list);

/* Finds a variable of the whole program, first in the unit of DIE `unit`. Returns the
 * number found, at most 2: with more than one it is not known which is meant. */
unsigned tr_query_global(struct tr_query *query, uint64_t unit, const char *name,
			 uint64_t *die);
/* Finds a variable that is only declared, and its address by the symbol: the linker or
 * assembly defines it. Returns false if it has none; *die is 0 if it is not declared. */
bool tr_query_extern(struct tr_query *query, const char *name, uint64_t *die,
		     uint64_t *address);
void tr_query_near_globals(struct tr_query *query, struct tr_near *near);
/* Finds an enumerator, first in the unit. Returns false if there is none. */
bool tr_query_enumerator(struct tr_query *query, uint64_t unit, const char *name,
			 uint64_t *value, uint64_t *type);

/* --- inside a function */

/* Finds parameter `i`. Sets *die to that of the code, or of the origin if the code has
 * none, and *type. Returns false if there is none. */
bool tr_query_parameter(struct tr_query *query, const struct tr_query_function *function,
			unsigned i, uint64_t *die, uint64_t *type);
/* Finds the number of a parameter by its name. */
bool tr_query_parameter_named(struct tr_query *query,
			      const struct tr_query_function *function, const char *name,
			      struct tr_near *near, unsigned *i);
/* Finds the innermost variable of a name that is visible at `pc`. */
bool tr_query_local(struct tr_query *query, uint64_t function, uint64_t pc,
		    const char *name, struct tr_near *near, uint64_t *die);
/* Finds the addresses where a line begins in the function, and in each inlined call
 * within it: uint64_t, ascending. `file` is the end of a path. Returns their number; if
 * there are none, *below and *above are the nearest lines that have some, or 0. */
size_t tr_query_line(struct tr_query *query, uint64_t function, const char *file,
		     uint32_t line, struct tr_buffer *addresses, uint32_t *below,
		     uint32_t *above);
/* Returns true if the function's code includes `pc`. */
bool tr_query_has_code(struct tr_query *query, uint64_t function, uint64_t pc);

/* --- types */

enum tr_query_kind {
	TR_KIND_VOID,
	TR_KIND_INTEGER,
	TR_KIND_FLOAT,
	TR_KIND_POINTER,
	TR_KIND_ARRAY,
	TR_KIND_STRUCT, /* or class, or union */
	TR_KIND_ENUM,
	TR_KIND_FUNCTION,
	TR_KIND_OTHER,
};

struct tr_query_type {
	struct tr_query *query; /* whose DIEs are meant; NULL: of no DWARF */
	uint64_t die;		/* without typedefs and qualifiers; 0: void */
	enum tr_query_kind kind;
	uint64_t size; /* bytes; of an array, of all of it */
	bool is_signed, is_bool, is_union, is_incomplete;
	bool is_char;	    /* char itself, or an array of it */
	bool is_wide;	    /* TR_KIND_OTHER: a number of 16 bytes, as long double */
	bool is_reference;  /* of C++; its kind is that of pointers */
	uint64_t target;    /* pointed to, element, or type behind an enum */
	unsigned dimension; /* of an array: the outermost one left */
	uint64_t count;	    /* elements; UINT64_MAX: unknown */
	const char *name;   /* "" if none */
};
/* Reads a type without its typedefs and qualifiers. A declaration is completed from
 * another unit. Returns false on damage. */
bool tr_query_type(struct tr_query *query, uint64_t die, struct tr_query_type *type);
/* Reads the type of an array's elements, another array if it has several dimensions. */
bool tr_query_element(const struct tr_query_type *array, struct tr_query_type *type);
/* Returns the type of a variable, member or parameter, or what a function returns; 0:
 * void. */
uint64_t tr_query_type_of(struct tr_query *query, uint64_t die);
/* Finds a type by name, first in the unit of DIE `unit`. `keyword` is "struct", "union",
 * "enum" or "", for a typedef or a base type. */
bool tr_query_type_named(struct tr_query *query, uint64_t unit, const char *keyword,
			 const char *name, uint64_t *die);
void tr_query_near_types(struct tr_query *query, struct tr_near *near);

struct tr_query_member {
	const char *name; /* NULL: an unnamed one, or a base */
	uint64_t type;
	uint64_t offset;    /* bytes */
	unsigned bit, bits; /* of a bit-field, from its offset; bits 0: none */
};
/* Finds a member, also in unnamed members. Offers names to `near`, which may be NULL. */
bool tr_query_member(struct tr_query *query, uint64_t structure, const char *name,
		     struct tr_near *near, struct tr_query_member *member);
/* Finds the member number `i` as declared, without looking into it. */
bool tr_query_member_at(struct tr_query *query, uint64_t structure, unsigned i,
			struct tr_query_member *member);
/* Calls `take` for each member as declared, without looking into it; up to one that
 * cannot be read, such as a virtual base. Returns false if there was one. */
bool tr_query_members(struct tr_query *query, uint64_t structure,
		      void (*take)(void *context, const struct tr_query_member *member),
		      void *context);
/* Returns true if C++ passes objects of the class by their address, whatever their size:
 * it has a destructor, a constructor that copies or moves, or virtual functions. */
bool tr_query_is_passed_by_address(struct tr_query *query, uint64_t structure);
/* Calls `take` for each enumerator of an enum. */
void tr_query_enumerators(struct tr_query *query, uint64_t die,
			  void (*take)(void *context, const char *name, uint64_t value),
			  void *context);

/* --- locations */

enum tr_query_found {
	TR_FOUND,
	TR_FOUND_NOTHING,   /* the DIE has no such attribute */
	TR_FOUND_ELSEWHERE, /* a list without an entry for the place, or an empty one */
	TR_FOUND_DAMAGE
};
struct tr_query_op {
	uint8_t atom; /* DW_OP_… */
	uint64_t operand1, operand2;
	uint64_t offset; /* of the operation in the expression */
};
/* Reads a location (DW_AT_location or DW_AT_frame_base) as operations (struct
 * tr_query_op), which are valid at `pc`. Sets *is_list if it depends on the place. */
enum tr_query_found tr_query_location(struct tr_query *query, uint64_t die,
				      unsigned attribute, uint64_t pc,
				      struct tr_buffer *ops, bool *is_list);
/* A location of a variable (DW_AT_location): `count` operations, valid in [low, high),
 * which is all addresses unless it depends on the place. */
struct tr_query_entry {
	uint64_t low, high;
	const struct tr_query_op *ops;
	size_t count;
};
/* Calls `take` for each location of a variable; those that cannot be read are left out.
 */
void tr_query_locations(struct tr_query *query, uint64_t die,
			void (*take)(void *context, const struct tr_query_entry *entry),
			void *context);
/* Reads DW_AT_const_value: a number. */
bool tr_query_constant(struct tr_query *query, uint64_t die, uint64_t *value);
/* Finds the canonical frame address at `pc`, as a register and an offset. */
bool tr_query_frame(struct tr_query *query, uint64_t pc, unsigned *reg, int64_t *offset);

#endif
