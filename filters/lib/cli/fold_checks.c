/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the options of tr-fold and tr-report with the stream. */
#include "cli/fold_checks.h"

#include <string.h>

#include "base/near.h"

/* Offers all labels as suggestions. Returns false if there are none. */
static bool offer_counters(struct tr_near *near, const struct tr_counters *counters)
{
	bool any = false;
	for (unsigned set = 0; set < TR_MAX_COUNTER_SETS; set++)
		for (uint32_t i = 0; i < counters->set[set].count; i++) {
			tr_near_offer(near, counters->set[set].label[i]);
			any = true;
		}
	return any;
}

struct tr_counter_id tr_fold_counter(const struct tr_stack_options *o,
				     const struct tr_cli_stacks *in)
{
	const struct tr_counters *counters = tr_reader_counters(in->reader);
	const char *label = o->counter;
	struct tr_counter_id id = {0};
	struct tr_near near;
	char text[256];
	if (!label || tr_counters_find(counters, label, &id))
		return id;
	tr_near_init(&near, label);
	tr_near_offer(&near, "cycles");
	tr_near_offer(&near, "instructions");
	if (!offer_counters(&near, counters))
		tr_die(
		    in->cli,
		    "%s: --unit %s: there are cycles and instructions, but no counters "
		    "in this stream; see --counters of soc-sim",
		    in->name, label);
	tr_near_text(&near, text, sizeof(text));
	tr_die(in->cli, "%s: --unit %s: no such counter; %s%s", in->name, label,
	       *text ? "there is " : "tr-info lists them", text);
}

static void check_names(const struct tr_stack_options *o, const struct tr_cli_stacks *in)
{
	const struct tr_profile *p = in->profile;
	for (unsigned i = 0; i < o->nfold; i++)
		tr_cli_stacks_name(in, "fold", o->fold[i],
				   tr_profile_has_binary(p, o->fold[i]));
	tr_cli_window_names(in, &o->window);
	if (o->function)
		tr_cli_stacks_name(in, NULL, o->function,
				   tr_profile_has_function(p, o->function));
}

/* Checks that the regular expressions match something. */
static void check_regexes(const struct tr_stack_options *o,
			  const struct tr_cli_stacks *in)
{
	for (unsigned i = 0; i < o->nfocus; i++)
		if (!tr_profile_matches(in->profile, &o->focus[i]))
			tr_die(in->cli, "%s: --focus %s: matches no frame", in->name,
			       o->focus_text[i]);
	for (unsigned i = 0; i < o->nhide; i++)
		if (o->hide_text[i] && !tr_profile_matches(in->profile, &o->hide[i]))
			tr_warn(in->cli, "%s: warning: --hide %s: matches no frame",
				in->name, o->hide_text[i]);
}

void tr_fold_check(const struct tr_stack_options *o, const struct tr_cli_stacks *in)
{
	check_names(o, in);
	check_regexes(o, in);
	tr_cli_window_found(in, &o->window);
}
