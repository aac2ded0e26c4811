/* SPDX-License-Identifier: Apache-2.0 */
/* What injection.c and take_out.c share. */
#ifndef INJECTION_INTERNAL_H
#define INJECTION_INTERNAL_H

#include <stdint.h>

/* Adds a call to a counter that other processes may increment. `counts` are mapped. */
void count_missing_call(uint8_t *counts, uint32_t index);

#endif
