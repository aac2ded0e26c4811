/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/sample_options.h"

#include <stdlib.h>
#include <string.h>

static const char *const options[] = {"--windows", "--interval", "--length", "--warm",
				      "--seed"};
enum { COUNT = sizeof(options) / sizeof(*options) };

static const char *find_sample_option(const char *key)
{
	for (size_t i = 0; i < COUNT; i++)
		if (strcmp(options[i] + strlen("--"), key) == 0)
			return options[i];
	return NULL;
}

static bool has_word(const struct tr_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->word[i], word) == 0)
			return true;
	return false;
}

/* Takes "KEY=N", which it changes. */
static void take_pair(const struct tr_cli *cli, struct tr_words *words, char *pair)
{
	char *equals = strchr(pair, '=');
	uint64_t number;
	if (!equals)
		tr_die(cli, "--sample: not KEY=N: %s", pair);
	*equals = '\0';
	const char *option = find_sample_option(pair), *value = equals + 1;
	if (!option)
		tr_die(cli,
		       "--sample: no such key: %s (there are windows, interval, length, "
		       "warm, seed)",
		       pair);
	const char *why = tr_cli_number(value, &number);
	if (why)
		tr_die(cli, "--sample: %s: %s: %s", pair, why, value);
	tr_cli_check(cli, tr_words_add(words, option) && tr_words_add(words, value)
			      ? TR_OK
			      : TR_E_NOMEM);
}

void tr_sample_options_take(const struct tr_cli *cli, struct tr_words *words,
			    const char *text)
{
	char *copy = strdup(text), *rest = copy, *pair;
	tr_cli_need(cli, copy);
	while ((pair = strsep(&rest, ",")) != NULL)
		take_pair(cli, words, pair);
	free(copy);
	if (has_word(words, "--windows") && has_word(words, "--interval"))
		tr_die(cli, "--sample: windows and interval exclude each other");
}
