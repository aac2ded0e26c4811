/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs of the run-time profiler: entries and stubs are found wherever they are placed,
 * and code that differs from them in any bit is not. */
#include "match-world.h"

#include "base/little.h"
#include "image/stub_files.h"
#include "stream/insn.h"

enum {
	TEXT = 0x10000,
	NEAR_ENTRY = TEXT + 0x10,
	FAR_ENTRY = TEXT + 0x40,
	NEAR_STUB = 0,
	FAR_STUB = 24,
	STUB_BYTES = 54,
	COUNTED = 14, /* bytes of the code that counts */
	STUBS = 1,    /* number of the binary for notes on stubs */
};

static const uint64_t AREA = TEXT + 0x5000, OTHER = TEXT + 0x9000, COUNTERS = 0x7f000000;

static struct tr_stubs_function functions[] = {
    {.start = NEAR_ENTRY,
     .resume = NEAR_ENTRY + 4,
     .index = 3,
     .stub = NEAR_STUB,
     .stub_size = 22,
     .size = 4,
     .kind = TR_STUBS_NEAR,
     .moved = {COUNTED},
     .tail = 18},
    {.start = FAR_ENTRY,
     .resume = FAR_ENTRY + 8,
     .index = 600,
     .stub = FAR_STUB,
     .stub_size = 30,
     .first_label = 2,
     .size = 8,
     .kind = TR_STUBS_FAR,
     .moved = {COUNTED, 0, COUNTED + 4},
     .tail = 22},
};
static struct tr_stubs_label labels[] = {
    {NEAR_STUB, TR_STUBS_COUNTER, 5, 3},
    {NEAR_STUB + 18, TR_STUBS_JUMP, 0, NEAR_ENTRY + 4},
    {FAR_STUB, TR_STUBS_COUNTER, 5, 600},
    {FAR_STUB + 22, TR_STUBS_FAR_JUMP, 28, FAR_ENTRY + 8},
};

static uint8_t code[TR_STUBS_PAGE];
static struct program program;
static char folder[] = "/tmp/match-stubs.XXXXXX";

static void write_bytes(const char *name, const uint8_t *bytes, size_t size)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (CHECK(bytes && file)) {
		CHECK_EQ(fwrite(bytes, 1, size, file), size);
		fclose(file);
	}
}

static void remove_file(const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
}

/* The code that counts, with instructions moved from the program. */
static void fill_stub(const struct tr_stubs_function *f)
{
	uint8_t *p = code + f->stub + 8;
	tr_store32(p, 0x4305);	       /* c.li t1,1 */
	tr_store32(p + 2, 0x0062b02f); /* amoadd.d zero,t1,(t0) */
	for (unsigned i = 0; i < f->size; i += 4)
		tr_store32(p + 6 + i, program.code[(f->start - TEXT + i) / 4]);
}

static struct tr_stubs make_plan(void)
{
	struct tr_stubs plan = {
	    .code_offset = TR_STUBS_PAGE,
	    .code_size = TR_STUBS_PAGE,
	    .counters = 601,
	    .areas = {{0, TR_STUBS_PAGE, TEXT + 0x1000, TEXT + 0x20000}},
	    .functions = functions,
	    .function_count = 2,
	    .labels = labels,
	    .label_count = 4};
	plan.code_checksum = tr_stubs_checksum(code, sizeof(code));
	return plan;
}

/* Writes the folder of the program. */
static void write_folder(bool has_global)
{
	static const char *const names[] = {"near", "far"};
	size_t size;
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 0; k < functions[i].size; k += 4)
			tr_store32(functions[i].original + k,
				   program.code[(functions[i].start - TEXT + k) / 4]);
		fill_stub(&functions[i]);
	}
	struct tr_stubs plan = make_plan();
	uint8_t *bytes = tr_stubs_encode(&plan, &size);
	write_bytes("data.bin", bytes, size);
	free(bytes);
	bytes = tr_stubs_encode_object(&plan, code, NULL, 0, names, &size);
	write_bytes("injected.o", bytes, size);
	free(bytes);
	if (!has_global)
		return;
	labels[0].target = functions[0].index = 1000;
	labels[2].target = functions[1].index = 4;
	plan.counters = 1001;
	bytes = tr_stubs_encode(&plan, &size);
	write_bytes("datag.bin", bytes, size);
	free(bytes);
	labels[0].target = functions[0].index = 3;
	labels[2].target = functions[1].index = 600;
}

struct run {
	struct world w;
	struct tr_stub_files *files;
	uint64_t bias, area, counters;
	bool is_global;
	bool cuts;    /* each instruction is a block */
	unsigned bad; /* byte of the stubs that is wrong; 0: none */
};

