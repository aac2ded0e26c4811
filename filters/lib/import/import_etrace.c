/* SPDX-License-Identifier: Apache-2.0 */
/* Efficient Trace for RISC-V: a packet for up to 31 branches, for each jump whose target
 * the program does not tell, and for each trap.
 *
 * The file has the packets one after the other, each in the encapsulation that the
 * specification recommends:
 *
 *     header     length of the payload in bytes (5 bits), flow (2), extend (1)
 *     source     srcid_width bits: the hart
 *     timestamp  timestamp_width bits, if extend is set
 *     payload    a type of type_width bits, then the packet
 *
 * A length of 0 is a packet of one byte without contents. The .te_inst_raw files of the
 * specification's reference flow are of this form. PULP's rv_tracer is stored in records
 * of 40 bytes, see import_etrace_packet.c. */
#include "import/import_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "import/import_etrace.h"
#include "import/import_parse.h"

enum { TRIAL_BYTES = 1 << 13, LOOK_PACKETS = 256 };

static struct etrace *etrace_state(const struct tr_import *im)
{
	return im->own;
}

/* --- What a file is */

/* Returns true if the file begins with records of rv_tracer: nothing before the payload,
 * and no flow. */
static bool is_records(const char *data, size_t size)
{
	enum { LEAST = 3 };
	size_t at = 0;
	for (unsigned n = 0; n < LEAST && at + ETRACE_RECORD <= size; n++) {
		const unsigned char *record = (const unsigned char *)data + at;
		const unsigned length = record[ETRACE_RECORD - 1] & ETRACE_MOST_PAYLOAD;
		if (!length || record[ETRACE_RECORD - 1] >> 5 != 4)
			return false;
		for (unsigned i = 0; i < ETRACE_MOST_PAYLOAD - length; i++)
			if (record[i])
				return false;
		if (n == 0 && (record[ETRACE_MOST_PAYLOAD - 1] & 3) != ETRACE_SYNC)
			return false;
		at += ETRACE_RECORD;
	}
	return at > 0;
}

/* Returns true for packets without source and time, of which the first are of support or
 * the start of synchronisation, and of one flow. */
static bool is_packets(const char *data, size_t size)
{
	enum { LEAST = 4, FLOW = 0xe0 };
	const unsigned char *bytes = (const unsigned char *)data;
	unsigned packets = 0;
	bool is_synchronised = false;
	for (size_t at = 0; packets < LOOK_PACKETS;) {
		while (at < size && !(bytes[at] & ETRACE_MOST_PAYLOAD))
			at++;
		if (at + 1 >= size)
			break;
		const unsigned kind = bytes[at + 1] & 15;
		const size_t length = bytes[at] & ETRACE_MOST_PAYLOAD;
		if (bytes[at] & 0x80 || (packets && (bytes[at] ^ bytes[0]) & FLOW))
			return false;
		if (!is_synchronised && kind != 15 && kind != 3)
			return false;
		if (kind == 15 && length > 4)
			return false;
		is_synchronised |= kind == 3;
		at += 1 + length;
		packets++;
	}
	return is_synchronised && packets >= LEAST;
}

static bool etrace_recognises(const char *data, size_t size)
{
	return is_records(data, size) || is_packets(data, size);
}

static const char *etrace_lacks(const struct tr_import *im)
{
	const struct etrace_params *p = &etrace_state(im)->params;
	return p->nocontext || p->records == 1 ? "satp,classes" : "classes";
}

/* Returns true if a packet at the file's beginning has a time. */
static bool has_times(const struct tr_import *im, const struct etrace_params *p)
{
	const char *data = im->data + im->begin;
	size_t size = im->end - im->begin;
	if (!p->notime)
		return true;
	for (;;) {
		struct etrace_body body;
		const int bytes = tr_etrace_unwrap(p, (const uint8_t *)data, size, &body);
		if (bytes <= 0 || body.has_stamp)
			return bytes > 0;
		data += bytes;
		size -= (size_t)bytes;
	}
}

static int open_etrace(struct tr_import *im, char *message, size_t size)
{
	const struct tr_import_options *o = &im->options;
	struct etrace *t = im->own = calloc(1, sizeof(*t));
	if (!t)
		return TR_E_NOMEM;
	struct etrace_params *p = &t->params;
	int status = tr_etrace_params(p, im->xlen, o->params, o->nparams, message, size);
	if (status)
		return status;
	if (p->records > 1)
		p->records = is_records(im->data, im->end);
	if (p->records == 1) {
		static const uint8_t order[ETRACE_MODES] = {
		    ETRACE_JUMP_CACHE,	       ETRACE_PREDICTION,
		    ETRACE_IMPLICIT_RETURN,    ETRACE_SEQUENTIAL_JUMP,
		    ETRACE_IMPLICIT_EXCEPTION, ETRACE_FULL_ADDRESS,
		    ETRACE_DELTA_ADDRESS};
		memcpy(p->order, order, sizeof(order));
		p->orders = ETRACE_MODES;
		p->iaddress_lsb = 0;
		p->timestamp_width = 64;
	}
	t->most_depth = p->return_stack_size   ? UINT64_C(1) << p->return_stack_size
			: p->call_counter_size ? UINT64_C(1) << p->call_counter_size
					       : 0;
	im->has_cycles = has_times(im, p);
	return TR_OK;
}

/* --- Harts */

static void release_hart(struct etrace_hart *h)
{
	tr_path_release(&h->path);
	free(h->stack);
	free(h->counters);
	free(h->cache);
}

