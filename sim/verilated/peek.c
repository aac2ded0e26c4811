/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the architectural state of a hart. */
#include "peek.h"

#include "model/csr.h"
#include "model/state.h"
#include "soc.h"
#include "watch.h"

enum { TAG_ADDRESS = 50 }; /* address bits of a line */

#define STATE(member)                                                                    \
	offsetof(struct soc_state, member),                                              \
	    sizeof((struct soc_state *)NULL)->member / sizeof(uint64_t)
#define CSRS	   ".u_retire.u_csr"
#define TRAPS	   CSRS ".u_trap"
#define INTERRUPTS CSRS ".u_interrupt"
#define COUNTERS   CSRS ".u_counter"

const struct probe_register probe_registers[PROBE_REGISTERS] = {
    {".u_decode", "regs_q", 0, STATE(x), false},
    {".gen_float.u_float.u_registers", "regs_q", 0, STATE(f), false},
    {CSRS, "mcounteren_q", CSR_MCOUNTEREN, STATE(mcounteren), false},
    {CSRS, "scounteren_q", CSR_SCOUNTEREN, STATE(scounteren), false},
    {CSRS, "mfiom_q", CSR_MENVCFG, STATE(menvcfg), false},
    {CSRS, "sfiom_q", CSR_SENVCFG, STATE(senvcfg), false},
    {CSRS, "mscratch_q", CSR_MSCRATCH, STATE(mscratch), false},
    {CSRS, "sscratch_q", CSR_SSCRATCH, STATE(sscratch), false},
    {CSRS ".u_status", "status_q", CSR_MSTATUS, STATE(mstatus), false},
    {TRAPS, "medeleg_q", CSR_MEDELEG, STATE(medeleg), false},
    {TRAPS, "mtvec_q", CSR_MTVEC, STATE(mtvec), false},
    {TRAPS, "stvec_q", CSR_STVEC, STATE(stvec), false},
    {TRAPS, "mepc_q", CSR_MEPC, STATE(mepc), false},
    {TRAPS, "sepc_q", CSR_SEPC, STATE(sepc), false},
    {TRAPS, "mcause_q", CSR_MCAUSE, STATE(mcause), false},
    {TRAPS, "scause_q", CSR_SCAUSE, STATE(scause), false},
    {TRAPS, "mtval_q", CSR_MTVAL, STATE(mtval), false},
    {TRAPS, "stval_q", CSR_STVAL, STATE(stval), false},
    {INTERRUPTS, "mideleg_q", CSR_MIDELEG, STATE(mideleg), false},
    {INTERRUPTS, "enable_q", CSR_MIE, STATE(mie), false},
    {INTERRUPTS, "soft_q", 0, STATE(mip), false},
    {COUNTERS, "inhibit_q", CSR_MCOUNTINHIBIT, STATE(mcountinhibit), false},
    {COUNTERS, "mcycle_q", CSR_MCYCLE, STATE(mcycle), false},
    {COUNTERS, "minstret_q", CSR_MINSTRET, STATE(minstret), false},
    {PROBE_HPM ".gen_counter[0]", "count_q", 0, STATE(mhpmcounter[0]), true},
    {PROBE_HPM ".gen_counter[1]", "count_q", 0, STATE(mhpmcounter[1]), true},
    {PROBE_HPM ".gen_counter[2]", "count_q", 0, STATE(mhpmcounter[2]), true},
    {PROBE_HPM ".gen_counter[3]", "count_q", 0, STATE(mhpmcounter[3]), true},
    {PROBE_HPM ".gen_counter[4]", "count_q", 0, STATE(mhpmcounter[4]), true},
    {PROBE_HPM ".gen_counter[5]", "count_q", 0, STATE(mhpmcounter[5]), true},
    {PROBE_PMP, "config_q", CSR_PMPCFG0, STATE(pmpcfg), false},
    {PROBE_PMP, "address_q", 0, STATE(pmpaddr), false},
};

