/* SPDX-License-Identifier: Apache-2.0 */
/* CSR access, and the CSR bits that firmware and supervisor use. */
#ifndef CSR_H
#define CSR_H

#define STATUS_SIE   0x2
#define STATUS_SPIE  0x20
#define STATUS_SPP   0x100
#define STATUS_MPP_S 0x800
#define STATUS_MPRV  0x20000
#define STATUS_SUM   0x40000
#define STATUS_MXR   0x80000

#define IP_SSIP 0x2
#define IP_MSIP 0x8
#define IP_STIP 0x20
#define IP_MTIP 0x80
#define IP_SEIP 0x200

#define CAUSE_INTERRUPT	       (1UL << 63)
#define CAUSE_FETCH_MISALIGNED 0
#define CAUSE_FETCH_ACCESS     1
#define CAUSE_ILLEGAL	       2
#define CAUSE_BREAKPOINT       3
#define CAUSE_LOAD_MISALIGNED  4
#define CAUSE_LOAD_ACCESS      5
#define CAUSE_STORE_MISALIGNED 6
#define CAUSE_STORE_ACCESS     7
#define CAUSE_USER_ECALL       8
#define CAUSE_SUPERVISOR_ECALL 9
#define CAUSE_FETCH_PAGE       12
#define CAUSE_LOAD_PAGE	       13
#define CAUSE_STORE_PAGE       15
#define CAUSE_SUPERVISOR_TIMER (CAUSE_INTERRUPT | 5)
#define CAUSE_MACHINE_SOFTWARE (CAUSE_INTERRUPT | 3)
#define CAUSE_MACHINE_TIMER    (CAUSE_INTERRUPT | 7)

#ifndef __ASSEMBLER__
#define csr_read(csr)                                                                    \
	__extension__({                                                                  \
		unsigned long value_;                                                    \
		__asm__ volatile("csrr %0, " #csr : "=r"(value_) : : "memory");          \
		value_;                                                                  \
	})
#define csr_write(csr, value)                                                            \
	__asm__ volatile("csrw " #csr ", %0"                                             \
			 :                                                               \
			 : "rK"((unsigned long)(value))                                  \
			 : "memor"                                                       \
			   "y")
#define csr_set(csr, bits)                                                               \
	__asm__ volatile("csrs " #csr ", %0" : : "rK"((unsigned long)(bits)) : "memory")
#define csr_clear(csr, bits)                                                             \
	__asm__ volatile("csrc " #csr ", %0" : : "rK"((unsigned long)(bits)) : "memory")
#endif

#endif
