/* SPDX-License-Identifier: Apache-2.0 */
/* Parses packets of E-Trace: their encapsulation ("Unformatted Trace & Diagnostic Data
 * Packet Encapsulation for RISC-V"), or the records in which PULP's rv_tracer is stored;
 * and their payloads, chapter 7 of "Efficient Trace for RISC-V". */
#include <string.h>

#include "base/little.h"
#include "import/import_etrace.h"

enum { LENGTH_BITS = 5, EXTEND = 0x80, FULL_MAP = 31, ALL_HITS = 31, SLACK_BITS = 7 };
enum { HIGHEST_PRIV = 3, DEBUG = 4, VIRTUAL_USER = 5, VIRTUAL_SUPERVISOR = 6 };

/* Bits that are parsed. */
struct bits {
	const uint8_t *data;
	unsigned at;
};

static uint64_t take_bits(struct bits *b, uint64_t width)
{
	const uint8_t *byte = b->data + b->at / 8;
	const unsigned shift = b->at % 8;
	if (!width)
		return 0;
	uint64_t value = tr_load64(byte) >> shift;
	if (shift)
		value |= (uint64_t)byte[8] << (64 - shift);
	b->at += (unsigned)width;
	return value & UINT64_MAX >> (64 - width);
}

static uint64_t sign_extend_bits(uint64_t value, uint64_t width)
{
	const uint64_t sign = UINT64_C(1) << (width - 1);
	return (value ^ sign) - sign;
}

/* Extends the payload by its sign, to more bits than any packet has. */
static void extend_body(struct etrace_body *body)
{
	const unsigned bytes = body->bits / 8;
	const uint8_t fill = bytes && body->data[bytes - 1] & 0x80 ? 0xff : 0;
	memset(body->data + bytes, fill, sizeof(body->data) - bytes);
}

/* A record of 40 bytes, the last one first: the header, the time, then the payload. */
static int unwrap_record(const uint8_t *data, size_t size, struct etrace_body *body)
{
	enum { TIME_BYTES = 8, BEFORE_PAYLOAD = 1 + TIME_BYTES };
	const uint8_t *end = data + ETRACE_RECORD;
	if (size < ETRACE_RECORD)
		return 0;
	const unsigned length = end[-1] & ETRACE_MOST_PAYLOAD;
	if (!length)
		return -1;
	for (unsigned i = 0; i < TIME_BYTES; i++)
		body->stamp |= (uint64_t)end[-2 - (int)i] << (8 * i);
	for (unsigned i = 0; i < length; i++)
		body->data[i] = end[-BEFORE_PAYLOAD - 1 - (int)i];
	body->has_stamp = body->stamp != 0;
	body->bits = 8 * length;
	extend_body(body);
	return ETRACE_RECORD;
}

int tr_etrace_unwrap(const struct etrace_params *p, const uint8_t *data, size_t size,
		     struct etrace_body *body)
{
	uint8_t bytes[ETRACE_MOST_PACKET + 8] = {0};
	*body = (struct etrace_body){0};
	if (p->records == 1)
		return unwrap_record(data, size, body);
	if (!size)
		return 0;
	const unsigned length = *data & ((1u << LENGTH_BITS) - 1);
	body->is_null = !length;
	if (!length)
		return 1;
	body->has_stamp = *data & EXTEND;
	if (body->has_stamp && !p->timestamp_width)
		return -1;
	const unsigned stamp = body->has_stamp ? (unsigned)p->timestamp_width : 0;
	const unsigned total = (unsigned)p->srcid_width / 8 + stamp / 8 + length;
	if (size < 1 + total)
		return 0;
	memcpy(bytes, data + 1, total);
	struct bits b = {.data = bytes};
	body->source = (uint32_t)take_bits(&b, p->srcid_width);
	body->stamp = take_bits(&b, stamp);
	body->is_other = take_bits(&b, p->type_width) != p->inst_type;
	if (b.at >= 8 * total)
		return -1;
	/* Behind the last whole byte of the payload are bits without a meaning. */
	body->bits = (8 * total - b.at) / 8 * 8;
	if (b.at % 8 == 0)
		memcpy(body->data, bytes + b.at / 8, body->bits / 8);
	else
		for (unsigned i = 0; i < body->bits / 8; i++)
			body->data[i] = (uint8_t)take_bits(&b, 8);
	extend_body(body);
	return (int)(1 + total);
}

/* Returns the number of bits of the address of a record: its lower bytes, and a bit more.
 * `others` are the bits of the other fields. */
static uint64_t record_bits(const struct etrace_body *body, unsigned others)
{
	if (body->bits < others + 9)
		return 0;
	const uint64_t bits = (body->bits - others) / 8 * 8 + 1;
	return bits < 64 ? bits : 64;
}

