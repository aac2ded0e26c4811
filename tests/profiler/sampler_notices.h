/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of sampler_check: notices, and the hold of new programs. */
#ifndef SAMPLER_NOTICES_H
#define SAMPLER_NOTICES_H

void try_hold(void);
void try_timeout(void);
void try_signal(void);
void try_traced(void);
void try_threads(void);
void try_deaths(void);
void try_flood(void);
void try_overflow(void);

#endif
