/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the compiler share. It runs in a child process, which reads DWARF. */
#ifndef TR_PROBE_COMPILE_H
#define TR_PROBE_COMPILE_H

#include "image/image_query.h"
#include "probe/probe_internal.h"

enum { PIECES_MAX = 8, OFFERS = 200 };

/* A type of the DWARF, or an integer that has none, behind `stars` pointers. */
struct value_type {
	struct tr_query_type of;
	unsigned stars;
	bool is_string, is_bytes; /* what str() and buf() return; nothing else holds */
};

/* A part of a variable: code for its value, or for its address. */
struct piece {
	struct probe_insn *insns; /* NULL: not known */
	uint32_t count;
	bool is_address, is_float;
	bool is_of_entry; /* not known, but at the function's entry */
	uint64_t size;
};

/* Values that are saved at a function's entry: code of each. */
struct saved_code {
	struct probe_insn *insns;
	uint32_t count;
};

/* Where a value is. */
enum value_place {
	VALUE_READY,  /* on the stack */
	VALUE_MEMORY, /* its address without `offset` is on the stack */
	VALUE_PIECES  /* nothing is on the stack */
};
struct value {
	struct value_type type;
	enum value_place place;
	uint64_t offset;
	unsigned bit, bits; /* bits 0: no bit-field */
	/* Of a parameter in memory at a return, which is to be read at the entry: the
	 * code of its address there; what is on the stack is what that saved. */
	struct saved_code entry_address;
	struct piece pieces[PIECES_MAX];
	unsigned npieces;
};

struct compiler {
	struct tr_query *query;
	const struct probe_definition *definition;
	const struct tr_query_function *function; /* NULL: none */
	const char *binary;
	enum tr_probe_kind kind;
	uint64_t pc;
	struct tr_buffer code;	/* struct probe_insn */
	struct tr_buffer saved; /* struct saved_code */
	struct tr_buffer *texts;
	bool *has_symbols; /* set if the code needs the symbols of the binary */
	struct tr_arena arena;
	const struct probe_field *scratch_end; /* scratch variables before this field */
	unsigned deep;
	bool failed;
	bool is_unavailable; /* failed: the value is not known at this place alone */
	char message[PROBE_MESSAGE];
};

