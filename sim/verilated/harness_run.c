/* SPDX-License-Identifier: Apache-2.0 */
/* Events that end the loop over the cycles: tokens, traps, ports, limits. */
#include "harness_state.h"

#include <string.h>

#include "peek.h"

enum { SLICE = 1 << 16, PAGE = 4096 };
#define NEVER UINT64_MAX

static void fail_harness(struct harness *h, const char *end, const char *why)
{
	if (h->failure)
		return;
	h->end = end;
	h->failure = why;
}

/* ------------------------------------------------------------ tokens and traps */

static void compare_core(struct harness *h)
{
	if (h->hart.lockstep && !lockstep_commit(h->hart.lockstep, &h->hart.commit))
		fail_harness(h, "difference", "core and model differ");
}

bool harness_is_power_off(const struct harness *h)
{
	const struct rtl_commit *c = &h->hart.commit;
	uint32_t value;

	return c->store && c->device && c->address == SOC_POWER_BASE &&
	       rtl_power(&h->rtl, &value) && (uint32_t)c->data == value;
}

static bool is_watched(const struct harness *h)
{
	return hart_is_watched(&h->hart) || (h->watches_exit && harness_is_power_off(h));
}

static bool serves_tlb_entry(void *user, unsigned entry, unsigned asid)
{
	return rtl_translates(&((struct harness *)user)->rtl, entry, asid);
}

static bool read_tlb_memory(void *user, uint64_t address, uint64_t *value)
{
	return harness_read(user, address, value);
}

static void note_satp(struct harness *h)
{
	const struct tlb_machine machine = {h, serves_tlb_entry, read_tlb_memory};

	if (h->hart.commit.wrote_satp)
		tlb_switch(&h->rtl.tlb, h->hart.commit.satp, &machine);
}

static void count_token(struct harness *h)
{
	const struct rtl_commit *c = &h->hart.commit;

	h->held = false;
	hart_report_input(&h->hart, &h->hooks);
	hart_note_store(&h->hart);
	note_satp(h);
	rtl_count(&h->rtl, c->pc, c->insn);
	compare_core(h);
	hart_tell_tokens(&h->hart, &h->hooks);
	hart_tell_changes(&h->hart, &h->hooks);
	harness_forget_program(h);
	if (c->xret && c->next_priv == TR_PRIV_U && h->execs.n)
		harness_find_programs(h);
	h->off = harness_is_power_off(h);
}

static void count_trap(struct harness *h)
{
	const struct soc_trap trap = hart_enter_trap(&h->hart, &h->hooks);

	harness_forget_program(h);
	compare_core(h);
	hart_tell_trap(&h->hart, &trap, &h->machine, &h->hooks);
}

/* ------------------------------------------------------------ ports */

static void check_wire(struct harness *h)
{
	if (wire_fault(h->wire))
		fail_harness(h, "failed", wire_fault(h->wire));
}

static void answer_dma(struct harness *h, const struct rtl_ports *p, uint64_t next)
{
	if (p->dma_req && p->dma_write)
		l2_dram_dma_write(h->memory, next, p->dma_id, p->dma_addr);
	else if (p->dma_req)
		l2_dram_dma_read(h->memory, next, p->dma_id, p->dma_addr);
	if (p->dma_beat_valid)
		l2_dram_dma_beat(h->memory, next, &p->dma_beat);
}

static void answer_ports(struct harness *h)
{
	uint64_t next = h->rtl.cycle + 1; /* the cycle to which the ports refer */
	struct rtl_ports p;

	rtl_read_ports(&h->rtl, &p);
	if (p.wb_valid) {
		l2_dram_write_back(h->memory, p.wb_addr, p.wb_data);
		written_note(&h->written, p.wb_addr);
	}
	if (p.imem_req)
		l2_dram_fetch(h->memory, next, p.imem_addr);
	if (p.dmem_req)
		l2_dram_data(h->memory, next, p.dmem_addr, p.dmem_upgrade);
	if (p.tx_valid && h->hooks.uart)
		h->hooks.uart(h->hooks.user, p.tx_data);
	answer_dma(h, &p, next);
	if (p.link_valid)
		wire_send(h->wire, next, &p.link);
	if (h->wire)
		check_wire(h);
	if (l2_dram_fault(h->memory))
		fail_harness(h, "failed", l2_dram_fault(h->memory));
}

