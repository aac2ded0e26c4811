/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that are marks, and hits of them.
 *
 * `slti x0, x0, N` is a HINT, of those that the table "RV32I HINT instructions" of the
 * unprivileged specification designates for custom use: no standard will give it a
 * meaning. `addi x0, x1, N` and `addi x0, x2, N` are FireSim's triggers. */
#include "stream/marks.h"

#include <stdio.h>
#include <string.h>

#include "stream/insn.h"

/* rd, rs1, funct3 and the opcode: all but the immediate value. */
#define INSN_FIELDS UINT32_C(0x000fffff)
#define SLTI_X0_X0  UINT32_C(0x00002013)
#define ADDI_X0_X1  UINT32_C(0x00008013)
#define ADDI_X0_X2  UINT32_C(0x00010013)

enum { KIND_SHIFT = 10, NUMBERS = 1 << KIND_SHIFT };
enum { FIELD_NAME, FIELD_KIND, FIELD_NUMBER };

bool tr_mark_decode(uint32_t insn, struct tr_mark *mark)
{
	const uint32_t immediate = insn >> 20;
	switch (insn & INSN_FIELDS) {
	case SLTI_X0_X0:
		*mark = (struct tr_mark){
		    .kind = (enum tr_mark_kind)((immediate >> KIND_SHIFT) + 1),
		    .number = immediate % NUMBERS};
		return mark->kind <= TR_MARK_END;
	case ADDI_X0_X1:
	case ADDI_X0_X2:
		*mark = (struct tr_mark){.kind = (insn & INSN_FIELDS) == ADDI_X0_X1
						     ? TR_MARK_BEGIN
						     : TR_MARK_END,
					 .number = immediate,
					 .is_trigger = true};
		return true;
	default:
		return false;
	}
}

char *tr_mark_default_name(const struct tr_mark *mark, char text[TR_MARK_NAME])
{
	snprintf(text, TR_MARK_NAME, "%s %u", mark->is_trigger ? "trigger" : "mark",
		 (unsigned)mark->number);
	return text;
}

const char *tr_mark_kind_name(enum tr_mark_kind kind)
{
	static const char *const names[] = {
	    [TR_MARK_POINT] = "point", [TR_MARK_BEGIN] = "begin", [TR_MARK_END] = "end"};
	return names[kind];
}

static size_t cut_name(const char *name)
{
	size_t size = strlen(name);
	if (size < TR_MARK_NAME)
		return size;
	size = TR_MARK_NAME - 1;
	while (size && ((uint8_t)name[size] & 0xc0) == 0x80) /* within a character */
		size--;
	return size;
}

void tr_mark_encode(struct tr_buffer *out, const struct tr_mark *mark, const char *name)
{
	const char *kind = tr_mark_kind_name(mark->kind);
	const struct tr_probe_value values[TR_MARK_FIELDS] = {
	    [FIELD_NAME] = {.kind = TR_PROBE_STRING,
			    .data = (const uint8_t *)name,
			    .size = cut_name(name)},
	    [FIELD_KIND] = {.kind = TR_PROBE_ENUM,
			    .number = mark->kind,
			    .data = (const uint8_t *)kind,
			    .size = strlen(kind)},
	    [FIELD_NUMBER] = {.kind = TR_PROBE_UNSIGNED, .number = mark->number}};
	tr_hit_encode(out, values, TR_MARK_FIELDS);
}

/* Returns the kind with a name, 0 if there is none. */
static unsigned kind_of_text(const struct tr_probe_value *text)
{
	for (unsigned kind = TR_MARK_POINT; kind <= TR_MARK_END; kind++) {
		const char *name = tr_mark_kind_name((enum tr_mark_kind)kind);
		if (strlen(name) == text->size &&
		    memcmp(name, text->data, text->size) == 0)
			return kind;
	}
	return 0;
}

/* Returns the value of a field, TR_PROBE_MISSING without one. */
static struct tr_probe_value named_value(const struct tr_probe_names *names,
					 const struct tr_hit *hit, const char *name)
{
	const uint32_t field = tr_probe_names_field(names, hit->probe, name);
	return field == UINT32_MAX ? (struct tr_probe_value){.kind = TR_PROBE_MISSING}
				   : tr_hit_value(hit, field);
}

/* Copies a name. Returns false if it is none. */
static bool take_mark_name(const struct tr_probe_value *text, char name[TR_MARK_NAME])
{
	if (text->kind != TR_PROBE_STRING || !text->size || text->size >= TR_MARK_NAME)
		return false;
	memcpy(name, text->data, text->size);
	name[text->size] = '\0';
	return tr_name_good(name);
}

bool tr_mark_is_hit(const struct tr_probe_names *names, const struct tr_hit *hit)
{
	return hit->probe == TR_PROBE_MARK ||
	       strcmp(names->probes[hit->probe].name, "mark") == 0;
}

/* Reads the hit of a probe that the header names. */
static bool read_named_mark(const struct tr_probe_names *names, const struct tr_hit *hit,
			    struct tr_mark *mark, char name[TR_MARK_NAME])
{
	if (!tr_mark_is_hit(names, hit))
		return false;
	const struct tr_probe_value text = named_value(names, hit, "name");
	const struct tr_probe_value kind = named_value(names, hit, "kind");
	const bool has_kind =
	    tr_probe_names_field(names, hit->probe, "kind") != UINT32_MAX;
	const bool is_text = kind.kind == TR_PROBE_STRING || kind.kind == TR_PROBE_ENUM;
	const unsigned as = !has_kind ? TR_MARK_POINT : is_text ? kind_of_text(&kind) : 0;
	*mark = (struct tr_mark){.kind = (enum tr_mark_kind)as};
	return as && take_mark_name(&text, name);
}

bool tr_mark_read(const struct tr_probe_names *names, const struct tr_hit *hit,
		  struct tr_mark *mark, char name[TR_MARK_NAME])
{
	if (hit->probe != TR_PROBE_MARK)
		return read_named_mark(names, hit, mark, name);
	const struct tr_probe_value text = tr_hit_value(hit, FIELD_NAME);
	const struct tr_probe_value kind = tr_hit_value(hit, FIELD_KIND);
	const struct tr_probe_value number = tr_hit_value(hit, FIELD_NUMBER);
	if (kind.kind != TR_PROBE_ENUM || kind.number < TR_MARK_POINT ||
	    kind.number > TR_MARK_END || number.kind != TR_PROBE_UNSIGNED ||
	    number.number > UINT32_MAX)
		return false;
	*mark = (struct tr_mark){.kind = (enum tr_mark_kind)kind.number,
				 .number = (uint32_t)number.number};
	return take_mark_name(&text, name);
}
