/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files to be written. */
#ifndef TR_OUTPUT_H
#define TR_OUTPUT_H

/* Opens `path` for writing, made if it is not there, emptied if it is. A regular file
 * stays locked until it is closed. A descriptor that closes on exec; or -1, with errno:
 * EWOULDBLOCK if another program that opened it in this way is still writing it, which
 * has left it untouched. */
int tr_output_open(const char *path);
/* Of errno after that. */
const char *tr_output_problem(int error);

#endif
