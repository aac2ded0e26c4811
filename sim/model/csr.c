/* SPDX-License-Identifier: Apache-2.0 */
/* CSR reads, and the instructions that use CSRs. */
#include "csr.h"
#include "internal.h"
#include "stream/insn.h"

/* RV64, A C I M S U; and D, F */
#define MISA_FLOAT (UINT64_C(1) << 3 | UINT64_C(1) << 5)
#define MISA                                                                             \
	(UINT64_C(2) << 62 | 1U << 0 | 1U << 2 | 1U << 8 | 1U << 12 | 1U << 18 | 1U << 20)

uint64_t soc_instret_now(const struct soc_hart *h)
{
	return h->instret + (h->now - h->cycle);
}

static uint64_t read_machine_counter(const struct soc_hart *h, unsigned csr)
{
	if (csr == CSR_MCYCLE)
		return h->mcountinhibit & INHIBIT_CYCLE ? h->mcycle : h->now + h->mcycle;
	return h->mcountinhibit & INHIBIT_INSTRET ? h->minstret
						  : soc_instret_now(h) + h->minstret;
}

static uint64_t dirty_float_bit(const struct soc_hart *h)
{
	return (h->mstatus & SOC_MSTATUS_FS) == SOC_MSTATUS_FS ? SOC_MSTATUS_SD : 0;
}

static bool get_float(const struct soc_hart *h, unsigned csr, uint64_t *value)
{
	if (csr < CSR_FFLAGS || csr > CSR_FCSR || !h->soc->features.fpu)
		return false;
	*value = csr == CSR_FRM	   ? h->fcsr >> FRM_SHIFT
		 : csr == CSR_FCSR ? h->fcsr
				   : h->fcsr & FFLAGS;
	return true;
}

static bool get_supervisor(const struct soc_hart *h, unsigned csr, uint64_t *value)
{
	switch (csr) {
	case CSR_SSTATUS:
		*value =
		    (h->mstatus & SOC_SSTATUS_MASK) | SOC_UXL_64 | dirty_float_bit(h);
		return true;
	case CSR_SIE:
		*value = h->mie & h->mideleg;
		return true;
	case CSR_STVEC:
		*value = h->stvec;
		return true;
	case CSR_SCOUNTEREN:
		*value = h->scounteren;
		return true;
	case CSR_SENVCFG:
		*value = h->senvcfg;
		return true;
	case CSR_SSCRATCH:
		*value = h->sscratch;
		return true;
	case CSR_SEPC:
		*value = h->sepc;
		return true;
	case CSR_SCAUSE:
		*value = h->scause;
		return true;
	case CSR_STVAL:
		*value = h->stval;
		return true;
	case CSR_SIP:
		*value = soc_mip(h) & h->mideleg;
		return true;
	case CSR_SATP:
		*value = h->satp;
		return true;
	default:
		return false;
	}
}

static bool get_machine_setup(const struct soc_hart *h, unsigned csr, uint64_t *value)
{
	switch (csr) {
	case CSR_MSTATUS:
		*value = h->mstatus | SOC_UXL_64 | SOC_SXL_64 | dirty_float_bit(h);
		return true;
	case CSR_MISA:
		*value = MISA | (h->soc->features.fpu ? MISA_FLOAT : 0);
		return true;
	case CSR_MEDELEG:
		*value = h->medeleg;
		return true;
	case CSR_MIDELEG:
		*value = h->mideleg;
		return true;
	case CSR_MIE:
		*value = h->mie;
		return true;
	case CSR_MTVEC:
		*value = h->mtvec;
		return true;
	case CSR_MCOUNTEREN:
		*value = h->mcounteren;
		return true;
	case CSR_MENVCFG:
		*value = h->menvcfg;
		return true;
	default:
		return false;
	}
}

static bool get_machine_trap(const struct soc_hart *h, unsigned csr, uint64_t *value)
{
	switch (csr) {
	case CSR_MSCRATCH:
		*value = h->mscratch;
		return true;
	case CSR_MEPC:
		*value = h->mepc;
		return true;
	case CSR_MCAUSE:
		*value = h->mcause;
		return true;
	case CSR_MTVAL:
		*value = h->mtval;
		return true;
	case CSR_MIP:
		*value = soc_mip(h);
		return true;
	default:
		return false;
	}
}

static bool get_machine(const struct soc_hart *h, unsigned csr, uint64_t *value)
{
	switch (csr) {
	case CSR_MCOUNTINHIBIT:
		*value = h->mcountinhibit;
		return true;
	case CSR_PMPCFG0:
		*value = soc_pmp_cfg(h);
		return true;
	case CSR_MCYCLE:
	case CSR_MINSTRET:
		*value = read_machine_counter(h, csr);
		return true;
	case CSR_MHARTID:
		*value = h->id;
		return true;
	default:
		return get_machine_setup(h, csr, value) ||
		       get_machine_trap(h, csr, value);
	}
}

/* Returns the register of an event counter, or NULL for any other CSR. No events are
 * counted here: implemented registers keep the value written, the others are 0. */
static const uint64_t *event_counter_of(const struct soc_hart *h, unsigned csr)
{
	static const uint64_t none;

	if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31)
		return csr - CSR_MHPMEVENT3 < SOC_HPM_COUNTERS
			   ? &h->mhpmevent[csr - CSR_MHPMEVENT3]
			   : &none;
	if (csr >= CSR_HPMCOUNTER3 && csr <= CSR_HPMCOUNTER31)
		csr -= CSR_HPMCOUNTER3 - CSR_MHPMCOUNTER3;
	if (csr >= CSR_MHPMCOUNTER3 && csr <= CSR_MHPMCOUNTER31)
		return csr - CSR_MHPMCOUNTER3 < SOC_HPM_COUNTERS
			   ? &h->mhpmcounter[csr - CSR_MHPMCOUNTER3]
			   : &none;
	return NULL;
}

