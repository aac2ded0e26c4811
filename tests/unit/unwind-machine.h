/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated machine for the tests of the unwinder: three binaries, rows and events, one
 * per line, and the resulting stacks as text.
 *
 * run(0x1100, CALL) is a row of two instructions at 0x1100, the last a call. Output has a
 * line for each row of stacks: "prog;main;foo 2" for two cycles, followed by "*" if the
 * top frame is new, and "@tp" of its thread if that has one. */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include <stdlib.h>

#include "check.h"
#include "unwind/unwind.h"

enum {
	NOP = 0x13,
	JUMP = 0x6f,
	JUMP_A5 = 0x78067,
	BRANCH = 0x63,
	CALL = 0xef,
	CALL_A5 = 0x780e7,
	CALL_X5 = 0x2ef,
	RETURN = 0x8067,
	RETURN_X5 = 0x28067,
	SWAP_X1 = 0x280e7, /* jalr x1, (x5) */
	SWAP_X5 = 0x82e7,  /* jalr x5, (x1) */
	AUIPC_TP = 0x6217, /* auipc tp, 6 */
	ADDI_TP = 0x20213, /* addi tp, tp, 0 */
	MRET = 0x30200073,
	SRET = 0x10200073,
};
#define LOAD_SP	 UINT32_C(0x0085b103) /* ld sp, 8(a1) */
#define MOVE_SP	 UINT32_C(0x00050113) /* mv sp, a0 */
#define SWAP_SP	 UINT32_C(0x34011173) /* csrrw sp, mscratch, sp */
#define FRAME_SP UINT32_C(0xfc040113) /* addi sp, s0, -64 */
#define SUB_SP	 UINT32_C(0x40a10133) /* sub sp, sp, a0: alloca */
enum { USER = 0, KERNEL = 1, FIRMWARE = 2, OTHER = 3, LIBRARY, STUBS, BINARIES };
enum { U = TR_PRIV_U, S = TR_PRIV_S, M = TR_PRIV_M };
enum { ECALL = 8, LOAD_FAULT = 13, FETCH_FAULT = 12, MISALIGNED = 4 };
#define TIMER (TR_CAUSE_INTERRUPT | 5)

#define K UINT64_C(0xffffffff80000000) /* the kernel's code */
#define F UINT64_C(0x80000000)	       /* the firmware's */
#define T UINT64_C(0xffffffff00001000) /* thread records */

static const struct tr_function FUNCTIONS[BINARIES][16] = {
    [USER] = {{"_start", 0x1000, 0x1000, 0x1100, true, true},
	      {"main", 0x1100, 0x1100, 0x1200, true, true},
	      {"foo", 0x1200, 0x1200, 0x1300, true, true},
	      {"bar", 0x1300, 0x1300, 0x1400, true, true},
	      {"baz", 0x1400, 0x1400, 0x1500, true, true},
	      {"setjmp", 0x1500, 0x1500, 0x1600, true, true},
	      {"longjmp", 0x1600, 0x1600, 0x1700, true, true},
	      {"save_2", 0x1700, 0x1700, 0x1708, true, true},
	      {"save_1", 0x1708, 0x1708, 0x1710, true, true},
	      {"main", 0x1100, 0x1800, 0x1900, false, true},
	      {"clone", 0x1900, 0x1900, 0x1a00, true, true},
	      {"sigsetjmp", 0x1a00, 0x1a00, 0x1b00, true, true},
	      {"runtime.systemstack", 0x1b00, 0x1b00, 0x1c00, true, true},
	      {"runtime.morestack", 0x1c00, 0x1c00, 0x1d00, true, true},
	      {.name = "prog+0x1d00",
	       .entry = 0x1d00,
	       .low = 0x1d00,
	       .high = 0x1e00,
	       .is_nameless = true}},
    [KERNEL] = {{"entry", K, K, K + 0x100, true, true},
		{"handler", K + 0x100, K + 0x100, K + 0x200, true, true},
		{"schedule", K + 0x200, K + 0x200, K + 0x300, true, true},
		{"switch_to", K + 0x300, K + 0x300, K + 0x400, true, true},
		{"thread_start", K + 0x400, K + 0x400, K + 0x500, true, true},
		{"kernel_clone", K + 0x500, K + 0x500, K + 0x600, true, true},
		{"ret_from_trap", K + 0x600, K + 0x600, K + 0x700, true, true},
		{"ret_from_fork", K + 0x700, K + 0x700, K + 0x800, true, true}},
    [FIRMWARE] = {{"_start", F, F, F + 0x100, true, true},
		  {"m_entry", F + 0x100, F + 0x100, F + 0x200, true, true},
		  {"emulate", F + 0x200, F + 0x200, F + 0x300, true, true}},
    [OTHER] = {{"other", 0x1000, 0x1000, 0x1100, true, true}},
    [LIBRARY] = {{"clock", 0x6000, 0x6000, 0x6100, true, true}},
};

