/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL with several harts as a machine (run/machine.h), without checkpoints and the
 * trigger exec. */
#ifndef VERILATED_SMP_HARNESS_H
#define VERILATED_SMP_HARNESS_H

#include "harness.h"

/* Returns a machine of SMP_HARTS harts at reset, or NULL if memory runs out. */
struct machine *smp_harness_new(uint64_t ram_size, const struct harness_options *options);
void smp_harness_free(struct machine *m);

#endif
