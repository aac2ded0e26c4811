/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for the assembly code of Linux 6.1, 6.12 and 7.2, the vdso and musl 1.2.3, which
 * has no call frame information, in addition to those in ../hand.c; the table at the end
 * lists all of them.
 *
 * handle_exception saves a struct pt_regs at the top of the task's kernel stack, or below
 * the kernel's current frames, and its callees return to ret_from_exception, which never
 * called them; nor did the trampoline in the vdso call a signal handler. Such a
 * return address, and that of a new thread, is no frame until it runs: the frame whose
 * registers it would restore is the caller. */
#include "rules.h"

#include <string.h>

#include "go.h"
#include "model/csr.h"

enum { CSRW_SSCRATCH_ZERO = 0x14001073 };
enum { PATCHABLE = 8 }; /* bytes */
enum { SAVED_S = 12, S11 = 27, T6 = 31, CAUSE_ECALL = 8 };

struct linux_places linux_places;

static const struct layout *layout(void)
{
	return &linux_places.layout;
}

static uint64_t after(const struct binary *binary, uint64_t pc, uint32_t insn)
{
	for (unsigned i = 0; i < 128; i++) {
		uint32_t here = binary_insn(binary, pc);
		pc += (here & 3) == 3 ? 4 : 2;
		if (here == insn)
			return pc;
	}
	return 0;
}

static uint64_t at_op(const struct binary *binary, uint64_t pc, enum op_kind kind,
		      unsigned reg)
{
	for (unsigned i = 0; i < 128; i++) {
		struct op op = code_at(binary, pc);
		if (op.kind == kind && (!reg || op.reg == reg))
			return pc;
		pc += op.bytes;
	}
	return 0;
}

static bool find_entry(const struct binary *kernel, uint64_t pc)
{
	struct linux_places *p = &linux_places;
	uint64_t pushed = at_op(kernel, pc, OP_STORE_SP, RA);

	while (pc < pushed) {
		struct op op = code_at(kernel, pc);
		if (op.kind == OP_ADD_SP) {
			p->checked = p->checked ? p->checked : pc;
			p->loaded = pc;
		} else if (op.kind == OP_LOAD && op.reg == SP && p->checked &&
			   !p->reloaded) {
			p->reloaded = pc;
		}
		pc += op.bytes;
	}
	p->stored = at_op(kernel, pc, OP_STORE_SP, T6);
	p->entered = after(kernel, p->stored, CSRW_SSCRATCH_ZERO);
	return p->loaded && p->stored && p->entered;
}

bool linux_find_places(const struct machine *m)
{
	struct linux_places *p = &linux_places;
	const struct binary *kernel = m->kernel;
	uint64_t entry, change;

	if (tr_image_symbol(kernel->image, "handle_exception", &entry) != TR_OK ||
	    tr_image_symbol(kernel->image, "__switch_to", &change) != TR_OK ||
	    tr_image_symbol(kernel->image, "ret_from_exception",
			    &p->ret_from_exception) != TR_OK) {
		fprintf(stderr, "truth: %s: not Linux\n", tr_image_path(kernel->image));
		return false;
	}
	p->switch_stored = at_op(kernel, change, OP_STORE, S11);
	for (size_t i = 0; i < m->nbinaries; i++)
		if (strstr(m->binaries[i].name, "vdso"))
			tr_image_symbol(m->binaries[i].image, "__vdso_rt_sigreturn",
					&p->sigreturn);
	if (find_entry(kernel, entry) && p->switch_stored)
		return layout_read(&p->layout, tr_image_path(kernel->image));
	fprintf(stderr, "truth: %s: entry code that is not known\n",
		tr_image_path(kernel->image));
	return false;
}

static bool read_registers(struct unwinding *u, uint64_t address)
{
	if (!walk_read64(u, address, &u->r.pc))
		return false;
	for (unsigned i = 1; i < 32; i++)
		if (!walk_read64(u, address + 8 * i, &u->r.x[i]))
			return false;
	return true;
}

