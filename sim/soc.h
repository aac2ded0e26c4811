/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's address map and parameters, shared by the model, the harness and the
 * software that runs on it. Plain #defines only, so that assembler and linker scripts can
 * include it. Devices have the addresses of QEMU's "virt" machine, so that drivers exist
 * and Debian's QEMU can serve as a reference. */
#ifndef SOC_H
#define SOC_H

#define SOC_HARTS     1 /* of soc.sv; soc_smp.sv has a parameter */
#define SOC_HARTS_MAX 4 /* of the functional model and the firmware */

#define SOC_RESET_PC 0x80000000 /* first instruction after reset, in RAM */

#define SOC_RAM_BASE	     0x80000000
#define SOC_RAM_DEFAULT_SIZE 0x8000000 /* 128 MiB */

#define SOC_POWER_BASE	0x100000 /* "sifive,test0": one 32-bit register */
#define SOC_POWER_SIZE	0x1000
#define SOC_POWER_OFF	0x5555 /* exit status 0 */
#define SOC_POWER_FAIL	0x3333 /* status in bits 31:16 */
#define SOC_POWER_RESET 0x7777

#define SOC_CLINT_BASE	   0x2000000 /* "sifive,clint0" */
#define SOC_CLINT_SIZE	   0x10000
#define SOC_CLINT_MSIP	   0x0000 /* 4 bytes per hart */
#define SOC_CLINT_MTIMECMP 0x4000 /* 8 bytes per hart */
#define SOC_CLINT_MTIME	   0xbff8

#define SOC_PLIC_BASE	 0xc000000 /* "sifive,plic-1.0.0" */
#define SOC_PLIC_SIZE	 0x600000
#define SOC_PLIC_SOURCES 31 /* 1 to 31; contexts 2h: M of hart h, 2h+1: S */

#define SOC_UART_BASE 0x10000000 /* "ns16550a", 8-bit registers, shift 0 */
#define SOC_UART_SIZE 0x100
#define SOC_UART_IRQ  10

#define SOC_DISK_BASE 0x10008000 /* "virtio,mmio", a block device: sim/README.md */
#define SOC_DISK_SIZE 0x1000
#define SOC_DISK_IRQ  8

#define SOC_NIC_BASE	 0x10016000 /* rtl/nic/nic.md */
#define SOC_NIC_SIZE	 0x1000
#define SOC_NIC_SEND_IRQ 1
#define SOC_NIC_RECV_IRQ 2

#define SOC_CLOCK_HZ	3200000000 /* nominal core clock */
#define SOC_TIMEBASE_HZ 1000000	   /* rate of mtime; one step every 3200 cycles */

/* Choices that the specification leaves open; RTL, model and firmware all follow them.
 * - A page-table entry with A=0, or D=0 on a store, raises a page fault.
 * - A misaligned load, store or AMO traps; firmware emulates loads and stores.
 * - satp writes with a mode other than Bare and Sv39 are ignored as a whole.
 * - 16 ASID bits. 8 PMP entries (NAPOT, TOR, NA4), granularity 4 bytes.
 * - mtvec and stvec: direct and vectored. misa and mvendorid are read-only; mvendorid,
 *   marchid and mimpid are 0, mhartid is the hart.
 * - mtval and stval hold the address, or the instruction bits of an illegal instruction;
 *   0 for ecall; pc for ebreak.
 * - WFI is legal in S (TW=0) and completes at once when an interrupt is pending and
 *   enabled in mie, regardless of the global enables; in U it is illegal.
 * - sstatus.FS and mstatus.FS are 0 unless F and D are implemented.
 * - mcountinhibit is implemented for cycle, instret and the implemented event counters:
 *   SOC_HPM_COUNTERS from mhpmcounter3 on; the others read 0. mhpmevent keeps bits 25:8
 *   and 1:0, and is 0 unless one of the former is set. The functional model has these
 *   registers, but counts no events.
 * - An LR reserves 64 bytes; any store by the hart, trap or xret ends the reservation,
 * and so does a store to these bytes by another hart. SC to another line fails. No
 * spurious failures.
 * - Interrupts are taken between instructions, in the order of the privileged
 *   specification (MEI, MSI, MTI, SEI, SSI, STI).
 * - Misaligned addresses are reported before page and access faults. SC checks alignment
 *   and access even without a reservation, and a failed SC ends it; LR, SC and AMO
 *   outside RAM raise access faults, AMOs always as stores.
 * - A page-table access to an unmapped address, or one that the PMP denies, is an access
 *   fault of the kind of the original access. Non-leaf entries with A, D or U, entries
 *   with bits 63:54 set, and non-canonical addresses are page faults.
 * - S and U need a matching PMP entry; an access partly inside one fails. R=0 with W=1 is
 *   never read back. pmpaddr8 to 15 and pmpcfg2 read 0.
 * - medeleg 0xb3ff, mideleg 0x222, menvcfg and senvcfg FIOM only. MPP is never 2. TW=1
 *   makes WFI in S illegal at once. mret and sret to a mode below M clear MPRV.
 * - A counter read returns the commits before the reading instruction; a write replaces
 *   the increment of the writing instruction.
 * - The PLIC ignores completion of a source that is not enabled for that context. The
 *   UART accepts bytes only; PLIC and power device 4 bytes only; CLINT 4 or 8; any other
 *   access is an access fault.
 * - At reset a0 is the hart and a1 the address of a device tree, or 0; entry points of
 *   ELF files are ignored. */
#define SOC_ASID_BITS	 16
#define SOC_PMP_ENTRIES	 8
#define SOC_HPM_COUNTERS 6
#define SOC_HPM_WIDTH	 40
#define SOC_LR_BYTES	 64

#endif
