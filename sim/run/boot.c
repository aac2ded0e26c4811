/* SPDX-License-Identifier: Apache-2.0 */
/* Memory size, and placement of the device tree and the initial RAM disk. */
#include "boot.h"

#include <inttypes.h>
#include <libfdt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "soc.h"

enum {
	ALIGN = 2 << 20, /* Linux maps this memory with megapages */
	MORE = 512,	 /* bytes for additional properties */
};

/* One of the two files, as given by its option. */
struct part {
	char *path;
	uint64_t address;
	bool placed; /* the option gives the address */
};

bool boot_ram(const char *text, uint64_t *size, struct trouble *trouble)
{
	static const char units[] = "kMG";
	uint64_t value;
	const char *end = tr_parse_number(text, &value);
	const char *unit = end && *end ? strchr(units, *end) : NULL;
	unsigned shift = 0;

	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (!end || *end)
		return tell_trouble(trouble, "--ram: not a size: %s", text);
	if (value == 0 || value > (UINT64_C(1) << 37) >> shift || (value << shift) % 4096)
		return tell_trouble(trouble,
				    "--ram: not a multiple of 4096 up to 128G: %s", text);
	*size = value << shift;
	return true;
}

bool boot_split(const char *operand, char **path, uint64_t *address, bool *placed,
		struct trouble *trouble)
{
	const char *at = strrchr(operand, '@');
	char why[160];

	const char *end = at ? tr_parse_address(at + 1, address) : NULL;
	if (at && !end && at[1] && !at[1 + strspn(at + 1, "0123456789abcdefABCDEF")] &&
	    access(operand, F_OK) != 0) {
		tr_address_trouble(at + 1, why, sizeof(why));
		return tell_trouble(trouble, "%s: %s", operand, why);
	}
	*placed = end && !*end;
	*path = *placed ? strndup(operand, (size_t)(at - operand)) : strdup(operand);
	return *path || tell_no_memory(trouble);
}

static bool part_init(struct part *part, const char *operand, struct trouble *trouble)
{
	*part = (struct part){.path = NULL};
	return boot_split(operand, &part->path, &part->address, &part->placed, trouble);
}

static uint64_t part_place(const struct part *part, const struct soc_image *image)
{
	return part->placed ? part->address : soc_image_above(image, ALIGN);
}

/* Sets *range to that of the initial RAM disk. */
static bool load_initrd(const char *operand, struct soc_image *image,
			struct soc_range *range, struct trouble *trouble)
{
	struct part part;

	if (!part_init(&part, operand, trouble))
		return false;
	bool done = soc_image_load_raw(image, part.path, part_place(&part, image)) ||
		    tell_trouble(trouble, "%s", image->message);
	free(part.path);
	if (done)
		*range = image->loaded[image->nloaded - 1];
	return done;
}

static int tell_initrd(void *tree, const struct soc_range *initrd)
{
	int chosen = fdt_path_offset(tree, "/chosen");

	if (chosen == -FDT_ERR_NOTFOUND)
		chosen = fdt_add_subnode(tree, 0, "chosen");
	if (chosen < 0)
		return chosen;
	int status = fdt_setprop_u64(tree, chosen, "linux,initrd-start", initrd->first);
	if (status < 0)
		return status;
	return fdt_setprop_u64(tree, chosen, "linux,initrd-end", initrd->last + 1);
}

/* Returns the number in the property of a node, or a negative error. */
static int64_t read_cell(const void *tree, int node, const char *name)
{
	int length;
	const fdt32_t *cell = fdt_getprop(tree, node, name, &length);

	if (!cell)
		return length;
	return length == sizeof(*cell) ? (int64_t)fdt32_to_cpu(*cell) : -FDT_ERR_BADVALUE;
}

/* Returns the phandle of the PLIC, which it gets if it has none; or a negative error. */
static int64_t find_plic_handle(void *tree)
{
	int plic = fdt_node_offset_by_compatible(tree, -1, "sifive,plic-1.0.0");
	uint32_t most;

	if (plic < 0)
		return plic;
	int64_t handle = read_cell(tree, plic, "phandle");
	if (handle != -FDT_ERR_NOTFOUND)
		return handle;
	int status = fdt_find_max_phandle(tree, &most);
	if (status == 0)
		status = fdt_setprop_u32(tree, plic, "phandle", most + 1);
	return status ? status : (int64_t)most + 1;
}

/* Adds properties of a node, whose parent has such cells. Returns 0 or an error. */
static int describe_disk(void *tree, int node, uint32_t plic, int address_cells,
			 int size_cells)
{
	fdt32_t reg[2 * FDT_MAX_NCELLS] = {0};
	int status = fdt_setprop_u32(tree, node, "interrupts", SOC_DISK_IRQ);

	reg[address_cells - 1] = cpu_to_fdt32(SOC_DISK_BASE);
	reg[address_cells + size_cells - 1] = cpu_to_fdt32(SOC_DISK_SIZE);
	if (status == 0)
		status = fdt_setprop_u32(tree, node, "interrupt-parent", plic);
	if (status == 0)
		status = fdt_setprop(tree, node, "reg", reg,
				     (address_cells + size_cells) * (int)sizeof(*reg));
	return status ? status
		      : fdt_setprop_string(tree, node, "compatible", "virtio,mmio");
}

/* Adds the disk beside the PLIC. Returns 0, or an error: FDT_ERR_NOTFOUND if there is no
 * PLIC. */
