/* SPDX-License-Identifier: Apache-2.0 */
/* The run of several harts: tokens, traps, ports, lockstep. */
#include <string.h>

#include "peek.h"
#include "smp_memory.h"
#include "smp_state.h"
#include "stream/insn.h"

enum { SLICE = 1 << 16 };
#define NEVER UINT64_MAX

void smp_harness_fail(struct smp_harness *h, const char *end, const char *why)
{
	if (h->failure)
		return;
	h->end = end;
	h->failure = why;
}

/* ------------------------------------------------------------ tokens and traps */

static void tell_all_tokens(struct smp_harness *h)
{
	for (unsigned i = 0; i < SMP_HARTS; i++)
		hart_tell_tokens(&h->harts[i], &h->hooks);
}

static void smp_compare_hart(struct smp_harness *h, struct hart *hart)
{
	if (!hart->lockstep)
		return;
	if (!lockstep_commit(hart->lockstep, &hart->commit))
		smp_harness_fail(h, "difference", "core and model differ");
	if (tr_insn_is_lr(hart->commit.insn) && !hart->commit.trap)
		h->smp.probed[hart->number] = false;
}

bool smp_harness_is_power_off(const struct smp_harness *h, const struct rtl_commit *c)
{
	uint32_t value;

	return c->store && c->device && c->address == SOC_POWER_BASE &&
	       smp_power(&h->smp, &value) && (uint32_t)c->data == value;
}

static bool smp_is_watched(const struct smp_harness *h, const struct hart *hart)
{
	return hart_is_watched(hart) ||
	       (h->watches_exit && smp_harness_is_power_off(h, &hart->commit));
}

static bool smp_serves_tlb_entry(void *user, unsigned entry, unsigned asid)
{
	return smp_translates(((const struct hart *)user)->rtl, entry, asid);
}

/* A line is the same in all caches. */
static bool smp_read_tlb_memory(void *user, uint64_t address, uint64_t *value)
{
	const struct smp_harness *h = ((const struct hart *)user)->machine;

	if (address < SOC_RAM_BASE || address - SOC_RAM_BASE >= h->image.size)
		return false;
	for (unsigned i = 0; i < SMP_HARTS; i++)
		if (smp_l1d(&h->smp.harts[i], address, value))
			return true;
	memcpy(value, h->image.ram + (address - SOC_RAM_BASE), sizeof(*value));
	return true;
}

static void smp_note_satp(struct hart *hart)
{
	const struct tlb_machine machine = {hart, smp_serves_tlb_entry,
					    smp_read_tlb_memory};

	if (hart->commit.wrote_satp)
		tlb_switch(&hart->rtl->tlb, hart->commit.satp, &machine);
}

static void smp_count_token(struct smp_harness *h, struct hart *hart)
{
	hart_report_input(hart, &h->hooks);
	hart_note_store(hart);
	smp_note_satp(hart);
	rtl_count(hart->rtl, hart->commit.pc, hart->commit.insn);
	h->smp.tokens++;
	smp_compare_hart(h, hart);
	hart_tell_tokens(hart, &h->hooks);
	hart_tell_changes(hart, &h->hooks);
	h->off |= smp_harness_is_power_off(h, &hart->commit);
}

static void smp_count_trap(struct smp_harness *h, struct hart *hart)
{
	if (h->smp.seen)
		smp_read_commit(hart->rtl, &hart->commit);
	else
		smp_read_trap(hart->rtl, &hart->commit);
	h->last = hart->number;
	struct soc_trap trap = hart_enter_trap(hart, &h->hooks);
	smp_compare_hart(h, hart);
	hart_tell_trap(hart, &trap, &h->machine, &h->hooks);
}

/* ------------------------------------------------------------ ports */

static void smp_check_wire(struct smp_harness *h)
{
	if (h->wire && wire_fault(h->wire))
		smp_harness_fail(h, "failed", wire_fault(h->wire));
}

/* The probes before a write by DMA have ended reservations, and no L1D has the line
 * before it is complete, so the model gets it word by word. */
static void follow_write(struct smp_harness *h, const struct smp_ports *p)
{
	unsigned at = (unsigned)(p->write_address % L2_DRAM_LINE);
	uint8_t line[L2_DRAM_LINE];

	if (p->write_master > 0) {
		lockstep_copy_written(h->harts[p->write_master - 1].lockstep,
				      p->write_address, p->data, p->strobe);
		return;
	}
	memcpy(line + at, &p->data, sizeof(p->data));
	lockstep_dma(h->harts[0].lockstep, p->write_address - at, line,
		     (uint64_t)p->strobe << at);
}

/* The bytes of DMA; those of the copy units follow from their instructions. */
static void note_write(struct smp_harness *h, const struct smp_ports *p)
{
	uint64_t at = p->write_address % L2_DRAM_LINE;
	uint8_t line[L2_DRAM_LINE] = {0};

	if (p->write && p->dma)
		tlb_written(&h->smp.harts[0].tlb, p->write_address, sizeof(p->data));
	if (!h->hooks.device_write || !p->write || !p->dma || p->write_master > 0)
		return;
	memcpy(line + at, &p->data, sizeof(p->data));
	hart_note_dma(&h->dma, p->write_address - at, line, (uint64_t)p->strobe << at);
}

