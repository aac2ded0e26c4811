/* SPDX-License-Identifier: Apache-2.0 */
/* long-stacks FRAMES FILE: writes a stream of stacks as of a run of FRAMES times
 * 1,048,576 instructions. The frames repeat, with a row for every 65,536 instructions;
 * one in 10,000 defines a new stack. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream/writer.h"

enum { ROWS = 16, ROW_INSTRUCTIONS = 1 << 16, ROW_CYCLES = 100000, NEW_STACK = 10000 };
enum { FUNCS = 40, NODES = 64 };

static void check(int status)
{
	if (status == TR_OK)
		return;
	fprintf(stderr, "long-stacks: %s\n", tr_status_text((enum tr_status)status));
	exit(2);
}

static void define(struct tr_writer *w)
{
	char name[16];
	for (unsigned i = 0; i < FUNCS; i++) {
		snprintf(name, sizeof(name), "work%u", i);
		check(tr_writer_func(
		    w, &(struct tr_func){.kind = i ? TR_FRAME_FUNCTION : TR_FRAME_PROGRAM,
					 .name = name,
					 .binary = "long"}));
	}
	for (uint32_t i = 0; i < NODES; i++)
		check(
		    tr_writer_node(w, &(struct tr_node){.parent = i ? 1 + (i - 1) / 2 : 0,
							.func = i % FUNCS}));
	check(tr_writer_thread(w, &(struct tr_thread){.name = "long"}));
}

static void put_frame(struct tr_writer *w, uint64_t number)
{
	const struct tr_scontext context = {.process = 1};
	uint32_t node = 1;
	if (number % NEW_STACK == NEW_STACK - 1) {
		const uint32_t next = (uint32_t)(NODES + 1 + number / NEW_STACK);
		check(tr_writer_node(w, &(struct tr_node){.parent = 3, .func = 7}));
		node = next;
	}
	check(tr_writer_scontext(w, 0, &context));
	for (unsigned i = 0; i < ROWS; i++) {
		const struct tr_srow row = {.node = node,
					    .cycles = ROW_CYCLES,
					    .instructions = ROW_INSTRUCTIONS,
					    .fresh = i % 2};
		check(tr_writer_srow(w, 0, &row, NULL));
		node = 1 + (i * 7 + 3) % NODES;
	}
	check(tr_writer_stacks_flush(w));
}

int main(int argc, char **argv)
{
	static const struct tr_writer_options options = {.level = 1, .has_index = true};
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	if (argc != 3) {
		fprintf(stderr, "usage: long-stacks FRAMES FILE\n");
		return 2;
	}
	const uint64_t frames = strtoull(argv[1], NULL, 10);
	const int fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || !header) {
		perror(argv[2]);
		return 2;
	}
	check(tr_header_set(header, "content", "stacks"));
	check(tr_writer_open(&w, fd, header, &options));
	define(w);
	for (uint64_t i = 0; i < frames; i++)
		put_frame(w, i);
	check(tr_header_set(header, "end", "power-off"));
	check(tr_writer_end(w, NULL));
	tr_writer_close(w);
	tr_header_free(header);
	return close(fd) != 0;
}
