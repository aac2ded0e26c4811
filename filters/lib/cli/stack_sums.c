/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a stream of stacks into a profile, for tr-fold and tr-report. */
#include "cli/stack_sums.h"

#include <string.h>

#include "cli/cli_chain.h"
#include "cli/fold_checks.h"
#include "flame/flame.h"

static const struct tr_header *header_of_stacks(const struct tr_stack_sums *s)
{
	return tr_reader_header(s->in.reader);
}

/* A log of another tool's stacks has less than tr-unwind tells. */
static void check_log_source(const struct tr_stack_sums *s)
{
	const struct tr_stack_options *o = s->options;
	if (!tr_header_lacks(header_of_stacks(s), "instructions"))
		return;
	if (o->instructions)
		tr_die(s->cli, "%s: --unit instructions: the source does not count them",
		       s->in.name);
	if (o->by == TR_BY_PROCESS || o->by == TR_BY_PRIVILEGE)
		tr_die(s->cli, "%s: --by: the source tells no process and no privilege",
		       s->in.name);
}

/* Returns true if the unit is cycles, the default. */
static bool counts_cycles(const struct tr_stack_sums *s)
{
	return !s->options->instructions && !s->options->counter;
}

/* Returns true if waiting is separate, if the source reports it, even without --idle. */
static bool separates_idle(const struct tr_stack_sums *s)
{
	return !s->joins_idle &&
	       (s->options->by == TR_BY_PRIVILEGE || s->options->by == TR_BY_HART);
}

/* Reads the names of classes. For --by privilege or hart alone they are optional. */
static void read_class_names(struct tr_stack_sums *s)
{
	const struct tr_header *header = header_of_stacks(s);
	const bool is_optional =
	    separates_idle(s) && counts_cycles(s) && tr_header_get(header, "classes");
	if (s->needs_classes || s->options->idle || is_optional || s->is_sampled)
		tr_cli_stacks_classes(&s->in, &s->classes);
}

/* Returns the classes of waiting that the source reports, as bits. */
static uint32_t idle_classes(const struct tr_classes *classes)
{
	uint32_t idle = 0;
	for (unsigned c = 1; c <= classes->count; c++)
		if (strcmp(classes->group_name[classes->group[c]], "idle") == 0)
			idle |= UINT32_C(1) << c;
	return idle;
}

/* Returns the set of classes for waiting, as bits, if it is separate. */
static uint32_t idle_class_set(const struct tr_stack_sums *s)
{
	const bool is_wanted = s->options->idle || separates_idle(s);
	const uint32_t idle = is_wanted ? idle_classes(&s->classes) : 0;
	if (s->options->idle && !idle)
		tr_die(s->cli, "%s: no class of idle cycles in the header: %s",
		       s->in.name, tr_header_get(header_of_stacks(s), "classes"));
	return idle;
}

/* The windows of a sampled run are of no time that is in the stream. */
static void check_sampled(const struct tr_stack_sums *s)
{
	const struct tr_stack_options *o = s->options;
	const struct tr_cli_window *w = &o->window;
	if (!s->is_sampled)
		return;
	const char *hart = tr_header_get(header_of_stacks(s), "sampled_hart");
	const uint64_t number = tr_header_get_u64(header_of_stacks(s), "sampled_hart", 0);
	if (!number || number >= UINT32_MAX)
		tr_die(s->cli, "%s: invalid sampled_hart in the header: %s", s->in.name,
		       hart);
	if (o->counter)
		tr_die(s->cli,
		       "%s: --unit %s: a sampled run, whose counters are not known",
		       s->in.name, o->unit);
	if (tr_profile_bound_is_late(&w->from) || tr_profile_bound_is_late(&w->to) ||
	    w->from.cycle || w->to.cycle != UINT64_MAX)
		tr_die(s->cli,
		       "%s: --from, --to: a sampled run, of which only the whole can be "
		       "estimated",
		       s->in.name);
}