/* Sets the inputs for the next cycle. Returns whether they are for that cycle only. */
static bool drive_inputs(struct harness *h)
{
	struct rtl *r = &h->rtl;
	bool send = h->rx.count && !r->rx_valid && rtl_rx_ready(r);

	if (l2_dram_next(h->memory) <= r->cycle + 1) {
		l2_dram_drive(h->memory, r->cycle + 1, &r->pins);
		r->changed = true;
	}
	if (h->wire && wire_next(h->wire) <= r->cycle + 1) {
		wire_drive(h->wire, r->cycle + 1, &r->link);
		r->changed = true;
		check_wire(h);
	}
	if (send) {
		r->rx_data = board_take(&h->rx);
		r->dozing = false;
	}
	r->changed |= send || r->rx_valid;
	r->rx_valid = send;
	return send;
}

static uint64_t earlier_cycle(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the next cycle in which memory or the wire changes an input, or NEVER. */
static uint64_t next_input_cycle(const struct harness *h)
{
	uint64_t next = l2_dram_next(h->memory);

	return h->wire ? earlier_cycle(next, wire_next(h->wire)) : next;
}

/* Returns whether the current WFI can end without input. */
static bool can_wake(const struct harness *h)
{
	uint64_t mie, mip, mtime, mtimecmp;

	if (next_input_cycle(h) != NEVER)
		return true;
	rtl_csr(&h->rtl, HART_CSR_MIE, &mie);
	rtl_csr(&h->rtl, HART_CSR_MIP, &mip);
	rtl_timer(&h->rtl, &mtime, &mtimecmp);
	return hart_can_wake(mie, mip, mtime, mtimecmp);
}

/* The core must commit, trap or sleep from time to time. */
static void check_progress(struct harness *h)
{
	if (hart_is_stuck(&h->hart, h->rtl.cycle, rtl_asleep(&h->rtl),
			  &h->options.timing))
		fail_harness(h, "stuck", "the core neither commits nor traps");
}

static struct hart_registers registers_of(const struct harness *h)
{
	return (struct hart_registers){rtl_x, h->options.has_float ? rtl_f : NULL,
				       rtl_csr};
}

static void tell_core_registers(struct harness *h)
{
	const struct hart_registers read = registers_of(h);

	hart_tell_registers(&h->hart, &read, &h->hooks);
}

/* Runs some cycles. Returns false with the reason when the run must stop. */
static bool advance_core(struct harness *h, uint64_t limit, enum machine_stop *stop)
{
	struct rtl *r = &h->rtl;

	if (h->dma.n) {
		hart_tell_tokens(&h->hart, &h->hooks);
		hart_tell_dma(&h->dma, &h->hooks, r->cycle + 1);
	}
	if (h->wire && !wire_sync(h->wire, r->cycle + 1)) {
		check_wire(h);
		return true;
	}
	bool alone = drive_inputs(h);
	r->until = earlier_cycle(limit, (r->cycle | (SLICE - 1)) + 1);
	r->until =
	    alone ? r->cycle + 1 : earlier_cycle(r->until, next_input_cycle(h) - 1);
	unsigned why = rtl_run(r);
	if (why == RTL_ASLEEP) {
		r->dozing = can_wake(h);
		*stop = MACHINE_IDLE;
		return r->dozing;
	}
	if (r->probe_ack)
		l2_dram_probe_ack(h->memory, r->cycle);
	if (why & RTL_PORTS)
		answer_ports(h);
	h->off |= (why & RTL_OFF) != 0;
	if (why & RTL_FULL)
		hart_tell_tokens(&h->hart, &h->hooks);
	if (why & RTL_NEXT)
		hart_note_next(&h->hart, why & RTL_TOKEN ? 1 : 0, rtl_save);
	if (why & RTL_TRAP && !r->seen)
		rtl_read_trap(r, &h->hart.commit);
	else if (why & (RTL_TOKEN | RTL_TRAP))
		rtl_read_commit(r, &h->hart.commit);
	if (why & RTL_TRAP)
		count_trap(h);
	if (r->cycle % SLICE == 0)
		check_progress(h);
	h->held = (why & RTL_TOKEN) && is_watched(h);
	if ((why & RTL_TOKEN) && !h->held)
		count_token(h);
	if (r->cycle % SLICE == 0 && !h->held)
		tell_core_registers(h);
	*stop = MACHINE_BREAK;
	return !h->held;
}
/* ------------------------------------------------------------ the run */

static bool harness_csr(void *user, unsigned csr, uint64_t *value)
{
	const struct harness *h = user;

	return rtl_csr(&h->rtl, csr, value);
}

static bool harness_f(void *user, unsigned reg, uint64_t *value)
{
	const struct harness *h = user;

	return rtl_f(&h->rtl, reg, value);
}

void harness_dma_written(void *harness, uint64_t line, const uint8_t *data, uint64_t mask,
			 bool copy)
{
	struct harness *h = harness;

	if (h->hart.lockstep && copy)
		lockstep_copied(h->hart.lockstep, line, data, mask);
	else if (h->hart.lockstep)
		lockstep_dma(h->hart.lockstep, line, data, mask);
	tlb_written(&h->rtl.tlb, line, L2_DRAM_LINE);
	if (mask)
		written_note(&h->written, line);
	if (!copy && mask && h->hooks.device_write)
		hart_note_dma(&h->dma, line, data, mask);
}

/* Gives the model the same memory contents. */
static void copy_memory(struct harness *h)
{
	static const uint8_t zero[PAGE];

	board_copy_loaded(h->model, &h->image);
	for (uint64_t at = 0; h->resumed && at < h->image.size; at += PAGE)
		if (memcmp(h->image.ram + at, zero, PAGE) != 0)
			soc_write_physical(h->model, SOC_RAM_BASE + at, h->image.ram + at,
					   PAGE);
}

/* Gives the model the same state. */
static bool begin_lockstep(struct harness *h)
{
	const struct soc_config config = {.ram_size = h->image.size,
					  .harts = SOC_HARTS,
					  .has_float = h->options.has_float,
					  .has_copy = h->options.has_copy,
					  .has_nic = h->wire != NULL};
	struct lockstep_side side = {.user = h, .csr = harness_csr};

	if (h->options.has_float)
		side.f = harness_f;

	h->model = soc_new(&config);
	if (!h->model)
		return false;
	copy_memory(h);
	if (h->resumed)
		soc_set_state(h->model, 0, h->resumed);
	else
		soc_set_x(h->model, 0, HARNESS_A1, h->a1);
	h->hart.lockstep = lockstep_new(h->model, &side);
	return h->hart.lockstep != NULL;
}

static enum machine_stop run_until(struct harness *h, uint64_t instret, uint64_t cycle)
{
	enum machine_stop stop = MACHINE_LIMIT;

	if (h->options.lockstep && !h->hart.lockstep && !begin_lockstep(h))
		fail_harness(h, "failed", "out of memory");
	if (h->held)
		count_token(h);
	h->rtl.instret = instret;
	do {
		if (h->failure)
			return MACHINE_FAILED;
		if (h->off)
			return MACHINE_POWER;
		if (h->stop) {
			h->stop = 0;
			return MACHINE_REQUEST;
		}
		if (h->rtl.tokens >= instret || h->rtl.cycle >= cycle)
			return MACHINE_LIMIT;
		if (hart_loops(&h->hart))
			return MACHINE_LOOP;
	} while (advance_core(h, cycle, &stop));
	return stop;
}

enum machine_stop harness_run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	struct harness *h = harness_of(m);
	enum machine_stop stop = run_until(h, instret, cycle);

	hart_tell_tokens(&h->hart, &h->hooks);
	return stop;
}

bool harness_registers(const struct machine *m, unsigned hart, uint64_t *hash)
{
	const struct harness *h = harness_of_const(m);
	const struct hart_registers read = registers_of(h);

	(void)hart;
	return !h->held && hart_hash_registers(&h->hart, &read, hash);
}
