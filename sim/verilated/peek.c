/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the architectural state of a hart. */
#include "peek.h"

#include "devices.h"
#include "model/csr.h"
#include "model/state.h"
#include "soc.h"
#include "watch.h"

#define STATE(member)                                                                    \
#member, offsetof(struct soc_state, member),                                     \
	    sizeof((struct soc_state *)NULL)->member / sizeof(uint64_t)
#define COUNTER(number)                                                                  \
	"mhpmcounter" #number, offsetof(struct soc_state, mhpmcounter[(number)-3]), 1

const struct probe_register probe_registers[PROBE_REGISTERS] = {
    {STATE(x), false},	      {STATE(f), false},	  {STATE(priv), false},
    {STATE(satp), false},     {STATE(mcounteren), false}, {STATE(scounteren), false},
    {STATE(menvcfg), false},  {STATE(senvcfg), false},	  {STATE(mscratch), false},
    {STATE(sscratch), false}, {STATE(mstatus), false},	  {STATE(medeleg), false},
    {STATE(mtvec), false},    {STATE(stvec), false},	  {STATE(mepc), false},
    {STATE(sepc), false},     {STATE(mcause), false},	  {STATE(scause), false},
    {STATE(mtval), false},    {STATE(stval), false},	  {STATE(mideleg), false},
    {STATE(mie), false},      {STATE(mip), false},	  {STATE(mcountinhibit), false},
    {STATE(mcycle), false},   {STATE(minstret), false},	  {STATE(pmpcfg), false},
    {STATE(pmpaddr), true},   {STATE(pc), true},	  {COUNTER(3), true},
    {COUNTER(4), true},	      {COUNTER(5), true},	  {COUNTER(6), true},
    {COUNTER(7), true},	      {COUNTER(8), true},
};

/* Only a core with a window has these. */
#pragma weak probe_value
#pragma weak probe_pc

/* Returns a register of a core with a window, before the tokens not counted yet. */
static uint64_t window_register(const struct rtl_hart *hart, unsigned number)
{
	probe_ask_core(&hart->probe);
	return probe_value(number, (unsigned)__builtin_popcount(hart->commits));
}

uint64_t peek_x(const struct rtl_hart *hart, unsigned reg)
{
	if (probe_has_window(&hart->probe))
		return window_register(hart, reg & 31);
	return reg ? hart->probe.x[reg & 31] : 0;
}

uint64_t peek_pc(const struct rtl_hart *hart)
{
	uint64_t pc;
	uint32_t insn;

	if (probe_has_window(&hart->probe)) {
		probe_ask_core(&hart->probe);
		return probe_pc();
	}
	probe_next(&hart->probe, &pc, &insn);
	return pc;
}

bool peek_f(const struct rtl_hart *hart, unsigned reg, uint64_t *value)
{
	const struct probe *p = &hart->probe;
	unsigned rd = 32 + (reg & 31);

	if (probe_has_window(p)) {
		*value = p->frm ? window_register(hart, rd) : 0;
		return true;
	}
	*value = p->f ? p->f[reg & 31] : 0;
	return !p->f || (*p->float_pending[0] != rd && *p->float_pending[1] != rd);
}

bool peek_asleep(const struct rtl_hart *hart)
{
	return sleeps_in_m(&hart->probe);
}

void peek_timer(const struct rtl *r, unsigned hart, uint64_t *mtime, uint64_t *mtimecmp)
{
	*mtime = *r->mtime;
	memcpy(mtimecmp, (const char *)r->mtimecmp + hart * sizeof(*mtimecmp),
	       sizeof(*mtimecmp));
}

/* ------------------------------------------------------------ the L1D and the TLB */

enum { LINE_THAT_LEAVES = 1 << 16 }; /* as in dcache_nonblocking.sv */

bool peek_l1d(const struct rtl_hart *hart, uint64_t address, uint64_t *bytes)
{
	uint64_t word;

	probe_ask(&hart->probe);
	if (!probe_l1d_word(address, &word))
		return false;
	*bytes = word;
	return true;
}

bool peek_l1d_modified(const struct rtl_hart *hart, unsigned number, uint64_t *address,
		       uint64_t words[8])
{
	probe_ask(&hart->probe);
	if (!probe_l1d_modified(number, address))
		return false;
	for (unsigned i = 0; i < 8; i++)
		probe_l1d_word(*address + i * sizeof(*words), &words[i]);
	return true;
}

bool peek_l1d_leaving(const struct rtl_hart *hart, uint64_t *address)
{
	probe_ask(&hart->probe);
	return probe_l1d_modified(LINE_THAT_LEAVES, address);
}

