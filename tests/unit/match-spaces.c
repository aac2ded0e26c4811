/* SPDX-License-Identifier: Apache-2.0 */
/* The matcher on programs made for it: shared prefixes, reused satps, kernels at
 * two addresses, position-independent code, and code of nobody. */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "image.h"
#include "match_state.h"
#include "reader.h"
#include "writer.h"

enum { MAX_BINARIES = 4, CODE = 256, MAX_NOTES = 64 };

static const uint64_t SATP_A = UINT64_C(0x8000100000080001), SATP_B = SATP_A + 1;

struct program {
	uint64_t address, physical;
	uint16_t type; /* ET_EXEC or ET_DYN */
	enum tr_role role;
	uint32_t code[CODE]; /* 4-byte instructions */
};

static void write_elf(const char *path, const struct program *p)
{
	Elf64_Ehdr eh = {
	    .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	    .e_type = p->type,
	    .e_machine = EM_RISCV,
	    .e_version = EV_CURRENT,
	    .e_entry = p->address,
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

/* addi x1, x<n>, n: differs by `from` on, equal before it. */
static void fill(struct program *p, unsigned from, uint32_t tag)
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
	bool no_cache;
	struct tr_match_report report;
	size_t most_pairs;
	/* What came out: the note in force for each row. */
	struct tr_note rows[MAX_NOTES];
	uint32_t spaces[MAX_NOTES], nrows;
	uint64_t lost; /* slots, of all traps */
};

static void begin(struct world *w, const struct program *programs, unsigned count)
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

static void event(struct world *w, struct tr_event e)
{
	CHECK(tr_writer_event(w->writer, 0, &e) == TR_OK);
}

static void run(struct world *w, const struct program *p, uint64_t pc, unsigned first,
		unsigned n)
{
	for (unsigned i = first; i < first + n; i++)
		tr_writer_token(w->writer, 0, pc + i * 4, p->code[i], 4, 1, NULL, 0);
	tr_writer_cut(w->writer, 0);
}

static void to_user(struct world *w)
{
	event(w, (struct tr_event){.kind = TR_EV_XRET, .u.xret.priv = TR_PRIV_U});
}

static void to_kernel(struct world *w)
{
	event(w, (struct tr_event){.kind = TR_EV_TRAP,
				   .u.trap = {.cause = 8, .priv = TR_PRIV_S}});
}

static void set_satp(struct world *w, uint64_t satp)
{
	event(w, (struct tr_event){.kind = TR_EV_SATP, .u.satp.satp = satp});
}

static void match(struct world *w, unsigned depth, unsigned history)
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
	CHECK(tr_writer_end(out, NULL) == TR_OK);
	tr_match_free(m);
	tr_writer_close(out);
	tr_match_index_free(index);
	tr_reader_close(r);
	close(fd);
}

static void take_row(struct world *w, const struct tr_frame *frame,
		     const struct tr_context *context, uint32_t block)
{
	struct tr_note found = {.binary = 12345};
	for (uint32_t i = 0; i < frame->nnotes; i++)
		if (frame->notes[i].block == block &&
		    frame->notes[i].space == tr_note_space(context))
			found = frame->notes[i];
	w->spaces[w->nrows] = context->space;
	w->rows[w->nrows++] = found;
}

static void take_event(struct world *w, const struct tr_event *event)
{
	for (unsigned i = 0; event->kind == TR_EV_TRAP && i < event->u.trap.nruns; i++)
		w->lost = w->lost * 10 + event->u.trap.runs[i].slots;
}

static void clean_up(struct world *w)
{
	for (unsigned i = 0; i < w->count; i++)
		tr_image_close(w->images[i]);
	unlink(w->stream);
	unlink(w->result);
	rmdir(w->dir);
}

