/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: expressions on registers and memory that are evaluated where a program reaches
 * a function, leaves it, or reaches a line. tr-probes(5) has the language.
 *
 * tr_probes_read() checks the grammar; tr_probes_resolve() finds functions, types and
 * locations of one binary in its DWARF, once for each binary. From then on whoever
 * executes the program asks which places to watch, and calls tr_probes_hit() there:
 *
 *	for (size_t i = 0; i < tr_probes_place_count(probes); i++)
 *		watch(tr_probes_place(probes, i));
 *	// at an entry or a place: pc = place->address + bias
 *	if (tr_probes_hit(probes, i, &machine, NULL, &hit))
 *		print(&hit);
 *
 * A return is watched at the function's entry, where tr_probes_enter() saves what
 * arguments were; the probe is hit when control arrives at the return address (ra at the
 * entry) with the sp of the entry, and ra is still that address: a call that does not
 * return may be followed by another function, which is called with its own ra. The call
 * has been left, and is forgotten, when the instruction that has called runs with that
 * sp again. */
#ifndef TR_PROBE_H
#define TR_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "stream/probes.h"

struct tr_probes;

/* Returns an empty set, or NULL when out of memory. */
struct tr_probes *tr_probes_new(void);
void tr_probes_free(struct tr_probes *probes);

/* Add the definitions of a file, or of a text that is called `name` in messages. Return
 * TR_OK; TR_E_IO, TR_E_NOMEM, or TR_E_CORRUPT for what is not in the language, with a
 * message as in "linux.probes: line 3, column 12: ..."; nothing is added then. */
int tr_probes_read(struct tr_probes *probes, const char *path);
int tr_probes_read_text(struct tr_probes *probes, const char *name, const char *text);
/* Returns the message of the last call that failed, without the name of a tool. */
const char *tr_probes_message(const struct tr_probes *probes);

/* Files that may be the Linux kernel whose `current` is the task that runs a program, for
 * later calls of tr_probes_resolve(). The paths belong to the caller. */
void tr_probes_set_kernels(struct tr_probes *probes, const char *const *paths,
			   size_t count);
/* Returns true if a probe that was resolved asks for lowest_sp. */
bool tr_probes_need_sp(const struct tr_probes *probes);
/* Returns true if a probe names the binary. */
bool tr_probes_name_binary(const struct tr_probes *probes, const char *binary);
/* The same, but not for probes of any binary. */
bool tr_probes_name_one(const struct tr_probes *probes, const char *binary);
/* Finds the places of the probes that name `binary`, in the ELF file `path`. Returns
 * TR_OK, also if no probe does; a status with a message otherwise, such as for a name
 * that the DWARF does not have. */
int tr_probes_resolve(struct tr_probes *probes, const char *binary, const char *path);
/* Returns a remark of successful calls of tr_probes_resolve(), such as on calls that were
 * inlined, which no probe sees; NULL from the number of them on. */
const char *tr_probes_note(const struct tr_probes *probes, size_t i);
/* Returns the name of a binary that probes name and that was not resolved, for an error;
 * NULL if there is none. */
const char *tr_probes_unresolved(const struct tr_probes *probes);
/* Returns the first function of a probe of any binary that none has, for an error; NULL
 * if there is none. */
const char *tr_probes_without_place(const struct tr_probes *probes);

/* Returns why a probe has no place, as in "no function submit_bio in vmlinux", after all
 * binaries were resolved; NULL if it has one. */
const char *tr_probes_absence(const struct tr_probes *probes, size_t probe);

/* --- what to print: several definitions of one name are one probe */

enum tr_probe_kind {
	TR_PROBE_ENTRY,
	TR_PROBE_RETURN, /* the place is the function's entry */
	TR_PROBE_PLACE,
	/* No place: hit where a hart takes interrupts again, in the mode of the code;
	 * tr_probes_enter() is for where it began not to. */
	TR_PROBE_MASKED,
	/* The place is the function's entry, where tr_probes_enter() saves what arguments
	 * were; it is hit at the beginning of a block of the function's code where the
	 * value of tr_probes_watched() is another one. */
	TR_PROBE_CHANGED
};

size_t tr_probes_count(const struct tr_probes *probes);
const char *tr_probes_name(const struct tr_probes *probes, size_t probe);
size_t tr_probes_field_count(const struct tr_probes *probes, size_t probe);
const char *tr_probes_field_name(const struct tr_probes *probes, size_t probe,
				 size_t field);
