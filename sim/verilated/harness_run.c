/* SPDX-License-Identifier: Apache-2.0 */
/* Events that end the loop over the cycles: tokens, traps, ports, limits. */
#include "harness_state.h"

enum { SLICE = 1 << 16 };
#define NEVER UINT64_MAX

void harness_fail(struct harness *h, const char *end, const char *why)
{
	if (h->failure)
		return;
	h->end = end;
	h->failure = why;
}

/* ------------------------------------------------------------ tokens and traps */

static void tell_all_tokens(struct harness *h)
{
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		hart_tell_tokens(&h->harts[i], &h->hooks);
}

bool harness_is_power_off(const struct harness *h, const struct rtl_commit *c)
{
	uint32_t value;

	return c->store && c->device && c->address == SOC_POWER_BASE &&
	       rtl_power(&h->rtl, &value) && (uint32_t)c->data == value;
}

static bool is_watched(const struct harness *h, const struct hart *hart)
{
	return hart_is_watched(hart) ||
	       (h->watches_exit && harness_is_power_off(h, &hart->commit));
}

static bool serves_tlb_entry(void *user, unsigned entry, unsigned asid)
{
	return peek_translates(((const struct hart *)user)->rtl, entry, asid);
}

static bool read_tlb_memory(void *user, uint64_t address, uint64_t *value)
{
	return harness_read(((const struct hart *)user)->harness, address, value);
}

static void note_satp(struct hart *hart)
{
	const struct tlb_machine machine = {hart, serves_tlb_entry, read_tlb_memory};

	if (hart->commit.wrote_satp)
		tlb_switch(&hart->rtl->tlb, hart->commit.satp, &machine);
}

static void count_token(struct harness *h, struct hart *hart)
{
	const struct rtl_commit *c = &hart->commit;

	hart_report_input(hart, &h->hooks);
	hart_note_store(hart);
	note_satp(hart);
	rtl_count(hart->rtl, c);
	harness_compare(h, hart);
	hart_tell_tokens(hart, &h->hooks);
	hart_tell_changes(hart, &h->hooks);
	harness_forget_program(hart);
	if (c->xret && c->next_priv == TR_PRIV_U && hart->execs.n)
		harness_find_programs(hart);
	h->off |= harness_is_power_off(h, c);
}

static void count_trap(struct harness *h, struct hart *hart)
{
	if (h->rtl.seen)
		h->rtl.top->read_commit(&h->rtl, hart->number, 0, &hart->commit);
	else
		peek_trap(hart->rtl, h->rtl.cycle, &hart->commit);
	h->last = hart;
	const struct soc_trap trap = hart_enter_trap(hart, &h->hooks);

	harness_forget_program(hart);
	harness_compare(h, hart);
	hart_tell_trap(hart, &trap, &h->machine, &h->hooks);
}

/* Counts the tokens of a hart in the slots that have some. Returns false at a watched
 * one, which stays to be counted with those behind it. */
static bool count_slots(struct harness *h, struct hart *hart)
{
	struct rtl_hart *r = hart->rtl;

	while (r->commits) {
		if (!h->held) {
			unsigned slot = (unsigned)__builtin_ctz(r->commits);

			h->rtl.top->read_commit(&h->rtl, hart->number, slot,
						&hart->commit);
			h->last = hart;
			h->held = is_watched(h, hart);
			if (h->held)
				return false;
		}
		h->held = false;
		r->commits &= r->commits - 1;
		count_token(h, hart);
	}
	return true;
}

/* Handles traps and tokens. Returns false as count_slots(). */
static bool handle_harts(struct harness *h)
{
	for (unsigned i = 0; i < h->rtl.nharts; i++) {
		struct hart *hart = &h->harts[i];

		if (hart->rtl->trapped)
			count_trap(h, hart);
		hart->rtl->trapped = false;
		if (!count_slots(h, hart))
			return false;
	}
	return true;
}

static void note_next_tokens(struct harness *h)
{
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		if (h->rtl.harts[i].next)
			hart_note_next(&h->harts[i]);
}

/* ------------------------------------------------------------ ports */

static void check_wire(struct harness *h)
{
	if (wire_fault(h->wire))
		harness_fail(h, "failed", wire_fault(h->wire));
}