static int tell_disk(void *tree)
{
	const int64_t handle = find_plic_handle(tree);

	if (handle < 0)
		return (int)handle;
	int parent = fdt_parent_offset(
	    tree, fdt_node_offset_by_compatible(tree, -1, "sifive,plic-1.0.0"));
	if (parent < 0)
		return parent;
	int address_cells = fdt_address_cells(tree, parent),
	    size_cells = fdt_size_cells(tree, parent);
	if (address_cells < 1 || size_cells < 1)
		return -FDT_ERR_BADNCELLS;
	int node = fdt_add_subnode(tree, parent, "virtio_mmio@10008000");
	if (node == -FDT_ERR_EXISTS)
		return 0;
	return node < 0 ? node
			: describe_disk(tree, node, (uint32_t)handle, address_cells,
					size_cells);
}

/* Returns the number in the next cells of property `reg`, or UINT64_MAX if it exceeds 64
 * bits. */
static uint64_t read_reg_cells(const fdt32_t **reg, int cells)
{
	uint64_t value = 0;
	bool high = false;

	while (cells-- > 0) {
		high |= value >> 32 != 0;
		value = value << 32 | fdt32_to_cpu(*(*reg)++);
	}
	return high ? UINT64_MAX : value;
}

/* Refuses a device tree with memory that the machine does not have: an operating system
 * would crash on it without a message. */
static bool check_memory(const struct part *part, const struct soc_image *image,
			 const void *tree, struct trouble *trouble)
{
	int address_cells = fdt_address_cells(tree, 0),
	    size_cells = fdt_size_cells(tree, 0);
	int node = -1, length;

	if (address_cells < 0 || size_cells < 0)
		return true;
	while ((node = fdt_node_offset_by_prop_value(tree, node, "device_type", "memory",
						     sizeof("memory"))) >= 0) {
		const fdt32_t *reg = fdt_getprop(tree, node, "reg", &length);
		int entry = (address_cells + size_cells) * (int)sizeof(*reg);

		for (; reg && entry > 0 && length >= entry; length -= entry) {
			uint64_t first = read_reg_cells(&reg, address_cells);
			uint64_t size = read_reg_cells(&reg, size_cells);

			if (size == 0 || soc_image_in_ram(image, first, size))
				continue;
			return tell_trouble(
			    trouble,
			    "%s: it describes memory of 0x%" PRIx64 " bytes at 0x%" PRIx64
			    ", but the machine has 0x%" PRIx64 " bytes at 0x%x (--ram)",
			    part->path, size, first, image->size, SOC_RAM_BASE);
		}
	}
	return true;
}

/* Reads a copy with room for more properties into *tree, which the caller frees in any
 * case. */
static bool read_tree(const struct part *part, struct soc_image *image, void **tree,
		      struct trouble *trouble)
{
	struct soc_file file;
	int status = -FDT_ERR_TRUNCATED;

	if (!soc_file_open(image, &file, part->path))
		return tell_trouble(trouble, "%s", image->message);
	int size = file.size < INT_MAX - MORE ? (int)file.size + MORE : 0;
	*tree = size ? malloc((size_t)size) : NULL;
	if (*tree && file.size >= sizeof(struct fdt_header))
		status = fdt_check_full(file.data, file.size);
	if (*tree && status == 0)
		status = fdt_open_into(file.data, *tree, size);
	soc_file_close(&file);
	if (!*tree)
		return tell_trouble(trouble, "%s: out of memory", part->path);
	return status == 0 ||
	       tell_trouble(trouble, "%s: not a device tree, or a damaged one",
			    part->path);
}

/* Completes the device tree and places it. */
static bool place_tree(const struct part *part, struct soc_image *image,
		       const struct soc_range *initrd, bool has_disk, void *tree,
		       struct trouble *trouble)
{
	int status = initrd ? tell_initrd(tree, initrd) : 0;

	if (status == 0 && has_disk && (status = tell_disk(tree)) == -FDT_ERR_NOTFOUND)
		return tell_trouble(trouble,
				    "%s: --disk: the tree has no PLIC, "
				    "\"sifive,plic-1.0.0\", for its interrupts",
				    part->path);
	if (status == 0)
		status = fdt_pack(tree);
	if (status != 0)
		return tell_trouble(trouble, "%s: %s", part->path, fdt_strerror(status));
	if (!check_memory(part, image, tree, trouble))
		return false;
	uint64_t address = part_place(part, image);
	if (address % 8)
		return tell_trouble(trouble, "%s: 0x%" PRIx64 " is not a multiple of 8",
				    part->path, address);
	return soc_image_load_bytes(image, part->path, tree, fdt_totalsize(tree),
				    address) ||
	       tell_trouble(trouble, "%s", image->message);
}

static bool load_tree(const struct boot *boot, struct soc_image *image,
		      const struct soc_range *initrd, struct trouble *trouble)
{
	struct part part;
	void *tree = NULL;

	if (!part_init(&part, boot->dtb, trouble))
		return false;
	bool done = read_tree(&part, image, &tree, trouble) &&
		    place_tree(&part, image, initrd, boot->has_disk, tree, trouble);
	free(tree);
	free(part.path);
	return done;
}

bool boot_load(const struct boot *boot, struct soc_image *image, struct trouble *trouble)
{
	struct soc_range initrd;

	if (!boot->dtb && boot->initrd)
		return tell_trouble(trouble,
				    "--initrd needs --dtb, which passes its address on");
	if (!boot->dtb)
		return true;
	if (boot->initrd && !load_initrd(boot->initrd, image, &initrd, trouble))
		return false;
	return load_tree(boot, image, boot->initrd ? &initrd : NULL, trouble);
}
