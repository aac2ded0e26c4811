/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a program that is not random: boot, the dispatcher of chunks, and the trap
 * handlers.
 *
 * A chunk begins in M-mode at its set-up, and ends with an instruction that traps at the
 * pc in CELL_EXIT. After any other exception the handlers continue four bytes after it,
 * and after fetch faults at the pc in register `rec`. They need only their scratch CSR,
 * so that chunks can use all registers. */
#include "program.h"
#include "csr_bits.h"

enum {
	TRAPS = 2000, /* per run of a chunk */
	TICKS = 2000,
	IRQS = 40,
	ENTRY_SIZE = 16,
};

struct runtime {
	struct program *p;
	struct code c;
	unsigned a, b, d, e; /* scratch registers */
	uint32_t done, leave, give_up;
};

static void load(struct runtime *r, unsigned rd, int cell)
{
	code_i(&r->c, INSN_ld, rd, r->a, cell);
}

static void store(struct runtime *r, unsigned rs, int cell)
{
	code_s(&r->c, INSN_sd, rs, r->a, cell);
}

static void far_address(struct code *c, unsigned rd, uint64_t to)
{
	code_address_to(c, rd, (uint32_t)(to - c->va));
}

static void begin(struct runtime *r, const char *name)
{
	image_symbol(r->p->image, name, code_here(&r->c), true);
}

static void power_off(struct code *c, unsigned a, unsigned b, unsigned value)
{
	code_li(c, a, SOC_POWER_BASE);
	code_li(c, b, value);
	code_s(c, INSN_sw, b, a, 0);
	code_jal_to(c, 0, c->at);
}

static void give_up(struct runtime *r, unsigned status)
{
	power_off(&r->c, r->a, r->b, status << 16 | SOC_POWER_FAIL);
}

/* Decrements a variable, through register b; the branch is taken at 0. */
static struct mark count_down(struct runtime *r, int cell)
{
	load(r, r->b, cell);
	code_i(&r->c, INSN_addi, r->b, r->b, -1);
	store(r, r->b, cell);
	return code_branch(&r->c, INSN_beq, r->b, 0);
}

static void restore(struct runtime *r, int cell)
{
	load(r, r->b, cell);
	load(r, r->d, cell + 8);
	load(r, r->e, cell + 16);
}

static void enter_handler(struct runtime *r, unsigned scratch, uint64_t base, int cell)
{
	code_csr(&r->c, INSN_csrrw, 0, scratch, r->a);
	far_address(&r->c, r->a, base);
	store(r, r->b, cell);
	store(r, r->d, cell + 8);
	store(r, r->e, cell + 16);
}

static void leave_handler(struct runtime *r, unsigned scratch, int cell)
{
	restore(r, cell);
	code_csr(&r->c, INSN_csrrs, r->a, scratch, 0);
}

/* Disables the UART's interrupts, and completes them in the PLIC's contexts from `first`
 * on. */
static void serve_external(struct runtime *r, unsigned first)
{
	struct code *c = &r->c;

	code_li(c, r->b, SOC_UART_BASE);
	code_s(c, INSN_sb, 0, r->b, 3);
	code_s(c, INSN_sb, 0, r->b, 1);
	for (unsigned i = first; i < 2; i++) {
		code_li(c, r->d, SOC_PLIC_BASE + 0x200000 + i * 0x1000);
		code_i(c, INSN_lw, r->e, r->d, 4);
		code_s(c, INSN_sw, r->e, r->d, 4);
	}
}

static void serve_timer(struct runtime *r)
{
	struct code *c = &r->c;
	struct mark last = count_down(r, CELL_TICKS);

	code_li(c, r->b, SOC_CLINT_BASE + 0xc000);
	code_i(c, INSN_ld, r->d, r->b, SOC_CLINT_MTIME - 0xc000);
	code_i(c, INSN_addi, r->d, r->d, (int)r->p->timer);
	code_li(c, r->b, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP);
	code_s(c, INSN_sd, r->d, r->b, 0);
	code_jal_to(c, 0, r->done);
	code_land(c, last);
	give_up(r, STATUS_TICKS);
}

