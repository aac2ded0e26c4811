/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and events in random order: nothing breaks, and every cycle and instruction is
 * output once. */
#include "unwind-machine.h"

static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t pick(uint32_t count)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % count;
}

static uint64_t random_pc(void)
{
	static const uint64_t BASES[] = {0x1000, 0x1000, 0x7000, K, F};
	return BASES[pick(5)] + 0x100 * pick(10) + (pick(3) ? 8 * pick(4) : 0);
}

static uint8_t random_priv(void)
{
	static const uint8_t PRIVS[] = {U, S, M, U | TR_PRIV_V};
	return PRIVS[pick(16) < 15 ? pick(3) : 3];
}

static void random_event(void)
{
	switch (pick(8)) {
	case 0:
	case 1:
		trap_timed(pick(2) ? pick(30) : TR_CAUSE_INTERRUPT | pick(80),
			   random_pc(), random_priv(), pick(3));
		break;
	case 2:
	case 3:
		xret(random_priv());
		break;
	case 4:
		set_tp(pick(4) ? T + 0x1000 * pick(6) : pick(3));
		break;
	case 5:
		if (pick(2))
			set_space(pick(12));
		else
			tell_sp(pick(8) * UINT64_C(0x4000) + 8 * pick(64));
		break;
	case 6:
		gap((uint8_t)pick(9), pick(5));
		break;
	default:
		event((struct tr_event){.kind = TR_EV_PRIV, .u.priv = {random_priv()}});
		break;
	}
}

static void random_run(bool has_tp, bool no_bits, bool has_sp)
{
	static const uint32_t LAST[] = {NOP,	   JUMP,    JUMP_A5, BRANCH, CALL,
					CALL,	   CALL_A5, CALL_X5, RETURN, RETURN,
					RETURN_X5, SWAP_X1, SWAP_X5, MRET,   SRET};
	machine_begin_with(has_tp, has_sp);
	m.quiet = true;
	m.no_bits = no_bits;
	for (int frame = 0; frame < 60; frame++) {
		if (pick(8) == 0) {
			m.generation++;
			m.nblocks = m.nnotes = 0;
		}
		for (int i = 0; i < 400; i++) {
			if (pick(5) == 0)
				random_event();
			else
				run_timed(random_pc(), LAST[pick(15)], pick(9) == 0);
		}
		feed();
	}
	machine_end();
}

int main(void)
{
	for (int i = 0; i < 12; i++)
		random_run(i & 1, i & 4, i >= 6);
	return check_done();
}
