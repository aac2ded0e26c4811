/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the probe language share: the syntax tree, and the code that is made
 * of it. */
#ifndef TR_PROBE_INTERNAL_H
#define TR_PROBE_INTERNAL_H

#include <stdarg.h>
#include <string.h>

#include "base/buffer.h"
#include "probe/probe.h"

enum {
	PROBE_MESSAGE = 512,
	PROBE_DEEP = 100,	    /* nested expressions */
	PROBE_TEXT_MAX = 1 << 20,   /* bytes of a probe file */
	PROBE_STACK = 128,	    /* values of an evaluation */
	PROBE_STRING_MAX = 1 << 20, /* bytes that one value may have */
	PROBE_STRING_USUAL = 256,
	PROBE_ANSWER_GOOD = 0,	 /* first byte of the compiler's answer: */
	PROBE_ANSWER_FAILED = 1, /* a message follows */
	PROBE_ANSWER_WHOLE = 2	 /* parts and the shape of structures follow */
};

/* --- the syntax tree, in an arena */

enum probe_token {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_NUMBER,
	TOKEN_STRING,
	/* Operators: their characters, or these. */
	TOKEN_ARROW = 256,
	TOKEN_SHL,
	TOKEN_SHR,
	TOKEN_LE,
	TOKEN_GE,
	TOKEN_EQ,
	TOKEN_NE,
	TOKEN_AND,
	TOKEN_OR
};

enum probe_node_kind {
	NODE_NUMBER,
	NODE_STRING,
	NODE_NAME,
	NODE_MEMBER, /* a.names, or a->names */
	NODE_INDEX,  /* a[b] */
	NODE_UNARY,
	NODE_BINARY,
	NODE_CONDITION, /* a ? b : c */
	NODE_CAST,	/* (type)a */
	NODE_SIZEOF,	/* of the type, or of a without one */
	NODE_CALL	/* text(a, b, type, names) */
};

struct probe_names {
	const char *name;
	struct probe_names *next;
};

struct probe_type {
	const char *keyword; /* "struct", "union", "enum", "" */
	const char *name;
	unsigned stars;
};

struct probe_node {
	enum probe_node_kind kind;
	unsigned line, column;
	int op;		/* of NODE_UNARY, NODE_BINARY; '.' or TOKEN_ARROW */
	unsigned longs; /* suffixes l of a number */
	bool is_unsigned, is_hexadecimal; /* a number with u, with 0x */
	bool is_quoted;			  /* a name of the program, no builtin */
	const char *text;
	uint64_t number;
	struct probe_node *a, *b, *c;
	struct probe_names *names;
	struct probe_type type;
};

struct probe_field {
	const char *name; /* "$x": a scratch variable, not shown */
	struct probe_node *value;
	struct probe_field *next;
};

struct probe_function {
	const char *name, *file; /* file: of the declaration, or NULL */
	struct probe_function *next;
};

struct probe_definition {
	const char *source;		  /* the file of the definition */
	const char *name, *binary;	  /* `binary` may be PROBE_ANY */
	struct probe_function *functions; /* alternatives */
	unsigned line, column;
	enum tr_probe_kind kind;
	const char *at_file; /* :line(FILE:N); NULL without it */
	uint32_t at_line;
	uint64_t offset;	     /* +OFFSET */
	bool has_offset, is_address; /* is_address: `offset` is an address of the file */
	bool is_parts;		   /* of structures: what cannot be compiled is missing */
	bool is_also;		   /* +NAME: counts besides those before it */
	bool is_optional;	   /* it need not have a place */
	struct probe_node *filter; /* NULL: none; of a TR_PROBE_CHANGED what it watches */
	struct probe_field *fields;
	size_t probe;
	struct probe_definition *next;
};

/* Reads the definitions of a text into `list`, in their order. On failure returns a
 * status with a message. With `is_expression` the text has expressions only, which become
 * the fields of one definition. */
