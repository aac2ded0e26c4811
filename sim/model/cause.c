/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of traps for messages. */
#include "cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stream/mode.h"

enum { ILLEGAL = 2, BREAKPOINT = 3 };

const char *cause_name(uint64_t cause)
{
	static const char *const exceptions[] = {
	    "misaligned instruction address",
	    "instruction access fault",
	    "illegal instruction",
	    "breakpoint",
	    "misaligned load",
	    "load access fault",
	    "misaligned store",
	    "store access fault",
	    "ecall from user mode",
	    "ecall from supervisor mode",
	    NULL,
	    "ecall from machine mode",
	    "instruction page fault",
	    "load page fault",
	    NULL,
	    "store page fault",
	};
	static const char *const interrupts[] = {
	    NULL, "supervisor software interrupt", NULL, "machine software interrupt",
	    NULL, "supervisor timer interrupt",	   NULL, "machine timer interrupt",
	    NULL, "supervisor external interrupt", NULL, "machine external interrupt",
	};
	uint64_t number = cause << 1 >> 1;
	const char *text = NULL;

	if (number != cause && number < sizeof(interrupts) / sizeof(interrupts[0]))
		text = interrupts[number];
	else if (number == cause && cause < sizeof(exceptions) / sizeof(exceptions[0]))
		text = exceptions[cause];
	return text ? text : "trap of an unknown cause";
}

/* Returns whether tval is an address other than the program counter. */
static bool tells_address(const struct soc_trap *trap)
{
	switch (trap->cause) {
	case 4:
	case 5:
	case 6:
	case 7:
	case 13:
	case 15:
		return true;
	default:
		return trap->tval && trap->tval != trap->epc;
	}
}

void cause_text(const struct soc_trap *trap, char *text, size_t size)
{
	char value[32] = "";

	if (trap->cause == ILLEGAL)
		snprintf(value, sizeof(value), " 0x%0*" PRIx64,
			 (trap->tval & 3) == 3 ? 8 : 4, trap->tval);
	else if (trap->cause != BREAKPOINT && tells_address(trap))
		snprintf(value, sizeof(value), " for 0x%" PRIx64, trap->tval);
	snprintf(text, size, "%s%s at 0x%" PRIx64, cause_name(trap->cause), value,
		 trap->epc);
}

void cause_chain(const struct soc_trap *first, const struct soc_trap *last, char *text,
		 size_t size)
{
	bool same = first->cause == last->cause && first->epc == last->epc;
	size_t used = 0;

	if (!same) {
		cause_text(first, text, size);
		used = strlen(text);
		used += (size_t)snprintf(text + used, size - used, ", then ");
	}
	cause_text(last, text + used, size - used);
	used = strlen(text);
	snprintf(text + used, size - used, " (%s) for ever",
		 last->priv == TR_PRIV_M ? "mtvec" : "stvec");
}