bool tr_etrace_tables(const struct etrace *t, struct etrace_hart *h)
{
	const struct etrace_params *p = &t->params;
	if (t->most_depth)
		h->stack = calloc(t->most_depth, sizeof(*h->stack));
	if (p->bpred_size)
		h->counters = malloc((size_t)1 << p->bpred_size);
	if (p->cache_size)
		h->cache = malloc(sizeof(*h->cache) << p->cache_size);
	tr_etrace_reset(t, h);
	return (h->stack || !t->most_depth) && (h->counters || !p->bpred_size) &&
	       (h->cache || !p->cache_size);
}

static void etrace_release(struct tr_import *im)
{
	struct etrace *t = etrace_state(im);
	if (!t)
		return;
	for (uint32_t i = 0; i < TR_MAX_HARTS; i++)
		if (t->harts[i])
			release_hart(t->harts[i]);
	for (uint32_t i = 0; i < TR_MAX_HARTS; i++)
		free(t->harts[i]);
	release_hart(&t->trial);
	free(t);
}

static struct etrace_hart *find_etrace_hart(struct tr_import *im, struct etrace *t,
					    uint32_t source)
{
	if (source >= TR_MAX_HARTS)
		return NULL;
	if (t->harts[source])
		return t->harts[source];
	struct etrace_hart *h = t->harts[source] = calloc(1, sizeof(*h));
	if (!h || !tr_etrace_tables(t, h)) {
		im->status = TR_E_NOMEM;
		return NULL;
	}
	h->path.place.priv = IMPORT_PRIV_UNKNOWN;
	h->path.hart = t->params.srcid_width ? source : im->first_hart;
	h->modes = t->params.modes;
	return h;
}

/* --- The file */

/* Reports a problem of a packet. Returns true to go on. */
static bool report_etrace_problem(struct tr_import *im, const char *problem,
				  uint64_t offset)
{
	const struct import_line none = {"", "", ""};
	im->offset = offset;
	return tr_import_expect(im, &none, problem) || tr_import_skip(im);
}

/* Looks for the program that runs, if this packet may lead to another one. Returns false
 * if more bytes are needed. */
static bool look_ahead(struct tr_import *im, struct etrace *t,
		       const struct etrace_body *body, const struct etrace_packet *p,
		       const char *data, size_t size)
{
	const struct etrace_trial trial = {.place = tr_etrace_place(t, p),
					   .hart = t->harts[body->source],
					   .address = p->address,
					   .taken = !p->branch,
					   .source = body->source,
					   .data = data,
					   .size = size};
	if (p->format != ETRACE_SYNC || p->subformat != ETRACE_START ||
	    p->priv != TR_PRIV_U)
		return true;
	if (size < TRIAL_BYTES && !im->ended)
		return false;
	tr_etrace_choose(im, t, &trial);
	return true;
}

/* Takes a packet. Returns false if more bytes are needed, or at an error. */
static bool take_body(struct tr_import *im, struct etrace *t,
		      const struct etrace_body *body, const char *data, size_t size)
{
	struct etrace_packet p;
	if (body->is_null || body->is_other)
		return true;
	struct etrace_hart *h = find_etrace_hart(im, t, body->source);
	if (im->status)
		return false;
	t->problem = h ? tr_etrace_parse(&t->params, h->modes, body, &p)
		       : "a source below 64, or srcid_width by --encoder";
	if (t->problem && h)
		tr_etrace_lose(t, h, t->problem);
	if (t->problem)
		return true;
	if (!look_ahead(im, t, body, &p, data, size))
		return false;
	if (tr_etrace_time(t, h, body, &p))
		tr_etrace_packet(im, t, h, &p);
	else
		tr_etrace_lose(t, h, "a later time");
	return !im->status;
}

static size_t etrace_take_bytes(struct tr_import *im, const char *data, size_t size)
{
	struct etrace *t = etrace_state(im);
	const uint64_t offset = im->offset;
	size_t at = 0;
	while (!im->status && !im->sink->limited && at < size) {
		struct etrace_body body;
		int bytes = tr_etrace_unwrap(&t->params, (const uint8_t *)data + at,
					     size - at, &body);
		if (bytes == 0)
			break;
		t->problem =
		    bytes < 0 ? "a packet, or timestamp_width by --encoder" : NULL;
		im->line = t->packets + 1;
		if (bytes < 0)
			bytes = t->params.records == 1 ? ETRACE_RECORD : 1;
		else if (!take_body(im, t, &body, data + at + bytes,
				    size - at - (size_t)bytes))
			break;
		if (t->problem && !report_etrace_problem(im, t->problem, offset + at))
			break;
		t->packets += !body.is_null;
		at += (size_t)bytes;
	}
	im->offset = offset;
	return at;
}

static void etrace_end(struct tr_import *im)
{
	struct etrace *t = etrace_state(im);
	for (uint32_t i = 0; t && i < TR_MAX_HARTS; i++)
		if (t->harts[i] && t->harts[i]->begun)
			tr_path_pass_before(im, &t->harts[i]->path, UINT64_MAX);
}

static void etrace_remark(const struct tr_import *im, char *text, size_t size)
{
	const struct etrace *t = etrace_state(im);
	if (t && (t->losses || t->unfollowed))
		snprintf(text, size,
			 "packets that were not followed: %" PRIu64 ", in %" PRIu64
			 " place%s where the encoder lost packets, or code is in none of "
			 "the binaries, or not as it ran",
			 t->unfollowed, t->losses, tr_plural(t->losses));
}

const struct import_kind tr_import_etrace = {
    .format = {"etrace", "E-Trace's packets, or rv_tracer's records, with --bins"},
    .needs_code = true,
    .has_params = true,
    .recognises_bytes = etrace_recognises,
    .open = open_etrace,
    .lacks = etrace_lacks,
    .take_bytes = etrace_take_bytes,
    .end = etrace_end,
    .remark = etrace_remark,
    .release = etrace_release,
};
