/* SPDX-License-Identifier: Apache-2.0 */
/* The stubs of the run-time profiler: which functions of a program have one, where it is,
 * and what the injector has to write. Formats: prof-files(5); after sections 4.2.1
 * to 4.2.3 of the thesis "run-time profiler", tables 4.2 to 4.4.
 *
 * A function is entered through a jump that replaces its first instructions:
 *
 *     entry:  j stub                      near: 4 bytes, a stub within 1 MiB
 *             auipc t1, ..; jr ..(t1)     far: 8 bytes
 *     stub:   auipc t0, ..; addi t0, t0, ..       the counter
 *             c.li t1, 1
 *             amoadd.d zero, t1, (t0)
 *             the moved instructions, pc-relative ones rewritten
 *             j entry + size              or auipc and jr; omitted if nothing falls
 * through
 *
 * Addresses are those of the file (link addresses) unless they are called places: what a
 * process has is the address plus its bias, which is 0 for programs at fixed addresses.
 * This folder is also compiled for the target: it needs nothing but the C library. */
#ifndef TR_STUBS_H
#define TR_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
	TR_STUBS_VERSION = 2,
	TR_STUBS_AREAS = 2, /* below and above the program */
	TR_STUBS_ENTRY_MAX =
	    12, /* bytes that an entry replaces, at most; a multiple of 2 */
	TR_STUBS_BUILD_ID_MAX = 32,
	TR_STUBS_PAGE =
	    4096, /* areas, and the code in injected.o, begin at multiples of it */
};

/* Flags of a program. */
enum {
	TR_STUBS_STOPPED =
	    1, /* prof-extract -s: the file's first instruction jumps to itself */
	TR_STUBS_GLOBAL = 2,  /* indexes are those of the global shared memory */
	TR_STUBS_MOVABLE = 4, /* the program is position-independent */
};

/* What prof-extract has prepared for stubs at their first places,
 * tr_stubs_first_places(): two parts of injected.o that a process maps as they are. All
 * jumps are relative, so that they serve at every bias. */
struct tr_stubs_image {
	uint64_t code_offset; /* in injected.o: the stubs, of stubs.code_size bytes */
	uint64_t code_checksum;
	uint64_t counters;     /* the address of the counters */
	uint64_t text_address; /* of the program's text with all entries: a page */
	uint64_t text_size;    /* in bytes; what is mapped are whole pages. 0: none */
	uint64_t text_origin;  /* where the text is in the program's file */
	uint64_t text_offset;  /* in injected.o */
	uint64_t text_digest;  /* tr_stubs_digest() of both */
};

enum tr_stubs_kind { TR_STUBS_NEAR = 0, TR_STUBS_FAR = 1 };

/* A part of the code of injected.o that is mapped as a whole. */
struct tr_stubs_area {
	uint32_t offset,
	    size; /* bytes of the code; multiples of the page; size 0: not used */
	/* Addresses at which it may begin: all its jumps reach. */
	uint64_t lowest, highest;
};

/* A function that is counted. */
struct tr_stubs_function {
	uint64_t start;	 /* its entry */
	uint64_t resume; /* where its stub returns to: start + size; 0: it never returns,
			    and has no tail */
	uint32_t index;	 /* of its counter */
	uint32_t stub;	 /* of its stub in the code of injected.o, in bytes */
	uint32_t stub_size;   /* in bytes */
	uint32_t first_label; /* its labels begin there, and end where those of the next
				 begin */
	uint8_t size;	      /* bytes that are replaced: whole instructions, 4 to
				 TR_STUBS_ENTRY_MAX */
	uint8_t kind;	      /* enum tr_stubs_kind */
	bool loops; /* jumps to its own first instruction: executions, not calls */
	uint8_t area;
	uint8_t original[TR_STUBS_ENTRY_MAX]; /* as in the file; `size` of them */
	/* Of the replaced instruction that begins 2 * i bytes after the entry: bytes from
	 * the stub to what stands for it; 0: none begins there. moved[0] is the size of
	 * the code that counts. */
	uint8_t moved[TR_STUBS_ENTRY_MAX / 2];
	uint8_t tail; /* bytes from the stub to the jump back; 0: there is none */
};

