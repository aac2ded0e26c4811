/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of daemon_check, by theme. */
#ifndef DAEMON_CASES_H
#define DAEMON_CASES_H

/* Files, in daemon_files.c. */
void try_extracted(void);
void try_counters(void);

#endif
