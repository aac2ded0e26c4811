/* SPDX-License-Identifier: Apache-2.0 */
/* Kanata, the log of a pipeline that Onikiri 2, RSD, NaxRiscv and others write for the
 * viewer Konata; version 4 of docs/kanata-log-format.md there. A line is a command with
 * columns behind tabs:
 *
 *     C= 216                  the cycle;  C 1: that many more
 *     I 0 43 1                instruction 0 of the file begins, of thread 1
 *     L 0 0 80000000: 00000297 auipc t0, 0x0      its label
 *     S 0 0 F                 it enters stage F, of lane 0;  E: it leaves it
 *     R 0 7 0                 it retires;  R 0 7 1: it is flushed
 *     W 1 0 0                 a dependency
 *
 * A label of type 0 begins with the address, in hexadecimal; the instruction may follow,
 * in parentheses, with 0x, or as 8 digits, and then also as 4. A thread is a hart. The
 * stage of the oldest instruction that has not retired is the class of the slots that
 * are lost behind what has. */
#include "import/import_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "import/import_parse.h"
#include "stream/reader.h"

enum {
	IN_FLIGHT = 1 << 16, /* instructions at once */
	STAGES = TR_MAX_CLASSES - 3,
	STAGE_BYTES = 16,
	STAGE_NONE = 0xff, /* before the first one */
};

struct kanata_insn {
	uint64_t id, pc, bits;
	uint32_t hart;
	bool is_live, has_pc, has_bits;
	uint8_t stage;
};

struct kanata_hart {
	uint64_t oldest;  /* no older instruction is in flight */
	unsigned retired; /* in this cycle */
	bool has_begun;
};

struct kanata {
	struct kanata_insn insns[IN_FLIGHT]; /* at their numbers, modulo IN_FLIGHT */
	struct kanata_hart harts[TR_MAX_HARTS];
	unsigned nharts; /* one above the highest thread */
	uint64_t cycle, next_id;
	uint64_t wide_cycles; /* with more commits than the width */
	bool has_bits;	      /* labels have instructions */
	bool has_bare_bits;   /* they are 8 digits behind the address */
	bool looks;	      /* at the beginning */
	unsigned nstages;
	char stages[STAGES][STAGE_BYTES];
	char classes[(STAGES + 2) * STAGE_BYTES];
};

/* ------------------------------------------------------------ lines */

static bool take_tab(struct import_line *l)
{
	return import_text(l, "\t");
}

static bool take_number_column(struct import_line *l, uint64_t *value)
{
	return take_tab(l) && import_decimal(l, value);
}

static bool kanata_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	return import_text(&l, "Kanata\t");
}

/* Returns the instruction in flight of that number, or NULL. */
static struct kanata_insn *find_in_flight(struct kanata *k, uint64_t id)
{
	struct kanata_insn *insn = &k->insns[id % IN_FLIGHT];
	return insn->is_live && insn->id == id ? insn : NULL;
}

static bool take_begin(struct tr_import *im, struct kanata *k, struct import_line *line)
{
	uint64_t id, number, thread;
	if (!take_number_column(line, &id))
		return tr_import_expect(im, line, "the number of an instruction");
	if (k->next_id && (id < k->next_id || id - k->next_id >= IN_FLIGHT))
		return tr_import_expect(im, line, "the number after the last one");
	struct kanata_insn *insn = &k->insns[id % IN_FLIGHT];
	if (insn->is_live)
		return tr_import_expect(im, line,
					"fewer than 65536 instructions in flight");
	if (!take_number_column(line, &number) || !take_tab(line) ||
	    !import_hart(line, &thread))
		return tr_import_expect(im, line,
					"its other number, and a thread below 64");
	*insn = (struct kanata_insn){
	    .id = id, .hart = (uint32_t)thread, .is_live = true, .stage = STAGE_NONE};
	struct kanata_hart *h = &k->harts[thread];
	if (!h->has_begun)
		h->oldest = id;
	h->has_begun = true;
	if (thread >= k->nharts)
		k->nharts = (unsigned)thread + 1;
	k->next_id = id + 1;
	return true;
}

/* Takes the bits of an instruction in a label, in any of their forms. */
static bool parse_label_bits(const struct kanata *k, struct import_line l, uint64_t *bits,
			     bool *is_bare)
{
	const bool is_framed = import_text(&l, "(") || import_text(&l, "[");
	const bool is_marked = import_text(&l, "0x") || is_framed;
	const char *at = l.at;
	if (!import_hex(&l, bits))
		return false;
	const ptrdiff_t digits = l.at - at;
	*is_bare = !is_marked && digits == 8;
	if (l.at < l.end && *l.at != ' ' && *l.at != '\t' && *l.at != ')' && *l.at != ']')
		return false;
	if (digits == 8)
		return (is_marked || k->has_bare_bits || k->looks) && (*bits & 3) == 3;
	return digits == 4 && (is_marked || k->has_bare_bits) && (*bits & 3) != 3;
}

