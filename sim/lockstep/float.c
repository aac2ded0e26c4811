/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the floating-point registers and fcsr at a floating-point instruction and at
 * the LATER - 1 events that follow: the core may still be computing a result when its
 * instruction commits. */
#include "compare.h"
#include "stream/insn.h"

enum { LATER = 4 };

const char *const float_names[FLOATS] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",	"ft5",	"ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",	"fa6",	"fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static bool is_float(uint32_t insn)
{
	switch (tr_insn_opcode(insn)) {
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_STORE_FP:
	case TR_OPCODE_MADD:
	case TR_OPCODE_MSUB:
	case TR_OPCODE_NMSUB:
	case TR_OPCODE_NMADD:
	case TR_OPCODE_OP_FP:
		return true;
	default: /* c.fld, c.fldsp */
		return (insn & 3) != 3 && (insn & 1) == 0 && (insn >> 13 & 7) == 1;
	}
}

static void compare_float_csr(struct lockstep *l, const char *name, uint64_t core,
			      uint64_t model)
{
	if (core != model)
		l->csrs[l->ncsrs++] = (struct csr_difference){name, core, model};
}

bool floats_agree(struct lockstep *l)
{
	unsigned before = l->ncsrs;
	uint64_t core;

	if (!l->core.f)
		return true;
	if (!l->event.trap && is_float(l->event.insn))
		l->floats = LATER;
	if (l->floats == 0)
		return true;
	l->floats--;
	for (unsigned i = 0; i < FLOATS; i++)
		if (l->core.f(l->core.user, i, &core))
			compare_float_csr(l, float_names[i], core,
					  soc_f(l->model, l->hart, i));
	if (l->core.csr && l->core.csr(l->core.user, CSR_FCSR, &core))
		compare_float_csr(l, "fcsr", core, model_csr(l, CSR_FCSR));
	return l->ncsrs == before;
}
