/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the code at an address, in the ELF files that may run there. */
#include "import/import_code.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/little.h"
#include "base/map.h"
#include "image/bins.h"
#include "import/import_state.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/reader.h"

enum { RUN_INSNS = 1 << 14, RECENT = 1 << 12 };

/* Where a run was found. */
struct recent {
	struct import_place place;
	uint64_t pc, choices; /* of binaries, before */
	uint32_t run;
};

struct import_code {
	struct tr_bins bins;
	struct tr_image **images;
	size_t image_room;
	unsigned xlen;
	struct tr_map chosen; /* binary of a context */
	struct tr_map by_pc;  /* index of a run */
	struct import_run *runs, odd;
	size_t nruns, run_room;
	uint64_t choices;
	struct recent recent[RECENT];
};

/* Opens the binary `i` of the list. */
static int open_image(struct import_code *c, size_t i, char *message, size_t size)
{
	const struct tr_image_options options = {0};
	const struct tr_bin *bin = &c->bins.bins[i];
	if (!tr_grow(&c->images, &c->image_room, c->bins.count, sizeof(*c->images)))
		return TR_E_NOMEM;
	int status = tr_image_open(&c->images[i], bin->path, &options);
	if (status) {
		snprintf(message, size, "%s",
			 c->images[i] ? tr_image_message(c->images[i]) : "out of memory");
		tr_image_close(c->images[i]);
		c->images[i] = NULL;
		return status;
	}
	const unsigned xlen = tr_image_xlen(c->images[i]);
	if (i && xlen != c->xlen) {
		snprintf(message, size, "%s: for RV%u, but others are for RV%u",
			 bin->path, xlen, c->xlen);
		return TR_E_ARGUMENT;
	}
	c->xlen = xlen;
	return TR_OK;
}

int tr_import_code_open(struct import_code **code, const char *const *paths, size_t count,
			char *message, size_t size)
{
	struct import_code *c = *code = calloc(1, sizeof(*c));
	int status = c ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; !status && i < count; i++) {
		status = tr_bins_add(&c->bins, paths[i]);
		if (status)
			snprintf(message, size, "%s", c->bins.message);
	}
	for (size_t i = 0; !status && i < c->bins.count; i++)
		status = open_image(c, i, message, size);
	if (status == TR_E_NOMEM)
		snprintf(message, size, "out of memory");
	return status;
}

void tr_import_code_close(struct import_code *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->images && i < c->bins.count && c->images[i]; i++)
		tr_image_close(c->images[i]);
	free(c->images);
	free(c->runs);
	tr_map_free(&c->chosen);
	tr_map_free(&c->by_pc);
	tr_bins_release(&c->bins);
	free(c);
}

unsigned tr_import_code_xlen(const struct import_code *c)
{
	return c->xlen;
}

unsigned tr_import_code_isa(const struct import_code *c, uint32_t binary)
{
	const unsigned isa = tr_image_isa(c->images[binary]);
	return tr_isa_tells_zcm(isa) || c->xlen != 32 ? isa : isa | TR_ISA_ZCMP;
}

static bool role_fits(enum tr_role role, uint8_t priv)
{
	static const enum tr_role roles[] = {[TR_PRIV_U] = TR_ROLE_USER,
					     [TR_PRIV_S] = TR_ROLE_KERNEL,
					     [2] = TR_ROLE_KERNEL,
					     [TR_PRIV_M] = TR_ROLE_FIRMWARE};
	return role == TR_ROLE_ANY || priv > TR_PRIV_M || roles[priv] == role;
}

/* Returns `bytes` bytes of the binary's code at `pc`. A kernel also runs where it is
 * loaded, before it has set up its address space. */
static const uint8_t *binary_code_at(const struct import_code *c, size_t i, uint64_t pc,
				     uint64_t bytes)
{
	const struct tr_image *image = c->images[i];
	const size_t count = tr_image_code_count(image);
	if (!count || (tr_image_is_pie(image) && !c->bins.bins[i].has_base))
		return NULL;
	const struct tr_code *first = tr_image_code(image, 0);
	const uint64_t base =
	    c->bins.bins[i].has_base ? c->bins.bins[i].base - first->address : 0;
	const uint8_t *code = tr_image_bytes(image, pc - base, bytes);
	for (size_t k = 0; !code && !base && k < count; k++) {
		const struct tr_code *range = tr_image_code(image, k);
		const uint64_t address = pc - (uint64_t)range->load_delta;
		if (address - range->address < range->size)
			code = tr_image_bytes(image, address, bytes);
	}
	return code;
}

static bool is_candidate(const struct import_code *c, size_t i, uint8_t priv, uint64_t pc)
{
	return role_fits(c->bins.bins[i].role, priv) && binary_code_at(c, i, pc, 2);
}

static bool may_be_user(const struct import_place *place)
{
	return place->priv == TR_PRIV_U || place->priv == IMPORT_PRIV_UNKNOWN;
}

