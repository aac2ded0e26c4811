/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how the functions of a program are entered: prof-extract --why and --list. */
#ifndef PROF_EXTRACT_REPORT_H
#define PROF_EXTRACT_REPORT_H

#include "extract.h"

/* Print on standard output: a line of text for each function, for which the plan has
 * evidence, or CSV with a header. The table returns false without memory. */
void prof_explain_plan(const struct prof_plan *plan);
bool prof_print_table(const struct prof_plan *plan);

#endif
