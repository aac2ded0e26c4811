/* SPDX-License-Identifier: Apache-2.0 */
/* Files of counts by slice that are hostile, with a right checksum: each is refused, or
 * its function is, and the explorer's answer says that the file is damaged. Functions of
 * the same name and address are told apart by their order. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "annotate/slices_state.h"
#include "check.h"
#include "explore/explore_answer.h"
#include "explore/explore_code.h"
#include "explore/explore_state.h"

static const char path[] = "annotate.slices";

/* What a file is made of. */
struct parts {
	uint64_t length, columns, lanes; /* of a slice; of lost slots */
	const uint8_t *plain;		 /* of each function */
	size_t size;
	uint32_t functions;
	bool is_packed;	      /* `plain` is not packed yet */
	const char *trailing; /* at the end */
};

static void put_text(struct tr_buffer *to, const char *text)
{
	tr_buffer_sized(to, text, strlen(text));
}

static void write_file(const struct parts *parts)
{
	struct tr_buffer all = {0};
	uint8_t packed[1000];
	const size_t size =
	    ZSTD_compress(packed, sizeof(packed), parts->plain, parts->size, 1);
	tr_buffer_add(&all, SLICES_MAGIC, SLICES_MAGIC_SIZE);
	tr_buffer_varint(&all, 5); /* instructions, cycles */
	tr_buffer_varint(&all, 9);
	tr_buffer_varint(&all, parts->length);
	tr_buffer_varint(&all, 1);
	tr_buffer_varint(&all, parts->columns);
	for (uint64_t c = 1; c < parts->columns && c < 100; c++)
		put_text(&all, "memory.dram");
	tr_buffer_varint(&all, 0); /* processes are not known */
	tr_buffer_varint(&all, parts->lanes);
	for (uint64_t i = 0; i < parts->lanes && i < 3; i++)
		tr_buffer_varint(&all, i);
	tr_buffer_varint(&all, parts->functions);
	for (uint32_t i = 0; i < parts->functions; i++) {
		put_text(&all, "f");
		put_text(&all, "b");
		tr_buffer_varint(&all, 16);
		if (parts->is_packed)
			tr_buffer_sized(&all, parts->plain, parts->size);
		else
			tr_buffer_sized(&all, packed, size);
	}
	tr_buffer_add(&all, parts->trailing, strlen(parts->trailing));
	tr_buffer_add64(&all, XXH64(all.data, all.size, 0));
	FILE *file = fopen(path, "w");
	CHECK(file && fwrite(all.data, 1, all.size, file) == all.size);
	fclose(file);
	tr_buffer_free(&all);
}

/* One instruction, "nop" at 0x10, which ran twice in slice 0 of hart 0 and lost 4 slots.
 */
static const uint8_t good[] = {1, 1, 1, 32, 3, 'n', 'o', 'p', 0, 0, 2, 7, 1, 1, 1, 4};

static struct parts good_parts(void)
{
	return (struct parts){.length = 1,
			      .columns = 2,
			      .lanes = 1,
			      .plain = good,
			      .size = sizeof(good),
			      .functions = 1,
			      .trailing = ""};
}

/* Writes the answer of the explorer, for one of functions with the same name, to `text`.
 * Returns its status. */
static int answer(unsigned which, unsigned count, char *text, size_t size)
{
	char query[] = "/code?func=0";
	struct tr_explore *x = tr_explore_new();
	struct tr_explore_code *code = tr_explore_code_new(path);
	struct tr_serve_text answer = {0};
	x->funcs = calloc(count, sizeof(*x->funcs));
	for (x->nfuncs = 0; x->nfuncs < count; x->nfuncs++)
		x->funcs[x->nfuncs] =
		    (struct explore_func){.name = "f", .binary = "b", .address = 16};
	x->instructions = 5;
	x->cycles = 9;
	x->is_done = true;
	query[strlen(query) - 1] = (char)('0' + which);
	const struct tr_serve_request request = tr_explore_request(query);
	const int status = tr_explore_code_answer(code, x, &request, &answer);
	snprintf(text, size, "%s", status ? "" : answer.data);
	free(answer.data);
	tr_explore_code_free(code);
	tr_explore_free(x);
	return status;
}

