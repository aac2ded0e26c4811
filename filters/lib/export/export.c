/* SPDX-License-Identifier: Apache-2.0 */
/* The list of formats. */
#include "export/export.h"

#include <string.h>

#include "base/near.h"
#include "export/export_formats.h"

static const struct tr_export_format *const formats[] = {&tr_export_folded,
							 &tr_export_csv,
							 &tr_export_json,
							 &tr_export_firefox,
							 &tr_export_pprof,
							 &tr_export_callgrind,
							 &tr_export_autofdo,
							 &tr_export_speedscope,
							 &tr_export_speedscope_sums,
							 NULL};

const struct tr_export_format *const *tr_export_formats(void)
{
	return formats;
}

const struct tr_export_format *tr_export_find(const char *name)
{
	for (unsigned i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

void tr_export_near(const char *name, char *text, size_t size)
{
	struct tr_near near;
	tr_near_init(&near, name);
	for (unsigned i = 0; formats[i]; i++)
		tr_near_offer(&near, formats[i]->name);
	tr_near_text(&near, text, size);
}
