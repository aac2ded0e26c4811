/* SPDX-License-Identifier: Apache-2.0 */
/* The formats, each in a file of its name. */
#ifndef TR_EXPORT_FORMATS_H
#define TR_EXPORT_FORMATS_H

#include "export/export.h"

extern const struct tr_export_format tr_export_folded, tr_export_csv, tr_export_json,
    tr_export_firefox, tr_export_pprof, tr_export_callgrind, tr_export_autofdo,
    tr_export_speedscope, tr_export_speedscope_sums;

#endif