/* Returns false for a label without an address. */
static bool parse_label(const struct kanata *k, struct import_line l,
			struct kanata_insn *insn, bool *is_bare)
{
	import_blanks(&l);
	import_text(&l, "0x");
	if (!import_hex(&l, &insn->pc) ||
	    (l.at < l.end && *l.at != ':' && *l.at != ' ' && *l.at != '\t'))
		return false;
	import_blanks(&l);
	import_text(&l, ":");
	import_blanks(&l);
	insn->has_pc = true;
	insn->has_bits = parse_label_bits(k, l, &insn->bits, is_bare);
	return true;
}

static bool take_label(struct tr_import *im, struct kanata *k, struct import_line *line)
{
	uint64_t id, type;
	bool is_bare = false;
	if (!take_number_column(line, &id) || !take_number_column(line, &type) ||
	    !take_tab(line))
		return tr_import_expect(im, line, "a number, a type and a text");
	struct kanata_insn *insn = find_in_flight(k, id);
	if (insn && !insn->has_pc && type == 0)
		parse_label(k, *line, insn, &is_bare);
	if (k->looks && insn && insn->has_bits) {
		k->has_bits = true;
		k->has_bare_bits |= is_bare;
	}
	return true;
}

/* Returns the number of a stage, STAGES for one that the beginning does not have. Its
 * name ends at a blank; of it letters, digits, - and _ count. */
