/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of a file by their addresses: those of units, namespaces and classes, and
 * the static ones of functions. For the child of image_query.h. */
#ifndef TR_DATA_VARIABLES_H
#define TR_DATA_VARIABLES_H

#include "image/image_query.h"

struct data_variables;

/* Returns NULL when out of memory; tr_data_variables_free() accepts NULL. There are none
 * in BTF, which does not tell addresses. */
struct data_variables *tr_data_variables_new(struct tr_query *query);
void tr_data_variables_free(struct data_variables *v);
/* Returns the DIE of variable `i` at an address, in the order of the DWARF; 0 from their
 * number on. There are several of one that units share. */
uint64_t tr_data_variables_at(const struct data_variables *v, uint64_t address, size_t i);

#endif