enum { MAX = 8192, TEXT = 1 << 16 };

static struct machine {
	struct tr_unwind *unwind;
	struct tr_block blocks[MAX];
	uint8_t code[MAX][8];
	uint32_t nblocks;
	struct tr_row rows[MAX];
	struct tr_event events[MAX];
	struct tr_note notes[MAX];
	struct tr_hart_frame part;
	struct tr_context context; /* at the end of the input so far */
	uint64_t frame, generation, tokens, cycles, sp;
	uint32_t nnotes, first; /* first: first instruction of the next rows */
	struct tr_func funcs[MAX];
	struct tr_node nodes[MAX];
	struct tr_thread threads[MAX];
	uint32_t nfuncs, nnodes, nthreads;
	char text[TEXT];
	size_t length;
	uint32_t processes[8]; /* the first ones to run, in order */
	uint32_t nprocesses;
	unsigned stacks_begun, rootless;
	uint64_t out_cycles, out_instructions;
	bool quiet, no_bits, has_sp;
} m;

static const struct tr_block *m_block(void *user, uint32_t id)
{
	(void)user;
	return &m.blocks[id];
}

/* Timing 1 stalls its second token for 9 cycles, 7 of them of class 3. */
static const struct tr_timing *m_timing(void *user, uint32_t id)
{
	static const struct tr_run RUNS[] = {{.slots = 7, .class = 3}};
	static const struct tr_stall STALLS[] = {{.cycles = 10, .nruns = 1, .token = 1}};
	static const struct tr_timing TIMINGS[] = {
	    {0}, {.extra = 9, .stalls = STALLS, .nstalls = 1, .runs = RUNS, .nruns = 1}};
	(void)user;
	return &TIMINGS[id];
}

static bool m_function(void *user, uint32_t binary, uint64_t address,
		       struct tr_function *function)
{
	(void)user;
	for (const struct tr_function *f = FUNCTIONS[binary]; f->name; f++)
		if (address >= f->low && address < f->high) {
			*function = *f;
			return true;
		}
	return false;
}

/* A stub at 0x8n00 stands for instructions at 0x1n00, one at 0x8n80 is a jump by a
 * register instead of a direct one. */
static bool m_origin(void *user, uint32_t *binary, uint64_t *address, bool *is_direct)
{
	(void)user;
	if (*binary != STUBS)
		return false;
	*is_direct = *address & 0x80;
	*binary = USER;
	*address = 0x1000 | (*address & 0xf0f);
	return true;
}

/* The vdso's `ecall; ret`. */
#define GADGET UINT64_C(0x3fff000a28)
static bool m_injects(void *user, uint64_t pc)
{
	(void)user;
	return pc % 0x1000 == GADGET % 0x1000;
}

static int m_func(void *user, const struct tr_func *func)
{
	(void)user;
	m.funcs[m.nfuncs++] = *func;
	return TR_OK;
}

static int m_node(void *user, const struct tr_node *node)
{
	(void)user;
	if (m.nnodes < MAX)
		m.nodes[m.nnodes] = *node;
	m.nnodes++;
	return TR_OK;
}

