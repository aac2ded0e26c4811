/* SPDX-License-Identifier: Apache-2.0 */
#include "devices.h"

#include <string.h>

#include "probe.h"
#include "soc.h"

static const uint64_t CYCLES_PER_TICK = SOC_CLOCK_HZ / SOC_TIMEBASE_HZ;

/* Registers of devices that have values of struct soc_state. */
static const struct {
	const char *module, *name;
	size_t at, count;
} DEVICE_REGISTERS[] = {
    {".u_plic", "pending_q", offsetof(struct soc_state, plic.pending), 1},
    {".u_plic", "claimed_q", offsetof(struct soc_state, plic.claimed), 1},
    {".u_uart", "ier_q", offsetof(struct soc_state, uart.ier), 1},
    {".u_uart", "lcr_q", offsetof(struct soc_state, uart.lcr), 1},
    {".u_uart", "mcr_q", offsetof(struct soc_state, uart.mcr), 1},
    {".u_uart", "scr_q", offsetof(struct soc_state, uart.scr), 1},
    {".u_uart", "dll_q", offsetof(struct soc_state, uart.dll), 1},
    {".u_uart", "dlm_q", offsetof(struct soc_state, uart.dlm), 1},
    {".u_uart", "thr_empty_q", offsetof(struct soc_state, uart.thr_empty), 1},
    {".u_uart", "overrun_q", offsetof(struct soc_state, uart.overrun), 1},
    {".u_uart", "count_q", offsetof(struct soc_state, uart.count), 1},
    {".u_uart", "fifo_q", offsetof(struct soc_state, uart.fifo), SOC_UART_FIFO},
};

/* The same of a machine with a disk. */
static const struct {
	const char *name;
	size_t at;
} DISK_REGISTERS[] = {
    {"offered_half_q", offsetof(struct soc_state, disk.offered_half)},
    {"accepted_half_q", offsetof(struct soc_state, disk.accepted_half)},
    {"accepted_low_q", offsetof(struct soc_state, disk.accepted[0])},
    {"accepted_high_q", offsetof(struct soc_state, disk.accepted[1])},
    {"status_q", offsetof(struct soc_state, disk.status)},
    {"interrupt_q", offsetof(struct soc_state, disk.interrupt)},
    {"selected_q", offsetof(struct soc_state, disk.selected)},
    {"size_q", offsetof(struct soc_state, disk.size)},
    {"ready_q", offsetof(struct soc_state, disk.ready)},
    {"descriptors_q", offsetof(struct soc_state, disk.descriptors)},
    {"driver_q", offsetof(struct soc_state, disk.driver)},
    {"device_q", offsetof(struct soc_state, disk.device)},
};

#define DISK_INSTANCE ".gen_disk.u_disk"
enum { DISK_REGISTERS_COUNT = sizeof(DISK_REGISTERS) / sizeof(*DISK_REGISTERS) };
enum { DEVICE_REGISTERS_COUNT = sizeof(DEVICE_REGISTERS) / sizeof(*DEVICE_REGISTERS) };

static const char *const PRIORITIES[] = {"priority0_q", "priority1_q", "priority2_q"};

/* ------------------------------------------------------------ getting */

static uint64_t peek_signal(const char *path, const char *module, const char *name,
			    unsigned i)
{
	const struct probe_signal s = probe_find(path, module, name);

	return s.at ? probe_get(&s, i) : 0;
}

/* Gets field number `n` of a signal of a device with fields of `width` bits. */
static uint64_t peek_field(const struct rtl *r, const char *module, const char *name,
			   unsigned n, unsigned width)
{
	const uint8_t *bytes = probe_find(r->devices, module, name).at;
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++) {
		unsigned at = n * width + i;

		value |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << i;
	}
	return value;
}

static void peek_hart_devices(const struct rtl *r, unsigned hart, struct soc_state *s)
{
	s->clint.mtimecmp = peek_field(r, ".u_clint", "mtimecmp_q", hart, 64);
	s->clint.msip = peek_field(r, ".u_clint", "msip_q", hart, 1);
	for (unsigned c = 0; c < 2; c++) {
		unsigned context = 2 * hart + c;

		s->plic.enable[c] = peek_field(r, ".u_plic", "enable_q", context, 32);
		s->plic.threshold[c] =
		    peek_field(r, ".u_plic", "threshold_q", context, 3);
	}
}

/* Turns the FIFO so that its oldest byte is the first, with 0 behind the last. */
static void peek_fifo(const struct rtl *r, struct soc_state *s)
{
	uint64_t fifo[SOC_UART_FIFO] = {0};
	unsigned first = (unsigned)peek_signal(r->devices, ".u_uart", "first_q", 0);

	for (unsigned i = 0; i < s->uart.count; i++)
		fifo[i] = s->uart.fifo[(first + i) % SOC_UART_FIFO];
	memcpy(s->uart.fifo, fifo, sizeof(fifo));
}