static void finish(struct world *w, unsigned depth, unsigned history)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	match(w, depth, history);
	CHECK(tr_reader_open(&r, w->result, 1) == TR_OK);
	while (tr_reader_next(r, &frame) == TR_OK) {
		struct tr_cursor c;
		const struct tr_event *e;
		uint32_t first, last;
		tr_cursor_init(&c, &frame->harts[0]);
		for (enum tr_step step; (step = tr_cursor_next(&c, &first, &last, &e));) {
			for (; step == TR_STEP_ROWS && first < last; first++)
				take_row(w, frame, &c.context,
					 frame->harts[0].rows[first].block);
			if (step == TR_STEP_EVENT)
				take_event(w, e);
		}
	}
	CHECK(tr_reader_end(r) != NULL);
	tr_reader_close(r);
	clean_up(w);
}

/* Two programs at the same address, equal for the first 16 instructions. */
static void make_twins(struct program programs[2])
{
	for (unsigned i = 0; i < 2; i++) {
		programs[i] = (struct program){
		    .address = 0x10000, .type = ET_EXEC, .role = TR_ROLE_USER};
		fill(&programs[i], 16, i + 1);
	}
}

static void shared_prefix_waits_for_the_difference(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[1], 0x10000, 4, 4);
	run(&w, &p[1], 0x10000, 8, 4);
	run(&w, &p[1], 0x10000, 20, 4);
	run(&w, &p[1], 0x10000, 4, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.nrows, 4);
	for (unsigned i = 0; i < w.nrows; i++) {
		CHECK_EQ(w.rows[i].binary, 1);
		CHECK_EQ(w.spaces[i], 1);
	}
	CHECK_EQ(w.rows[0].address, 0x10010);
	CHECK_EQ(w.report.matched.instructions, 16);
	CHECK_EQ(w.report.ambiguous.instructions, 0);
}

static void equal_code_stays_ambiguous(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 0, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.report.ambiguous.instructions, 12);
}

static void too_few_tokens_are_no_match(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 2);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 2);
	finish(&w, 2, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
}

static void code_of_nobody_is_unknown(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 4);
	run(&w, &p[0], 0x7ff000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.report.unknown.instructions, 4);
	CHECK_EQ(w.report.matched.cycles, 4);
}

/* The paper's extreme case: another program in the same satp, with the same
 * code at the same addresses, up to its first difference. */
static void reused_satp_is_another_program(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 0, 8);
	run(&w, &p[0], 0x10000, 20, 4);
	to_kernel(&w);
	to_user(&w);
	run(&w, &p[1], 0x10000, 0, 8);
	run(&w, &p[1], 0x10000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[1].binary, 0);
	CHECK_EQ(w.rows[2].binary, 1);
	CHECK_EQ(w.rows[3].binary, 1);
	CHECK(w.spaces[0] != w.spaces[2]);
	CHECK_EQ(w.report.spaces, 2);
}

/* The same without the start of the second program in sight. */
static void contradiction_is_another_program(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 8);
	to_kernel(&w);
	to_user(&w);
	run(&w, &p[0], 0x10000, 30, 8);
	to_kernel(&w);
	to_user(&w);
	run(&w, &p[1], 0x10000, 4, 4);
	run(&w, &p[1], 0x10000, 20, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[1].binary, 0);
	CHECK_EQ(w.rows[2].binary, 1);
	CHECK_EQ(w.rows[3].binary, 1);
	CHECK_EQ(w.spaces[0], w.spaces[1]);
	CHECK_EQ(w.spaces[2], w.spaces[3]);
	CHECK(w.spaces[1] != w.spaces[2]);
	CHECK_EQ(w.report.matched.instructions, 28);
}

static void two_satps_are_two_spaces(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 0; i < 4; i++) {
		set_satp(&w, i % 2 ? SATP_B : SATP_A);
		to_user(&w);
		run(&w, &p[i % 2], 0x10000, 4, 4);
		run(&w, &p[i % 2], 0x10000, 20, 4);
		to_kernel(&w);
	}
	finish(&w, 3, 2048);
	for (unsigned i = 0; i < w.nrows; i++) {
		CHECK_EQ(w.rows[i].binary, i / 2 % 2);
		CHECK_EQ(w.spaces[i], i / 2 % 2 + 1);
	}
	CHECK_EQ(w.report.spaces, 2);
}

