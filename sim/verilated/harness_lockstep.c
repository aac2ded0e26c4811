/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison with the functional model. */
#include <string.h>

#include "harness_state.h"
#include "stream/insn.h"

enum { PAGE = 4096 };

static bool read_hart_csr(void *user, unsigned csr, uint64_t *value)
{
	return peek_csr(((const struct hart *)user)->rtl, csr, value);
}

static bool read_hart_f(void *user, unsigned reg, uint64_t *value)
{
	return peek_f(((const struct hart *)user)->rtl, reg, value);
}

static bool has_lost_line(void *user)
{
	return ((const struct hart *)user)->rtl->probed;
}

/* Gives the model the same memory contents. */
static void copy_memory(struct harness *h)
{
	static const uint8_t zero[PAGE];
	const struct soc_image *image = h->image;

	for (size_t i = 0; i < image->nloaded; i++) {
		uint64_t first = image->loaded[i].first;

		soc_write_physical(h->model, first, image->ram + first - SOC_RAM_BASE,
				   image->loaded[i].last - first + 1);
	}
	for (uint64_t at = 0; h->resumed && at < image->size; at += PAGE)
		if (memcmp(image->ram + at, zero, PAGE) != 0)
			soc_write_physical(h->model, SOC_RAM_BASE + at, image->ram + at,
					   PAGE);
}

static bool join_lockstep(struct harness *h, struct hart *hart)
{
	struct lockstep_side side = {.user = hart, .csr = read_hart_csr};

	if (h->options.rtl.features.fpu)
		side.f = read_hart_f;
	if (h->rtl.nharts > 1)
		side.lost = has_lost_line;
	if (h->resumed)
		soc_set_state(h->model, hart->number, &h->resumed[hart->number]);
	else
		soc_set_x(h->model, hart->number, HARNESS_A1, h->a1);
	hart->lockstep = hart->number
			     ? lockstep_join(h->harts[0].lockstep, hart->number, &side)
			     : lockstep_new(h->model, &side);
	return hart->lockstep != NULL;
}

bool harness_begin_lockstep(struct harness *h)
{
	const struct soc_config config = {.ram_size = h->image->size,
					  .harts = h->rtl.nharts,
					  .features = h->options.rtl.features,
					  .has_nic = h->wire != NULL};

	h->model = soc_new(&config);
	if (!h->model)
		return false;
	copy_memory(h);
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		if (!join_lockstep(h, &h->harts[i]))
			return false;
	return true;
}

void harness_compare(struct harness *h, struct hart *hart)
{
	if (!hart->lockstep)
		return;
	if (!lockstep_commit(hart->lockstep, &hart->commit))
		harness_fail(h, "difference", "core and model differ");
	if (tr_insn_is_lr(hart->commit.insn) && !hart->commit.trap)
		hart->rtl->probed = false;
}

void harness_follow_read(void *harness, struct memory_master master, uint64_t address,
			 uint64_t data)
{
	struct harness *h = harness;

	if (h->model && master.copies)
		lockstep_copy_read(h->harts[master.hart].lockstep, address, data);
}

static void see_write(const struct harness *h, const struct memory_written *w)
{
	/* DMA of the network interface is hart 0's. */
	struct lockstep *l = h->harts[w->master.copies ? w->master.hart : 0].lockstep;
	unsigned at = (unsigned)(w->address % L2_DRAM_LINE);
	uint8_t line[L2_DRAM_LINE];
	uint64_t word;

	if (w->data)
		memcpy(line + at, w->data, w->size);
	if (!w->master.copies) {
		lockstep_dma(l, w->address - at, w->data ? line : NULL, w->mask << at);
	} else if (h->rtl.nharts > 1) {
		memcpy(&word, w->data, sizeof(word));
		lockstep_copy_written(l, w->address, word, (unsigned)w->mask);
	} else {
		lockstep_copied(l, w->address, w->data, w->mask);
	}
}

void harness_see_writes(struct harness *h)
{
	for (unsigned i = 0; i < h->nfollows; i++)
		see_write(h, &h->follows[i].written);
	h->nfollows = 0;
}

void harness_follow_write(struct harness *h, const struct memory_written *w)
{
	if (h->nfollows == sizeof(h->follows) / sizeof(*h->follows))
		harness_see_writes(h);
	struct followed_write *f = &h->follows[h->nfollows++];

	f->written = *w;
	if (!w->data)
		return;
	memcpy(f->data, w->data, w->size);
	f->written.data = f->data;
}
