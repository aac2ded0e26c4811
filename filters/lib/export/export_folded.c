/* SPDX-License-Identifier: Apache-2.0 */
/* Folded text. */
#include "export/export_formats.h"

static int write_folded(const struct tr_export *export, void *state, FILE *file)
{
	(void)state;
	return tr_folded_write(export->folded, export->top, export->which, file);
}

const struct tr_export_format tr_export_folded = {
    .name = "folded",
    .suffix = ".folded",
    .summary = "a line for each stack: main;foo;bar 123",
    .write = write_folded,
};
