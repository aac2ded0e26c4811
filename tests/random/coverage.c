/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events of all runs. */
#include "coverage.h"
#include "coverage_float.h"
#include "coverage_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "insn.h"
#include "layout.h"
#include "csr_bits.h"

enum { LINES = SOC_RAM_DEFAULT_SIZE / 64, PRIVS = 4, CAUSES = 16 };
enum { DEVICES = 4 };

static struct {
	uint64_t insn[INSN_COUNT];
	uint64_t priv[PRIVS], translated[PRIVS];
	uint64_t trap[2][CAUSES][PRIVS][PRIVS]; /* interrupt, cause, from, to */
	uint64_t second_half[2];		/* access or page fault only on the
						 * second half */
	uint64_t over_line, over_page, over_page_translated;
	uint64_t csr[0x1000], csr_kinds[PRIVS];
	uint64_t sc[2], branch[2], wfi[PRIVS], sfence[2][2];
	uint64_t xret[2][PRIVS][PRIVS]; /* mret, from, to */
	uint64_t satp_writes, satp_bare;
	uint64_t device[DEVICES][2], ram[2];
	uint64_t lines, most_lines;
} n;

/* State of the current program. */
static struct {
	struct soc_commit last;
	uint64_t satp;
	unsigned priv;
	struct soc *soc; /* if it has floating point */
	uint8_t touched[LINES];
	uint64_t lines;
} now;

static const uint64_t device_base[DEVICES] = {SOC_POWER_BASE, SOC_CLINT_BASE,
					      SOC_PLIC_BASE, SOC_UART_BASE};
static const char *const device_names[DEVICES] = {"power", "clint", "plic", "uart"};

void coverage_begin(struct soc *soc, bool has_float)
{
	memset(&now, 0, sizeof(now));
	now.priv = PRIV_M;
	now.soc = has_float ? soc : NULL;
	if (has_float)
		coverage_float_begin();
}

static bool translated(unsigned priv)
{
	return priv != PRIV_M && now.satp >> 60;
}

static void count_branch(const struct soc_commit *c)
{
	const struct soc_commit *l = &now.last;
	int insn = l->bytes ? insn_find(l->insn) : -1;

	if ((insn >= INSN_beq && insn <= INSN_bgeu) || insn == INSN_c_beqz ||
	    insn == INSN_c_bnez)
		n.branch[c->pc != l->pc + l->bytes]++;
}

static void count_system(const struct soc_commit *c, int insn)
{
	if (insn >= INSN_csrrw && insn <= INSN_csrrci) {
		n.csr[c->insn >> 20]++;
		n.csr_kinds[c->priv]++;
	} else if (insn == INSN_sfence_vma) {
		n.sfence[(c->insn >> 15 & 31) != 0][(c->insn >> 20 & 31) != 0]++;
	} else if (insn == INSN_wfi) {
		n.wfi[c->priv]++;
	} else if ((insn == INSN_sc_w || insn == INSN_sc_d) && c->rd) {
		n.sc[c->value != 0]++;
	}
}

static void count_place(const struct soc_commit *c)
{
	if (c->bytes != 4 || (c->pc & 63) != 62)
		return;
	n.over_line++;
	if ((c->pc & 0xfff) != 0xffe)
		return;
	n.over_page++;
	if (translated(c->priv))
		n.over_page_translated++;
}

void coverage_commit(const struct soc_commit *c)
{
	int insn = insn_find(c->insn);

	count_branch(c);
	n.priv[c->priv]++;
	if (translated(c->priv))
		n.translated[c->priv]++;
	if (insn >= 0)
		n.insn[insn]++;
	count_system(c, insn);
	count_place(c);
	if (now.soc)
		coverage_float_commit(now.soc, c);
	now.last = *c;
	now.priv = c->priv;
}