static int m_thread(void *user, const struct tr_thread *thread)
{
	(void)user;
	if (m.nthreads < MAX)
		m.threads[m.nthreads] = *thread;
	m.nthreads++;
	return TR_OK;
}

static int m_thread_tp(void *user, uint32_t thread, uint64_t tp)
{
	(void)user;
	if (thread < MAX)
		m.threads[thread].tp = tp;
	return TR_OK;
}

static void put(const char *text)
{
	size_t size = strlen(text);
	if (m.quiet || m.length + size >= TEXT)
		return;
	memcpy(m.text + m.length, text, size + 1);
	m.length += size;
}

static void put_path(uint32_t node)
{
	if (!node)
		return;
	put_path(m.nodes[node].parent);
	if (m.nodes[node].parent)
		put(";");
	put(m.funcs[m.nodes[node].func].name);
}

static int m_scontext(void *user, uint32_t hart, const struct tr_scontext *context)
{
	(void)user;
	(void)hart;
	if (m.nprocesses < sizeof(m.processes) / sizeof(*m.processes) &&
	    (!m.nprocesses || m.processes[m.nprocesses - 1] != context->process))
		m.processes[m.nprocesses++] = context->process;
	return TR_OK;
}

static int m_srow(void *user, uint32_t hart, const struct tr_srow *row,
		  const struct tr_class_cycles *classes)
{
	char text[96];
	(void)user;
	m.out_cycles += row->cycles;
	m.out_instructions += row->instructions;
	m.rootless += !row->node;
	/* Marks a new stack. */
	if (!row->cycles && !row->instructions)
		m.stacks_begun += row->fresh;
	if (m.quiet || (!row->cycles && !row->instructions))
		return TR_OK;
	if (hart)
		put("h1 ");
	put_path(row->node);
	snprintf(text, sizeof(text), " %" PRIu64 "%s", row->cycles,
		 row->fresh ? "*" : "");
	put(text);
	for (unsigned i = 0; i < row->nclasses; i++) {
		snprintf(text, sizeof(text), " %u:%" PRIu64, classes[i].class,
			 classes[i].cycles);
		put(text);
	}
	if (row->thread < MAX && m.threads[row->thread].tp) {
		snprintf(text, sizeof(text), " @%" PRIx64,
			 (m.threads[row->thread].tp - T) >> 12);
		put(text);
	}
	put("\n");
	return TR_OK;
}

static bool machine_lacks_satp; /* for the next machine */

static inline void machine_begin_with(bool has_tp, bool has_sp)
{
	static const char *const PROGRAMS[BINARIES] = {"prog",	"kernel", "firmware",
						       "other", "vdso",	  "stubs"};
	static const bool LIBRARIES[BINARIES] = {[LIBRARY] = true, [STUBS] = true};
	static const struct tr_unwind_source SOURCE = {.block = m_block,
						       .timing = m_timing,
						       .function = m_function,
						       .origin = m_origin,
						       .injects = m_injects};
	static const struct tr_unwind_sink SINK = {.func = m_func,
						   .node = m_node,
						   .thread = m_thread,
						   .thread_tp = m_thread_tp,
						   .scontext = m_scontext,
						   .srow = m_srow};
	const struct tr_unwind_options options = {.programs = PROGRAMS,
						  .libraries = LIBRARIES,
						  .nprograms = BINARIES,
						  .xlen = 64,
						  .has_traps = true,
						  .has_priv = true,
						  .has_satp = !machine_lacks_satp,
						  .has_sp = has_sp,
						  .has_tp = has_tp,
						  .commit_width = 1};
	memset(&m, 0, sizeof(m));
	m.nnodes = 1;
	m.first = NOP;
	m.has_sp = has_sp;
	m.context = m.part.start = (struct tr_context){.satp = 1, .space = 1, .priv = U};
	m.part.rows = m.rows;
	m.part.events = m.events;
	CHECK_EQ(tr_unwind_new(&m.unwind, &SOURCE, &SINK, &options), TR_OK);
}

