/* SPDX-License-Identifier: Apache-2.0 */
/* A growing list of words, such as a command line. */
#ifndef TR_WORDS_H
#define TR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A list that is all zero is empty. */
struct tr_words {
	char **word; /* NULL at the end; NULL itself while the list is empty */
	size_t count, capacity;
};

/* Append copies: a word, or all up to a NULL. Return false when out of memory. */
bool tr_words_add(struct tr_words *words, const char *word);
bool tr_words_add_all(struct tr_words *words, char *const *more);
/* Adds the words of a line as tr_word_print() prints them, with blanks or tabs between
 * them. Returns false when out of memory. */
bool tr_words_split(struct tr_words *words, const char *line);
/* Prints a word for a shell, with quotes where they are needed. */
void tr_word_print(const char *word, FILE *out);
/* Frees the words; the list is empty again. */
void tr_words_free(struct tr_words *words);

#endif
