/* SPDX-License-Identifier: Apache-2.0 */
/* A linked list in memory in unpredictable order, and its traversal. */
#ifndef CHASE_H
#define CHASE_H

#include <stddef.h>
#include <stdint.h>

/* Makes a circular list of up to 2048 nodes, one every `step` bytes, at least 16. */
void chase_make(uint8_t *memory, uint32_t count, size_t step);

/* Traverses `steps` nodes, a multiple of 8, from the first. Returns the node's number. */
uint64_t chase(const uint8_t *memory, uint32_t steps);

/* Returns the same from the order in which the list was made. */
uint64_t chase_order(uint32_t steps);

#endif
