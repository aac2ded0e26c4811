/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: entry of the handler, its return, and back to the interrupted code. */
#include "unwind-machine.h"

static void back_to_user(void)
{
	run(K, SRET);
	xret(U);
}

/* The handler, entered next, interrupts main at 0x1118. */
static void interrupt_main(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, S);
	back_to_user();
}

/* The system call of the trampoline. */
static void sigreturn(uint64_t epc)
{
	trap(ECALL, epc, S);
	back_to_user();
}

#define INTERRUPTED                                                                      \
	"prog;_start 2*\n"                                                               \
	"prog;_start;main 2*\n"                                                          \
	"prog;_start;main;[timer interrupt];entry 2*\n"                                  \
	"prog;_start;main;[signal];foo 2*\n"
#define WENT_ON                                                                          \
	"prog;_start;main 2\n"                                                           \
	"prog;_start 2\n"

static void go_on(void)
{
	run(0x1118, RETURN);
	run(0x1008, NOP);
}

/* The trampoline has a name: bar. */
static void signals(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x1300, NOP);
	sigreturn(0x1308);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];bar 2*\n"
	       "prog;_start;main;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* It has no name, so it has no frame. */
static void nameless_trampoline(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	go_on();
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;[timer interrupt];entry 2*\n"
			  "prog;_start;main;[signal];foo 2*\n"
			  "prog;_start;main;[signal];[unknown] 2\n"
			  "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.returns, 2); /* of the handler and of main */
	CHECK_EQ(totals.unmatched, 0);
}

/* The signal came in a system call: main continues after it. */
static void interrupted_call(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1110, NOP);
	trap(ECALL, 0x1118, S);
	back_to_user();
	run(0x1200, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	run(0x111c, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[ecall];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* Another signal is pending while the handler runs: it is delivered at sigreturn, in
 * place of the first, and interrupts the same code. */
static void next_signal(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	run(0x1400, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main;[signal];[unknown];[signal];baz 2*\n"
	       "prog;_start;main;[signal];[unknown];[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

static void next_signal_from_named_trampoline(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x1300, NOP);
	sigreturn(0x1308);
	run(0x1400, RETURN);
	run(0x1300, NOP);
	sigreturn(0x1308);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];bar 2*\n"
	       "prog;_start;main;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main;[signal];bar;[signal];baz 2*\n"
	       "prog;_start;main;[signal];bar;[signal];bar 2*\n"
	       "prog;_start;main;[signal];bar;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* The handler makes main continue in another function: the trampoline is over. */
static void elsewhere(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x1300, NOP);
	sigreturn(0x1308);
	run(0x1410, RETURN);
	run(0x1008, NOP);
	CHECK_EQ(machine_end().unmatched, 2);
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;[timer interrupt];entry 2*\n"
			  "prog;_start;main;[signal];foo 2*\n"
			  "prog;_start;main;[signal];bar 2*\n"
			  "prog;_start;main;[signal];bar;[ecall];entry 2*\n"
			  "prog;_start;main;[signal];baz 2\n"
			  "prog;_start;main;[signal];_start 2\n");
}

/* So it is when a fault comes there first. */
static void fault_elsewhere(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x1300, NOP);
	sigreturn(0x1308);
	trap(FETCH_FAULT, 0x1410, S);
	back_to_user();
	run(0x1410, RETURN);
	run(0x1008, NOP);
	CHECK_EQ(machine_end().unmatched, 2);
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;[timer interrupt];entry 2*\n"
			  "prog;_start;main;[signal];foo 2*\n"
			  "prog;_start;main;[signal];bar 2*\n"
			  "prog;_start;main;[signal];bar;[ecall];entry 2*\n"
			  "prog;_start;main;[signal];baz;[fetch page fault];entry 2*\n"
			  "prog;_start;main;[signal];baz 2\n"
			  "prog;_start;main;[signal];_start 2\n");
}

/* A trap between the handler's return and the trampoline, which has not been seen yet:
 * the handler is over. */
static void trap_at_the_trampoline(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	trap(FETCH_FAULT, 0x7000, S);
	back_to_user();
	run(0x7000, NOP);
	sigreturn(0x7008);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];[fetch page fault];entry 2*\n"
	       "prog;_start;main;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* The signal came right at main's entry, which is no handler. */
static void interrupted_at_entry(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	trap(TIMER, 0x1100, S);
	back_to_user();
	run(0x1200, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	run(0x1100, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* The signal came in a system call, and the handler does not use a trampoline: a function
 * that it calls, here main again, returns behind it. */
static void back_without_trampoline(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1110, NOP);
	sigreturn(0x1118);
	run(0x1200, CALL);
	run(0x1100, NOP);
	sigreturn(0x1148);
	run(0x111c, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[ecall];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];foo;main 2*\n"
	       "prog;_start;main;[signal];foo;main;[ecall];entry 2*\n" WENT_ON);
}

/* The handler's last block is unknown code. */
static void handler_ends_nameless(void)
{
	interrupt_main();
	run(0x1200, NOP);
	run(0x7000, RETURN);
	run(0x1300, NOP);
	sigreturn(0x1308);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];foo;[unknown] 2\n"
	       "prog;_start;main;[signal];bar 2*\n"
	       "prog;_start;main;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* A fault before the first instruction of an unknown function that the handler calls: the
 * handler is not over. */
static void handler_calls_nameless(void)
{
	interrupt_main();
	run(0x1200, CALL_A5);
	trap(FETCH_FAULT, 0x7000, S);
	back_to_user();
	run(0x7000, RETURN);
	run(0x1208, RETURN);
	run(0x7100, NOP);
	sigreturn(0x7108);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];foo;[fetch page fault];entry 2*\n"
	       "prog;_start;main;[signal];foo;[unknown] 2*\n"
	       "prog;_start;main;[signal];foo 2\n"
	       "prog;_start;main;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* The handler returns to main's caller instead, in unknown code, where a fault comes
 * first. */
static void handler_returns_for_main(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x7000, CALL);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, S);
	back_to_user();
	run(0x1200, RETURN);
	trap(FETCH_FAULT, 0x7008, S);
	back_to_user();
	run(0x7008, RETURN);
	run(0x1008, NOP);
	CHECK_EQ(machine_end().unmatched, 1);
	CHECK_STR(m.text,
		  "prog;_start 2*\n"
		  "prog;_start;[unknown] 2*\n"
		  "prog;_start;[unknown];main 2*\n"
		  "prog;_start;[unknown];main;[timer interrupt];entry 2*\n"
		  "prog;_start;[unknown];main;[signal];foo 2*\n"
		  "prog;_start;[unknown];main;[signal];[fetch page fault];entry 2*\n"
		  "prog;_start;[unknown];main;[signal];[unknown] 2\n"
		  "prog;_start;[unknown];main;[signal];_start 2\n");
}

