/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, configuration and state of the model. */
#include <stdlib.h>
#include <sys/mman.h>
#include <string.h>

#include "internal.h"

const char *soc_message(const struct soc *soc)
{
	return soc->image.message;
}

static void reset_hart(struct soc_hart *h)
{
	h->priv = SOC_M;
	h->pc = SOC_RESET_PC;
	h->x[10] = h->id;
	h->reserved = SOC_NEVER;
	h->mtimecmp = SOC_NEVER;
	h->woken = SOC_NEVER;
	soc_mmu_flush(h);
}

struct soc *soc_new(const struct soc_config *config)
{
	uint64_t size = config->ram_size ? config->ram_size : SOC_RAM_DEFAULT_SIZE;

	if (config->harts == 0 || config->harts > SOC_HARTS_MAX)
		return NULL;
	struct soc *soc = calloc(1, sizeof(*soc));
	if (!soc)
		return NULL;
	soc->harts = calloc(config->harts, sizeof(*soc->harts));
	soc->current = soc->harts;
	soc->nharts = soc->harts ? config->harts : 0;
	if (soc_image_init(&soc->image, size)) {
		soc->ram = soc->image.ram;
		soc->ram_size = size;
	}
	soc->written = calloc(size >> SOC_PAGE_BITS, 1);
	if (config->records_uses && (soc->nharts != 1 || !soc_uses_init(soc))) {
		soc_free(soc);
		return NULL;
	}
	if (!soc->ram || !soc->harts || !soc->written || !soc_blocks_init(soc) ||
	    !soc_tables_init(soc)) {
		soc_free(soc);
		return NULL;
	}
	soc->features = config->features;
	soc->has_nic = config->has_nic;
	soc_virtio_reset(soc);
	for (unsigned i = 0; i < soc->nharts; i++) {
		soc->harts[i].soc = soc;
		soc->harts[i].id = i;
		reset_hart(&soc->harts[i]);
	}
	return soc;
}

static void hide_pages(void *begin, size_t size)
{
	const uintptr_t page = SOC_PAGE,
			first = ((uintptr_t)begin + page - 1) & ~(page - 1);
	const uintptr_t end = ((uintptr_t)begin + size) & ~(page - 1);

	if (first < end)
		madvise((void *)first, end - first, MADV_DONTFORK);
}

void soc_hide_from_children(struct soc *soc, struct soc_held *held)
{
	soc_held_hide(held, hide_pages);
	soc_uses_hide(soc, hide_pages);
	soc_blocks_hide(soc, hide_pages);
}

void soc_free(struct soc *soc)
{
	if (!soc)
		return;
	soc_image_free(&soc->image);
	soc_blocks_free(soc);
	soc_tables_free(soc);
	soc_uses_release(soc);
	free(soc->written);
	free(soc->harts);
	free(soc);
}

struct soc_image *soc_image(struct soc *soc)
{
	return &soc->image;
}

/* Sets a1 to the address of the device tree, if there is one. */
static bool pass_tree_address(struct soc *soc, bool good)
{
	enum { A1 = 11 };

	for (unsigned i = 0; i < soc->nharts; i++)
		soc->harts[i].x[A1] = soc->image.tree;
	return good;
}

bool soc_load_elf(struct soc *soc, const char *path)
{
	return pass_tree_address(soc, soc_image_load_elf(&soc->image, path));
}

bool soc_load_raw(struct soc *soc, const char *path, uint64_t address)
{
	return pass_tree_address(soc, soc_image_load_raw(&soc->image, path, address));
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
				      "an instruction mask of 0 matches everything");
	return add_break(soc, (struct soc_break){.value = value & mask, .mask = mask});
}

void soc_break_at_return(struct soc *soc, bool (*breaks)(void *user), void *user)
{
	soc->break_at_return = breaks;
	soc->break_user = user;
}

void soc_break_clear(struct soc *soc)
{
	soc->break_at_return = NULL;
	soc->nbreaks = 0;
	soc_blocks_flush(soc);
}

