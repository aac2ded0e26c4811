/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a daemon which was killed has left of processes that ended without one. */
#ifndef ENDED_FILES_H
#define ENDED_FILES_H

/* Removes, in the run folders of all users, the counters of processes that have ended, if
 * a daemon has written a log into them: those of prof-inject alone are for its user. */
void remove_ended_files(void);

#endif
