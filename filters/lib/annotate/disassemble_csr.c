/* SPDX-License-Identifier: Apache-2.0 */
/* Names of CSRs: tables of chapter "Control and Status Registers" of the privileged
 * specification. */
#include <stdio.h>

#include "annotate/disassemble.h"

static const struct {
	uint16_t number;
	const char *name;
} registers[] = {
    {0x001, "fflags"},	      {0x002, "frm"},
    {0x003, "fcsr"},	      {0x008, "vstart"},
    {0x009, "vxsat"},	      {0x00a, "vxrm"},
    {0x00f, "vcsr"},	      {0x015, "seed"},
    {0x100, "sstatus"},	      {0x104, "sie"},
    {0x105, "stvec"},	      {0x106, "scounteren"},
    {0x10a, "senvcfg"},	      {0x140, "sscratch"},
    {0x141, "sepc"},	      {0x142, "scause"},
    {0x143, "stval"},	      {0x144, "sip"},
    {0x14d, "stimecmp"},      {0x15d, "stimecmph"},
    {0x180, "satp"},	      {0x200, "vsstatus"},
    {0x204, "vsie"},	      {0x205, "vstvec"},
    {0x240, "vsscratch"},     {0x241, "vsepc"},
    {0x242, "vscause"},	      {0x243, "vstval"},
    {0x244, "vsip"},	      {0x24d, "vstimecmp"},
    {0x25d, "vstimecmph"},    {0x280, "vsatp"},
    {0x300, "mstatus"},	      {0x301, "misa"},
    {0x302, "medeleg"},	      {0x303, "mideleg"},
    {0x304, "mie"},	      {0x305, "mtvec"},
    {0x306, "mcounteren"},    {0x30a, "menvcfg"},
    {0x310, "mstatush"},      {0x31a, "menvcfgh"},
    {0x320, "mcountinhibit"}, {0x340, "mscratch"},
    {0x341, "mepc"},	      {0x342, "mcause"},
    {0x343, "mtval"},	      {0x344, "mip"},
    {0x34a, "mtinst"},	      {0x34b, "mtval2"},
    {0x5a8, "scontext"},      {0x600, "hstatus"},
    {0x602, "hedeleg"},	      {0x603, "hideleg"},
    {0x604, "hie"},	      {0x605, "htimedelta"},
    {0x606, "hcounteren"},    {0x607, "hgeie"},
    {0x60a, "henvcfg"},	      {0x615, "htimedeltah"},
    {0x61a, "henvcfgh"},      {0x643, "htval"},
    {0x644, "hip"},	      {0x645, "hvip"},
    {0x64a, "htinst"},	      {0x680, "hgatp"},
    {0x6a8, "hcontext"},      {0x747, "mseccfg"},
    {0x757, "mseccfgh"},      {0x7a0, "tselect"},
    {0x7a1, "tdata1"},	      {0x7a2, "tdata2"},
    {0x7a3, "tdata3"},	      {0x7a4, "tinfo"},
    {0x7a5, "tcontrol"},      {0x7a8, "mcontext"},
    {0x7b0, "dcsr"},	      {0x7b1, "dpc"},
    {0x7b2, "dscratch0"},     {0x7b3, "dscratch1"},
    {0xb00, "mcycle"},	      {0xb02, "minstret"},
    {0xb80, "mcycleh"},	      {0xb82, "minstreth"},
    {0xc00, "cycle"},	      {0xc01, "time"},
    {0xc02, "instret"},	      {0xc20, "vl"},
    {0xc21, "vtype"},	      {0xc22, "vlenb"},
    {0xc80, "cycleh"},	      {0xc81, "timeh"},
    {0xc82, "instreth"},      {0xda0, "scountovf"},
    {0xe12, "hgeip"},	      {0xf11, "mvendorid"},
    {0xf12, "marchid"},	      {0xf13, "mimpid"},
    {0xf14, "mhartid"},	      {0xf15, "mconfigptr"},
};

/* Registers with numbers in their names. */
static const struct {
	uint16_t low, high; /* the CSRs */
	uint8_t first;	    /* number of the lowest */
	const char *name, *after;
} ranges[] = {
    {0x323, 0x33f, 3, "mhpmevent", ""},	  {0x3a0, 0x3af, 0, "pmpcfg", ""},
    {0x3b0, 0x3ef, 0, "pmpaddr", ""},	  {0x723, 0x73f, 3, "mhpmevent", "h"},
    {0xb03, 0xb1f, 3, "mhpmcounter", ""}, {0xb83, 0xb9f, 3, "mhpmcounter", "h"},
    {0xc03, 0xc1f, 3, "hpmcounter", ""},  {0xc83, 0xc9f, 3, "hpmcounter", "h"},
    {0x10c, 0x10f, 0, "sstateen", ""},	  {0x30c, 0x30f, 0, "mstateen", ""},
    {0x31c, 0x31f, 0, "mstateen", "h"},	  {0x60c, 0x60f, 0, "hstateen", ""},
    {0x61c, 0x61f, 0, "hstateen", "h"},
};

const char *tr_csr_name(unsigned number, char text[24])
{
	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (registers[i].number == number)
			return registers[i].name;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (number >= ranges[i].low && number <= ranges[i].high) {
			snprintf(text, 24, "%s%u%s", ranges[i].name,
				 number - ranges[i].low + ranges[i].first,
				 ranges[i].after);
			return text;
		}
	return NULL;
}
