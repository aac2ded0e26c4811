/* SPDX-License-Identifier: Apache-2.0 */
/* The options --from and --to. */
#include "cli/cli_window.h"

#include <inttypes.h>
#include <string.h>

/* What is before the name of a mark. */
#define MARK "mark:"

/* Parses NAME or NAME#NUMBER. */
static struct tr_profile_bound parse_mark_bound(const struct tr_cli *cli,
						const char *option, const char *text)
{
	struct tr_profile_bound bound = {.mark = text, .mark_size = strlen(text)};
	const char *number = strrchr(text, '#');
	if (number && number[1] &&
	    strspn(number + 1, "0123456789") == strlen(number + 1)) {
		bound.nth = tr_cli_u64(cli, option, number + 1);
		bound.mark_size = (size_t)(number - text);
		if (!bound.nth)
			tr_die(cli, "%s " MARK "%s: the first is #1", option, text);
	}
	if (!bound.mark_size)
		tr_die(cli, "%s: no name of a mark", option);
	return bound;
}

static struct tr_profile_bound parse_window_bound(const struct tr_cli *cli,
						  const char *option, const char *text)
{
	if (*text >= '0' && *text <= '9')
		return (struct tr_profile_bound){.cycle = tr_cli_u64(cli, option, text)};
	if (strcmp(text, "trigger") == 0)
		return (struct tr_profile_bound){.trigger = true};
	if (strncmp(text, MARK, strlen(MARK)) == 0)
		return parse_mark_bound(cli, option, text + strlen(MARK));
	if (!*text)
		tr_die(cli, "%s: neither a cycle nor a function", option);
	return (struct tr_profile_bound){.function = text};
}

static void check_window_order(const struct tr_cli *cli, const struct tr_cli_window *w)
{
	if (w->from_text && w->to_text && !tr_profile_bound_is_late(&w->from) &&
	    !tr_profile_bound_is_late(&w->to) && w->to.cycle <= w->from.cycle)
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

/* Dies since a mark was not found. */
static void fail_mark(const struct tr_cli_stacks *in, const char *option,
		      const char *text, const struct tr_profile_bound *bound, bool is_to)
{
	const uint64_t begun = tr_profile_marks_begun(in->profile, is_to);
	const struct tr_profile_window w = tr_profile_window(in->profile);
	char names[1024];
	tr_profile_mark_names(in->profile, names, sizeof(names));
	if (!*names)
		tr_die(in->cli, "%s: %s %s: the stream has no marks", in->name, option,
		       text);
	if (!tr_profile_has_mark(in->profile, is_to))
		tr_die(in->cli, "%s: %s %s: no such mark; there are: %s", in->name,
		       option, text, names);
	if (bound->nth && begun < bound->nth)
		tr_die(in->cli, "%s: %s %s: there are only %" PRIu64, in->name, option,
		       text, begun);
	if (is_to)
		tr_die(in->cli, "%s: %s %s: no end or point of it after cycle %" PRIu64,
		       in->name, option, text, w.from);
	tr_die(in->cli, "%s: %s %s: it only ends", in->name, option, text);
}

void tr_cli_window_found(const struct tr_cli_stacks *in, const struct tr_cli_window *of)
{
	struct tr_profile_window w = tr_profile_window(in->profile);
	if (of->from.mark && w.from == UINT64_MAX)
		fail_mark(in, "--from", of->from_text, &of->from, false);
	if (of->to.mark && w.to == UINT64_MAX && w.from != UINT64_MAX)
		fail_mark(in, "--to", of->to_text, &of->to, true);
	if (tr_profile_bound_is_late(&of->from) && w.from == UINT64_MAX)
		tr_die(in->cli, "%s: --from %s: %s", in->name, of->from_text,
		       of->from.trigger ? "no trigger starts tracing" : "never called");
	if (tr_profile_bound_is_late(&of->to) && w.to == UINT64_MAX)
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