int tr_probe_parse(struct tr_arena *arena, const char *name, const char *text,
		   bool is_expression, struct probe_definition **list, char *message);

/* --- parser */

struct probe_parser {
	struct tr_arena *arena;
	const char *source, *text, *at;
	unsigned line, column; /* of `at` */
	/* The current token. */
	int token;
	unsigned token_line, token_column;
	const char *start; /* of its text */
	const char *word;  /* a name or a string */
	size_t word_size;
	uint64_t number;
	unsigned longs;
	bool is_unsigned, is_hexadecimal, is_quoted;
	const char *end; /* of the token before */
	unsigned deep;
	bool in_filter; /* '/' ends an expression */
	bool failed, no_memory;
	char *message;
};
/* Reads the next token. */
void tr_probe_next(struct probe_parser *parser);
/* Reads the rest of a binary's or function's name, whose characters are those of files
 * and symbols. */
void tr_probe_next_loose(struct probe_parser *parser, const char *others);
void tr_probe_fail(struct probe_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Fails with what was found where `wanted` should be. */
void tr_probe_fail_at_token(struct probe_parser *parser, const char *wanted);
/* Takes the token if it is `token`. */
bool tr_probe_accept(struct probe_parser *parser, int token);
/* Returns true if the current token is this word, without quotes. */
bool tr_probe_is_at_word(const struct probe_parser *parser, const char *word);
void tr_probe_expect(struct probe_parser *parser, int token, const char *wanted);
void *tr_probe_take(struct probe_parser *parser, size_t size);
const char *tr_probe_text(struct probe_parser *parser, const char *from, size_t size);
struct probe_node *tr_probe_expression(struct probe_parser *parser);

/* --- code: a stack machine without jumps */

enum probe_op {
	OP_NUMBER, /* operand */
	OP_MISSING,
	OP_X, /* operand: register */
	OP_F,
	OP_PC,
	OP_BIAS,
	OP_HART,
	OP_CYCLE,
	OP_SATP,
	OP_TASK,
	OP_SAVED,  /* operand: number of the saved value */
	OP_LOAD,   /* size bytes at an address; is_signed */
	OP_EXTEND, /* to size bytes; is_signed */
	OP_BITS,   /* operand: size bits from this one on; is_signed */
	OP_DOUBLE, /* the bits of a float of size bytes as those of a double */
	OP_NEGATE,
	OP_INVERT,
	OP_NOT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE, /* is_signed */
	OP_MODULO,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_SHL,
	OP_SHR, /* is_signed */
	OP_EQUAL,
	OP_LESS, /* is_signed */
	OP_LESS_EQUAL,
	OP_BOTH,   /* && */
	OP_EITHER, /* || */
	OP_SELECT, /* a b c: a ? b : c */
	OP_SWAP,
	/* Strings. */
	OP_TEXT,   /* operand: offset in the texts; size of it in `more` */
	OP_STR,	   /* address, most bytes: up to a 0 */
	OP_CHARS,  /* address, bytes of an array: up to a 0, or all */
	OP_BUF,	   /* address, bytes */
	OP_WORDS,  /* address, bytes: with spaces in place of 0 */
	OP_LOWEST, /* address, bytes: the lowest sp in them */
	OP_SYMBOL, /* address in the ELF file: the symbol that contains it */
	OP_SAME,   /* two strings are equal */
	OP_CHOOSE, /* as OP_SELECT, between two strings */
	OP_COUNT
};

struct probe_insn {
	uint8_t op, size;
	bool is_signed;
	uint32_t more;
	uint64_t operand;
};
enum { PROBE_INSN_BYTES = 15 };

/* How a field is shown. */
struct probe_show {
	uint8_t kind; /* enum tr_probe_value_kind */
	bool is_signed;
};

/* Code for one value. */
struct probe_code {
	struct probe_insn *insns;
	uint32_t count;
};

/* Writes an instruction. */
void tr_probe_put(struct tr_buffer *out, const struct probe_insn *insn);
/* Reads `count` instructions. */
void tr_probe_get(const uint8_t *bytes, uint32_t count, struct probe_insn *insns);
/* Checks that the code leaves one value, a string if `is_string`, and uses only what
 * there is. */
bool tr_probe_verify(const struct probe_code *code, size_t nsaved, size_t texts_size,
		     bool is_string);

struct probe_slot {
	uint64_t number; /* or offset of a string in the scratch memory */
	uint32_t size;	 /* of a string */
	bool is_missing, is_cut;
};

struct probe_symbol {
	uint64_t address, end;
	const char *name;
};

struct probe_run {
	const struct tr_probe_machine *machine;
	const struct probe_slot *saved;
	const uint8_t *texts;
	const struct probe_symbol *symbols; /* ascending */
	size_t nsymbols;
	struct tr_buffer *scratch;
	unsigned xlen;
};
/* Runs verified code. */
struct probe_slot tr_probe_execute(const struct probe_run *run,
				   const struct probe_code *code);

/* --- compilation, in a child process */

/* The name of a binary in place of any that has the function. */
#define PROBE_ANY "*"
/* Returns true if a definition is about this binary. */
static inline bool probe_is_of(const struct probe_definition *definition,
			       const char *binary)
{
	return strcmp(definition->binary, PROBE_ANY) == 0 ||
	       strcmp(definition->binary, binary) == 0;
}

/* What a binary is asked. */
struct probe_job {
	const struct probe_definition *definitions; /* all of them */
	const char *binary;
};
struct tr_query;
/* Compiles the definitions of a binary. `job` is a struct probe_job. */
void tr_probe_compile(struct tr_query *query, void *job, struct tr_buffer *out);

/* --- the set */

struct probe_column;
struct probe_place {
	struct tr_probe_place place;
	const struct probe_definition *definition;
	const struct probe_column *columns;
	struct probe_code filter; /* count 0: none */
	struct probe_code *fields;
	struct probe_show *shows;
	struct probe_code *entries; /* values saved at the entry */
	size_t nfields, nentries;
	size_t binary; /* number of the resolved binary */
};

struct probe_enumerator {
	const char *name;
	uint64_t value;
};
/* A field of a definition. */
struct probe_column {
	const char *name, *type;
	struct probe_enumerator *enumerators;
	size_t nenumerators;
};
/* A probe: the definitions of one name. */
struct probe_probe {
	const char *name;
	struct probe_column *columns;
	size_t ncolumns;
	bool is_resolved;
	const char *absence; /* why an optional one has no place, or NULL */
	uint64_t unknown;
	struct tr_probe_value *values;
};
struct probe_binary {
	const char *name;
	unsigned xlen;
	const uint8_t *texts;
	size_t texts_size;
	struct probe_symbol *symbols; /* if the code has OP_SYMBOL */
	size_t nsymbols;
};

/* In a shape, stands for a value. */
#define PROBE_PART "\1"

struct tr_probes {
	struct tr_arena arena;
	struct probe_definition *definitions, **end;
	struct probe_probe *probes;
	size_t count, capacity;
	struct probe_place *places;
	size_t nplaces, places_capacity;
	struct probe_binary *binaries;
	size_t nbinaries, binaries_capacity;
	const char **notes;
	size_t nnotes, notes_capacity;
	struct tr_buffer scratch;
	/* Of an expression with structures, which `parts` replaces: text with PROBE_PART
	 * for each value, a line for each expression. NULL: none. */
	const char *shape, *parts;
	bool need_sp;		   /* some code has OP_LOWEST */
	const char *const *others; /* files of the caller */
	size_t nothers;
	char message[PROBE_MESSAGE];
};

/* Finds the places of the definitions in `list`, a tail of all. Returns a status:
 * TR_E_UNSUPPORTED with `parts` set if these are to be resolved instead. */
int tr_probe_resolve(struct tr_probes *probes, const struct probe_definition *list,
		     const char *binary, const char *path);

#endif
