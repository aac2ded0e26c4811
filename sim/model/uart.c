/* SPDX-License-Identifier: Apache-2.0 */
/* The UART: a 16550A whose transmitter is always ready. */
#include "internal.h"

enum { RBR = 0, IER = 1, IIR = 2, LCR = 3, MCR = 4, LSR = 5, MSR = 6, SCR = 7 };
enum { IER_RX = 1, IER_TX = 2, IER_LINE = 4, LCR_DLAB = 0x80, MCR_LOOP = 0x10 };
enum { LSR_READY = 1, LSR_OVERRUN = 2, LSR_TX_EMPTY = 0x60 };
enum {
	IIR_NONE = 1,
	IIR_TX = 2,
	IIR_RX = 4,
	IIR_LINE = 6,
	IIR_TIMEOUT = 0xc,
	IIR_FIFO = 0xc0
};
enum { FCR_ENABLE = 1, FCR_CLEAR_RX = 2 };

static unsigned fifo_trigger_level(const struct soc_uart *u)
{
	static const uint8_t level[4] = {1, 4, 8, 14};

	return u->fcr & FCR_ENABLE ? level[u->fcr >> 6] : 1;
}

static unsigned fifo_capacity(const struct soc_uart *u)
{
	return u->fcr & FCR_ENABLE ? sizeof(u->fifo) : 1;
}

/* Returns the interrupt reason: the low bits of IIR. Bytes below the trigger level time
 * out at once. */
static unsigned interrupt_reason(const struct soc_uart *u)
{
	if ((u->ier & IER_LINE) && u->overrun)
		return IIR_LINE;
	if ((u->ier & IER_RX) && u->count)
		return u->count >= fifo_trigger_level(u) ? IIR_RX : IIR_TIMEOUT;
	if ((u->ier & IER_TX) && u->thr_empty)
		return IIR_TX;
	return IIR_NONE;
}

bool soc_uart_interrupts(const struct soc *soc)
{
	return interrupt_reason(&soc->uart) != IIR_NONE;
}

static void update_uart_line(struct soc *soc)
{
	soc_plic_line(soc, SOC_UART_IRQ, soc_uart_interrupts(soc));
}

static bool push_received_byte(struct soc_uart *u, uint8_t byte)
{
	if (u->count >= fifo_capacity(u))
		return false;
	u->fifo[(u->first + u->count++) % sizeof(u->fifo)] = byte;
	return true;
}

static uint8_t pop_received_byte(struct soc_uart *u)
{
	if (u->count == 0)
		return 0;
	uint8_t byte = u->fifo[u->first];
	u->first = (u->first + 1) % sizeof(u->fifo);
	u->count--;
	return byte;
}

size_t soc_uart_receive(struct soc *soc, const uint8_t *data, size_t size)
{
	size_t taken = 0;

	if (soc->uart.mcr & MCR_LOOP)
		return 0;
	while (taken < size && push_received_byte(&soc->uart, data[taken]))
		taken++;
	update_uart_line(soc);
	return taken;
}

static uint8_t read_lsr(struct soc_uart *u)
{
	uint8_t value = LSR_TX_EMPTY;

	if (u->count)
		value |= LSR_READY;
	if (u->overrun)
		value |= LSR_OVERRUN;
	u->overrun = false;
	return value;
}

/* In loop-back the modem lines show MCR's bits, otherwise those of a connected
 * terminal. */
static uint8_t read_msr(const struct soc_uart *u)
{
	unsigned m = u->mcr;

	if (!(m & MCR_LOOP))
		return 0xb0;
	return (uint8_t)((m & 2) << 3 | (m & 1) << 5 | (m & 4) << 4 | (m & 8) << 4);
}

static uint8_t read_iir(struct soc_uart *u)
{
	unsigned why = interrupt_reason(u);

	if (why == IIR_TX)
		u->thr_empty = false;
	return (uint8_t)(why | (u->fcr & FCR_ENABLE ? IIR_FIFO : 0));
}

static uint8_t read_uart_register(struct soc_uart *u, unsigned reg)
{
	switch (reg) {
	case RBR:
		return u->lcr & LCR_DLAB ? u->dll : pop_received_byte(u);
	case IER:
		return u->lcr & LCR_DLAB ? u->dlm : u->ier;
	case IIR:
		return read_iir(u);
	case LCR:
		return u->lcr;
	case MCR:
		return u->mcr;
	case LSR:
		return read_lsr(u);
	case MSR:
		return read_msr(u);
	default:
		return u->scr;
	}
}

static void transmit_byte(struct soc *soc, uint8_t byte)
{
	struct soc_uart *u = &soc->uart;

	u->thr_empty = true;
	if (!(u->mcr & MCR_LOOP)) {
		if (soc->hooks.uart)
			soc->hooks.uart(soc->hooks.user, byte);
	} else if (!push_received_byte(u, byte)) {
		u->overrun = true;
	}
}

static void write_control(struct soc_uart *u, uint8_t value)
{
	if ((value ^ u->fcr) & FCR_ENABLE || value & FCR_CLEAR_RX)
		u->count = 0;
	u->fcr = value & 0xc1;
}

static void write_register(struct soc *soc, unsigned reg, uint8_t value)
{
	struct soc_uart *u = &soc->uart;

	switch (reg) {
	case RBR:
		if (u->lcr & LCR_DLAB)
			u->dll = value;
		else
			transmit_byte(soc, value);
		break;
	case IER:
		if (u->lcr & LCR_DLAB) {
			u->dlm = value;
			break;
		}
		if ((value & IER_TX) && !(u->ier & IER_TX))
			u->thr_empty = true;
		u->ier = value & 15;
		break;
	case IIR:
		write_control(u, value);
		break;
	case LCR:
		u->lcr = value;
		break;
	case MCR:
		u->mcr = value & 31;
		break;
	case SCR:
		u->scr = value;
		break;
	default:
		break;
	}
}

bool soc_uart_load(struct soc *soc, uint64_t offset, unsigned size, uint64_t *value)
{
	*value = 0;
	if (size != 1)
		return false;
	if (offset <= SCR) {
		*value = read_uart_register(&soc->uart, (unsigned)offset);
		update_uart_line(soc);
	}
	return true;
}

bool soc_uart_store(struct soc *soc, uint64_t offset, unsigned size, uint64_t value)
{
	if (size != 1)
		return false;
	if (offset <= SCR) {
		write_register(soc, (unsigned)offset, (uint8_t)value);
		update_uart_line(soc);
	}
	return true;
}
