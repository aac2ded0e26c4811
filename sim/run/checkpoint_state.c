/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the machine as keys: hexadecimal numbers, separated by commas. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "checkpoint_internal.h"
#include "model/csr.h"

#define ALL UINT64_MAX
/* Numbers of cycles and instructions, so that sums do not overflow. */
#define COUNT	   (UINT64_MAX >> 2)
#define SATP	   (ALL & ~(UINT64_C(7) << 60)) /* Bare or Sv39 */
#define PMP_CONFIG UINT64_C(0x9f9f9f9f9f9f9f9f)
#define SOURCES	   (UINT32_MAX - 1) /* of the PLIC; 0 does not exist */
#define MSTATUS	   (SOC_MSTATUS_MASK | SOC_MSTATUS_MPP)

#define FIELD(key, member, mask)                                                         \
	{                                                                                \
		key, offsetof(struct soc_state, member),                                 \
		    sizeof((struct soc_state *)NULL)->member / sizeof(uint64_t), mask,   \
		    OF_HART                                                              \
	}
#define FLOAT_FIELD(key, member, mask)                                                   \
	{                                                                                \
		key, offsetof(struct soc_state, member),                                 \
		    sizeof((struct soc_state *)NULL)->member / sizeof(uint64_t), mask,   \
		    OF_FLOAT                                                             \
	}
#define DEVICE_FIELD(key, member, mask)                                                  \
	{                                                                                \
		key, offsetof(struct soc_state, member),                                 \
		    sizeof((struct soc_state *)NULL)->member / sizeof(uint64_t), mask,   \
		    OF_DEVICES                                                           \
	}
#define DISK_FIELD(key, member, mask)                                                    \
	{                                                                                \
		key, offsetof(struct soc_state, member),                                 \
		    sizeof((struct soc_state *)NULL)->member / sizeof(uint64_t), mask,   \
		    OF_DISK                                                              \
	}

/* Of each hart; the same, but only with F and D; of what the harts share; and of the
 * disk. */
enum field_owner { OF_HART, OF_FLOAT, OF_DEVICES, OF_DISK };

