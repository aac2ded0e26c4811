/* SPDX-License-Identifier: Apache-2.0 */
/* The matcher reports the failure of each of its allocations. */
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "image/image.h"
#include "match/match.h"
#include "no-memory.h"
#include "stream/reader.h"
#include "stream/writer_state.h"

enum { CODE = 256, ADDRESS = 0x10000 };

static char stream[32];

static uint32_t insn(uint32_t i)
{
	return 0x93 | i << 20;
}

/* A program of 256 different instructions, the same for each program. */
static struct tr_image *open_program(void)
{
	const Elf64_Ehdr eh = {
	    .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	    .e_type = ET_EXEC,
	    .e_machine = EM_RISCV,
	    .e_version = EV_CURRENT,
	    .e_entry = ADDRESS,
	    .e_phoff = sizeof(eh),
	    .e_ehsize = sizeof(eh),
	    .e_phentsize = sizeof(Elf64_Phdr),
	    .e_phnum = 1};
	const Elf64_Phdr ph = {.p_type = PT_LOAD,
			       .p_flags = PF_R | PF_X,
			       .p_offset = 0x1000,
			       .p_vaddr = ADDRESS,
			       .p_paddr = ADDRESS,
			       .p_filesz = 4 * CODE,
			       .p_memsz = 4 * CODE,
			       .p_align = 0x1000};
	uint32_t code[CODE];
	char path[32];
	struct tr_image *image;
	const struct tr_image_options options = {0};
	int fd = memfd_create("program", 0);
	for (uint32_t i = 0; i < CODE; i++)
		code[i] = insn(i);
	CHECK(pwrite(fd, &eh, sizeof(eh), 0) == sizeof(eh));
	CHECK(pwrite(fd, &ph, sizeof(ph), sizeof(eh)) == sizeof(ph));
	CHECK(pwrite(fd, code, sizeof(code), 0x1000) == sizeof(code));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_image_open(&image, path, &options), TR_OK);
	return image;
}

/* Writes blocks at all places in many address spaces, over several frames. */
static void write_stream(void)
{
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	int fd = memfd_create("stream", 0);
	snprintf(stream, sizeof(stream), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){0}), TR_OK);
	static const struct tr_run LOST = {.slots = 2, .class = 3};
	for (uint32_t space = 1; space < 90; space++) {
		const struct tr_event satp = {.kind = TR_EV_SATP, .u.satp.satp = space},
				      user = {.kind = TR_EV_XRET,
					      .u.xret.priv = TR_PRIV_U},
				      trap = {.kind = TR_EV_TRAP,
					      .cycles = 2,
					      .u.trap = {.priv = TR_PRIV_S,
							 .runs = &LOST,
							 .nruns = 1}};
		tr_writer_event(w, 0, &satp);
		tr_writer_event(w, 0, &user);
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t first = 3 * space % (CODE - 20) + 4 * i;
			for (uint32_t k = first; k < first + 4; k++)
				tr_writer_token(w, 0, ADDRESS + 4 * k, insn(k), 4, 1,
						NULL, 0);
			tr_writer_cut(w, 0);
		}
		tr_writer_token(w, 0, 0x555000, 0x13, 4, 1, NULL, 0); /* unknown code */
		tr_writer_event(w, 0, &trap);
		if (space == 1)
			CHECK_EQ(tr_writer_flush(w), TR_OK);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
}

/* The n-th allocation fails; the call in which it fails must report it. */
static int match_frames(struct tr_match *match, struct tr_reader *reader)
{
	const struct tr_frame *frame;
	int status;
	while ((status = tr_reader_next(reader, &frame)) == TR_OK) {
		status = tr_match_frame(match, frame);
		if (status != TR_OK)
			return status;
		CHECK(!memory_failed);
	}
	return status == TR_END ? tr_match_finish(match) : status;
}

static int match_stream(const struct tr_match_index *index, unsigned long n)
{
	const struct tr_match_options options = {.depth = 3, .history = 16};
	struct tr_reader *reader;
	struct tr_writer *writer;
	int fd = memfd_create("matched", 0);
	CHECK_EQ(tr_reader_open(&reader, stream, 1), TR_OK);
	CHECK_EQ(tr_writer_open(&writer, fd, tr_reader_header(reader),
				&(struct tr_writer_options){0}),
		 TR_OK);
	memory_fail_at(n);
	struct tr_match *match = tr_match_new(index, &options, reader, writer);
	int status = match ? match_frames(match, reader) : TR_E_NOMEM;
	memory_left = 0;
	tr_match_free(match);
	tr_reader_close(reader);
	tr_writer_close(writer);
	close(fd);
	return status;
}

int main(void)
{
	struct tr_image *images[2] = {open_program(), open_program()};
	const struct tr_match_binary binaries[2] = {
	    {.image = images[0], .role = TR_ROLE_USER},
	    {.image = images[1], .role = TR_ROLE_USER}};
	write_stream();
	struct tr_match_index *index = tr_match_index_new(binaries, 2);
	unsigned long n = 1;
	for (memory_failed = true; memory_failed; n++) {
		int status = match_stream(index, n);
		if (!CHECK_EQ(status, memory_failed ? TR_E_NOMEM : TR_OK))
			fprintf(stderr, "allocation %lu\n", n);
	}
	CHECK(n > 50);
	tr_match_index_free(index);
	tr_image_close(images[0]);
	tr_image_close(images[1]);
	return check_done();
}
