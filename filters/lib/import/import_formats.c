/* SPDX-License-Identifier: Apache-2.0 */
#include "import/import_formats.h"

/* What one recognises, a later one may recognise, too. */
const struct import_kind *const tr_import_kinds[] = {&tr_import_tracerv_binary,
						     &tr_import_tracerv,
						     &tr_import_tracerv_stacks,
						     &tr_import_qemu,
						     &tr_import_cva6,
						     &tr_import_spike,
						     &tr_import_rocket,
						     &tr_import_execlog,
						     &tr_import_ibex,
						     &tr_import_kanata,
						     &tr_import_tacit,
						     &tr_import_etrace,
						     NULL};
