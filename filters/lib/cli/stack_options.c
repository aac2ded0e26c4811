/* SPDX-License-Identifier: Apache-2.0 */
/* Parses what tr-fold and tr-report sum. */
#include "cli/stack_options.h"

#include <string.h>

const char *const tr_stack_groups[] = {"joined",    "program", "process", "thread",
				       "privilege", "hart",    NULL};
const char *const tr_stack_units[] = {"cycles", "instructions", NULL};

/* Routines with which gcc and LLVM save and restore registers, and LLVM's outlined
 * code. */
static const char helpers[] =
    "^(__riscv_(save|restore)_(tailcall_)?[0-9]+|OUTLINED_FUNCTION_[0-9]+(\\.[0-9]+)?)$";

void tr_stack_take_fold(void *context, const struct tr_option *option, const char *binary)
{
	struct tr_stack_options *o = context;
	if (!*binary)
		tr_die(o->cli, "--%s: no binary", option->name);
	if (o->nfold == TR_PROFILE_FOLDS)
		tr_die(o->cli, "--%s: more than %d binaries", option->name,
		       TR_PROFILE_FOLDS);
	o->fold[o->nfold++] = binary;
}

static void add_frame_regex(const struct tr_cli *cli, const char *option,
			    const char *text, const char **texts, regex_t *regexes,
			    unsigned *count)
{
	char message[160];
	if (!*text)
		tr_die(cli, "--%s: no regular expression", option);
	if (*count == TR_PROFILE_FOLDS)
		tr_die(cli, "--%s: more than %d regular expressions", option,
		       TR_PROFILE_FOLDS);
	int failed = regcomp(&regexes[*count], text, REG_EXTENDED | REG_NOSUB);
	if (failed) {
		regerror(failed, &regexes[*count], message, sizeof(message));
		tr_die(cli, "--%s: %s: %s", option, text, message);
	}
	texts[(*count)++] = text;
}

void tr_stack_take_focus(void *context, const struct tr_option *option, const char *regex)
{
	struct tr_stack_options *o = context;
	add_frame_regex(o->cli, option->name, regex, o->focus_text, o->focus, &o->nfocus);
}

void tr_stack_take_hide(void *context, const struct tr_option *option, const char *regex)
{
	struct tr_stack_options *o = context;
	add_frame_regex(o->cli, option->name, regex, o->hide_text, o->hide, &o->nhide);
}

void tr_stack_take_helpers(void *context, const struct tr_option *option,
			   const char *none)
{
	struct tr_stack_options *o = context;
	(void)none;
	tr_stack_take_hide(o, option, helpers);
	o->hide_text[o->nhide - 1] = NULL;
}

void tr_stack_options_finish(struct tr_stack_options *o)
{
	const char *unit = o->unit_text ? o->unit_text : tr_stack_units[o->unit_number];
	if (!*unit)
		tr_die(o->cli, "--unit: no unit");
	o->instructions = strcmp(unit, tr_stack_units[1]) == 0;
	if (!o->instructions && strcmp(unit, tr_stack_units[0]) != 0)
		o->counter = unit;
	o->unit = unit;
	o->other_unit =
	    o->instructions || o->counter ? tr_stack_units[0] : tr_stack_units[1];
	if (o->idle && (o->instructions || o->counter))
		tr_die(o->cli, "--idle needs cycles: not with --unit %s", unit);
	tr_cli_window_parse(o->cli, &o->window);
}

void tr_stack_options_release(struct tr_stack_options *o)
{
	for (unsigned i = 0; i < o->nhide; i++)
		regfree(&o->hide[i]);
	for (unsigned i = 0; i < o->nfocus; i++)
		regfree(&o->focus[i]);
	o->nhide = o->nfocus = 0;
}