static void answer_ports(struct harness *h)
{
	uint64_t next = h->rtl.cycle + 1; /* the cycle to which the ports refer */
	struct rtl_ports p;

	h->rtl.top->read_ports(&h->rtl, &p);
	memory_answer(h->memory, next, &p);
	if (p.tx_valid && h->hooks.uart)
		h->hooks.uart(h->hooks.user, p.tx_data);
	if (h->disk && (p.disk.start || p.disk.stop))
		disk_queue_note(h->disk, next, &p.disk);
	if (p.link_valid)
		wire_send(h->wire, next, &p.link);
	if (h->wire)
		check_wire(h);
	if (memory_fault(h->memory))
		harness_fail(h, "failed", memory_fault(h->memory));
}

/* Sets the inputs for the next cycle. Returns whether they are for that cycle only. */
static bool drive_inputs(struct harness *h)
{
	struct rtl *r = &h->rtl;
	bool send = h->rx_count && !r->rx_valid && rtl_rx_ready(r);

	if (memory_next(h->memory) <= r->cycle + 1)
		memory_drive(h->memory, r->cycle + 1);
	if (h->wire && wire_next(h->wire) <= r->cycle + 1) {
		wire_drive(h->wire, r->cycle + 1, &r->link);
		r->changed = true;
		check_wire(h);
	}
	if (h->disk && disk_queue_next(h->disk) <= r->cycle + 1) {
		disk_queue_drive(h->disk, r->cycle + 1, &r->disk);
		r->changed = true;
	}
	if (send) {
		r->rx_data = h->rx[h->rx_first++];
		h->rx_count--;
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

/* Returns the next cycle in which memory, the wire or the disk may change an input, or
 * NEVER. */
static uint64_t next_input_cycle(const struct harness *h)
{
	uint64_t next = memory_next(h->memory);

	if (h->disk)
		next = earlier_cycle(next, disk_queue_next(h->disk));
	return h->wire ? earlier_cycle(next, wire_next(h->wire)) : next;
}

/* ------------------------------------------------------------ the run */

/* Returns whether the WFI of some hart can end without input. */
static bool can_wake(const struct harness *h)
{
	if (next_input_cycle(h) != NEVER)
		return true;
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		if (hart_can_wake(&h->harts[i], &h->rtl))
			return true;
	return false;
}

/* Each hart must commit, trap or sleep from time to time. */
static void check_progress(struct harness *h)
{
	for (unsigned i = 0; i < h->rtl.nharts; i++) {
		if (!hart_is_stuck(&h->harts[i], h->rtl.cycle, &h->options.timing))
			continue;
		h->last = &h->harts[i];
		harness_fail(h, "stuck", "the core neither commits nor traps");
	}
}

static void tell_registers(struct harness *h)
{
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		hart_tell_registers(&h->harts[i], &h->hooks);
}

static bool any_hart_loops(const struct harness *h)
{
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		if (hart_loops(&h->harts[i]))
			return true;
	return false;
}

/* Runs some cycles. Returns false with the reason when the run must stop. */
static bool advance_harts(struct harness *h, uint64_t limit, enum machine_stop *stop)
{
	struct rtl *r = &h->rtl;

	if (h->nfollows)
		harness_see_writes(h);
	if (h->dma.n) {
		tell_all_tokens(h);
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
	unsigned why = r->top->run(r);
	if (why == RTL_ASLEEP) {
		r->dozing = can_wake(h);
		*stop = MACHINE_IDLE;
		return r->dozing;
	}
	if (why & RTL_PORTS)
		answer_ports(h);
	h->off |= (why & RTL_OFF) != 0;
	if (why & RTL_FULL)
		tell_all_tokens(h);
	if (why & RTL_NEXT)
		note_next_tokens(h);
	*stop = MACHINE_BREAK;
	if (why & (RTL_TOKEN | RTL_TRAP) && !handle_harts(h))
		return false;
	if (r->cycle % SLICE == 0) {
		check_progress(h);
		tell_registers(h);
	}
	return true;
}

static enum machine_stop run_until(struct harness *h, uint64_t instret, uint64_t cycle)
{
	enum machine_stop stop = MACHINE_LIMIT;

	if (h->options.lockstep && !h->model && !harness_begin_lockstep(h))
		harness_fail(h, "failed", "out of memory");
	h->rtl.instret = instret;
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
		if (rtl_tokens(&h->rtl, h->rtl.nharts) >= instret ||
		    h->rtl.cycle >= cycle)
			return MACHINE_LIMIT;
		if (any_hart_loops(h))
			return MACHINE_LOOP;
	} while (advance_harts(h, cycle, &stop));
	return stop;
}

enum machine_stop harness_run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	struct harness *h = harness_of(m);
	enum machine_stop stop = run_until(h, instret, cycle);

	tell_all_tokens(h);
	return stop;
}
