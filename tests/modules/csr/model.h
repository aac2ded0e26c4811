// SPDX-License-Identifier: Apache-2.0
// A model of the CSRs, for their bench.
//
// Sections are those of the RISC-V privileged specification, version 20211203. What it
// leaves to the hardware is in rtl/README.md and the header comments of csr_*.sv.
#ifndef CSR_MODEL_H
#define CSR_MODEL_H

#include <cstdint>

#include "../covered.h"

enum : unsigned { PRIV_U, PRIV_S, PRIV_M = 3 };
enum : unsigned { OP_NONE, OP_WRITE, OP_SET, OP_CLEAR }; // soc_pkg::csr_op_e
enum : unsigned { COUNTERS = 6, COUNT_BITS = 3 };
static const uint64_t COUNTER_MASK = (UINT64_C(1) << 40) - 1;

// CSR numbers, table 2.5.
enum : unsigned { FFLAGS = 0x001, FRM, FCSR, SSTATUS = 0x100, SIE = 0x104, STVEC };
enum : unsigned { SCOUNTEREN = 0x106, SENVCFG = 0x10a, SSCRATCH = 0x140, SEPC, SCAUSE };
enum : unsigned { STVAL = 0x143, SIP, SATP = 0x180, MSTATUS = 0x300, MISA, MEDELEG };
enum : unsigned { MIDELEG = 0x303, MIE, MTVEC, MCOUNTEREN, MENVCFG = 0x30a };
enum : unsigned { MCOUNTINHIBIT = 0x320, MHPMEVENT3 = 0x323, MSCRATCH = 0x340, MEPC };
enum : unsigned { MCAUSE = 0x342, MTVAL, MIP, PMPCFG0 = 0x3a0, PMPCFG2 = 0x3a2 };
enum : unsigned { PMPADDR0 = 0x3b0, MCYCLE = 0xb00, MINSTRET = 0xb02, MHPMCOUNTER3 };
enum : unsigned { CYCLE = 0xc00, TIME, INSTRET, HPMCOUNTER3, MVENDORID = 0xf11 };
enum : unsigned { MARCHID = 0xf12, MIMPID, MHARTID, MCONFIGPTR };

// Fields of mstatus, 3.1.6.
static const uint64_t SIE_BIT = 1 << 1, MIE_BIT = 1 << 3, SPIE = 1 << 5, MPIE = 1 << 7;
static const uint64_t SPP = 1 << 8, MPP = 3 << 11, FS = 3 << 13, MPRV = 1 << 17;
static const uint64_t SUM = 1 << 18, MXR = 1 << 19, TVM = 1 << 20, TW = 1 << 21;
static const uint64_t TSR = 1 << 22;
static const uint64_t MSTATUS_WRITABLE =
    SIE_BIT | MIE_BIT | SPIE | MPIE | SPP | MPP | FS | MPRV | SUM | MXR | TVM | TW | TSR;
static const uint64_t SSTATUS_WRITABLE = SIE_BIT | SPIE | SPP | FS | SUM | MXR;
static const uint64_t SUPERVISOR_IRQS = 0x222, ALL_IRQS = 0xaaa; // 3.1.9
static const uint64_t DELEGABLE = 0xb3ff;			 // 3.1.8

// Cases that the bench must come across.
enum { READ_LEGAL, WRITE_LEGAL, TOO_LOW_MODE, READ_ONLY, NO_FLOAT };
enum { TRAPPED_SATP = 5, COUNTER_OFF_S, COUNTER_OFF_U, NOT_THERE, BAD_SATP };
enum { BAD_MPP = 10, TRAP_M, TRAP_S, IRQ_DELEGATED, VECTORED, MRET, SRET };
enum { MPRV_CLEARED = 17, DATA_AS_MPP, IRQ_M, IRQ_S, IRQ_OFF, COUNTED, INHIBITED };
enum { DIRTIED = 24, WRAPPED, INSTRET_WRAPPED, SEVERAL, ALL_COMMIT, CASES };
extern struct covered_case covered[CASES];

struct model {
	unsigned priv;
	uint64_t mstatus; // without the constant fields and SD
	bool float_on;
	uint64_t mtvec, stvec, mepc, sepc, mcause, scause, mtval, stval, medeleg, mideleg;
	uint64_t mie, soft_mip, mcounteren, scounteren, mscratch, sscratch, satp;
	uint64_t menvcfg, senvcfg, mcycle, minstret, inhibit;
	uint64_t event[COUNTERS], counter[COUNTERS];
	unsigned most;	 // instructions that commit in a cycle
	unsigned events; // csr_pkg::event_e
};

// What happens in a cycle.
struct cycle {
	unsigned number, op, rs1; // a CSR instruction, unless OP_NONE
	uint64_t operand, pc, tval;
	bool trap, irq, mret, sret, dirty;
	unsigned commits;
	unsigned code, lines; // device_pkg::irq_t
	uint64_t mtime, pmp_rdata, hart_id;
	uint64_t events[COUNT_BITS]; // for each bit of the counts, those that occur
	unsigned skip, frm, fflags;
};

// The bits of mip: what software has written, and the interrupt lines.
uint64_t pending_irqs(const struct model *m, const struct cycle *c);
// Returns whether the CSR exists, and its value.
bool read_csr(const struct model *m, const struct cycle *c, uint64_t *value);
// Returns whether the CSR instruction of the cycle writes.
bool writes_csr(const struct cycle *c);
// Returns whether the mode may access the CSR, implemented or not.
bool may_access(const struct model *m, const struct cycle *c);
bool satp_supported(uint64_t value);
// A legal write.
void write_csr(struct model *m, unsigned number, uint64_t value);

// Returns the address at which the trap of the cycle continues.
uint64_t trap_target(const struct model *m, const struct cycle *c);
void take_trap(struct model *m, const struct cycle *c);
void return_from_trap(struct model *m, bool machine);
// Returns the number of the interrupt, 0 for none.
unsigned interrupt_to_take(const struct model *m, const struct cycle *c);

// Counts what happens in a cycle, before a write in it.
void count_cycle(struct model *m, const struct cycle *c);

#endif
