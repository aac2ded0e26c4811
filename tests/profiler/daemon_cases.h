/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of daemon_check, by theme. */
#ifndef DAEMON_CASES_H
#define DAEMON_CASES_H

/* Files, in daemon_files.c. */
void try_extracted(void);
void try_counters(void);
void try_global_counters(void);

/* The daemon ends, in daemon_ends.c. */
void try_kills(void);
void try_signals(void);
void try_refused(void);

/* What happens to processes, in daemon_lives.c. */
void try_ends(void);
void try_execs(void);
void try_forks(void);
void try_late_forks(void);
void try_debugger(void);
void try_beside(void);
void try_reuse(void);
void try_sums(void);

/* Limits and time, in daemon_limits.c. */
void try_full(void);
void try_few_files(void);
void try_no_memory(void);
void try_clock(void);
void try_stopped(void);

/* Many processes, in daemon_many.c. */
void try_thousand(void);
void try_flood(void);
void try_overflow(void);

/* SIGHUP, in daemon_reload.c. */
void try_reload(void);
void try_mistakes(void);

/* Readers, in daemon_reader.c. */
void try_reader(void);
void try_printed(void);

#endif