/* Handles interrupts, with mcause in b. After too many in a chunk, only the timer's stay
 * enabled. */
static void m_interrupt(struct runtime *r)
{
	struct code *c = &r->c;

	code_i(c, INSN_andi, r->d, r->b, 15);
	load(r, r->b, CELL_IRQS);
	code_i(c, INSN_addi, r->b, r->b, -1);
	store(r, r->b, CELL_IRQS);
	struct mark few = code_branch(c, INSN_bge, r->b, 0);
	code_li(c, r->b, 1 << IRQ_MT);
	code_csr(c, INSN_csrrw, 0, CSR_MIE, r->b);
	code_land(c, few);
	code_li(c, r->b, 1);
	code_r(c, INSN_sll, r->b, r->b, r->d);
	code_csr(c, INSN_csrrc, 0, CSR_MIP, r->b);
	code_i(c, INSN_addi, r->d, r->d, -IRQ_MT);
	struct mark timer = code_branch(c, INSN_beq, r->d, 0);
	struct mark external = code_branch(c, INSN_blt, 0, r->d);
	code_i(c, INSN_addi, r->d, r->d, IRQ_MT - IRQ_MS);
	struct mark software = code_branch(c, INSN_beq, r->d, 0);
	code_jal_to(c, 0, r->done);
	code_land(c, software);
	code_li(c, r->b, SOC_CLINT_BASE);
	code_s(c, INSN_sw, 0, r->b, SOC_CLINT_MSIP);
	code_jal_to(c, 0, r->done);
	code_land(c, external);
	serve_external(r, 0);
	code_jal_to(c, 0, r->done);
	code_land(c, timer);
	serve_timer(r);
}

/* Continues at `done` with the same pc if there was a PTE to fix, else at rec. The cause
 * is in b. */
static void fetch_fault(struct runtime *r, int fix_at, int fix_pte, unsigned epc)
{
	struct code *c = &r->c;

	code_li(c, r->d, CAUSE_FETCH_PAGE);
	struct mark other = code_branch(c, INSN_bne, r->b, r->d);
	load(r, r->d, fix_at);
	struct mark none = code_branch(c, INSN_beq, r->d, 0);
	load(r, r->e, fix_pte);
	code_s(c, INSN_sd, r->e, r->d, 0);
	code_word(c, insn_r(INSN_sfence_vma, 0, 0, 0));
	store(r, 0, fix_at);
	code_jal_to(c, 0, r->done);
	code_land(c, other);
	code_land(c, none);
	code_csr(c, INSN_csrrw, 0, epc, r->p->rec);
	code_jal_to(c, 0, r->done);
}

/* Handles exceptions, with the cause in b; d gets epc. Branches to the exit and to fetch
 * faults; otherwise falls through to the end of the handler. */
static void exception(struct runtime *r, unsigned epc, int cell, struct mark *leaves,
		      struct mark *fetch)
{
	struct code *c = &r->c;

	load(r, r->e, cell);
	*leaves = code_branch(c, INSN_beq, r->d, r->e);
	code_li(c, r->e, 1 << CAUSE_FETCH_ACCESS | 1 << CAUSE_FETCH_PAGE);
	code_r(c, INSN_srl, r->e, r->e, r->b);
	code_i(c, INSN_andi, r->e, r->e, 1);
	*fetch = code_branch(c, INSN_bne, r->e, 0);
	code_i(c, INSN_addi, r->d, r->d, 4);
	code_csr(c, INSN_csrrw, 0, epc, r->d);
}

/* Trap vectors are multiples of four. */
static void align(struct code *c)
{
	if (c->at & 2)
		code_half(c, insn_ci(INSN_c_nop, 0, 0));
}

