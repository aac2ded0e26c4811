/* SPDX-License-Identifier: Apache-2.0 */
/* Marks: instructions that do nothing, with which a program tells where it is
 * (tr-marks(5)). tr-unwind makes each execution a hit of the probe TR_PROBE_MARK, which
 * no header names: a stream without marks has the same bytes as ever. */
#ifndef TR_MARKS_H
#define TR_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "stream/probes.h"
#include "stream/stream.h"

enum tr_mark_kind { TR_MARK_POINT = 1, TR_MARK_BEGIN, TR_MARK_END };

enum {
	TR_MARK_NAME = 128, /* bytes of a name, with the 0 at its end */
	TR_MARK_FIELDS = 3, /* of a hit: name, kind and number */
	/* Bytes of a page to which stores are marks; it is aligned to them. */
	TR_MARK_PAGE = 4096
};

struct tr_mark {
	enum tr_mark_kind kind;
	uint32_t number; /* in the instruction */
	bool is_trigger; /* of the pair that starts and stops FireSim's traces */
};

/* Returns true if an instruction of 4 bytes is a mark, which it sets. */
bool tr_mark_decode(uint32_t insn, struct tr_mark *mark);
/* Writes the name of a mark of which no binary has one: "mark 3", or "trigger 0". Returns
 * `text`. */
char *tr_mark_default_name(const struct tr_mark *mark, char text[TR_MARK_NAME]);
/* Returns "point", "begin" or "end". */
const char *tr_mark_kind_name(enum tr_mark_kind kind);

/* Appends the values of a mark's hit: name, kind and number. A name that is too long is
 * cut. */
void tr_mark_encode(struct tr_buffer *out, const struct tr_mark *mark, const char *name);
/* Returns true if the hit is one of a mark, which it sets, with its name in `name`: of
 * TR_PROBE_MARK, or of a probe named "mark" with a field "name", and, unless it is a
 * point, "kind", a text as tr_mark_kind_name() returns it. */
bool tr_mark_read(const struct tr_probe_names *names, const struct tr_hit *hit,
		  struct tr_mark *mark, char name[TR_MARK_NAME]);
/* Returns true if the hit is of such a probe, also if its fields do not tell a mark. */
bool tr_mark_is_hit(const struct tr_probe_names *names, const struct tr_hit *hit);

#endif
