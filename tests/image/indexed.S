/* SPDX-License-Identifier: Apache-2.0 */
/* DWARF 5 as clang generates it and gcc does not: addresses, names and ranges by index
 * (DW_FORM_addrx, strx1, rnglistx), each relative to a base given by the unit. */
	.text
	.globl	_start
	.type	_start, @function
_start:
	nop
.Lpiece1:
	nop
.Lpiece1_end:
	nop
.Lpiece2:
	nop
.Lpiece2_end:
	ret
.Lend:
	.size	_start, . - _start

	.section .debug_abbrev, "", @progbits
	.byte	1, 0x11	/* DW_TAG_compile_unit, with children */
	.byte	1
	.byte	0x13, 0x05	/* language, data2 */
	.byte	0x72, 0x17	/* str_offsets_base, sec_offset */
	.byte	0x73, 0x17	/* addr_base */
	.byte	0x74, 0x17	/* rnglists_base */
	.byte	0x11, 0x1b	/* low_pc, addrx */
	.byte	0, 0
	.byte	2, 0x2e	/* DW_TAG_subprogram, abstract */
	.byte	0
	.byte	0x03, 0x25	/* name, strx1 */
	.byte	0, 0
	.byte	3, 0x2e	/* DW_TAG_subprogram, with children */
	.byte	1
	.byte	0x03, 0x25	/* name, strx1 */
	.byte	0x11, 0x1b	/* low_pc, addrx */
	.byte	0x12, 0x06	/* high_pc, data4 */
	.byte	0, 0
	.byte	4, 0x1d	/* DW_TAG_inlined_subroutine */
	.byte	0
	.byte	0x31, 0x13	/* abstract_origin, ref4 */
	.byte	0x55, 0x23	/* ranges, rnglistx */
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
	.4byte	8, 8, 12	/* past the headers of the three tables */
	.byte	0
.Linner:
	.byte	2
	.byte	2
	.byte	3
	.byte	1
	.byte	0
	.4byte	.Lend - _start
	.byte	4
	.4byte	.Linner - .Linfo
	.byte	1
	.byte	0, 0
.Linfo_end:

	.section .debug_str, "MS", @progbits, 1
	.asciz	"unused"
.Louter_name:
	.asciz	"outer"
.Linner_name:
	.asciz	"inner"

	.section .debug_str_offsets, "", @progbits
	.4byte	16
	.2byte	5, 0
	.4byte	0, 7, 13

	.section .debug_addr, "", @progbits
	.4byte	28
	.2byte	5
	.byte	8, 0
	.8byte	_start, .Lpiece2, .Lpiece2_end

	.section .debug_rnglists, "", @progbits
	.4byte	.Llists_end - . - 4
	.2byte	5
	.byte	8, 0
	.4byte	2
.Loffsets:
	.4byte	.Llist0 - .Loffsets, .Llist1 - .Loffsets
.Llist0:
	.byte	0		/* DW_RLE_end_of_list */
.Llist1:
	.byte	4		/* DW_RLE_offset_pair */
	.byte	.Lpiece1 - _start, .Lpiece1_end - _start
	.byte	2		/* DW_RLE_startx_endx */
	.byte	1, 2
	.byte	0
.Llists_end:
