/* SPDX-License-Identifier: Apache-2.0 */
/* The functional model as a machine (run/machine.h). */
#ifndef FUNCTIONAL_MODEL_MACHINE_H
#define FUNCTIONAL_MODEL_MACHINE_H

#include "run/exec.h"
#include "run/simulator.h"

/* Returns a machine at reset, or NULL if memory runs out. */
struct machine *model_machine_new(const struct simulator_config *config);
void model_machine_free(struct machine *m);

/* The model itself, which stays the machine's. */
struct soc *model_machine_soc(const struct machine *m);

/* Calls `pause` between two instructions, before that with this number (as in
 * machine_state.instret). It returns the number before which it is called again;
 * UINT64_MAX: never. */
void model_machine_pause(struct machine *m, uint64_t instret,
			 uint64_t (*pause)(void *user), void *user);

#endif
