/* SPDX-License-Identifier: Apache-2.0 */
/* State of a conversion, for the files of the formats.
 *
 * A format parses one line completely before it reports what is in it: tokens, changes
 * of privilege, traps, writes of registers. A line that it does not understand is
 * reported with tr_import_expect(), and has no other effect. */
#ifndef TR_IMPORT_STATE_H
#define TR_IMPORT_STATE_H

#include <stdbool.h>

#include "import/import.h"
#include "import/import_steps.h"
#include "stream/stream.h"

struct import_code;
struct import_order;
struct tr_unpack;

/* A line that is being parsed: [at, end) is left. Some bytes after `end` can be read,
 * too, and the first is never part of a number. */
struct import_line {
	const char *start, *at, *end;
};

enum { IMPORT_LINE_BYTES = 1 << 16, IMPORT_BATCH = 1024 };
/* With a limit, of a log that is not in the order of time. */
enum { IMPORT_HELD = 1 << 20 };

/* A token. Its place in time is `cycle`, of its commit, if the format has cycles. */
struct import_token {
	uint64_t pc, bits, cycle;
	uint32_t hart;
	bool has_bits, has_cycle;
	uint8_t priv; /* IMPORT_PRIV_UNKNOWN */
};
enum { IMPORT_PRIV_UNKNOWN = 0xff };

/* A write of a register that belongs to the last token of the hart. */
struct import_write {
	uint64_t value;
	uint8_t reg;
};

struct import_hart;

/* Where the harts of one or more files go. */
struct import_sink {
	struct tr_writer *writer;
	struct import_hart **harts, *hart; /* the last one used */
	uint32_t nharts;
	uint64_t tokens;		  /* or frames of stacks */
	struct import_order *order;	  /* of what is held back, if there is a limit */
	uint64_t released;		  /* tokens, from `order` */
	uint64_t first_cycle, last_cycle; /* up to the limit */
	bool limited, is_late;		  /* by a limit; by that of cycles */
	uint32_t files;			  /* that share it */
};

struct tr_import {
	const struct import_kind *kind;
	struct tr_header *header;
	struct tr_unpack *unpack;
	const char *name; /* of the file */
	char *data;	  /* [begin, end) is not yet parsed */
	size_t begin, end;
	uint64_t line, offset; /* of the line or packet that is parsed, from 1 and 0 */
	bool ended;
	bool understood; /* a line was */
	bool begins_cut; /* the first line was not, which is skipped */
	bool is_long;	 /* the rest of a line that is too long is being skipped */

	/* What the beginning of the log has */
	bool has_cycles;
	bool has_sp;		  /* all writes of integer registers */
	bool has_commits;	  /* lines of commits */
	bool has_insns;		  /* lines of instructions that may trap; of traps */
	bool has_pairs;		  /* commits of Spike without a hart */
	bool has_title;		  /* binary: the first line was taken */
	unsigned width;		  /* binary: instructions in a record */
	unsigned digits;	  /* of addresses; 0: not known */
	unsigned xlen;		  /* addresses and registers are reduced to it */
	unsigned commit_width;	  /* 0: one instruction in a cycle */
	const char *classes;	  /* of lost slots, for the header; NULL: none */
	uint32_t first_hart;	  /* from the file's name */
	bool is_numbered;	  /* the file's name has the number of a hart */
	struct import_code *code; /* of the programs, if they are given */

	struct tr_import_options options;
	struct import_sink *sink; /* shared by the files of a run */
	int status;
	uint64_t skipped;
	char message[400], first_skipped[400];
	struct import_steps steps; /* of Zcmp, for formats that log them */
	void *own;		   /* of the format, which frees it */
};

/* A format. */
struct import_kind {
	struct tr_import_format format;
	bool has_cycles;
	bool has_stacks; /* the stream is of stacks, which the log has */
	bool needs_code; /* the log does not have the addresses of all instructions */
	bool has_params; /* of the encoder */
	bool in_order;	 /* lines are in the order of time */
	/* Returns true for a line that only this format, or one after it in the list,
	 * has. */
	bool (*recognises)(const struct import_line *line);
	/* In place of it, for a format without lines. */
	bool (*recognises_bytes)(const char *data, size_t size);
	/* Looks at a line of the log's beginning, to set what it has. May be NULL. */
	void (*look)(struct tr_import *im, struct import_line *line);
	/* Prepares the conversion, when the log's beginning has been read and the
	 * programs are open. Returns a status, with `message` set on failure. May be
	 * NULL. */
	int (*open)(struct tr_import *im, char *message, size_t size);
	/* Returns what the log does not have, as in the header's key "cannot_supply",
	 * without tp, and without classes if im->classes has their names. */
	const char *(*lacks)(const struct tr_import *im);
	/* Takes a line. Returns false after tr_import_expect(). */
	bool (*take)(struct tr_import *im, struct import_line *line);
	/* Returns true if the log's last line, which lacks its end, is whole in all that
	 * take() would report. NULL if a line that take() understands always is. */
	bool (*is_whole)(const struct tr_import *im, const struct import_line *line);
	/* In place of lines: takes bytes of [data, data + size), at `im->offset`. Returns
	 * the number of bytes taken; fails with tr_import_expect(). NULL for text. */
	size_t (*take_bytes)(struct tr_import *im, const char *data, size_t size);
	/* Takes what is held back at the end. May be NULL. */
	void (*end)(struct tr_import *im);
	/* Writes what the user should know of the whole log. May be NULL. */
	void (*remark)(const struct tr_import *im, char *text, size_t size);
	void (*release)(struct tr_import *im); /* frees `own`; may be NULL */
};

