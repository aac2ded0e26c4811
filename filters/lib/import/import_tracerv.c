/* SPDX-License-Identifier: Apache-2.0 */
/* FireSim's TracerV, TRACEFILE-C<n>, for people and binary (tracerv.cc):
 *
 *     # Clock Domain: tile, Relative Frequency: 1/1 of Base Clock
 *     Cycle: 0000000000001234 I0: 0000000080000024
 *
 * The cycle is decimal. The binary form has, after the first line, records of 64-bit
 * words, little-endian: the cycle, then valid << 63 | pc for each instruction that can
 * commit in a cycle, the oldest first. Neither form extends the sign of a pc. */
#include "import/import_formats.h"

#include "base/little.h"
#include "import/import_parse.h"

enum { PC_BITS = 40, MAX_WIDTH = 7, SAMPLE = 64 };

static const char title[] = "# Clock Domain";
static const uint64_t VALID = UINT64_C(1) << 63;

static uint64_t extend_tracerv_pc(uint64_t pc)
{
	return (uint64_t)((int64_t)(pc << (64 - PC_BITS)) >> (64 - PC_BITS));
}

static bool tracerv_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	return import_text(&l, "Cycle: ");
}

static const char *tracerv_lacks(const struct tr_import *im)
{
	(void)im;
	return "insn,priv,satp,traps,classes";
}

static struct import_token new_token(const struct tr_import *im)
{
	return (struct import_token){
	    .hart = im->first_hart, .has_cycle = true, .priv = IMPORT_PRIV_UNKNOWN};
}

static bool put_tracerv_token(struct tr_import *im, uint64_t cycle, uint64_t pc)
{
	struct import_token token = new_token(im);
	if (!tr_import_time_good(im, im->first_hart, cycle))
		return false;
	token.pc = extend_tracerv_pc(pc);
	token.cycle = cycle;
	tr_import_token(im, &token);
	return true;
}

static bool tracerv_take_line(struct tr_import *im, struct import_line *line)
{
	uint64_t cycle, number, pc;
	if (line->at == line->end || *line->at == '#')
		return true;
	if (!import_text(line, "Cycle: "))
		return tr_import_expect(im, line, "\"Cycle: \"");
	if (!import_decimal(line, &cycle))
		return tr_import_expect(im, line, "a decimal cycle");
	if (!import_text(line, " I") || !import_decimal(line, &number) ||
	    !import_text(line, ": "))
		return tr_import_expect(im, line, "\" I0: \"");
	if (!import_hex(line, &pc))
		return tr_import_expect(im, line, "a hexadecimal pc");
	return put_tracerv_token(im, cycle, pc) ||
	       tr_import_expect(im, line, "a later cycle");
}

/* An address has the digits of the others, 16 if there are none. */
static bool tracerv_is_whole(const struct tr_import *im, const struct import_line *line)
{
	const char *at = memmem(line->at, (size_t)(line->end - line->at), ": ", 2);
	struct import_line l = {.start = line->start, .at = at, .end = line->end};
	uint64_t number;
	if (*line->at == '#')
		return true;
	if (!at || !import_text(&l, ": ") || !import_decimal(&l, &number) ||
	    !import_text(&l, " I") || !import_decimal(&l, &number) ||
	    !import_text(&l, ": "))
		return false;
	at = l.at;
	return import_hex(&l, &number) &&
	       (unsigned)(l.at - at) >= (im->digits ? im->digits : 16);
}

static void tracerv_look(struct tr_import *im, struct import_line *line)
{
	uint64_t number;
	if (im->digits || !import_text(line, "Cycle: ") ||
	    !import_decimal(line, &number) || !import_text(line, " I") ||
	    !import_decimal(line, &number) || !import_text(line, ": "))
		return;
	const char *at = line->at;
	if (import_hex(line, &number))
		im->digits = (unsigned)(line->at - at);
}

const struct import_kind tr_import_tracerv = {
    .format = {"tracerv", "FireSim's TracerV, readable or binary"},
    .has_cycles = true,
    .in_order = true,
    .recognises = tracerv_recognises,
    .look = tracerv_look,
    .lacks = tracerv_lacks,
    .take = tracerv_take_line,
    .is_whole = tracerv_is_whole,
};

/* The binary form: its first line is that of the other, but a cycle and a valid pc
 * follow, and no text has their highest bytes. */
static bool recognises_binary(const struct import_line *line)
{
	struct import_line l = *line;
	const unsigned char *words = (const unsigned char *)l.end + 1;
	return import_text(&l, title) && words[7] == 0 && words[15] & 0x80;
}

static bool width_fits(const char *data, size_t size, unsigned width)
{
	const size_t bytes = 8 * (size_t)(1 + width);
	uint64_t last = 0;
	for (size_t at = 0, n = 0; at + bytes <= size && n < SAMPLE; at += bytes, n++) {
		uint64_t cycle = tr_load64((const uint8_t *)data + at), any = 0;
		for (unsigned i = 0; i < width; i++) {
			uint64_t word = tr_load64((const uint8_t *)data + at + 8 + 8 * i);
			any |= word & VALID;
			if (!(word & VALID) && word)
				any = 0;
		}
		if (cycle < last || cycle >= TR_MAX_CYCLES || !any)
			return false;
		last = cycle;
	}
	return size >= bytes;
}

/* Returns the number of instructions in a record, which is not stored; 0 if none fits. */
static unsigned find_width(const char *data, size_t size)
{
	for (unsigned width = 1; width <= MAX_WIDTH; width++)
		if (width_fits(data, size, width))
			return width;
	return 0;
}

static size_t skip_title(struct tr_import *im, const char *data, size_t size)
{
	const char *end = *data == '#' ? memchr(data, '\n', size) : NULL;
	im->has_title = true;
	return end ? (size_t)(end + 1 - data) : 0;
}

static inline void take_tracerv_record(struct tr_import *im, struct import_token *token,
				       const uint8_t *words)
{
	for (unsigned i = 0; i < im->width; i++) {
		const uint64_t word = tr_load64(words + 8 * i);
		if (!(word & VALID))
			continue;
		token->pc = extend_tracerv_pc(word);
		tr_import_token(im, token);
	}
}

static size_t tracerv_take_bytes(struct tr_import *im, const char *data, size_t size)
{
	const struct import_line none = {data, data, data};
	size_t at = im->has_title ? 0 : skip_title(im, data, size);
	if (!im->width)
		im->width = find_width(data + at, size - at);
	if (!im->width) {
		tr_import_expect(im, &none, "records of ascending cycles and valid pcs");
		im->status = TR_E_CORRUPT;
		return 0;
	}
	const size_t bytes = 8 * (size_t)(1 + im->width);
	struct import_token token = new_token(im);
	for (; at + bytes <= size && !im->status && !im->sink->limited; at += bytes) {
		token.cycle = tr_load64((const uint8_t *)data + at);
		if (tr_import_time_good(im, token.hart, token.cycle)) {
			take_tracerv_record(im, &token, (const uint8_t *)data + at + 8);
			continue;
		}
		im->offset += at;
		tr_import_expect(im, &none, "a later cycle");
		im->status = TR_E_CORRUPT;
		break;
	}
	return at;
}

const struct import_kind tr_import_tracerv_binary = {
    .format = {"tracerv-binary", "the same, binary"},
    .has_cycles = true,
    .in_order = true,
    .recognises = recognises_binary,
    .lacks = tracerv_lacks,
    .take_bytes = tracerv_take_bytes,
};