static inline void machine_begin(bool has_tp)
{
	machine_begin_with(has_tp, false);
}

static inline void machine_begin_sp(bool has_tp)
{
	machine_begin_with(has_tp, true);
}

static void add_note(uint32_t block, uint64_t pc)
{
	uint32_t space = tr_note_space(&m.context);
	for (uint32_t i = 0; i < m.nnotes; i++)
		if (m.notes[i].space == space && m.notes[i].block == block)
			return;
	uint32_t binary = pc >= K ? KERNEL : pc >= F ? FIRMWARE : USER;
	if (binary == USER && m.context.space == 9)
		binary = OTHER;
	if (pc >= 0x6000 && pc < 0x7000)
		binary = LIBRARY;
	if (pc >= 0x8000 && pc < 0x9000)
		binary = STUBS;
	if (pc >= 0x7000 && pc < 0x8000)
		binary = pc < 0x7800 ? TR_NOTE_UNKNOWN : TR_NOTE_AMBIGUOUS;
	m.notes[m.nnotes++] = (struct tr_note){
	    .address = pc, .space = space, .block = block, .binary = binary};
}

static inline void run_timed(uint64_t pc, uint32_t last, uint32_t timing)
{
	uint32_t i = 0;
	const uint8_t code[8] = {
	    (uint8_t)m.first,	      (uint8_t)(m.first >> 8), (uint8_t)(m.first >> 16),
	    (uint8_t)(m.first >> 24), (uint8_t)last,	       (uint8_t)(last >> 8),
	    (uint8_t)(last >> 16),    (uint8_t)(last >> 24)};
	const uint8_t lengths[8] = {4, 4};
	const uint8_t *bytes = m.no_bits ? lengths : code;
	while (i < m.nblocks &&
	       (m.blocks[i].pc != pc || memcmp(m.code[i], bytes, 8) != 0))
		i++;
	if (i == m.nblocks) {
		memcpy(m.code[i], bytes, 8);
		m.blocks[m.nblocks++] = (struct tr_block){.pc = pc,
							  .code = m.code[i],
							  .tokens = 2,
							  .bytes = 8,
							  .no_bits = m.no_bits};
	}
	add_note(i, pc);
	m.rows[m.part.nrows++] = (struct tr_row){
	    .block = i, .timing = timing, .tokens = 2, .cycles = timing ? 11 : 2};
	m.tokens += 2;
	m.cycles += timing ? 11 : 2;
	m.first = NOP;
}

static inline void run(uint64_t pc, uint32_t last)
{
	run_timed(pc, last, 0);
}

static inline void event(struct tr_event e)
{
	/* If sp is not reported, an entry of the kernel takes its own stack at once. */
	if (e.kind == TR_EV_TRAP)
		m.first = m.context.priv == U && !m.has_sp ? SWAP_SP : NOP;
	e.row = m.part.nrows;
	m.events[m.part.nevents++] = e;
	m.cycles += e.cycles;
	/* The rule of tr_context_apply(), for the notes of later rows. */
	if (e.kind == TR_EV_TRAP)
		m.context.priv = e.u.trap.priv;
	if (e.kind == TR_EV_XRET || e.kind == TR_EV_PRIV)
		m.context.priv = e.kind == TR_EV_XRET ? e.u.xret.priv : e.u.priv.priv;
	if (e.kind == TR_EV_SATP) {
		m.context.satp = e.u.satp.satp;
		m.context.space = e.u.satp.space;
	}
	if (e.kind == TR_EV_REG && e.u.reg.reg == 4)
		m.context.tp = e.u.reg.value;
}

static inline void trap_timed(uint64_t cause, uint64_t epc, uint8_t priv, uint64_t cycles)
{
	event((struct tr_event){.kind = TR_EV_TRAP,
				.cycles = cycles,
				.u.trap = {.cause = cause, .epc = epc, .priv = priv}});
}