static void begin_run(struct run *r, uint16_t type)
{
	program.address = TEXT;
	program.entry = TEXT + 0x200;
	program.type = type;
	program.role = TR_ROLE_USER;
	*r = (struct run){.area = AREA, .counters = COUNTERS};
	begin(&r->w, &program, 1);
	CHECK_EQ(tr_stub_files_open(&r->files, folder), TR_OK);
	CHECK_EQ(tr_stub_files_check(r->files, r->w.images[0]), TR_OK);
	r->w.binaries[0].stubs = r->files;
	r->w.binaries[0].stubs_number = STUBS;
}

static void end_run(struct run *r)
{
	finish(&r->w, 3, 2048);
	tr_stub_files_close(r->files);
}

static void run_bytes(struct run *r, uint64_t pc, const uint8_t *bytes, unsigned size)
{
	for (unsigned at = 0, length; at < size; at += length) {
		length = tr_insn_length(tr_load16(bytes + at));
		uint64_t bits =
		    length == 2 ? tr_load16(bytes + at) : tr_load32(bytes + at);
		tr_writer_token(r->w.writer, r->w.hart, pc + at, bits, length, 1, NULL,
				0);
		if (r->cuts)
			tr_writer_cut(r->w.writer, r->w.hart);
	}
	tr_writer_cut(r->w.writer, r->w.hart);
}

static struct tr_stubs_places places_of(const struct run *r)
{
	return (struct tr_stubs_places){
	    .bias = r->bias, .areas = {r->area + r->bias}, .counters = r->counters};
}

static void run_entry(struct run *r, unsigned number)
{
	const struct tr_stubs *plan = tr_stub_files_plan(r->files, 0);
	const struct tr_stubs_places places = places_of(r);
	uint8_t entry[TR_STUBS_ENTRY_MAX];
	CHECK_EQ(tr_stubs_entry(plan, &places, number, entry), TR_OK);
	run_bytes(r, functions[number].start + r->bias, entry, number ? 8 : 4);
}

static void run_stub(struct run *r, unsigned number)
{
	const struct tr_stubs *plan = tr_stub_files_plan(r->files, r->is_global);
	const struct tr_stubs_places places = places_of(r);
	const struct tr_stubs_function *f = &functions[number];
	uint8_t placed[sizeof(code)];
	memcpy(placed, code, sizeof(code));
	CHECK_EQ(tr_stubs_place(plan, &places, placed), TR_OK);
	if (r->bad)
		placed[r->bad] ^= 0x80;
	run_bytes(r, places.areas[0] + f->stub, placed + f->stub, f->stub_size);
}

/* Runs the rest of a function. */
static void run_rest(struct run *r, unsigned number)
{
	const uint64_t pc = functions[number].start + functions[number].size;
	run(&r->w, &program, TEXT + r->bias, (unsigned)(pc - TEXT) / 4, 4);
}

static void run_function(struct run *r, unsigned number)
{
	run_entry(r, number);
	run_stub(r, number);
	run_rest(r, number);
}

static void check_row(const struct run *r, unsigned row, uint32_t binary,
		      uint64_t address)
{
	CHECK_EQ(r->w.rows[row].binary, binary);
	if (binary < TR_NOTE_AMBIGUOUS)
		CHECK_EQ(r->w.rows[row].address, address);
}

/* The rows of a function from `row` on. */
static void check_function(const struct run *r, unsigned row, unsigned number)
{
	check_row(r, row, 0, functions[number].start);
	check_row(r, row + 1, STUBS, functions[number].stub);
	check_row(r, row + 2, 0, functions[number].start + functions[number].size);
}

/* The first code of a program is an entry; its stub shows which program it is. */
static void check_found(void)
{
	struct run r;
	begin_run(&r, ET_EXEC);
	to_user(&r.w);
	run_entry(&r, 0);
	run_stub(&r, 0);
	to_kernel(&r.w);
	to_user(&r.w);
	run_rest(&r, 0);
	run_function(&r, 1);
	end_run(&r);
	check_function(&r, 0, 0);
	check_function(&r, 3, 1);
	CHECK_EQ(r.w.report.stub_places, 1);
	CHECK_EQ(r.w.report.stubs_differ, 0);
	CHECK_EQ(r.w.report.unknown.instructions, 0);
	CHECK_EQ(r.w.report.ambiguous.instructions, 0);
}