static bool says(const struct parts *parts, unsigned which, unsigned count,
		 const char *wanted)
{
	char text[1000];
	write_file(parts);
	CHECK_EQ(answer(which, count, text, sizeof(text)), TR_OK);
	const bool is_said = strstr(text, wanted) != NULL;
	if (!is_said)
		printf("%s instead of %s\n", text, wanted);
	return is_said;
}

static void check_files(void)
{
	static const char wanted[] = "damaged, or of another version";
	struct parts parts = good_parts();
	CHECK(says(&parts, 0, 1, "[\"10\",\"nop\",-1,0,2,7,1,[0,1,1,4]]"));
	parts.length = 0;
	CHECK(says(&parts, 0, 1, wanted));
	parts.length = 3; /* no power of two */
	CHECK(says(&parts, 0, 1, wanted));
	parts.length = UINT64_C(1) << 63;
	CHECK(says(&parts, 0, 1, wanted));
	parts = good_parts();
	parts.columns = 0;
	CHECK(says(&parts, 0, 1, wanted));
	parts.columns = TR_MAX_CLASSES + 1;
	CHECK(says(&parts, 0, 1, wanted));
	parts = good_parts();
	parts.lanes = UINT64_C(1) << 40;
	CHECK(says(&parts, 0, 1, wanted));
	parts = good_parts();
	parts.trailing = "x";
	CHECK(says(&parts, 0, 1, wanted));
}

static void check_functions(void)
{
	static const char wanted[] = "{\"none\":\"annotate.slices: it is damaged\"}";
	struct parts parts = good_parts();
	uint8_t bytes[sizeof(good)];
	parts.is_packed = true; /* no frame of zstd */
	CHECK(says(&parts, 0, 1, wanted));
	parts = good_parts();
	for (parts.size = 0; parts.size < sizeof(good); parts.size++)
		/* After the rows there may be no sums. */
		CHECK(says(&parts, 0, 1,
			   parts.size == 8 ? "[\"10\",\"nop\",-1,0,0,0" : wanted));
	/* Fewer instructions that ran than rows say; a lane, an instruction and a class
	 * that are not there; more text than there is; a flag that is none. */
	static const struct {
		uint8_t at, value;
	} changes[] = {{0, 0}, {8, 0x81}, {9, 1}, {14, 2}, {4, 99}, {2, 32}};
	parts = good_parts();
	parts.plain = (const uint8_t[]){0, 1, 1, 32, 3, 'n', 'o', 'p'};
	parts.size = 8;
	CHECK(says(&parts, 0, 1, wanted));
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		memcpy(bytes, good, sizeof(good));
		bytes[changes[i].at] = changes[i].value;
		parts = good_parts();
		parts.plain = bytes;
		CHECK(says(&parts, 0, 1, wanted));
	}
}

static void check_twins(void)
{
	struct parts parts = good_parts();
	parts.functions = 2;
	CHECK(says(&parts, 1, 2, "nop"));
	CHECK(says(&parts, 0, 1, "it is not known which"));
	CHECK(says(&parts, 2, 3, "it is not known which"));
	parts.functions = 1;
	CHECK(says(&parts, 0, 2, "it is not known which"));
	parts.functions = 0;
	CHECK(says(&parts, 0, 2, "no instructions of its own"));
}

int main(void)
{
	char folder[] = "/tmp/annotate-slices.XXXXXX";
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 2;
	check_files();
	check_functions();
	check_twins();
	unlink(path);
	if (chdir("/") != 0 || rmdir(folder) != 0)
		return 2;
	return check_done();
}
