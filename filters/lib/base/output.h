/* SPDX-License-Identifier: Apache-2.0 */
/* Opens output files. */
#ifndef TR_OUTPUT_H
#define TR_OUTPUT_H

/* Opens `path` for writing and creates or truncates it. A regular file stays locked until
 * it is closed. Returns a close-on-exec descriptor, or -1 with errno set: EWOULDBLOCK if
 * another program is writing a file that it opened with this function; that file is
 * untouched. */
int tr_output_open(const char *path);
/* Returns the message for errno after a failed tr_output_open(). */
const char *tr_output_problem(int error);

#endif
