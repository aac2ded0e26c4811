/* SPDX-License-Identifier: Apache-2.0 */
/* The formats, each in a file of its name. */
#ifndef TR_IMPORT_FORMATS_H
#define TR_IMPORT_FORMATS_H

#include "import/import_state.h"

extern const struct import_kind tr_import_tracerv, tr_import_tracerv_binary,
    tr_import_tracerv_stacks, tr_import_spike, tr_import_rocket, tr_import_cva6,
    tr_import_ibex, tr_import_execlog, tr_import_qemu, tr_import_kanata, tr_import_tacit,
    tr_import_etrace;

#endif