void tr_compile_fail(struct compiler *compiler, const struct probe_node *node,
		     const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Fails with a value that the compiler of the program dropped. */
void tr_compile_drop(struct compiler *compiler, const struct probe_node *node,
		     const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Returns ": did you mean X?", or "". The text is valid until the next call. */
const char *tr_compile_near(const struct tr_near *near);

void tr_compile_emit(struct compiler *compiler, const struct probe_insn *insn);
void tr_compile_op(struct compiler *compiler, enum probe_op op);
void tr_compile_number(struct compiler *compiler, uint64_t number);
/* Emits OP_EXTEND for a type below 8 bytes. */
void tr_compile_extend(struct compiler *compiler, uint64_t size, bool is_signed);
/* Returns a copy of instructions in the arena. */
struct probe_insn *tr_compile_copy(struct compiler *compiler,
				   const struct probe_insn *insns, uint32_t count);

/* --- probe_compile_types.c */
unsigned tr_type_word(const struct compiler *compiler); /* bytes of a register */
struct value_type tr_type_integer(unsigned size, bool is_signed);
struct value_type tr_type_long(const struct compiler *compiler, bool is_signed);
bool tr_type_is_pointer(const struct value_type *type);
bool tr_type_is_integer(const struct value_type *type); /* also bool and enum */
bool tr_type_is_scalar(const struct value_type *type);	/* integer or pointer */
uint64_t tr_type_size(const struct compiler *compiler, const struct value_type *type);
bool tr_type_is_signed(const struct value_type *type);
/* Reads what a pointer points to, or an array's elements. */
bool tr_type_target(const struct value_type *type, struct value_type *target);
/* Writes the type in C. */
void tr_type_text(struct compiler *compiler, const struct value_type *type, char *text,
		  size_t size);
/* Finds the type that a cast names; fails with near names. */
bool tr_type_named(struct compiler *compiler, const struct probe_node *node,
		   struct value_type *type);
/* Finds the type with a DIE. Returns false without a message. */
bool tr_type_of_die(struct tr_query *query, uint64_t die, struct value_type *type);

/* --- probe_compile_value.c: puts a value on the stack; arrays become pointers */
void tr_value_load(struct compiler *compiler, const struct probe_node *node,
		   struct value *value);
/* Puts the address of memory on the stack, and returns true; fails without one. */
bool tr_value_address(struct compiler *compiler, const struct probe_node *node,
		      struct value *value);
/* Adds `offset` to the number on the stack. */
void tr_value_add(struct compiler *compiler, uint64_t offset);

/* Sets the type of the value on the stack. */
void tr_value_set(struct value *value, struct value_type type);

/* --- probe_compile_parameters.c */
/* Compiles parameter `i`, the result, or the cycle of the entry. */
void tr_compile_parameter(struct compiler *compiler, const struct probe_node *node,
			  unsigned i, struct value *value);
void tr_compile_result(struct compiler *compiler, const struct probe_node *node,
		       struct value *value);
/* Puts what `size` bytes of a value with an entry_address were at the entry on the stack.
 */
void tr_compile_load_of_entry(struct compiler *compiler, struct value *value,
			      uint64_t size, bool is_signed);
void tr_compile_at_entry(struct compiler *compiler, const struct probe_node *node,
			 struct value *value);
void tr_compile_entered(struct compiler *compiler, const struct probe_node *node,
			enum probe_op what, struct value *value);

/* --- probe_compile_names.c: variables and builtins */
void tr_compile_name(struct compiler *compiler, const struct probe_node *node,
		     struct value *value);
void tr_compile_register(struct compiler *compiler, const struct probe_node *node,
			 struct value *value);

/* --- probe_compile_location.c */
/* Reads where a DIE is at `pc`, with the function's frame. Returns what was found; with
 * TR_FOUND, `value` has its place. *is_list: see tr_query_location(). */
enum tr_query_found tr_compile_location(struct compiler *compiler, uint64_t die,
					uint64_t pc, struct value *value, bool *is_list);

/* --- probe_abi.c: the calling convention */
struct abi_part {
	enum { ABI_X, ABI_F, ABI_STACK } kind;
	unsigned reg;	 /* of ABI_X and ABI_F */
	uint64_t offset; /* of ABI_STACK: from sp at the entry */
	uint64_t size;	 /* bytes of the value in it */
	uint64_t at;	 /* where these bytes are in the value */
};
struct abi_place {
	bool by_reference; /* the part is the address */
	unsigned count;
	struct abi_part parts[2];
};
/* Finds the place of parameter `i`, or of the result, at the entry of a function. Returns
 * false if it does not follow from the types. */
bool tr_abi_parameter(struct compiler *compiler, unsigned i, struct abi_place *place);
bool tr_abi_result(struct compiler *compiler, struct abi_place *place);

/* --- probe_compile_arithmetic.c */
/* The integer promotion. */
struct value_type tr_type_promoted(const struct value *value);
/* Returns the size of what a pointer points to, 1 for void. */
uint64_t tr_type_target_size(struct compiler *compiler, const struct probe_node *node,
			     const struct value_type *pointer);
/* Extends the value on the top, or below it, to a type. */
void tr_value_convert(struct compiler *compiler, const struct value_type *from,
		      const struct value_type *to, bool below);
void tr_compile_binary(struct compiler *compiler, const struct probe_node *node,
		       struct value *value);
void tr_compile_condition(struct compiler *compiler, const struct probe_node *node,
			  struct value *value);

/* --- probe_compile_calls.c */
void tr_compile_call(struct compiler *compiler, const struct probe_node *node,
		     struct value *value);
void tr_compile_sizeof(struct compiler *compiler, const struct probe_node *node,
		       struct value *value);

/* --- probe_compile_expression.c */
/* Compile a number or a pointer, or an integer, onto the stack. */
void tr_compile_scalar(struct compiler *compiler, const struct probe_node *node,
		       struct value *value);
void tr_compile_integer(struct compiler *compiler, const struct probe_node *node,
			struct value *value);
/* Returns true for an array of char of a known size, which becomes a string. */
bool tr_value_is_text(const struct value *value);
void tr_value_load_text(struct compiler *compiler, const struct probe_node *node,
			struct value *value);
void tr_compile_expression(struct compiler *compiler, const struct probe_node *node,
			   struct value *value);
/* Compiles a field, and sets how it is shown. */
void tr_compile_field(struct compiler *compiler, const struct probe_node *node,
		      struct value_type *type, struct probe_show *show);
/* Compiles a filter: a number. */
void tr_compile_filter(struct compiler *compiler, const struct probe_node *node);

#endif
