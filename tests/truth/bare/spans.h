/* SPDX-License-Identifier: Apache-2.0 */
/* Spans of assembly that the programs list for the comparison. Each is three 64-bit
 * numbers, its kind, start and end, from truth_spans to truth_spans_end. */
#ifndef TRUTH_SPANS_H
#define TRUTH_SPANS_H

/* The trap has not been saved: pc, privilege and cause are in CSRs, sp is as in call
 * frame information, and the other registers are unchanged. */
#define SPAN_ENTRY 1
/* Registers are loaded for the next task. The stack is that of the instruction before the
 * span: until the next control transfer the outgoing task runs. */
#define SPAN_LEAVING 2
/* A thread starts: this is its outermost frame, and its stack starts at sp plus the size
 * of a trap frame. */
#define SPAN_START 3
/* This is the outermost frame, and the stack starts at sp. */
#define SPAN_ROOT 4
/* Only for kernels: the outermost function of a trap handler. Below it is the stack at
 * the trap, or nothing if the task has not run yet. */
#define SPAN_TRAP 5
/* Only for kernels: SPAN_ROOT on a stack that serves interrupts as well. Its owner runs
 * now, and traps that have not returned never will. */
#define SPAN_OWNER 6

#endif
