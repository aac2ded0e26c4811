/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a daemon which was killed has left of processes that ended without one. */
#ifndef ENDED_FILES_H
#define ENDED_FILES_H

/* Removes, in the run folders of all users, the counters of processes that have ended, if
 * a daemon has a log in them: those of prof-inject alone are for its user. And what their
 * injectors needed, and were killed before they removed it. */
void remove_ended_files(void);

#endif