static const struct field {
	const char *key;
	size_t at; /* in struct soc_state */
	size_t count;
	uint64_t mask; /* bits that the numbers may have */
	enum field_owner owner;
} FIELDS[] = {
    FIELD("cycle", cycle, COUNT),
    FIELD("instret", instret, COUNT),
    FIELD("pc", pc, ALL - 1),
    FIELD("priv", priv, 3),
    FIELD("x", x, ALL),
    FLOAT_FIELD("f", f, ALL),
    FIELD("reservation", reservation, ALL),
    FLOAT_FIELD("fcsr", fcsr, 0xff),
    FIELD("mstatus", mstatus, MSTATUS),
    FIELD("mie", mie, SOC_MIP_S | SOC_MIP_M),
    FIELD("mip", mip, SOC_MIP_S),
    FIELD("medeleg", medeleg, SOC_MEDELEG_MASK),
    FIELD("mideleg", mideleg, SOC_MIP_S),
    FIELD("mtvec", mtvec, ALL - 2),
    FIELD("stvec", stvec, ALL - 2),
    FIELD("mscratch", mscratch, ALL),
    FIELD("sscratch", sscratch, ALL),
    FIELD("mepc", mepc, ALL - 1),
    FIELD("sepc", sepc, ALL - 1),
    FIELD("mcause", mcause, ALL),
    FIELD("scause", scause, ALL),
    FIELD("mtval", mtval, ALL),
    FIELD("stval", stval, ALL),
    FIELD("mcounteren", mcounteren, UINT32_MAX),
    FIELD("scounteren", scounteren, UINT32_MAX),
    FIELD("mcountinhibit", mcountinhibit, INHIBIT_CYCLE | INHIBIT_INSTRET | INHIBIT_HPM),
    FIELD("menvcfg", menvcfg, 1),
    FIELD("senvcfg", senvcfg, 1),
    FIELD("satp", satp, SATP),
    FIELD("mcycle", mcycle, ALL),
    FIELD("minstret", minstret, ALL),
    FIELD("mhpmevent", mhpmevent, MHPMEVENT_MASK),
    FIELD("mhpmcounter", mhpmcounter, HPM_MASK),
    FIELD("pmpcfg", pmpcfg, PMP_CONFIG),
    FIELD("pmpaddr", pmpaddr, SOC_PMP_ADDR_MASK),
    FIELD("clint.mtime", clint.mtime, ALL),
    FIELD("clint.mtimecmp", clint.mtimecmp, ALL),
    FIELD("clint.msip", clint.msip, 1),
    DEVICE_FIELD("plic.priority", plic.priority, 7),
    DEVICE_FIELD("plic.pending", plic.pending, SOURCES),
    DEVICE_FIELD("plic.claimed", plic.claimed, SOURCES),
    FIELD("plic.enable", plic.enable, SOURCES),
    FIELD("plic.threshold", plic.threshold, 7),
    DEVICE_FIELD("uart.ier", uart.ier, 15),
    DEVICE_FIELD("uart.lcr", uart.lcr, 0xff),
    DEVICE_FIELD("uart.mcr", uart.mcr, 31),
    DEVICE_FIELD("uart.scr", uart.scr, 0xff),
    DEVICE_FIELD("uart.fcr", uart.fcr, 0xc1),
    DEVICE_FIELD("uart.dll", uart.dll, 0xff),
    DEVICE_FIELD("uart.dlm", uart.dlm, 0xff),
    DEVICE_FIELD("uart.thr_empty", uart.thr_empty, 1),
    DEVICE_FIELD("uart.overrun", uart.overrun, 1),
    DEVICE_FIELD("uart.count", uart.count, 31),
    DEVICE_FIELD("uart.fifo", uart.fifo, 0xff),
    DISK_FIELD("disk.offered_half", disk.offered_half, UINT32_MAX),
    DISK_FIELD("disk.accepted_half", disk.accepted_half, UINT32_MAX),
    DISK_FIELD("disk.accepted", disk.accepted, UINT32_MAX),
    DISK_FIELD("disk.status", disk.status, 0xff),
    DISK_FIELD("disk.interrupt", disk.interrupt, 3),
    DISK_FIELD("disk.selected", disk.selected, UINT32_MAX),
    DISK_FIELD("disk.size", disk.size, 0xff),
    DISK_FIELD("disk.ready", disk.ready, 1),
    DISK_FIELD("disk.descriptors", disk.descriptors, ALL),
    DISK_FIELD("disk.driver", disk.driver, ALL),
    DISK_FIELD("disk.device", disk.device, ALL),
    DISK_FIELD("disk.last", disk.last, 0xffff),
    DISK_FIELD("disk.used", disk.used, 0xffff),
    DISK_FIELD("disk.due", disk.due, ALL),
};
enum { NFIELDS = sizeof(FIELDS) / sizeof(FIELDS[0]), DIGITS = 17, KEY_SIZE = 48 };

/* Gets the name of the field's key. Returns false if the machine has no such field, or
 * another hart has it. */
static bool field_key(const struct field *f, unsigned hart,
		      const struct soc_features *features, char key[KEY_SIZE])
{
	if ((f->owner == OF_FLOAT && !features->fpu) ||
	    (f->owner == OF_DISK && !features->disk) ||
	    (f->owner >= OF_DEVICES && hart > 0))
		return false;
	if (hart > 0)
		snprintf(key, KEY_SIZE, "hart%u.%s", hart, f->key);
	else
		snprintf(key, KEY_SIZE, "%s", f->key);
	return true;
}