void soc_set_hooks(struct soc *soc, const struct soc_hooks *hooks)
{
	bool logs = hooks->row || hooks->commit || hooks->reg;

	soc->hooks = *hooks;
	for (unsigned i = 0; i < soc->nharts; i++) {
		soc->harts[i].log = logs ? soc->harts[i].log_first : NULL;
		soc_mmu_flush_data(&soc->harts[i]);
	}
}

const struct soc_hooks *soc_get_hooks(const struct soc *soc)
{
	return &soc->hooks;
}

void soc_set_follow(struct soc *soc, const struct soc_follow *follow)
{
	soc->following = follow != NULL;
	soc->follow = follow ? *follow : (struct soc_follow){.mmio_load = NULL};
	for (unsigned i = 0; follow && i < soc->nharts; i++)
		soc->harts[i].lines = 0;
}

uint64_t soc_x(const struct soc *soc, unsigned hart, unsigned reg)
{
	return soc->harts[hart].x[reg & 31];
}

void soc_set_x(struct soc *soc, unsigned hart, unsigned reg, uint64_t value)
{
	struct soc_hart *h = &soc->harts[hart];

	if (reg & 31)
		h->x[reg & 31] = value;
	h->last_tp = h->x[TR_REG_TP];
}

uint64_t soc_f(const struct soc *soc, unsigned hart, unsigned reg)
{
	return soc->harts[hart].x[SOC_F0 + (reg & 31)];
}

uint64_t soc_pc(const struct soc *soc, unsigned hart)
{
	return soc->harts[hart].pc;
}

void soc_set_pc(struct soc *soc, unsigned hart, uint64_t pc)
{
	soc->harts[hart].pc = pc & ~UINT64_C(1);
	soc->harts[hart].resume = false;
}

unsigned soc_priv(const struct soc *soc, unsigned hart)
{
	return soc->harts[hart].priv;
}

void soc_set_priv(struct soc *soc, unsigned hart, unsigned priv)
{
	if (priv > SOC_M || priv == 2)
		return;
	soc->harts[hart].priv = (uint8_t)priv;
	soc_mmu_switch(&soc->harts[hart]);
}

bool soc_csr(const struct soc *soc, unsigned hart, unsigned csr, uint64_t *value)
{
	return soc_csr_get(&soc->harts[hart], csr, value);
}

bool soc_set_csr(struct soc *soc, unsigned hart, unsigned csr, uint64_t value)
{
	bool good = soc_csr_set(&soc->harts[hart], csr, value);

	soc->harts[hart].wrote_satp = false; /* not by the target */
	return good;
}

uint64_t soc_cycle(const struct soc *soc, unsigned hart)
{
	const struct soc_hart *h = &soc->harts[hart];

	return h->asleep ? soc_cycle_asleep(h) : h->cycle;
}

uint64_t soc_instret(const struct soc *soc, unsigned hart)
{
	return soc->harts[hart].instret;
}

const struct soc_features *soc_get_features(const struct soc *soc)
{
	return &soc->features;
}

unsigned soc_harts(const struct soc *soc)
{
	return soc->nharts;
}

unsigned soc_current(const struct soc *soc)
{
	return soc->current->id;
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
	if (!soc_in_ram(soc, address, size))
		return false;
	if (size == 0)
		return true;
	memcpy(soc->ram + (address - SOC_RAM_BASE), data, size);
	soc_note_written(soc, address, size);
	soc_code_written(soc, address, size);
	soc_table_written(soc, address, size);
	soc_end_reservations(soc, address, size);
	return true;
}

bool soc_page_written(const struct soc *soc, uint64_t address)
{
	return soc->written[(address - SOC_RAM_BASE) >> SOC_PAGE_BITS];
}

void soc_forget_written(struct soc *soc)
{
	memset(soc->written, 0, soc->ram_size >> SOC_PAGE_BITS);
	for (unsigned i = 0; i < soc->nharts; i++)
		soc_mmu_flush_data(&soc->harts[i]);
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
