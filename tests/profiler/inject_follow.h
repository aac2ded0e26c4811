/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of inject_check that use the injector as a daemon does, with inject_driver on
 * inject_victim and inject_family. */
#ifndef INJECT_FOLLOW_H
#define INJECT_FOLLOW_H

void try_new(void);
void try_not_new(void);
void try_over_kills(void);
void try_children(void);
void try_sharers(void);
void try_modes(void);
void try_prepared(void);
void try_many(void);

#endif
