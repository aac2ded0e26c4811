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
