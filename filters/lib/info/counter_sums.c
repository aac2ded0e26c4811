/* SPDX-License-Identifier: Apache-2.0 */
/* Sums counters over a stream and prints the sums. */
#include "info/counter_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/table.h"

void tr_counter_sums_release(struct tr_counter_sums *s)
{
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS; set++)
		free(s->sum[set]);
	for (uint32_t h = 0; h < s->nharts; h++)
		tr_samples_release(&s->harts[h].last);
	*s = (struct tr_counter_sums){0};
}

static struct tr_samples *last_of(struct tr_counter_sums *s, uint32_t hart)
{
	uint32_t h = 0;
	while (h < s->nharts && s->harts[h].hart != hart)
		h++;
	if (h == s->nharts)
		s->harts[s->nharts++].hart = hart;
	return &s->harts[h].last;
}

int tr_counter_sums_add(struct tr_counter_sums *s, const struct tr_counters *counters,
			uint32_t hart, const struct tr_sample *sample)
{
	struct tr_samples *before = last_of(s, hart);
	bool is_first = !before->last[sample->set];
	uint64_t *last = tr_samples_of(before, counters, sample->set);
	if (!s->sum[sample->set])
		s->sum[sample->set] = calloc(sample->count, sizeof(uint64_t));
	uint64_t *sum = s->sum[sample->set];
	if (!last || !sum)
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < sample->count && !is_first; i++)
		sum[i] += sample->values[i] - last[i];
	memcpy(last, sample->values, sample->count * sizeof(*last));
	s->samples++;
	return TR_OK;
}

static int add_counter(struct tr_table *table, const char *label, bool has_sum,
		       uint64_t sum, const char *description)
{
	int status = tr_table_cell(table, "%s", label);
	if (!status && has_sum)
		status = tr_table_cell(table, "%" PRIu64, sum);
	else if (!status)
		status = tr_table_cell(table, "-");
	return status ? status
		      : tr_table_cell(table, "%s", *description ? description : "-");
}

int tr_counter_sums_report(const struct tr_counter_sums *s,
			   const struct tr_counters *counters,
			   const struct tr_header *header, struct tr_report *report)
{
	static const char *const headings[] = {"<counter", "counted", "<description",
					       NULL};
	static const char *const keys[] = {"counter", "counted", "description"};
	struct tr_table *table = tr_table_new(headings);
	int status = table ? tr_table_keys(table, keys, NULL) : TR_E_NOMEM;
	bool any = false;
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS; set++)
		for (uint32_t i = 0; i < counters->set[set].count && !status; i++) {
			const uint64_t *sum = s->sum[set];
			any = true;
			status = add_counter(table, counters->set[set].label[i],
					     sum != NULL, sum ? sum[i] : 0,
					     tr_counters_description(header, set, i));
		}
	if (status || (!any && tr_report_text(report))) {
		tr_table_free(table);
		return status;
	}
	tr_report_say(report, "counters\n");
	return tr_report_table(report, "counters", table);
}