/* The formats, from the most to the least specific; NULL ends the list. */
extern const struct import_kind *const tr_import_kinds[];

/* Reports what was expected at the line's place. Returns false. */
bool tr_import_expect(struct tr_import *im, const struct import_line *line,
		      const char *what);

/* Sets the message and the status; returns it. */
int tr_import_fail(struct tr_import *im, int status, const char *what);
/* Returns the line at `begin`, without its end, or false if it has not been read
 * completely. */
bool tr_import_line_at(const struct tr_import *im, size_t begin, struct import_line *line,
		       size_t *next);
/* Returns the line at `begin`, without an end, if it is the last one of the log and not
 * blank. */
bool tr_import_last_line(const struct tr_import *im, size_t begin,
			 struct import_line *line);
/* Converts at most `lines` of the lines that have been read. Returns TR_OK if more must
 * be read, or if no lines are left. */
int tr_import_lines(struct tr_import *im, unsigned *lines);

/* Counts something that was not understood. Returns true to go on; else the status is
 * set. */
bool tr_import_skip(struct tr_import *im);

/* Begins a hart, before its first token, at a time and in a context of its own. */
void tr_import_begin(struct tr_import *im, uint32_t hart, uint64_t cycle,
		     const struct tr_context *context);
/* Returns false if a token of the hart cannot commit at `cycle`: earlier than its last
 * one, or too late. */
bool tr_import_time_good(struct tr_import *im, uint32_t hart, uint64_t cycle);
/* Returns the cycle of the hart's last token, UINT64_MAX before the first. */
uint64_t tr_import_cycle(struct tr_import *im, uint32_t hart);
/* Finds the cycle of a counter of 32 bits, which wraps. Returns false for one before that
 * of the hart's last token, or 2^31 cycles after it, which look the same. */
bool tr_import_widen(struct tr_import *im, uint32_t hart, uint64_t count,
		     uint64_t *cycle);
/* Returns the address that an interrupt after the hart's last token returns to, or
 * TR_EPC_UNKNOWN. */
uint64_t tr_import_next(struct tr_import *im, uint32_t hart);

/* Report the contents of a log. Errors are in im->status. */
void tr_import_token(struct tr_import *im, const struct import_token *token);
/* The hart lost slots behind its last token, to a class of `im->classes`. With a limit
 * they are not told. */
void tr_import_lose(struct tr_import *im, uint32_t hart, unsigned why, uint64_t slots);
/* The instruction of the hart's last token commits `count` more times, without a jump
 * between; also of one that was retracted. */
void tr_import_repeat(struct tr_import *im, uint32_t hart, uint64_t count);
/* The hart's last token did not commit. */
void tr_import_retract(struct tr_import *im, uint32_t hart, uint64_t pc);
/* The bits of the hart's last token are not those in memory. */
void tr_import_drop_bits(struct tr_import *im, uint32_t hart);
/* The hart took a trap after its last token. `priv` is known with the next token. */
void tr_import_trap(struct tr_import *im, uint32_t hart, uint64_t cause, uint64_t epc);
/* The hart took the trap at `cycle`. */
void tr_import_trap_at(struct tr_import *im, const struct tr_event *trap, uint32_t hart,
		       uint64_t cycle);
/* Nothing is known of the time from the hart's last token or trap to `cycle`, but its
 * privilege, or IMPORT_PRIV_UNKNOWN. */
void tr_import_gap(struct tr_import *im, uint32_t hart, uint64_t cycle, uint8_t priv,
		   enum tr_gap_reason reason);
void tr_import_tval(struct tr_import *im, uint32_t hart, uint64_t tval);
/* The last token wrote a register; sp and tp are reported. */
void tr_import_reg(struct tr_import *im, uint32_t hart, const struct import_write *write);
void tr_import_satp(struct tr_import *im, uint32_t hart, uint64_t satp);

/* Sets the message of text that no format recognises; returns its status. */
int tr_import_unknown(struct tr_import *im);
/* Takes what the format has held back. */
void tr_import_end(struct tr_import *im);
/* Sets the message that nothing was found; returns its status. */
int tr_import_void(struct tr_import *im);
/* Returns the cycle of the last token, UINT64_MAX before the first. */
uint64_t tr_import_last_cycle(const struct tr_import *im);
/* Passes on what is held back of the time before `horizon`. */
void tr_import_release(struct tr_import *im, uint64_t horizon);
/* Passes what is pending to the writer. */
void tr_import_flush(struct tr_import *im);
void tr_import_free_sink(struct import_sink *sink);

#endif
