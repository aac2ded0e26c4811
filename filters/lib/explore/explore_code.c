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

static int write_code(struct tr_explore_code *code, const struct tr_explore *x,
		      const struct tr_serve_request *request, FILE *file)
{
	uint64_t from = 0, to = UINT64_MAX, hart = TR_SLICES_ALL, func = UINT32_MAX;
	if (!tr_explore_argument(request, "from", UINT64_MAX, &from) ||
	    !tr_explore_argument(request, "to", UINT64_MAX, &to) ||
	    !tr_explore_argument(request, "hart", UINT32_MAX, &hart) ||
	    !tr_explore_argument(request, "func", UINT32_MAX, &func) || from >= to ||
	    func >= x->nfuncs)
		return TR_E_ARGUMENT;
	const struct explore_func *f = &x->funcs[func];
	renew_file(code);
	if (code->status == TR_E_NOMEM)
		return TR_E_NOMEM;
	if (code->status == TR_END)
		return tell_none(NULL,
				 "There are no counts of instructions in this folder; "
				 "tr-profile --annotate leaves them.",
				 file);
	if (code->status)
		return tell_none(code->path, code->message, file);
	if (!x->is_done)
		return tell_none(NULL, "The run is not complete yet.", file);
	if (!tr_slices_are_of(code->file, x->instructions, x->cycles))
		return tell_none(code->path, "it is of another run than the stacks",
				 file);
	const uint32_t at = tr_slices_find(code->file, f->name, f->binary, f->address);
	if (at == UINT32_MAX)
		return tell_none(NULL,
				 "It has no instructions of its own in a known binary; "
				 "those of an inlined or interpreted function are shown "
				 "in the function whose code they are.",
				 file);
	return tr_slices_show(
	    code->file, at,
	    &(struct tr_slices_choice){.from = from, .to = to, .hart = (uint32_t)hart},
	    file);
}

int tr_explore_code_answer(struct tr_explore_code *code, const struct tr_explore *x,
			   const struct tr_serve_request *request,
			   struct tr_serve_text *text)
{
	*text = (struct tr_serve_text){.kind = "application/json"};
	FILE *memory = open_memstream(&text->data, &text->size);
	if (!memory)
		return TR_E_NOMEM;
	int status = write_code(code, x, request, memory);
	if (fclose(memory) != 0 && !status)
		status = TR_E_NOMEM;
	if (status) {
		free(text->data);
		text->data = NULL;
	}
	return status;
}