/* What the injector fills in: instructions whose operand depends on places. */
enum tr_stubs_label_kind {
	TR_STUBS_COUNTER =
	    1,		   /* auipc reg; addi reg, reg: the counter of index `target` */
	TR_STUBS_JUMP = 2, /* jal zero: to `target` */
	TR_STUBS_FAR_JUMP = 3, /* auipc reg; jalr zero: to `target` */
	TR_STUBS_ADDRESS = 4,  /* auipc reg; addi reg, reg: the value is `target` */
};
struct tr_stubs_label {
	uint32_t at; /* in the code of injected.o, in bytes */
	uint8_t kind;
	uint8_t reg;	 /* of auipc: 1 to 31 */
	uint64_t target; /* an address, or the index of a counter */
};

struct tr_stubs {
	uint32_t flags;
	uint64_t program_entry; /* the program's first instruction, and its 4 bytes before
				   -s */
	uint8_t program_first[4];
	uint64_t program_size, program_mtime; /* of the file: bytes, seconds since 1970 */
	uint8_t build_id[TR_STUBS_BUILD_ID_MAX];
	uint32_t build_id_size; /* 0: it has none */
	uint64_t code_offset;	/* in injected.o */
	uint32_t code_size;
	uint64_t code_checksum;
	uint32_t counters; /* indexes are below this */
	struct tr_stubs_area areas[TR_STUBS_AREAS];
	struct tr_stubs_image image;
	const struct tr_stubs_function *functions; /* by start; NULL of a head */
	uint32_t function_count;
	const struct tr_stubs_label *labels; /* of each function in turn, by `at` */
	uint32_t label_count;
	const uint32_t
	    *by_stub; /* numbers of the functions by their stubs, of
			 tr_stubs_decode(); NULL: stubs are sought one by one */
};

/* Where the parts are in a process. */
struct tr_stubs_places {
	uint64_t bias;			/* of the program */
	uint64_t areas[TR_STUBS_AREAS]; /* where each area begins; of unused ones 0 */
	uint64_t counters;		/* counter i is at counters + 8 * i */
};

/* Encodes data.bin, with its checksum. Stubs of an area are in the order of the
 * functions; labels of a function begin with that of its counter, at the stub and with
 * t0, and end with that of the jump back, if there is a tail; their targets are within 2
 * GiB of it, and there are at most 255. Returns the bytes, which the caller frees, with
 * their number in *size, or NULL: the labels are others, or there is no memory. */
uint8_t *tr_stubs_encode(const struct tr_stubs *stubs, size_t *size);

/* Decodes data.bin. Returns 0 with *stubs, whose arrays tr_stubs_free() releases;
 * TR_E_NOMEM; TR_E_TRUNCATED, TR_E_UNSUPPORTED (another version) or TR_E_CORRUPT, with
 * the number of the byte in *at. What is accepted is consistent: functions are sorted and
 * apart, every stub and label is within the code and every index below `counters`. */
enum tr_status tr_stubs_decode(const uint8_t *bytes, size_t size, struct tr_stubs *stubs,
			       uint64_t *at);
/* The same of the header alone, which has a checksum of its own: functions and labels are
 * not looked at, and nothing has to be freed. */
enum tr_status tr_stubs_decode_head(const uint8_t *bytes, size_t size,
				    struct tr_stubs *stubs, uint64_t *at);
void tr_stubs_free(struct tr_stubs *stubs);

/* The checksum of all files of the profiler: of 64-bit words, so that the target computes
 * it in an instruction a byte. A last word that is not complete is filled with zeros. */
uint64_t tr_stubs_checksum(const uint8_t *bytes, size_t size);

/* A part of injected.o behind the code, of whole pages: a section. */
struct tr_stubs_part {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
};

