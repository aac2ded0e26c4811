/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the devices of the Verilated SoC, found by the names of their registers.
 */
#ifndef VERILATED_DEVICES_H
#define VERILATED_DEVICES_H

#include "model/state.h"
#include "rtl.h"

/* Returns value number `n` of those at this place of a state. */
static inline uint64_t state_value(const struct soc_state *s, size_t at, unsigned n)
{
	uint64_t value;

	memcpy(&value, (const char *)s + at + n * sizeof(value), sizeof(value));
	return value;
}
static inline void state_put(struct soc_state *s, size_t at, unsigned n, uint64_t value)
{
	memcpy((char *)s + at + n * sizeof(value), &value, sizeof(value));
}

/* Gets the devices into the states of all harts, between two accesses. */
void devices_get(const struct rtl *r, struct soc_state *states);
/* Sets them to those in the states of all harts, in r->cycle; the logic between registers
 * is to be evaluated afterwards. */
void devices_set(const struct rtl *r, const struct soc_state *states);

#endif