/* DMA: its masters are the network interface and the copy unit of each hart. */
static void follow_dma(struct smp_harness *h, const struct smp_ports *p)
{
	if (!h->harts[0].lockstep)
		return;
	if (p->answer && p->answer_master > 0)
		lockstep_copy_read(h->harts[p->answer_master - 1].lockstep,
				   p->answer_address, p->answer_data);
	if (p->write && p->dma)
		follow_write(h, p);
}

static void smp_answer_ports(struct smp_harness *h)
{
	uint64_t next = h->smp.cycle + 1; /* the cycle to which the ports refer */
	struct smp_ports p;

	smp_read_ports(&h->smp, &p);
	if (p.write) {
		smp_memory_write(h->memory, p.write_address, p.strobe, p.data, p.dma);
		written_note(&h->written, p.write_address);
	}
	follow_dma(h, &p);
	note_write(h, &p);
	if (p.read)
		smp_memory_read(h->memory, next, p.read_id, p.read_address);
	if (p.tx_valid && h->hooks.uart)
		h->hooks.uart(h->hooks.user, p.tx_data);
	if (p.link_valid)
		wire_send(h->wire, next, &p.link);
	smp_check_wire(h);
	if (smp_memory_fault(h->memory))
		smp_harness_fail(h, "failed", smp_memory_fault(h->memory));
}

/* Sets the inputs for the next cycle. Returns whether they are for that cycle only. */
static bool smp_drive_inputs(struct smp_harness *h)
{
	struct smp *s = &h->smp;
	bool send = h->rx.count && !s->rx_valid && smp_rx_ready(s);

	if (smp_memory_next(h->memory) <= s->cycle + 1) {
		smp_memory_drive(h->memory, s->cycle + 1, &s->pins);
		s->changed = true;
	}
	if (h->wire && wire_next(h->wire) <= s->cycle + 1) {
		wire_drive(h->wire, s->cycle + 1, &s->link);
		s->changed = true;
		smp_check_wire(h);
	}
	if (send) {
		s->rx_data = board_take(&h->rx);
		s->dozing = false;
	}
	s->changed |= send || s->rx_valid;
	s->rx_valid = send;
	return send;
}

/* Returns whether the hart's WFI can end without input. */
static bool smp_hart_may_wake(const struct smp_harness *h, const struct hart *hart)
{
	uint64_t mie, mip, mtime, mtimecmp;

	smp_csr(hart->rtl, HART_CSR_MIE, &mie);
	smp_csr(hart->rtl, HART_CSR_MIP, &mip);
	smp_timer(&h->smp, hart->number, &mtime, &mtimecmp);
	return hart_can_wake(mie, mip, mtime, mtimecmp);
}

static uint64_t smp_earlier_cycle(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the next cycle in which memory or the wire changes an input, or NEVER. */
static uint64_t smp_next_input_cycle(const struct smp_harness *h)
{
	uint64_t next = smp_memory_next(h->memory);

	return h->wire ? smp_earlier_cycle(next, wire_next(h->wire)) : next;
}

static bool smp_can_wake(const struct smp_harness *h)
{
	bool can = smp_next_input_cycle(h) != NEVER;

	for (unsigned i = 0; i < SMP_HARTS; i++)
		can |= smp_hart_may_wake(h, &h->harts[i]);
	return can;
}

/* Each hart must commit, trap or sleep from time to time. */
static void smp_check_progress(struct smp_harness *h)
{
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct hart *hart = &h->harts[i];

		if (hart_is_stuck(hart, h->smp.cycle, smp_asleep(hart->rtl),
				  &h->options.timing))
			smp_harness_fail(h, "stuck", "a core neither commits nor traps");
	}
}

/* Returns false at a watched token, which stays to be counted with those behind it. */
static bool handle_harts(struct smp_harness *h)
{
	struct smp *s = &h->smp;

	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct hart *hart = &h->harts[i];

		if (s->trapped >> i & 1)
			smp_count_trap(h, hart);
		s->trapped &= ~(1U << i);
		if (!(s->committed >> i & 1))
			continue;
		if (!h->held) {
			smp_read_commit(hart->rtl, &hart->commit);
			h->last = i;
			h->held = smp_is_watched(h, hart);
			if (h->held)
				return false;
		}
		h->held = false;
		s->committed &= ~(1U << i);
		smp_count_token(h, hart);
	}
	return true;
}

static struct hart_registers smp_registers_of(const struct smp_harness *h)
{
	return (struct hart_registers){smp_x, h->options.has_float ? smp_f : NULL,
				       smp_csr};
}

