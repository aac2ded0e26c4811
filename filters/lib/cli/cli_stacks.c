/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a stream of stacks and checks conservation. */
#include "cli/cli_stacks.h"

#include <inttypes.h>
#include <string.h>

#include "cli/cli_chain.h"

void tr_cli_stacks_classes(const struct tr_cli_stacks *in, struct tr_classes *classes)
{
	const struct tr_header *header = tr_reader_header(in->reader);
	switch (tr_classes_read(classes, header)) {
	case TR_OK:
		break;
	case TR_E_ARGUMENT:
		tr_die(in->cli,
		       "%s: no classes: the source does not classify lost cycles",
		       in->name);
	case TR_E_CORRUPT:
		tr_die(in->cli, "%s: invalid names of classes in the header: %s",
		       in->name, tr_header_get(header, "classes"));
	default:
		tr_die(in->cli, "%s: %s", in->name, tr_status_text(TR_E_NOMEM));
	}
}

uint32_t tr_cli_stacks_width(const struct tr_cli_stacks *in)
{
	const struct tr_header *header = tr_reader_header(in->reader);
	return tr_header_get(header, "classes") ? tr_header_commit_width(header) : 1;
}

static bool profile_stack_frame(void *context, const struct tr_sframe *frame)
{
	const struct tr_cli_stacks *in = context;
	char message[128];
	if (in->taking)
		in->taking(in->context, frame);
	if (tr_profile_take(in->profile, in->reader, frame, message, sizeof(message)))
		tr_die(in->cli, "%s: %s", in->name, message);
	if (in->export)
		tr_cli_export_take(in->export, in->reader, frame);
	tr_cli_serve_take(in->serve, in->profile, frame);
	if (in->taken)
		in->taken(in->context, frame);
	return true;
}

/* Exporters and the server need all frames. */
static void seek_window(const struct tr_cli_stacks *in)
{
	const unsigned limits = (in->taking ? TR_SEEK_NO_HITS : 0) |
				(in->may_sum ? TR_SEEK_SUMS | TR_SEEK_FIRST_SUMS : 0);
	if (!in->export && !in->serve && (!in->taking || in->may_seek))
		tr_profile_seek(in->profile, in->reader, limits);
}

void tr_cli_stacks_take(struct tr_cli_stacks *in)
{
	seek_window(in);
	const struct tr_cli_frames take = {.stacks = profile_stack_frame, .context = in};
	int status = tr_cli_each_frame(in->cli, in->reader, &take);
	if (status != TR_END)
		tr_die(in->cli, "%s", tr_reader_message(in->reader));
	const char *end = tr_header_get(tr_reader_end(in->reader), "end");
	if (in->chain)
		tr_cli_chain_finish(in->chain);
	else
		tr_cli_tell_cut_off(in->cli, in->name, tr_reader_end(in->reader));
	status = tr_profile_finish(in->profile, end && strcmp(end, "trigger") == 0);
	if (status == TR_E_CORRUPT && tr_profile_estimate(in->profile))
		tr_die(in->cli, "%s: the estimated cycles exceed 62 bits", in->name);
	if (status)
		tr_die(in->cli, "%s: %s", in->name,
		       tr_status_text((enum tr_status)status));
}

void tr_cli_stacks_conserved(const struct tr_cli_stacks *in)
{
	static const char *const units[] = {"cycles", "instructions"};
	const struct tr_header *end = tr_reader_end(in->reader);
	for (unsigned unit = 0; unit < 2; unit++) {
		struct tr_charge charge = tr_profile_charge(in->profile, unit == 1);
		uint64_t total = tr_header_get_u64(end, units[unit], UINT64_MAX);
		uint64_t sum = charge.charged + charge.before + charge.after;
		/* The cycles of a sampled run are estimated. */
		if (tr_profile_estimate(in->profile))
			sum = tr_profile_taken(in->profile, unit == 1);
		if (sum != total)
			tr_die(in->cli,
			       "%s: %" PRIu64 " of %" PRIu64 " %s charged: not conserved",
			       in->name, sum, total, units[unit]);
	}
}

struct tr_class_sum tr_cli_stacks_class_sum(const struct tr_cli_stacks *in)
{
	struct tr_class_sum of;
	tr_profile_class_sum(in->profile, &of);
	if (of.wrong)
		tr_die(in->cli,
		       "%s: %" PRIu64 " of %" PRIu64
		       " %s have two classes; most of them in %s",
		       in->name, of.wrong, of.sum.slots, tr_tma_unit(of.sum.width),
		       of.wrong_func->name);
	const uint64_t cycles = tr_profile_charge(in->profile, false).charged;
	if (of.sum.slots != cycles * of.sum.width + of.ahead)
		tr_die(in->cli,
		       "%s: %" PRIu64 " slots in %" PRIu64 " cycles: not conserved",
		       in->name, of.sum.slots, cycles);
	return of;
}