/* A system call that a signal may restart has lost its cause. */
static bool read_cause(const struct unwinding *u, uint64_t address, uint64_t *cause)
{
	if (!walk_read64(u, address + layout()->cause, cause))
		return false;
	if (*cause == UINT64_MAX)
		*cause = CAUSE_ECALL;
	return true;
}

/* Cause 0, a misaligned fetch, cannot occur: it marks the stack of a kernel thread, even
 * of one that has become a program but not run it yet. */
static enum left by_registers_at(struct unwinding *u, uint64_t address)
{
	uint64_t status, cause;

	if (!walk_read64(u, address + layout()->status, &status) ||
	    !read_cause(u, address, &cause))
		return LEFT_LOST;
	if (cause == 0)
		return LEFT_ROOT;
	if (!read_registers(u, address))
		return LEFT_LOST;
	u->cause = cause;
	u->priv = status >> STATUS_SPP_SHIFT & 1;
	return LEFT_TRAP;
}

static enum left by_registers(struct unwinding *u)
{
	return by_registers_at(u, u->r.x[SP]);
}

static enum left by_sret(struct unwinding *u)
{
	uint64_t address = u->r.x[SP], cause;

	if (hand_previous(u) == PRIV_U &&
	    !walk_read64(u, machine_csr(u->m, CSR_SSCRATCH) + layout()->kernel_sp,
			 &address))
		return LEFT_LOST;
	address -= (layout()->registers_size + 15) & ~UINT64_C(15);
	if (!read_cause(u, address, &cause))
		return LEFT_LOST;
	return cause ? hand_leave_by_csr(u, cause) : LEFT_ROOT;
}

/* Applies up to `entered`: registers already changed have been saved. */
static enum left by_entry(struct unwinding *u)
{
	const struct linux_places *p = &linux_places;
	uint64_t sp = u->r.x[SP], copy = 0;

	if (u->linked > p->checked && u->linked <= p->reloaded)
		copy = u->r.x[TP] + layout()->kernel_sp;
	else if (u->linked >= p->loaded)
		copy = u->r.x[TP] + layout()->user_sp;
	if (copy && !walk_read64(u, copy, &sp))
		return LEFT_LOST;
	if (u->linked >= p->stored && !read_registers(u, u->r.x[SP]))
		return LEFT_LOST;
	u->r.x[SP] = sp;
	return hand_leave_by_csr(u, machine_csr(u->m, CSR_SCAUSE));
}

static enum left by_return(struct unwinding *u)
{
	return hand_here(u).kind == OP_XRET && u->is_exact ? by_sret(u) : by_registers(u);
}

static enum left by_exception(struct unwinding *u)
{
	if (u->function->is_entry && u->linked < linux_places.entered)
		return by_entry(u);
	return by_return(u);
}

static bool read_thread(struct unwinding *u, uint64_t task)
{
	uint64_t at = task + layout()->thread_ra;

	if (!walk_read64(u, at, &u->r.x[RA]) || !walk_read64(u, at + 8, &u->r.x[SP]))
		return false;
	at = task + layout()->thread_s0;
	for (unsigned i = 0; i < SAVED_S; i++)
		if (!walk_read64(u, at + 8 * i, &u->r.x[i < 2 ? S0 + i : S2 + i - 2]))
			return false;
	return true;
}

/* A new thread first returns to ret_from_fork or ret_from_kernel_thread. */
static enum left by_switch(struct unwinding *u)
{
	if (hand_here(u).kind != OP_TO && u->linked > linux_places.switch_stored &&
	    !read_thread(u, u->r.x[A0]))
		return LEFT_LOST;
	const struct tr_function *to = tr_image_function_at(u->binary->image, u->r.x[RA]);
	return to && to->entry == u->r.x[RA] ? by_registers(u) : hand_leaf(u);
}

/* Once s0 points to the frame, sp switches to the interrupt stack. */
static enum left by_irq_stack(struct unwinding *u)
{
	uint64_t frame = u->r.x[S0],
		 saved = at_op(u->binary, u->function->low, OP_STORE_SP, S0);
	uint64_t moves = saved + code_at(u->binary, saved).bytes;