/* A signal in the handler is not a subsequent one, for which the handler would have to be
 * over. */
static void signal_in_the_handler(void)
{
	interrupt_main();
	run(0x1200, NOP);
	trap(TIMER, 0x1208, S);
	back_to_user();
	run(0x1400, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	run(0x1208, RETURN);
	run(0x7000, NOP);
	sigreturn(0x7008);
	go_on();
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];foo;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo;[signal];baz 2*\n"
	       "prog;_start;main;[signal];foo;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];foo;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main;[signal];foo 2\n"
	       "prog;_start;main;[signal];[unknown] 2\n"
	       "prog;_start;main;[signal];[unknown];[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* A trap in the kernel before its first instruction for the trampoline, redirected by M:
 * that ends no signal. */
static void trap_in_sigreturn(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x7000, NOP);
	trap(ECALL, 0x7008, S);
	trap(MISALIGNED, 0x7100, M);
	run(F + 0x100, MRET);
	xret(S);
	run(K, SRET);
	xret(S);
	run(0x7100, SRET);
	xret(U);
	go_on();
	EXPECT(
	    "prog;_start 2*\n"
	    "prog;_start;main 2*\n"
	    "prog;_start;main;[timer interrupt];entry 2*\n"
	    "prog;_start;main;[signal];foo 2*\n"
	    "prog;_start;main;[signal];[unknown] 2\n"
	    "prog;_start;main;[signal];[unknown];[ecall];[misaligned load];m_entry 2*\n"
	    "prog;_start;main;[signal];[unknown];[ecall];[misaligned load];entry 2*\n"
	    "prog;_start;main;[signal];[unknown];[ecall];[unknown] 2\n"
	    "prog;_start;main 2\n"
	    "prog;_start 2\n");
}

/* To address 0, where no signal came. */
static void to_nowhere(void)
{
	interrupt_main();
	run(0x1200, NOP);
	trap(FETCH_FAULT, 0x1208, S);
	back_to_user();
	run(0, NOP);
	EXPECT(INTERRUPTED "prog;_start;main;[signal];foo;[fetch page fault];entry 2*\n"
			   "prog;_start;main;[signal];[no symbol] 2\n");
}

/* A trampoline has no caller, but is not older than the trace either. */
static void trampoline_returns(void)
{
	interrupt_main();
	run(0x1200, RETURN);
	run(0x7000, RETURN);
	run(0x1450, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;[timer interrupt];entry 2*\n"
			  "prog;_start;main;[signal];foo 2*\n"
			  "prog;_start;main;[signal];[unknown] 2\n"
			  "prog;_start;main;[signal];baz 2\n");
	CHECK_EQ(totals.unmatched, 1);
	CHECK_EQ(totals.beyond, 0);
}

/* A handler that calls the interrupted function is interrupted by another signal: each
 * returns to where its own signal came. */
static void nested_signals(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, S);
	run(K, SRET);
	xret(U);
	run(0x1200, CALL);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	run(K, SRET);
	xret(U);
	run(0x1300, NOP);
	trap(ECALL, 0x1308, S);
	run(K, SRET);
	xret(U);
	run(0x1108, RETURN);
	run(0x1208, NOP);
	trap(ECALL, 0x1210, S);
	trap(TIMER, K, S);
	run(K, SRET);
	xret(S);
	run(K, SRET);
	xret(U);
	trap(FETCH_FAULT, 0x1118, S);
	run(K, SRET);
	xret(U);
	run(0x1118, RETURN);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];foo;main 2*\n"
	       "prog;_start;main;[signal];foo;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo;main;[signal];bar 2*\n"
	       "prog;_start;main;[signal];foo;main;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main;[signal];foo;main 2\n"
	       "prog;_start;main;[signal];foo 2\n"
	       "prog;_start;main;[signal];foo;[ecall];entry;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo;[ecall];entry 2*\n"
	       "prog;_start;main;[fetch page fault];entry 2*\n"
	       "prog;_start;main 2\n");
}

int main(void)
{
	signals();
	nameless_trampoline();
	interrupted_call();
	next_signal();
	next_signal_from_named_trampoline();
	elsewhere();
	fault_elsewhere();
	trap_at_the_trampoline();
	interrupted_at_entry();
	back_without_trampoline();
	handler_ends_nameless();
	handler_calls_nameless();
	handler_returns_for_main();
	signal_in_the_handler();
	trap_in_sigreturn();
	to_nowhere();
	trampoline_returns();
	nested_signals();
	return check_done();
}
