/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of probes in a stream: the probes that its header names, and the values of a hit.
 * tr-stream(5), "PROBE". */
#ifndef TR_PROBES_H
#define TR_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "stream/header.h"
#include "stream/stream.h"

enum {
	TR_MAX_PROBES = 4096,
	TR_PROBE_MARK = TR_MAX_PROBES, /* number of marks (stream/marks.h), which no
					* header names */
	TR_MAX_PROBE_FIELDS = 256,     /* of one probe */
	TR_MAX_PROBE_NAME = 255,       /* bytes of the name of a probe or field */
};

/* The numbers are those of the encoding. */
enum tr_probe_value_kind {
	TR_PROBE_MISSING, /* memory or a register could not be read */
	TR_PROBE_UNSIGNED,
	TR_PROBE_SIGNED,
	TR_PROBE_ADDRESS, /* a pointer */
	TR_PROBE_BOOL,
	TR_PROBE_FLOAT,
	TR_PROBE_ENUM,	 /* `data` is its name; without one it is a number */
	TR_PROBE_STRING, /* any bytes but 0 */
	TR_PROBE_BYTES
};
struct tr_probe_value {
	enum tr_probe_value_kind kind;
	bool is_signed;	 /* of an enum */
	bool is_cut;	 /* string or bytes: there was more, up to the limit */
	uint64_t number; /* sign-extended if it is signed */
	double real;
	const uint8_t *data; /* string, bytes or name of an enumerator */
	size_t size;
};

/* Probes of the header keys "probe.N" and "probe.N.fields", N from 0. */
struct tr_probe_names {
	struct tr_probe_fields {
		const char *name;
		const char **fields;
		uint32_t count;
		const char *absence; /* why it has no place, or NULL */
	} * probes;
	uint32_t count;
	struct tr_arena text;
};

/* Reads the probes of a header. Returns TR_OK, TR_E_CORRUPT (a name is empty, too long or
 * has control characters, a field is there twice, or there are too many) or TR_E_NOMEM.
 * Release `names` in any case. */
int tr_probe_names_read(struct tr_probe_names *names, const struct tr_header *header);
/* Also valid after a failed tr_probe_names_read(). */
void tr_probe_names_release(struct tr_probe_names *names);
/* Returns a probe, also TR_PROBE_MARK; NULL if there is none of that number. */
const struct tr_probe_fields *tr_probe_names_at(const struct tr_probe_names *names,
						uint32_t probe);
/* Returns the number of a probe's field of that name, UINT32_MAX if it has none. */
uint32_t tr_probe_names_field(const struct tr_probe_names *names, uint32_t probe,
			      const char *field);

/* Appends values as in tr_hit.values. */
void tr_hit_encode(struct tr_buffer *out, const struct tr_probe_value *values,
		   size_t count);
/* Returns value number `field`, below hit->count. It points into the hit. */
struct tr_probe_value tr_hit_value(const struct tr_hit *hit, uint32_t field);
/* Returns true if the probe exists, and the values are well-formed and as many as it has
 * fields. */
bool tr_hit_good(const struct tr_hit *hit, const struct tr_probe_names *names);

#endif
