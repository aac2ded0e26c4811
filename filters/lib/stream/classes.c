/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the names of stall classes. */
#include "stream/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static uint8_t intern_group(struct tr_classes *c, const char *name)
{
	for (uint8_t i = 0; i < c->ngroups; i++)
		if (strcmp(c->group_name[i], name) == 0)
			return i;
	c->group_name[c->ngroups] = name;
	return (uint8_t)c->ngroups++;
}

/* Adds a class. `name` and `group` are copies of the same text, cut at different places.
 * Returns TR_OK or TR_E_CORRUPT. */
static int define_class(struct tr_classes *c, const char *name, char *group)
{
	char *dot = strchr(group, '.');
	if (c->count + 1 == TR_MAX_CLASSES || !*name || dot == group || (dot && !dot[1]))
		return TR_E_CORRUPT;
	for (unsigned i = 1; i <= c->count; i++)
		if (strcmp(c->name[i], name) == 0)
			return TR_E_CORRUPT;
	if (dot)
		*dot = '\0';
	c->count++;
	c->name[c->count] = name;
	c->leaf[c->count] = dot ? dot + 1 : "";
	c->group[c->count] = intern_group(c, group);
	return TR_OK;
}

int tr_classes_parse(struct tr_classes *c, const char *list)
{
	int status = TR_OK;
	*c = (struct tr_classes){0};
	if (!list || !*list)
		return TR_E_ARGUMENT;
	for (unsigned i = 0; i < 2; i++)
		if (!(c->text[i] = strdup(list)))
			return TR_E_NOMEM;
	char *name = c->text[0], *group = c->text[1];
	while (!status && name) {
		size_t length = strcspn(name, ",");
		char *next = name[length] ? name + length + 1 : NULL;
		char *next_group = next ? group + length + 1 : NULL;
		name[length] = group[length] = '\0';
		status = define_class(c, name, group);
		name = next;
		group = next_group;
	}
	return status;
}

int tr_classes_read(struct tr_classes *c, const struct tr_header *header)
{
	return tr_classes_parse(c, tr_header_get(header, "classes"));
}

void tr_classes_release(struct tr_classes *c)
{
	free(c->text[0]);
	free(c->text[1]);
	*c = (struct tr_classes){0};
}