static unsigned find_stage(struct kanata *k, const struct import_line *line)
{
	char name[STAGE_BYTES];
	unsigned n = 0, i = 0;
	for (const char *at = line->at; at < line->end && *at != '\t' && *at != ' '; at++)
		if (n + 1 < sizeof(name) &&
		    ((*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
		     (*at >= 'a' && *at <= 'z') || *at == '-' || *at == '_'))
			name[n++] = *at;
	name[n] = '\0';
	while (i < k->nstages && strcmp(k->stages[i], name) != 0)
		i++;
	if (i == k->nstages && k->looks && n && i < STAGES)
		memcpy(k->stages[k->nstages++], name, sizeof(name));
	return i < k->nstages ? i : STAGES;
}

static bool take_stage(struct tr_import *im, struct kanata *k, struct import_line *line)
{
	uint64_t id, lane;
	if (!take_number_column(line, &id) || !take_number_column(line, &lane) ||
	    !take_tab(line))
		return tr_import_expect(im, line, "a number, a lane and a stage");
	struct kanata_insn *insn = find_in_flight(k, id);
	if (insn && lane == 0)
		insn->stage = (uint8_t)find_stage(k, line);
	return true;
}

static void put_retired(struct tr_import *im, const struct kanata *k,
			const struct kanata_insn *insn)
{
	const struct import_token token = {.pc = insn->pc,
					   .bits = insn->bits,
					   .cycle = k->cycle,
					   .hart = insn->hart,
					   .has_bits = insn->has_bits,
					   .has_cycle = true,
					   .priv = IMPORT_PRIV_UNKNOWN};
	tr_import_token(im, &token);
}

static bool take_retirement(struct tr_import *im, struct kanata *k,
			    struct import_line *line)
{
	uint64_t id, number, type;
	if (!take_number_column(line, &id))
		return tr_import_expect(im, line, "the number of an instruction");
	struct kanata_insn *insn = find_in_flight(k, id);
	if (!insn)
		return tr_import_expect(im, line, "an instruction in flight");
	if (!take_number_column(line, &number) || !take_number_column(line, &type))
		return tr_import_expect(im, line, "its number of retirement, and 0 or 1");
	if (type == 0 && !insn->has_pc)
		return tr_import_expect(
		    im, line,
		    "an instruction with a label of its address, \"L 0 0 80000000: …\"");
	insn->is_live = false;
	if (type)
		return true;
	const unsigned retired = ++k->harts[insn->hart].retired;
	if (k->looks)
		return true;
	k->wide_cycles += retired == im->commit_width + 1;
	put_retired(im, k, insn);
	return true;
}

/* ------------------------------------------------------------ time */

/* Returns the class of what a hart waits for: the stage of its oldest instruction, or
 * that there is none. */
static unsigned find_waiting_class(struct kanata *k, uint32_t hart)
{
	struct kanata_hart *h = &k->harts[hart];
	const struct kanata_insn *insn = NULL;
	while (h->oldest < k->next_id &&
	       (!(insn = find_in_flight(k, h->oldest)) || insn->hart != hart))
		h->oldest++;
	if (h->oldest == k->next_id || insn->stage == STAGE_NONE)
		return k->nstages + 2;
	return (insn->stage == STAGES ? k->nstages : insn->stage) + 1;
}

/* Ends the current cycle, and `cycles` - 1 after it, in which nothing retires. */
static void end_kanata_cycles(struct tr_import *im, struct kanata *k, uint64_t cycles)
{
	for (uint32_t i = 0; i < k->nharts; i++) {
		struct kanata_hart *h = &k->harts[i];
		if (k->looks && h->retired > im->commit_width)
			im->commit_width = h->retired;
		if (h->has_begun && !k->looks) {
			const uint64_t slots = cycles * im->commit_width;
			if (slots > h->retired)
				tr_import_lose(im, i, find_waiting_class(k, i),
					       slots - h->retired);
		}
		h->retired = 0;
	}
}

static bool take_cycles(struct tr_import *im, struct kanata *k, struct import_line *line)
{
	const bool is_absolute = import_text(line, "=");
	uint64_t cycles;
	if (!take_number_column(line, &cycles))
		return tr_import_expect(im, line, "a number of cycles");
	const uint64_t next = is_absolute ? cycles : k->cycle + cycles;
	if (next < k->cycle || next >= TR_MAX_CYCLES)
		return tr_import_expect(im, line, "a later cycle");
	if (next > k->cycle)
		end_kanata_cycles(im, k, next - k->cycle);
	k->cycle = next;
	return true;
}

static bool take_kanata_command(struct tr_import *im, struct kanata *k,
				struct import_line *line)
{
	switch (line->at < line->end ? *line->at++ : '\0') {
	case 'C':
		return take_cycles(im, k, line);
	case 'I':
		return take_begin(im, k, line);
	case 'L':
		return take_label(im, k, line);
	case 'S':
		return take_stage(im, k, line);
	case 'R':
		return take_retirement(im, k, line);
	case 'E':
	case 'W':
		return true;
	default:
		line->at--;
		return tr_import_expect(im, line, "a command: C=, C, I, L, S, E, R or W");
	}
}

static bool read_kanata_line(struct tr_import *im, struct import_line *line)
{
	struct kanata *k = im->own;
	uint64_t version;
	if (!import_text(line, "Kanata\t"))
		return take_kanata_command(im, k, line);
	const char *at = line->at;
	if (import_decimal(line, &version) && version == 4)
		return true;
	line->at = at;
	return tr_import_expect(im, line, "version 0004");
}

/* ------------------------------------------------------------ the beginning */

static int kanata_open(struct tr_import *im, char *message, size_t size)
{
	struct kanata *k = im->own = calloc(1, sizeof(*k));
	if (!k) {
		snprintf(message, size, "out of memory");
		return TR_E_NOMEM;
	}
	k->looks = true;
	im->commit_width = 1;
	return TR_OK;
}

/* The classes are the stages of the beginning, any other one, and no instruction. */
static void name_stage_classes(struct kanata *k)
{
	size_t n = 0;
	for (unsigned i = 0; i < k->nstages; i++)
		n += (size_t)snprintf(k->classes + n, sizeof(k->classes) - n, "%s,",
				      k->stages[i]);
	snprintf(k->classes + n, sizeof(k->classes) - n, "other-stage,empty");
}

/* What the beginning has is found by reading it without a result. */
static void kanata_look(struct tr_import *im, struct import_line *line)
{
	struct kanata *k = im->own;
	const unsigned nstages = k->nstages;
	read_kanata_line(im, line);
	if (!im->classes || k->nstages != nstages)
		name_stage_classes(k);
	im->classes = k->classes;
}

static bool kanata_take_line(struct tr_import *im, struct import_line *line)
{
	struct kanata *k = im->own;
	if (!k)
		return tr_import_expect(im, line, "a log of Kanata");
	if (k->looks) {
		memset(k->insns, 0, sizeof(k->insns));
		memset(k->harts, 0, sizeof(k->harts));
		k->cycle = k->next_id = k->nharts = 0;
		k->looks = false;
	}
	return read_kanata_line(im, line);
}

static const char *kanata_lacks(const struct tr_import *im)
{
	const struct kanata *k = im->own;
	return k->has_bits ? "priv,satp,traps" : "insn,priv,satp,traps";
}

static bool kanata_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t number;
	(void)im;
	return import_text(&l, "R") && take_number_column(&l, &number) &&
	       take_number_column(&l, &number) && take_number_column(&l, &number);
}

static void kanata_remark(const struct tr_import *im, char *text, size_t size)
{
	const struct kanata *k = im->own;
	if (k->wide_cycles)
		snprintf(text, size,
			 "%" PRIu64 " cycle%s in which more than %u instructions "
			 "retired, the most of a cycle at the log's beginning: lost "
			 "slots are not exact",
			 k->wide_cycles, tr_plural(k->wide_cycles), im->commit_width);
}

static void kanata_release(struct tr_import *im)
{
	free(im->own);
}

const struct import_kind tr_import_kanata = {
    .format = {"kanata", "pipelines for the viewer Konata: Onikiri, RSD, NaxRiscv"},
    .has_cycles = true,
    .recognises = kanata_recognises,
    .open = kanata_open,
    .look = kanata_look,
    .lacks = kanata_lacks,
    .take = kanata_take_line,
    .is_whole = kanata_is_whole,
    .remark = kanata_remark,
    .release = kanata_release,
};
