/* SPDX-License-Identifier: Apache-2.0 */
/* Parses counter labels in a header, and keeps the last samples. */
#include "stream/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static int add_label(struct tr_counters *c, uint32_t set, const char *label)
{
	uint32_t count = c->set[set].count;
	if (!*label || strlen(label) > TR_MAX_LABEL)
		return TR_E_CORRUPT;
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(c->set[set].label[i], label) == 0)
			return TR_E_CORRUPT;
	c->set[set].label[c->set[set].count++] = label;
	return TR_OK;
}

static int read_set(struct tr_counters *c, uint32_t set, const char *list)
{
	size_t size = strlen(list) + 1, labels = 1;
	for (const char *at = list; *at; at++)
		labels += *at == ',';
	if (labels > TR_MAX_COUNTERS)
		return TR_E_CORRUPT;
	char *text = tr_arena_take(&c->text, size);
	c->set[set].label = tr_arena_take(&c->text, labels * sizeof(*c->set[set].label));
	if (!text || !c->set[set].label)
		return TR_E_NOMEM;
	memcpy(text, list, size);
	int status = TR_OK;
	for (char *label = text; !status && label;) {
		char *comma = strchr(label, ',');
		if (comma)
			*comma = '\0';
		status = add_label(c, set, label);
		label = comma ? comma + 1 : NULL;
	}
	return status;
}

int tr_counters_read(struct tr_counters *c, const struct tr_header *header)
{
	int status = TR_OK;
	*c = (struct tr_counters){0};
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS && !status; set++) {
		char key[32];
		snprintf(key, sizeof(key), "counters.%u", (unsigned)set);
		const char *list = tr_header_get(header, key);
		if (list)
			status = read_set(c, set, list);
	}
	return status;
}

void tr_counters_release(struct tr_counters *c)
{
	tr_arena_reset(&c->text);
	*c = (struct tr_counters){0};
}

const char *tr_counters_description(const struct tr_header *header, uint32_t set,
				    uint32_t counter)
{
	char key[48];
	snprintf(key, sizeof(key), "counter.%u.%u", (unsigned)set, (unsigned)counter);
	const char *text = tr_header_get(header, key);
	return text ? text : "";
}

bool tr_counters_find(const struct tr_counters *c, const char *label,
		      struct tr_counter_id *id)
{
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS; set++)
		for (uint32_t i = 0; i < c->set[set].count; i++)
			if (strcmp(c->set[set].label[i], label) == 0) {
				*id = (struct tr_counter_id){set, i};
				return true;
			}
	return false;
}

void tr_samples_release(struct tr_samples *samples)
{
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS; set++)
		free(samples->last[set]);
	*samples = (struct tr_samples){0};
}

uint64_t *tr_samples_of(struct tr_samples *samples, const struct tr_counters *counters,
			uint32_t set)
{
	if (!samples->last[set])
		samples->last[set] =
		    calloc(counters->set[set].count, sizeof(*samples->last[set]));
	return samples->last[set];
}
