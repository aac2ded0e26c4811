/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore_code.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "annotate/slices.h"
#include "explore/explore_answer.h"
#include "explore/explore_state.h"
#include "flame/picture.h"

struct tr_explore_code {
	const char *path;
	struct stat stat; /* of the file that was read; all zero: none */
	struct tr_slices_file *file;
	int status; /* of reading it */
	char message[400];
};

struct tr_explore_code *tr_explore_code_new(const char *path)
{
	struct tr_explore_code *code = calloc(1, sizeof(*code));
	if (code) {
		code->path = path;
		code->status = TR_END;
	}
	return code;
}

void tr_explore_code_free(struct tr_explore_code *code)
{
	if (code)
		tr_slices_close(code->file);
	free(code);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Reads the file, unless it is the one that was read. */
static void renew_file(struct tr_explore_code *code)
{
	struct stat now = {0};
	if (stat(code->path, &now) < 0)
		now = (struct stat){0};
	if (is_same_file(&now, &code->stat))
		return;
	code->stat = now;
	tr_slices_close(code->file);
	code->status =
	    tr_slices_open(&code->file, code->path, code->message, sizeof(code->message));
}

/* Writes why there is nothing to show. */
static int tell_none(const char *path, const char *why, FILE *file)
{
	char text[800];
	const char *slash = path ? strrchr(path, '/') : NULL;
	snprintf(text, sizeof(text), "%s%s%s", path ? slash ? slash + 1 : path : "",
		 path ? ": " : "", why);
	fputs("{\"none\":", file);
	tr_flame_quoted(file, text);
	fputs("}\n", file);
	return TR_OK;
}

/* ------------------------------------------------------------ processes and threads */

static int by_lane(const void *left, const void *right)
{
	const struct tr_slices_lane *a = left, *b = right;
	if (a->hart != b->hart)
		return a->hart < b->hart ? -1 : 1;
	if (a->pair.process != b->pair.process)
		return a->pair.process < b->pair.process ? -1 : 1;
	return (a->pair.thread > b->pair.thread) - (a->pair.thread < b->pair.thread);
}

static int add_lane(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	uint64_t *instructions = context;
	(void)lost;
	instructions[sum->key] += sum->instructions;
	return TR_OK;
}

/* Gets the contexts of an index as lanes, without empty ones, in order; the caller frees
 * them. Returns a status. */
static int list_lanes(struct tr_explore *x, struct tr_slices_lane **list, size_t *count)
{
	uint64_t *instructions = calloc(x->ncontexts + 1, sizeof(*instructions));
	*list = calloc(x->ncontexts + 1, sizeof(**list));
	*count = 0;
	int status = instructions && *list ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < tr_explore_slices(x) && !status; i++)
		status = tr_explore_lanes(x, i, add_lane, instructions);
	for (size_t i = 0; i < x->ncontexts && !status; i++) {
		const struct explore_context *from = &x->contexts[i];
		if (instructions[i])
			(*list)[(*count)++] = (struct tr_slices_lane){
			    .hart = from->hart,
			    .pair = {.process = x->processes.list[from->process].number,
				     .thread = x->threads.list[from->thread].number},
			    .instructions = instructions[i]};
	}
	free(instructions);
	qsort(*list, *count, sizeof(**list), by_lane);
	return status;
}

/* Sets *is_same if the file numbers processes and threads as the index does: each has as
 * many instructions on each hart. Returns a status. */
static int compare_lanes(struct tr_explore *x, const struct tr_slices_lane *lanes,
			 uint32_t nlanes, bool *is_same)
{
	struct tr_slices_lane *expected, *found = calloc(nlanes + 1UL, sizeof(*found));
	size_t nexpected, nfound = 0;
	int status = list_lanes(x, &expected, &nexpected);
	if (!found)
		status = TR_E_NOMEM;
	for (uint32_t i = 0; i < nlanes && !status; i++)
		if (lanes[i].instructions)
			found[nfound++] = lanes[i];
	*is_same = !status && nfound == nexpected;
	if (*is_same)
		qsort(found, nfound, sizeof(*found), by_lane);
	for (size_t i = 0; i < nfound && *is_same; i++)
		*is_same = by_lane(&found[i], &expected[i]) == 0 &&
			   found[i].instructions == expected[i].instructions;
	free(expected);
	free(found);
	return status;
}

/* Sets which lanes of the file are chosen. Returns a status; TR_END: the file does not
 * tell, and what is chosen by hart is set. */
static int choose_lanes(const struct tr_explore_code *code, struct tr_explore *x,
			const struct tr_explore_choice *choice, bool *has_lane)
{
	uint32_t nlanes;
	const struct tr_slices_lane *lanes = tr_slices_lanes(code->file, &nlanes);
	const bool has_process = choice->process != TR_EXPLORE_ALL,
		   has_thread = choice->thread != TR_EXPLORE_ALL;
	bool is_same = tr_slices_have_pairs(code->file);
	if ((has_process && choice->process >= x->processes.count) ||
	    (has_thread && choice->thread >= x->threads.count))
		return TR_E_ARGUMENT;
	int status = TR_OK;
	if (is_same && (has_process || has_thread))
		status = compare_lanes(x, lanes, nlanes, &is_same);
	for (uint32_t i = 0; i < nlanes && !status; i++)
		has_lane[i] =
		    (choice->hart == TR_EXPLORE_ALL || choice->hart == lanes[i].hart) &&
		    (!is_same || !has_process ||
		     x->processes.list[choice->process].number ==
			 lanes[i].pair.process) &&
		    (!is_same || !has_thread ||
		     x->threads.list[choice->thread].number == lanes[i].pair.thread);
	return !status && !is_same && (has_process || has_thread) ? TR_END : status;
}