/* Interrupts cut blocks anywhere. */
static void check_cut(void)
{
	struct run r;
	begin_run(&r, ET_EXEC);
	r.cuts = true;
	to_user(&r.w);
	run_function(&r, 1);
	end_run(&r);
	CHECK_EQ(r.w.nrows, 2 + 8 + 1);
	for (unsigned i = 0; i < 2; i++)
		check_row(&r, i, 0, FAR_ENTRY + 4 * i);
	static const unsigned at[] = {0, 4, 8, 10, 14, 18, 22, 26};
	for (unsigned i = 0; i < 8; i++)
		check_row(&r, 2 + i, STUBS, FAR_STUB + at[i]);
	CHECK_EQ(r.w.report.unknown.instructions, 0);
}

/* A block may begin before an entry. */
static void check_before(void)
{
	struct run r;
	uint8_t bytes[12], entry[TR_STUBS_ENTRY_MAX];
	begin_run(&r, ET_EXEC);
	const struct tr_stubs_places places = places_of(&r);
	for (unsigned i = 0; i < 2; i++)
		tr_store32(bytes + 4 * i, program.code[(NEAR_ENTRY - TEXT) / 4 - 2 + i]);
	CHECK_EQ(tr_stubs_entry(tr_stub_files_plan(r.files, 0), &places, 0, entry),
		 TR_OK);
	memcpy(bytes + 8, entry, 4);
	to_user(&r.w);
	run_bytes(&r, NEAR_ENTRY - 8, bytes, sizeof(bytes));
	run_stub(&r, 0);
	bytes[3] ^= 0x80;
	run_bytes(&r, NEAR_ENTRY - 8, bytes, sizeof(bytes));
	end_run(&r);
	check_row(&r, 0, 0, NEAR_ENTRY - 8);
	check_row(&r, 1, STUBS, NEAR_STUB);
	check_row(&r, 2, TR_NOTE_UNKNOWN, 0);
}

/* The profiler is detached, and attached with its stubs or counters elsewhere. A process
 * without it has the same program. */
static void check_moved(void)
{
	struct run r;
	begin_run(&r, ET_EXEC);
	to_user(&r.w);
	run_function(&r, 0);
	run(&r.w, &program, TEXT, 4, 3);
	r.area = OTHER;
	run_function(&r, 0);
	r.counters += 0x3000;
	run_function(&r, 1);
	to_kernel(&r.w);
	set_satp(&r.w, SATP_B);
	to_user(&r.w);
	run(&r.w, &program, TEXT, 4, 3);
	run(&r.w, &program, TEXT, 16, 3);
	end_run(&r);
	check_function(&r, 0, 0);
	check_row(&r, 3, 0, NEAR_ENTRY);
	check_function(&r, 4, 0);
	check_function(&r, 7, 1);
	check_row(&r, 10, 0, NEAR_ENTRY);
	check_row(&r, 11, 0, FAR_ENTRY);
	CHECK_EQ(r.w.report.stub_places, 3);
	CHECK_EQ(r.w.report.unknown.instructions, 0);
}

/* A position-independent program, whose place is known only later. */
static void check_floating(bool cuts)
{
	struct run r;
	begin_run(&r, ET_DYN);
	r.bias = 0x2aaaaa0000;
	r.counters += r.bias;
	to_user(&r.w);
	run_entry(&r, 0);
	run_stub(&r, 0);
	run_entry(&r, 1);
	r.cuts = cuts;
	run_stub(&r, 1);
	r.cuts = false;
	run_rest(&r, 0);
	run_rest(&r, 1);
	run(&r.w, &program, TEXT + r.bias, 64, 8);
	end_run(&r);
	check_row(&r, 0, 0, NEAR_ENTRY);
	check_row(&r, 1, STUBS, NEAR_STUB);
	check_row(&r, 2, 0, FAR_ENTRY);
	for (unsigned i = 3; i < r.w.nrows - 3; i++)
		CHECK_EQ(r.w.rows[i].binary, STUBS);
	check_row(&r, r.w.nrows - 3, 0, NEAR_ENTRY + 4);
	check_row(&r, r.w.nrows - 2, 0, FAR_ENTRY + 8);
	CHECK_EQ(r.w.report.unknown.instructions, 0);
	CHECK_EQ(r.w.report.stub_places, 1);
}

/* Global indexes have other counters. */
static void check_global(void)
{
	struct run r;
	write_folder(true);
	begin_run(&r, ET_EXEC);
	r.is_global = true;
	to_user(&r.w);
	run_function(&r, 0);
	run_function(&r, 1);
	end_run(&r);
	check_function(&r, 0, 0);
	check_function(&r, 3, 1);
	CHECK_EQ(r.w.report.stub_places, 1);
	remove_file("datag.bin");
}

