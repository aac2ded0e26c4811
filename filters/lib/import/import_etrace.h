/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of Efficient Trace for RISC-V (E-Trace), and the state of their conversion. */
#ifndef TR_IMPORT_ETRACE_H
#define TR_IMPORT_ETRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/import_path.h"

enum { ETRACE_MOST_PAYLOAD = 31, ETRACE_MOST_PACKET = 64, ETRACE_RECORD = 40 };
enum { ETRACE_EXT = 0, ETRACE_BRANCH = 1, ETRACE_ADDRESS = 2, ETRACE_SYNC = 3 };
enum { ETRACE_START = 0, ETRACE_TRAP = 1, ETRACE_CONTEXT = 2, ETRACE_SUPPORT = 3 };
/* The status of qualification in a packet of support. */
enum { ETRACE_NO_CHANGE = 0, ETRACE_ENDED = 1, ETRACE_LOST = 2, ETRACE_ENDED_NTR = 3 };

/* Modes that a packet of support switches on; a set of bits. */
enum etrace_mode {
	ETRACE_IMPLICIT_RETURN = 1,
	ETRACE_IMPLICIT_EXCEPTION = 2,
	ETRACE_FULL_ADDRESS = 4,
	ETRACE_JUMP_CACHE = 8,
	ETRACE_PREDICTION = 16,
	ETRACE_SEQUENTIAL_JUMP = 32,
	ETRACE_DELTA_ADDRESS = 64,
};
enum { ETRACE_MODES = 7 };

/* The encoder's parameters, as the specification names them, and those of the
 * encapsulation and of what is implementation-defined. */
struct etrace_params {
	uint64_t bpred_size, cache_size, call_counter_size, return_stack_size;
	uint64_t context_width, time_width, ecause_width, privilege_width, f0s_width;
	uint64_t iaddress_lsb, iaddress_width, nocontext, notime;
	uint64_t encoder_mode_width;
	uint64_t srcid_width, type_width; /* in bits */
	uint64_t inst_type;		  /* the type of instruction trace */
	uint64_t timestamp_width;	  /* in bits, a multiple of 8 */
	uint64_t mtvec, stvec;		  /* for implicit exceptions; 1: not known */
	uint64_t records;		  /* PULP's rv_tracer: records of 40 bytes */
	uint8_t order[ETRACE_MODES];	  /* of the bits in a packet of support */
	uint8_t orders;
	uint8_t modes; /* before the first packet of support */
};

/* Sets the parameters: defaults for a program of `xlen` bits, then each of `texts`, which
 * is "NAME=VALUE,…" or the name of a file with a line for each. Returns a status, with
 * `message` set on failure. */
int tr_etrace_params(struct etrace_params *params, unsigned xlen,
		     const char *const *texts, size_t count, char *message, size_t size);

/* A packet of instruction trace. */
struct etrace_packet {
	uint64_t address; /* in bytes; a change unless it is whole */
	uint64_t context, time, ecause, tval, hits;
	uint32_t map, index, depth;
	uint8_t format, subformat, branch, priv;
	uint8_t branches; /* of the map */
	bool has_address, has_index, misses;
	bool interrupt, thaddr;
	bool notify, updiscon, irreport;
	uint8_t qualification, modes;
};

/* The bytes behind a header. */
struct etrace_body {
	uint8_t data[ETRACE_MOST_PACKET + 8]; /* the payload, extended by its sign */
	unsigned bits;			      /* of the payload */
	uint64_t stamp;
	uint32_t source;
	bool has_stamp, is_null, is_other; /* no packet, or not of instruction trace */
};

/* Returns the number of bytes of the packet at `data`, 0 if some are missing, -1 if it
 * cannot be one. */
int tr_etrace_unwrap(const struct etrace_params *params, const uint8_t *data, size_t size,
		     struct etrace_body *body);
/* Parses a payload, in these modes. Returns NULL, or what was expected. */
const char *tr_etrace_parse(const struct etrace_params *params, unsigned modes,
			    const struct etrace_body *body, struct etrace_packet *packet);

