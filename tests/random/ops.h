/* SPDX-License-Identifier: Apache-2.0 */
/* The random operations, each of which writes a few instructions. */
#ifndef RANDOM_OPS_H
#define RANDOM_OPS_H

#include "chunk.h"

/* ops_compute.c */
void op_alu(struct chunk *k);
void op_alu_short(struct chunk *k);
void op_chain(struct chunk *k);
void op_divide(struct chunk *k);
void op_fence(struct chunk *k);

/* ops_memory.c */
void op_load_store(struct chunk *k);
void op_load_store_short(struct chunk *k);
void op_load_use(struct chunk *k);
void op_overlap(struct chunk *k);
void op_index(struct chunk *k);
void op_new_pointer(struct chunk *k);
void op_stride(struct chunk *k);
void op_sweep(struct chunk *k);
void op_scatter(struct chunk *k);

/* ops_atomic.c */
void op_amo(struct chunk *k);
void op_reserve(struct chunk *k);
void op_retry(struct chunk *k);

/* ops_branch.c */
void op_skip(struct chunk *k);
void op_loop(struct chunk *k);
void op_jump(struct chunk *k);
void op_call(struct chunk *k);
void op_nest_calls(struct chunk *k);
void op_recurse(struct chunk *k);
void op_table(struct chunk *k);

/* ops_trap.c */
void op_environment(struct chunk *k);
void op_illegal(struct chunk *k);
void op_misaligned(struct chunk *k);
void op_nowhere(struct chunk *k);
void op_fault(struct chunk *k);
void op_fetch_fault(struct chunk *k);
void op_arena(struct chunk *k);
/* Writes one access of any kind to the address in a register; it may trap. */
void gen_access(struct chunk *k, unsigned address);
/* Returns an address in the current space that may fault. */
uint64_t gen_fault_address(struct chunk *k);

/* ops_csr.c */
void op_csr(struct chunk *k);
void op_csr_any(struct chunk *k);
void op_counter(struct chunk *k);
void op_status(struct chunk *k);
void op_tvec(struct chunk *k);
/* Returns whether an instruction can read or write this CSR. */
bool csr_exists(unsigned csr);
bool csr_varies(unsigned csr); /* with time or events */

/* ops_system.c */
void op_interrupt(struct chunk *k);
void op_wait(struct chunk *k);
void op_return(struct chunk *k);
void op_mprv(struct chunk *k);
/* Sets the timer's interrupt to `mtime` steps from now; changes two registers. */
void gen_arm_timer(struct chunk *k);

/* ops_vm.c */
void op_sfence(struct chunk *k);
void op_pte(struct chunk *k);
void op_satp(struct chunk *k);
void op_pmp(struct chunk *k);
/* Writes sfence.vma for a change of the entry for this address in this space; `leaf`: the
 * entry maps a page; `global`: it may be global, so that the ASID does not matter. */
void gen_sfence(struct chunk *k, uint64_t va, uint64_t asid, bool leaf, bool global);

/* ops_device.c */
void op_uart(struct chunk *k);
void op_plic(struct chunk *k);
void op_clint(struct chunk *k);
void op_device_fault(struct chunk *k);

/* ops_float.c */
void op_float(struct chunk *k);
void op_float_operand(struct chunk *k);
void op_float_integer(struct chunk *k);
void op_float_chain(struct chunk *k);
void op_float_memory(struct chunk *k);
void op_float_state(struct chunk *k);
void op_float_illegal(struct chunk *k);
void op_fcsr(struct chunk *k);
/* As gen_access, by an instruction of floating point. */
void gen_float_access(struct chunk *k, unsigned address);

/* ops_patch.c */
void op_patch(struct chunk *k);

#endif
