/* SPDX-License-Identifier: Apache-2.0 */
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/utf8.h"

int tr_csv_put(FILE *file, const char *text)
{
	char *copy;
	const char *valid = tr_utf8_valid(text, &copy);
	if (!valid)
		return TR_E_NOMEM;
	if (valid[strcspn(valid, ",\"\r\n")]) {
		putc('"', file);
		for (const char *c = valid; *c; c++) {
			if (*c == '"')
				putc('"', file);
			putc(*c, file);
		}
		putc('"', file);
	} else {
		fputs(valid, file);
	}
	free(copy);
	return TR_OK;
}
