/* SPDX-License-Identifier: Apache-2.0 */
/* DWARF whose names dwz has moved to a file of its own (DW_FORM_GNU_strp_alt), which is not
 * there; the symbols still have them. */
	.text
	.globl	_start
	.type	_start, @function
_start:
	nop
.Linlined:
	nop
.Linlined_end:
	ret
.Lend:
	.size	_start, . - _start

	.section .debug_abbrev, "", @progbits
	.byte	1, 0x11		/* DW_TAG_compile_unit, with children */
	.byte	1
	.byte	0x13, 0x05	/* language, data2 */
	.byte	0, 0
	.byte	2, 0x2e		/* DW_TAG_subprogram, abstract */
	.byte	0
	.byte	0x03, 0xa1, 0x3e	/* name, GNU_strp_alt */
	.byte	0, 0
	.byte	3, 0x2e		/* DW_TAG_subprogram, with children */
	.byte	1
	.byte	0x03, 0xa1, 0x3e	/* name, GNU_strp_alt */
	.byte	0x11, 0x01	/* low_pc, addr */
	.byte	0x12, 0x06	/* high_pc, data4 */
	.byte	0, 0
	.byte	4, 0x1d		/* DW_TAG_inlined_subroutine */
	.byte	0
	.byte	0x31, 0x13	/* abstract_origin, ref4 */
	.byte	0x11, 0x01	/* low_pc, addr */
	.byte	0x12, 0x06	/* high_pc, data4 */
	.byte	0, 0
	.byte	0

	.section .debug_info, "", @progbits
.Linfo:
	.4byte	.Linfo_end - .Linfo - 4
	.2byte	5
	.byte	1, 8		/* DW_UT_compile, bytes per address */
	.4byte	0
	.byte	1
	.2byte	0x1d		/* C11 */
.Linner:
	.byte	2
	.4byte	0x123
	.byte	3
	.4byte	0x456
	.8byte	_start
	.4byte	.Lend - _start
	.byte	4
	.4byte	.Linner - .Linfo
	.8byte	.Linlined
	.4byte	.Linlined_end - .Linlined
	.byte	0, 0
.Linfo_end:
