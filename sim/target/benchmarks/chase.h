/* SPDX-License-Identifier: Apache-2.0 */
/* A list in memory whose order is hard to foresee, and the walk along it. */
#ifndef CHASE_H
#define CHASE_H

#include <stddef.h>
#include <stdint.h>

/* Makes a circle of `count` nodes, 2048 at most, one each `step` bytes, 16 or more. */
void chase_make(uint8_t *memory, uint32_t count, size_t step);

/* Goes on from the first node `steps` times, a multiple of 8; the number of the node. */
uint64_t chase(const uint8_t *memory, uint32_t steps);

/* The same, by the order that the circle was made in. */
uint64_t chase_order(uint32_t steps);

#endif
