/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "devices.h"
#include "harness_state.h"
#include "model/disk.h"
#include "net/port.h"

static void harness_request_stop(struct machine *m)
{
	harness_of(m)->stop = 1;
}

static bool holds_token_of(const struct harness *h, const struct hart *hart)
{
	return h->held && h->last == hart;
}

static void harness_hart_state(const struct machine *m, unsigned number,
			       struct machine_state *harness_state)
{
	const struct harness *h = harness_of_const(m);
	const struct hart *hart = &h->harts[number];
	bool held = holds_token_of(h, hart);
	/* It has a token or a trap in this cycle, which has not been counted. */
	bool is_ahead = hart->rtl->commits || hart->rtl->trapped;

	harness_state->cycle = is_ahead ? hart->rtl->since : h->rtl.cycle;
	harness_state->instret = hart->rtl->tokens;
	harness_state->context = hart->context;
	hart_tell_sp(hart, held, harness_state);
	harness_state->has_sp = harness_state->has_sp && (held || !is_ahead);
}

static void harness_state(const struct machine *m, struct machine_state *harness_state)
{
	const struct harness *h = harness_of_const(m);

	harness_hart_state(m, h->last->number, harness_state);
	harness_state->instret = rtl_tokens(&h->rtl, h->rtl.nharts);
}

static void harness_next(const struct machine *m, struct machine_next *harness_next)
{
	const struct harness *h = harness_of_const(m);
	const struct hart *hart = h->last;

	*harness_next = (struct machine_next){.pc = peek_pc(hart->rtl)};
	if (!h->held)
		return;
	harness_next->known = true;
	harness_next->pc = hart->commit.pc;
	harness_next->insn = hart->commit.insn;
	harness_next->exit = harness_is_power_off(h, &hart->commit);
	harness_next->begins = hart->begins ? &hart->execs : NULL;
}

static void harness_observe(struct machine *m)
{
	rtl_observe(&harness_of(m)->rtl, false);
}

/* Returns false if there are too many. */
static bool watch_in_hart(struct hart *hart, const struct trigger *trigger)
{
	struct rtl_hart *r = hart->rtl;
	struct rtl_watch w = {.pc = trigger->value, .pc_mask = UINT64_MAX};

	r->watches_any = true;
	if (trigger->kind == TRIGGER_EXIT)
		return true;
	if (trigger->kind == TRIGGER_EXEC)
		return exec_watch_add(&hart->execs, trigger->exec);
	if (r->nwatches == RTL_WATCHES - 1) /* the last is for programs */
		return false;
	if (trigger->kind == TRIGGER_INSN)
		w = (struct rtl_watch){.insn = (uint32_t)trigger->value,
				       .insn_mask = trigger->mask};
	r->watches[r->nwatches++] = w;
	return true;
}

static bool harness_watch(struct machine *m, const struct trigger *trigger)
{
	struct harness *h = harness_of(m);
	bool done = true;

	harness_observe(m);
	h->watches_exit |= trigger->kind == TRIGGER_EXIT;
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		done &= watch_in_hart(&h->harts[i], trigger);
	return done;
}

static void harness_set_a1(struct machine *m, uint64_t value)
{
	struct harness *h = harness_of(m);

	h->a1 = value;
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		poke_x(&h->rtl.harts[i], HARNESS_A1, value);
}

static bool harness_resume(struct machine *m, const struct soc_state *harness_states)
{
	struct harness *h = harness_of(m);
	const unsigned n = h->rtl.nharts;

	h->resumed = malloc(n * sizeof(*h->resumed));
	if (!h->resumed)
		return false;
	memcpy(h->resumed, harness_states, n * sizeof(*h->resumed));
	poke_state(&h->rtl, harness_states);
	if (h->disk)
		disk_queue_restore(h->disk, h->rtl.cycle + 1, harness_states);
	for (unsigned i = 0; i < n; i++) {
		struct hart *hart = &h->harts[i];

		hart->context.satp = harness_states[i].satp;
		hart->context.priv = (uint8_t)harness_states[i].priv;
		hart->context.tp = harness_states[i].x[TR_REG_TP];
		hart->awake = h->rtl.cycle;
	}
	return true;
}

static bool harness_registers(const struct machine *m, unsigned number, uint64_t *hash)
{
	const struct harness *h = harness_of_const(m);

	return !h->held && hart_hash_registers(&h->harts[number], hash);
}

static bool harness_uses(const struct machine *m, struct soc_line_uses *harness_uses)
{
	const struct harness *h = harness_of_const(m);

	caches_get(&h->rtl, h->memory, harness_uses);
	return true;
}

static void harness_fill_caches(struct machine *m, const struct soc_line_uses *uses)
{
	struct harness *h = harness_of(m);

	if (h->rtl.nharts == 1)
		caches_fill(&h->rtl, h->memory, uses);
}

