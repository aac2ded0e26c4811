/* SPDX-License-Identifier: Apache-2.0 */
/* Parses probes in a header; encodes and decodes the values of their hits. */
#include "stream/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "base/status.h"
#include "base/varint.h"

static bool is_probe_name(const char *name)
{
	return *name && strlen(name) <= TR_MAX_PROBE_NAME && tr_name_good(name);
}

/* Splits a copy of `list`, which is not empty, at its commas. Returns a status. */
static int read_fields(struct tr_probe_names *names, struct tr_probe_fields *probe,
		       const char *list)
{
	size_t size = strlen(list) + 1, fields = 1;
	for (const char *at = list; *at; at++)
		fields += *at == ',';
	if (fields > TR_MAX_PROBE_FIELDS)
		return TR_E_CORRUPT;
	char *text = tr_arena_take(&names->text, size);
	probe->fields = tr_arena_take(&names->text, fields * sizeof(*probe->fields));
	if (!text || !probe->fields)
		return TR_E_NOMEM;
	memcpy(text, list, size);
	for (char *field = text; field;) {
		char *comma = strchr(field, ',');
		if (comma)
			*comma = '\0';
		if (!is_probe_name(field))
			return TR_E_CORRUPT;
		for (uint32_t i = 0; i < probe->count; i++)
			if (strcmp(probe->fields[i], field) == 0)
				return TR_E_CORRUPT;
		probe->fields[probe->count++] = field;
		field = comma ? comma + 1 : NULL;
	}
	return TR_OK;
}