static void m_handler(struct runtime *r)
{
	struct code *c = &r->c;
	struct mark leaves, fetch;

	align(c);
	begin(r, "m_trap");
	r->p->m_trap[0] = code_here(c);
	enter_handler(r, CSR_MSCRATCH, M_DATA, CELL_SAVE);
	struct mark over = count_down(r, CELL_COUNT);
	code_csr(c, INSN_csrrs, r->b, CSR_MCAUSE, 0);
	struct mark interrupt = code_branch(c, INSN_blt, r->b, 0);
	code_csr(c, INSN_csrrs, r->d, CSR_MEPC, 0);
	code_csr(c, INSN_csrrs, r->e, CSR_MTVAL, 0);
	code_r(c, INSN_add, r->e, r->e, r->b);
	code_r(c, INSN_add, r->e, r->e, r->d);
	code_r(c, INSN_amoadd_d, 0, r->a, r->e);
	exception(r, CSR_MEPC, CELL_EXIT, &leaves, &fetch);
	r->done = c->at;
	leave_handler(r, CSR_MSCRATCH, CELL_SAVE);
	code_word(c, insn_kinds[INSN_mret].bits);
	code_land(c, fetch);
	fetch_fault(r, CELL_FIX_AT, CELL_FIX_PTE, CSR_MEPC);
	code_land(c, interrupt);
	m_interrupt(r);
	code_land(c, over);
	give_up(r, STATUS_M_TRAPS);
	code_land(c, leaves);
	code_jal_to(c, 0, r->leave);
}

static void s_interrupt(struct runtime *r)
{
	struct code *c = &r->c;

	code_i(c, INSN_andi, r->d, r->b, 15);
	code_li(c, r->b, 1);
	code_r(c, INSN_sll, r->b, r->b, r->d);
	code_i(c, INSN_addi, r->e, r->d, -IRQ_SS);
	struct mark software = code_branch(c, INSN_beq, r->e, 0);
	code_csr(c, INSN_csrrc, 0, CSR_SIE, r->b);
	code_i(c, INSN_addi, r->e, r->d, -IRQ_SE);
	struct mark other = code_branch(c, INSN_bne, r->e, 0);
	serve_external(r, 1);
	code_land(c, other);
	code_jal_to(c, 0, r->done);
	code_land(c, software);
	code_csr(c, INSN_csrrci, 0, CSR_SIP, 1 << IRQ_SS);
	code_jal_to(c, 0, r->done);
}

/* Leaves S by an instruction that is not delegated. */
static void s_leave(struct runtime *r)
{
	static const enum insn with[] = {INSN_ecall, INSN_ebreak, INSN_mret};
	struct code *c = &r->c;

	load(r, r->d, S_CELL(CELL_S_LEAVE));
	for (unsigned i = 0; i < 3; i++) {
		struct mark next = code_branch(c, INSN_bne, r->d, 0);

		struct mark here = code_address(c, r->e);
		store(r, r->e, S_CELL(CELL_EXIT));
		leave_handler(r, CSR_SSCRATCH, S_CELL_SAVE);
		code_land(c, here);
		code_word(c, insn_kinds[with[i]].bits);
		code_land(c, next);
		code_i(c, INSN_addi, r->d, r->d, -1);
	}
}

static void s_handler(struct runtime *r)
{
	struct code *c = &r->c;
	struct mark leaves, fetch;

	align(c);
	begin(r, "s_trap");
	r->p->s_trap[0] = code_here(c);
	enter_handler(r, CSR_SSCRATCH, S_BASE, S_CELL_SAVE);
	struct mark over = count_down(r, S_CELL(CELL_S_COUNT));
	code_csr(c, INSN_csrrs, r->b, CSR_SCAUSE, 0);
	struct mark interrupt = code_branch(c, INSN_blt, r->b, 0);
	code_csr(c, INSN_csrrs, r->d, CSR_SEPC, 0);
	exception(r, CSR_SEPC, S_CELL(CELL_EXIT), &leaves, &fetch);
	r->done = c->at;
	leave_handler(r, CSR_SSCRATCH, S_CELL_SAVE);
	code_word(c, insn_kinds[INSN_sret].bits);
	code_land(c, fetch);
	fetch_fault(r, S_CELL(CELL_FIX_AT), S_CELL(CELL_FIX_PTE), CSR_SEPC);
	code_land(c, interrupt);
	s_interrupt(r);
	code_land(c, leaves);
	s_leave(r);
	code_land(c, over);
	give_up(r, STATUS_S_TRAPS);
}

