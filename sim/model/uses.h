/* SPDX-License-Identifier: Apache-2.0 */
/* When each line of RAM was used last, from which caches of any size are filled: the
 * memory timestamp record of Barr, Pan, Zhang and Asanovic, "Accelerating Multiprocessor
 * Simulation with a Memory Timestamp Record" (ISPASS 2005). Of a machine with one hart.
 *
 * Time is in instructions of the hart; a block is entered at one time, and has the time
 * of its first instruction. 0: never, or longer ago than the record reaches. */
#ifndef SOC_USES_H
#define SOC_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct soc;
struct soc_hart;

enum { SOC_LINE = 64 }; /* bytes */
enum { USES_DATA = 1, USES_CODE = 2 };

/* One element for each line of RAM and kind of use. */
struct soc_uses {
	uint32_t *loads, *stores, *fetches; /* NULL: uses are not recorded */
	uint64_t lines;
	uint8_t *pages; /* USES_DATA, USES_CODE: what each page of RAM was used for */
	uint64_t begin; /* instructions before time 0 */
};

/* Returns false if memory runs out. */
bool soc_uses_init(struct soc *soc);
void soc_uses_release(struct soc *soc);
/* Calls `hide` with what no other process needs. */
void soc_uses_hide(struct soc *soc, void (*hide)(void *begin, size_t size));
struct soc_held;
void soc_held_hide(struct soc_held *held, void (*hide)(void *begin, size_t size));
/* Makes room for the times of the next run of the interpreter. */
void soc_uses_advance(struct soc_hart *h);
/* Notes that [pa, pa + size), which is in RAM, is code that may be executed from here on.
 */
void soc_uses_note_code(struct soc *soc, uint64_t pa, uint64_t size);
/* Records a load or store, of any size within a line, outside of the interpreter's loop.
 */
void soc_use_data(const struct soc_hart *h, uint64_t pa, bool store);

#endif
