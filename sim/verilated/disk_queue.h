/* SPDX-License-Identifier: Apache-2.0 */
/* The controller of the disk, outside of rtl/soc.sv: it takes requests from the queue
 * that rtl/device/disk.sv has the registers of, and serves one at a time.
 *
 * It reads and writes memory by DMA at the L2, line by line. A request is found first; it
 * takes the cycles of the medium from the notice, or from the end of the one before; then
 * its data are moved, and its status and its entry of the used ring are written, each
 * when what came before is in memory. So a request takes longer than on the functional
 * model (model/virtio.c) by the time of DMA. Until its end its memory belongs to the
 * device. */
#ifndef VERILATED_DISK_QUEUE_H
#define VERILATED_DISK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/* Outputs of soc.sv: the queue, of `size` entries, has ended, or has requests. */
struct disk_event {
	bool start, stop;
	unsigned size;
	uint64_t descriptors, driver, device; /* addresses, as the driver has set them */
};

/* Inputs of soc.sv: a request is served, for an interrupt; the driver has broken the
 * rules. */
struct disk_pins {
	bool used, fault;
};

struct disk_queue;
struct memory;
struct soc_disk;
struct soc_disk_timing;
struct soc_state;

/* Memory and disk remain the caller's. Returns NULL if memory runs out. */
struct disk_queue *disk_queue_new(struct memory *memory, uint64_t ram_size,
				  struct soc_disk *disk,
				  const struct soc_disk_timing *timing);
void disk_queue_free(struct disk_queue *q);

/* Takes an event of cycle `cycle`. */
void disk_queue_note(struct disk_queue *q, uint64_t cycle,
		     const struct disk_event *event);
/* For memory_hooks.disk_done. */
void disk_queue_done(struct disk_queue *q, unsigned slot, const uint8_t *line);
/* Gets the pins in cycle `cycle`, and begins what is due; call after memory_drive() in
 * the cycles of disk_queue_next(). */
void disk_queue_drive(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins);
/* Returns the next cycle for which disk_queue_drive() must be called, or UINT64_MAX if
 * nothing happens before the next event or answer of memory. */
uint64_t disk_queue_next(const struct disk_queue *q);

/* Gets what the state has of the controller. Returns false if it cannot be told now:
 * while the controller looks for a request, or ends one. */
bool disk_queue_save(const struct disk_queue *q, uint64_t cycle, struct soc_state *s);
/* Continues from a state, the registers of which are those of `s`. */
void disk_queue_restore(struct disk_queue *q, uint64_t cycle, const struct soc_state *s);

#endif
