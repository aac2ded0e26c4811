/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that shared_a and shared_b have in common. */
#ifndef SHARED_H
#define SHARED_H

#include <stdint.h>

/* At the same address in both. */
uint32_t shared_same(uint32_t seed, uint32_t steps);
uint32_t shared_same_leaf(uint32_t value);
/* At the same offset within pages of different addresses. */
uint32_t shared_moved(uint32_t seed, uint32_t steps);
uint32_t shared_moved_leaf(uint32_t value);

#endif