/* The previous privilege is that of the last token, or the result of a return or trap. */
void coverage_trap(const struct soc_trap *t)
{
	bool interrupt = t->cause >> 63;
	unsigned cause = t->cause & 15;

	n.trap[interrupt][cause][now.priv][t->priv]++;
	if (!interrupt && t->tval == t->epc + 2 &&
	    (cause == CAUSE_FETCH_ACCESS || cause == CAUSE_FETCH_PAGE))
		n.second_half[cause == CAUSE_FETCH_PAGE]++;
	if (now.soc)
		coverage_float_trap(now.soc, t, now.priv);
	now.priv = t->priv;
	now.last.bytes = 0;
}

void coverage_xret(unsigned priv)
{
	bool mret = now.last.insn == insn_kinds[INSN_mret].bits;

	n.xret[mret][now.last.priv][priv]++;
	now.priv = priv;
}

void coverage_satp(uint64_t satp)
{
	n.satp_writes++;
	n.satp_bare += satp >> 60 == 0;
	now.satp = satp;
}

static void count_line(uint64_t address)
{
	uint64_t line = (address - SOC_RAM_BASE) / 64;

	if (line >= LINES || now.touched[line])
		return;
	now.touched[line] = 1;
	n.lines++;
	if (++now.lines > n.most_lines)
		n.most_lines = now.lines;
}

void coverage_access(const struct soc_access *a)
{
	unsigned i = DEVICES;

	if (!a->device) {
		n.ram[a->write]++;
		count_line(a->address);
		return;
	}
	while (i && a->address < device_base[i - 1])
		i--;
	if (i)
		n.device[i - 1][a->write]++;
}

bool coverage_put(FILE *out, const char *what, uint64_t count, bool needed)
{
	bool missing = needed && count == 0;

	fprintf(out, "%s\t%" PRIu64 "%s\n", what, count, missing ? "\tmissing" : "");
	return !missing;
}

static const char letters[] = "USHM";

static bool print_traps(FILE *out)
{
	/* In M, page faults occur for loads and stores under MPRV. */
	static const uint16_t exceptions[PRIVS] = {0xb1fe, 0xb2fe, 0, 0xa8fe};
	static const uint16_t to_s = 0xb3fe;
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < 2 * CAUSES * PRIVS * PRIVS; i++) {
		unsigned to = i & 3, from = i >> 2 & 3, cause = i >> 4 & 15, irq = i >> 8;
		uint64_t count = n.trap[irq][cause][from][to];
		bool needed = to == PRIV_M && exceptions[from] >> cause & 1;

		if (to == PRIV_S && from <= PRIV_S)
			needed = exceptions[from] & to_s & 1U << cause;
		if (irq)
			needed = from != 2 && (to == PRIV_M ? 0xaaa >> cause & 1
							    : to == PRIV_S && from < 2 &&
								  (0x222 >> cause & 1));
		snprintf(name, sizeof(name), "%s %u from %c to %c",
			 irq ? "interrupt" : "exception", cause, letters[from],
			 letters[to]);
		if (needed || count)
			good = coverage_put(out, name, count, needed) && good;
	}
	return good;
}

static bool print_returns(FILE *out)
{
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < 2 * PRIVS * PRIVS; i++) {
		unsigned to = i & 3, from = i >> 2 & 3, mret = i >> 4;
		bool needed = from == PRIV_M ? to != 2 : from == PRIV_S && to < 2;

		if (mret ? from != PRIV_M : from == PRIV_M && to == PRIV_M)
			needed = false;
		snprintf(name, sizeof(name), "%s from %c to %c", mret ? "mret" : "sret",
			 letters[from], letters[to]);
		if (needed || n.xret[mret][from][to])
			good = coverage_put(out, name, n.xret[mret][from][to], needed) &&
			       good;
	}
	return good;
}

static bool print_fetch(FILE *out)
{
	bool good = coverage_put(out, "instructions over lines", n.over_line, true);

	good = coverage_put(out, "instructions over pages", n.over_page, true) && good;
	good = coverage_put(out, "the same, translated", n.over_page_translated, true) &&
	       good;
	good =
	    coverage_put(out, "access faults on second halves", n.second_half[0], true) &&
	    good;
	good =
	    coverage_put(out, "page faults on second halves", n.second_half[1], true) &&
	    good;
	good = coverage_put(out, "branches taken", n.branch[1], true) && good;
	return coverage_put(out, "branches not taken", n.branch[0], true) && good;
}

