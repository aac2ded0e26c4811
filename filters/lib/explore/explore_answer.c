/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { MOST_PIXELS = 20000 };

bool tr_explore_argument(const struct tr_serve_request *request, const char *name,
			 uint64_t most, uint64_t *value)
{
	const char *text = request->argument(request->of, name);
	if (!text || !*text)
		return true;
	const char *end = tr_parse_number(text, value);
	return end && !*end && *value <= most;
}

bool tr_explore_get_choice(const struct tr_serve_request *request,
			   struct tr_explore_choice *choice)
{
	uint64_t from = 0, to = UINT64_MAX, root = 0, width = 0;
	uint64_t process = TR_EXPLORE_ALL, thread = TR_EXPLORE_ALL, hart = TR_EXPLORE_ALL;
	if (!tr_explore_argument(request, "from", UINT64_MAX, &from) ||
	    !tr_explore_argument(request, "to", UINT64_MAX, &to) ||
	    !tr_explore_argument(request, "process", TR_EXPLORE_ALL, &process) ||
	    !tr_explore_argument(request, "thread", TR_EXPLORE_ALL, &thread) ||
	    !tr_explore_argument(request, "hart", TR_EXPLORE_ALL, &hart) ||
	    !tr_explore_argument(request, "root", UINT32_MAX, &root) ||
	    !tr_explore_argument(request, "width", MOST_PIXELS, &width))
		return false;
	*choice = (struct tr_explore_choice){.from = from,
					     .to = to,
					     .process = (uint32_t)process,
					     .thread = (uint32_t)thread,
					     .hart = (uint32_t)hart,
					     .root = (uint32_t)root,
					     .width = (unsigned)width};
	return true;
}

/* Writes an answer. Returns as tr_explore_answer(). */
static int write_answer(struct tr_explore *x, const struct tr_serve_request *request,
			FILE *file)
{
	struct tr_explore_choice choice;
	uint64_t since = 0, mark = 0, nth = 0;
	if (!tr_explore_get_choice(request, &choice) ||
	    !tr_explore_argument(request, "since", UINT32_MAX, &since) ||
	    !tr_explore_argument(request, "mark", UINT32_MAX, &mark) ||
	    !tr_explore_argument(request, "nth", UINT32_MAX, &nth))
		return TR_E_ARGUMENT;
	if (strcmp(request->path, "/run") == 0)
		return tr_explore_run(x, file);
	if (strcmp(request->path, "/names") == 0)
		return tr_explore_names(x, (uint32_t)since, file);
	if (strcmp(request->path, "/overview") == 0)
		return tr_explore_overview(x, &choice, file);
	if (strcmp(request->path, "/view") == 0)
		return tr_explore_view(x, &choice, file);
	if (strcmp(request->path, "/marks") == 0)
		return tr_explore_marks(x, &choice, file);
	if (strcmp(request->path, "/regions") == 0)
		return tr_explore_regions(x, &choice, file);
	if (strcmp(request->path, "/region") == 0)
		return tr_explore_region(x, &choice, (uint32_t)mark, (uint32_t)nth, file);
	if (strcmp(request->path, "/folded") == 0)
		return tr_explore_folded(x, &choice, file);
	return TR_END;
}

FILE *tr_explore_answer_open(struct tr_serve_text *text, const char *kind)
{
	*text = (struct tr_serve_text){.kind = kind};
	return open_memstream(&text->data, &text->size);
}

int tr_explore_answer_close(struct tr_serve_text *text, FILE *file, int status)
{
	if (fclose(file) != 0 && !status)
		status = TR_E_NOMEM;
	if (status) {
		free(text->data);
		text->data = NULL;
	}
	return status;
}

int tr_explore_answer(struct tr_explore *x, const struct tr_serve_request *request,
		      struct tr_serve_text *text)
{
	FILE *file = tr_explore_answer_open(text, strcmp(request->path, "/folded") == 0
						      ? "text/plain; charset=utf-8"
						      : "application/json");
	if (!file)
		return TR_E_NOMEM;
	return tr_explore_answer_close(text, file, write_answer(x, request, file));
}

/* `of` are words "NAME=VALUE", each with a zero behind it, and one more at the end. */
static const char *find_word(const void *of, const char *name)
{
	const size_t length = strlen(name);
	for (const char *word = of; *word; word += strlen(word) + 1)
		if (strncmp(word, name, length) == 0 && word[length] == '=')
			return word + length + 1;
	return NULL;
}

struct tr_serve_request tr_explore_request(char *text)
{
	char *query = strchr(text, '?');
	struct tr_serve_request request = {text, find_word, ""};
	if (!query)
		return request;
	*query++ = '\0';
	for (char *at = query; *at; at++)
		if (*at == '&')
			*at = '\0';
	request.of = query;
	return request;
}
