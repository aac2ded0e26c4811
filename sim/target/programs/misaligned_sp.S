/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores relative to sp, which points to an arbitrary address. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.text

.macro with_sp name, access
function \name
	mv	t0, sp
	.cfi_def_cfa_register t0
	.cfi_register sp, t0
	mv	sp, a0
	\access
	mv	sp, t0
	.cfi_def_cfa_register sp
	.cfi_restore sp
	ret
end_function \name
.endm

with_sp load_word_sp, "c.lwsp a0, 0(sp)"
with_sp load_double_sp, "c.ldsp a0, 0(sp)"
with_sp store_word_sp, "c.swsp a1, 0(sp)"
with_sp store_double_sp, "c.sdsp a1, 0(sp)"