/* Encodes injected.o: an ELF file, relocatable, with the code as .text at byte
 * TR_STUBS_PAGE, a symbol for each stub, which has the name of its function, and the
 * parts right behind the code, at most TR_STUBS_PARTS_MAX. `code` has stubs->code_size
 * bytes, `names` are of stubs->functions. Returns the bytes, which the caller frees, with
 * their number in *size, or NULL without memory. */
enum { TR_STUBS_PARTS_MAX = 3 };
uint8_t *tr_stubs_encode_object(const struct tr_stubs *stubs, const uint8_t *code,
				const struct tr_stubs_part *parts, unsigned part_count,
				const char *const *names, size_t *size);

/* Returns the code in the bytes of injected.o, of stubs->code_size bytes, or NULL, with
 * the number of the byte in *at: it is cut, or not that of `stubs`. */
const uint8_t *tr_stubs_code(const struct tr_stubs *stubs, const uint8_t *object,
			     size_t size, uint64_t *at);

/* Returns the size of the text as it is mapped. */
static inline uint64_t tr_stubs_text_pages(const struct tr_stubs_image *image)
{
	return (image->text_size + TR_STUBS_PAGE - 1) / TR_STUBS_PAGE * TR_STUBS_PAGE;
}

/* The places that stubs have wherever they are free: the highest below the program, the
 * lowest above it, and the counters above these. */
struct tr_stubs_places tr_stubs_first_places(const struct tr_stubs *stubs, uint64_t bias);

/* Digests what distinguishes an image of the text from the text in the program's file, of
 * image->text_size bytes: the place and both contents of each 64-bit word that differs,
 * the last one filled with zeros. Two other texts have another digest, unless both were
 * changed alike. The ELF header, if it is there, is left out: strip changes it. Both
 * begin at multiples of 8. */
uint64_t tr_stubs_digest(const struct tr_stubs_image *image, const uint8_t *program_text,
			 const uint8_t *image_text);

/* Fills in `code`, a copy of the code of injected.o, at a multiple of 2. Returns 0, or
 * TR_E_ARGUMENT if a jump does not reach. */
enum tr_status tr_stubs_place(const struct tr_stubs *stubs,
			      const struct tr_stubs_places *places, uint8_t *code);

/* Writes the new first bytes of function `number` to `entry`, function.size of them. What
 * follows the jump is never executed: c.nop. Returns 0, or TR_E_ARGUMENT if the jump does
 * not reach. */
enum tr_status tr_stubs_entry(const struct tr_stubs *stubs,
			      const struct tr_stubs_places *places, uint32_t number,
			      uint8_t entry[TR_STUBS_ENTRY_MAX]);

/* Where a process that is at a place continues after the other code has come. Registers
 * stay: those that differ are dead, or the instruction there writes them. */
struct tr_stubs_move {
	bool moves;	   /* else the place is not affected */
	uint64_t pc;	   /* the new place */
	bool counts;	   /* its counter is not yet incremented: add 1 */
	uint32_t function; /* its number */
};

/* To the stub, before entries are replaced: a place within replaced bytes, but not at an
 * entry. */
struct tr_stubs_move tr_stubs_move_in(const struct tr_stubs *stubs,
				      const struct tr_stubs_places *places, uint64_t pc);
/* Out of a stub, before entries are restored: a place in the code of a stub, or between
 * the two instructions of a far entry. */
struct tr_stubs_move tr_stubs_move_out(const struct tr_stubs *stubs,
				       const struct tr_stubs_places *places, uint64_t pc);

/* The address in the program for which an instruction of a stub stands: of a moved
 * instruction its own, of the code that counts the entry, of the jump back the address
 * that it goes to. `offset` is in the code of injected.o. Returns false if no stub is
 * there. *function is the function's number. */
bool tr_stubs_origin(const struct tr_stubs *stubs, uint32_t offset, uint64_t *address,
		     uint32_t *function);

/* Returns the number of the function whose replaced bytes have `address`, or UINT32_MAX.
 */
uint32_t tr_stubs_function_at(const struct tr_stubs *stubs, uint64_t address);

#endif
