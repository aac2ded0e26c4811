/* SPDX-License-Identifier: Apache-2.0 */
/* System calls: the number in a7, an argument in a0. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

enum { CALL_EXIT = 1, CALL_PUT = 2 };

unsigned trap(unsigned argument, unsigned cause, unsigned call);

#endif
