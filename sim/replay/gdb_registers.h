/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a hart by gdb's numbers, and their description for gdb. */
#ifndef REPLAY_GDB_REGISTERS_H
#define REPLAY_GDB_REGISTERS_H

#include "model/model.h"

enum { GDB_REGISTER_TEXT = 16 + 1, GDB_ALL_TEXT = 70 * 16 };

/* Writes the description of the target, as XML, into `text` of `size` bytes. */
void gdb_describe(const struct soc *soc, char *text, size_t size);
/* Writes a register as hexadecimal digits, in the order of memory. Returns false if there
 * is none with this number. */
bool gdb_register(const struct soc *soc, unsigned hart, unsigned number,
		  char text[GDB_REGISTER_TEXT]);
/* Writes x0 to x31, pc, and the floating-point registers. */
void gdb_registers(const struct soc *soc, unsigned hart, char text[GDB_ALL_TEXT]);

#endif
