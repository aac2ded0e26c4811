/* SPDX-License-Identifier: Apache-2.0 */
/* What all chunks of a program share. */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include "code.h"
#include "layout.h"

/* What a chunk is mostly about. */
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
	THEMES
};
extern const char *const theme_names[THEMES];

enum { MAX_SPACES = 4, ROOT_MISC = 4, L1_MISC = 8, MAX_OPERATIONS = 128 };

/* An address space: its ASID, and where its tables are. The root has one entry
 * for a table l1, whose entries lead to the tables of small pages. */
struct space {
	uint64_t asid, root, l1, code, data, fault;
};

struct program {
	struct image *image;
	struct rng rng;
	uint64_t seed;
	int theme;	  /* of all chunks; -1: any */
	int focus;	  /* of every other chunk then; -1: none */
	bool plain;	  /* only what does not depend on time, and QEMU does alike */
	bool print;	  /* a hash of memory on the UART at the end */
	unsigned repeats; /* runs of a chunk in a row, at most */
	bool drop[MAX_OPERATIONS]; /* of each chunk: operations that do nothing */

	unsigned rec;	 /* register with the pc to go on at after a fetch fault */
	unsigned tmp[4]; /* registers of the handlers */
	unsigned timer;	 /* mtime steps between interrupts */

	unsigned spaces;
	struct space space[MAX_SPACES];
	bool share_fault; /* one table of faulty pages for all, which may be global */
	bool same_asid;	  /* some spaces have the same ASID */
	/* Entries of the root: of l1, 1 GiB of RAM for U, devices for U, faulty. */
	unsigned root_l1, root_user, root_device, root_misc[ROOT_MISC];
	/* Entries of l1; those of 2 MiB pages are two in a row. */
	unsigned l1_code, l1_data, l1_fault, l1_big, l1_big_user, l1_misc[L1_MISC];

	uint64_t pmpcfg, pmpaddr[8]; /* when no chunk has others; some may be locked */

	/* Entry points, direct and vectored. */
	uint64_t m_trap[2], s_trap[2];
};

/* Chooses what the seed decides for all chunks. */
void program_init(struct program *p);
/* Sends the hart to the dispatcher, which is at M_CODE, and on. */
void runtime_write(struct program *p);
/* How often the list of chunks is run. */
void runtime_iterate(const struct program *p, uint64_t iterations);

/* PMP entry `i` for (a part of) the arena: pmpaddr and a byte of pmpcfg. */
void pmp_random(struct rng *rng, unsigned i, uint64_t *addr, uint8_t *cfg);
/* An address near a boundary of these entries, in the arena. */
uint64_t pmp_edge(struct rng *rng, const uint64_t *addr, uint64_t first, uint64_t size);

#endif
