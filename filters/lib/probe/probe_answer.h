/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of the compiler: what is written of definitions and their places. */
#ifndef TR_PROBE_ANSWER_H
#define TR_PROBE_ANSWER_H

#include "probe/probe_compile.h"

/* What is written of a binary. */
struct answer {
	struct tr_query *query;
	const struct probe_job *job;
	struct tr_buffer texts, notes, definitions, absences;
	bool has_symbols;	       /* the code needs those of the binary */
	struct tr_buffer shape, parts; /* tr_answer_shape() */
	bool is_whole;		       /* these are the answer */
	uint32_t nnotes, ndefinitions, nabsences;
	char message[PROBE_MESSAGE];
	bool failed;
};

/* The filter or a field over all places of a definition. */
struct column {
	struct tr_buffer bytes; /* its type */
	uint32_t known, dropped;
	char message[PROBE_MESSAGE]; /* of the first place where it was dropped */
};

/* A definition that is being compiled. */
struct making {
	struct answer *answer;
	const struct probe_definition *definition;
	struct column *columns; /* 0: the filter; then the fields that are shown */
	size_t ncolumns;
	struct tr_buffer places;
	uint32_t nplaces;
};

void tr_answer_put32(struct tr_buffer *out, uint64_t value);
void tr_answer_put_text(struct tr_buffer *out, const char *text);
/* Writes the type of a field of which nothing is known. */
void tr_answer_no_column(struct tr_buffer *out);
/* Adds a remark. */
void tr_answer_note(struct answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tr_answer_fail(struct answer *answer, const struct probe_definition *definition,
		    const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Compiles the values of a definition at a place of a function, which may be NULL.
 * Returns false on failure. */
bool tr_answer_place(struct making *making, const struct tr_query_function *function,
		     uint64_t address);

/* Writes the shape and parts of a definition at an address, if one of its expressions is
 * a structure or an array as a whole. Returns whether that is so. */
bool tr_answer_shape(struct answer *answer, const struct probe_definition *definition,
		     const struct tr_query_function *function, uint64_t address);

#endif