	if (u->linked <= moves || hand_is_past(u, OP_LOAD_SP, S0))
		return hand_by_code(u);
	if (!walk_read64(u, frame - 8, &u->r.x[RA]) ||
	    !walk_read64(u, frame - 16, &u->r.x[S0]))
		return LEFT_LOST;
	u->r.x[SP] = frame;
	return hand_leaf(u);
}

/* A function starts with nops for calls of ftrace, which frame information omits. */
static enum left by_patchable(struct unwinding *u)
{
	const struct cfi *cfi = &u->binary->cfi;
	uint64_t low = u->function->low;

	if (u->function->is_entry && u->linked - low < PATCHABLE &&
	    !cfi_find(cfi, u->linked) && cfi_find(cfi, low + PATCHABLE))
		return hand_leaf(u);
	return LEFT_NOT;
}

static enum left root(struct unwinding *u)
{
	(void)u;
	return LEFT_ROOT;
}

static enum left by_signal_frame(struct unwinding *u)
{
	return read_registers(u, u->r.x[SP] + layout()->signal_registers) ? LEFT_SIGNAL
									  : LEFT_LOST;
}

/* The child starts after the ecall, on its own stack, which contains the function to
 * call. */
static enum left by_clone(struct unwinding *u)
{
	bool is_child = hand_is_past(u, OP_TO, RA) ||
			(hand_is_past(u, OP_ECALL, 0) && u->r.x[A0] == 0);

	return is_child ? LEFT_ROOT : hand_leaf(u);
}

/* After the ecall has unmapped the stack there is none. */
static enum left by_unmapself(struct unwinding *u)
{
	if (!hand_is_past(u, OP_ECALL, 0))
		return hand_leaf(u);
	u->lost = "__unmapself has given up its own stack";
	return LEFT_LOST;
}

/* During its call of setjmp the buffer holds ra and s0, and s0 points to the buffer. */
static enum left by_sigsetjmp(struct unwinding *u)
{
	enum { BUFFER_RA = 208, BUFFER_S0 = 224 };
	bool has_s0 = hand_is_past(u, OP_LOAD, S0);
	uint64_t buffer = u->r.x[has_s0 ? A0 : S0];

	if (!hand_is_past(u, OP_CALL, 0) || hand_is_past(u, OP_LOAD, RA))
		return hand_leaf(u);
	if (!walk_read64(u, buffer + BUFFER_RA, &u->r.x[RA]) ||
	    (!has_s0 && !walk_read64(u, buffer + BUFFER_S0, &u->r.x[S0])))
		return LEFT_LOST;
	return hand_leaf(u);
}

/* glibc's is a function in C, called by _start. */
static enum left by_start_main(struct unwinding *u)
{
	uint64_t address;

	return tr_image_symbol(u->binary->image, "__init_libc", &address) == TR_OK
		   ? LEFT_ROOT
		   : LEFT_NOT;
}

static enum left by_context(struct unwinding *u)
{
	if (!hand_is_past(u, OP_LOAD, RA) && !hand_is_past(u, OP_LOAD, SP))
		return hand_leaf(u);
	u->lost = "a context has been loaded in part";
	return LEFT_LOST;
}

/* Before it leaves for another frame, the unwinder of exceptions replaces the registers
 * that it has saved, and then adds another register to sp. */
static enum left by_unwinder(struct unwinding *u)
{
	enum { NEAR = 64 };
	uint64_t pc = u->linked;
	unsigned calls = 0;

	for (unsigned i = 0; i < NEAR; i++) {
		struct op op = code_at(u->binary, pc);
		if (op.kind == OP_SET_SP) {
			u->lost = "an exception is about to go to another frame";
			return LEFT_LOST;
		}
		calls += op.kind == OP_CALL;
		if (calls > 1 || op.kind == OP_TO || op.kind == OP_JUMP)
			break;
		pc += op.bytes;
	}
	return LEFT_NOT;
}

