/* SPDX-License-Identifier: Apache-2.0 */
/* Data shared by all chunks of a program. */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include "code.h"
#include "layout.h"

/* Main subject of a chunk. */
enum theme {
	THEME_COMPUTE,
	THEME_MEMORY,
	THEME_BRANCH,
	THEME_TRAP,
	THEME_PAGING,
	THEME_PROTECTION,
	THEME_INTERRUPT,
	THEME_CSR,
	THEME_PATCH,
	THEME_ATOMIC,
	THEME_DEVICE,
	THEME_CACHE,
	THEME_FLOAT, /* only in programs for a machine with F and D */
	THEMES
};
extern const char *const theme_names[THEMES];

enum { MAX_SPACES = 4, ROOT_MISC = 4, L1_MISC = 8, MAX_OPERATIONS = 128 };

/* An address space: its ASID and the addresses of its tables. The root has one entry for
 * table l1, whose entries point to the tables of small pages. */
struct space {
	uint64_t asid, root, l1, code, data, fault;
};

struct program {
	struct image *image;
	struct rng rng;
	uint64_t seed;
	int theme;		   /* of all chunks; -1: any */
	int focus;		   /* of every second chunk then; -1: none */
	bool has_float;		   /* F and D are there: the theme is theirs */
	bool plain;		   /* nothing that depends on time or differs on QEMU */
	bool print;		   /* a hash of memory on the UART at the end */
	unsigned repeats;	   /* maximum number of consecutive runs of a chunk */
	bool drop[MAX_OPERATIONS]; /* per chunk: operations to replace by no-ops */

	unsigned rec;	 /* register with the pc at which to continue after a fetch
			  * fault */
	unsigned tmp[4]; /* registers of the handlers */
	unsigned timer;	 /* mtime steps between interrupts */

	unsigned spaces;
	struct space space[MAX_SPACES];
	bool share_fault; /* all spaces share one table of faulty pages, possibly
			   * global */
	bool same_asid;	  /* some spaces have the same ASID */
	/* Entries of the root: of l1, 1 GiB of RAM for U, devices for U, faulty ones. */
	unsigned root_l1, root_user, root_device, root_misc[ROOT_MISC];
	/* Entries of l1; 2 MiB pages have two consecutive ones. */
	unsigned l1_code, l1_data, l1_fault, l1_big, l1_big_user, l1_misc[L1_MISC];

	uint64_t pmpcfg, pmpaddr[8]; /* for chunks without their own; some may be
				      * locked */

	/* Trap entry points, direct and vectored. */
	uint64_t m_trap[2], s_trap[2];
};

/* Makes the choices that apply to all chunks. */
void program_init(struct program *p);
/* Writes boot code, dispatcher (at M_CODE) and handlers. */
void runtime_write(struct program *p);
/* Sets how often the list of chunks is run. */
void runtime_iterate(const struct program *p, uint64_t iterations);

/* Chooses PMP entry `i` for (a part of) the arena: pmpaddr and a byte of pmpcfg. */
void pmp_random(struct rng *rng, unsigned i, uint64_t *addr, uint8_t *cfg);
/* Returns an address in the arena near a bound of these entries. */
uint64_t pmp_edge(struct rng *rng, const uint64_t *addr, uint64_t first, uint64_t size);

#endif