bool peek_f(const struct rtl_hart *hart, unsigned reg, uint64_t *value)
{
	const struct probe *p = &hart->probe;
	unsigned rd = 32 + (reg & 31);

	*value = p->f ? p->f[reg & 31] : 0;
	return !p->f || (*p->rd3 != rd && *p->rd4 != rd);
}

bool peek_asleep(const struct rtl_hart *hart)
{
	return sleeps_in_m(*hart->probe.next_valid, *hart->probe.next_unit);
}

void peek_timer(const struct rtl *r, unsigned hart, uint64_t *mtime, uint64_t *mtimecmp)
{
	*mtime = *r->mtime;
	memcpy(mtimecmp, (const char *)r->mtimecmp + hart * sizeof(*mtimecmp),
	       sizeof(*mtimecmp));
}

/* ------------------------------------------------------------ the L1D and the TLB */

static uint64_t tag_of_line(const struct probe *p, uint64_t line)
{
	return line & ((UINT64_C(1) << (TAG_ADDRESS - __builtin_ctz(p->sets))) - 1);
}

static uint64_t state_of_line(const struct probe *p, uint64_t line)
{
	return line >> (TAG_ADDRESS - __builtin_ctz(p->sets));
}

/* The way that is being filled still has the tag of its victim, which has been written
 * back. */
bool peek_l1d(const struct rtl_hart *hart, uint64_t address, uint64_t *bytes)
{
	const struct probe *p = &hart->probe;
	const unsigned set = (unsigned)(address >> 6) & (p->sets - 1);
	const bool filling = *p->line_fsm == RTL_StFill && *p->line_set == set;

	for (unsigned way = 0; way < p->ways; way++) {
		uint64_t line = p->lines[way * p->sets + set];

		if (state_of_line(p, line) == 0 || (filling && *p->line_way == way) ||
		    tag_of_line(p, line) != address / 64 / p->sets)
			continue;
		*bytes = p->line_data[(set * p->ways + way) * 8 + (address >> 3 & 7)];
		return true;
	}
	return false;
}

/* A number is {set, way}. */
bool peek_l1d_modified(const struct rtl_hart *hart, unsigned number, uint64_t *address,
		       uint64_t words[8])
{
	const struct probe *p = &hart->probe;
	const unsigned set = number / p->ways % p->sets, way = number % p->ways;
	const uint64_t line = p->lines[way * p->sets + set];
	const bool misses = *p->line_fsm == RTL_StFill || *p->line_fsm == RTL_StSnoop;

	/* The way that is being filled still has the tag of its victim. */
	if (state_of_line(p, line) != RTL_Modified ||
	    (misses && *p->line_set == set && *p->line_way == way))
		return false;
	*address = (tag_of_line(p, line) * p->sets + set) * 64;
	memcpy(words, p->line_data + number * 8, 8 * sizeof(*words));
	return true;
}

/* The tag of an entry is {space, ASID, page}. */
bool peek_translates(const struct rtl_hart *hart, unsigned entry, unsigned asid)
{
	const struct probe *p = &hart->probe;

	return (*p->tlb_valid >> entry & 1) &&
	       ((*p->tlb_global >> entry & 1) ||
		(p->tlb_keys[entry] >> 46 & 0xffff) == asid);
}

/* ------------------------------------------------------------ CSRs */

/* Gets the register that holds a CSR. Returns false if there is none. */
static bool read_csr_register(const struct probe *p, unsigned csr, uint64_t *value)
{
	for (unsigned i = 0; i < PROBE_REGISTERS; i++) {
		if (probe_registers[i].csr != csr || !p->registers[i].at)
			continue;
		*value = probe_get(&p->registers[i], 0);
		return true;
	}
	*value = 0;
	return false;
}

static uint64_t register_of(const struct probe *p, unsigned csr)
{
	uint64_t value;

	read_csr_register(p, csr, &value);
	return value;
}

