/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of assembly, as the programs list them for the truth: each is three numbers
 * of 64 bits, its kind, its begin and its end, from truth_spans to truth_spans_end.
 */
#ifndef TRUTH_SPANS_H
#define TRUTH_SPANS_H

/* The trap has not been saved: pc, privilege and cause are in CSRs, sp is as call frame
 * information has it, and the other registers are as they were. */
#define SPAN_ENTRY 1
/* Registers are loaded for what comes next. The stack is that of the instruction before
 * the stretch: until the next transfer of control what leaves is what runs. */
#define SPAN_LEAVING 2
/* A thread begins: there is nothing below, and it begins at sp plus the size of a trap's
 * frame. */
#define SPAN_START 3
/* There is nothing below, and the stack begins at sp. */
#define SPAN_ROOT 4

#endif