static bool print_memory(FILE *out)
{
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "sfence.vma%s%s", i & 2 ? " address" : "",
			 i & 1 ? " asid" : "");
		good = coverage_put(out, name, n.sfence[i >> 1][i & 1], true) && good;
	}
	for (unsigned i = 0; i < 2 * DEVICES; i++) {
		snprintf(name, sizeof(name), "%s %s", device_names[i / 2],
			 i & 1 ? "stores" : "loads");
		good = coverage_put(out, name, n.device[i / 2][i & 1], true) && good;
	}
	good = coverage_put(out, "satp writes", n.satp_writes, true) && good;
	good = coverage_put(out, "satp writes of bare", n.satp_bare, true) && good;
	good = coverage_put(out, "sc stores", n.sc[0], true) && good;
	good = coverage_put(out, "sc fails", n.sc[1], true) && good;
	coverage_put(out, "loads from ram", n.ram[0], false);
	coverage_put(out, "stores to ram", n.ram[1], false);
	return coverage_put(out, "most KiB of lines in a program", n.most_lines / 16,
			    true) &&
	       good;
}

static bool print_csrs(FILE *out)
{
	static const uint16_t all[] = {
	    CSR_SSTATUS,    CSR_SIE,	    CSR_STVEC,	    CSR_SCOUNTEREN,
	    CSR_SENVCFG,    CSR_SSCRATCH,   CSR_SEPC,	    CSR_SCAUSE,
	    CSR_STVAL,	    CSR_SIP,	    CSR_SATP,	    CSR_MSTATUS,
	    CSR_MISA,	    CSR_MEDELEG,    CSR_MIDELEG,    CSR_MIE,
	    CSR_MTVEC,	    CSR_MCOUNTEREN, CSR_MENVCFG,    CSR_MCOUNTINHIBIT,
	    CSR_MSCRATCH,   CSR_MEPC,	    CSR_MCAUSE,	    CSR_MTVAL,
	    CSR_MIP,	    CSR_PMPCFG0,    CSR_PMPCFG2,    CSR_PMPADDR0,
	    CSR_MCYCLE,	    CSR_MINSTRET,   CSR_CYCLE,	    CSR_TIME,
	    CSR_INSTRET,    CSR_MVENDORID,  CSR_MARCHID,    CSR_MIMPID,
	    CSR_MHARTID,    CSR_MCONFIGPTR, CSR_MHPMEVENT3, CSR_MHPMCOUNTER3,
	    CSR_HPMCOUNTER3};
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		snprintf(name, sizeof(name), "csr 0x%03x", all[i]);
		good = coverage_put(out, name, n.csr[all[i]], true) && good;
	}
	return good;
}

bool coverage_print(FILE *out)
{
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < INSN_COUNT; i++) /* these two always trap */
		good = coverage_put(out, insn_kinds[i].name, n.insn[i],
				    i != INSN_ecall && i != INSN_ebreak &&
					i != INSN_c_ebreak) &&
		       good;
	for (unsigned i = 0; i < PRIVS; i++) {
		if (i == 2)
			continue;
		snprintf(name, sizeof(name), "instructions in %c", letters[i]);
		good = coverage_put(out, name, n.priv[i], true) && good;
		snprintf(name, sizeof(name), "translated in %c", letters[i]);
		good = coverage_put(out, name, n.translated[i], i != PRIV_M) && good;
		snprintf(name, sizeof(name), "csr instructions in %c", letters[i]);
		good = coverage_put(out, name, n.csr_kinds[i], true) && good;
		snprintf(name, sizeof(name), "wfi in %c", letters[i]);
		good = coverage_put(out, name, n.wfi[i], i != PRIV_U) && good;
	}
	good = print_traps(out) && good;
	good = print_returns(out) && good;
	good = print_fetch(out) && good;
	good = print_memory(out) && good;
	good = print_csrs(out) && good;
	return now.soc ? coverage_float_print(out) && good : good;
}