static void kernel_is_found_before_translation(void)
{
	struct program p = {.address = UINT64_C(0xffffffff80200000),
			    .physical = 0x80200000,
			    .type = ET_EXEC,
			    .role = TR_ROLE_KERNEL};
	struct world w;
	fill(&p, 0, 3);
	begin(&w, &p, 1);
	run(&w, &p, p.physical, 0, 8);
	run(&w, &p, p.address, 8, 8);
	to_user(&w);
	run(&w, &p, p.address, 8, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[0].address, p.address);
	CHECK_EQ(w.rows[1].binary, 0);
	CHECK_EQ(w.rows[1].address, p.address + 32);
	CHECK_EQ(w.rows[2].binary, TR_NOTE_UNKNOWN); /* its role is kernel */
}

static void base_of_moved_code_is_solved(void)
{
	struct program p = {.type = ET_DYN, .role = TR_ROLE_USER};
	struct world w;
	fill(&p, 0, 3);
	begin(&w, &p, 1);
	to_user(&w);
	run(&w, &p, UINT64_C(0x2aaaaab000), 5, 8);
	run(&w, &p, UINT64_C(0x2aaaaab000), 100, 8);
	run(&w, &p, UINT64_C(0x2aaaaab004), 5, 8); /* not a whole page away */
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[0].address, 20);
	CHECK_EQ(w.rows[1].address, 400);
	CHECK_EQ(w.rows[2].binary, TR_NOTE_UNKNOWN);
}

static void history_bounds_what_waits(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 5, 4);
	run(&w, &p[0], 0x10000, 6, 4);
	finish(&w, 3, 8);
	CHECK_EQ(w.report.ambiguous.instructions, 12);
	CHECK_EQ(w.rows[2].binary, TR_NOTE_AMBIGUOUS);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 5, 4);
	run(&w, &p[0], 0x10000, 6, 4);
	run(&w, &p[0], 0x10000, 20, 4);
	finish(&w, 3, 8);
	CHECK_EQ(w.rows[3].binary, 0); /* once decided, also what gave up */
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.report.ambiguous.instructions, 0);
	CHECK_EQ(w.report.matched.instructions, 16);
}

/* A trap is no return, whatever its cause: code that jumps to its start is one life. */
static void trap_into_user_is_no_return(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 0, 8);
	run(&w, &p[0], 0x10000, 20, 4);
	event(&w, (struct tr_event){.kind = TR_EV_TRAP,
				    .u.trap = {.cause = 8, .priv = TR_PRIV_U}});
	run(&w, &p[0], 0x10000, 0, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.spaces, 1);
	CHECK_EQ(w.spaces[2], w.spaces[0]);
}

/* A program that starts again and again: what is known of its lives that are over goes,
 * but what they counted stays. */
