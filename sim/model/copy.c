/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction of the copy unit: rtl/mem/copy.md. */
#include <string.h>

#include "internal.h"

/* Bytes with the same PMP permissions in a page that an entry splits. */
enum { GRANULE = 4 };

/* Gets the physical address of one end. Returns false after raising a trap: devices
 * cannot be copied. */
static bool locate_copy_end(struct soc_hart *h, uint64_t va, enum soc_kind kind,
			    uint64_t *pa)
{
	if (!soc_locate(h, va, 1, kind, pa))
		return false;
	if (soc_in_ram(h->soc, *pa, 1))
		return true;
	soc_raise(h, kind == SOC_STORE ? SOC_CAUSE_STORE_ACCESS : SOC_CAUSE_LOAD_ACCESS,
		  va);
	return false;
}

static uint64_t lower_length(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the bytes from pa on that share its translation and permissions. */
static uint64_t bytes_to_boundary(const struct soc_hart *h, uint64_t pa)
{
	uint64_t unit = soc_pmp_splits(h, pa) ? GRANULE : SOC_PAGE;

	return unit - (pa & (unit - 1));
}

/* Returns how many bytes are copied: no byte that is written is read later. */
static uint64_t count_copied_bytes(const struct soc_hart *h, uint64_t length,
				   uint64_t source, uint64_t destination)
{
	uint64_t n =
	    lower_length(length, lower_length(bytes_to_boundary(h, source),
					      bytes_to_boundary(h, destination)));

	if (source < destination)
		n = lower_length(n, destination - source);
	else if (destination < source)
		n = lower_length(n, source - destination);
	return n;
}

/* Returns whether the followed machine has copied the bytes. */
static bool is_copied(const struct soc_hart *h, uint64_t destination, uint64_t source,
		      uint64_t bytes)
{
	const struct soc_follow *f = &h->soc->follow;

	return f->copy && f->copy(f->user, h->id, destination, source, bytes);
}

/* Returns whether code or a translation was overwritten. */
static bool copy_ram_bytes(struct soc *soc, uint64_t destination, uint64_t source,
			   uint64_t bytes)
{
	memmove(soc->ram + (destination - SOC_RAM_BASE),
		soc->ram + (source - SOC_RAM_BASE), (size_t)bytes);
	soc_note_written(soc, destination, bytes);
	soc_end_reservations(soc, destination, bytes);
	return soc_code_written(soc, destination, bytes) |
	       soc_table_written(soc, destination, bytes);
}

enum soc_result soc_copy(struct soc_hart *h, uint32_t bits)
{
	uint64_t to = h->x[bits >> 15 & 31U], from = h->x[bits >> 20 & 31U];
	uint64_t *length = &h->x[bits >> 7 & 31U], source, destination;
	bool discarded = false;

	if (!h->soc->features.copy)
		return soc_raise(h, SOC_CAUSE_ILLEGAL, bits);
	if (*length == 0)
		return SOC_DONE;
	if (!locate_copy_end(h, from, SOC_LOAD, &source) ||
	    !locate_copy_end(h, to, SOC_STORE, &destination))
		return SOC_TRAP;
	*length = count_copied_bytes(h, *length, source, destination);
	if (!is_copied(h, destination, source, *length))
		discarded = copy_ram_bytes(h->soc, destination, source, *length);
	h->reserved = SOC_NEVER;
	soc_report_copy(h, destination, *length);
	return discarded ? SOC_LEAVE : SOC_DONE;
}