int checkpoint_put_hart(struct tr_header *keys, unsigned hart,
			const struct soc_state *state,
			const struct soc_features *features)
{
	char text[32 * DIGITS + 1], key[KEY_SIZE];
	int status = TR_OK;

	for (size_t i = 0; i < NFIELDS && !status; i++) {
		const struct field *f = &FIELDS[i];
		const uint64_t *values =
		    (const uint64_t *)(const void *)((const char *)state + f->at);
		size_t used = 0;

		if (!field_key(f, hart, features, key))
			continue;
		for (size_t n = 0; n < f->count; n++)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "%s%" PRIx64, n ? "," : "", values[n]);
		status = tr_header_set(keys, key, text);
	}
	return status;
}

int checkpoint_put_state(struct tr_header *keys, const struct soc_state *state,
			 const struct soc_features *features)
{
	return checkpoint_put_hart(keys, 0, state, features);
}

static bool parse_state_field(const struct field *f, const char *text, uint64_t *values)
{
	char *end;

	for (size_t n = 0; n < f->count; n++) {
		if (n && *text++ != ',')
			return false;
		if (!isxdigit((unsigned char)*text))
			return false;
		errno = 0;
		values[n] = strtoull(text, &end, 16);
		if (errno || values[n] & ~f->mask)
			return false;
		text = end;
	}
	return *text == 0;
}

/* W without R is reserved. */
static bool is_pmp_valid(uint64_t config)
{
	return (config >> 1 & ~config & UINT64_C(0x0101010101010101)) == 0;
}

/* Returns NULL, or the key of an array with a value that masks do not exclude. */
static const char *check_lists(const struct soc_state *s)
{
	if (s->x[0] != 0)
		return "x";
	if (s->plic.priority[0] != 0)
		return "plic.priority";
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++)
		if (s->mhpmevent[i] != 0 && !(s->mhpmevent[i] & MHPMEVENTS))
			return "mhpmevent";
	for (unsigned i = (unsigned)s->uart.count; i < SOC_UART_FIFO; i++)
		if (s->uart.fifo[i] != 0)
			return "uart.fifo";
	return NULL;
}

/* The same, of the disk. */
static const char *find_invalid_disk_key(const struct soc_state *s)
{
	if (s->disk.size > SOC_VIRTIO_QUEUE || s->disk.size & (s->disk.size - 1))
		return "disk.size";
	if (s->disk.ready && !s->disk.size)
		return "disk.ready";
	return s->disk.due != SOC_DISK_IDLE && !s->disk.ready ? "disk.due" : NULL;
}

/* Values that masks do not exclude. Returns NULL, or the key of one. */
static const char *find_invalid_key(const struct soc_state *s,
				    const struct soc_features *features)
{
	uint64_t room = s->uart.fcr & 1 ? SOC_UART_FIFO : 1;

	if (s->priv == 2)
		return "priv";
	if (s->reservation != SOC_NOT_RESERVED && s->reservation % SOC_LR_BYTES)
		return "reservation";
	if ((s->mstatus >> SOC_MPP_SHIFT & 3) == 2 ||
	    (!features->fpu && s->mstatus & SOC_MSTATUS_FS))
		return "mstatus";
	if (!is_pmp_valid(s->pmpcfg))
		return "pmpcfg";
	if (s->uart.count > room)
		return "uart.count";
	const char *key = features->disk ? find_invalid_disk_key(s) : NULL;
	return key ? key : check_lists(s);
}

const char *checkpoint_get_hart(const struct tr_header *keys, unsigned hart,
				struct soc_state *state,
				const struct soc_features *features)
{
	char key[KEY_SIZE];

	for (size_t i = 0; i < NFIELDS; i++) {
		const struct field *f = &FIELDS[i];

		if (!field_key(f, hart, features, key))
			continue;
		const char *text = tr_header_get(keys, key);

		if (!text || !parse_state_field(
				 f, text, (uint64_t *)(void *)((char *)state + f->at)))
			return f->key;
	}
	return find_invalid_key(state, features);
}

const char *checkpoint_get_state(const struct tr_header *keys, struct soc_state *state,
				 const struct soc_features *features)
{
	*state = (struct soc_state){.cycle = 0};
	return checkpoint_get_hart(keys, 0, state, features);
}
