/* SPDX-License-Identifier: Apache-2.0 */
/* The page that soc-restore adds to an ELF file, shared with its code, which is
 * sim/target/restore/restore.S. Plain #defines only, so that assembler can include it. */
#ifndef RESTORE_TABLE_H
#define RESTORE_TABLE_H

#define RESTORE_SIZE  4096 /* bytes of the page */
#define RESTORE_TABLE 2048 /* byte of the page where its values begin: 8 bytes each */

/* The first bytes of the code are the jump to it, which takes the place of the first
 * instructions of memory. */
#define RESTORE_JUMP  24 /* bytes of the jump */
#define RESTORE_ENTRY 16 /* byte of the jump with the address where the code begins */
#define RESTORE_HALT  24 /* byte of the page: the loop in which a failure ends */
#define RESTORE_BEGIN 28 /* byte of the page where the code begins */

/* Values that the code reads, in this order:
 *	1 if the devices are to be restored
 *	RESTORE_JUMP / 8 values of the memory that the jump has replaced
 *	1 if there are F and D; f0 to f31; fcsr
 *	UART: FCR, DLL, DLM, MCR, SCR, IER, 1 to end the interrupt that this raises, LCR
 *	PLIC: priorities 1 to 31; enables and thresholds of M, of S
 *	RESTORE_CSRS
 *	mhpmcounter3 to 8, pmpaddr0 to 7, pmpcfg0, mcountinhibit, mhpmevent3 to 8
 *	CLINT: msip, mtime, mtimecmp
 *	mtvec, mcause, mtval, mepc, mstatus, mcycle, minstret
 *	x0 to x31 */
#define RESTORE_VALUES 160

/* Members of struct soc_state. Those of the second kind lead nowhere unless the core
 * keeps each bit. */
#define RESTORE_CSRS(plain, kept)                                                        \
	plain(menvcfg) plain(senvcfg) plain(medeleg) plain(mideleg) plain(mie)           \
	    plain(mip) plain(mcounteren) plain(scounteren) plain(mscratch)               \
		plain(sscratch) plain(sepc) plain(scause) plain(stval) kept(stvec)       \
		    kept(satp)

/* Instructions behind the write of the counter that are not the program's: its value in
 * the table is as much lower, unless it does not count. */
#define RESTORE_AFTER_CYCLE   33
#define RESTORE_AFTER_INSTRET 32

#endif