/* Returns the binary with code at `pc`: that of the context, or the first one. */
static uint32_t find_binary_at(const struct import_code *c,
			       const struct import_place *place, uint64_t pc)
{
	uint32_t chosen =
	    may_be_user(place) ? tr_map_get(&c->chosen, place->context) : TR_MAP_NONE;
	if (chosen != TR_MAP_NONE && is_candidate(c, chosen, place->priv, pc))
		return chosen;
	for (uint32_t i = 0; i < c->bins.count; i++)
		if (is_candidate(c, i, place->priv, pc))
			return i;
	return UINT32_MAX;
}

uint32_t tr_import_code_count(const struct import_code *c)
{
	return (uint32_t)c->bins.count;
}

bool tr_import_code_has(const struct import_code *c, const struct import_place *place,
			uint32_t binary, uint64_t pc)
{
	return is_candidate(c, binary, place->priv, pc);
}

uint32_t tr_import_code_chosen(const struct import_code *c, uint64_t context)
{
	return tr_map_get(&c->chosen, context);
}

void tr_import_code_choose(struct import_code *c, uint64_t context, uint32_t binary)
{
	if (tr_map_get(&c->chosen, context) == binary)
		return;
	tr_map_set(&c->chosen, context, binary);
	c->choices++;
}

static enum import_transfer transfer_of(const uint8_t *code, unsigned bytes, unsigned isa,
					uint64_t pc, uint64_t *target)
{
	const enum tr_flow flow = tr_decode_flow(code, bytes, isa);
	const uint32_t bits = bytes == 2 ? tr_load16(code) : tr_load32(code);
	if (bits == TR_INSN_ECALL || bits == TR_INSN_EBREAK || bits == TR_INSN_C_EBREAK)
		return IMPORT_TRAP;
	if (flow == TR_FLOW_NEXT)
		return IMPORT_FALLS;
	if (flow == TR_FLOW_XRET)
		return IMPORT_XRET;
	if (!tr_decode_target(code, bytes, isa, pc, target))
		return IMPORT_INDIRECT;
	return flow == TR_FLOW_BRANCH ? IMPORT_BRANCH : IMPORT_JUMP;
}

/* Decodes the run at `pc`. */
static struct import_run decode_code_run(const struct import_code *c, uint32_t binary,
					 uint64_t pc)
{
	struct import_run run = {.code = binary_code_at(c, binary, pc, 2),
				 .pc = pc,
				 .last = pc,
				 .end = pc,
				 .binary = binary};
	const unsigned isa = tr_import_code_isa(c, binary);
	while (!run.transfer && run.count < RUN_INSNS) {
		const uint8_t *code = binary_code_at(c, binary, run.end, 2);
		const unsigned bytes = code ? tr_insn_length(tr_load16(code)) : 0;
		/* of another range of the file, elsewhere in memory */
		if (!bytes || code != run.code + (run.end - pc) ||
		    !binary_code_at(c, binary, run.end, bytes))
			break;
		run.transfer = transfer_of(code, bytes, isa, run.end, &run.target);
		run.last = run.end;
		run.end += bytes;
		run.count++;
	}
	return run;
}

static struct recent *recent_at(struct import_code *c, uint64_t pc)
{
	return &c->recent[(pc >> 1 ^ pc >> 13) % RECENT];
}

/* Returns a run, which will be found sooner the next time. */
static const struct import_run *
remember_recent_run(struct import_code *c, const struct import_place *place, uint32_t run)
{
	const uint64_t pc = c->runs[run].pc;
	*recent_at(c, pc) = (struct recent){
	    .place = *place, .pc = pc, .choices = c->choices + 1, .run = run};
	return &c->runs[run];
}

static const struct import_run *
search_code_run(struct import_code *c, const struct import_place *place, uint64_t pc)
{
	const uint32_t binary = find_binary_at(c, place, pc);
	if (binary == UINT32_MAX)
		return NULL;
	const uint64_t key = pc ^ (uint64_t)(binary + 1) << 48;
	uint32_t at = tr_map_get(&c->by_pc, key);
	if (at != TR_MAP_NONE && c->runs[at].pc == pc && c->runs[at].binary == binary)
		return remember_recent_run(c, place, at);
	c->odd = decode_code_run(c, binary, pc);
	if (!c->odd.count)
		return NULL;
	if (at != TR_MAP_NONE)
		return &c->odd;
	if (!tr_grow(&c->runs, &c->run_room, c->nruns + 1, sizeof(*c->runs)) ||
	    !tr_map_set(&c->by_pc, key, (uint32_t)c->nruns))
		return &c->odd;
	c->runs[c->nruns] = c->odd;
	return remember_recent_run(c, place, (uint32_t)c->nruns++);
}

const struct import_run *tr_import_code_run(struct import_code *c,
					    const struct import_place *place, uint64_t pc)
{
	const struct recent *r = recent_at(c, pc);
	if (r->pc == pc && r->choices == c->choices + 1 && r->place.priv == place->priv &&
	    r->place.context == place->context)
		return &c->runs[r->run];
	return search_code_run(c, place, pc);
}
