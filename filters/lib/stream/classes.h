/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the stall classes: header key "classes". The part of a name before its first
 * dot is its group: "memory.dram" is class "dram" of group "memory". */
#ifndef TR_CLASSES_H
#define TR_CLASSES_H

#include <stdint.h>

#include "stream/header.h"
#include "stream/stream.h"

/* Classes are numbered from 1, as in runs; 0 is no class. Groups are numbered in order of
 * their first classes. */
struct tr_classes {
	const char *name[TR_MAX_CLASSES]; /* full name */
	const char *leaf[TR_MAX_CLASSES]; /* part after the dot, or "" */
	const char *group_name[TR_MAX_CLASSES];
	uint8_t group[TR_MAX_CLASSES]; /* group of a class */
	unsigned count, ngroups;
	char *text[2];
};

/* Reads the classes of a header. Returns TR_OK; TR_E_ARGUMENT if the header names none;
 * TR_E_CORRUPT for too many, an empty or a duplicate name; or TR_E_NOMEM. */
int tr_classes_read(struct tr_classes *classes, const struct tr_header *header);
/* Parses a comma-separated list of names. Returns TR_OK; TR_E_ARGUMENT if it is NULL or
 * ""; TR_E_CORRUPT or TR_E_NOMEM. */
int tr_classes_parse(struct tr_classes *classes, const char *list);
/* Also valid after a failure. */
void tr_classes_release(struct tr_classes *classes);

#endif
