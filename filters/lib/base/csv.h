/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of CSV. */
#ifndef TR_CSV_H
#define TR_CSV_H

#include <stdio.h>

/* Writes a cell, quoted as in RFC 4180 if it must be; bytes that are not UTF-8 become
 * U+FFFD. Returns TR_OK or TR_E_NOMEM; write errors are left in ferror(file). */
int tr_csv_put(FILE *file, const char *text);

#endif
