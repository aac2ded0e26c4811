/* SPDX-License-Identifier: Apache-2.0 */
/* A port without traps: a call of switch_tasks returns in another task. */
#include "frames.inc"

	.cfi_sections .debug_frame
	.text

.macro each_saved op
	\op	ra, 0(sp)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 8 + 8 * \n(sp)
	.endr
	\op	tp, 104(sp)
.endm

/* switch_tasks(from, to): where to save sp, and where to load it from. */
function switch_tasks
	addi	sp, sp, -112
	.cfi_def_cfa_offset 112
	each_saved sd
	sd	sp, (a0)
	span SPAN_LEAVING
	mv	sp, a1
	each_saved ld
	addi	sp, sp, 112
	ret
	end_span
end_function switch_tasks
