/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, as a line for the user. Functions that may fail return false and set
 * it; the program prints it, as "program: text", and exits 2. */
#ifndef RUN_TROUBLE_H
#define RUN_TROUBLE_H

#include <stdbool.h>

enum { TROUBLE_ROOM = 2048 }; /* longer lines are cut */

struct trouble {
	char text[TROUBLE_ROOM]; /* "": nothing went wrong */
};

/* Sets the text, unless one is set. Returns false. */
bool tell_trouble(struct trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, out of memory. */
bool tell_no_memory(struct trouble *trouble);

#endif