static uint64_t take_address_field(const struct etrace_params *p, struct bits *b,
				   uint64_t width, bool is_whole)
{
	const uint64_t value = take_bits(b, width);
	if (!width)
		return 0;
	return (is_whole ? value : sign_extend_bits(value, width)) << p->iaddress_lsb;
}

static unsigned depth_bits(const struct etrace_params *p)
{
	return (unsigned)(p->return_stack_size + (p->return_stack_size > 0) +
			  p->call_counter_size);
}

/* Whether a return was not as predicted, and the number of predicted ones. `before` is
 * the bit that comes before. */
static void take_return_report(const struct etrace_params *p, struct bits *b, bool before,
			       struct etrace_packet *packet)
{
	const bool bit = take_bits(b, 1);
	packet->irreport = bit != before;
	packet->depth = (uint32_t)take_bits(b, depth_bits(p));
}

static void take_address_flags(const struct etrace_params *p, struct bits *b, bool before,
			       struct etrace_packet *packet)
{
	const bool notify = take_bits(b, 1), updiscon = take_bits(b, 1);
	packet->notify = notify != before;
	packet->updiscon = updiscon != notify;
	take_return_report(p, b, updiscon, packet);
}

static void address_and_flags(const struct etrace_params *p, unsigned modes,
			      const struct etrace_body *body, struct bits *b,
			      struct etrace_packet *packet)
{
	enum { RECORD_OTHERS = 4 }; /* the flags, and one bit more */
	const bool is_whole = modes & ETRACE_FULL_ADDRESS;
	const unsigned at = b->at;
	uint64_t width = p->iaddress_width - p->iaddress_lsb;
	packet->has_address = true;
	if (p->records == 1)
		width = record_bits(body, at + RECORD_OTHERS);
	packet->address = take_address_field(p, b, width, is_whole);
	if (p->records != 1) {
		const unsigned last = b->at - 1;
		take_address_flags(p, b, b->data[last / 8] >> last % 8 & 1, packet);
		return;
	}
	/* The flags follow the sign of the whole address, and not that of the change, so
	 * that the first of them tells nothing. */
	const bool notify = take_bits(b, 1), updiscon = take_bits(b, 1);
	packet->updiscon = width && updiscon != notify;
}

static unsigned map_bits(unsigned branches)
{
	return branches == 0 || branches > 15 ? FULL_MAP
	       : branches > 7		      ? 15
	       : branches > 3		      ? 7
	       : branches > 1		      ? 3
					      : 1;
}

static void take_map(struct bits *b, struct etrace_packet *packet)
{
	const unsigned valid = packet->branches ? packet->branches : FULL_MAP;
	packet->map = (uint32_t)take_bits(b, map_bits(packet->branches));
	packet->map &= (1u << valid) - 1;
	packet->branches = (uint8_t)valid;
}

/* Privileges of debug mode and of a virtual machine are those of the modes that are like
 * them. */
static bool take_privilege(const struct etrace_params *p, struct bits *b,
			   struct etrace_packet *packet)
{
	const uint64_t priv = take_bits(b, p->privilege_width);
	packet->priv = priv <= HIGHEST_PRIV	    ? (uint8_t)priv
		       : priv == DEBUG		    ? TR_PRIV_M
		       : priv == VIRTUAL_USER	    ? TR_PRIV_U
		       : priv == VIRTUAL_SUPERVISOR ? TR_PRIV_S
						    : IMPORT_PRIV_UNKNOWN;
	return packet->priv != IMPORT_PRIV_UNKNOWN && priv != 2;
}

static void time_and_context(const struct etrace_params *p, struct bits *b,
			     struct etrace_packet *packet)
{
	packet->time = take_bits(b, p->notime ? 0 : p->time_width);
	packet->context = take_bits(b, p->nocontext ? 0 : p->context_width);
}

static void parse_trap_packet(const struct etrace_params *p, unsigned modes,
			      const struct etrace_body *body, struct bits *b,
			      struct etrace_packet *packet)
{
	enum { RECORD_CAUSE = 64, RECORD_TVAL = 64 };
	const bool is_record = p->records == 1;
	packet->ecause = take_bits(b, is_record ? RECORD_CAUSE : p->ecause_width);
	packet->interrupt = take_bits(b, 1);
	packet->thaddr = take_bits(b, 1);
	packet->has_address =
	    !(modes & ETRACE_IMPLICIT_EXCEPTION) || !packet->thaddr || is_record;
	if (packet->has_address)
		packet->address =
		    take_address_field(p, b,
				       is_record ? record_bits(body, b->at + RECORD_TVAL)
						 : p->iaddress_width - p->iaddress_lsb,
				       true);
	if (is_record || !packet->interrupt)
		packet->tval = take_bits(b, is_record ? RECORD_TVAL : p->iaddress_width);
}