/* ------------------------------------------------------------ an answer */

/* Returns why there is nothing to show, with the path of what is wrong, or NULL. */
static const char *why_none(struct tr_explore_code *code, const struct tr_explore *x,
			    const char **path)
{
	*path = NULL;
	if (!x->is_done)
		return "The run is not complete yet; its instructions are counted at its "
		       "end.";
	if (code->status == TR_END)
		return "There are no counts of instructions in this folder; "
		       "tr-profile --annotate, or --serve, leaves them.";
	if (code->status) {
		*path = code->path;
		return code->message;
	}
	if (!tr_slices_are_of(code->file, x->instructions, x->cycles)) {
		*path = code->path;
		return "it is of another run than the stacks";
	}
	return NULL;
}

/* Shows a function of the file. Returns a status. */
static int show_code(const struct tr_explore_code *code, struct tr_explore *x,
		     uint32_t function, const struct tr_explore_choice *choice,
		     FILE *file)
{
	uint32_t nlanes;
	tr_slices_lanes(code->file, &nlanes);
	bool *has_lane = calloc(nlanes + 1UL, sizeof(*has_lane));
	int status = has_lane ? choose_lanes(code, x, choice, has_lane) : TR_E_NOMEM;
	if (status == TR_OK || status == TR_END) {
		fprintf(file, "{\"is_by_context\":%d,", status == TR_OK);
		status = tr_slices_show(code->file, function,
					&(struct tr_slices_choice){.from = choice->from,
								   .to = choice->to,
								   .has_lane = has_lane},
					file);
		fputs("}\n", file);
	}
	free(has_lane);
	return status;
}

/* A function of a profile, and where it is among those of the same name, binary and
 * address, of which there are `count`. */
struct place {
	const struct explore_func *func;
	uint32_t which, count;
};

static struct place place_of(const struct tr_explore *x, uint64_t func)
{
	struct place place = {.func = &x->funcs[func]};
	for (size_t i = 0; i < x->nfuncs; i++) {
		const struct explore_func *other = &x->funcs[i];
		const bool is_twin = other->address == place.func->address &&
				     other->kind == place.func->kind &&
				     strcmp(other->name, place.func->name) == 0 &&
				     strcmp(other->binary, place.func->binary) == 0;
		place.which += is_twin && i < func;
		place.count += is_twin;
	}
	return place;
}

/* Finds the function in the file. Returns its number, or UINT32_MAX with why there is
 * none. */
static uint32_t find_code(const struct tr_explore_code *code, const struct place *place,
			  const char **why)
{
	uint32_t count;
	const uint32_t at =
	    tr_slices_find(code->file, place->func->name, place->func->binary,
			   place->func->address, place->which, &count);
	if (count == place->count && at != UINT32_MAX)
		return at;
	*why = count ? "Several binaries of this name have the function, and it is not "
		       "known which of them this one is."
		     : "It has no instructions of its own in a known binary; those of an "
		       "inlined or interpreted function are shown in the function whose "
		       "code they are.";
	return UINT32_MAX;
}

static int write_code(struct tr_explore_code *code, struct tr_explore *x,
		      const struct tr_serve_request *request, FILE *file)
{
	struct tr_explore_choice choice;
	uint64_t func = UINT32_MAX;
	const char *path, *why;
	if (!tr_explore_get_choice(request, &choice) ||
	    !tr_explore_argument(request, "func", UINT32_MAX, &func) ||
	    choice.from >= choice.to || func >= x->nfuncs)
		return TR_E_ARGUMENT;
	renew_file(code);
	if (code->status == TR_E_NOMEM)
		return TR_E_NOMEM;
	if ((why = why_none(code, x, &path)))
		return tell_none(path, why, file);
	const struct place place = place_of(x, func);
	const uint32_t at = find_code(code, &place, &why);
	return at == UINT32_MAX ? tell_none(NULL, why, file)
				: show_code(code, x, at, &choice, file);
}

/* Writes the answer to a request, or, if that is NULL, that the file is damaged. Returns
 * as tr_explore_answer(). */
static int write_text(struct tr_explore_code *code, struct tr_explore *x,
		      const struct tr_serve_request *request, struct tr_serve_text *text)
{
	FILE *file = tr_explore_answer_open(text, "application/json");
	if (!file)
		return TR_E_NOMEM;
	const int status = request ? write_code(code, x, request, file)
				   : tell_none(code->path, "it is damaged", file);
	return tr_explore_answer_close(text, file, status);
}

int tr_explore_code_answer(struct tr_explore_code *code, struct tr_explore *x,
			   const struct tr_serve_request *request,
			   struct tr_serve_text *text)
{
	const int status = write_text(code, x, request, text);
	return status == TR_E_CORRUPT ? write_text(code, x, NULL, text) : status;
}
