/* SPDX-License-Identifier: Apache-2.0 */
/* Demangles C++ and Rust names with libiberty. */
#ifndef TR_IMAGE_DEMANGLE_H
#define TR_IMAGE_DEMANGLE_H

#include "image/image_state.h"

/* Returns true if a symbol looks like a mangled name. */
bool tr_image_is_mangled(const char *symbol);

/* Appends the demangled name with its parameters and without its return type. Returns
 * false, and appends nothing, if `symbol` is not a mangled name. For child processes
 * only: a hostile name can keep the demangler busy or exhaust its stack. */
bool tr_image_demangle(const char *symbol, struct tr_buffer *out);

/* Demangles the function names that come from symbols, in a child process. A failure
 * there is a warning. Returns TR_OK or TR_E_NOMEM. */
int tr_image_demangle_functions(struct tr_image *image);

#endif