void tr_stack_sums_open(struct tr_stack_sums *s)
{
	const struct tr_stack_options *o = s->options;
	s->in = (struct tr_cli_stacks){
	    .cli = s->cli,
	    .name = strcmp(o->input, "-") == 0 ? "<stdin>" : o->input,
	    .reader = s->chain ? tr_cli_chain_start(s->chain, o->input)
			       : tr_cli_reader_of(s->cli, o->input, TR_CONTENT_STACKS),
	    .chain = s->chain,
	};
	s->is_sampled = tr_header_get(header_of_stacks(s), "sampled_hart") != NULL;
	check_sampled(s);
	check_log_source(s);
	read_class_names(s);
	const struct tr_profile_options options = {
	    .by = (enum tr_profile_by)o->by,
	    .instructions = o->instructions,
	    .counter = o->counter != NULL,
	    .counter_id = tr_fold_counter(o, &s->in),
	    .calls = s->needs_calls,
	    .slowest = o->slowest,
	    .nslowest = o->nslowest,
	    .privileges = s->needs_privileges,
	    .classes = s->needs_classes ? s->classes.count : 0,
	    .commit_width = tr_cli_stacks_width(&s->in),
	    .idle = idle_class_set(s),
	    .fold = o->fold,
	    .nfold = o->nfold,
	    .from = o->window.from,
	    .to = o->window.to,
	    .histogram = o->function,
	    .hide = o->hide,
	    .nhide = o->nhide,
	    .focus = o->focus,
	    .nfocus = o->nfocus,
	    .merge_recursion = o->merge_recursion,
	    .sample = {.is_sampled = s->is_sampled,
		       .hart = (uint32_t)tr_header_get_u64(header_of_stacks(s),
							   "sampled_hart", 0),
		       .idle = idle_classes(&s->classes)},
	};
	s->in.profile = tr_profile_new(&options);
	if (!s->in.profile)
		tr_die(s->cli, "%s: %s", s->in.name, tr_status_text(TR_E_NOMEM));
}

static void tell_out_of_focus(const struct tr_stack_sums *s)
{
	const struct tr_stack_options *o = s->options;
	const struct tr_profile *p = s->in.profile;
	uint64_t counted, out = tr_profile_out_of_focus(p);
	const struct tr_charge charge = o->counter
					    ? tr_profile_counter_charge(p, &counted)
					    : tr_profile_charge(p, o->instructions);
	char number[2][28];
	if (o->nfocus)
		tr_warn(s->cli, "%s: %s of %s %s (%.3f %%) are in [out of focus]",
			s->in.name, tr_flame_number(out, number[0]),
			tr_flame_number(charge.charged, number[1]), o->unit,
			charge.charged ? 100 * (double)out / (double)charge.charged : 0);
}

void tr_stack_sums_take(struct tr_stack_sums *s)
{
	tr_cli_stacks_take(&s->in);
	if (s->is_sampled &&
	    !tr_estimate_instructions(tr_profile_estimate(s->in.profile)))
		tr_die(s->cli, "%s: a sampled run without a window", s->in.name);
	tr_cli_serve_end(s->in.serve, s->in.profile);
	tr_fold_check(s->options, &s->in);
	tr_cli_stacks_conserved(&s->in);
	tr_fold_cut_off(&s->in, s->cut_off, sizeof(s->cut_off));
	tr_fold_conservation(s->options, &s->in, s->conservation,
			     sizeof(s->conservation));
	if (s->needs_classes)
		tr_fold_classes(&s->in, s->class_sum, sizeof(s->class_sum));
	if (!s->sums_waits)
		tell_out_of_focus(s);
}

void tr_stack_sums_verbose(const struct tr_stack_sums *s)
{
	if (!s->cli->verbose)
		return;
	tr_warn(s->cli, "%s", s->conservation);
	if (s->needs_classes)
		tr_warn(s->cli, "%s", s->class_sum);
}

bool tr_stack_sums_counted(const struct tr_stack_sums *s)
{
	const char *precision = tr_header_get(header_of_stacks(s), "precision");
	return precision && strstr(precision, "instruction");
}

uint64_t tr_stack_sums_clock(const struct tr_stack_sums *s)
{
	if (!counts_cycles(s) || tr_stack_sums_counted(s))
		return 0;
	if (s->options->clock_seen)
		return s->options->clock_hz;
	return tr_header_get_u64(header_of_stacks(s), "clock_hz", 0);
}

const char *tr_stack_sums_class_unit(const struct tr_stack_sums *s)
{
	return s->needs_classes ? tr_tma_unit(tr_cli_stacks_width(&s->in))
				: s->options->unit;
}

void tr_stack_sums_release(struct tr_stack_sums *s)
{
	tr_classes_release(&s->classes);
	tr_profile_free(s->in.profile);
	tr_reader_close(s->in.reader);
}