/* An entry of assembly without a single rule is not to be believed. */
static bool has_frame_information(const struct unwinding *u)
{
	const struct cfi_fde *fde =
	    cfi_find(&u->binary->cfi, u->is_exact ? u->linked : u->linked - 1);

	if (!fde)
		return false;
	for (const uint8_t *code = fde->code; code < fde->end; code++)
		if (*code)
			return true;
	return false;
}

/* Code without call frame information. The first function of a program has no caller. */
static enum left by_following(struct unwinding *u)
{
	if (u->priv != PRIV_U)
		return LEFT_NOT;
	if (hand_is_stub(u))
		return hand_leaf(u);
	if (has_frame_information(u))
		return LEFT_NOT;
	if (u->function->entry == tr_image_entry(u->binary->image))
		return LEFT_ROOT;
	enum left left = hand_by_code(u);
	if (left == LEFT_LOST)
		u->lost = "no frame information, and code that cannot be followed";
	return left;
}

enum left linux_pass(struct unwinding *u)
{
	struct task task;

	if (u->priv == PRIV_S && u->r.pc == linux_places.ret_from_exception)
		return by_registers(u);
	if (u->priv != PRIV_U)
		return LEFT_NOT;
	if (u->r.pc == 0 || go_is_end(u))
		return LEFT_ROOT;
	if (linux_places.sigreturn && task_read(u->m, layout(), u->thread, &task) &&
	    task.vdso && u->r.pc == task.vdso + linux_places.sigreturn)
		return by_signal_frame(u);
	return LEFT_NOT;
}

/* It calls a subroutine, and keeps its own ra in t6 meanwhile. */
static enum left by_user_copy(struct unwinding *u)
{
	if (u->r.x[RA] - u->function->low < u->function->high - u->function->low)
		u->r.x[RA] = u->r.x[T6];
	return hand_leaf(u);
}

/* setup_trap_vector, which both starts of a hart call, has no symbol that counts as a
 * function. */
static enum left by_secondary(struct unwinding *u)
{
	uint64_t inner;

	if (tr_image_symbol(u->binary->image, "setup_trap_vector", &inner) == TR_OK &&
	    u->linked < inner)
		return LEFT_ROOT;
	return hand_leaf(u);
}

static const char at_call[] = "ra and sp as at the call";
static const char from_start[] =
    "jumped to, from _start on; ra is what the program before left";