/* Between two cycles, all of whose tokens have been counted. */
static bool harness_snapshot(const struct machine *m, unsigned number,
			     struct soc_state *harness_state, bool *back)
{
	const struct harness *h = harness_of_const(m);

	for (unsigned i = 0; i < h->rtl.nharts; i++)
		if (h->rtl.harts[i].commits || h->rtl.harts[i].trapped)
			return false;
	if (!hart_snapshot(&h->harts[number], h->rtl.cycle, harness_state, back))
		return false;
	if (h->disk)
		harness_state->disk.due = SOC_DISK_IDLE; /* a replay has no disk */
	return true;
}

static void store_modified_line(void *user, uint64_t address, const uint8_t *data,
				uint32_t size)
{
	const struct soc_image *image = user;

	memcpy(image->ram + (address - SOC_RAM_BASE), data, size);
}

/* What an L1D has modified is stored in memory, too, which tells nobody: the hart writes
 * it back again. */
static bool harness_save(const struct machine *m, struct soc_state *harness_states)
{
	const struct harness *h = harness_of_const(m);

	for (unsigned i = 0; i < h->rtl.nharts; i++) {
		const struct hart *hart = &h->harts[i];
		bool held = holds_token_of(h, hart);

		if (!hart_save(hart, held, h->rtl.cycle, &harness_states[i]))
			return false;
	}
	devices_get(&h->rtl, harness_states);
	if (h->disk && !disk_queue_save(h->disk, h->rtl.cycle, harness_states))
		return false;
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		written_each_modified(&h->rtl.harts[i], m->image, store_modified_line);
	return true;
}

static void harness_memory_changes(struct machine *m, void *user, written_put *put)
{
	struct harness *h = harness_of(m);

	written_each(&h->written, user, put);
	for (unsigned i = 0; put && i < h->rtl.nharts; i++)
		written_each_modified(&h->rtl.harts[i], user, put);
}

static void harness_set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	struct harness *h = harness_of(m);

	h->hooks = *hooks;
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		h->rtl.harts[i].records = hooks->tokens != NULL;
}

static size_t harness_list_counters(const struct machine *m,
				    const struct machine_counter **list)
{
	return counters_list(harness_of_const(m)->counters, list);
}

static bool harness_choose_counters(struct machine *m, const size_t *numbers, size_t n)
{
	struct harness *h = harness_of(m);
	bool done = true;

	rtl_count_classes(&h->rtl);
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		done &= counters_choose(h->counters, &h->rtl.harts[i].cover, numbers, n);
	return done;
}

static void harness_control_counters(struct machine *m, enum machine_count how)
{
	struct harness *h = harness_of(m);

	for (unsigned i = 0; i < h->rtl.nharts; i++)
		counters_count(&h->rtl.harts[i].cover, how);
}

static void harness_counter_values(const struct machine *m, uint64_t *values)
{
	const struct harness *h = harness_of_const(m);

	counters_values(&h->last->rtl->cover, h->held, values);
}

static size_t harness_receive(struct machine *m, const uint8_t *data, size_t size)
{
	struct harness *h = harness_of(m);

	if (!rtl_rx_ready(&h->rtl) || h->rx_count)
		return 0;
	h->rx_first = 0;
	h->rx_count = (unsigned)(size < sizeof(h->rx) ? size : sizeof(h->rx));
	memcpy(h->rx, data, h->rx_count);
	return h->rx_count;
}

static enum soc_power harness_power(const struct machine *m, unsigned *status)
{
	uint32_t value;

	*status = 0;
	if (!harness_of_const(m)->off)
		return SOC_POWER_ON;
	rtl_power(&harness_of_const(m)->rtl, &value);
	return soc_decode_power(value, status);
}

static void harness_trap_chain(const struct machine *m, struct soc_trap *first,
			       struct soc_trap *last)
{
	*first = harness_of_const(m)->last->traps.first;
	*last = harness_of_const(m)->last->traps.last;
}

static const char *harness_explain(const struct machine *m, const struct tr_cli *cli)
{
	const struct harness *h = harness_of_const(m);
	char hart[32] = "";

	if (h->rtl.nharts > 1)
		snprintf(hart, sizeof(hart), ", hart %u", h->last->number);
	tr_warn(cli, "cycle %" PRIu64 "%s: %s", h->rtl.cycle, hart, h->failure);
	if (h->last->lockstep)
		lockstep_report(h->last->lockstep, stderr);
	return h->end;
}

/* ------------------------------------------------------------ the machine */

/* An L1 has written back a line. */
static void note_write_back(void *user, uint64_t address)
{
	struct harness *h = user;

	written_note(&h->written, address);
}