void peek_trap(const struct rtl_hart *hart, uint64_t cycle, struct rtl_commit *c)
{
	const struct probe *p = &hart->probe;
	const bool to_machine = *p->priv == RTL_PrivM;
	const uint64_t cause = register_of(p, to_machine ? CSR_MCAUSE : CSR_SCAUSE);

	*c = (struct rtl_commit){.trap = true, .cycle = cycle};
	c->next_priv = *p->priv;
	c->pc = register_of(p, to_machine ? CSR_MEPC : CSR_SEPC);
	c->value = register_of(p, to_machine ? CSR_MTVAL : CSR_STVAL);
	c->cause = (uint8_t)((cause & 31) | (cause >> 63) * COMMIT_INTERRUPT);
}

static uint64_t hpm_event(const struct probe *p, unsigned i)
{
	if (i >= SOC_HPM_COUNTERS || !p->events || !(*p->events_on >> i & 1))
		return 0;
	return (uint64_t)p->events[i] >> 2 << 8 | (p->events[i] & 3);
}

static uint64_t pmp_address(const struct probe *p, unsigned i)
{
	return i < SOC_PMP_ENTRIES && (*p->pmp_written >> i & 1) ? p->pmpaddr[i] : 0;
}

static bool read_float_csr(const struct probe *p, unsigned csr, uint64_t *value)
{
	*value = 0;
	if (!p->f)
		return false;
	if (csr != CSR_FRM)
		*value = *p->fflags;
	if (csr != CSR_FFLAGS)
		*value |= (uint64_t)*p->frm << (csr == CSR_FCSR ? FRM_SHIFT : 0);
	return !(*p->rd3 | *p->rd4);
}

/* mstatus or sstatus, with SD. */
static uint64_t status_with_sd(const struct probe *p, uint64_t mask)
{
	const uint64_t fs = 3 << 13, value = register_of(p, CSR_MSTATUS) & mask;

	return (value & fs) == fs ? value | SOC_MSTATUS_SD : value;
}

bool peek_csr(const struct rtl_hart *hart, unsigned csr, uint64_t *value)
{
	const struct probe *p = &hart->probe;

	*value = 0;
	if (csr <= CSR_FCSR)
		return read_float_csr(p, csr, value);
	if (csr >= CSR_PMPADDR0 && csr <= CSR_PMPADDR15)
		*value = pmp_address(p, csr - CSR_PMPADDR0);
	else if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31)
		*value = hpm_event(p, csr - CSR_MHPMEVENT3);
	else if (csr == CSR_MSTATUS)
		*value = status_with_sd(p, UINT64_MAX) | RTL_Uxl | RTL_Sxl;
	else if (csr == CSR_SSTATUS)
		*value = status_with_sd(p, RTL_SstatusMask) | RTL_Uxl;
	else if (csr == CSR_SIE)
		*value = register_of(p, CSR_MIE) & register_of(p, CSR_MIDELEG);
	else if (csr == CSR_MIP)
		*value = *p->mip;
	else if (csr == CSR_SIP)
		*value = *p->mip & register_of(p, CSR_MIDELEG);
	else if (csr == CSR_SATP)
		*value = *p->satp;
	else
		return read_csr_register(p, csr, value);
	return true;
}

/* ------------------------------------------------------------ all of it */

static void save_registers(const struct probe *p, struct soc_state *s)
{
	for (unsigned i = 0; i < PROBE_REGISTERS; i++) {
		const struct probe_register *r = &probe_registers[i];

		for (unsigned k = 0;
		     p->registers[i].at && !r->is_only_set && k < r->count; k++) {
			uint64_t value = probe_get(&p->registers[i], k);

			memcpy((char *)s + r->at + k * sizeof(value), &value,
			       sizeof(value));
		}
	}
}

bool peek_save(const struct rtl_hart *hart, struct soc_state *s)
{
	const struct probe *p = &hart->probe;

	*s = (struct soc_state){.pc = probe_next_pc(p), .priv = *p->priv};
	save_registers(p, s);
	s->x[0] = 0;
	s->satp = *p->satp;
	s->reservation = SOC_NOT_RESERVED;
	if (*p->reserved)
		s->reservation = *p->reserved_line * SOC_LR_BYTES;
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++)
		s->mhpmevent[i] = hpm_event(p, i);
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		s->pmpaddr[i] = pmp_address(p, i);
	return read_float_csr(p, CSR_FCSR, &s->fcsr) || !p->f;
}
