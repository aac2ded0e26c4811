/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated world for the tests of the matcher: generated programs, the code that harts
 * run of them, and the resulting notes.
 *
 * begin() creates the files of the programs; event() and run() add events and blocks of a
 * hart; finish() matches, and collects the note in force for each row. */
#ifndef MATCH_WORLD_H
#define MATCH_WORLD_H

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "image/image.h"
#include "match/match_state.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { MAX_BINARIES = 4, CODE = 256, MAX_NOTES = 64 };

static const uint64_t SATP_A = UINT64_C(0x8000100000080001), SATP_B = SATP_A + 1;

struct program {
	uint64_t address, physical;
	uint64_t entry; /* 0: the address */
	uint16_t type;	/* ET_EXEC or ET_DYN */
	enum tr_role role;
	uint32_t code[CODE]; /* 4-byte instructions */
};

static inline void write_elf(const char *path, const struct program *p)
{
	Elf64_Ehdr eh = {
	    .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	    .e_type = p->type,
	    .e_machine = EM_RISCV,
	    .e_version = EV_CURRENT,
	    .e_entry = p->entry ? p->entry : p->address,
	    .e_phoff = sizeof(eh),
	    .e_ehsize = sizeof(eh),
	    .e_phentsize = sizeof(Elf64_Phdr),
	    .e_phnum = 1};
	Elf64_Phdr ph = {.p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_offset = 0x1000,
			 .p_vaddr = p->address,
			 .p_paddr = p->physical ? p->physical : p->address,
			 .p_filesz = sizeof(p->code),
			 .p_memsz = sizeof(p->code),
			 .p_align = 0x1000};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(pwrite(fd, &eh, sizeof(eh), 0) == sizeof(eh));
	CHECK(pwrite(fd, &ph, sizeof(ph), sizeof(eh)) == sizeof(ph));
	CHECK(pwrite(fd, p->code, sizeof(p->code), 0x1000) == sizeof(p->code));
	close(fd);
}

/* addi x1, x<n>, n: programs differ from `from` on, and are equal before it. */
static inline void fill(struct program *p, unsigned from, uint32_t tag)
{
	for (uint32_t i = 0; i < CODE; i++)
		p->code[i] = 0x00000093U | (i << 20) | (i < from ? 0 : tag << 15);
}

struct world {
	char dir[32], stream[64], result[64];
	struct tr_image *images[MAX_BINARIES];
	struct tr_match_binary binaries[MAX_BINARIES];
	unsigned count;
	struct tr_writer *writer;
	int fd;
	uint32_t hart; /* hart of event() and run() */
	bool no_cache;
	struct tr_match_report report;
	struct tr_match_suspect suspects[MAX_BINARIES];
	size_t most_pairs;
	/* Result: the note in force for each row, or for the last rows. */
	struct tr_note rows[MAX_NOTES];
	uint32_t spaces[MAX_NOTES], nrows;
	uint64_t lost; /* slots, of all traps */
};

