/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of structures, classes and unions, each read once from a file's DWARF: what is
 * at an offset of one. For the child of image_query.h.
 *
 * A layout has a number. Types of several units with one keyword, name and size are one,
 * so that numbers can be compared; unnamed ones are the same if a typedef names them. */
#ifndef TR_DATA_LAYOUTS_H
#define TR_DATA_LAYOUTS_H

#include "image/image_query.h"

enum { TR_LAYOUT_NONE = UINT32_MAX, TR_LAYOUT_NAME = 512 };

struct data_layouts;

/* Returns NULL when out of memory; tr_data_layouts_free() accepts NULL. */
struct data_layouts *tr_data_layouts_new(struct tr_query *query);
void tr_data_layouts_free(struct data_layouts *l);
/* Returns true if memory has run out. */
bool tr_data_layouts_failed(const struct data_layouts *l);
/* Returns the layout of a type, through typedefs; TR_LAYOUT_NONE if it has none. */
uint32_t tr_data_layout_of(struct data_layouts *l, uint64_t type);
/* Returns that of what a pointer or reference points to. */
uint32_t tr_data_layout_pointed(struct data_layouts *l, uint64_t type);
uint64_t tr_data_layout_size(const struct data_layouts *l, uint32_t layout);
/* Returns true if it ends in an array without a size. */
bool tr_data_layout_is_open(const struct data_layouts *l, uint32_t layout);
/* Returns what the pointer at an offset points to; TR_LAYOUT_NONE if there is none, or
 * several of a union that differ. */
uint32_t tr_data_layout_pointer(struct data_layouts *l, uint32_t layout, uint64_t offset);
/* Returns true if there is an `inner` at an offset of `outer`: a member, an element or a
 * base. */
bool tr_data_layout_contains(struct data_layouts *l, uint32_t outer, uint64_t offset,
			     uint32_t inner);
/* Writes the name of the member at an offset, "struct node.at.x"; of several that overlap
 * up to four, as "a|b", and "|..." if there are more. Returns false if there is none. */
bool tr_data_layout_member(struct data_layouts *l, uint32_t layout, uint64_t offset,
			   char name[TR_LAYOUT_NAME]);

#endif