/* The state of a hart. After a packet the last instruction that it reports has been
 * passed on; where it leads may not be known before the next packet. */
struct etrace_hart {
	struct import_path path; /* its pc is that of the next instruction */
	bool begun, on;		 /* a packet of synchronisation began it */
	bool pending; /* the last instruction transfers control, not yet followed */
	struct import_run last; /* whose last instruction it is */
	uint64_t before;	/* the pc of the instruction before this run */
	bool trapped;		/* in a handler whose address is not known yet */
	bool inferred;		/* the address may be met a second time */
	bool stamped;		/* the packet that is taken has a time */
	uint8_t modes;
	uint64_t reported; /* the epc, if another trap follows, or 0 */
	uint64_t address;  /* of the last packet that had one */
	uint64_t time;	   /* from those of the packets, which wrap */
	uint64_t map;	   /* branches that were reported, and not yet followed */
	unsigned branches;
	uint64_t hits; /* branches as predicted */
	bool misses;   /* then one that is not */
	uint64_t *stack;
	uint32_t depth, base;
	uint8_t *counters;
	uint64_t *cache; /* jump targets; 1: none */
};

/* The state of a conversion. */
struct etrace {
	struct etrace_params params;
	struct etrace_hart *harts[TR_MAX_HARTS];
	struct etrace_hart trial;    /* of one program among several */
	uint64_t most_depth;	     /* of a hart's stack */
	uint64_t unfollowed, losses; /* packets, and places where that began */
	uint64_t packets;
	const char *problem; /* of the packet that is taken */
};

/* The position in the program is lost until a packet has it. `problem` is what was
 * expected; NULL: its code is not known. */
void tr_etrace_lose(struct etrace *t, struct etrace_hart *h, const char *problem);
/* Passes on what ran, except the instruction of the packet, and enters its privilege and
 * context. */
void tr_etrace_enter(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		     const struct etrace_packet *p);
/* Forgets calls, predictions and targets, as the encoder does at a packet of
 * synchronisation. */
void tr_etrace_reset(const struct etrace *t, struct etrace_hart *h);
/* Continues at `pc`, whose instruction ran: if it is a branch, it was taken or not. */
void tr_etrace_arrive(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      uint64_t pc, bool taken);
/* Follows the program up to what the packet reports. */
void tr_etrace_follow(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      const struct etrace_packet *p);
/* Runs to where the last packet's address is met again. */
void tr_etrace_again(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		     const struct etrace_packet *p);
/* Returns the address of the instruction after the last one, or `other` if the program
 * does not determine it. */
uint64_t tr_etrace_next(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
			uint64_t other);
/* Returns a whole address of the program. */
uint64_t tr_etrace_whole(const struct etrace_params *params, unsigned xlen,
			 uint64_t address);

/* Returns false when out of memory. */
bool tr_etrace_tables(const struct etrace *t, struct etrace_hart *h);
/* Takes the time of a packet, if it has one. Returns false if it is none. */
bool tr_etrace_time(const struct etrace *t, struct etrace_hart *h,
		    const struct etrace_body *body, const struct etrace_packet *p);
/* Returns where the code runs that the packet reports. */
struct import_place tr_etrace_place(const struct etrace *t,
				    const struct etrace_packet *p);
/* Takes a packet of a hart, and passes on what ran. */
void tr_etrace_packet(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		      const struct etrace_packet *p);
/* Takes a packet that reports branches or an address, or the START of synchronisation. */
void tr_etrace_take(struct tr_import *im, struct etrace *t, struct etrace_hart *h,
		    const struct etrace_packet *p);

/* A place that several programs may have, and the packets behind the one that has the
 * place. */
struct etrace_trial {
	struct import_place place;
	const struct etrace_hart *hart;
	uint64_t address;
	bool taken;
	uint32_t source;
	const char *data;
	size_t size;
};
/* Chooses the program that runs from there on. */
void tr_etrace_choose(struct tr_import *im, struct etrace *t,
		      const struct etrace_trial *trial);

#endif