/* Returns the type in C, as in "int" or "string"; "" before it is resolved. */
const char *tr_probes_field_type(const struct tr_probes *probes, size_t probe,
				 size_t field);

/* --- where */

struct tr_probe_place {
	const char *binary; /* its short name */
	uint64_t address;   /* as in the ELF file */
	size_t probe;
	enum tr_probe_kind kind;
	/* Bytes of the function's code from this address on; 0 unless it is its entry.
	 * A jump from there to an entry or a return is a loop, in which nothing is hit.
	 */
	uint64_t code_size;
	size_t saved_size; /* bytes that tr_probes_enter() writes; 0 of other kinds */
};
/* Return the places of all binaries that were resolved, in the order of the calls, and of
 * one binary ascending by address. The pointer is valid until the next one is resolved.
 */
size_t tr_probes_place_count(const struct tr_probes *probes);
const struct tr_probe_place *tr_probes_place(const struct tr_probes *probes, size_t i);

/* --- evaluation */

/* The machine at the moment of a hit. The functions return false for what is unknown or
 * cannot be read. */
struct tr_probe_machine {
	void *user;
	bool (*x)(void *user, unsigned reg, uint64_t *value); /* 1 to 31 */
	bool (*f)(void *user, unsigned reg, uint64_t *value); /* raw bits; may be NULL */
	/* The current task of a Linux kernel; NULL: it is in tp. */
	bool (*task)(void *user, uint64_t *address);
	/* The lowest sp that there was from `base` on, up to `size` bytes behind it; may
	 * be NULL. */
	bool (*lowest_sp)(void *user, uint64_t base, uint64_t size, uint64_t *sp);
	/* Virtual addresses, as the program at `pc` would read them. */
	bool (*read)(void *user, uint64_t address, void *to, size_t size);
	uint64_t pc, cycle, satp;
	uint64_t bias; /* load address of the binary - address in the ELF file */
	unsigned hart;
};

struct tr_probe_hit {
	size_t probe;
	/* As many as the probe has fields; they and their data are valid until the next
	 * evaluation. */
	const struct tr_probe_value *values;
};

/* Evaluates at the entry what a return probe needs, into `saved`, whose size is that of
 * the place. `saved` may be copied, and belongs to this call of the function. */
void tr_probes_enter(struct tr_probes *probes, size_t place,
		     const struct tr_probe_machine *machine, void *saved);
/* Evaluates a probe. `saved` is what tr_probes_enter() saved, for a return, or NULL.
 * Returns true if the filter is true, or there is none; then fills in `hit`, which is
 * valid until the next evaluation. A filter with a missing value is not true; it is
 * counted. */
bool tr_probes_hit(struct tr_probes *probes, size_t place,
		   const struct tr_probe_machine *machine, const void *saved,
		   struct tr_probe_hit *hit);
/* Gets the value of what a TR_PROBE_CHANGED watches. Returns false if it is missing. */
bool tr_probes_watched(struct tr_probes *probes, size_t place,
		       const struct tr_probe_machine *machine, const void *saved,
		       uint64_t *value);
/* Returns how often a filter of the probe had a missing value. */
uint64_t tr_probes_unknown(const struct tr_probes *probes, size_t probe);

/* Writes a value for people: 42, -1, 0xffff, "text\n" with escapes, 0a0b for bytes, 0.5,
 * true, NAME (in quotes if it is not one printable word), missing; "..." follows a string
 * or bytes that were cut. */
void tr_probe_value_print(const struct tr_probe_value *value, FILE *out);

/* Adds a probe that evaluates one expression, or several separated by ';', at `address`
 * of the ELF file `path`; its fields are called by the text of the expressions, or have
 * their parts: members of structures, and elements of arrays. Sets *place, for
 * tr_probes_hit(). Returns a status, as tr_probes_resolve(). */
int tr_probes_expression(struct tr_probes *probes, const char *text, const char *binary,
			 const char *path, uint64_t address, size_t *place);
/* Prints the values of the probe that tr_probes_expression() has added last: a line "text
 * = value" for each expression, with parts as in "*point = {x = 1, y = 2}". */
void tr_probes_print(const struct tr_probes *probes, const struct tr_probe_hit *hit,
		     FILE *out);

#endif
