/* SPDX-License-Identifier: Apache-2.0 */
/* Names as the source of C++ and Rust has them, by libiberty's demangler. */
#ifndef TR_IMAGE_DEMANGLE_H
#define TR_IMAGE_DEMANGLE_H

#include "image/image_state.h"

/* Whether a symbol looks like a mangled name. */
bool image_is_mangled(const char *symbol);

/* Appends the name that `symbol` stands for, with its parameters and without what it
 * returns. False, and nothing is appended, when it stands for none. Only for child
 * processes: a hostile name can keep the demangler busy, or exhaust its stack. */
bool image_demangle(const char *symbol, struct tr_buffer *out);

/* Demangles the names of the functions that come from symbols, in a child process.
 * What goes wrong there is a warning. TR_OK or TR_E_NOMEM. */
int image_demangle_functions(struct tr_image *image);

#endif
