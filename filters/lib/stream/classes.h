/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the classes of lost cycles: the header key "classes". What stands before
 * the first dot of a name is its group: "memory.dram" is class "dram" of "memory".
 */
#ifndef TR_CLASSES_H
#define TR_CLASSES_H

#include <stdint.h>

#include "stream/header.h"
#include "stream/stream.h"

/* Classes are numbered from 1, as in runs; 0 is none. Groups are numbered in the
 * order of their first classes. */
struct tr_classes {
	const char *name[TR_MAX_CLASSES]; /* in full */
	const char *leaf[TR_MAX_CLASSES]; /* behind the dot, or "" without one */
	const char *group_name[TR_MAX_CLASSES];
	uint8_t group[TR_MAX_CLASSES]; /* of a class */
	unsigned count, ngroups;
	char *text[2];
};

/* TR_OK; TR_E_ARGUMENT: the header names none; TR_E_CORRUPT: more than there can be,
 * one without a name, or one name twice; TR_E_NOMEM. */
int tr_classes_read(struct tr_classes *classes, const struct tr_header *header);
/* The same of the names in `list`, separated by commas; NULL or "": none. */
int tr_classes_parse(struct tr_classes *classes, const char *list);
/* Also after a failure. */
void tr_classes_release(struct tr_classes *classes);

#endif