static const char *parse_support_packet(const struct etrace_params *p, unsigned modes,
					struct bits *b, struct etrace_packet *packet)
{
	take_bits(b, 1); /* whether tracing is on; the next packet tells */
	const uint64_t mode = take_bits(b, p->encoder_mode_width);
	packet->qualification = (uint8_t)take_bits(b, 2);
	packet->modes = (uint8_t)modes;
	for (unsigned i = 0; i < p->orders; i++) {
		packet->modes &= (uint8_t)~p->order[i];
		packet->modes |= take_bits(b, 1) ? p->order[i] : 0;
	}
	return mode ? "branch trace, encoder mode 0" : NULL;
}

/* Of a trap or support packet the end is not checked: data trace adds to the latter. */
static const char *parse_sync_packet(const struct etrace_params *p, unsigned modes,
				     const struct etrace_body *body, struct bits *b,
				     struct etrace_packet *packet)
{
	packet->subformat = (uint8_t)take_bits(b, 2);
	if (packet->subformat == ETRACE_SUPPORT) {
		const char *problem = parse_support_packet(p, modes, b, packet);
		b->at = body->bits;
		return problem;
	}
	if (packet->subformat != ETRACE_CONTEXT)
		packet->branch = (uint8_t)take_bits(b, 1);
	if (!take_privilege(p, b, packet))
		return "a privilege";
	time_and_context(p, b, packet);
	if (packet->subformat == ETRACE_START) {
		packet->has_address = true;
		packet->address = take_address_field(
		    p, b,
		    p->records == 1 ? record_bits(body, b->at)
				    : p->iaddress_width - p->iaddress_lsb,
		    true);
	} else if (packet->subformat == ETRACE_TRAP) {
		parse_trap_packet(p, modes, body, b, packet);
	}
	return NULL;
}

static const char *parse_extension_packet(const struct etrace_params *p, unsigned modes,
					  const struct etrace_body *body, struct bits *b,
					  struct etrace_packet *packet)
{
	enum { NO_ADDRESS = 0, ADDRESS = 2, ADDRESS_FAILED = 3 };
	const bool both = modes & ETRACE_PREDICTION && modes & ETRACE_JUMP_CACHE;
	if (!(modes & (ETRACE_PREDICTION | ETRACE_JUMP_CACHE)) || (both && !p->f0s_width))
		return "a packet of format 1 to 3, without prediction or cache";
	packet->subformat = p->f0s_width ? (uint8_t)take_bits(b, p->f0s_width)
					 : !(modes & ETRACE_PREDICTION);
	if (packet->subformat > 1)
		return "a subformat of 0 or 1";
	if (packet->subformat == 0) {
		packet->hits = take_bits(b, 32) + ALL_HITS;
		const uint64_t form = take_bits(b, 2);
		packet->misses = form == NO_ADDRESS || form == ADDRESS_FAILED;
		if (form != NO_ADDRESS)
			address_and_flags(p, modes, body, b, packet);
		return form == 1 ? "a branch_fmt of 0, 2 or 3" : NULL;
	}
	packet->has_index = true;
	packet->index = (uint32_t)take_bits(b, p->cache_size);
	packet->branches = (uint8_t)take_bits(b, 5);
	if (packet->branches)
		take_map(b, packet);
	take_return_report(p, b, b->data[(b->at - 1) / 8] >> (b->at - 1) % 8 & 1, packet);
	return NULL;
}

const char *tr_etrace_parse(const struct etrace_params *p, unsigned modes,
			    const struct etrace_body *body, struct etrace_packet *packet)
{
	struct bits b = {.data = body->data};
	const char *problem = NULL;
	*packet = (struct etrace_packet){.format = (uint8_t)take_bits(&b, 2)};
	if (packet->format == ETRACE_SYNC) {
		problem = parse_sync_packet(p, modes, body, &b, packet);
	} else if (packet->format == ETRACE_EXT) {
		problem = parse_extension_packet(p, modes, body, &b, packet);
	} else {
		bool has_address = true;
		if (packet->format == ETRACE_BRANCH) {
			packet->branches = (uint8_t)take_bits(&b, 5);
			has_address = packet->branches;
			take_map(&b, packet);
		}
		if (has_address)
			address_and_flags(p, modes, body, &b, packet);
	}
	if (!problem && p->records != 1 && body->bits > b.at + SLACK_BITS)
		problem = "a shorter packet, with these parameters of --encoder";
	return problem;
}
