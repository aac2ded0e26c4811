/* SPDX-License-Identifier: Apache-2.0 */
#include "export/export_mappings.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/status.h"

/* Where pprof expects kernels. */
#define UPPER_HALF (UINT64_MAX / 2 + 1)
enum { PAGE = 4096 };

static bool add_mapping(struct tr_export_mappings *m, uint64_t start, uint64_t limit,
			uint64_t offset)
{
	if (!tr_grow(&m->list, &m->room, m->count + 1, sizeof(*m->list)))
		return false;
	m->list[m->count++] = (struct tr_export_mapping){
	    .binary = m->nbinaries, .start = start, .limit = limit, .offset = offset};
	return true;
}

/* Parses "ADDRESS:SIZE:OFFSET" at *text and what divides it from the next one. Returns
 * false at the end, and if it is none. */
static bool parse_segment(const char **text, uint64_t *start, uint64_t *limit,
			  uint64_t *offset)
{
	uint64_t *const values[] = {start, limit, offset};
	for (int i = 0; i < 3; i++) {
		*text = tr_parse_number(*text, values[i]);
		if (!*text || (**text != ':' && i < 2))
			return false;
		*text += i < 2;
	}
	*text += **text == ',';
	return !__builtin_add_overflow(*start, *limit, limit);
}

/* Adds the segments of a binary, of a kernel as one mapping. Returns false when out of
 * memory. */
static bool add_segments(struct tr_export_mappings *m, const char *text)
{
	uint64_t start, limit, offset;
	const size_t first = m->count;
	while (*text && parse_segment(&text, &start, &limit, &offset)) {
		const bool is_kernel = start >= UPPER_HALF;
		uint64_t into = m->count == first ? start % PAGE : 0;
		if (is_kernel || into > offset)
			into = 0;
		if (is_kernel && m->count > first) {
			if (limit > m->list[first].limit)
				m->list[first].limit = limit;
		} else if (!add_mapping(m, start - into, limit,
					is_kernel ? 0 : offset - into)) {
			return false;
		}
	}
	return true;
}

int tr_export_mappings_init(struct tr_export_mappings *m, const struct tr_header *header)
{
	size_t room = 0;
	for (; tr_header_bin(header, m->nbinaries, ""); m->nbinaries++) {
		const char *segments = tr_header_bin(header, m->nbinaries, ".segments");
		if (!tr_grow(&m->first, &room, m->nbinaries + 1UL, sizeof(*m->first)))
			return TR_E_NOMEM;
		m->first[m->nbinaries] = (uint32_t)m->count;
		if (!add_segments(m, segments ? segments : "") ||
		    !add_mapping(m, 0, UINT64_MAX, 0))
			return TR_E_NOMEM;
	}
	return TR_OK;
}

void tr_export_mappings_release(struct tr_export_mappings *m)
{
	free(m->list);
	free(m->first);
	*m = (struct tr_export_mappings){0};
}

/* The last mapping of a binary is the whole address space. */
uint32_t tr_export_mappings_at(const struct tr_export_mappings *m, uint32_t binary,
			       uint64_t address)
{
	if (binary >= m->nbinaries)
		return UINT32_MAX;
	uint32_t i = m->first[binary];
	while (address && (address < m->list[i].start || address >= m->list[i].limit) &&
	       m->list[i].limit != UINT64_MAX)
		i++;
	return i;
}
