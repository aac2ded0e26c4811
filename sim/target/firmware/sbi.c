/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the RISC-V Supervisor Binary Interface. */
#include "firmware.h"
#include "soc.h"

enum {
	LEGACY_SET_TIMER = 0,
	LEGACY_PUTCHAR = 1,
	LEGACY_GETCHAR = 2,
	LEGACY_SHUTDOWN = 8,
	EXT_BASE = 0x10,
	EXT_HSM = 0x48534d,
	EXT_IPI = 0x735049,
	EXT_RFENCE = 0x52464e43,
	EXT_RESET = 0x53525354,
	EXT_TIME = 0x54494d45,
};

enum { SPEC_VERSION = 3 }; /* 0.3, the first with reset */

static void set_timer(uint64_t when)
{
	*(volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIMECMP + 8UL * this_hart()) =
	    when;
	csr_clear(mip, IP_STIP);
	csr_set(mie, IP_MTIP);
}

static bool is_extension(uint64_t id)
{
	return id <= LEGACY_GETCHAR || id == LEGACY_SHUTDOWN || id == EXT_BASE ||
	       id == EXT_IPI || id == EXT_RFENCE || id == EXT_RESET || id == EXT_TIME ||
	       (HARTS > 1 && id == EXT_HSM);
}

static int64_t base(const struct frame *frame, uint64_t *value)
{
	switch (frame->x[REG_A6]) {
	case 0:
		*value = SPEC_VERSION;
		return SBI_OK;
	case 1: /* implementation id: none is registered */
		*value = 0xffff;
		return SBI_OK;
	case 2:
		*value = 1;
		return SBI_OK;
	case 3:
		*value = is_extension(frame->x[REG_A0]);
		return SBI_OK;
	case 4:
		*value = csr_read(mvendorid);
		return SBI_OK;
	case 5:
		*value = csr_read(marchid);
		return SBI_OK;
	case 6:
		*value = csr_read(mimpid);
		return SBI_OK;
	default:
		return SBI_NOT_SUPPORTED;
	}
}

static int64_t send_ipi(uint64_t mask, uint64_t first)
{
#if HARTS > 1
	return harts_send_ipi(mask, first);
#else
	if (first != 0 && first != UINT64_MAX)
		return SBI_INVALID;
	if (first == UINT64_MAX || (mask & 1))
		csr_set(mip, IP_SSIP);
	return SBI_OK;
#endif
}

/* With a single hart a remote fence is a local one; it covers everything. */
static int64_t fence(uint64_t mask, uint64_t first)
{
#if HARTS > 1
	return harts_fence(mask, first);
#else
	(void)mask, (void)first;
	fence_all();
	return SBI_OK;
#endif
}

static int64_t reset(uint64_t type, uint64_t reason)
{
	if (type > 2 || reason > 1)
		return SBI_INVALID;
	if (type != 0)
		power(SOC_POWER_RESET);
	power(reason == 0 ? SOC_POWER_OFF : SOC_POWER_FAIL | 1 << 16);
}

static int64_t extension(const struct frame *frame, uint64_t *value)
{
	uint64_t function = frame->x[REG_A6];

	switch (frame->x[REG_A7]) {
	case EXT_BASE:
		return base(frame, value);
	case EXT_TIME:
		if (function != 0)
			return SBI_NOT_SUPPORTED;
		set_timer(frame->x[REG_A0]);
		return SBI_OK;
	case EXT_IPI:
		if (function != 0)
			return SBI_NOT_SUPPORTED;
		return send_ipi(frame->x[REG_A0], frame->x[REG_A1]);
	case EXT_RFENCE:
		if (function > 2)
			return SBI_NOT_SUPPORTED;
		return fence(frame->x[REG_A0], frame->x[REG_A1]);
#if HARTS > 1
	case EXT_HSM:
		return harts_manage(frame, value);
#endif
	case EXT_RESET:
		if (function != 0)
			return SBI_NOT_SUPPORTED;
		return reset(frame->x[REG_A0], frame->x[REG_A1]);
	default:
		return SBI_NOT_SUPPORTED;
	}
}

static int64_t legacy(const struct frame *frame)
{
	uint64_t argument = frame->x[REG_A0];

	switch (frame->x[REG_A7]) {
	case LEGACY_SET_TIMER:
		set_timer(argument);
		break;
	case LEGACY_PUTCHAR:
		uart_put((char)argument);
		break;
	case LEGACY_GETCHAR:
		return uart_get();
	case LEGACY_SHUTDOWN:
		power(SOC_POWER_OFF);
	default:
		return SBI_NOT_SUPPORTED;
	}
	return SBI_OK;
}

void sbi_call(struct frame *frame)
{
	uint64_t value = 0;

	if (frame->x[REG_A7] <= LEGACY_SHUTDOWN) {
		frame->x[REG_A0] = (uint64_t)legacy(frame);
		return;
	}
	frame->x[REG_A0] = (uint64_t)extension(frame, &value);
	frame->x[REG_A1] = value;
}
