/* SPDX-License-Identifier: Apache-2.0 */
/* The model's life, its settings, and its state as others read and write it. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

const char *soc_message(const struct soc *soc)
{
	return soc->image.message;
}

static void reset(struct soc_hart *h)
{
	h->priv = SOC_M;
	h->pc = SOC_RESET_PC;
	h->x[10] = h->id;
	h->reserved = SOC_NEVER;
	h->mtimecmp = SOC_NEVER;
	soc_mmu_flush(h);
}

struct soc *soc_new(const struct soc_config *config)
{
	uint64_t size = config->ram_size ? config->ram_size : SOC_RAM_DEFAULT_SIZE;
	struct soc *soc;

	if (config->harts != 1)
		return NULL;
	soc = calloc(1, sizeof *soc);
	if (!soc)
		return NULL;
	soc->hart = calloc(1, sizeof *soc->hart);
	if (soc_image_init(&soc->image, size)) {
		soc->ram = soc->image.ram;
		soc->ram_size = size;
	}
	if (!soc->ram || !soc->hart || !soc_blocks_init(soc)) {
		soc_free(soc);
		return NULL;
	}
	soc->hart->soc = soc;
	reset(soc->hart);
	return soc;
}

void soc_free(struct soc *soc)
{
	if (!soc)
		return;
	soc_image_free(&soc->image);
	soc_blocks_free(soc);
	free(soc->hart);
	free(soc);
}

struct soc_image *soc_image(struct soc *soc)
{
	return &soc->image;
}

/* A device tree, if there is one, is where a1 says. */
static bool loaded(struct soc *soc, bool good)
{
	enum { A1 = 11 };

	soc->hart->x[A1] = soc->image.tree;
	return good;
}

bool soc_load_elf(struct soc *soc, const char *path)
{
	return loaded(soc, soc_image_load_elf(&soc->image, path));
}

bool soc_load_raw(struct soc *soc, const char *path, uint64_t address)
{
	return loaded(soc, soc_image_load_raw(&soc->image, path, address));
}

uint64_t soc_image_hash(const struct soc *soc)
{
	return soc_image_digest(&soc->image);
}

enum soc_power soc_power_state(const struct soc *soc)
{
	return soc->power;
}

unsigned soc_power_status(const struct soc *soc)
{
	return soc->status;
}

static bool add_break(struct soc *soc, struct soc_break where)
{
	if (soc->nbreaks == SOC_MAX_BREAKS)
		return soc_image_fail(&soc->image, "more than %d breakpoints",
				      SOC_MAX_BREAKS);
	soc->breaks[soc->nbreaks++] = where;
	soc_blocks_flush(soc);
	return true;
}

bool soc_break_at_pc(struct soc *soc, uint64_t pc)
{
	return add_break(soc, (struct soc_break){.pc = pc});
}

bool soc_break_at_insn(struct soc *soc, uint32_t value, uint32_t mask)
{
	if (mask == 0)
		return soc_image_fail(&soc->image,
				      "an instruction mask of 0 meets everything");
	return add_break(soc, (struct soc_break){.value = value & mask, .mask = mask});
}

void soc_break_clear(struct soc *soc)
{
	soc->nbreaks = 0;
	soc_blocks_flush(soc);
}

void soc_set_hooks(struct soc *soc, const struct soc_hooks *hooks)
{
	struct soc_hart *h = soc->hart;

	soc->hooks = *hooks;
	h->log = hooks->row || hooks->commit || hooks->reg ? h->log_first : NULL;
	soc_mmu_flush_data(h);
}

void soc_set_follow(struct soc *soc, const struct soc_follow *follow)
{
	soc->following = follow != NULL;
	soc->follow = follow ? *follow : (struct soc_follow){.mmio_load = NULL};
	if (follow)
		soc->hart->lines = 0;
}

uint64_t soc_x(const struct soc *soc, unsigned hart, unsigned reg)
{
	return soc->hart[hart].x[reg & 31];
}

void soc_set_x(struct soc *soc, unsigned hart, unsigned reg, uint64_t value)
{
	struct soc_hart *h = &soc->hart[hart];

	if (reg & 31)
		h->x[reg & 31] = value;
	h->last_tp = h->x[TR_REG_TP];
}

uint64_t soc_pc(const struct soc *soc, unsigned hart)
{
	return soc->hart[hart].pc;
}

void soc_set_pc(struct soc *soc, unsigned hart, uint64_t pc)
{
	soc->hart[hart].pc = pc & ~UINT64_C(1);
	soc->hart[hart].resume = false;
}

unsigned soc_priv(const struct soc *soc, unsigned hart)
{
	return soc->hart[hart].priv;
}

void soc_set_priv(struct soc *soc, unsigned hart, unsigned priv)
{
	if (priv > SOC_M || priv == 2)
		return;
	soc->hart[hart].priv = (uint8_t)priv;
	soc_mmu_switch(&soc->hart[hart]);
}

bool soc_csr(const struct soc *soc, unsigned hart, unsigned csr, uint64_t *value)
{
	return soc_csr_get(&soc->hart[hart], csr, value);
}

bool soc_set_csr(struct soc *soc, unsigned hart, unsigned csr, uint64_t value)
{
	bool good = soc_csr_set(&soc->hart[hart], csr, value);

	soc->hart[hart].wrote_satp = false; /* not by the target */
	return good;
}

uint64_t soc_cycle(const struct soc *soc, unsigned hart)
{
	return soc->hart[hart].cycle;
}

uint64_t soc_instret(const struct soc *soc, unsigned hart)
{
	return soc->hart[hart].instret;
}

bool soc_read_physical(const struct soc *soc, uint64_t address, void *data, size_t size)
{
	if (!soc_in_ram(soc, address, size))
		return false;
	memcpy(data, soc->ram + (address - SOC_RAM_BASE), size);
	return true;
}

bool soc_write_physical(struct soc *soc, uint64_t address, const void *data, size_t size)
{
	uint64_t line = soc->hart->reserved;

	if (!soc_in_ram(soc, address, size))
		return false;
	memcpy(soc->ram + (address - SOC_RAM_BASE), data, size);
	soc_code_written(soc, address, size);
	if (line != SOC_NEVER && address < line + SOC_LR_BYTES && line < address + size)
		soc->hart->reserved = SOC_NEVER;
	return true;
}

bool soc_read_virtual(const struct soc *soc, unsigned hart, uint64_t address, void *data,
		      size_t size)
{
	uint8_t *to = data;
	uint64_t physical;

	while (size) {
		size_t part = SOC_PAGE - (size_t)(address & (SOC_PAGE - 1));

		if (part > size)
			part = size;
		if (!soc_translate(soc, hart, address, &physical) ||
		    !soc_read_physical(soc, physical, to, part))
			return false;
		address += part;
		to += part;
		size -= part;
	}
	return true;
}
