/* SPDX-License-Identifier: Apache-2.0 */
/* Compares every commit and trap of the core with the functional model, as they happen,
 * and stops at the first difference.
 *
 * 	l = lockstep_new(model, &side);
 * 	while (... the core commits c ...)
 * 		if (!lockstep_commit(l, &c)) {
 * 			lockstep_report(l, stderr);
 * 			break;
 * 		}
 * 	lockstep_free(l);
 *
 * The core has only the freedom of the specification: interrupts that the model has
 * enabled, in the specified order; values of device loads, of time and cycle counters and
 * of the interrupt lines in mip; translations that page tables held since the last
 * sfence.vma that covers them; instruction bytes that memory held since the last fence.i.
 * The last two are known only as far as the record of the last LOCKSTEP_STORES stores
 * reaches. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "commit.h"
#include "model/model.h"

struct lockstep;

enum { LOCKSTEP_STORES = 1 << 16, LOCKSTEP_LAST = 32 };

/* Access to the core's state after the commit or trap passed to lockstep_commit(), before
 * any later instruction; these return false if the core cannot provide it. csr: mip
 * includes the interrupt lines. f: the bits of a floating-point register; NULL: the core
 * has none. */
struct lockstep_side {
	void *user;
	bool (*csr)(void *user, unsigned csr, uint64_t *value);
	bool (*f)(void *user, unsigned reg, uint64_t *value);
	/* Returns whether a probe may have ended the reservation since the last LR: only
	 * then may an SC fail that succeeds in the model. NULL: never. */
	bool (*lost)(void *user);
};

/* `model` is at reset and loaded like the core; it remains the caller's, but must not be
 * used until lockstep_free(). Returns NULL if memory runs out. */
struct lockstep *lockstep_new(struct soc *model, const struct lockstep_side *core);
/* For another hart of the same model, whose commits are passed in the order of all harts'
 * commits. `first` is that of hart 0, and is freed last. */
struct lockstep *lockstep_join(struct lockstep *first, unsigned hart,
			       const struct lockstep_side *core);
void lockstep_free(struct lockstep *l);

/* DMA writes the bytes of a line of 64 with a bit in `mask`, before the next commit. With
 * `mask` 0 it only ends a reservation on the line; `data` may then be NULL. */
void lockstep_dma(struct lockstep *l, uint64_t line, const uint8_t *data, uint64_t mask);

/* The same for a line that the copy unit has written, with one hart. The model copies on
 * its own when the instruction commits, and both are compared then; so no other DMA may
 * write the source during the copy. */
void lockstep_copied(struct lockstep *l, uint64_t line, const uint8_t *data,
		     uint64_t mask);

/* With several harts, the others may write source and destination during a copy. So what
 * the copy unit of a hart writes is the model's as it lands, and when the instruction
 * commits these bytes are compared with those that the unit has read, which are compared
 * with the model's memory as they are read. Both take 8 bytes at a multiple of 8;
 * `strobe` has a bit for each byte written. */
void lockstep_copy_read(struct lockstep *l, uint64_t address, uint64_t data);
void lockstep_copy_written(struct lockstep *l, uint64_t address, uint64_t data,
			   unsigned strobe);

/* Compares the next commit or trap, in order. Returns false at the first difference and
 * from then on. */
bool lockstep_commit(struct lockstep *l, const struct rtl_commit *c);

/* Prints the difference, both sides, the model's registers, and the last LOCKSTEP_LAST
 * commits, ending with the different one. Also usable without a difference. */
void lockstep_report(const struct lockstep *l, FILE *to);

#endif