bool peek_translates(const struct rtl_hart *hart, unsigned entry, unsigned asid)
{
	probe_ask(&hart->probe);
	return probe_tlb_serves(entry, asid);
}

/* ------------------------------------------------------------ CSRs */

/* With a window, the flags include those of tokens not counted yet, `left` of them. */
static bool read_float_csr(const struct probe *p, unsigned csr, unsigned left,
			   uint64_t *value)
{
	*value = 0;
	if (!p->frm)
		return false;
	if (csr != CSR_FRM)
		*value = *p->fflags;
	if (csr != CSR_FFLAGS)
		*value |= (uint64_t)*p->frm << (csr == CSR_FCSR ? FRM_SHIFT : 0);
	if (probe_has_window(p))
		return csr == CSR_FRM || !left;
	return !(*p->float_pending[0] | *p->float_pending[1]);
}

bool peek_csr(const struct rtl_hart *hart, unsigned csr, uint64_t *value)
{
	if (csr <= CSR_FCSR)
		return read_float_csr(&hart->probe, csr,
				      (unsigned)__builtin_popcount(hart->commits), value);
	probe_ask(&hart->probe);
	return probe_csr(csr, value) && !(csr == CSR_MINSTRET && hart->commits);
}

static uint64_t csr_value(const struct rtl_hart *hart, unsigned csr)
{
	uint64_t value;

	peek_csr(hart, csr, &value);
	return value;
}

void peek_trap(const struct rtl_hart *hart, uint64_t cycle, struct rtl_commit *c)
{
	const uint8_t priv = *hart->probe.priv;
	const bool to_machine = priv == RTL_PrivM;
	const uint64_t cause = csr_value(hart, to_machine ? CSR_MCAUSE : CSR_SCAUSE);

	*c = (struct rtl_commit){.trap = true, .cycle = cycle};
	c->next_priv = priv;
	c->pc = csr_value(hart, to_machine ? CSR_MEPC : CSR_SEPC);
	c->value = csr_value(hart, to_machine ? CSR_MTVAL : CSR_STVAL);
	c->cause = (uint8_t)((cause & 31) | (cause >> 63) * COMMIT_INTERRUPT);
}

/* ------------------------------------------------------------ all of it */

static void save_registers(const struct probe *p, struct soc_state *s)
{
	for (unsigned i = 0; i < PROBE_REGISTERS; i++) {
		const struct probe_register *r = &probe_registers[i];

		for (unsigned k = 0;
		     p->registers[i].at && !r->is_only_set && k < r->count; k++) {
			state_put(s, r->at, k, probe_get(&p->registers[i], k));
		}
	}
}

static void save_window_registers(const struct probe *p, struct soc_state *s)
{
	probe_ask_core(p);
	for (unsigned i = 0; i < 32; i++) {
		s->x[i] = probe_value(i, 0);
		s->f[i] = p->frm ? probe_value(32 + i, 0) : 0;
	}
}

bool peek_between(const struct rtl_hart *hart)
{
	const struct probe *p = &hart->probe;
	uint64_t pc;
	uint32_t insn;

	return !hart->commits && !hart->trapped && probe_next(p, &pc, &insn) &&
	       !(*p->next_valid && in_m(p));
}

void peek_events(const struct rtl_hart *hart, struct soc_state *s)
{
	for (unsigned i = 0; i < PROBE_REGISTERS; i++) {
		const struct probe_register *r = &probe_registers[i];

		if (strncmp(r->name, "mhpmcounter", strlen("mhpmcounter")) != 0 ||
		    !hart->probe.registers[i].at)
			continue;
		state_put(s, r->at, 0, probe_get(&hart->probe.registers[i], 0));
	}
}

bool peek_save(const struct rtl_hart *hart, struct soc_state *s)
{
	const struct probe *p = &hart->probe;

	*s = (struct soc_state){.pc = peek_pc(hart)};
	save_registers(p, s);
	if (probe_has_window(p))
		save_window_registers(p, s);
	s->x[0] = 0;
	s->reservation = SOC_NOT_RESERVED;
	if (*p->reserved)
		s->reservation = *p->reserved_line * SOC_LR_BYTES;
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++)
		s->mhpmevent[i] = csr_value(hart, CSR_MHPMEVENT3 + i);
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		s->pmpaddr[i] = csr_value(hart, CSR_PMPADDR0 + i);
	return read_float_csr(p, CSR_FCSR, 0, &s->fcsr) || !p->frm;
}
