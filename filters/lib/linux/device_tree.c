/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the device tree, as sim/target/debian/soc.dts has it. */
#include "linux/device_tree.h"

#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "soc.h"

enum {
	TREE_BYTES = 1 << 14,
	CPU_INTERRUPTS = 1,
	PLIC = 2,
	M_EXTERNAL = 11,
	S_EXTERNAL = 9
};

/* The tree as it is written. The first error stays. */
struct tree {
	char bytes[TREE_BYTES];
	int error;
};

static void keep_error(struct tree *t, int error)
{
	if (!t->error && error < 0)
		t->error = error;
}

static void begin_node(struct tree *t, const char *name)
{
	keep_error(t, fdt_begin_node(t->bytes, name));
}

static void end_node(struct tree *t)
{
	keep_error(t, fdt_end_node(t->bytes));
}

/* A property of any bytes, such as several texts. */
static void add_raw(struct tree *t, const char *name, const void *value, int size)
{
	keep_error(t, fdt_property(t->bytes, name, value, size));
}

static void add_text(struct tree *t, const char *name, const char *text)
{
	add_raw(t, name, text, (int)strlen(text) + 1);
}

static void add_cells(struct tree *t, const char *name, const uint32_t *cells, int count)
{
	fdt32_t value[16];
	for (int i = 0; i < count; i++)
		value[i] = cpu_to_fdt32(cells[i]);
	add_raw(t, name, value, count * (int)sizeof(*value));
}

static void add_cell(struct tree *t, const char *name, uint32_t cell)
{
	add_cells(t, name, &cell, 1);
}

static void add_range(struct tree *t, uint64_t address, uint64_t size)
{
	const uint32_t cells[] = {(uint32_t)(address >> 32), (uint32_t)address,
				  (uint32_t)(size >> 32), (uint32_t)size};
	add_cells(t, "reg", cells, 4);
}

static void add_cells_of(struct tree *t, uint32_t addresses, uint32_t sizes)
{
	add_cell(t, "#address-cells", addresses);
	add_cell(t, "#size-cells", sizes);
}

static void add_chosen(struct tree *t, const char *arguments)
{
	/* Digits of pi: runs are repeatable, and nothing waits for entropy. */
	static const uint32_t seed[] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344,
					0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89};
	begin_node(t, "chosen");
	add_text(t, "bootargs", arguments);
	add_text(t, "stdout-path", "/soc/serial@10000000");
	add_cells(t, "rng-seed", seed, sizeof(seed) / sizeof(seed[0]));
	end_node(t);
}

static void add_memory(struct tree *t, uint64_t ram)
{
	begin_node(t, "memory@80000000");
	add_text(t, "device_type", "memory");
	add_range(t, SOC_RAM_BASE, ram);
	end_node(t);
	begin_node(t, "reserved-memory");
	add_cells_of(t, 2, 2);
	add_raw(t, "ranges", "", 0);
	begin_node(t, "firmware@80000000");
	add_range(t, SOC_RAM_BASE, 0x200000);
	add_raw(t, "no-map", "", 0);
	end_node(t);
	end_node(t);
}

/* Kernels since 6.5 read the extensions, those before them the string. */
static void add_cpus(struct tree *t)
{
	static const char extensions[] = "i\0m\0a\0f\0d\0c\0zicntr\0zicsr\0zifencei";
	begin_node(t, "cpus");
	add_cells_of(t, 1, 0);
	add_cell(t, "timebase-frequency", SOC_TIMEBASE_HZ);
	begin_node(t, "cpu@0");
	add_text(t, "device_type", "cpu");
	add_cell(t, "reg", 0);
	add_text(t, "compatible", "riscv");
	add_text(t, "status", "okay");
	add_text(t, "riscv,isa", "rv64imafdc");
	add_text(t, "riscv,isa-base", "rv64i");
	add_raw(t, "riscv,isa-extensions", extensions, sizeof(extensions));
	add_text(t, "mmu-type", "riscv,sv39");
	begin_node(t, "interrupt-controller");
	add_cell(t, "#address-cells", 0);
	add_cell(t, "#interrupt-cells", 1);
	add_raw(t, "interrupt-controller", "", 0);
	add_text(t, "compatible", "riscv,cpu-intc");
	add_cell(t, "phandle", CPU_INTERRUPTS);
	end_node(t);
	end_node(t);
	end_node(t);
}

static void add_devices(struct tree *t)
{
	static const uint32_t contexts[] = {CPU_INTERRUPTS, M_EXTERNAL, CPU_INTERRUPTS,
					    S_EXTERNAL};
	begin_node(t, "soc");
	add_cells_of(t, 2, 2);
	add_text(t, "compatible", "simple-bus");
	add_raw(t, "ranges", "", 0);
	begin_node(t, "interrupt-controller@c000000");
	add_cell(t, "#address-cells", 0);
	add_cell(t, "#interrupt-cells", 1);
	add_raw(t, "interrupt-controller", "", 0);
	add_text(t, "compatible", "sifive,plic-1.0.0");
	add_range(t, SOC_PLIC_BASE, SOC_PLIC_SIZE);
	add_cell(t, "riscv,ndev", SOC_PLIC_SOURCES);
	add_cells(t, "interrupts-extended", contexts, 4);
	add_cell(t, "phandle", PLIC);
	end_node(t);
	begin_node(t, "serial@10000000");
	add_text(t, "compatible", "ns16550a");
	add_range(t, SOC_UART_BASE, SOC_UART_SIZE);
	add_cell(t, "clock-frequency", 3686400);
	add_cell(t, "interrupt-parent", PLIC);
	add_cell(t, "interrupts", SOC_UART_IRQ);
	end_node(t);
	end_node(t);
}

static void make_tree(struct tree *t, uint64_t ram, const char *arguments)
{
	keep_error(t, fdt_create(t->bytes, TREE_BYTES));
	keep_error(t, fdt_finish_reservemap(t->bytes));
	begin_node(t, "");
	add_cells_of(t, 2, 2);
	add_text(t, "compatible", "soc");
	add_text(t, "model", "soc");
	add_chosen(t, arguments);
	add_memory(t, ram);
	add_cpus(t);
	add_devices(t);
	end_node(t);
	keep_error(t, fdt_finish(t->bytes));
}

int tr_device_tree_write(const char *path, uint64_t ram, const char *arguments)
{
	struct tree tree = {.error = 0};
	make_tree(&tree, ram, arguments);
	if (tree.error)
		return TR_E_NOMEM;
	FILE *file = fopen(path, "we");
	if (!file)
		return TR_E_IO;
	const size_t size = fdt_totalsize(tree.bytes);
	const bool is_written = fwrite(tree.bytes, 1, size, file) == size;
	return fclose(file) == 0 && is_written ? TR_OK : TR_E_IO;
}
