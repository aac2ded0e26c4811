/* SPDX-License-Identifier: Apache-2.0 */
/* Copies files for tests on the target, whole or damaged. */
#ifndef COPIED_FILE_H
#define COPIED_FILE_H

/* Copies a file of at most 1 MiB, or its first `size` bytes if `size` is not negative;
 * with a bit of byte `flip` changed if that is not negative. What stood at `to` is
 * replaced, so that who has it open keeps it. */
void copy_file(const char *from, const char *to, long size, long flip);

#endif