static void smp_tell_registers(struct smp_harness *h)
{
	const struct hart_registers read = smp_registers_of(h);

	for (unsigned i = 0; i < SMP_HARTS; i++)
		hart_tell_registers(&h->harts[i], &read, &h->hooks);
}

/* Runs some cycles. Returns false with the reason when the run must stop. */
static bool smp_advance(struct smp_harness *h, uint64_t limit, enum machine_stop *stop)
{
	struct smp *s = &h->smp;

	if (h->dma.n) {
		tell_all_tokens(h);
		hart_tell_dma(&h->dma, &h->hooks, s->cycle + 1);
	}
	if (h->wire && !wire_sync(h->wire, s->cycle + 1)) {
		smp_check_wire(h);
		return true;
	}
	bool alone = smp_drive_inputs(h);
	s->until = smp_earlier_cycle(limit, (s->cycle | (SLICE - 1)) + 1);
	s->until = alone ? s->cycle + 1
			 : smp_earlier_cycle(s->until, smp_next_input_cycle(h) - 1);
	unsigned why = smp_run(s);
	if (why == RTL_ASLEEP) {
		s->dozing = smp_can_wake(h);
		*stop = MACHINE_IDLE;
		return s->dozing;
	}
	if (why & RTL_PORTS)
		smp_answer_ports(h);
	h->off |= (why & RTL_OFF) != 0;
	if (why & RTL_FULL)
		tell_all_tokens(h);
	if (s->cycle % SLICE == 0)
		smp_check_progress(h);
	for (unsigned i = 0; i < SMP_HARTS; i++)
		if (s->next >> i & 1)
			hart_note_next(&h->harts[i], s->committed >> i & 1, smp_save);
	*stop = MACHINE_BREAK;
	if (!handle_harts(h))
		return false;
	if (s->cycle % SLICE == 0)
		smp_tell_registers(h);
	return true;
}

/* ------------------------------------------------------------ lockstep */

static bool smp_harness_csr(void *user, unsigned csr, uint64_t *value)
{
	const struct hart *hart = user;

	return smp_csr(hart->rtl, csr, value);
}

static bool smp_harness_f(void *user, unsigned reg, uint64_t *value)
{
	const struct hart *hart = user;

	return smp_f(hart->rtl, reg, value);
}

static bool lockstep_lost(void *user)
{
	const struct hart *hart = user;
	const struct smp_harness *h = hart->machine;

	return h->smp.probed[hart->number];
}

/* Gives the model the same state. */
static bool smp_begin_lockstep(struct smp_harness *h)
{
	const struct soc_config config = {.ram_size = h->image.size,
					  .harts = SMP_HARTS,
					  .has_float = h->options.has_float,
					  .has_copy = h->options.has_copy,
					  .has_nic = h->wire != NULL};

	h->model = soc_new(&config);
	if (!h->model)
		return false;
	board_copy_loaded(h->model, &h->image);
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct hart *hart = &h->harts[i];
		struct lockstep_side side = {
		    .user = hart, .csr = smp_harness_csr, .lost = lockstep_lost};

		if (h->options.has_float)
			side.f = smp_harness_f;
		soc_set_x(h->model, i, SMP_A1, h->a1);
		hart->lockstep = i ? lockstep_join(h->harts[0].lockstep, i, &side)
				   : lockstep_new(h->model, &side);
		if (!hart->lockstep)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------ the run */

static bool any_hart_loops(const struct smp_harness *h)
{
	for (unsigned i = 0; i < SMP_HARTS; i++)
		if (hart_loops(&h->harts[i]))
			return true;
	return false;
}

static enum machine_stop smp_run_until(struct smp_harness *h, uint64_t instret,
				       uint64_t cycle)
{
	enum machine_stop stop = MACHINE_LIMIT;

	if (h->options.lockstep && !h->model && !smp_begin_lockstep(h))
		smp_harness_fail(h, "failed", "out of memory");
	h->smp.instret = instret;
	if (h->held && !handle_harts(h))
		return MACHINE_BREAK;
	do {
		if (h->failure)
			return MACHINE_FAILED;
		if (h->off)
			return MACHINE_POWER;
		if (h->stop) {
			h->stop = 0;
			return MACHINE_REQUEST;
		}
		if (h->smp.tokens >= instret || h->smp.cycle >= cycle)
			return MACHINE_LIMIT;
		if (any_hart_loops(h))
			return MACHINE_LOOP;
	} while (smp_advance(h, cycle, &stop));
	return stop;
}

enum machine_stop smp_harness_run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	struct smp_harness *h = smp_harness_of(m);
	enum machine_stop stop = smp_run_until(h, instret, cycle);

	tell_all_tokens(h);
	return stop;
}

bool smp_harness_registers(const struct machine *m, unsigned hart, uint64_t *hash)
{
	const struct smp_harness *h = smp_harness_of_const(m);
	const struct hart_registers read = smp_registers_of(h);

	return !h->held && hart_hash_registers(&h->harts[hart], &read, hash);
}