const struct hand_rule linux_rules[] = {
    {"vmlinux", "_start", root, "the first of all"},
    {"vmlinux", "_start_kernel", root, "jumped to by _start"},
    {"vmlinux", "start_kernel", root,
     "jumped to by _start_kernel, ra of another call; it does not return"},
    {"vmlinux", "relocate_enable_mmu", hand_leaf, at_call},
    {"vmlinux", "handle_exception", by_exception,
     "before pt_regs stands: in part copies, sp in the task, pc in sepc; then pt_regs "
     "at sp; at sret: as it is"},
    {"vmlinux", "ret_from_exception", by_return, "pt_regs at sp; at sret: as it is"},
    {"vmlinux", "handle_syscall_trace_exit", by_registers, "pt_regs at sp"},
    {"vmlinux", "ret_from_fork", by_registers, "pt_regs at sp"},
    {"vmlinux", "ret_from_kernel_thread", by_registers, "pt_regs at sp"},
    {"vmlinux", "ret_from_fork_kernel_asm", by_registers, "pt_regs at sp"},
    {"vmlinux", "ret_from_fork_user_asm", by_registers, "pt_regs at sp"},
    {"vmlinux", "__switch_to", by_switch,
     "until tp changes, the thread that leaves, out of its task"},
    {"vmlinux", "call_on_irq_stack", by_irq_stack,
     "by s0 while it has the frame, else by following the code"},
    {"vmlinux", "__fstate_save", hand_leaf, at_call},
    {"vmlinux", "__fstate_restore", hand_leaf, at_call},
    {"vmlinux", "memcpy", hand_leaf, at_call},
    {"vmlinux", "__memcpy", hand_leaf, at_call},
    {"vmlinux", "memset", hand_leaf, at_call},
    {"vmlinux", "__memset", hand_leaf, at_call},
    {"vmlinux", "memmove", hand_leaf, at_call},
    {"vmlinux", "__memmove", hand_leaf, at_call},
    {"vmlinux", "__asm_copy_from_user", hand_leaf, at_call},
    {"vmlinux", "__asm_copy_to_user", hand_leaf, at_call},
    {"vmlinux", "__clear_user", hand_leaf, at_call},
    {"vmlinux", "fallback_scalar_usercopy", by_user_copy,
     "as at the call, ra in t6 while it calls"},
    {"vmlinux", "fallback_scalar_usercopy_sum_enabled", hand_leaf, at_call},
    {"vmlinux", "__riscv_copy_words_unaligned", hand_leaf, at_call},
    {"vmlinux", "__riscv_copy_bytes_unaligned", hand_leaf, at_call},
    {"vmlinux", "clear_page", hand_leaf, at_call},
    {"vmlinux", "strcmp", hand_leaf, at_call},
    {"vmlinux", "strlen", hand_leaf, at_call},
    {"vmlinux", "strncmp", hand_leaf, at_call},
    {"vmlinux", "strnlen", hand_leaf, at_call},
    {"vmlinux", "secondary_start_sbi", by_secondary,
     "the first of a hart; setup_trap_vector in it: at the call"},
    {"vmlinux", "smp_callin", root, "jumped to by secondary_start_sbi"},
    {"vmlinux", "*", by_patchable, "in nops of its entry: ra and sp as at the call"},
    {NULL, "__vdso_rt_sigreturn", by_signal_frame,
     "ucontext of the signal's frame at sp"},
    {NULL, "__vdso_getcpu", hand_leaf, at_call},
    {NULL, "__vdso_flush_icache", hand_leaf, at_call},
    {NULL, "_start", root, "the first of a program"},
    {NULL, "_start_c", root, from_start},
    {NULL, "_dlstart_c", root, "jumped to, from _dlstart on"},
    {NULL, "__dls2", root, "the same"},
    {NULL, "__libc_start_main", by_start_main, from_start},
    {NULL, "libc_start_main_stage2", root, from_start},
    {NULL, "__clone", by_clone, "ra and sp as at the call; in a child, the root"},
    {NULL, "__unmapself", by_unmapself, "the same, until it unmaps its stack"},
    {NULL, "__syscall_cp_asm", hand_leaf, at_call},
    {NULL, "__cp_*", hand_leaf, at_call},
    {NULL, "__set_thread_area", hand_leaf, at_call},
    {NULL, "sigsetjmp", by_sigsetjmp, "the same; behind its call, ra in the buffer"},
    {NULL, "__sigsetjmp", by_sigsetjmp, "the same"},
    {NULL, "swapcontext", by_context, "the same, until it loads one of them"},
    {NULL, "setcontext", by_context, "the same"},
    {"go", "_rt0_riscv64_linux", root, "the first of all"},
    {"go", "runtime.rt0_go", root, "jumped to from the first"},
    {"go", "runtime.clone", by_clone, "as __clone"},
    {"go", "runtime.mstart", hand_by_code, "called by the first of a thread"},
    {"go", "gogo", go_leave_gogo, "until it calls: it never returns"},
    {"go", "runtime.systemstack", go_leave,
     "the stack at its entry, if it was entered on a goroutine's"},
    {"go", "runtime.mcall", go_leave, "the same"},
    {"go", "runtime.morestack", go_leave, "the same"},
    {"go", "runtime.nanotime1", go_leave, "the same"},
    {"go", "runtime.walltime", go_leave, "the same"},
    {NULL, "_Unwind_*", by_unwinder, "until it leaves for another frame"},
    {NULL, "*", by_following,
     "stubs of the linkage table: as at the call; without frame information: by "
     "following the code"},
    {NULL, NULL, NULL, NULL},
};