static void peek_shared_devices(const struct rtl *r, struct soc_state *s)
{
	for (unsigned i = 0; i < DEVICE_REGISTERS_COUNT; i++) {
		for (unsigned k = 0; k < DEVICE_REGISTERS[i].count; k++) {
			state_put(s, DEVICE_REGISTERS[i].at, k,
				  peek_signal(r->devices, DEVICE_REGISTERS[i].module,
					      DEVICE_REGISTERS[i].name, k));
		}
	}
	for (unsigned i = 0; r->has_disk && i < DISK_REGISTERS_COUNT; i++)
		state_put(
		    s, DISK_REGISTERS[i].at, 0,
		    peek_signal(r->devices, DISK_INSTANCE, DISK_REGISTERS[i].name, 0));
	peek_fifo(r, s);
	s->uart.fcr = peek_signal(r->devices, ".u_uart", "trigger_q", 0) << 6 |
		      peek_signal(r->devices, ".u_uart", "fifo_on_q", 0);
	s->clint.mtime = peek_signal(r->devices, ".u_clint", "mtime_q", 0);
	for (unsigned i = 1; i <= SOC_PLIC_SOURCES; i++) {
		s->plic.priority[i] = 0;
		for (unsigned bit = 0; bit < 3; bit++)
			s->plic.priority[i] |=
			    peek_field(r, ".u_plic", PRIORITIES[bit], i, 1) << bit;
	}
}

void devices_get(const struct rtl *r, struct soc_state *states)
{
	for (unsigned h = 0; h < r->nharts; h++) {
		peek_shared_devices(r, &states[h]);
		peek_hart_devices(r, h, &states[h]);
	}
}

/* ------------------------------------------------------------ setting */

/* Sets element number `i` of a signal, if there is one of this name. */
static void poke_signal(const char *path, const char *module, const char *name,
			unsigned i, uint64_t value)
{
	const struct probe_signal s = probe_find(path, module, name);

	if (s.at)
		probe_set(&s, i, value);
}

/* Sets field number `n` of a signal of a device with fields of `width` bits. */
static void poke_field(const struct rtl *r, const char *module, const char *name,
		       unsigned n, unsigned width, uint64_t value)
{
	uint8_t *bytes = probe_find(r->devices, module, name).at;

	for (unsigned i = 0; i < width; i++) {
		unsigned at = n * width + i, bit = 1U << at % 8;

		bytes[at / 8] = (uint8_t)(value >> i & 1 ? bytes[at / 8] | bit
							 : bytes[at / 8] & ~bit);
	}
}

static void poke_clint(const struct rtl *r, const struct soc_state *states)
{
	/* Time has passed from the cycle of the first hart to the one in which all go on.
	 */
	const uint64_t mtime = states->clint.mtime + r->cycle / CYCLES_PER_TICK -
			       states->cycle / CYCLES_PER_TICK;

	poke_signal(r->devices, ".u_clint", "tick_q", 0,
		    CYCLES_PER_TICK - r->cycle % CYCLES_PER_TICK);
	poke_signal(r->devices, ".u_clint", "mtime_q", 0, mtime);
	for (unsigned h = 0; h < r->nharts; h++) {
		const uint64_t mtimecmp = states[h].clint.mtimecmp;

		poke_field(r, ".u_clint", "mtimecmp_q", h, 64, mtimecmp);
		poke_field(r, ".u_clint", "mtip_q", h, 1, mtime >= mtimecmp);
		poke_field(r, ".u_clint", "msip_q", h, 1, states[h].clint.msip);
	}
}

/* Returns the result of the PLIC's search for a context: {interrupts, source}. */
static unsigned best_source(const struct soc_state *s, unsigned context)
{
	uint64_t ready = s->plic.pending & s->plic.enable[context];
	unsigned best = 0;

	for (unsigned i = 1; i <= SOC_PLIC_SOURCES; i++)
		if ((ready >> i & 1) && s->plic.priority[i] > s->plic.priority[best])
			best = i;
	return (s->plic.priority[best] > s->plic.threshold[context] ? 1U << 5 : 0) | best;
}

static void poke_plic(const struct rtl *r, const struct soc_state *states)
{
	for (unsigned i = 0; i <= SOC_PLIC_SOURCES; i++)
		for (unsigned bit = 0; bit < 3; bit++)
			poke_field(r, ".u_plic", PRIORITIES[bit], i, 1,
				   states->plic.priority[i] >> bit);
	for (unsigned c = 0; c < 2 * r->nharts; c++) {
		const struct soc_state *s = &states[c / 2];

		poke_field(r, ".u_plic", "enable_q", c, 32, s->plic.enable[c % 2]);
		poke_field(r, ".u_plic", "threshold_q", c, 3, s->plic.threshold[c % 2]);
		poke_field(r, ".u_plic", "best_q", c, 6, best_source(s, c % 2));
	}
}

/* The FIFO of the UART begins at the first place, as after reset. The cause of its
 * interrupt is found again in each cycle that needs it. */
static void poke_devices(const struct rtl *r, const struct soc_state *s)
{
	for (unsigned i = 0; i < DEVICE_REGISTERS_COUNT; i++) {
		for (unsigned k = 0; k < DEVICE_REGISTERS[i].count; k++)
			poke_signal(r->devices, DEVICE_REGISTERS[i].module,
				    DEVICE_REGISTERS[i].name, k,
				    state_value(s, DEVICE_REGISTERS[i].at, k));
	}
	for (unsigned i = 0; r->has_disk && i < DISK_REGISTERS_COUNT; i++)
		poke_signal(r->devices, DISK_INSTANCE, DISK_REGISTERS[i].name, 0,
			    state_value(s, DISK_REGISTERS[i].at, 0));
	if (r->has_disk)
		poke_signal(r->devices, DISK_INSTANCE, "irq_q", 0,
			    s->disk.interrupt != 0);
	poke_signal(r->devices, ".u_uart", "fifo_on_q", 0, s->uart.fcr & 1);
	poke_signal(r->devices, ".u_uart", "trigger_q", 0, s->uart.fcr >> 6);
}

void devices_set(const struct rtl *r, const struct soc_state *states)
{
	poke_clint(r, states);
	poke_plic(r, states);
	poke_devices(r, states);
}