static bool reads_zero(unsigned csr)
{
	return csr == CSR_PMPCFG2 || csr == CSR_MVENDORID || csr == CSR_MARCHID ||
	       csr == CSR_MIMPID || csr == CSR_MCONFIGPTR;
}

bool soc_csr_get(const struct soc_hart *h, unsigned csr, uint64_t *value)
{
	const uint64_t *counted = event_counter_of(h, csr);

	*value = 0;
	if (csr >= CSR_PMPADDR0 && csr <= CSR_PMPADDR15) {
		if (csr - CSR_PMPADDR0 < SOC_PMP_ENTRIES)
			*value = h->pmpaddr[csr - CSR_PMPADDR0];
		return true;
	}
	if (csr == CSR_CYCLE || csr == CSR_INSTRET) {
		*value = read_machine_counter(h, csr - CSR_CYCLE + CSR_MCYCLE);
		return true;
	}
	if (csr == CSR_TIME) {
		*value = soc_mtime(h->soc, h->now);
		return true;
	}
	if (counted) {
		*value = *counted;
		return true;
	}
	return reads_zero(csr) || get_float(h, csr, value) ||
	       get_supervisor(h, csr, value) || get_machine(h, csr, value);
}

/* A counter is readable below M only if enabled for the modes in between. */
static bool counter_enabled(const struct soc_hart *h, unsigned csr)
{
	unsigned bit = csr - CSR_CYCLE;

	if (h->priv < SOC_M && !(h->mcounteren >> bit & 1U))
		return false;
	return h->priv != SOC_U || (h->scounteren >> bit & 1U);
}

static bool may_access(const struct soc_hart *h, unsigned csr, bool write)
{
	if (h->priv < (csr >> 8 & 3U) || (write && csr >> 10 == 3))
		return false;
	if (csr <= CSR_FCSR && !(h->mstatus & SOC_MSTATUS_FS))
		return false;
	if (csr == CSR_SATP && h->priv == SOC_S && (h->mstatus & SOC_MSTATUS_TVM))
		return false;
	if (csr >= CSR_CYCLE && csr <= CSR_HPMCOUNTER31)
		return counter_enabled(h, csr);
	return true;
}

/* Returns whether the CSR write may change the context or make an interrupt due. */
bool soc_csr_ends_block(uint32_t bits)
{
	switch (bits >> 20) {
	case CSR_SSTATUS:
	case CSR_SIE:
	case CSR_SIP:
	case CSR_SATP:
	case CSR_MSTATUS:
	case CSR_MIDELEG:
	case CSR_MIE:
	case CSR_MIP:
		return tr_insn_writes_csr(bits);
	default:
		return tr_insn_writes_csr(bits) && bits >> 24 == CSR_PMPCFG0 >> 4;
	}
}

uint64_t soc_instret_current(const struct soc *soc, unsigned hart)
{
	return soc_instret_now(&soc->harts[hart]);
}

uint64_t soc_csr_from_input(const struct soc *soc, unsigned hart, unsigned csr,
			    uint64_t value)
{
	const struct soc_hart *h = &soc->harts[hart];
	uint64_t lines = UINT64_C(1) << SOC_IRQ_MS | UINT64_C(1) << SOC_IRQ_MT |
			 UINT64_C(1) << SOC_IRQ_SE | UINT64_C(1) << SOC_IRQ_ME;
	uint64_t own = 0;

	if (csr != CSR_SIP && csr != CSR_MIP)
		return value;
	if (csr == CSR_SIP)
		lines &= h->mideleg;
	soc_csr_get(h, csr, &own);
	return own | (value & lines);
}

void soc_report_input(struct soc_hart *h, const struct soc_input *input)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	struct soc_input reported = *input;

	if (!hooks->input)
		return;
	reported.ahead = soc_instret_now(h) - h->instret;
	hooks->input(hooks->user, h->id, &reported);
}

/* csrrs and csrrc of mip and sip modify the bits that software wrote, not the lines of
 * the devices. */
static uint64_t modified_csr_value(const struct soc_hart *h, uint32_t bits, uint64_t old,
				   uint64_t operand)
{
	unsigned csr = bits >> 20;

	if (csr == CSR_MIP || csr == CSR_SIP)
		old = h->mip;
	switch (bits >> 12 & 3U) {
	case 1:
		return operand;
	case 2:
		return old | operand;
	default:
		return old & ~operand;
	}
}

enum soc_result soc_csr_insn(struct soc_hart *h, uint32_t bits)
{
	const struct soc_follow *f = &h->soc->follow;
	unsigned csr = bits >> 20, rd = bits >> 7 & 31U;
	uint64_t operand = bits >> 15 & 31U, old, theirs;
	bool write = tr_insn_writes_csr(bits);

	if (!(bits >> 14 & 1U))
		operand = h->x[operand];
	if (!may_access(h, csr, write) || !soc_csr_get(h, csr, &old))
		return soc_raise(h, SOC_CAUSE_ILLEGAL, bits);
	if (f->csr_read && f->csr_read(f->user, h->id, csr, &theirs))
		old = theirs;
	if (rd && soc_csr_is_input(csr))
		soc_report_input(h, &(struct soc_input){.kind = SOC_INPUT_CSR,
							.csr = (uint16_t)csr,
							.value = old});
	if (write)
		soc_csr_set(h, csr, modified_csr_value(h, bits, old, operand));
	if (rd)
		h->x[rd] = old;
	return soc_csr_ends_block(bits) ? SOC_LEAVE : SOC_DONE;
}