static inline void trap(uint64_t cause, uint64_t epc, uint8_t priv)
{
	trap_timed(cause, epc, priv, 0);
}

static inline void xret(uint8_t priv)
{
	event((struct tr_event){.kind = TR_EV_XRET, .u.xret = {.priv = priv}});
}

static inline void set_tp(uint64_t value)
{
	event((struct tr_event){.kind = TR_EV_REG, .u.reg = {.value = value, .reg = 4}});
}

static inline void set_space(uint32_t space)
{
	event((struct tr_event){.kind = TR_EV_SATP,
				.u.satp = {.satp = space, .space = space}});
}

static inline void gap(uint8_t reason, uint64_t cycles)
{
	event((struct tr_event){
	    .kind = TR_EV_GAP, .cycles = cycles, .u.gap = {.reason = reason}});
}

/* A row whose first instruction is not a nop. */
static inline void run_with(uint32_t first, uint64_t pc, uint32_t last)
{
	m.first = first;
	run(pc, last);
}

/* The same, adding to sp: the prologue of a function that calls, or an epilogue. */
static inline void run_adding(int bytes, uint64_t pc, uint32_t last)
{
	run_with(0x10113 | (uint32_t)bytes << 20, pc, last);
	m.sp += (uint64_t)(int64_t)bytes;
}

/* A row whose last instruction writes this value to sp, which is reported if sp is. */
static inline void write_sp(uint64_t pc, uint32_t insn, uint64_t value)
{
	run(pc, insn);
	m.sp = value;
	if (m.has_sp)
		event((struct tr_event){.kind = TR_EV_REG,
					.u.reg = {.value = value, .reg = 2}});
}

/* Like write_sp(), for the start of the trace, or after a gap. */
static inline void tell_sp(uint64_t value)
{
	m.sp = value;
	event((struct tr_event){.kind = TR_EV_REG, .u.reg = {.value = value, .reg = 2}});
}

/* The stack of a thread, whose name is T + number << 12. */
#define STACK(number) (T - UINT64_C(0x10000000) + ((uint64_t)(number) << 12))

/* The kernel switches to another thread. */
static inline void to_thread(uint64_t tp)
{
	run(K + 0x200, CALL);
	run_with(LOAD_SP, K + 0x300, NOP);
	set_tp(tp);
	run(K + 0x308, RETURN);
}

/* Ends the frame and feeds it to the unwinder. */
static inline void feed(void)
{
	struct tr_frame frame = {.number = m.frame++,
				 .generation = m.generation,
				 .harts = &m.part,
				 .notes = m.notes,
				 .nharts = 1,
				 .nnotes = m.nnotes};
	CHECK_EQ(tr_unwind_frame(m.unwind, &frame, m.nblocks, 2), TR_OK);
	m.part.start = m.context;
	m.part.start_cycle = m.cycles;
	m.part.nrows = m.part.nevents = 0;
}

static struct tr_unwind_totals machine_end(void)
{
	struct tr_unwind_totals totals;
	if (m.part.nrows || m.part.nevents)
		feed();
	CHECK_EQ(tr_unwind_finish(m.unwind), TR_OK);
	tr_unwind_totals(m.unwind, &totals);
	CHECK_EQ(totals.cycles, m.cycles);
	CHECK_EQ(totals.out_cycles, m.cycles);
	CHECK_EQ(m.out_cycles, m.cycles);
	CHECK_EQ(totals.instructions, m.tokens);
	CHECK_EQ(m.out_instructions, m.tokens);
	CHECK_EQ(m.rootless, 0);
	tr_unwind_free(m.unwind);
	return totals;
}

/* The stacks so far; nothing must be left unexplained. */
#define EXPECT(want)                                                                     \
	do {                                                                             \
		struct tr_unwind_totals end_ = machine_end();                            \
		CHECK_STR(m.text, want);                                                 \
		CHECK_EQ(end_.unmatched, 0);                                             \
	} while (0)

#endif
