/* SPDX-License-Identifier: Apache-2.0 */
/* The options --from and --to. */
#include "cli/cli_window.h"

#include <inttypes.h>
#include <string.h>

static struct tr_profile_bound parse_window_bound(const struct tr_cli *cli,
						  const char *option, const char *text)
{
	if (*text >= '0' && *text <= '9')
		return (struct tr_profile_bound){.cycle = tr_cli_u64(cli, option, text)};
	if (strcmp(text, "trigger") == 0)
		return (struct tr_profile_bound){.trigger = true};
	if (!*text)
		tr_die(cli, "%s: neither a cycle nor a function", option);
	return (struct tr_profile_bound){.function = text};
}

/* Returns true if the bound is known only once it is reached. */
static bool is_late(const struct tr_profile_bound *b)
{
	return b->function || b->trigger;
}

static void check_window_order(const struct tr_cli *cli, const struct tr_cli_window *w)
{
	if (w->from_text && w->to_text && !is_late(&w->from) && !is_late(&w->to) &&
	    w->to.cycle <= w->from.cycle)
		tr_die(cli, "--to %s is not after --from %s", w->to_text, w->from_text);
}

void tr_cli_window_parse(const struct tr_cli *cli, struct tr_cli_window *w)
{
	w->from = w->from_text ? parse_window_bound(cli, "--from", w->from_text)
			       : (struct tr_profile_bound){0};
	w->to = w->to_text ? parse_window_bound(cli, "--to", w->to_text)
			   : (struct tr_profile_bound){.cycle = UINT64_MAX};
	check_window_order(cli, w);
}

void tr_cli_stacks_name(const struct tr_cli_stacks *in, const char *option,
			const char *name, bool is_there)
{
	char near[256];
	if (is_there)
		return;
	tr_profile_near(in->profile, name, near, sizeof(near));
	tr_die(in->cli, "%s: %s%s%s%s: no such %s%s%s", in->name, option ? "--" : "",
	       option ? option : "", option ? " " : "", name,
	       option && strcmp(option, "fold") == 0 ? "binary" : "function",
	       *near ? "; there is " : "", near);
}

void tr_cli_window_names(const struct tr_cli_stacks *in, const struct tr_cli_window *w)
{
	if (w->from.function)
		tr_cli_stacks_name(
		    in, "from", w->from.function,
		    tr_profile_has_function(in->profile, w->from.function));
	if (w->to.function)
		tr_cli_stacks_name(in, "to", w->to.function,
				   tr_profile_has_function(in->profile, w->to.function));
}

void tr_cli_window_found(const struct tr_cli_stacks *in, const struct tr_cli_window *of)
{
	struct tr_profile_window w = tr_profile_window(in->profile);
	if (is_late(&of->from) && w.from == UINT64_MAX)
		tr_die(in->cli, "%s: --from %s: %s", in->name, of->from_text,
		       of->from.trigger ? "no trigger starts tracing" : "never called");
	if (is_late(&of->to) && w.to == UINT64_MAX)
		tr_die(in->cli, "%s: --to %s: no %s after cycle %" PRIu64, in->name,
		       of->to_text,
		       of->to.trigger ? "trigger stops tracing" : "call returns", w.from);
	const bool is_before = w.to <= w.first && w.first < w.last;
	if (w.is_cut && !tr_profile_charge(in->profile, false).charged)
		tr_die(in->cli,
		       "%s: nothing from cycle %" PRIu64 " to %" PRIu64
		       ": the stream %s at %" PRIu64,
		       in->name, w.from, w.to < w.last ? w.to : w.last,
		       is_before ? "begins" : "ends", is_before ? w.first : w.last);
}