/* 16 jumps to a handler. */
static uint64_t vector(struct runtime *r, const char *name, uint64_t handler)
{
	struct code *c = &r->c;

	align(c);
	begin(r, name);
	uint64_t base = code_here(c);
	for (unsigned i = 0; i < 16; i++)
		code_word(c, insn_jal(0, (int)(int64_t)(handler - code_here(c))));
	return base;
}

static void default_pmp(struct runtime *r)
{
	struct code *c = &r->c;

	for (unsigned i = 0; i < 8; i++) {
		code_li(c, r->b, r->p->pmpaddr[i]);
		code_csr(c, INSN_csrrw, 0, CSR_PMPADDR0 + i, r->b);
	}
	code_li(c, r->b, r->p->pmpcfg);
	code_csr(c, INSN_csrrw, 0, CSR_PMPCFG0, r->b);
	code_word(c, insn_r(INSN_sfence_vma, 0, 0, 0));
}

/* Saves registers of the finished chunk as operands of later ones. */
static void save_pool(struct runtime *r)
{
	restore(r, CELL_SAVE);
	for (unsigned i = 1; i < 32; i++)
		if (i != r->a)
			store(r, i, CELL_POOL + 8 * (int)i);
	code_csr(&r->c, INSN_csrrs, r->b, CSR_MSCRATCH, 0);
	store(r, r->b, CELL_POOL + 8 * (int)r->a);
}

static void set_cell(struct runtime *r, int cell, unsigned value)
{
	code_li(&r->c, r->d, value);
	store(r, r->d, cell);
}

/* Adds some new numbers to the operands. */
static void stir_pool(struct runtime *r)
{
	static const int shifts[] = {13, 7, 17};
	struct code *c = &r->c;

	load(r, r->d, CELL_RANDOM);
	for (unsigned i = 0; i < 3; i++) {
		code_i(c, i == 1 ? INSN_srli : INSN_slli, r->e, r->d, shifts[i]);
		code_r(c, INSN_xor, r->d, r->d, r->e);
	}
	store(r, r->d, CELL_RANDOM);
	store(r, r->d, CELL_POOL + 8 * (int)rng_range(&r->p->rng, 1, 31));
	code_i(c, INSN_srai, r->d, r->d, 40);
	store(r, r->d, CELL_POOL + 8 * (int)rng_range(&r->p->rng, 1, 31));
}

/* Prints the hash of all data in hexadecimal, to compare machines. */
static void print_hash(struct runtime *r)
{
	struct code *c = &r->c;

	code_li(c, r->b, CONSTS);
	code_li(c, r->d, HOT);
	load(r, r->e, CELL_HASH);
	uint32_t top = c->at;
	code_i(c, INSN_ld, r->a, r->d, 0);
	code_r(c, INSN_xor, r->e, r->e, r->a);
	code_i(c, INSN_slli, r->a, r->e, 5);
	code_r(c, INSN_add, r->e, r->e, r->a);
	code_i(c, INSN_addi, r->d, r->d, 8);
	code_branch_to(c, INSN_bne, r->d, r->b, top);
	code_li(c, r->b, SOC_UART_BASE);
	code_s(c, INSN_sb, 0, r->b, 3);
	code_s(c, INSN_sb, 0, r->b, 4);
	for (unsigned i = 0; i < 16; i++) {
		code_i(c, INSN_srli, r->d, r->e, 60);
		code_i(c, INSN_slli, r->e, r->e, 4);
		code_i(c, INSN_addi, r->a, r->d, -10);
		struct mark letter = code_branch(c, INSN_blt, r->a, 0);
		code_i(c, INSN_addi, r->d, r->d, 'a' - 10 - '0');
		code_land(c, letter);
		code_i(c, INSN_addi, r->d, r->d, '0');
		code_s(c, INSN_sb, r->d, r->b, 0);
	}
}