static void lives_leave_no_pairs(void)
{
	enum { LIVES = 1000, BLOCKS = 240, KEPT = 1 << 16, A_FRAME = 20 };
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned life = 0; life < LIVES; life++) {
		to_user(&w);
		for (unsigned i = 0; i < BLOCKS; i++)
			run(&w, &p[0], 0x10000, i, 1);
		to_kernel(&w);
		if (life % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	match(&w, 3, 2048);
	clean_up(&w);
	CHECK_EQ(w.report.spaces, LIVES);
	CHECK_EQ(w.report.matched.instructions, LIVES * BLOCKS);
	CHECK(w.most_pairs > KEPT && w.most_pairs < KEPT + 2 * A_FRAME * BLOCKS);
}

/* Processes that start for ever, each with a satp of its own: what does not run leaves
 * no pairs, and is the same space, found again, when it does run. */
static void rest_leaves_no_pairs(void)
{
	enum { SATPS = 1000, BLOCKS = 200, KEPT = 1 << 16, A_FRAME = 20 };
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 0; i <= SATPS; i++) {
		set_satp(&w, SATP_A + i % SATPS);
		to_user(&w);
		for (unsigned k = 1; k <= BLOCKS; k++)
			run(&w, &p[0], 0x10000, k, 1);
		to_kernel(&w);
		if (i % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	match(&w, 3, 2048);
	clean_up(&w);
	CHECK_EQ(w.report.spaces, SATPS);
	CHECK_EQ(w.report.unknown.instructions, 0);
	CHECK_EQ(w.report.matched.instructions, (SATPS + 1) * BLOCKS);
	CHECK(w.most_pairs > KEPT && w.most_pairs < KEPT + 2 * A_FRAME * BLOCKS);
}

/* A frame that waits for what comes later keeps all that its events point to. */
static void held_frames_keep_classes(void)
{
	static const struct tr_run RUNS[] = {{.slots = 1, .class = 5},
					     {.slots = 2, .class = 6}};
	const struct tr_event trap = {
	    .kind = TR_EV_TRAP,
	    .cycles = 3,
	    .u.trap = {.cause = 8, .priv = TR_PRIV_S, .runs = RUNS, .nruns = 2}};
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 0; i < 3; i++) {
		to_user(&w);
		run(&w, &p[1], 0x10000, 4, 4);
		event(&w, trap);
		CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	to_user(&w);
	run(&w, &p[1], 0x10000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 1);
	CHECK_EQ(w.lost, 121212);
}

/* Blocks of a program that is known, and one of another that takes its place: the same
 * comes out, but each block is searched for. */
static void cache_only_saves_searches(void)
{
	for (unsigned no_cache = 0; no_cache < 2; no_cache++) {
		struct program p[2];
		struct world w;
		make_twins(p);
		begin(&w, p, 2);
		w.no_cache = no_cache;
		for (unsigned i = 0; i < 3; i++) {
			to_user(&w);
			run(&w, &p[0], 0x10000, 20, 4);
			run(&w, &p[0], 0x10000, 4, 2);
			run(&w, &p[0], 0x10000, 4, 2);
			run(&w, &p[0], 0x10000, 20, 4);
			to_kernel(&w);
		}
		to_user(&w);
		run(&w, &p[1], 0x10000, 40, 4);
		finish(&w, 3, 2048);
		for (unsigned i = 0; i < w.nrows; i++)
			CHECK_EQ(w.rows[i].binary, i == 12);
		CHECK_EQ(w.report.spaces, 2);
		CHECK_EQ(w.report.matched.instructions, 40);
		CHECK_EQ(w.report.cached, no_cache ? 0 : 1);
		CHECK_EQ(w.report.searched, no_cache ? 4 : 3);
	}
}

/* A block that repeats does not stand for others; what is known by then does. */
static void without_cache_others_corroborate(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	w.no_cache = true;
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 4);
	for (unsigned i = 0; i < 9; i++)
		run(&w, &p[0], 0x10000, 40, 2);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.matched.instructions, 4);
	CHECK_EQ(w.report.ambiguous.instructions, 18);
	begin(&w, p, 2);
	w.no_cache = true;
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 4);
	for (unsigned i = 0; i < 9; i++)
		run(&w, &p[0], 0x10000, 40, 2);
	run(&w, &p[0], 0x10000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.matched.instructions, 26);
	CHECK_EQ(w.rows[1].binary, 0);
}

int main(void)
{
	shared_prefix_waits_for_the_difference();
	equal_code_stays_ambiguous();
	too_few_tokens_are_no_match();
	code_of_nobody_is_unknown();
	reused_satp_is_another_program();
	contradiction_is_another_program();
	two_satps_are_two_spaces();
	kernel_is_found_before_translation();
	base_of_moved_code_is_solved();
	history_bounds_what_waits();
	trap_into_user_is_no_return();
	lives_leave_no_pairs();
	rest_leaves_no_pairs();
	held_frames_keep_classes();
	cache_only_saves_searches();
	without_cache_others_corroborate();
	return check_done();
}
