/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

bool tr_words_add(struct tr_words *words, const char *word)
{
	char *copy = strdup(word);
	if (!copy || !tr_grow(&words->word, &words->capacity, words->count + 2,
			      sizeof(*words->word))) {
		free(copy);
		return false;
	}
	words->word[words->count++] = copy;
	words->word[words->count] = NULL;
	return true;
}

bool tr_words_add_all(struct tr_words *words, char *const *more)
{
	for (; more && *more; more++)
		if (!tr_words_add(words, *more))
			return false;
	return true;
}

void tr_words_free(struct tr_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
	*words = (struct tr_words){0};
}

void tr_word_print(const char *word, FILE *out)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (const char *c = word; *c; c++)
		fputs(*c == '\'' ? "'\\''" : (const char[]){*c, '\0'}, out);
	putc('\'', out);
}

/* Copies a word without its quotes to `to`. Returns the end of it. */
static const char *copy_unquoted_word(const char *line, char *to)
{
	bool quoted = false;
	for (; *line && (quoted || (*line != ' ' && *line != '\t')); line++) {
		if (*line == '\'')
			quoted = !quoted;
		else if (*line == '\\' && !quoted && line[1] == '\'')
			*to++ = *++line;
		else
			*to++ = *line;
	}
	*to = '\0';
	return line;
}

bool tr_words_split(struct tr_words *words, const char *line)
{
	char *word = malloc(strlen(line) + 1);
	bool good = word;
	while (good && *line) {
		line += strspn(line, " \t");
		if (*line) {
			line = copy_unquoted_word(line, word);
			good = tr_words_add(words, word);
		}
	}
	free(word);
	return good;
}