static inline void begin(struct world *w, const struct program *programs, unsigned count)
{
	*w = (struct world){.dir = "/tmp/tr-match-XXXXXX", .count = count};
	CHECK(mkdtemp(w->dir) != NULL);
	snprintf(w->stream, sizeof(w->stream), "%s/stream", w->dir);
	snprintf(w->result, sizeof(w->result), "%s/result", w->dir);
	for (unsigned i = 0; i < count; i++) {
		char path[64];
		snprintf(path, sizeof(path), "%s/p%u.elf", w->dir, i);
		write_elf(path, &programs[i]);
		struct tr_image_options options = {0};
		CHECK(tr_image_open(&w->images[i], path, &options) == TR_OK);
		w->binaries[i] = (struct tr_match_binary){.image = w->images[i],
							  .role = programs[i].role};
		unlink(path);
	}
	struct tr_header *header = tr_header_new();
	w->fd = open(w->stream, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(tr_writer_open(&w->writer, w->fd, header, &(struct tr_writer_options){0}) ==
	      TR_OK);
	tr_header_free(header);
	struct tr_context context = {.priv = TR_PRIV_S, .satp = SATP_A};
	CHECK(tr_writer_begin(w->writer, 0, 0, &context) == TR_OK);
}

static inline void event(struct world *w, struct tr_event e)
{
	CHECK(tr_writer_event(w->writer, w->hart, &e) == TR_OK);
}

static inline void run(struct world *w, const struct program *p, uint64_t pc,
		       unsigned first, unsigned n)
{
	for (unsigned i = first; i < first + n; i++)
		tr_writer_token(w->writer, w->hart, pc + i * 4, p->code[i], 4, 1, NULL,
				0);
	tr_writer_cut(w->writer, w->hart);
}

static inline void to_user(struct world *w)
{
	event(w, (struct tr_event){.kind = TR_EV_XRET, .u.xret.priv = TR_PRIV_U});
}

static inline void to_kernel(struct world *w)
{
	event(w, (struct tr_event){.kind = TR_EV_TRAP,
				   .u.trap = {.cause = 8, .priv = TR_PRIV_S}});
}

static inline void set_satp(struct world *w, uint64_t satp)
{
	event(w, (struct tr_event){.kind = TR_EV_SATP, .u.satp.satp = satp});
}

static inline void match(struct world *w, unsigned depth, unsigned history)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	struct tr_writer *out;
	CHECK(tr_writer_end(w->writer, NULL) == TR_OK);
	tr_writer_close(w->writer);
	close(w->fd);
	struct tr_match_index *index = tr_match_index_new(w->binaries, w->count);
	int fd = open(w->result, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(tr_reader_open(&r, w->stream, 1) == TR_OK);
	CHECK(tr_writer_open(&out, fd, tr_reader_header(r),
			     &(struct tr_writer_options){0}) == TR_OK);
	struct tr_match_options options = {
	    .depth = depth, .history = history, .no_cache = w->no_cache};
	struct tr_match *m = tr_match_new(index, &options, r, out);
	while (tr_reader_next(r, &frame) == TR_OK) {
		CHECK(tr_match_frame(m, frame) == TR_OK);
		if (w->most_pairs < m->npairs)
			w->most_pairs = m->npairs;
	}
	CHECK(tr_match_finish(m) == TR_OK);
	tr_match_report(m, &w->report);
	for (unsigned i = 0; i < w->count; i++)
		w->suspects[i] = tr_match_suspect(m, i);
	CHECK(tr_writer_end(out, NULL) == TR_OK);
	tr_match_free(m);
	tr_writer_close(out);
	tr_match_index_free(index);
	tr_reader_close(r);
	close(fd);
}

static inline void take_row(struct world *w, const struct tr_frame *frame,
			    const struct tr_context *context, uint32_t block)
{
	struct tr_note found = {.binary = 12345};
	for (uint32_t i = 0; i < frame->nnotes; i++)
		if (frame->notes[i].block == block &&
		    frame->notes[i].space == tr_note_space(context))
			found = frame->notes[i];
	w->spaces[w->nrows % MAX_NOTES] = context->space;
	w->rows[w->nrows++ % MAX_NOTES] = found;
}

static inline void take_event(struct world *w, const struct tr_event *event)
{
	for (unsigned i = 0; event->kind == TR_EV_TRAP && i < event->u.trap.nruns; i++)
		w->lost = w->lost * 10 + event->u.trap.runs[i].slots;
}

static inline void clean_up(struct world *w)
{
	for (unsigned i = 0; i < w->count; i++)
		tr_image_close(w->images[i]);
	unlink(w->stream);
	unlink(w->result);
	rmdir(w->dir);
}

static inline void take_hart(struct world *w, const struct tr_frame *frame, uint32_t hart)
{
	const struct tr_row *rows = frame->harts[hart].rows;
	const struct tr_event *e;
	struct tr_cursor c;
	uint32_t first, last;
	tr_cursor_init(&c, &frame->harts[hart]);
	for (enum tr_step step; (step = tr_cursor_next(&c, &first, &last, &e));) {
		for (; step == TR_STEP_ROWS && first < last; first++)
			take_row(w, frame, &c.context, rows[first].block);
		if (step == TR_STEP_EVENT)
			take_event(w, e);
	}
}

static inline void finish(struct world *w, unsigned depth, unsigned history)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	match(w, depth, history);
	CHECK(tr_reader_open(&r, w->result, 1) == TR_OK);
	while (tr_reader_next(r, &frame) == TR_OK)
		for (uint32_t i = 0; i < frame->nharts; i++)
			take_hart(w, frame, i);
	CHECK(tr_reader_end(r) != NULL);
	tr_reader_close(r);
	clean_up(w);
}

/* Two programs at the same address, equal for the first 16 instructions. */
static inline void make_twins(struct program programs[2])
{
	for (unsigned i = 0; i < 2; i++) {
		programs[i] = (struct program){
		    .address = 0x10000, .type = ET_EXEC, .role = TR_ROLE_USER};
		fill(&programs[i], 16, i + 1);
	}
}

#endif