/* The bytes of DMA; those of the copy units follow from their instructions. */
static void note_dma(void *user, const struct memory_written *w)
{
	struct harness *h = user;
	uint64_t at = w->address % L2_DRAM_LINE;
	uint8_t line[L2_DRAM_LINE] = {0};

	if (h->model)
		harness_follow_write(h, w);
	tlb_written(&h->rtl.harts[0].tlb, w->address, w->size);
	if (!w->data)
		return;
	written_note(&h->written, w->address);
	if (!h->hooks.device_write || w->master.copies)
		return;
	memcpy(line + at, w->data, w->size);
	hart_note_dma(&h->dma, w->address - at, line, w->mask << at);
}

static void init_hart(struct harness *h, unsigned number)
{
	struct rtl_hart *r = &h->rtl.harts[number];

	h->harts[number] = (struct hart){.harness = h,
					 .number = number,
					 .features = h->options.rtl.features,
					 .rtl = r,
					 .context.priv = TR_PRIV_M};
	poke_x(r, HARNESS_A0, number);
}

static void note_disk_line(void *user, unsigned slot, const uint8_t *line)
{
	disk_queue_done(((struct harness *)user)->disk, slot, line);
}

/* Determines what the machine is in a network; returns its Ethernet address. */
static uint64_t init_nic(struct machine *m, const struct net_port *port)
{
	m->has_nic = true;
	m->is_node = port != NULL;
	m->node = port ? net_port_node(port) : 0;
	return net_address(m->node);
}

/* RAM is the harness's own, unless the options have one. */
static bool init_image(struct harness *h)
{
	h->image = h->options.image ? h->options.image : &h->own;
	return h->options.image || soc_image_init(&h->own, h->options.rtl.ram_size);
}

static bool init_harness(struct harness *h)
{
	const struct memory_hooks hooks = {.user = h,
					   .written_back = note_write_back,
					   .dma_written = note_dma,
					   .dma_read = harness_follow_read,
					   .disk_done = note_disk_line};
	const struct harness_options *o = &h->options;
	struct rtl_config config = o->rtl;

	if (o->nic)
		config.mac = init_nic(&h->machine, o->port);
	if (o->disk)
		config.disk_sectors = soc_disk_sectors(o->disk);
	if (!init_image(h) || !rtl_init(&h->rtl, &config) ||
	    !written_init(&h->written, h->image))
		return false;
	for (unsigned i = 0; i < config.harts; i++)
		init_hart(h, i);
	h->counters = counters_new();
	if (o->lockstep)
		rtl_observe(&h->rtl, true);
	h->last = &h->harts[0];
	h->memory =
	    memory_new(&h->rtl, h->image->ram, config.ram_size, &o->timing, &hooks);
	h->machine.image = h->image;
	h->machine.runs = h->rtl.harts[0].runs;
	h->rtl.skips = !o->no_skip;
	if (o->nic)
		h->wire = wire_new(o->port, o->nic_latency, o->pcap, o->pcap_path);
	if (o->disk && h->memory)
		h->disk =
		    disk_queue_new(h->memory, config.ram_size, o->disk, &o->disk_timing);
	return h->counters && h->memory && (h->wire || !o->nic) && (h->disk || !o->disk);
}

struct machine *harness_new(const struct harness_options *options)
{
	static const struct machine_ops ops = {.run = harness_run,
					       .observe = harness_observe,
					       .request_stop = harness_request_stop,
					       .state = harness_state,
					       .hart = harness_hart_state,
					       .next = harness_next,
					       .watch = harness_watch,
					       .set_a1 = harness_set_a1,
					       .resume = harness_resume,
					       .registers = harness_registers,
					       .save = harness_save,
					       .uses = harness_uses,
					       .fill_caches = harness_fill_caches,
					       .snapshot = harness_snapshot,
					       .changes = harness_memory_changes,
					       .set_hooks = harness_set_hooks,
					       .counters = harness_list_counters,
					       .choose = harness_choose_counters,
					       .count = harness_control_counters,
					       .counts = harness_counter_values,
					       .receive = harness_receive,
					       .power = harness_power,
					       .chain = harness_trap_chain,
					       .explain = harness_explain};
	struct harness *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->options = *options;
	h->machine.ops = &ops;
	if (init_harness(h))
		return &h->machine;
	harness_free(&h->machine);
	return NULL;
}

void harness_free(struct machine *m)
{
	struct harness *h = harness_of(m);

	for (unsigned i = RTL_HARTS_MAX; i > 0; i--) {
		lockstep_free(h->harts[i - 1].lockstep);
		hart_release(&h->harts[i - 1]);
		free(h->rtl.harts[i - 1].cover.counts);
	}
	counters_free(h->counters);
	soc_free(h->model);
	disk_queue_free(h->disk);
	memory_free(h->memory);
	if (h->wire && !h->failure)
		wire_leave(h->wire, h->rtl.cycle + 1);
	wire_free(h->wire);
	rtl_release(&h->rtl);
	written_release(&h->written);
	soc_image_free(&h->own);
	free(h->resumed);
	free(h);
}
