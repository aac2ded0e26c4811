/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of sampler_check: samples. */
#ifndef SAMPLER_SAMPLES_H
#define SAMPLER_SAMPLES_H

void try_ticks(void);
void try_ring(void);
void try_change(void);
void try_jitter(void);
void try_fast(void);
void try_harts(void);

#endif