/* Each byte that may be wrong. Of the first three, the counter's page is found in the
 * code. */
static void check_wrong(unsigned byte)
{
	struct run r;
	begin_run(&r, ET_EXEC);
	r.bad = byte;
	to_user(&r.w);
	run(&r.w, &program, TEXT, 0, 4);
	run_entry(&r, 0);
	run_stub(&r, 0);
	end_run(&r);
	bool is_page = byte < NEAR_STUB + 4;
	check_row(&r, 1, is_page ? 0 : TR_NOTE_UNKNOWN, NEAR_ENTRY);
	check_row(&r, 2, is_page ? STUBS : TR_NOTE_UNKNOWN, NEAR_STUB);
	CHECK_EQ(r.w.report.stubs_differ, !is_page);
	CHECK_EQ(r.w.report.stub_places, is_page);
}

/* Jumps that are not the injector's. */
static void check_wrong_jump(uint64_t area)
{
	struct run r;
	begin_run(&r, ET_EXEC);
	to_user(&r.w);
	run(&r.w, &program, TEXT, 0, 4);
	r.area = area;
	run_entry(&r, 0);
	end_run(&r);
	check_row(&r, 0, 0, TEXT);
	check_row(&r, 1, TR_NOTE_UNKNOWN, 0);
}

/* prof-extract -s has stopped the program: in its file, the first instruction jumps to
 * itself. The injector restores it. */
static void check_stopped(void)
{
	struct tr_stubs plan = make_plan();
	struct run r;
	size_t size;
	const uint32_t first = program.code[NEAR_ENTRY / 4 - TEXT / 4 - 2];
	plan.flags = TR_STUBS_STOPPED;
	plan.program_entry = NEAR_ENTRY - 8;
	tr_store32(plan.program_first, first);
	uint8_t *bytes = tr_stubs_encode(&plan, &size);
	write_bytes("data.bin", bytes, size);
	free(bytes);
	program.code[(NEAR_ENTRY - TEXT) / 4 - 2] = 0x6f; /* j . */
	begin_run(&r, ET_EXEC);
	to_user(&r.w);
	run(&r.w, &program, TEXT, 2, 1);
	program.code[(NEAR_ENTRY - TEXT) / 4 - 2] = first;
	run(&r.w, &program, TEXT, 2, 2);
	run(&r.w, &program, TEXT, 1, 3);
	run_function(&r, 0);
	program.code[(NEAR_ENTRY - TEXT) / 4 - 2] = first ^ 0x100000;
	run(&r.w, &program, TEXT, 2, 2);
	program.code[(NEAR_ENTRY - TEXT) / 4 - 2] = first;
	end_run(&r);
	check_row(&r, 0, 0, NEAR_ENTRY - 8);
	check_row(&r, 1, 0, NEAR_ENTRY - 8);
	check_row(&r, 2, 0, NEAR_ENTRY - 12);
	check_function(&r, 3, 0);
	check_row(&r, 6, TR_NOTE_UNKNOWN, 0);
	write_folder(false);
}

/* Files of another program. */
static void check_other_program(void)
{
	struct run r;
	begin_run(&r, ET_EXEC);
	program.code[(FAR_ENTRY - TEXT) / 4 + 1] ^= 0x100000;
	struct world w;
	begin(&w, &program, 1);
	CHECK_EQ(tr_stub_files_check(r.files, w.images[0]), TR_E_CORRUPT);
	CHECK(strstr(tr_stub_files_message(r.files), "function 1 at 0x10040") != NULL);
	program.code[(FAR_ENTRY - TEXT) / 4 + 1] ^= 0x100000;
	tr_writer_end(w.writer, NULL);
	tr_writer_close(w.writer);
	close(w.fd);
	clean_up(&w);
	end_run(&r);
}

int main(void)
{
	CHECK(mkdtemp(folder) != NULL);
	fill(&program, 0, 1);
	write_folder(false);
	check_found();
	check_cut();
	check_before();
	check_moved();
	check_floating(false);
	check_floating(true);
	check_global();
	for (unsigned byte = NEAR_STUB + 1; byte < NEAR_STUB + 18; byte++)
		check_wrong(byte);
	check_wrong_jump(AREA + 2);
	check_wrong_jump(AREA + 0x800);
	check_wrong_jump(TEXT);
	check_wrong_jump(TEXT + 0x21000);
	check_stopped();
	check_other_program();
	remove_file("data.bin");
	remove_file("injected.o");
	rmdir(folder);
	return check_done();
}