static void end_of_program(struct runtime *r)
{
	begin(r, "power_off");
	if (r->p->print)
		print_hash(r);
	power_off(&r->c, r->a, r->b, SOC_POWER_OFF);
}

static void dispatcher(struct runtime *r, uint32_t *first)
{
	struct code *c = &r->c;

	begin(r, "next_chunk");
	r->leave = c->at;
	save_pool(r);
	load(r, r->b, CELL_PMP);
	struct mark clean = code_branch(c, INSN_beq, r->b, 0);
	store(r, 0, CELL_PMP);
	default_pmp(r);
	code_land(c, clean);
	load(r, r->e, CELL_ENTRY);
	load(r, r->b, CELL_REPEAT);
	code_i(c, INSN_addi, r->b, r->b, -1);
	store(r, r->b, CELL_REPEAT);
	struct mark again = code_branch(c, INSN_blt, 0, r->b);
	code_i(c, INSN_addi, r->e, r->e, ENTRY_SIZE);
	uint32_t look = *first = c->at;
	code_i(c, INSN_ld, r->b, r->e, 0);
	struct mark found = code_branch(c, INSN_bne, r->b, 0);
	struct mark last = count_down(r, CELL_ITERATION);
	code_li(c, r->e, CHUNK_TABLE);
	code_jal_to(c, 0, look);
	code_land(c, found);
	store(r, r->e, CELL_ENTRY);
	code_i(c, INSN_ld, r->d, r->e, 8);
	store(r, r->d, CELL_REPEAT);
	code_land(c, again);
	code_i(c, INSN_ld, r->b, r->e, 0);
	set_cell(r, CELL_COUNT, TRAPS);
	set_cell(r, CELL_S_COUNT, TRAPS);
	set_cell(r, CELL_TICKS, TICKS);
	set_cell(r, CELL_IRQS, IRQS);
	stir_pool(r);
	code_i(c, INSN_jalr, 0, r->b, 0);
	code_land(c, last);
	end_of_program(r);
}

static void boot(struct runtime *r, uint32_t first)
{
	struct code *c = &r->c;

	begin(r, "boot");
	code_li(c, r->a, M_DATA);
	code_li(c, r->b, SOC_UART_BASE);
	code_li(c, r->d, 0x10); /* loop-back: sent bytes are received */
	code_s(c, INSN_sb, r->d, r->b, 4);
	default_pmp(r);
	code_li(c, r->e, CHUNK_TABLE);
	code_jal_to(c, 0, first);
}

static void put_cells(const struct program *p)
{
	struct rng rng = rng_make(p->seed, 1 << 20);

	image_put64(p->image, M_DATA + CELL_RANDOM, rng_next(&rng) | 1);
	for (unsigned i = 0; i < 32; i++)
		image_put64(p->image, M_DATA + CELL_POOL + 8 * i, rng_edge(&rng));
}

static void pad(struct runtime *r)
{
	for (unsigned n = rng_below(&r->p->rng, 32); n; n--)
		code_half(&r->c, insn_ci(INSN_c_nop, 0, 0));
}

void runtime_iterate(const struct program *p, uint64_t iterations)
{
	image_put64(p->image, M_DATA + CELL_ITERATION, iterations);
}

void runtime_write(struct program *p)
{
	struct runtime r = {
	    .p = p, .a = p->tmp[0], .b = p->tmp[1], .d = p->tmp[2], .e = p->tmp[3]};
	uint32_t first;

	put_cells(p);
	r.c = code_flat(p->image, M_CODE, 0x2000);
	begin(&r, "reset");
	struct mark start = code_jal(&r.c, 0);
	pad(&r);
	dispatcher(&r, &first);
	code_land(&r.c, start);
	boot(&r, first);
	pad(&r);
	m_handler(&r);
	p->m_trap[1] = vector(&r, "m_vector", p->m_trap[0]);
	r.c = code_flat(p->image, S_CODE, 0x1000);
	pad(&r);
	s_handler(&r);
	p->s_trap[1] = vector(&r, "s_vector", p->s_trap[0]);
}