/* Returns a copy that lives as long as the names, or NULL when out of memory. */
static char *keep_header_text(struct tr_probe_names *names, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&names->text, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

static int read_probe(struct tr_probe_names *names, const char *name, const char *list,
		      const char *absence)
{
	struct tr_probe_fields *probe = &names->probes[names->count++];
	*probe = (struct tr_probe_fields){.name = keep_header_text(names, name)};
	if (absence)
		probe->absence = keep_header_text(names, absence);
	if (!probe->name || (absence && !probe->absence))
		return TR_E_NOMEM;
	if (!is_probe_name(name))
		return TR_E_CORRUPT;
	return list && *list ? read_fields(names, probe, list) : TR_OK;
}

int tr_probe_names_read(struct tr_probe_names *names, const struct tr_header *header)
{
	size_t room = 0;
	*names = (struct tr_probe_names){0};
	for (unsigned n = 0;; n++) {
		char key[32], fields[40], absent[40];
		snprintf(key, sizeof(key), "probe.%u", n);
		snprintf(fields, sizeof(fields), "probe.%u.fields", n);
		snprintf(absent, sizeof(absent), "probe.%u.absent", n);
		const char *name = tr_header_get(header, key);
		if (!name)
			return TR_OK;
		if (n == TR_MAX_PROBES)
			return TR_E_CORRUPT;
		if (!tr_grow(&names->probes, &room, n + 1UL, sizeof(*names->probes)))
			return TR_E_NOMEM;
		int status = read_probe(names, name, tr_header_get(header, fields),
					tr_header_get(header, absent));
		if (status)
			return status;
	}
}

void tr_probe_names_release(struct tr_probe_names *names)
{
	free(names->probes);
	tr_arena_reset(&names->text);
	*names = (struct tr_probe_names){0};
}

const struct tr_probe_fields *tr_probe_names_at(const struct tr_probe_names *names,
						uint32_t probe)
{
	static const char *fields[] = {"name", "kind", "number"};
	static const struct tr_probe_fields mark = {
	    .name = "mark", .fields = fields, .count = 3};
	if (probe == TR_PROBE_MARK)
		return &mark;
	return probe < names->count ? &names->probes[probe] : NULL;
}

uint32_t tr_probe_names_field(const struct tr_probe_names *names, uint32_t probe,
			      const char *field)
{
	const struct tr_probe_fields *p = &names->probes[probe];
	for (uint32_t i = 0; i < p->count; i++)
		if (strcmp(p->fields[i], field) == 0)
			return i;
	return UINT32_MAX;
}

static void encode_text_value(struct tr_buffer *out, const struct tr_probe_value *value)
{
	tr_buffer_varint(out, (uint64_t)value->size << 1 | value->is_cut);
	tr_buffer_add(out, value->data, value->size);
}

static void encode_number_value(struct tr_buffer *out, uint64_t number, bool is_signed)
{
	tr_buffer_varint(out, is_signed ? tr_zigzag(number) : number);
}

static void encode_real_value(struct tr_buffer *out, double real)
{
	uint64_t bits;
	memcpy(&bits, &real, sizeof(bits));
	tr_buffer_add64(out, bits);
}

static void encode_probe_value(struct tr_buffer *out, const struct tr_probe_value *value)
{
	tr_buffer_varint(out, value->kind);
	switch (value->kind) {
	case TR_PROBE_MISSING:
		break;
	case TR_PROBE_FLOAT:
		encode_real_value(out, value->real);
		break;
	case TR_PROBE_ENUM:
		tr_buffer_varint(out, value->is_signed);
		encode_number_value(out, value->number, value->is_signed);
		encode_text_value(out, value);
		break;
	case TR_PROBE_STRING:
	case TR_PROBE_BYTES:
		encode_text_value(out, value);
		break;
	default:
		encode_number_value(out, value->number, value->kind == TR_PROBE_SIGNED);
	}
}

void tr_hit_encode(struct tr_buffer *out, const struct tr_probe_value *values,
		   size_t count)
{
	for (size_t i = 0; i < count; i++)
		encode_probe_value(out, &values[i]);
}

static void decode_text_value(struct tr_bytes *in, struct tr_probe_value *value)
{
	uint64_t size = tr_varint_below(in, (TR_EVENT_MAX_BYTES + 1ULL) << 1);
	value->is_cut = size & 1;
	value->size = size >> 1;
	value->data = tr_bytes_take(in, value->size);
	if (!in->bad && value->kind != TR_PROBE_BYTES &&
	    memchr(value->data, 0, value->size))
		in->bad = true;
}

static uint64_t decode_number_value(struct tr_bytes *in, bool is_signed)
{
	uint64_t number = tr_varint(in);
	return is_signed ? tr_unzigzag(number) : number;
}

static double decode_real_value(struct tr_bytes *in)
{
	const uint8_t *p = tr_bytes_take(in, sizeof(uint64_t));
	uint64_t bits = p ? tr_load64(p) : 0;
	double real;
	memcpy(&real, &bits, sizeof(real));
	return real;
}

/* Decodes the next value, unless the bytes are malformed: then sets in->bad. */
static struct tr_probe_value decode_probe_value(struct tr_bytes *in)
{
	struct tr_probe_value value = {
	    .kind = (enum tr_probe_value_kind)tr_varint_below(in, TR_PROBE_BYTES + 1)};
	switch (value.kind) {
	case TR_PROBE_MISSING:
		break;
	case TR_PROBE_BOOL:
		value.number = tr_varint_below(in, 2);
		break;
	case TR_PROBE_FLOAT:
		value.real = decode_real_value(in);
		break;
	case TR_PROBE_ENUM:
		value.is_signed = tr_varint_below(in, 2);
		value.number = decode_number_value(in, value.is_signed);
		decode_text_value(in, &value);
		break;
	case TR_PROBE_STRING:
	case TR_PROBE_BYTES:
		decode_text_value(in, &value);
		break;
	default:
		value.number = decode_number_value(in, value.kind == TR_PROBE_SIGNED);
	}
	return value;
}

static struct tr_bytes bytes_of(const struct tr_hit *hit)
{
	return (struct tr_bytes){.at = hit->values, .end = hit->values + hit->size};
}

struct tr_probe_value tr_hit_value(const struct tr_hit *hit, uint32_t field)
{
	struct tr_bytes in = bytes_of(hit);
	for (uint32_t i = 0; i < field; i++)
		decode_probe_value(&in);
	return decode_probe_value(&in);
}

bool tr_hit_good(const struct tr_hit *hit, const struct tr_probe_names *names)
{
	struct tr_bytes in = bytes_of(hit);
	const struct tr_probe_fields *probe = tr_probe_names_at(names, hit->probe);
	if (!probe || hit->count != probe->count || hit->size > TR_EVENT_MAX_BYTES)
		return false;
	for (uint32_t i = 0; i < hit->count && !in.bad; i++)
		decode_probe_value(&in);
	return !in.bad && in.at == in.end;
}
